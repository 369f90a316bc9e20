#!/bin/sh
# Does on a host what the controller of a fleet asks for. It needs a shell and the usual commands, and Perl for runs.
# All its files are below one directory, which belongs to it alone. Usage:
#   host.sh DIRECTORY OPERATION [ARGUMENT ...]
#
#   look                          what the host is, and which release is installed
#   install RELEASE PACKED SHA256 < archive
#                                 installs a release. RELEASE is its SHA-256, and SHA256 that of the archive as it comes
#                                 here. PACKED is xz or tar
#   doctor WORD..., plan WORD...  what Run doctor or Run --dry-run prints
#   start NAME AT LIMIT WORD... < runner.pl
#                                 starts Run apart from this connection when the clock shows AT (0: now). Run has LIMIT
#                                 seconds. An interrupted run of that name is resumed. One that is under way or has
#                                 ended is left alone
#   state NAME                    none, running, interrupted or ended, and how it ended
#   result NAME BYTES             the JSON of a run that has ended, if it is not larger than that
#   log NAME                      the end of what a run has printed, at most 60 KB
#   stop NAME                     ends a run
#   programs SECONDS PROGRAM...   runs single programs; needs no Perl
#   cleanup                       ends all runs, and removes the directory
#
# The answer has lines name=value. The first one is begin=OPERATION. The last one is end=OPERATION: an answer without it
# was torn. If an operation is not possible, there is a line problem=TEXT, and the exit status is 1.
umask 077
directory=$1 operation=$2
shift 2

# Seconds that a runner has to end its run.
PATIENCE=60

# Takes a name and a value; prints a line of the answer.
say() {
    printf '%s=%s\n' "$1" "$2"
}

# Takes a name; prints the lines of standard input as lines of that name.
say_lines() {
    sed "s/^/$1=/"
    echo
}

# Takes the problem; ends the answer. An archive is read to its end, because the sender waits for that.
refuse() {
    [ "$operation" != install ] || cat > /dev/null
    say problem "$(printf '%s' "$1" | tr '\n' ' ')"
    say end "$operation"
    exit 1
}

# Prints the SHA-256 of standard input.
sha256() {
    sha256sum | cut -c 1-64
}

# Takes a path; prints the contents of that file, or nothing if it does not exist.
content() {
    [ ! -f "$1" ] || cat "$1"
}

# Takes the path of a file; prints its size in bytes, without the blanks of some wc.
size() {
    wc -c < "$1" | tr -d ' '
}

# Prints the clock, in seconds since 1970.
clock() {
    perl -MTime::HiRes=time -e 'printf "%.3f", time' 2> /dev/null || date +%s
}

pause() {
    sleep 0.1 2> /dev/null || sleep 1
}

# Succeeds if the directory exists. Ends the answer if another user or program may have made it: programs in it are
# started, and it is removed in the end.
has_directory() {
    [ -e "$directory" ] || [ -L "$directory" ] || return 1
    # shellcheck disable=SC2012  # the mode and the owner come before the name
    owner=$(ls -ldn "$directory" | sed -n 's/^drwx------[^ ]* *[0-9]* *\([0-9]*\) .*/\1/p')
    [ "$owner" = "$(id -u)" ] ||
        refuse "$directory is not a directory of this user alone: set unixbench_directory to another path"
    [ -e "$directory/unixbench-fleet" ] || rmdir "$directory" 2> /dev/null ||
        refuse "$directory has files of another program: set unixbench_directory to another path"
    [ -d "$directory" ]
}

make_directory() {
    has_directory && return
    said=$({ mkdir "$directory" && : > "$directory/unixbench-fleet"; } 2>&1) ||
        refuse "can't make the directory: $said"
}

# Prints a line for each file of the installed release: its SHA-256 and its path.
files() {
    (cd "$directory/release" && find . \( -type f -o -type l \) -exec sha256sum {} + | LC_ALL=C sort -k 2)
}

# Takes the lines of files; prints the paths that differ from the installation.
changed() {
    {
        printf '%s\n' "$1" | grep -vxFf "$directory/files"
        grep -vxF -e "$1" "$directory/files"
    } | sed 's/^[^ ]*  //'
}

# Takes the directory of a run; prints the numbers of its processes. Each has the directory in its environment, which is
# visible for as long as the process lives. The number of a process alone may be that of another one after a reboot.
# Without Perl there are no runs.
processes() {
    # shellcheck disable=SC2016  # for Perl
    perl -e '
        for my $path (glob "/proc/[0-9]*/environ") {
            open my $file, "<", $path or next;
            local $/;
            print $path =~ /([0-9]+)/, " " if index(<$file> // "", "UNIXBENCH_FLEET=$ARGV[0]/") >= 0;
        }' "$1" 2> /dev/null
}

# Takes the directory of a run; succeeds if its runner is alive, and sets pid.
has_runner() {
    pid=$(content "$1/pid")
    [ -r "/proc/$pid/environ" ] && tr '\0' '\n' < "/proc/$pid/environ" 2> /dev/null | grep -qxF "UNIXBENCH_FLEET=$1/"
}

# Prints the names of the runs that are under way.
running() {
    for each in "$directory"/runs/*; do
        has_runner "$each" && printf '%s ' "${each##*/}"
    done
}

# Takes the directory of a run; prints its state. The runner is looked for first, because its last act is to write the
# status.
state_of() {
    if [ ! -d "$1" ]; then echo none
    elif has_runner "$1"; then echo running
    elif [ ! -e "$1/status" ] || grep -qx how=interrupted "$1/status"; then echo interrupted
    else echo ended; fi
}

# Takes a signal and directories of runs; sends it to all processes of these runs for five seconds, or until they have
# ended. Succeeds if they have.
end_processes() {
    signal=$1 until=$(($(date +%s) + 5))
    shift
    for each; do
        while left=$(processes "$each") && [ -n "$left" ]; do
            [ "$(date +%s)" -lt "$until" ] || return 1
            # shellcheck disable=SC2086  # one word for each process
            kill -s "$signal" $left 2> /dev/null
            pause
        done
    done
}

# Takes directories of runs; ends the runs. Their runners do it. Processes without a runner are ended here. Succeeds if
# none is left.
end_runs() {
    for each; do has_runner "$each" && kill -s TERM "$pid"; done
    until=$(($(date +%s) + PATIENCE))
    for each; do
        while has_runner "$each" && [ "$(date +%s)" -lt "$until" ]; do pause; done
    done
    end_processes TERM "$@" || end_processes KILL "$@"
}

# Ends the answer if no release is installed, or if its files were changed.
need_release() {
    has_directory || refuse 'no release is installed'
    [ -f "$directory/release.sha256" ] || refuse 'no release is installed'
    difference=$(changed "$(files)" | head -n 1)
    [ -z "$difference" ] || refuse "the installed release was changed: $difference"
}

# Takes the directory of a run, and words; runs the installed Run with them, with the environment of that run.
run() {
    run=$1
    shift
    UB_RESULTDIR=$run/results UB_TMPDIR=${UB_TMPDIR-$run/tmp} UB_OUTPUT_FILE_NAME=result UB_OUTPUT_JSON=true \
        UNIXBENCH_FLEET=$run/ "$@"
}

look() {
    say architecture "$(uname -m)"
    say system "$(uname -s)"
    # shellcheck disable=SC2016  # for Perl
    say perl "$(perl -e 'printf "%vd %d", $^V, $] >= 5.014' 2> /dev/null)"
    say unpacks "$(command -v xz > /dev/null && echo xz || echo tar)"
    say clock "$(clock)"
    has_directory || return 0
    say running "$(running)"
    [ -f "$directory/release.sha256" ] || return 0
    say release "$(content "$directory/release.sha256")"
    present=$(files)
    say files "$(printf '%s\n' "$present" | sha256)"
    changed "$present" | say_lines changed
}

# Prints the contents of the archive as it was before it was packed.
unpacked() {
    if [ "$packed" = xz ]; then xz -dc "$directory/incoming"; else cat "$directory/incoming"; fi
}

install() {
    release=$1 packed=$2 sum=$3
    make_directory
    [ -z "$(running)" ] || refuse "a run is under way: $(running)"
    trap 'rm -rf "$directory/incoming" "$directory/unpacked"' EXIT
    rm -rf "$directory/unpacked"
    said=$({ mkdir "$directory/unpacked" && cat > "$directory/incoming"; } 2>&1) || refuse "can't write: $said"
    [ "$(sha256 < "$directory/incoming")" = "$sum" ] || refuse 'the archive was torn on its way'
    said=$(unpacked 2>&1 | tar -x -f - -C "$directory/unpacked" 2>&1) || refuse "can't unpack the archive: $said"
    set -- "$directory"/unpacked/*
    if [ $# != 1 ] || [ ! -f "$1/Run" ]; then refuse 'the archive is not a release of UnixBench'; fi
    [ -x "$1/Run" ] || refuse "programs can't be started in $directory: set unixbench_directory to another path"
    rm -rf "$directory/release.sha256" "$directory/release"
    said=$({ mv "$1" "$directory/release" && files > "$directory/files" &&
        echo "$release" > "$directory/release.sha256"; } 2>&1) || refuse "can't install: $said"
    say files "$(sha256 < "$directory/files")"
}

# Takes an option and words; prints what Run says.
ask_run() {
    need_release
    said=$(run "$directory/runs/none" "$directory/release/Run" "$@" 2>&1 < /dev/null)
    say status $?
    printf '%s\n' "$said" | say_lines said
}

doctor() {
    ask_run doctor "$@"
}

plan() {
    ask_run --dry-run "$@"
}

start() {
    run=$directory/runs/$1 at=$2 limit=$3
    shift 3
    need_release
    state=$(state_of "$run")
    case $state in running | ended) say state "$state" && return ;; esac
    others=$(running)
    [ -z "$others" ] || refuse "another run is under way: $others"
    end_runs "$run" || refuse "processes of the interrupted run can't be ended: $(processes "$run")"
    rm -f "$run/status" "$run/pid"
    said=$(mkdir -p "$run" 2>&1) || refuse "can't write: $said"
    if [ -e "$run/results/result.journal" ]; then set -- -q --resume "$run/results/result"; fi
    said=$(run "$run" perl - "$run" "$at" "$limit" "$directory/release/Run" "$@" 2>&1) || refuse "can't start: $said"
    say state running
}

state() {
    has_directory
    run=$directory/runs/$1
    say state "$(state_of "$run")"
    say clock "$(clock)"
    content "$run/began"
    content "$run/status"
    json=$run/results/result.json
    if [ -f "$json" ]; then say has_result yes && say bytes "$(size "$json")"; else say has_result no; fi
    content "$run/err" | tail -n 5 | tail -c 5000 | say_lines said
}

result() {
    has_directory
    json=$directory/runs/$1/results/result.json
    [ "$(state_of "$directory/runs/$1")" = ended ] || refuse "the run $1 has not ended"
    [ -f "$json" ] || refuse "the run $1 has no result"
    [ "$(size "$json")" -le "$2" ] || refuse "the result of the run $1 has more than $2 bytes"
    say sha256 "$(sha256 < "$json")"
    say bytes "$(size "$json")"
    head -c "$2" "$json" | say_lines json
}

log() {
    has_directory
    for each in out err; do tail -c 30000 "$directory/runs/$1/$each" 2> /dev/null; done | say_lines said
}

stop() {
    has_directory
    run=$directory/runs/$1
    end_runs "$run" || refuse "processes can't be ended: $(processes "$run")"
    if [ "$(state_of "$run")" = interrupted ]; then echo how=stopped > "$run/status"; fi
    say state "$(state_of "$run")"
}

# Takes seconds and the name of a program; runs it, and prints the lines that it reports. Ends it if it lasts ten
# seconds longer.
run_program() {
    UB_BINDIR=$directory/release/pgms TMPDIR=$scratch UNIXBENCH_FLEET=$directory/ \
        "$directory/release/pgms/$2" "$1" < /dev/null 2>&1 > /dev/null &
    pid=$! until=$(($(date +%s) + $1 + 10))
    while kill -s 0 "$pid" 2> /dev/null && [ "$(date +%s)" -lt "$until" ]; do pause; done
    kill -s KILL "$pid" 2> /dev/null
    wait "$pid" || echo "ERROR|ended with status $?"
}

programs() {
    seconds=$1
    shift
    need_release
    scratch=$directory/scratch
    said=$(mkdir -p "$scratch" 2>&1) || refuse "can't write: $said"
    for program; do
        (cd "$scratch" && run_program "$seconds" "$program") | say_lines "$program"
    done
    rm -rf "$scratch"
}

cleanup() {
    has_directory || { say removed no && return; }
    end_runs "$directory"/runs/* "$directory" ||
        refuse "processes can't be ended: $(processes "$directory")"
    said=$(rm -rf "$directory" 2>&1) || refuse "can't remove the directory: $said"
    say removed yes
}

say begin "$operation"
case $operation in
look | install | doctor | plan | start | state | result | log | stop | programs | cleanup) "$operation" "$@" ;;
*) refuse 'there is no such operation' ;;
esac
say end "$operation"
