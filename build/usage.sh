#!/bin/sh
# Writes share/tests.md into USAGE.md, as its chapter on the tests.
set -e
trap 'rm -f USAGE.md.new' EXIT
awk '
    NR == FNR { words = words "\n" $0; next }
    /^## / { is_chapter = $0 == "## What each test does" }
    !is_chapter || /^## /
    is_chapter && /^## / { print words "\n"; is_there = 1 }
    END { exit !is_there }
' share/tests.md USAGE.md > USAGE.md.new || { echo 'USAGE.md has no chapter "What each test does"' >&2; exit 1; }
cat USAGE.md.new > USAGE.md
