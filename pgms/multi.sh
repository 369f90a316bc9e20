#!/bin/sh
# multi.sh N: runs tst.sh N times at once.  See by-hand.sh.
case $0 in */*) bin=${0%/*} ;; *) bin=. ;; esac
# shellcheck source=pgms/by-hand.sh
case $#$1:$UB_SCRATCH:$MULTI_SH_WORK_FACTOR in
1[1-9]:?*: | 1[1-9][0-9]:?*: | 1*:?*:checked) ;;
*) . "$bin/by-hand.sh" ;;
esac
for text in . "${UB_TESTDIR:-.}" "${UB_BINDIR:-$bin}/../testdir"; do
    [ -r "$text/sort.src" ] && break
done
copies=$1
started=
failed=
while [ "$copies" -gt 0 ]; do
    "$bin/tst.sh" "$text/sort.src" &
    started="$started $!"
    copies=$((copies - 1))
done
for copy in $started; do
    wait "$copy" || failed=$?
done
[ -z "$failed" ] || { echo "ERROR|multi.sh: tst.sh ended with status $failed" >&2; exit 1; }
