# by-hand.sh: the parts of multi.sh and tst.sh that are only needed if these scripts are run by hand, or with
# MULTI_SH_WORK_FACTOR. The scripts read this file if that variable is set, if the scratch directory or the text is
# missing, or if the argument is not a number from 1 to 99. It is a separate file because the shell tests also measure
# how long a shell takes to read a script.
#
# multi.sh N runs tst.sh N times at once. tst.sh sorts a text, dumps it, sorts the dump, searches the text, and removes
# its files: seven processes besides the shell.
#
# The text is sort.src, from the current directory, UB_TESTDIR or UB_BINDIR/../testdir. With MULTI_SH_WORK_FACTOR,
# multi.sh repeats it that many times. Files go to the directory UB_SCRATCH, to which no other user may write, because
# the names of the files are known in advance. The program that makes this directory also removes it. Run and looper
# make one for all loops; this file makes one in UB_TMPDIR or /tmp.

# If tst.sh is called without a text, in a directory that contains it, uses that text.
case $0:$#:$UB_SCRATCH in
*tst.sh:0:?*)
    if [ -r sort.src ]; then
        set -- sort.src
        return
    fi
    ;;
esac

script=${0##*/}
bin=${0%"$script"}.
made=

finish() {
    [ -z "$made" ] || rm -rf "$made"
    exit "$1"
}

fail() {
    echo "ERROR|$script: $2" >&2
    finish "$1"
}

# Succeeds if the argument is a whole number from 1 to 999999999.
is_count() {
    case $1 in 0* | *[!0-9]* | '' | ??????????*) return 1 ;; esac
}

find_text() {
    for place in . "${UB_TESTDIR:-.}" "${UB_BINDIR:-$bin}/../testdir"; do
        text=$place/sort.src
        [ ! -r "$text" ] || return 0
    done
    fail 1 'sort.src was not found; set UB_TESTDIR to its directory'
}

make_scratch() {
    made=$(mktemp -d "${UB_SCRATCH:-${UB_TMPDIR:-/tmp}}/$script-XXXXXX" 2> /dev/null) ||
        fail 1 "can't create a directory in ${UB_SCRATCH:-${UB_TMPDIR:-/tmp}}; set UB_TMPDIR to a writable one"
}

# Runs the script again, in its own scratch directory. The shell handles signals only after the script has ended.
run_again() {
    trap 'finish 1' HUP INT TERM
    UB_SCRATCH=$made "$bin/$script" "$@"
    finish $?
}

if [ "$script" = tst.sh ]; then
    text=$1
    [ "$text" ] || find_text
    if [ "$UB_SCRATCH" ]; then
        set -- "$text"
        return
    fi
    make_scratch
    run_again "$text"
fi

factor=${MULTI_SH_WORK_FACTOR:-1}
if [ $# != 1 ] || ! is_count "$1"; then
    fail 2 'the number of copies must be a whole number from 1 to 999999999; usage: multi.sh N'
fi
is_count "$factor" || fail 2 "MULTI_SH_WORK_FACTOR must be a whole number from 1 to 999999999, not \"$factor\""
copies=$1
find_text
make_scratch
set --
while [ $# -lt "$factor" ]; do
    set -- "$@" "$text"
done
cat "$@" > "$made/sort.src" || fail 1 "can't write $made/sort.src"
case $bin in /*) ;; *) bin=$PWD/$bin ;; esac
case $made in /*) ;; *) made=$PWD/$made ;; esac
cd "$made" || fail 1 "can't change to $made"
export MULTI_SH_WORK_FACTOR=checked
run_again "$copies"
