#!/bin/sh
# tst.sh [TEXT]: see by-hand.sh.
# shellcheck source=pgms/by-hand.sh
case $1:$UB_SCRATCH in ?*:?*) ;; *) . "${0%"${0##*/}"}./by-hand.sh" ;; esac
sort "$1" > "$UB_SCRATCH/sorted.$$" &&
od "$UB_SCRATCH/sorted.$$" | sort -n -k 1 > "$UB_SCRATCH/dump.$$" &&
grep the "$UB_SCRATCH/sorted.$$" | tee "$UB_SCRATCH/the.$$" | wc > "$UB_SCRATCH/wc.$$" &&
[ -s "$UB_SCRATCH/the.$$" ] &&
rm "$UB_SCRATCH/sorted.$$" "$UB_SCRATCH/dump.$$" "$UB_SCRATCH/the.$$" "$UB_SCRATCH/wc.$$"
