"""Tests of the files in the directory of results."""

from __future__ import absolute_import, annotations, division, print_function

import os
import tempfile
import unittest
from unittest import mock

from ansible_collections.unixbench.fleet.plugins.plugin_utils.files import opened, write_whole


class FilesTest(unittest.TestCase):
    """Files of one temporary directory."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = place.name
        self.path = os.path.join(place.name, "results", "a")
        os.mkdir(os.path.dirname(self.path))

    def content(self, path):
        with open(path, "rb") as file:
            return file.read()

    def test_files_of_the_user_are_left_alone(self):
        own = [f"{self.path}.new", f"{self.path}.{os.getpid()}.new"]
        for path in own:
            with open(path, "wb") as file:
                file.write(b"mine")
        os.symlink("victim", f"{self.path}.{os.getpid()}-1.new")
        for content in (b"first", b"second"):
            write_whole(self.path, content)
            self.assertEqual(self.content(self.path), content)
        self.assertEqual([self.content(path) for path in own], [b"mine"] * 2)
        self.assertEqual(len(os.listdir(os.path.dirname(self.path))), 4)

    def test_nothing_is_left_after_an_error(self):
        with mock.patch("os.fsync", side_effect=OSError("full")):
            self.assertRaises(OSError, write_whole, self.path, b"text")
        self.assertEqual(os.listdir(os.path.dirname(self.path)), [])

    def test_only_plain_files_are_opened(self):
        os.mkfifo(self.path)
        for mode in ("rb", "ab+"):
            self.assertRaisesRegex(OSError, "not a plain file", opened, self.path, mode)
        os.unlink(self.path)
        os.symlink(os.path.join(self.place, "victim"), self.path)
        self.assertRaises(OSError, opened, self.path, "ab+")
        self.assertRaises(FileNotFoundError, opened, self.path, "rb")
        self.assertFalse(os.path.exists(os.path.join(self.place, "victim")))


if __name__ == "__main__":
    unittest.main()
