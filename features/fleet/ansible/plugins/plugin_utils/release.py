"""The release that is shipped to hosts: an archive of `make static` for one architecture."""

from __future__ import absolute_import, annotations, division, print_function

import hashlib
import lzma
import os
import re
import tarfile

NAME = re.compile(r"unixbench-(?P<version>.+)-(?P<architecture>[^-]+)\.tar\.xz")

# What uname calls an architecture, and what `make static` calls it.
ALIASES = {"amd64": "x86_64", "arm64": "aarch64"}


class ReleaseError(Exception):
    """One line: what is wrong with an archive, or that none fits."""


class Release:
    """One archive."""

    def __init__(self, path):
        """Takes its path; raises ReleaseError if its name is another one than `make static` gives."""
        name = NAME.fullmatch(os.path.basename(path))
        if not name:
            raise ReleaseError(f"unixbench_release: {path} is not named unixbench-VERSION-ARCHITECTURE.tar.xz: "
                               "expected an archive that `make static` wrote")
        self.path = path
        self.name = os.path.basename(path)
        self.architecture = name["architecture"]

    def content(self):
        """Returns the bytes of the archive; raises ReleaseError if it can't be read."""
        try:
            with open(self.path, "rb") as file:
                return file.read()
        except OSError as error:
            raise ReleaseError(f"unixbench_release: {self.path}: {error.strerror}") from None

    def sha256(self):
        """Returns the SHA-256 of the archive."""
        return hashlib.sha256(self.content()).hexdigest()

    def unpacked(self):
        """Returns the bytes of the tar archive in it, for hosts without xz; raises ReleaseError if it is damaged."""
        try:
            return lzma.decompress(self.content())
        except lzma.LZMAError as error:
            raise ReleaseError(f"unixbench_release: {self.path}: {error}") from None

    def files(self):
        """Returns the SHA-256 of the list of its files, as host.sh makes it of the installed files.

        The list has a line for each file: its SHA-256, two blanks, and its path. Raises ReleaseError if it is damaged.
        """
        try:
            with tarfile.open(self.path, "r:xz") as archive:
                pairs = sorted((_path(member), _digest(archive, member)) for member in archive if not member.isdir())
        except (OSError, EOFError, tarfile.TarError, lzma.LZMAError) as error:
            raise ReleaseError(f"unixbench_release: {self.path}: {error}") from None
        lines = b"".join(digest.encode() + b"  " + path + b"\n" for path, digest in pairs)
        return hashlib.sha256(lines).hexdigest()


def fitting(paths, machine):
    """Takes the paths of the archives, and what uname -m says; returns the Release for that host, or None.

    Raises ReleaseError if there is no archive, or if one has a wrong name.
    """
    if not paths:
        raise ReleaseError("unixbench_release: expected the path of an archive, as `make static` writes it")
    releases = [Release(path) for path in paths]
    return next((release for release in releases if release.architecture == architecture(machine)), None)


def architecture(machine):
    """Takes what uname -m says; returns the architecture in the name of an archive."""
    if re.fullmatch(r"i[3-6]86", machine):
        return "i386"
    if re.fullmatch(r"armv[67].*", machine):
        return "armhf"
    return ALIASES.get(machine, machine)


def _path(member):
    """Returns the path of a file below the only directory of the archive, as find prints it."""
    return b"./" + member.name.partition("/")[2].encode("utf-8", "surrogateescape")


def _digest(archive, member):
    file = archive.extractfile(member)
    if file is None:
        raise tarfile.TarError(f"{member.name} is not a file")
    return hashlib.sha256(file.read()).hexdigest()
