#!/bin/sh
# Does on a host what the controller of a fleet asks for. It needs a shell and the usual commands, and Perl.
# All its files are below one directory, which belongs to it alone. Usage:
#   host.sh DIRECTORY OPERATION [ARGUMENT ...]
#
#   look RELEASE WORD...             forgets a run that has failed or had other words
#   install RELEASE                  installs the release whose archive (tar, gzip) follows this script
#   run RELEASE WAIT LIMIT WORD...   starts Run with these words, apart from this connection, or resumes a run that was
#                                    interrupted. Waits at most WAIT seconds for its end. Ends a run that takes longer
#                                    than LIMIT seconds
#   result                           prints the result, packed and encoded
#   forget                           removes the files of a run, unless it is under way
#   cleanup                          ends the run, and removes the directory
#
# RELEASE is a word that differs between releases. The answer is one line "unixbench: STATE REASON". STATE is
#   refused (the host can't measure), empty (the release is not installed), ready, running, ended, failed or removed.
# shellcheck disable=SC2012,SC2016,SC2317  # a mode comes before the name; $ is for Perl; the last lines call functions
umask 077
directory=$1 operation=$2
shift 2
run=$directory/run result=$directory/run/results/result

# Takes a state and perhaps a reason; ends with this answer.
answer() {
    printf 'unixbench: %s\n' "$*" | tr '\n' ' '
    echo
    exit 0
}

# Makes the directory. Refuses one that another user or program may have made: programs in it are started.
need_directory() {
    if mkdir "$directory" 2> /dev/null; then : > "$directory/unixbench-fleet"; fi
    owner=$(ls -ldn "$directory" 2> /dev/null | sed -n 's/^drwx------[^ ]* *[0-9]* *\([0-9]*\) .*/\1/p')
    if [ "$owner" != "$(id -u)" ] || [ ! -e "$directory/unixbench-fleet" ]; then
        answer refused "$directory is not a directory of this role alone: set unixbench_directory to another path"
    fi
}

# Prints the name of the architecture, as the archives have it.
architecture() {
    uname -m | sed 's/^amd64$/x86_64/; s/^arm64$/aarch64/; s/^i[3-6]86$/i386/; s/^armv[^56].*/armhf/; s/^armv.*/armv5/'
}

# Takes seconds; waits for the end of the run for that time. Succeeds if there is a run, and it has not ended. All of
# its processes have its lock. An empty line each minute keeps the connection.
is_running() {
    [ -e "$run/lock" ] && ! perl -MFcntl=:flock -e '
        open my $lock, ">>", $ARGV[0] or exit 1;
        exit 0 if flock $lock, LOCK_EX | LOCK_NB;
        my $left = $ARGV[1] || exit 1;
        $| = 1;
        $SIG{ALRM} = sub { ($left -= 60) > 0 ? print "\n" : exit 1; alarm($left < 60 ? $left : 60) };
        alarm($left < 60 ? $left : 60);
        1 until flock $lock, LOCK_EX' "$run/lock" "$1"
}

# Takes the command of a run; starts it apart from this connection, with the lock of the run.
start_apart() {
    UNIXBENCH_FLEET=$directory UB_RESULTDIR=$run/results UB_OUTPUT_FILE_NAME=result UB_OUTPUT_JSON=true \
        UB_TMPDIR=${UB_TMPDIR-$run/tmp} perl -MFcntl=:flock -MPOSIX=setsid -e '
        $^F = 99;
        open my $lock, ">>", "lock" or die "lock: $!\n";
        exit 0 if !flock $lock, LOCK_EX | LOCK_NB;
        $SIG{HUP} = "IGNORE";
        my $run = fork // die "fork: $!\n";
        exit 0 if $run;
        setsid();
        $SIG{HUP} = "DEFAULT";
        open STDIN, "<", "/dev/null" or die "/dev/null: $!\n";
        open STDOUT, ">", "out" or die "out: $!\n";
        open STDERR, ">", "err" or die "err: $!\n";
        exec {$ARGV[0]} @ARGV or die "$ARGV[0]: $!\n"' "$@"
}

# Ends all processes of the run. Each has the directory in its environment.
end_run() {
    perl -0777 -e '
        for my $signal (("TERM") x 20, ("KILL") x 20) {
            my @left;
            for my $path (glob "/proc/[0-9]*/environ") {
                open my $file, "<", $path or next;
                push @left, $path =~ /([0-9]+)/ if index(readline($file) // "", "UNIXBENCH_FLEET=$ARGV[0]\0") >= 0;
            }
            exit 0 if !@left;
            kill $signal => @left;
            select undef, undef, undef, 0.5;
        }
        exit 1' "$directory" || answer failed 'the processes of the run do not end'
}

# Answers whether the run has a result. If not, says why.
answer_end() {
    [ ! -e "$run/late" ] || answer failed "the run was ended after its time limit of $(cat "$run/late") s"
    [ ! -e "$result.json" ] || answer ended
    answer failed "$(tail -n 3 "$run/err" 2> /dev/null)"
}

look() {
    perl -e 'exit($] < 5.014)' 2> /dev/null || answer refused 'There is no Perl 5.14 or newer.'
    need_directory
    words=$(cat "$run/words" 2> /dev/null)
    if is_running 0; then
        [ "$*" = "$words" ] || answer refused "another run is under way: $words"
        answer running
    fi
    if [ "$*" != "$words" ] || [ -e "$run/late" ] || { [ ! -e "$result.json" ] && [ ! -e "$result.journal" ]; }; then
        rm -rf "$run"
    fi
    rm -f "$run/starts"
    [ -d "$directory/$1" ] || answer empty "$(architecture)"
    answer ready
}

install() {
    need_directory
    ! is_running 0 || answer refused 'another run is under way'
    rm -rf "$run" "$directory/unpacked" "$directory"/release-*
    said=$({ mkdir "$directory/unpacked" &&
        perl -ne 'print if $is_archive; $is_archive ||= /^# The archive follows[.]$/' "$0" |
        gzip -dc | (cd "$directory/unpacked" && tar -x -f -) &&
        mv "$directory"/unpacked/*/ "$directory/$1" && rmdir "$directory/unpacked"; } 2>&1) ||
        answer failed "can't install: $said"
    answer ready
}

run() {
    release=$1 wait=$2 limit=$3
    shift 3
    need_directory
    if ! is_running 0; then
        if [ -e "$run/late" ] || { [ -e "$run/err" ] && [ ! -e "$result.journal" ]; }; then answer_end; fi
        said=$({ mkdir -p "$run/tmp" && printf '%s\n' "$release $*" > "$run/words" &&
            date +%s >> "$run/starts"; } 2>&1) || answer failed "can't write: $said"
        [ "$(wc -l < "$run/starts")" -le 4 ] || answer failed "the run was interrupted 4 times"
        [ ! -e "$result.journal" ] || set -- -q --resume "$result"
        said=$(cd "$run" && start_apart "$directory/$release/Run" "$@" 2>&1) || answer failed "can't start: $said"
    fi
    ends=$(($(head -n 1 "$run/starts") + limit + 1))
    left=$((ends - $(date +%s)))
    [ "$left" -gt 0 ] || left=0
    if is_running "$((wait < left ? wait : left))"; then
        [ "$(date +%s)" -ge "$ends" ] || answer running
        echo "$limit" > "$run/late"
        end_run
    fi
    [ -e "$run/late" ] || [ ! -e "$result.journal" ] || answer running
    answer_end
}

result() { gzip -c "$result.json" | base64; }

forget() {
    need_directory
    ! is_running 0 || answer running
    rm -rf "$run"
    answer ready
}

cleanup() {
    [ -e "$directory" ] || answer removed
    need_directory
    end_run
    said=$(rm -rf "$directory" 2>&1) || answer failed "can't remove the directory: $said"
    answer removed
}

case $operation in look | install | run | result | forget | cleanup) "$operation" "$@" ;; esac
exit
# The archive follows.
