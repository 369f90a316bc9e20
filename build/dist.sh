#!/bin/sh
# Packs the committed sources as unixbench-VERSION.tar.gz, with the manual page and the completions that are made from
# them, and writes the checksum beside it. Two archives of one commit have the same bytes. Usage, in the root of a
# checkout: dist.sh VERSION
set -e
version=$1
root=unixbench-$version
archive=$root.tar.gz

[ -e .git ] || { echo 'make dist needs a git checkout' >&2; exit 1; }
changed=$(git status --porcelain | wc -l)
[ "$((changed))" = 0 ] || echo "$((changed)) changed files are not committed: the archive has them as in HEAD" >&2

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' HUP INT TERM
git archive --format=tar HEAD | tar -x -C "$stage"
(cd "$stage" && perl build/reference --built made)
set --
for file in $(cd "$stage/made" && find share -type f | LC_ALL=C sort); do
    set -- "$@" --prefix="$root/${file%/*}/" --add-file="$stage/made/$file"
done
git archive --format=tar "$@" --prefix="$root/" HEAD | gzip -9 -n > "$archive"
sha256sum "$archive" > "$archive.sha256"
cat "$archive.sha256"
