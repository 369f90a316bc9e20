"""Tests of the release that is shipped to hosts."""

from __future__ import absolute_import, annotations, division, print_function

import io
import os
import subprocess
import tarfile
import tempfile
import unittest

from ansible_collections.unixbench.fleet.plugins.plugin_utils import release as releases
from ansible_collections.unixbench.fleet.plugins.plugin_utils.release import Release, ReleaseError, fitting

FILES = {"Run": b"#!/bin/sh\n", "pgms/pipe": b"\x7fELF", "pgms/pipe-2": b"", "lib/A b.pm": b"1;\n", "lib/\u00e4": b"u"}


class ReleaseTest(unittest.TestCase):
    """Archives in one temporary directory."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = place.name

    def _archive(self, name="unixbench-1.0-x86_64.tar.xz", files=None):
        path = os.path.join(self.place, name)
        with tarfile.open(path, "w:xz") as archive:
            for file, content in (files or FILES).items():
                member = tarfile.TarInfo(f"unixbench-1.0-x86_64/{file}")
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
        return path

    def test_the_list_of_files_is_that_of_sha256sum(self):
        release = Release(self._archive())
        script = ("cd x && tar xf ../unixbench-*.xz && cd unixbench-* && "
                  "find . -type f -exec sha256sum {} + | LC_ALL=C sort -k 2 | sha256sum | cut -c 1-64")
        os.mkdir(os.path.join(self.place, "x"))
        listed = subprocess.run(script, shell=True, cwd=self.place, check=True, stdout=subprocess.PIPE).stdout
        self.assertEqual(release.files(), listed.decode().strip())

    def test_a_file_of_other_bytes_changes_the_list(self):
        before = Release(self._archive()).files()
        self.assertNotEqual(before, Release(self._archive(files={**FILES, "pgms/pipe": b"\x7fELG"})).files())

    def test_the_unpacked_archive_is_a_tar_archive_of_the_same_files(self):
        with tarfile.open(fileobj=io.BytesIO(Release(self._archive()).unpacked()), mode="r:") as archive:
            self.assertEqual([member.name.partition("/")[2] for member in archive], list(FILES))

    def test_the_archive_that_fits_the_machine_is_chosen(self):
        paths = [self._archive(f"unixbench-1.0-{name}.tar.xz") for name in ("x86_64", "aarch64", "i386", "armhf")]
        chosen = {machine: fitting(paths, machine).path for machine in ("x86_64", "aarch64", "i686", "armv7l")}
        self.assertEqual(list(chosen.values()), paths)
        self.assertIsNone(fitting(paths, "riscv64"))

    def test_names_of_other_systems_mean_the_same_architecture(self):
        self.assertEqual([releases.architecture(name) for name in ("amd64", "arm64", "i386", "armv6l", "s390x")],
                         ["x86_64", "aarch64", "i386", "armhf", "s390x"])

    def test_a_version_may_have_dashes(self):
        self.assertEqual(Release("/x/unixbench-7.2.0-rc-1-ppc64le.tar.xz").architecture, "ppc64le")

    def test_errors_are_one_line_with_the_variable(self):
        damaged = os.path.join(self.place, "unixbench-1-x86_64.tar.xz")
        with open(damaged, "wb") as file:
            file.write(b"nothing")
        torn = self._archive("unixbench-2-x86_64.tar.xz")
        os.truncate(torn, os.path.getsize(torn) // 2)
        cases = {
            "is not named unixbench-VERSION-ARCHITECTURE.tar.xz": lambda: Release("/x/release.tar.gz"),
            "expected the path of an archive": lambda: fitting([], "x86_64"),
            "No such file": lambda: Release("/nowhere/unixbench-1-x86_64.tar.xz").sha256(),
            "unixbench-1-x86_64.tar.xz: ": lambda: Release(damaged).unpacked(),
            "x86_64.tar.xz: not an lzma file": lambda: Release(damaged).files(),
            "unixbench-2-x86_64.tar.xz: ": lambda: Release(torn).files(),
        }
        for expected, function in cases.items():
            with self.subTest(expected), self.assertRaises(ReleaseError) as raised:
                function()
            self.assertIn(expected, str(raised.exception))
            self.assertTrue(str(raised.exception).startswith("unixbench_release: "))
            self.assertNotIn("\n", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
