#!/bin/sh
# multi.sh N: runs tst.sh N times at once.  With MULTI_SH_WORK_FACTOR above 1, the text that they work on is
# so many copies of sort.src.  Where text and files are: see tst.sh.

# As in tst.sh.
set -C
umask 077

case $0 in */*) bin=${0%/*} ;; *) bin=. ;; esac
work=
started=

finish() {
    [ -z "$work" ] || rm -f "$work"
    exit "$1"
}

is_count() {
    case $1 in 0* | *[!0-9]* | '' | ??????????*) return 1 ;; esac
}

if [ $# -ne 1 ] || ! is_count "$1"; then
    echo 'ERROR|multi.sh: a number of copies is needed; usage: multi.sh N' >&2
    exit 2
fi
copies=$1
factor=${MULTI_SH_WORK_FACTOR:-1}
if ! is_count "$factor"; then
    echo "ERROR|multi.sh: MULTI_SH_WORK_FACTOR must be a whole number above 0, not \"$factor\"" >&2
    exit 2
fi

trap 'for copy in $started; do kill "$copy" 2> /dev/null; done; wait; finish 1' HUP INT TERM

if [ "$factor" -gt 1 ]; then
    for place in . "${UB_TESTDIR:-.}" "${UB_BINDIR:-$bin}/../testdir"; do
        text=$place/sort.src
        [ -r "$text" ] && break
    done
    set --
    while [ $# -lt "$factor" ]; do
        set -- "$@" "$text"
    done
    work=${UB_SCRATCH:-${UB_TMPDIR:-/tmp}}/multi-$$.text
    while [ -e "$work" ] || [ -L "$work" ]; do work=$work-; done
    cat "$@" > "$work" || { echo 'ERROR|multi.sh: cat failed' >&2; finish 1; }
fi

while [ "$copies" -gt 0 ]; do
    "$bin/tst.sh" ${work:+"$work"} &
    started="$started $!"
    copies=$((copies - 1))
done

status=0
for copy in $started; do
    wait "$copy" || status=1
done
finish $status
