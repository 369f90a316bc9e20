#!/bin/sh
# Usage: sh measure.sh [--quick | -i N] [-c N]... [TEST...] > LOG
#
# Measures on a machine that has a shell but no Perl. It makes the same passes as Run; "./Run report LOG" makes the
# reports, on any other machine. Beside the directory of this file there has to be testdir. measure.table, in the same
# directory, describes the tests. It is made from the catalog of Run, see features/target.
#
#   --quick  make ten rounds of short passes in random order
#   -c N     run N copies of each test in parallel; several numbers: 1,4; all: one for each CPU (default: 1, then all)
#   -i N     passes of each long test (default 10); short tests get a third
#   -h       print this help, as --help does; --version prints the version
#   TEST     the name of a test, or of a group such as index, the default
#
# Standard error shows which pass is made, if the log is not on a terminal.
#
# Files are written in UB_TMPDIR or /tmp. Without a directory for them, the tests that need one are skipped. A directory
# that another user could replace is refused. What a measurement has left that was killed is removed. The exit status is
# that of Run: 1 if a test failed or was skipped, or if the log can't be written, and 2 for wrong arguments.
#
# The log is text for consoles that mix it with other lines. Each of its lines is
# "UB|MARK|NUMBER|LENGTH|KIND|...|CHECK|.": MARK is that of this measurement, NUMBER counts the lines, LENGTH is the
# number of characters of KIND|..., and CHECK is the CRC of MARK|NUMBER|LENGTH|KIND|..., by cksum. Where there is no
# cksum, the text itself stands there again. This is format 3. The kinds are
#   plan|KEY|VALUE             what is measured
#   fact|SOURCE|LINE           a line of a file or of a program about the machine
#   skip|TEST|REASON           a test that is not measured
#   pass|COPIES|TEST|PASS|TIME|WORDS
#                              a pass begins; TIME is in seconds since 1970, WORDS its command
#   look|UPTIME|CPUS|TICKS|RUNNING|OWN|WAITED
#                              what /proc shows right before a pass and right after it, if it does: the seconds of the
#                              system, the CPUs that are online, their ticks (user, nice, system, idle, iowait, irq,
#                              softirq, steal), the processes that want to run, and of this script and the processes
#                              that it has waited for: minor and major faults of the latter, ticks of the script (user,
#                              system) and of the latter (the same), and the nanoseconds for which the script waited
#                              for a CPU
#   heat|FILE VALUE|...        what the sensors show right before a pass and right after it
#   clock|HZ|...               the clock of the CPUs right after a pass, as src/clock.c measures it
#   copy|COPY|PID|STATUS       the exit status of a copy
#   said|COPY|LINE             a line of its standard error
#   late|LIMIT                 copies were ended after this many seconds
#   done|TIME                  the pass has ended
#   made|COPIES|TEST|PASSES|FAILED
#                              a test has ended after so many passes; FAILED is 1 if the last one failed, else 0
#   stop|SIGNAL                the measurement was interrupted
#   end|NUMBER                 the last line

# zsh is like other shells only if it is asked. Options, aliases and functions that the caller has set are not used.
[ -z "${ZSH_VERSION-}" ] || emulate sh
\unalias -a 2> /dev/null || :
\set +aCeuvx
IFS=' '
# shellcheck disable=SC2046,SC3044  # bash alone has functions in its environment
[ -z "${BASH_VERSION-}" ] || \unset -f $(compgen -A function) _ || :
LC_ALL=C
export LC_ALL
unset CDPATH
set -f
umask 077
nl='
'
tab=$(printf '\t')

complain() {
    clear_progress
    echo "measure.sh: $1" >&2
}

# Ends the script with a message, and the exit status $2 or 2.
refuse() {
    complain "$1"
    exit "${2:-2}"
}

# Progress

# Chooses how standard error shows it: on a terminal, one line is drawn again before each pass. Elsewhere there is a
# line for each test, with the numbers of its passes, or for each round. A log on a terminal shows it itself.
choose_progress() {
    progress='' shown='' planned=0 made=0
    [ ! -t 1 ] || return
    progress=lines
    case ${TERM-} in '' | dumb) ;; *) [ ! -t 2 ] || progress=drawn ;; esac
}

# Ends the line that is shown.
clear_progress() {
    case ${progress-}$shown in
        drawn?*) printf '\r\033[J' >&2 ;;
        lines?*) echo >&2 ;;
    esac
    shown=
}

# Shows that pass number $1 of the test begins.
show_pass() {
    time_left=$(((planned - made) / 10))
    if [ "$time_left" -lt 120 ]; then time_left="$time_left s left"; else time_left="$((time_left / 60)) min left"; fi
    line="$copies x $test " more=" $1"
    if [ "$is_quick" ]; then
        line="$copies copies, round $1 of $passes, $time_left" more=''
        [ "$copies" != 1 ] || line="1 copy,${line#*,}"
    fi
    case $progress in
        drawn) printf '\r\033[J%s  %s x %s  pass %s of %s\r' "$time_left" "$copies" "$test" "$1" "$passes" >&2 ;;
        lines)
            if [ "${line%,*}" != "${shown%,*}" ]; then
                clear_progress
                printf '%s' "$line" >&2
            fi
            printf '%s' "$more" >&2 ;;
    esac
    shown=${progress:+$line}
}

# Sets cost to the tenths of a second that a pass of the test takes; 30 are those of the pauses before an official one.
find_cost() {
    find_pass "$kind_of_passes" "$test"
    cost=$((number / 100 + 1))
    [ "$is_quick" ] || cost=$((cost + 30))
}

has() { command -v "$1" > /dev/null 2>&1; }

# The log

# Prints a line of the log. Characters that are not printable become "?".
lines=0 ended_passes=0 next='measure again'
log() {
    hold_signals
    text=$1
    replace "$tab" ' '
    replace '[! -~]' '?'
    text="$id|$((lines + 1))|${#text}|$text"
    check=$text
    if [ "$has_cksum" ]; then
        check=$(printf %s "$text" | cksum)
        check=${check%% *}
    fi
    printf 'UB|%s|%s|.\n' "$text" "$check" 2> /dev/null || is_log_lost=1
    lines=$((lines + 1))
    release_signals
}

# Replaces the characters of text that match the pattern $1 by $2.
replace() {
    replaced=
    # shellcheck disable=SC2295  # a pattern
    while rest=${text#*$1} && [ "$rest" != "$text" ]; do
        replaced=$replaced${text%%$1*}$2
        text=$rest
    done
    text=$replaced$text
}

# An interruption waits while signals are held, which can be nested: it would tear what is logged.
held=0 signal='' is_log_lost=''
hold_signals() { held=$((held + 1)); }

release_signals() {
    held=$((held - 1))
    [ "$held" -gt 0 ] || [ -z "$signal$is_log_lost" ] || stop
}

interrupt() {
    signal=$1
    [ "$held" -gt 0 ] || stop
}

# Ends the measurement: by the signal, or because the log can't be written.
stop() {
    trap '' INT TERM HUP
    held=1
    IFS=' '
    clean_up
    clear_progress
    if [ "$is_log_lost" ]; then refuse "the log can't be written" 1; fi
    log "stop|$signal"
    log "end|$((lines + 1))"
    echo "interrupted after $ended_passes passes: $next" >&2
    trap - "$signal"
    kill -s "$signal" "$$"
    exit 1
}

# The table

# Sets table to the text of the file measure.table.
read_table() {
    table=
    while IFS= read -r line; do table=$table$line$nl; done < "$bindir/measure.table"
}

# Finds the line of the table that begins with "$1|"; sets value to the rest of it.
find_value() {
    IFS=$nl
    for line in $table; do
        case $line in
            "$1|"*)
                value=${line#"$1|"}
                IFS=' '
                return ;;
        esac
    done
    IFS=' '
    return 1
}

# Finds the test $1; sets passes, plus, per, input, has_files, writes and programs.
find_test() {
    find_value "test|$1" || return
    IFS='|'
    # shellcheck disable=SC2086  # fields
    set -- $value
    IFS=' '
    passes=$1 plus=$2 per=$3 input=$4 has_files=$5 writes=$6 programs=${7-}
}

# Finds the kind of pass $1 of the test $2; sets limit, number and words.
find_pass() {
    find_value "pass|$1|$2" || return
    IFS='|'
    # shellcheck disable=SC2086  # fields
    set -- $value
    IFS=' '
    limit=$1 number=$2 words=$3
}

# The machine

# Prints the number that date tells for the format $1, or 0 if it tells none. +%s asks for the seconds since 1970.
number_of_date() {
    number=$(date "$1" 2> /dev/null)
    case $number in '' | *[!0-9]*) number=0 ;; esac
    echo "$number"
}

# Waits for seconds that may have a fraction. Where sleep knows no fractions, waits for whole ones.
pause() {
    case $has_fractions$1 in
        0) return ;;
        *.*) [ "$has_fractions" ] || set -- $((${1%.*} + 1)) ;;
    esac
    UB_MEASURE=$mark sleep "$1" &
    wait "$!"
}

# Sets cpus to the number of CPUs that this process may use.
count_cpus() {
    cpus=$(unset OMP_NUM_THREADS OMP_THREAD_LIMIT
        nproc 2> /dev/null || getconf _NPROCESSORS_ONLN 2> /dev/null || sysctl -n hw.ncpu 2> /dev/null)
    case $cpus in
        '' | *[!0-9]*) cpus=0 ;;
        *) return ;;
    esac
    [ ! -r /proc/cpuinfo ] || while IFS= read -r text; do
        case $text in processor*) cpus=$((cpus + 1)) ;; esac
    done < /proc/cpuinfo
    [ "$cpus" -gt 0 ] || cpus=1
}

# Sets online to the number of CPUs that are online, or to nothing where it is unknown.
count_online() {
    online=
    [ -r /proc/stat ] || return
    while read -r name rest; do
        case $name in
            cpu) online=0 ;;
            cpu[0-9]*) online=$((online + 1)) ;;
            *) break ;;
        esac
    done < /proc/stat
    [ "$online" != 0 ] || online=
}

# Sets seen to what /proc shows now, for a line of the log, or to nothing where it does not.
look() {
    seen=
    [ "$online" ] || return
    ticks='' uptime='' running='' own='' waited=''
    {
        read -r name ticks < /proc/stat
        read -r uptime rest < /proc/uptime
        read_running
        [ "${running:-1}" = 1 ] || read_running
        read -r own < "/proc/$$/stat"
        read -r rest waited rest < "/proc/$$/schedstat"
    } 2> /dev/null
    own=${own##*") "}
    # shellcheck disable=SC2086  # fields
    set -- $ticks
    [ "$#" -ge 8 ] || return
    ticks="$1 $2 $3 $4 $5 $6 $7 $8"
    # shellcheck disable=SC2086  # fields
    set -- $own
    [ "$#" -ge 15 ] && [ "$uptime" ] || return
    seen="look|$uptime|$online|$ticks|$running|$9 ${11} ${12} ${13} ${14} ${15}|$waited"
}

# Sets running to the lesser of it and the number of processes that want to run, of which this is one.
read_running() {
    read -r rest rest rest now rest < /proc/loadavg
    now=${now%%/*}
    [ "${running:-$now}" -lt "$now" ] || running=$now
}

# Logs the lines of standard input that match one of the patterns $2..., as facts from the source $1. A line of 4000
# characters is too long.
log_facts() {
    source=$1
    shift
    while IFS= read -r line || [ "$line" ]; do
        for pattern; do
            # shellcheck disable=SC2254  # a pattern
            case $line in
                $pattern)
                    [ "${#line}" -ge 4000 ] || log "fact|$source|$line"
                    break ;;
            esac
        done
    done
}

# Logs the lines of the file $1 that match one of the patterns $2...
log_file() {
    [ ! -r "$1" ] || log_facts "$@" < "$1"
}

# Logs what the system tells about itself.
log_machine() {
    for flag in s n r v m o; do
        has uname && uname "-$flag" > /dev/null 2>&1 && log "fact|uname|$flag $(uname "-$flag")"
    done
    log_file /proc/cpuinfo 'processor*' 'model name*' 'cpu family*' 'model *' 'CPU implementer*' 'CPU part*' 'cpu *' \
        'uarch*' 'isa*' 'machine*' 'bogomips*' 'BogoMIPS*' 'flags*' 'features*' 'Features*' 'vendor_id*' 'microcode*' \
        'physical id*' 'core id*' 'Processor*' 'Model Name*' 'cpu model*' 'cpu type*' 'hypervisor*'
    log_file /proc/meminfo 'MemTotal:*' 'SwapTotal:*' 'HugePages_Total:*' 'Hugepagesize:*'
    log_file /proc/self/status 'Cpus_allowed_list:*' 'Seccomp*'
    log_file /proc/self/stat '*'
    log_file /proc/self/cgroup '*'
    log_file /proc/self/mountinfo '* - cgroup*'
    ! [ -r /proc/self/mountinfo ] || log_groups < /proc/self/mountinfo
    cpu=/sys/devices/system/cpu
    for file in /proc/cmdline /proc/uptime /proc/loadavg /sys/hypervisor/type /proc/device-tree/model \
        "$cpu/online" "$cpu/smt/control" "$cpu/intel_pstate/no_turbo" "$cpu/cpufreq/boost" \
        "$cpu/cpufreq/policy0/scaling_governor" "$cpu/cpufreq/policy0/scaling_driver" \
        "$cpu/cpufreq/policy0/cpuinfo_min_freq" "$cpu/cpufreq/policy0/cpuinfo_max_freq" \
        /sys/kernel/mm/transparent_hugepage/enabled /sys/class/dmi/id/sys_vendor /sys/class/dmi/id/product_name \
        /sys/devices/system/clocksource/clocksource0/current_clocksource
    do
        log_file "$file" '*'
    done
    set +f
    for file in "$cpu"/vulnerabilities/*; do log_file "$file" '*'; done
    set -f
    find_sensors
    log_file "$bindir/build.info" '*'
    for name in sh sort grep; do log_tool "$name"; done
    for name in LD_PRELOAD LD_LIBRARY_PATH GLIBC_TUNABLES; do
        eval "value=\${$name-}"
        [ "${#value}" -lt 4000 ] || value="a text of ${#value} characters"
        [ -z "$value" ] || log "fact|environment|$name=$value"
    done
}

# Sets sensors to the files that show degrees, frequencies and whether CPUs are slowed down. Logs what describes them.
find_sensors() {
    sensors=
    thermal=/sys/class/thermal
    set +f
    for file in "$thermal"/thermal_zone*/type "$thermal"/thermal_zone*/trip_point_*_type \
        "$thermal"/thermal_zone*/trip_point_*_temp "$thermal"/cooling_device*/type /sys/class/hwmon/hwmon*/name \
        "$cpu"/cpufreq/policy*/cpuinfo_max_freq
    do
        log_file "$file" '*'
    done
    for file in "$firmware" "$thermal"/thermal_zone*/temp "$thermal"/cooling_device*/cur_state \
        /sys/class/hwmon/hwmon*/temp1_input "$cpu"/cpufreq/policy*/scaling_cur_freq
    do
        [ "${#sensors}" -gt 2000 ] || [ ! -r "$file" ] || sensors="$sensors $file"
    done
    set -f
}

# Sets heat to what the sensors show now, for a line of the log. The Raspberry Pi has a program in place of a file.
read_sensors() {
    heat=
    for file in $sensors; do
        value=
        { read -r value < "$file"; } 2> /dev/null
        heat="$heat|$file $value"
    done
    [ -r "$firmware" ] || ! has vcgencmd || heat="$heat|$firmware $(vcgencmd get_throttled 2> /dev/null)"
}

# Sets clock to the clock of the CPUs, at most one for each copy, for a line of the log.
read_clock() {
    clock=
    [ -x "$bindir/clock" ] || return
    processes=$copies
    [ "$copies" -le "$cpus" ] || processes=$cpus
    text=$(UB_MEASURE=$mark "$bindir/clock" "$processes" 2>&1)
    IFS=$nl
    for item in $text; do
        case $item in CLOCK"|"[1-9]*) clock="$clock|${item#CLOCK"|"}" ;; esac
    done
    IFS=' '
}

# Logs the limits of the control groups of this process, from its own upwards, as far as the mounts of standard input
# show them.
log_groups() {
    groups=$nl
    [ ! -r /proc/self/cgroup ] || while IFS= read -r line; do groups=$groups${line#*:*:}$nl; done < /proc/self/cgroup
    logged=' '
    while read -r rest rest rest root point rest; do
        case $rest in *' - cgroup'*) ;; *) continue ;; esac
        IFS=$nl
        for group in $groups; do
            IFS=' '
            group=$point${group#"${root%/}"}
            while log_group "${group%/}" && [ "$group" != "$point" ]; do group=${group%/*}; done
        done
        IFS=' '
    done
}

# Logs the limits of the control group whose directory is $1, once.
log_group() {
    case $logged in *" $1 "*) return 1 ;; esac
    logged="$logged$1 "
    for file in cpu.max cpu.cfs_quota_us cpu.cfs_period_us cpuset.cpus.effective cpuset.effective_cpus \
        memory.max memory.high memory.limit_in_bytes pids.max
    do
        log_file "$1/$file" '*'
    done
}

# Logs the line in which a tool of the system names its version. BusyBox does that when it complains.
log_tool() {
    content=$("$1" --version 2>&1 < /dev/null)
    found=
    IFS=$nl
    for line in $content; do
        case $line in
            *BusyBox*) found=$line ;;
            *) found=${found:-$line} ;;
        esac
    done
    IFS=' '
    case $found in *[0-9].[0-9]*) log "fact|tool $1|$found" ;; esac
}

# Logs the SHA-256 of the files that are measured, where a program computes it.
log_digests() {
    has sha256sum || return
    for file in $measured; do
        log "fact|sha256|$(sha256sum "$bindir/$file")"
    done
}

# Processes

# Sets old to the PIDs of all processes, each between blanks, as far as /proc shows them.
note_processes() {
    old=' '
    set +f
    for file in /proc/[0-9]*; do old="$old${file#/proc/} "; done
    set -f
}

# Sets tree to "PID:PARENT " of each process that is not in old. The parent of one that has the mark of this measurement
# in its environment is "mark": its real parent may have ended.
list_processes() {
    if [ ! -r /proc/self/stat ]; then
        tree=$(ps -A -o pid= -o ppid= 2> /dev/null | while read -r pid parent; do printf '%s ' "$pid:$parent"; done)
        return
    fi
    tree='0:0 '
    set +f
    for file in /proc/[0-9]*; do
        pid=${file#/proc/}
        case $old in *" $pid "*) continue ;; esac
        { read -r stat < "$file/stat"; } 2> /dev/null || continue
        parent=${stat##*") "? } environment=
        { IFS= read -r environment < "$file/environ"; } 2> /dev/null
        case $environment in *"UB_MEASURE=$mark"*) parent=mark ;; esac
        tree="$tree$pid:${parent%% *} "
    done
    set -f
}

# Ends the processes $2... and everything that they have started, and all with the mark. $1 is the parent of $2...: a
# process with another one is not the same any more. Processes are stopped until no new one appears, and then killed.
end_family() {
    parent_of_all=$1
    shift
    family=' '
    list_processes
    if [ -z "$tree" ]; then
        ask_to_end "$@"
        return
    fi
    while :; do
        before=$family
        for pair in $tree; do
            pid=${pair%:*} parent=${pair#*:}
            case $family in *" $pid "*) continue ;; esac
            case "$parent$family" in
                mark* | *" $parent "*) family="$family$pid " ;;
                *) case "$parent_of_all  $* " in "$parent "*" $pid "*) family="$family$pid " ;; esac ;;
            esac
        done
        [ "$family" != "$before" ] || break
        # shellcheck disable=SC2086  # a list
        kill -STOP $family 2> /dev/null
        list_processes
    done
    # shellcheck disable=SC2086  # a list
    [ "$family" = ' ' ] || kill -KILL $family 2> /dev/null
}

# Ends the processes $1... where nothing shows what they have started: the watchdog and looper end that themselves.
ask_to_end() {
    kill -TERM "$@" 2> /dev/null || return
    [ "$*" != "$watchdog" ] || return
    sleep 1
    kill -KILL "$@" 2> /dev/null
}

# Ends the copies $3... of the parent $2 after $1 seconds. SIGTERM ends this function. In mksh, SIGINT from a terminal
# would, too. The gate opens when SIGTERM would end the sleep as well.
watch() {
    trap '' INT
    [ -z "$has_gate" ] || exec 4>&- 5<&- 6<&-
    UB_MEASURE=$mark sleep "$1" 7>&- &
    trap 'kill -KILL "$!"; exit' TERM
    [ -z "$has_gate" ] || exec 7>&-
    wait "$!"
    trap '' TERM
    shift
    echo '0|late'
    end_family "$@"
}

# Ends everything that is still running, and removes the files.
clean_up() {
    list_processes
    children=
    for pair in $tree; do
        [ "${pair#*:}" != "$self" ] || children="$children ${pair%:*}"
    done
    # shellcheck disable=SC2086  # lists
    end_family "$self" ${children:-$pids $watchdog}
    [ -z "$dir" ] || rm -rf "$dir"
}

# Passes

# Becomes the command of a copy, with the directories in its words.
run_command() {
    set --
    for word in $words; do
        case $word in
            '{bindir}'*) word=$bindir${word#'{bindir}'} ;;
            '{tmpdir}'*) word=$dir${word#'{tmpdir}'} ;;
            '{scratch}'*) word=$scratch${word#'{scratch}'} ;;
        esac
        [ "$word" != "$bindir/execl" ] || word=$execl
        set -- "$@" "$word"
    done
    UB_TIME=1 UB_TMPDIR=$dir UB_SCRATCH=$scratch TMPDIR=$scratch UB_BINDIR=$bindir UB_TESTDIR=$testdir UB_MEASURE=$mark
    { LANG=en_US.utf8 && unset LC_ALL LANGUAGE; } 2> /dev/null    # mksh complains about a locale that is missing
    export UB_TIME UB_TMPDIR UB_SCRATCH TMPDIR UB_BINDIR UB_TESTDIR UB_MEASURE LANG
    unset UB_GATE UB_GATE_PIPES UB_USED
    cd "$testdir" || exit 126
    [ "$has_gate" ] || exec "$@"
    UB_GATE=3,8
    export UB_GATE
    exec "$@" 3>&7 8<&6 4>&- 5<&- 6<&- 7>&-
}

# Makes the pipes of the start gate. A copy that is ready writes to 7, closes it, and reads from 6. When the watchdog
# has closed it, too, 5 ends, and closing 4 starts all copies. On Linux, a pipe that is opened for both never waits.
make_gate() {
    rm -f "$dir/ready" "$dir/go"
    mkfifo "$dir/ready" "$dir/go"
    # shellcheck disable=SC2094  # pipes
    exec 8<> "$dir/ready" 9<> "$dir/go" 7> "$dir/ready" 5< "$dir/ready" 4> "$dir/go" 6< "$dir/go" 8>&- 9>&-
}

# Starts copy $1, whose PID is then in $!. With a directory, its output goes to files there; not to /dev/null, with
# which grep does less. Without one, what it writes to standard error is printed as print_copy() does.
start_copy() {
    if [ "$dir" ]; then
        scratch=$dir/scratch.$1
        { mkdir "$scratch" && echo > "$dir/err.$1"; } 2> /dev/null    # room for a few lines, even if the disk gets full
        run_command < "$file" > "$dir/out.$1" 2>> "$dir/err.$1" &
        return
    fi
    (
        {
            (
                exec 2>&1 > /dev/null < "$file"
                run_command
            )
            echo "$nl$mark=$?"
        } 2> /dev/null | print_lines "$1"
    ) &
}

# Prints the lines of standard input, which copy $1 has written, as "COPY|-LINE": at most 100, because a program may
# write without end. In place of a line that begins with the mark and has the exit status, prints "COPY|0|=STATUS".
print_lines() {
    printed=0
    while IFS= read -r text || [ "$text" ]; do
        case $text in
            '') continue ;;
            "$mark="*)
                echo "$1|0|=${text#"$mark="}"
                return ;;
        esac
        printed=$((printed + 1))
        [ "${#text}" -lt 4000 ] || text="ERROR|a line of ${#text} characters"
        [ "$printed" -lt 101 ] || text='ERROR|more than 100 lines'
        [ "$printed" -gt 101 ] || printf '%s|-%s\n' "$1" "$text"
        [ "$printed" -lt 101 ] || [ -z "$dir" ] || return
    done
}

# Starts all copies together, and waits for their end or for the limit. Sets endings to "COPY|PID|=STATUS" of each.
run_copies() {
    note_processes
    file=/dev/null
    [ -z "$input" ] || file=$testdir/$input
    [ -z "$has_gate" ] || make_gate
    started=0
    while [ "$started" -lt "$copies" ]; do
        started=$((started + 1))
        start_copy "$started"
        pids="$pids $!"
    done
    # shellcheck disable=SC2086  # a list
    if [ "$dir" ]; then
        : > "$dir/late"     # the watchdog may be ended before it has opened the file
        watch "$limit" "$self" $pids > "$dir/late" 2> /dev/null &
    else
        watch "$limit" "$self" $pids 2> /dev/null &
    fi
    watchdog=$!
    if [ "$has_gate" ]; then
        exec 6<&- 7>&-
        while read -r text; do :; done <&5
        exec 4>&- 5<&-
    fi
    await_copies
    end_family "$self" "$watchdog"
    wait "$watchdog" 2> /dev/null
    pids='' watchdog=''
}

await_copies() {
    endings='' ended=0
    for pid in $pids; do
        wait "$pid" 2> /dev/null
        status_of_copy=$?
        [ "$status_of_copy" -lt 256 ] || status_of_copy=$((128 + status_of_copy % 128))
        ended=$((ended + 1))
        endings="$endings $ended|$pid|=$status_of_copy"
    done
}

# Prints what all copies have written, their endings, and "0|late" if they ran out of time.
print_copies() {
    for ending in $endings; do
        print_lines "${ending%%"|"*}" < "$dir/err.${ending%%"|"*}"
        echo "$ending"
    done
    while read -r text; do echo "$text"; done < "$dir/late"
}

# Makes a pass of a test with the words and the limit that find_pass() has set. Sets said to what print_copies() prints.
# Without a directory the copies belong to a part of the script, and an interruption waits for its end.
make_pass() {
    began=$(number_of_date +%s)
    look
    seen_before=$seen
    if [ "$dir" ]; then
        run_copies
        look
        said=$(print_copies)
        look_for_space
        set +f
        rm -rf "$dir"/scratch.* "$dir"/out.* "$dir"/err.* "$dir"/probe
        set -f
    else
        said=$(
            self=$(exec sh -c 'echo "$PPID"')
            trap 'clean_up; exit 1' INT TERM HUP
            run_copies
        )
        look
    fi
    judge_pass
}

# Adds to what failed copies have said that there is no space left, if that is so.
look_for_space() {
    case $endings in *=[1-9]*) ;; *) return ;; esac
    ! { printf '%04000d' 0 > "$dir/probe"; } 2> /dev/null || return
    for ending in $endings; do
        case $ending in *=0) ;; *) said="$said$nl${ending%%"|"*}|-ERROR|no space left in ${dir%/*}" ;; esac
    done
}

# Reads said. Sets total to the sum of what the copies have counted, without fractions; took to the mean of their times
# in milliseconds; has_failed unless each copy has a count and no error, and its reason; and is_hopeless if copies could
# not be started, were ended by a signal or did not end.
judge_pass() {
    total=0 took=0 counted=0 has_failed='' is_hopeless='' reason='' ending=''
    IFS=$nl
    for item in $said; do
        item=${item#*"|"}
        case $item in
            -COUNT"|"*) add_count "${item#-COUNT"|"}" ;;
            -TIME"|"*) add_time "${item#-TIME"|"}" ;;
            -ERROR"|"*) reason=${reason:-${item#*"|"}} has_failed=1 ;;
            - | -[A-Za-z]*"|"*) ;;
            -*) reason=${reason:-${item#-}} has_failed=1 ;;
            *"|=0") ;;
            late) ending="out of time: not done after $limit s" is_hopeless=1 ;;
            *)
                ending=${ending:-"exit status ${item##*=}"} has_failed=1
                case ${item##*=} in 12[679] | 1[3-9]? | 2??) is_hopeless=1 ;; esac ;;
        esac
    done
    IFS=' '
    reason=${reason:-${ending:-no count was reported}}
    took=$((took / copies))
    [ "$counted" -eq "$copies" ] && [ -z "$is_hopeless" ] || has_failed=1
}

# Adds the whole number at the beginning of $1 to total, as far as 32 bits have room for the sum. A text that has none
# is no count.
add_count() {
    count=${1%%"|"*}
    count=${count%%.*}
    case $count in
        '' | *[!0-9]* | 0?*) return ;;
        ??????????*) count=999999999 ;;
    esac
    counted=$((counted + 1))
    [ "$total" -gt 999999999 ] || total=$((total + count))
}

# Adds the seconds $1 to took.
add_time() {
    whole=${1%%.*} fraction=000
    case $1 in *.*) fraction=${1#*.}000 ;; esac
    case $whole$fraction in *[!0-9]*) return ;; esac
    case $whole in '' | 0?* | ?????*) return ;; esac
    rest=${fraction#???}
    took=$((took + whole * 1000 + 1${fraction%"$rest"} - 1000))
}

# Logs a pass that was made: pass number $1 of the test.
log_pass() {
    hold_signals
    log "pass|$copies|$test|$1|$began|$words"
    [ -z "$seen_before" ] || [ -z "$seen" ] || log "$seen_before"
    [ -z "$heat" ] || log "heat$heat_before"
    IFS=$nl
    for item in $said; do
        copy=${item%%"|"*} item=${item#*"|"}
        case $item in
            -*) log "said|$copy|${item#-}" ;;
            late) log "late|$limit" ;;
            *) log "copy|$copy|${item%"|"*}|${item##*"|="}" ;;
        esac
    done
    IFS=' '
    [ -z "$seen_before" ] || [ -z "$seen" ] || log "$seen"
    [ -z "$heat" ] || log "heat$heat"
    [ -z "$clock" ] || log "clock$clock"
    log "done|$(number_of_date +%s)"
    ended_passes=$((ended_passes + 1)) next='copy the log to a machine with Perl, and run ./Run report LOG there'
    release_signals
}

# Logs that the test has ended after $1 passes; $2 is 1 if the last one failed.
end_test() {
    log "made|$copies|$test|$1|$2"
    made=$((made + (passes - $1) * cost))
    [ "$2" = 1 ] || return 0
    has_failures=1
    text=$reason
    replace '[! -~]' '?'
    complain "$copies x $test: $text; aborting this test"
}

# Waits for the disks before a pass: after each flush for the time of an official run; before a short pass of a test
# that writes, until nothing is being written, for half a second.
settle() {
    if [ -z "$is_quick" ]; then
        find_value "value|settle"
        for seconds in $value; do
            ! has sync || sync
            pause "$seconds"
        done
        return
    fi
    [ "$writes" = 1 ] && [ -r /proc/meminfo ] || return
    for try in 1 2 3 4 5; do
        while read -r what amount rest; do
            [ "$what" = Writeback: ] && break
        done < /proc/meminfo
        [ "${amount:-0}" != 0 ] || return
        [ "$has_fractions" ] || [ "$try" = 1 ] || return
        pause 0.1
    done
}

# Makes and logs pass number $1 of the test, of the usual kind or of the one that its warm-up has chosen. Returns 1 if
# it failed.
measure() {
    find_test "$test"
    count_passes
    find_cost
    show_pass "$1"
    kind_of_pass=$kind_of_passes loops=
    case $choices in
        *" $test:"*)
            choice=${choices##*" $test:"}
            choice=${choice%% *}
            kind_of_pass=${choice%:*} loops=${choice#*:} ;;
    esac
    find_pass "$kind_of_pass" "$test"
    case $words in *'{loops}') words=${words%'{loops}'}$loops ;; esac
    settle
    read_sensors
    heat_before=$heat
    make_pass
    read_sensors
    read_clock
    log_pass "$1"
    made=$((made + cost))
    [ -z "$has_failed" ]
}

# Makes a pass of the test that warms up, and chooses the kind of its short passes: fixed for fixed work, coarse if
# fewer than ten loops fit into a short one. Returns 1 if later passes would fail, too.
warm_up() {
    find_test "$test"
    count_passes
    find_cost
    find_pass warm_up "$test" || return 0
    make_pass
    if [ "$is_hopeless" ]; then
        heat='' clock=''
        log_pass 0
        end_test 0 1
        return 1
    fi
    [ -z "$has_failed" ] || return 0
    each=$((total / copies))
    if find_pass fixed "$test"; then
        loops=$(((each * number + 5000) / 10000))
        [ "$loops" -gt 0 ] || loops=1
        choices="$choices$test:fixed:$loops "
    elif [ "$took" -gt 0 ] && [ "$each" -lt 100000 ] && find_pass short "$test" &&
        [ "$((each * number / took))" -lt 10 ] && find_pass coarse "$test"; then
        choices="$choices$test:coarse: "
    fi
}

# Runs

# Sets random to the next number of the "minimal standard" generator of S. Park and K. Miller (CACM 31(10), 1988), by
# the way that the paper shows for whole numbers of 32 bits. Run uses the same numbers.
next_random() {
    random=$((16807 * (random % 127773) - 2836 * (random / 127773)))
    [ "$random" -gt 0 ] || random=$((random + 2147483647))
}

# Puts the tests of left into random order.
shuffle() {
    # shellcheck disable=SC2086  # a list
    set -- $left
    left=
    while [ "$#" -gt 0 ]; do
        next_random
        place=$((random % $#)) others=
        for name; do
            if [ "$place" -eq 0 ]; then left="$left $name"; else others="$others $name"; fi
            place=$((place - 1))
        done
        # shellcheck disable=SC2086  # a list
        set -- $others
    done
}

# Makes run number $1, from 0, of a quick measurement: rounds of short passes. A test that fails is left out of later
# rounds.
run_quick() {
    random=$((1 + (seed + $1) % 2147483646))
    for place in 1 2 3 4 5 6 7 8 9 10; do next_random; done
    find_value "value|rest"
    pause "$value"
    left=
    for test in $tests; do
        if warm_up; then left="$left $test"; fi
    done
    round=0
    while [ "$round" -lt "$rounds" ] && [ "$left" ]; do
        round=$((round + 1))
        shuffle
        turns=$left left=
        for test in $turns; do
            if measure "$round"; then left="$left $test"; else end_test "$round" 1; fi
        done
    done
    for test in $left; do end_test "$round" 0; done
}

# Makes a run of an official measurement.
run_official() {
    for test in $tests; do
        pass=0 passes=1
        while [ "$pass" -lt "$passes" ]; do
            pass=$((pass + 1))
            measure "$pass" || break
        done
        end_test "$pass" "${has_failed:-0}"
    done
}

# Sets passes to the number of passes that are wanted of the test that find_test() has found.
count_passes() {
    if [ "$is_quick" ]; then
        passes=$rounds
    elif [ "$iterations" ]; then
        passes=$(((iterations + plus) / per))
        [ "$passes" -gt 0 ] || passes=1
    fi
}

# The plan

log_plan() {
    log 'plan|format|3'
    log "plan|version|$version"
    log "plan|kind|$procedure"
    log "plan|factor|$factor"
    log "plan|work|${MULTI_SH_WORK_FACTOR:-1}"
    log "plan|copies|$runs"
    log "plan|cpus|$cpus"
    log "plan|asked|$asked"
    log "plan|gate|${has_gate:-0}"
    log "plan|execl|${execl##*/}"
    [ -z "$is_quick" ] || log "plan|seed|$seed"
    for test in $tests; do
        find_test "$test"
        count_passes
        log "plan|passes|$test $passes"
        find_cost
        for copies in $runs; do planned=$((planned + passes * cost)); done
    done
}

# Adds the tests for which the words $1... stand to tests, each once.
add_tests() {
    for word; do
        if find_value "alias|$word"; then
            names=$value
        elif find_test "$word"; then
            names=$word
        else
            refuse "there is no test $word here; names of tests are in measure.table"
        fi
        for name in $names; do
            case " $tests " in
                *" $name "*) ;;
                *) tests="$tests $name" ;;
            esac
        done
    done
}

# Sets missing to the reason why the test that find_test() and find_pass() have found can't be measured here, if there
# is one. Adds its files to measured.
look_at_test() {
    missing=
    for word in $words; do
        case $word in
            '{bindir}/'*)
                file=${word#'{bindir}/'}
                find_program "$file"
                [ "$file" != multi.sh ] || find_program tst.sh
                case " $measured " in *" $file "*) ;; *) measured="$measured $file" ;; esac ;;
        esac
    done
    for name in $programs; do
        has "$name" || missing="there is no program $name"
    done
    [ -z "$input" ] || [ -r "$testdir/$input" ] || missing="there is no file testdir/$input"
    [ "$dir" ] || [ "$has_files" = 0 ] || missing="$why_no_dir for its files; set UB_TMPDIR"
}

# Sets missing unless the file $1 of the programs can be executed.
find_program() {
    [ ! -x "$bindir/$1" ] || return
    missing="there is no program $1"
    [ ! -f "$bindir/$1" ] || missing="$bindir/$1 is not executable; run: chmod +x $bindir/*"
}

# Removes the tests that can't be measured here from tests. Sets measured to the files of the others.
select_tests() {
    asked_tests=$tests tests='' measured=''
    for test in $asked_tests; do
        find_test "$test"
        find_pass official "$test"
        others=$measured
        look_at_test
        if [ "$missing" ]; then
            measured=$others has_failures=1
            log "skip|$test|skipped: $missing"
            complain "$test is skipped: $missing"
        else
            tests="$tests $test"
        fi
    done
    [ "$tests" ] && return
    clean_up
    refuse 'no test can be measured here' 1
}

# Sets id to the mark of the lines of this log, and mark to that of its processes, which is also the name of its
# directory. Both are random where the system has random numbers.
make_marks() {
    uuid=
    { read -r uuid < /proc/sys/kernel/random/uuid; } 2> /dev/null
    case $uuid in
        ????????-????-????-????-????????????) ;;
        *)
            { read -r uuid rest < /proc/uptime; } 2> /dev/null
            # shellcheck disable=SC3028  # empty in some shells
            [ -z "$has_cksum" ] || uuid=$uuid-$(echo "$uuid $$ $seed ${RANDOM-}" | cksum)
            uuid=$seed-$$-${uuid%% *} ;;
    esac
    text=m${uuid%-*}00000000
    replace '[!0-9a-z]' ''
    id=${text%"${text#?????????????}"}
    mark=measure.$$.${uuid##*-}
}

# Makes the directory for files, if one of the usual places is writable. Sets dir to its path, or to nothing.
make_directory() {
    why_no_dir='no directory could be made'
    for place in ${UB_TMPDIR:+"$UB_TMPDIR"} /tmp; do
        place=$(cd "$place" 2> /dev/null && pwd -P) || continue
        if ! is_safe "$place"; then
            complain "$place is not safe: another user could replace $part; set UB_TMPDIR to a directory of your own"
            [ -z "${UB_TMPDIR-}" ] || exit 1
            continue
        fi
        remove_leftovers
        dir=${place%/}/$mark
        mkdir -m 700 "$dir" 2> /dev/null || continue
        note_own
        { echo "$own" > "$dir/owner"; } 2> /dev/null && return
        why_no_dir="there is no space left in $place"
        rm -rf "$dir"
    done
    dir=
    complain "$why_no_dir; set UB_TMPDIR"
}

# Succeeds if only this user, root, and users who could replace the suite as well can replace the directory $1. Else
# sets part to the directory that others can replace.
is_safe() {
    part=$1
    while [ "$part" ]; do
        case $real_bindir/ in "$part"/*) return 0 ;; esac
        is_own "$part" "$1" || return 1
        part=${part%/*}
    done
}

# Succeeds if only this user and root can write to the directory $1, or if it has the sticky bit. Where there is no ls,
# the modes are not known, and only root asks for the owner of directories above $2.
is_own() {
    if has ls; then
        # shellcheck disable=SC2012,SC2046  # fields, and the name is the last one
        set -- "$1" $(ls -ldn "$1" 2> /dev/null)
        case $4 in 0) ;; *) [ -O "$1" ] || return 1 ;; esac
        case $2 in
            ?????????[tT]*) return 0 ;;
            d????????*) ;;
            *) return 1 ;;
        esac
        case $2 in ????????w* | ?????w*) return 1 ;; esac
        return 0
    fi
    [ -O "$1" ] || [ -k "$1" ] || { [ ! -O / ] && [ "$1" != "$2" ]; }
}

# Sets own to what identifies this measurement: its PID and start, the boot, the first process of its name space, and
# the host. What is unknown is "-".
note_own() {
    start='' boot='' init=''
    start_of "$$"
    start=${started:--}
    start_of 1
    init=${started:--}
    { read -r boot < /proc/sys/kernel/random/boot_id; } 2> /dev/null
    ! has uname || host=$(uname -n)
    own="$$ $start ${boot:--} $init ${host:--}"
}

# Sets started to the time at which the process $1 started, or to nothing.
start_of() {
    started='' text=''
    { IFS= read -r text < "/proc/$1/stat"; } 2> /dev/null
    # shellcheck disable=SC2086  # fields
    set -- ${text##*") "}
    [ "$#" -lt 20 ] || started=${20}
}

# Removes the directories in place that measurements of this user have left, and ends their processes. A measurement of
# another container, or of another host that shares the place, may still run.
remove_leftovers() {
    note_own
    now=$own
    set +f
    for leftover in "$place"/measure.*.*; do
        set -f
        if [ ! -d "$leftover" ] || [ -h "$leftover" ] || [ ! -O "$leftover" ]; then continue; fi
        if [ ! -f "$leftover/owner" ] || [ -h "$leftover/owner" ]; then continue; fi
        own=
        { read -r own < "$leftover/owner"; } 2> /dev/null
        # shellcheck disable=SC2086  # fields
        is_dead $now $own || continue
        own_mark=$mark
        mark=${leftover##*/}
        end_family 0
        mark=$own_mark
        rm -rf "$leftover"
    done
    set -f
}

# Takes what identifies this measurement and another one; succeeds if the other one has ended.
is_dead() {
    [ "$#" = 10 ] && [ "$5" = "${10}" ] || return 1
    case $6 in '' | *[!0-9]*) return 1 ;; esac
    [ "$3" = "$8" ] || return 0
    [ "$4" = "$9" ] || return 1
    start_of "$6"
    case $2:$7 in -:* | *:-) ! kill -0 "$6" 2> /dev/null ;; *) [ "$started" != "$7" ] ;; esac
}

# Takes the name of an option, what it can have instead of a number, and its value, a whole number from 1 to 9999.
check_number() {
    case $3 in
        [1-9] | [1-9][0-9] | [1-9][0-9][0-9] | [1-9][0-9][0-9][0-9]) ;;
        *) refuse "option $1 needs a whole number from 1 to 9999$2, not \"$3\"" ;;
    esac
}

# Adds the numbers of copies $1, such as 1,4 or all, to runs.
add_runs() {
    case ,$1, in *,,*) check_number -c ' or all' "$1" ;; esac
    IFS=,
    for copies in $1; do
        [ "$copies" != all ] || copies=$cpus
        check_number -c ' or all' "$copies"
        case " $runs " in *" $copies "*) ;; *) runs="$runs${runs:+ }$copies" ;; esac
    done
    IFS=' '
}

set_iterations() {
    check_number -i '' "$1"
    iterations=$1
}

# Prints the description of the script, from its own file.
print_help() {
    while IFS= read -r line; do
        case $line in
            '#!'*) ;;
            '# The log is '*) return ;;
            *)
                line=${line#"#"}
                printf '%s\n' "${line# }" ;;
        esac
    done < "$bindir/measure.sh"
}

# Sets is_quick, iterations, runs and asked from the arguments, as Run understands them.
read_arguments() {
    while [ "$#" -gt 0 ]; do
        option=$1
        case $1 in
            --quick) is_quick=1 ;;
            -h | --help)
                print_help
                exit 0 ;;
            --version)
                echo "UnixBench $version"
                exit 0 ;;
            -c | -i)
                [ "$#" -gt 1 ] || refuse "option $1 needs a value; see measure.sh --help"
                shift
                if [ "$option" = -c ]; then add_runs "$1"; else set_iterations "$1"; fi ;;
            -c*) add_runs "${option#-c}" ;;
            -i*) set_iterations "${option#-i}" ;;
            -?*) refuse "unknown option $1; see measure.sh --help" ;;
            *) asked="$asked${asked:+ }$1" ;;
        esac
        shift
    done
    [ -z "$is_quick" ] || [ -z "$iterations" ] ||
        refuse 'options --quick and -i contradict each other: leave out one of them'
}

# Sets bindir, testdir, table, version, factor and rounds.
find_tables() {
    case $0 in */*) bindir=${0%/*} ;; *) bindir=. ;; esac
    bindir=$(cd "$bindir" && pwd)
    real_bindir=$(cd "$bindir" && pwd -P)
    testdir=${bindir%/*}/testdir
    [ -r "$bindir/measure.table" ] || refuse "there is no file $bindir/measure.table; copy it, too" 1
    [ -d "$testdir" ] || refuse "there is no directory $testdir; copy it, too" 1
    read_table
    find_value "value|version"
    version=$value
    find_value "value|factor"
    factor=$value
    find_value "value|rounds"
    rounds=$value
    firmware=/sys/devices/platform/soc/soc:firmware/get_throttled
}

# Sets has_cksum, has_fractions, has_gate, dir and execl to what there is on this machine.
look_around() {
    has_cksum='' has_fractions='' has_gate=''
    ! has cksum || has_cksum=1
    ! sleep 0.01 2> /dev/null || has_fractions=1
    count_online
    make_marks
    make_directory
    [ -z "$dir" ] || ! mkfifo "$dir/ready" 2> /dev/null || has_gate=1
    [ "$has_gate" ] || complain 'no pipes can be made (mkfifo): copies start one after the other'
    execl=$bindir/execl
    [ ! -x "$execl.static" ] || "$execl" -n 1 > /dev/null 2>&1 || execl=$execl.static
}

case ${MULTI_SH_WORK_FACTOR:-1} in
    *[!0-9]* | 0* | ???????*) refuse "MULTI_SH_WORK_FACTOR must be a whole number above 0, not $MULTI_SH_WORK_FACTOR" ;;
esac
is_quick='' iterations='' runs='' asked='' tests='' has_failures=''
choose_progress
find_tables
count_cpus
read_arguments "$@"
# shellcheck disable=SC2086  # a list
add_tests ${asked:-index}
if [ -z "$runs" ]; then
    runs=1
    [ "$cpus" -eq 1 ] || runs="1 $cpus"
fi
procedure=official kind_of_passes=official
[ -z "$is_quick" ] || procedure=quick kind_of_passes=short
seed=$((1$(number_of_date +%H%M%S) * 1000 + $$ % 1000))
seed=$((seed % 999999999 + 1))

# The processes of this measurement have the mark in their environment, see make_marks().
mark='' self=$$ old=' ' pids='' watchdog='' dir='' host=''
trap 'interrupt INT' INT
trap 'interrupt TERM' TERM
trap 'interrupt HUP' HUP
trap : PIPE
look_around
select_tests
log_plan
log_machine
log_digests
run=0
for copies in $runs; do
    choices=' '
    if [ "$is_quick" ]; then run_quick "$run"; else run_official; fi
    run=$((run + 1))
done
trap '' INT TERM HUP
clean_up
clear_progress
log "end|$((lines + 1))"
echo "done: $next" >&2
[ -z "$has_failures" ]
