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

make=${MAKE:-make}
try 'make check' "$make" --no-print-directory check
"$make" --no-print-directory -s brief > "$place/brief"
while read -r name arguments; do
    # shellcheck disable=SC2086  # one word for each argument
    try "$name" "pgms/$name" $arguments
done < "$place/brief"
[ -s "$place/brief" ] || { echo 'NOT ok make brief: it names no program'; exit 1; }
try 'Run --dry-run' ./Run --dry-run -c 1 index
