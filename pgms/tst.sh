#!/bin/sh
# tst.sh [INPUT]: the work of the shell tests.  Sorts a text, dumps it, sorts the dump, searches the text, and
# removes what it wrote: seven processes beside the shell.  INPUT is sort.src, from the current directory,
# UB_TESTDIR or UB_BINDIR/../testdir; files go to UB_SCRATCH, UB_TMPDIR or /tmp.

# Never write through a file or a link that somebody else has put there.
set -C

scratch=${UB_SCRATCH:-${UB_TMPDIR:-/tmp}}/tst-$$
sorted=$scratch.sorted
dumped=$scratch.dumped
found=$scratch.found
counted=$scratch.counted

fail() {
    echo "ERROR|tst.sh: $1 failed" >&2
    rm -f "$sorted" "$dumped" "$found" "$counted"
    exit 1
}

input=${1-}
if [ -z "$input" ]; then
    case $0 in */*) bin=${0%/*} ;; *) bin=. ;; esac
    for place in . "${UB_TESTDIR:-.}" "${UB_BINDIR:-$bin}/../testdir"; do
        input=$place/sort.src
        [ -r "$input" ] && break
    done
fi

trap 'fail "interrupted: it"' HUP INT TERM

sort "$input" > "$sorted" || fail sort
od "$sorted" | sort -n -k 1 > "$dumped" || fail 'od | sort'
: > "$found" || fail "$found"
grep the "$sorted" | tee "$found" | wc > "$counted" || fail 'grep | tee | wc'

# Only the last of a pipeline has said whether it failed.
[ -s "$dumped" ] || fail od
[ -s "$found" ] || fail grep
read -r lines words bytes < "$counted"
case "$lines $words $bytes" in *[!\ 0-9]* | ' '* | '0 '*) fail wc ;; esac

rm "$sorted" "$dumped" "$found" "$counted" || fail rm
