#!/bin/sh
# Checks the built programs in a few seconds, for builds of packages: each program checks its own work in a few loops,
# and Run plans the index. Usage, in the root of the tree: packaging/check-build.sh
set -e

# Takes a name and a command; prints what the command printed if it fails.
try() {
    name=$1
    shift
    if "$@" > "$place/out" 2>&1 < /dev/null; then echo "ok     $name"; return; fi
    echo "NOT ok $name: $*"
    cat "$place/out"
    exit 1
}

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
trap 'exit 1' HUP INT TERM
UB_RESULTDIR=$place/results UB_TMPDIR=$place/tmp UB_SCRATCH=$place
export UB_RESULTDIR UB_TMPDIR UB_SCRATCH

try 'make check' "${MAKE:-make}" --no-print-directory check
for program in pgms/*; do
    name=${program#pgms/}
    [ -x "$program" ] || continue
    case $name in
        *.* | gfx-x11 | ubgears) ;;    # scripts, and a program that needs a display
        looper) try "$name" "$program" -n 3 true ;;
        whetstone-double) try "$name" "$program" -n 1 ;;
        interbench) try "$name" "$program" -c -l 1000 -W Probe -w None -t 0.1 --warmup 0 ;;
        multiuser) try "$name" "$program" --script testdir/multiuser.script --scale 0.001 --users 1 ;;
        *) try "$name" "$program" -n 10 ;;
    esac
done
try 'Run --dry-run' ./Run --dry-run -c 1 index
