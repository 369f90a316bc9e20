#!/bin/sh
# measure.sh [--quick] [-c N]... [-i N] [TEST...] > LOG
#
# Measures on a machine that has a shell but no Perl. It makes the same passes as Run; "./Run report LOG" makes the
# reports, on any other machine. Beside the directory of this file there has to be testdir. measure.table, in the same
# directory, describes the tests. It was made by the build, see build/measure-table.
#
#   --quick  rounds of short passes in random order: ten, or N with -i
#   -c N     copies of each test at once; by default 1, and one for each CPU
#   -i N     passes of long tests; others have a third. By default 10
#   TEST     the name of a test, or of a group such as index, the default
#
# Files are written in UB_TMPDIR or /tmp. Without a directory for them, the tests that need one are skipped. The exit
# status is 1 if nothing can be measured, 2 for wrong arguments.
#
# The log is text for consoles that mix it with other lines. Each of its lines is "UB|NUMBER|KIND|...|CHECK|.": NUMBER
# counts the lines, and CHECK is the CRC of NUMBER|KIND|..., by cksum. Where there is no cksum, the text itself stands
# there again. The kinds are
#   plan|KEY|VALUE             what is measured; at the beginning, and again at the end
#   fact|SOURCE|LINE           a line of a file or of a program about the machine
#   skip|TEST|REASON           a test that is not measured
#   pass|COPIES|TEST|PASS|TIME|WORDS
#                              a pass begins; TIME is in seconds since 1970, WORDS its command
#   copy|COPY|PID|STATUS       the exit status of a copy
#   said|COPY|LINE             a line of its standard error
#   late|LIMIT                 copies were ended after this many seconds
#   done|COPIES|TEST|PASS|TIME|NUMBER
#                              the pass has ended; NUMBER is that of its first line
#   made|COPIES|TEST|PASSES|FAILED
#                              a test has ended after so many passes; FAILED is 1 if the last one failed, else 0
#   stop|SIGNAL                the measurement was interrupted
#   end|NUMBER                 the last line

# zsh is like other shells only if it is asked.
[ -z "${ZSH_VERSION-}" ] || emulate sh
set -f
umask 077
nl='
'
lines=0 dir='' scratch='' pids='' watchdog='' family=''

complain() { echo "measure.sh: $1" >&2; }

refuse() {
    complain "$1"
    exit "${2:-2}"
}

has() { command -v "$1" > /dev/null 2>&1; }

# Prints a line of the log.
log() {
    lines=$((lines + 1))
    text=$lines'|'$1
    check=$text
    if [ "$has_cksum" ]; then
        check=$(printf %s "$text" | cksum)
        check=${check%% *}
    fi
    printf 'UB|%s|%s|.\n' "$text" "$check"
}

# Copies text from standard input to standard output, with only printable characters.
clean() {
    if has tr; then
        tr '\t' ' ' | tr -c '\n -~' '?'
    else
        while IFS= read -r text || [ "$text" ]; do printf '%s\n' "$text"; done
    fi
}

# Prints the seconds since 1970, or 0 on a machine that does not know them.
now() { date +%s 2> /dev/null || echo 0; }

# Waits for seconds that may have a fraction. Where sleep knows no fractions, waits for whole ones.
pause() {
    case $1 in 0) return ;; esac
    if [ -z "$has_fractions" ]; then set -- $((${1%.*} + 1)); fi
    sleep "$1" &
    wait "$!"
}

# Finds a test in the table; sets passes, plus, per, input, has_files, writes and programs.
find_test() {
    while IFS='|' read -r what name passes plus per input has_files writes programs; do
        [ "$what|$name" != "test|$1" ] || return 0
    done < "$table"
    return 1
}

# Finds a kind of pass of a test in the table; sets limit, number and words.
find_pass() {
    while IFS='|' read -r what kind name limit number words; do
        [ "$what|$kind|$name" != "pass|$1|$2" ] || return 0
    done < "$table"
    return 1
}

# Finds the line of a kind and a name in the table; sets value.
find_value() {
    while IFS='|' read -r what name value; do
        [ "$what|$name" != "$1|$2" ] || return 0
    done < "$table"
    return 1
}

# Sets count to the number of CPUs that this process may use.
count_cpus() {
    count=$(nproc 2> /dev/null || getconf _NPROCESSORS_ONLN 2> /dev/null || sysctl -n hw.ncpu 2> /dev/null) && return
    count=0
    while IFS= read -r text; do
        case $text in processor*) count=$((count + 1)) ;; esac
    done 2> /dev/null < /proc/cpuinfo
    [ "$count" -gt 0 ] || count=1
}

# Facts about the machine

# Logs the lines of standard input that match one of the patterns, as facts from that source.
log_facts() {
    source=$1
    shift
    content=$(clean)
    IFS=$nl
    for line in $content; do
        for pattern; do
            case $line in
                $pattern)
                    log "fact|$source|$line"
                    break ;;
            esac
        done
    done
    IFS=' '
}

# Logs the lines of a file that match one of the patterns.
log_file() {
    [ ! -r "$1" ] || log_facts "$@" < "$1"
}

log_machine() {
    for flag in s n r v m o; do
        has uname && uname -$flag > /dev/null 2>&1 && log "fact|uname|$flag $(uname -$flag | clean)"
    done
    log_file /proc/cpuinfo 'processor*' 'model name*' 'cpu family*' 'model *' 'CPU implementer*' 'CPU part*' 'cpu *' \
        'uarch*' 'isa*' 'machine*' 'bogomips*' 'BogoMIPS*' 'flags*' 'features*' 'Features*' 'vendor_id*' 'microcode*' \
        'physical id*' 'core id*' 'Processor*' 'Model Name*' 'cpu model*' 'cpu type*' 'hypervisor*'
    log_file /proc/meminfo 'MemTotal:*' 'SwapTotal:*' 'HugePages_Total:*' 'Hugepagesize:*'
    log_file /proc/self/status 'Cpus_allowed_list:*' 'Seccomp*'
    for file in /proc/cmdline /proc/uptime /proc/loadavg /sys/devices/system/cpu/online \
        /sys/devices/system/clocksource/clocksource0/current_clocksource /sys/devices/system/cpu/smt/control \
        /sys/devices/system/cpu/cpufreq/policy0/scaling_governor /sys/devices/system/cpu/cpufreq/policy0/scaling_driver \
        /sys/devices/system/cpu/cpufreq/policy0/cpuinfo_min_freq \
        /sys/devices/system/cpu/cpufreq/policy0/cpuinfo_max_freq /sys/devices/system/cpu/cpufreq/boost \
        /sys/devices/system/cpu/intel_pstate/no_turbo /sys/kernel/mm/transparent_hugepage/enabled \
        /sys/class/dmi/id/sys_vendor /sys/class/dmi/id/product_name /sys/hypervisor/type /proc/device-tree/model
    do
        log_file "$file" '*'
    done
    set +f
    for file in /sys/devices/system/cpu/vulnerabilities/*; do log_file "$file" '*'; done
    set -f
    log_file "$bindir/build.info" '*'
    for name in sh sort grep; do log_tool "$name"; done
    for name in LD_PRELOAD LD_LIBRARY_PATH GLIBC_TUNABLES; do
        eval "value=\${$name-}"
        [ -z "$value" ] || log "fact|environment|$name=$(printf '%s\n' "$value" | clean)"
    done
}

# Logs the line in which a tool of the system names its version. BusyBox does that when it complains.
log_tool() {
    content=$("$1" --version 2>&1 < /dev/null | clean)
    IFS=$nl
    found=
    for line in $content; do
        case $line in
            *BusyBox*) found=$line ;;
            *) found=${found:-$line} ;;
        esac
    done
    IFS=' '
    case $found in *[0-9].[0-9]*) log "fact|tool $1|$found" ;; esac
}

# Logs the SHA-256 of what is measured, where a program computes it.
log_digests() {
    has sha256sum || return
    for file in $measured; do
        [ ! -f "$bindir/$file" ] || log "fact|sha256|$(sha256sum "$bindir/$file" | clean)"
    done
}

# Processes

# Sets tree to "PID:PARENT " of each process.
list_processes() {
    tree=
    if [ -r /proc/self/stat ]; then
        set +f
        for file in /proc/[0-9]*/stat; do
            { read -r stat < "$file"; } 2> /dev/null || continue
            parent=${stat##*) ? }
            tree="$tree${stat%% *}:${parent%% *} "
        done
        set -f
    else
        tree=$(ps -A -o pid= -o ppid= 2> /dev/null | while read -r pid parent; do printf '%s:%s ' "$pid" "$parent"; done)
    fi
}

# Sets self to the process that runs this function, which may be a part of the script.
find_self() {
    self=$$
    { read -r self rest < /proc/self/stat; } 2> /dev/null || self=$$
}

# Ends processes and everything that they have started. Takes their parent and their PIDs. A process with another
# parent is not the same any more. Processes are stopped until no new one appears, and then killed.
end_family() {
    parent_of_all=$1
    shift
    family=' '
    while :; do
        before=$family
        list_processes
        for pair in $tree; do
            pid=${pair%:*} parent=${pair#*:} is_found=
            case " $* " in *" $pid "*) [ "$parent" != "$parent_of_all" ] || is_found=1 ;; esac
            case $family in *" $parent "*) is_found=1 ;; esac
            case $family in *" $pid "*) is_found= ;; esac
            [ -z "$is_found" ] || family="$family$pid "
        done
        [ "$tree" ] || family=" $* "
        [ "$family" != "$before" ] || break
        # shellcheck disable=SC2086  # a list
        kill -STOP $family 2> /dev/null
    done
    # shellcheck disable=SC2086  # a list
    [ "$family" = ' ' ] || kill -KILL $family 2> /dev/null
}

# Ends the copies after a time. Takes the seconds, the parent of the copies, and their PIDs. SIGTERM ends it.
watch() {
    [ -z "$has_gate" ] || exec 4>&- 5<&-
    before=$!
    trap '[ "$!" = "$before" ] || kill "$!"; exit 0' TERM
    sleep "$1" &
    wait "$!"
    trap '' TERM
    shift
    echo '0|late'
    end_family "$@"
}

# Removes the files, and ends everything that is still running.
clean_up() {
    list_processes
    children=
    for pair in $tree; do
        [ "${pair#*:}" != "$$" ] || children="$children ${pair%:*}"
    done
    # shellcheck disable=SC2086  # lists
    end_family "$$" ${children:-$pids $watchdog}
    [ -z "$dir" ] || rm -rf "$dir"
}

# Ends the measurement by a signal.
interrupted() {
    trap '' INT TERM HUP
    clean_up
    log "stop|$1"
    log_end
    trap - "$1"
    kill -s "$1" "$$"
    exit 1
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
    UB_TIME=1 UB_TMPDIR=$dir UB_SCRATCH=$scratch TMPDIR=$scratch UB_BINDIR=$bindir UB_TESTDIR=$testdir LANG=en_US.utf8
    export UB_TIME UB_TMPDIR UB_SCRATCH TMPDIR UB_BINDIR UB_TESTDIR LANG
    unset LC_ALL LANGUAGE UB_GATE
    cd "$testdir" || exit 126
    [ "$has_gate" ] || exec "$@"
    UB_GATE=3,8
    export UB_GATE
    exec "$@" 3>&7 8<&6 4>&- 5<&- 6<&- 7>&-
}

# Makes the pipes of the start gate. A copy writes to 7 when it is ready, which is then closed, and reads from 6. The
# end of all copies that can write is the end of 5, and closing 4 starts all copies.
make_gate() {
    rm -f "$dir/ready" "$dir/go"
    mkfifo "$dir/ready" "$dir/go" &&
        exec 8<> "$dir/ready" 9<> "$dir/go" 7> "$dir/ready" 5< "$dir/ready" 4> "$dir/go" 6< "$dir/go" 8>&- 9>&-
}

# Starts a copy; its PID is then in $!. Takes its number. With a directory, its output goes to files there. Without, the
# lines of its standard error are printed as print_copy does.
start_copy() {
    if [ "$dir" ]; then
        scratch=$dir/scratch.$1
        mkdir "$scratch"
        (run_command) < "$file" > "$dir/out.$1" 2> "$dir/err.$1" &
    else
        {
            (run_command) 2>&1 > /dev/null < "$file"
            echo "=$?"
        } | while IFS= read -r text; do
            case $text in
                =*) printf '%s\n' "$1|0|$text" ;;
                *) printf '%s\n' "$1|-$text" ;;
            esac
        done &
    fi
}

# Prints what a copy has written to standard error, and its end. Takes its number, PID and exit status. Each line is
# "COPY|-LINE" or "COPY|PID|=STATUS".
print_copy() {
    clean < "$dir/err.$1" | while IFS= read -r text || [ "$text" ]; do printf '%s|-%s\n' "$1" "$text"; done
    echo "$1|$2|=$3"
}

# Starts all copies together, and waits for their end or for the limit. Prints what they have written.
run_copies() {
    find_self
    file=/dev/null
    [ -z "$input" ] || file=$testdir/$input
    [ -z "$has_gate" ] || make_gate
    pids= started=0
    while [ "$started" -lt "$copies" ]; do
        started=$((started + 1))
        start_copy "$started"
        pids="$pids $!"
    done
    [ -z "$has_gate" ] || exec 6<&- 7>&-
    # shellcheck disable=SC2086  # a list
    if [ "$dir" ]; then
        watch "$limit" "$self" $pids > "$dir/late" 2> /dev/null &
    else
        watch "$limit" "$self" $pids 2> /dev/null &
    fi
    watchdog=$!
    if [ "$has_gate" ]; then
        read -r ready <&5
        exec 4>&- 5<&-
    fi
    started=0 endings=
    for pid in $pids; do
        started=$((started + 1))
        wait "$pid" 2> /dev/null
        endings="$endings $started:$pid:$?"
    done
    kill "$watchdog" 2> /dev/null
    wait "$watchdog" 2> /dev/null
    pids= watchdog=
}

# Prints what all copies have written, and "0|late" if they ran out of time.
print_copies() {
    for ending in $endings; do
        copy=${ending%%:*} ending=${ending#*:}
        print_copy "$copy" "${ending%:*}" "${ending#*:}"
    done
    clean < "$dir/late"
}

# Makes a pass of a test with the words and the limit that find_pass() has set. Sets said to what print_copies() prints.
# Without a directory, an interruption waits for its end.
make_pass() {
    if [ "$dir" ]; then
        run_copies
        said=$(print_copies)
        set +f
        rm -rf "$dir"/scratch.* "$dir"/out.* "$dir"/err.*
        set -f
    else
        said=$(run_copies)
    fi
}

# Logs a pass that was made. Takes the kind and the number of the pass. Sets has_failed if it has no count for each
# copy.
log_pass() {
    first=$((lines + 1))
    log "pass|$copies|$test|$1|$began|$words"
    counted=0 has_failed=
    IFS=$nl
    for item in $said; do
        copy=${item%%"|"*} item=${item#*"|"}
        case $item in
            -COUNT"|"*) counted=$((counted + 1)) ;;
            -ERROR* | late) has_failed=1 ;;
        esac
        case $item in
            -*) log "said|$copy|${item#-}" ;;
            late) log "late|$limit" ;;
            *)
                log "copy|$copy|${item%"|"*}|${item##*"|="}"
                [ "${item##*"|="}" = 0 ] || has_failed=1 ;;
        esac
    done
    IFS=' '
    log "done|$copies|$test|$1|$(now)|$first"
    [ "$counted" -eq "$copies" ] || has_failed=1
}

# Waits for the disks before a pass: after each flush for the time of an official run; before a short pass of a test
# that writes, until nothing is being written, for half a second.
settle() {
    if [ -z "$is_quick" ]; then
        find_value value settle
        for seconds in $value; do
            ! has sync || sync
            pause "$seconds"
        done
        return
    fi
    [ "$writes" = 1 ] || return
    for try in 1 2 3 4 5; do
        while read -r what amount rest; do
            [ "$what" = Writeback: ] && break
        done 2> /dev/null < /proc/meminfo
        [ "${amount:-0}" != 0 ] || return
        [ "$has_fractions" ] || [ "$try" = 1 ] || return
        pause 0.1
    done
}

# Makes and logs pass number $1 of the test, of the kind $2. Returns 1 if it failed.
measure() {
    find_test "$test"
    choice=${choices##*" $test:"} choice=${choice%% *}
    case $choices in
        *" $test:"*) find_pass "${choice%:*}" "$test" ;;
        *) find_pass "$2" "$test" ;;
    esac
    case $words in *'{loops}'*) words=${words%'{loops}'}${choice#*:} ;; esac
    settle
    began=$(now)
    make_pass
    log_pass "$1"
    [ -z "$has_failed" ]
}

# Adds up what the copies of a pass have counted. Sets total to the sum of the counts, without fractions, and took to
# the mean of the times in milliseconds.
add_up() {
    total=0 took=0
    IFS=$nl
    for item in $said; do
        item=${item#*|-}
        case $item in
            COUNT"|"*)
                item=${item#*"|"} item=${item%%"|"*}
                total=$((total + ${item%%.*})) ;;
            TIME"|"*)
                item=${item#*"|"}
                fraction=${item#*.}000
                rest=${fraction#???}
                took=$((took + ${item%%.*} * 1000 + 1${fraction%"$rest"} - 1000)) ;;
        esac
    done
    IFS=' '
    took=$((took / copies))
}

# Makes a pass of the test that warms up, and chooses the kind of its short passes. Returns 1 if later passes would fail,
# too: the copies could not be started, or did not end.
warm_up() {
    find_test "$test"
    find_pass warm_up "$test" || return 0
    began=$(now)
    make_pass
    case "$said$nl" in
        *"|late$nl"* | *"|=126$nl"* | *"|=127$nl"*)
            log_pass 0
            log "made|$copies|$test|0|1"
            return 1 ;;
    esac
    add_up
    if find_pass fixed "$test"; then
        loops=$((total / copies * number / 10000))
        [ "$loops" -gt 0 ] || loops=1
        choices="$choices$test:fixed:$loops "
    elif [ "$took" -gt 0 ] && [ "$total" -lt 100000 ] && find_pass short "$test" &&
        [ "$((total / copies * number / took))" -lt 10 ] && find_pass coarse "$test"; then
        choices="$choices$test:coarse: "
    fi
    return 0
}

# Sets random to the next number of the "minimal standard" generator of S. Park and K. Miller (CACM 31(10), 1988), by
# the way that the paper shows for whole numbers of 32 bits. Run uses the same numbers.
next_random() {
    random=$((16807 * (random % 127773) - 2836 * (random / 127773)))
    [ "$random" -gt 0 ] || random=$((random + 2147483647))
}

# Sets turns to the tests of left in random order.
shuffle() {
    turns=
    # shellcheck disable=SC2086  # a list
    set -- $left
    while [ "$#" -gt 0 ]; do
        next_random
        place=$((random % $#))
        others=
        for name; do
            if [ "$place" -eq 0 ]; then turns="$turns $name"; else others="$others $name"; fi
            place=$((place - 1))
        done
        # shellcheck disable=SC2086  # a list
        set -- $others
    done
}

# Measures the tests with so many copies, in rounds of short passes. A test that fails is left out of later rounds.
# Takes the number of the run, from 0.
run_quick() {
    random=$((1 + (seed + $1) % 2147483646))
    for place in 1 2 3 4 5 6 7 8 9 10; do next_random; done
    find_value value rest
    pause "$value"
    left=
    for test in $tests; do
        if warm_up; then left="$left $test"; fi
    done
    round=0
    while [ "$round" -lt "$rounds" ] && [ "$left" ]; do
        round=$((round + 1))
        shuffle
        for test in $turns; do
            measure "$round" short || drop
        done
    done
    for test in $left; do log "made|$copies|$test|$round|0"; done
}

# Removes the test, which has failed, from left.
drop() {
    log "made|$copies|$test|$round|1"
    others=
    for name in $left; do
        [ "$name" = "$test" ] || others="$others $name"
    done
    left=$others
}

# Measures the tests with so many copies, as in an official run.
run_official() {
    for test in $tests; do
        find_test "$test"
        count_passes
        pass=0 wanted=$passes
        while [ "$pass" -lt "$wanted" ]; do
            pass=$((pass + 1))
            measure "$pass" official || break
        done
        log "made|$copies|$test|$pass|${has_failed:-0}"
    done
}

# Sets passes to the number of official passes of the test that find_test() has found.
count_passes() {
    [ "$iterations" ] || return
    passes=$(((iterations + plus) / per))
    [ "$passes" -gt 0 ] || passes=1
}

# The plan

log_plan() {
    log 'plan|format|1'
    log "plan|version|$version"
    log "plan|kind|$procedure"
    log "plan|factor|$factor"
    log "plan|work|${MULTI_SH_WORK_FACTOR:-1}"
    log "plan|copies|$runs"
    log "plan|cpus|$cpus"
    log "plan|asked|$asked"
    log "plan|gate|${has_gate:-0}"
    log "plan|directory|${dir:+1}"
    log "plan|execl|${execl##*/}"
    [ -z "$is_quick" ] || log "plan|seed|$seed"
    for test in $tests; do
        find_test "$test"
        count_passes
        [ -z "$is_quick" ] || passes=$rounds
        log "plan|passes|$test $passes"
    done
}

log_end() {
    log_plan
    log "end|$((lines + 1))"
}

# Takes words; adds the tests for which they stand to tests, each once.
add_tests() {
    for word; do
        if find_value alias "$word"; then
            names=$value
        elif find_test "$word"; then
            names=$word
        else
            refuse "there is no test $word here; names of tests are in ${table##*/}"
        fi
        for name in $names; do
            case " $tests " in
                *" $name "*) ;;
                *) tests="$tests $name" ;;
            esac
        done
    done
}

# Skips the test, and says why.
skip() {
    log "skip|$test|skipped: $1"
    complain "$test is skipped: $1"
}

# Leaves out the tests that can't be measured here.
select_tests() {
    asked_tests=$tests tests= measured=
    for test in $asked_tests; do
        find_test "$test"
        find_pass official "$test"
        program=${words%% *}
        program=${program#'{bindir}/'}
        missing=
        for name in $programs; do
            has "$name" || missing=$name
        done
        if [ ! -x "$bindir/$program" ]; then
            skip "there is no program $program"
        elif [ "$missing" ]; then
            skip "there is no program $missing"
        elif [ -z "$dir" ] && [ "$has_files" = 1 ]; then
            skip 'there is no writable directory for its files; set UB_TMPDIR'
        else
            tests="$tests $test"
            for word in $words; do
                case " $measured $word" in
                    *" ${word#'{bindir}/'} "*) ;;
                    *' {bindir}/'*) measured="$measured ${word#'{bindir}/'}" ;;
                esac
            done
        fi
    done
    [ "$tests" ] || refuse 'no test can be measured here' 1
}

# Makes the directory for files, if one of the usual places is writable.
make_directory() {
    for place in ${UB_TMPDIR:+"$UB_TMPDIR"} /tmp; do
        dir=$place/measure.$$
        (umask 077 && mkdir "$dir") 2> /dev/null && return
    done
    dir=
    complain 'there is no writable directory; set UB_TMPDIR'
}

# Takes the name of an option and its value, which has to be a whole number from 1 to 9999.
check_number() {
    case $2 in
        [1-9] | [1-9][0-9] | [1-9][0-9][0-9] | [1-9][0-9][0-9][0-9]) ;;
        *) refuse "option $1 needs a whole number from 1 to 9999, not \"$2\"" ;;
    esac
}

is_quick='' iterations='' runs='' asked=''
while [ "$#" -gt 0 ]; do
    case $1 in
        --quick) is_quick=1 ;;
        -c | -i)
            option=$1
            check_number "$option" "${2-}"
            shift
            if [ "$option" = -i ]; then iterations=$1; else runs="$runs $1"; fi ;;
        -*) refuse "unknown option $1; usage: measure.sh [--quick] [-c N]... [-i N] [TEST...] > LOG" ;;
        *) asked="$asked $1" ;;
    esac
    shift
done

case $0 in */*) bindir=${0%/*} ;; *) bindir=. ;; esac
bindir=$(cd "$bindir" && pwd)
table=$bindir/measure.table testdir=${bindir%/*}/testdir
[ -r "$table" ] || refuse "there is no file $table; make builds it" 1
[ -d "$testdir" ] || refuse "there is no directory $testdir; copy it, too" 1
find_value value version
version=$value
find_value value factor
factor=$value

tests=
# shellcheck disable=SC2086  # lists
add_tests ${asked:-index}
asked=${asked# }
count_cpus
cpus=$count
if [ -z "$runs" ]; then
    runs=1
    [ "$cpus" -eq 1 ] || runs="1 $cpus"
fi
runs=${runs# }
procedure=official rounds=${iterations:-10}
[ -z "$is_quick" ] || procedure=quick
seed=$((1$(date +%H%M%S 2> /dev/null || echo 0) * 1000 + $$ % 1000))
seed=$((seed % 999999999 + 1))

has_cksum='' has_fractions='' has_gate=''
! has cksum || has_cksum=1
! sleep 0.01 2> /dev/null || has_fractions=1
trap 'interrupted INT' INT
trap 'interrupted TERM' TERM
trap 'interrupted HUP' HUP
make_directory
[ -z "$dir" ] || ! mkfifo "$dir/ready" 2> /dev/null || has_gate=1
[ "$has_gate" ] || complain 'there is no mkfifo: copies start one after the other'
execl=$bindir/execl
[ ! -x "$execl.static" ] || "$execl" -n 1 > /dev/null 2>&1 || execl=$execl.static

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
log_end
