#!/bin/sh
# Packs the committed sources as unixbench-VERSION.tar.gz, and writes their checksum beside it. Two archives of one
# commit have the same bytes. Usage, in the root of a checkout: dist.sh VERSION
set -e
version=$1
archive=unixbench-$version.tar.gz

[ -e .git ] || { echo 'make dist needs a git checkout' >&2; exit 1; }
changed=$(git status --porcelain | wc -l)
[ "$((changed))" = 0 ] || echo "$((changed)) changed files are not committed: the archive has them as in HEAD" >&2

git archive --format=tar --prefix="unixbench-$version/" HEAD | gzip -9 -n > "$archive"
sha256sum "$archive" > "$archive.sha256"
cat "$archive.sha256"
