#!/bin/sh
# tst.sh [INPUT]: the work of the shell tests.  Sorts a text, dumps it, sorts the dump, searches the text, and
# removes what it wrote: seven processes beside the shell.  INPUT is sort.src, from the current directory,
# UB_TESTDIR or UB_BINDIR/../testdir; files go to UB_SCRATCH, UB_TMPDIR or /tmp.

# Others may write to the directory too: never into a file, a link or a pipe that they have put there, and
# nothing that they can read.
set -C
umask 077

is_taken() {
    for file in "$1.sorted" "$1.dumped" "$1.found" "$1.counted"; do
        if [ -e "$file" ] || [ -L "$file" ]; then return 0; fi
    done
    return 1
}

scratch=${UB_SCRATCH:-${UB_TMPDIR:-/tmp}}/tst-$$
while is_taken "$scratch"; do scratch=$scratch-; done
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
[ -s "$found" ] || fail 'grep | tee'
read -r lines words bytes < "$counted"
case "$lines $words $bytes" in *[!\ 0-9]* | ' '* | '0 '*) fail wc ;; esac

rm "$sorted" "$dumped" "$found" "$counted" || fail rm
