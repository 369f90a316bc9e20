package UnixBench::Base::ResultSchema;

# The schema of a result and of its file, and of the file about a comparison: each key once, with its type
# and its meaning. Results and journals are checked against it, and JSON is written by it. build/schema makes the JSON
# Schemas for other programs from it, and build/reference the list of keys in README.md.

use strict;
use warnings;

use UnixBench::Features qw(loaded);
use UnixBench::Version  ();

use constant {
    FORMAT       => 'unixbench-result',
    SCHEMA       => 5,                    # increased when what is written changes
    SCHEMA_LEAST => 5,                    # all results from it up to SCHEMA can be read
};

# Increased when a summary of the same passes gets other numbers. A summary that was made with other formulas is not
# used: it is computed from the passes again.
use constant FORMULAS => 5;

# Words that several keys can have: categories of the core and of features; whether a test has a score, or the kind of
# the reason; how far a result can be trusted; what the interval of a ratio says.
my $CATEGORY = 'system|2d|3d|misc|interactive|multiuser';
my $STATUS   = 'measured|failed|skipped|interrupted';
my $TRUST    = 'incomplete|poor|fair|unknown|good';
my $VERDICT  = 'slower|faster|equal|inconclusive|unknown';

# A line in the first column begins a type: its name and meaning. Each key follows with its type and meaning. A key with
# a question mark may be missing or undef; in JSON it is null then. "+ TYPE" includes the keys of another type.
#
#   kind      see UnixBench::Base::Shape
#   a|b       one of these words
#   =1        this number alone
#   TYPE      an object of this type
#   (TYPE)    a type that a feature declares; without the feature, it may be anything
#   [type]    a list
#   {type}    an object with any keys
#
# The end of a key is its unit: _s seconds, _us microseconds, _ns nanoseconds, _kb KB of 1024 bytes, _mhz megahertz,
# _percent per cent. Points in time are seconds since 1970.
my $DECLARATION = <<"END";
document: the page and the file NAME.json of a run; every key is always present, null is unknown or absent
  format            =@{[FORMAT]} distinguishes such a file from all others
  + head
  formulas?         whole               the version of the formulas by which the summary was computed
  summary           summary             what is needed to compare the result with others
  gain?             gain                the scaling; null if no test has two numbers of copies
  shapes?           ([shape])           how the work of tests and indexes grows with the number of copies
  why?              ([why])             why more copies do less each, compared with the fewest
  remarks?          [remark]            the warnings: how far the numbers can be trusted, made from all other data
  runs              [run]               a run for each number of copies, in the order in which they were measured
  sha256?           text                the SHA-256 of all bytes before this line

head: a result without its runs
  schema            =@{[SCHEMA]}        the version of this description
  version           text                the version of the suite
  procedure         procedure           how the tests were measured
  asked             [text]              the words of the command line that named the tests; "index" without any
  is_brief          boolean             option -b: the text report has a line for each kind of CPU
  utc_offset_s      moment              the machine's zone is this far ahead of UTC; reports show times in this zone
  clock_changes?    [clock_change]      when that changed during the runs, as for daylight saving time; null without any
  host              host                the machine, as the head of the text report shows it
  language          language            the language of the tests; the speed of sorting and searching depends on it
  build?            {text}              how the programs were built: compiler, version, flags; and the file of execl
  facts?            facts               every other fact about the machine that can make a difference
  labels?           {text}              the labels of the run: what --label gave each name
  earlier?          [earlier]           what earlier runs in the directory of results show
  follows?          moment              by its clock, the start of an earlier run of this host, if that is later than
                                        this run: one of both clocks was wrong
  place?            text                where the two processes of context1 were, if measured places show it
  notes             [text]              sentences on how the scores came about
  changes?          [change]            facts that changed during the run; null without any
  observing?        (observing)         how system calls were observed; null if they were not
  experiment?       groups              the ratios of all states to this one; only of the first of several states


clock_change: when the clocks of the machine were set, as for daylight saving time
  at                moment              the time
  utc_offset_s      moment              the zone is this far ahead of UTC from then on

procedure: how the tests were measured; only results of the same procedure are compared
  kind?             official|quick      official, as since 1995, or quick, an estimate from short passes
  time_factor?      positive            UB_TIME_FACTOR: the length of passes and pauses; 1 is the official value
  work_factor?      positive            MULTI_SH_WORK_FACTOR: the length of the shell tests' input; 1 is official
  seed?             whole               of a quick run: the start of the generator that orders the tests
  precision?        positive            of a quick run: the wanted half-width of an index's interval, as a part of it
  max_time_s?       positive            of a quick run: its longest time for each number of copies and all states
  over?             (over)              how the rounds of a quick run were spread over time; null if they were not
  turns?            turns               the states that a quick run measured in turns; null if it had only one
  multiuser?        (users_asked)       the load of the multi-user test, if that test was asked for
  load_change?      (load_change)       the same load, if it differs from the default
  display?          given|virtual       the display of the graphics tests: the user's, or one of Xvfb
  baseline?         official|edited|missing
                                        what index.base was
  replacements?     [replacement]       what was measured instead of something else
  runner?           runner              what measured instead of Run; null for Run
  resumptions?      [moment]            when the run was resumed
  interruption?     interruption        what ended the run early

turns: the states of the machine that a quick run measured in turns
  state             natural             the number of this result's state; 0 is the plain machine
  commands          [text]              the commands under which the other states were measured, or that began them
  off?              text                the command that began state 0; null if copies ran under the commands
  in_a_row?         whole               the passes of a test in a row, in each state, in a round; null for one
  spoilt?           text                why the states can't be compared

runner: what measured instead of Run
  name              text                its name: measure.sh
  is_gated          boolean             whether the copies of a pass started together

replacement: what was measured instead of something else
  name              text                what the program was asked for
  by                text                what it did instead

interruption: what ended a run early
  signal?           text                the signal, such as INT
  problem?          text                the problem, in a line

earlier: how a value varied in earlier runs of this machine, which measured it in the same way
  copies            whole               the copies of each test that ran at once
  kind              test|index|work     what the name is; work: the cycles of a loop of a test
  name              text                the name of a test, or the category of an index
  runs              whole               the runs, at most 50
  squares           unsigned            the sum of the squares of the differences of its logarithms from their mean
  within            unsigned            the mean variance of a logarithm by the passes of its run
  since             moment              when the first of these runs began
  over_s?           positive            the seconds of a run whose rounds show this, if they were spread over time

change: a fact about the machine that changed during the run, or before it was resumed
  at                moment              when that was noticed
  fact              text                the place of the fact, such as cpu.governor
  was?              text                its text before; null if there was none
  is?               text                its text after that; null if there is none

host: the machine, as the head of the text report shows it
  name              text                its name
  system            text                the name of the operating system, from uname
  os?               text                the same, from uname -o
  release?          text                the kernel's release
  version?          text                the kernel's version: how and when it was built
  machine?          text                the architecture, such as x86_64
  platform?         text                the hardware platform, if uname knows it
  graphics?         text                the name of OpenGL's renderer; null without graphics tests
  uptime?           text                the line of the program uptime, and the runlevel
  cpus              [cpu]               the CPUs of the machine, including those that the tests could not use
  cpu_quota?        positive            the CPUs' worth of time that control groups allow; null without a limit
  memory_kb?        positive            the memory

cpu: a CPU of the machine
  id                natural             the kernel's number of it
  model?            text                its model
  bogomips?         unsigned            the kernel's measure of delay loops
  flags?            [text]              the kernel's words for its abilities, on x86 and others
  features?         [text]              the same on ARM

language: the language of the tests
  lang?             text                its name, as in LANG
  charmap?          text                the character set of text
  collate?          text                the character set in which text is sorted

facts: every other fact about the machine that can make a difference
  board?            text                the model of the board, as its device tree names it; null without one
  kernel?           kernel              the kernel of the operating system
  cpu?              processors          the processors
  memory?           memory              the memory
  cgroup?           cgroup              the limits that control groups set
  process?          process             how Run was started, as far as the measured programs inherit it
  virtualization?   virtualization      the names are those of systemd-detect-virt, and some more
  scratch?          scratch             the file system of UB_TMPDIR, where the tests write and read their files
  tools?            tools               name and version of the system's tools that the tests use
  programs?         {text}              the SHA-256 of each program, script and input file that was used
  load?             [number]            the load average of the last 1, 5 and 15 minutes before the run
  suite?            suite               the suite that measured
  graphics?         graphics            what draws, besides the renderer; null without graphics tests
  unread?           [text]              facts that could not be looked at, by their keys: cgroup, process.nice

kernel: the kernel of the operating system
  command_line?     text                the arguments with which the kernel was started
  preemption?       text                its model of preemption: none, voluntary, lazy, full, real-time, dynamic
  clock_source?     text                its source of the time
  hz?               number              ticks of its timer in a second
  mitigations?      {text}              what it does against each weakness of the CPUs
  debug?            [text]              options of its configuration for developers, which slow it down
  settings?         {text}              what sysctl shows, as far as it differs between the states of the run

processors: the processors
  models?           [cpu_model]         each model of CPU
  sockets?          natural             CPU packages
  cores?            natural             cores of all sockets
  threads?          natural             hardware threads of all cores
  numa_nodes?       natural             nodes of memory
  smt?              text                whether cores run several threads: the kernel's word: on, off, notsupported
  microcode?        text                the version of the CPUs' microcode
  governor?         text                what chooses the frequency
  driver?           text                what sets the frequency
  turbo?            text                on or off: more than the nominal frequency
  caches?           [cache]             each kind of cache
  frequency?        frequency           the range of the CPUs' frequencies

cpu_model: a model of CPU
  model?            text                its name
  count             whole               the number of these CPUs

cache: a kind of cache
  level             natural             1 is the nearest to the core
  type              text                Data, Instruction or Unified
  size_kb           number              the size of one
  count             whole               the number of them

frequency: the range of the CPUs' frequencies
  min_mhz?          number              the lowest frequency of any CPU
  max_mhz?          number              the highest frequency of any CPU

memory: the memory
  total_kb?         number              the memory
  swap_kb?          number              the swap space
  huge_pages?       huge_pages          pages of memory larger than the usual 4 KB

huge_pages: pages of memory larger than the usual 4 KB
  transparent?      text                which programs get them unasked: the kernel's word, always, madvise or never
  count?            number              how many are reserved
  size_kb?          number              the size of one

cgroup: the limits that control groups set; null without a limit
  cpus?             number              the CPUs' worth of time
  memory_kb?        number              the memory
  processes?        number              the number of processes
  cpuset?           text                the CPUs, a list such as 0-3,8

process: how Run was started, as far as the measured programs inherit it; null for what is not set
  ld_preload?       text                the variable LD_PRELOAD
  ld_audit?         text                the variable LD_AUDIT
  ld_library_path?  text                the variable LD_LIBRARY_PATH
  glibc_tunables?   text                the variable GLIBC_TUNABLES
  preload_file?     text                the libraries in /etc/ld.so.preload
  class?            text                the scheduling class, such as SCHED_OTHER
  cpus?             text                the CPUs that it may use, if these are not all
  nice?             number              the nice value
  tracer?           text                the program that traced Run, such as strace
  seccomp?          text                the filter of system calls: filter or strict
  variables?        {text}              other variables that change how fast programs run, such as MALLOC_ARENA_MAX
  stack_kb?         natural             the limit of the stack; 0 means unlimited
  memory_kb?        natural             the limit of the address space
  personality?      text                what personality(2) has changed, in hexadecimal digits

virtualization: the kind of virtual machine and container; "none" outside of them
  hypervisor?       text                the hypervisor whose guest the system is
  container?        text                the container in which the suite ran

scratch: the file system of UB_TMPDIR
  file_system?      text                its type, such as ext4
  device?           text                its device
  mount_point?      text                its mount point
  mount_options?    text                its mount options, with commas between them

tools: name and version of the system and its tools that the tests use
  distribution?     text                the distribution
  sh?               text                the shell that is called sh
  sort?             text                the program sort
  grep?             text                the program grep
  libc?             text                the C library
  perl?             text                the Perl that ran the suite

graphics: what draws, besides the renderer
  opengl?           text                the version of OpenGL, which names the release of Mesa
  server?           text                the X server and its release
  screen?           text                the size and the depth of the screen
  session?          text                the session of the user, such as x11, wayland or none; null on a virtual display

suite: the suite that measured
  git_revision?     text                its commit, in a checkout

run: every requested test, for one number of copies
  copies            whole               the copies of each test that ran at once
  started           moment              when it began
  ended             moment              when it ended
  cpu_count         whole               the CPUs that the tests could use
  clock_set_s?      number              the time of day was set by this many seconds; scores do not depend on it
  rounds?           natural             of a quick run: its complete rounds
  interactivity?    (interactivity)     what interactive tests reported besides their scores; only in files
  multiuser?        (multiuser)         what the multi-user test reported besides its score; only in files
  over?             (over_run)          what its rounds show that were spread over time; only in files
  indexes           [index]             the index of each category of which a test with a baseline was measured
  tests             [test]              every test, also without a score, in the order of measuring

test_core: what each form of a test has
  name              text                its name on the command line
  title             text                its title in the reports
  category          $CATEGORY           its category; misc, interactive and multiuser have no index by default
  status            $STATUS             whether it has a score, or the kind of the reason
  reason?           text                why it has no score
  score?            positive            the classic score: without the third of the passes with the lowest counts
  unit?             text                the unit of the score, such as lps, loops a second

test: what is measured, and its score
  + test_core
  command           [text]              the program and its arguments; {scratch} is the copy's own directory
  passes_wanted?    whole               the passes that were asked for; null in a quick run
  time_s?           positive            the mean time of the passes of the score
  samples?          whole               the number of passes of the score
  dropped?          [number]            counts of the third of the passes with the lowest counts, ascending
  kept?             [number]            the counts of the passes of the score, ascending
  spread?           spread              how far the rates of all passes lie apart; only in files
  observed?         (observed)          its system calls, from a short pass after the others
  passes            [pass]              every valid pass, also of tests without a score

pass: all copies of a test, once, started together
  number            whole               from 1; in a quick run the number of the round
  began?            moment              when it began, if the rounds were spread over time
  copies            [copy]              the copies, in order; of 64 or more, some: at quantiles of the rates, and others
  all?              all_copies          the sums of all copies, if only some are in the key copies
  count?            measured            the count of all copies together; missing if the pass failed
  time_s?           measured            the mean time of the copies; missing if the pass failed
  timebase?         timebase            the rate is count / (time_s / timebase), or count if this is 0
  unit?             text                the unit of the rate; missing if the pass failed
  error?            text                why it failed
  where?            text                of a failed pass: the pass and the copy, in words
  tags?             [tag]               the disturbances; missing if the pass was not watched
  steal?            unsigned            the part of the CPU time that the hypervisor gave to others; missing if unknown
  set_aside?        [set_aside]         disturbed short passes that this one replaced; no score includes them
  noticed?          noticed             seen before the pass, without judgement
  sensors?          sensors             what the sensors of the CPUs showed; missing if there are none
  used?             used                what its copies and their children used; missing if they ran under a daemon

all_copies: all copies of a pass
  copies            whole               their number
  elapsed_s         unsigned            the sum of their elapsed_s

tag: a disturbance of a pass
  cause             text                its cause, such as steal; docs/trust.md has a table of them
  level             note|disturbed      whether it is minor, or the pass is disturbed
  value             unsigned            how much of it, in the unit of the cause
  by?               [by_process]        the processes that used most CPU time since the pass before, the busiest first
  seen?             unsigned            how many CPUs all processes used that are seen from here, and are not ours

by_process: a process that used CPU time
  name              text                the name of its command, printable
  pid               natural             its number; in a summary, 0 stands for several
  cpus              unsigned            how many CPUs it used; of several passes the greatest number
  passes?           whole               of several passes: in how many it was among those that used most

set_aside: a short pass that was repeated
  count?            measured            as of a pass
  time_s?           measured            as of a pass
  tags              [tag]               why it was repeated

sensors: what the sensors of the CPUs showed
  degrees?          [number]            Celsius, of the hottest one: before and after the pass
  mhz?              [positive]          the highest of the present frequencies, as the kernel says: before and after it
  highest_mhz?      [positive]          the highest frequency of the slowest CPUs, and that of the fastest

noticed: seen before a pass, without judgement
  cpu_time?         cpu_time            in the first pass of a round that was spread over time: since the system started

cpu_time: CPU time of all CPUs
  all_s             unsigned            the seconds
  idle_s            unsigned            those in which a CPU had nothing to do, or waited for a disk
  steal_s           unsigned            those that the hypervisor gave to others
  booted?           moment              when the system started

used: what the copies of a pass and their children used; without span_s from their start to their end, in steps of 10 ms
  span_s?           unsigned            the seconds of all copies for which they used the rest, as their programs report
  user_s?           unsigned            CPU time in user mode
  kernel_s?         unsigned            CPU time in the kernel
  minor_faults?     natural             page faults that the kernel served from memory
  major_faults?     natural             page faults that it served from a disk
  clock_mhz?        positive            right after the pass: the steps of a chain of operations, a microsecond

used_alone: what the process of a copy used, without its children
  ran_s             unsigned            its time on a CPU; that of its children, too, if its program reports it
  waited_s          unsigned            its time of waiting for a CPU
  switches?         natural             how often it had to wait for something else
  forced_switches?  natural             how often others got its CPU

copy: one process of a test
  pid               natural             the number of its process
  elapsed_s         number              from its start, or from the gate, to its end
  status            natural             its exit status
  signal            natural             the number of the signal that killed it, or 0
  error?            text                why it failed
  gated             boolean             whether it waited at the gate and started together with the others
  tracer?           text                the name of a program that traced it when it reported
  count?            number              the line COUNT; missing if the copy failed, as the next three
  time_s?           number              the line TIME; elapsed_s without such a line
  timebase?         number              the seconds of the unit of a rate, or 0 if the count is the rate
  unit?             text                the unit of the rate
  used?             used_alone          what it used, without its children; missing if there are many copies
  data              {[text]}            the values of each line on its standard error; \\x80 to \\xff is not UTF-8

spread: how far the rates of all passes lie apart
  passes            whole               the number of passes
  cv?               unsigned            the coefficient of variation: standard deviation / mean; null for one pass
  modes?            [mode]              the two values around which the rates gather, if there are two
  estimate          estimate            the score, from all passes

mode: a value around which rates gather
  rate              positive            the geometric mean of the rates of this mode
  share             positive            the part of the passes

estimate: a value that was measured several times; all but the value are null for one pass
  value             positive            the geometric mean, or, of a quick run, the score or index
  low?              positive            the lower end of its 95 % interval
  high?             positive            the upper end of its 95 % interval
  log_se?           unsigned            the standard error of its natural logarithm
  df?               positive            the degrees of freedom of that

index_core: what each form of an index has
  category          $CATEGORY           its category
  title             text                the title of the category in the reports
  complete          boolean             whether all baseline tests of the category were measured
  index?            positive            the classic index: 10 times the geometric mean of score / baseline
  lacking?          lacking             why it has no number: the tests that were asked for and not measured

index: the index of a category
  + index_core
  mean_of_others?   mean_of_others      without a number: the mean of the measured tests; it is never compared
  estimate?         estimate            the index from all passes; only in files
  rows              [row]               the measured tests of the category, in the order of the reports

lacking: the tests of an index that were asked for and not measured
  failed            natural             tests that failed
  interrupted       natural             tests that were interrupted, or not begun
  skipped           natural             tests that were skipped
  is_all_asked      boolean             whether all tests of the index were asked for

mean_of_others: the mean of the measured tests of an index without a number
  value             positive            the geometric mean of their indexes
  tests             whole               their number
  estimate?         estimate            the same from all passes; only in files

row: a test of an index
  name              text                its name on the command line
  title             text                its title in the reports
  baseline?         positive            the score in index.base that has the index 10; null if index.base lacks the test
  score             positive            the classic score
  index?            positive            10 * score / baseline; null without a baseline

summary: what comparisons and verdicts need
  has_passes        boolean             whether the result has passes; a text report has none
  version?          text                the version of the suite
  name?             text                the machine's name
  system?           text                the name of its operating system
  started?          moment              when the first run began
  ended?            moment              when the last run ended
  first_rate?       unsigned            what the first copy counted a second; it tells the run from others of that start
  follows?          moment              as in the result
  date?             text                the start in local time, such as 2026-11-20T02:12:30+00:00
  procedure         procedure           how the tests were measured
  flags?            text                the compiler's flags
  facts             {text}              what may explain differences: a text for each fact, such as cpu.governor
  program_facts     {text}              the same for facts about programs that were run
  facts_unread?     [text]              the keys of facts that could not be looked at
  files             summary_files       the measured files
  labels?           {text}              the labels of the run
  notes             [text]              the notes of the result
  trust?            trust               how far the result can be trusted
  runs              [summary_run]       the runs, without their passes

summary_files: the measured files, with the first 16 digits of their SHA-256
  programs          {text}              programs and scripts of the suite
  inputs            {text}              input files and the baseline

trust: how far a result can be trusted
  level             $TRUST              in one word; docs/trust.md has the limits
  passes            natural             the passes
  disturbed?        natural             the passes that were disturbed; null if some were not watched
  loaded?           natural             those that other load disturbed; null likewise
  limited?          natural             those that a limit of the machine disturbed, such as a quota
  tests             natural             the tests that were measured
  failed            natural             the tests that failed
  is_interrupted    boolean             whether the run was interrupted
  noisy             natural             the tests that vary by more than 5 %
  worst?            worst_cause         the cause that disturbed most passes
  also?             worst_cause         that of the other sort, of other load and the machine itself
  half_width?       unsigned            the largest half-width of the intervals of the indexes, as a part of 1
  steal?            unsigned            of a virtual machine: the part of the CPU time that others got

worst_cause: the cause that disturbed most passes
  cause             text                the cause, as in the tags of passes
  passes            whole               the passes that it disturbed
  worst             unsigned            its worst value
  by?               [by_process]        the process that used most CPU time

summary_run: a run without its passes
  copies            whole               the copies of each test that ran at once
  cpu_count?        whole               the CPUs that the tests could use
  started?          moment              when it began
  ended?            moment              when it ended
  rounds?           natural             of a quick run: its complete rounds
  tests             [summary_test]      every test, also without a score, in the order of measuring
  indexes           [summary_index]     the index of each category that has one

summary_test: a test without its passes
  + test_core
  baseline?         positive            the score in index.base that has the index 10
  passes?           natural             the passes of estimate and cv
  cv?               unsigned            the coefficient of variation: standard deviation / mean
  modes?            [mode]              the two values around which the rates gather, if there are two
  estimate?         estimate            the score, from all passes
  repeat?           repeat              how much it varies from run to run
  + of_load
  turns?            passes_in_turns     its passes, if states were measured in turns
  work?             work                what its copies used

work: what a copy of a test used, the mean over all passes; a loop is what the score counts
  rate              positive            loops a second
  own?              boolean             whether CPU times and faults are those of the work, without preparation
  cpu?              unsigned            CPU seconds a second, with those of children
  cpu_s?            unsigned            the CPU seconds of all copies and passes, in steps of 10 ms
  user?             unsigned            the part of them in user mode
  clock_mhz?        positive            the clock of the CPUs, as in the passes
  cycles?           estimate            the cycles of a loop, in steps of the clock program; null if too few passes
                                        tell, or if stolen time may count as CPU time
  repeat?           repeat              how much these vary from run to run
  waited?           unsigned            seconds a second for which the process of a copy waited for a CPU
  per_loop          {unsigned}          counts a loop: faults, with children; switches and forced, without them; calls
  errors?           errors_of_work      the relative variances of these means; null for a single pass

errors_of_work: variances of means over passes, each as a part of the square of its mean
  df                whole               the degrees of freedom
  cpu               unsigned            of the CPU seconds a second
  clock?            unsigned            of the clock
  loop              unsigned            of the CPU seconds a loop
  user?             unsigned            of the cycles a loop in user mode, as a part of all cycles a loop
  kernel?           unsigned            of those in the kernel
  both?             number              their covariance

passes_in_turns: the passes of a test whose states were measured in turns
  rounds            [natural]           the numbers of the rounds, from 0, in which it has a pass
  rates             [positive]          the rates of these passes
  loaded            [natural]           the numbers of the rounds in which other load disturbed its pass
  start?            unsigned            the part of its passes that the start of the state's command takes; null if its
                                        program reports the time of its work
  work_rounds       [natural]           the numbers of the rounds in which the cycles of a loop are known
  works             [positive]          these cycles

summary_index: an index without its rows
  + index_core
  mean_of_others?   mean_of_others      without a number: the mean of the measured tests; it is never compared
  estimate?         estimate            the index from all passes
  repeat?           repeat              how much it varies from run to run
  tests             [text]              the names of the tests in it
  place?            text                where the two processes of context1 were, as in the result
  without_place?    positive            the index without context1, as a multiple of it, for results with other places
  + of_load

repeat: how much a value varies from run to run, beyond what its passes explain; null without an interval
  known             boolean             whether earlier runs show it, not what is assumed
  assumed           own|virtual|passes|days|work
                                        what was assumed: what is usual of machines of one's own, of virtual ones, a
                                        share of the deviation of the passes; if the rounds of this run were spread
                                        over time, what is usual from day to day; or what is usual of work
  deviation         unsigned            the standard deviation of the logarithms from run to run
  df                positive            its degrees of freedom: the assumption counts as eight
  runs              natural             the earlier runs that count
  since?            moment              when the first of them began
  over_s?           positive            the seconds of the run that shows it, if its rounds were spread over time
  within            unsigned            the half-width of the interval of this run, as a part of the value
  next              unsigned            the next run lies within this half-width with 95 %, as a part of the value

of_load: which passes other load disturbed, and the estimate of the others; null without a score
  other_load?       [other_load]        the other load during the passes
  quiet?            quiet               the passes that other load did not disturb
  bounds?           bounds              what limits the value without other load; null if it disturbed no pass

other_load: a cause of other load
  cause             text                the cause, as in the tags of passes
  worst             unsigned            its worst value
  passes            whole               the passes that have the cause
  badly             natural             the passes that it disturbed
  by?               [by_process]        the process that used most CPU time

quiet: the passes that other load did not disturb
  passes            natural             their number
  of                natural             the number of all passes; of an index, in all its tests
  is_enough         boolean             whether each test has at least three of them
  slowed?           unsigned            by how much minor other load may have slowed them, as a part of 1
  estimate?         estimate            the value of these passes alone; null if they are all passes, or not enough

bounds: what limits a value without other load
  raised            positive            the factor by which it raised the value at most
  explains?         positive            the factor by which it lowered the value at most, by the CPU time of the copies
                                        and a margin; null if that is unknown, or if the test waits for disks or
                                        processes
  floor             estimate            what the passes reach, with what they vary on a quiet machine
  at_least          positive            the value is at least this, the lower end of floor divided by raised
  at_most?          positive            the value is at most this; null without a ceiling
  is_floor          boolean             whether other load disturbed more than a quarter of the passes, so that reports
                                        show at_least only

gain: the scaling: what several copies do, compared with the fewest
  copies            [whole]             the numbers of copies, ascending
  tests             [gain_of_test]      the tests that were measured with at least two numbers of copies
  indexes           [gain_of_index]     the same of the indexes

gain_of_test: the scaling of a test
  name              text                its name on the command line
  title             text                its title in the reports
  at                [at_copies]         for each number of copies

gain_of_index: the scaling of an index
  category          $CATEGORY           its category
  title             text                the title of the category in the reports
  complete          boolean             whether the index is complete with each number of copies
  at                [at_copies]         for each number of copies

at_copies: the scaling with one number of copies
  copies            whole               the number of copies
  index?            positive            the classic index
  gain?             number              over the fewest copies, as a part of 1; null for these
  efficiency?       positive            what each copy does, as a part of what each of the fewest does

remark: a warning
  kind              text                its subject, in a word
  seen              text                what was seen
  advice            text                what to do
  run?              natural             the place in runs, from 0, of the run that it is about; null if it is about all
  test?             text                the name of the test that it is about

report: the file of report --json for a text report
  format            =unixbench-report   distinguishes such a file from all others
  schema            =1                  the version of this description
  version           text                the version of the suite that read the text
  summary           summary             what the text says

comparison: the file of compare --json: two or more results, each compared with the first one
  format            =unixbench-comparison
                                        distinguishes such a file from all others
  schema            =1                  the version of this description
  version           text                the version of the suite that compared
  outcome           done|slower|open|incomplete
                                        exit status 0, 3 (slower), 4 (open) or 1 (incomplete): see docs/comparing.md
  findings          [text]              the verdicts in words: those on the indexes
  remarks           [text]              what differs or is unknown, runs that are needed, trust, what was left out
  min_effect        unsigned            the least difference that matters, as a part of 1
  fail_on?          [text]              the names that --fail-on gave; null: the indexes decide
  sides             [side]              what was compared, in the order of the command line
  differences       [difference]        the facts in which the machines differ
  pairs             [pair]              each two runs that were compared
  groups?           groups              the table of --by; null without this option

groups: groups of results, or states of one run, each compared with the first one, A
  by?               text                the label or the fact that the groups differ in; null for states of a run
  min_effect        unsigned            the least difference that matters, as a part of 1
  groups            [group]             the groups; A is the first one
  also_differs      [difference]        other facts in which they differ: the comparison is confounded
  tables            [group_table]       a table for each number of copies

group: a group of results, or a state of a run
  letter            text                A, B and so on
  name              text                its value of the label or the fact, or the command of the state
  runs?             whole               the number of its runs; null for a state of a run
  about?            text                more about it, such as the names of its results

group_table: what was compared for a number of copies
  copies            whole               the copies of each test in the runs of A
  rounds?           natural             of states: the number of rounds that count
  left_out?         natural             of states: the number of rounds of an incomplete set of orders
  rows              [group_row]         the tests in the order of their titles, then the indexes, then a mean

group_row: a test, an index, or the geometric mean of the ratios of all tests
  kind              test|index|mean     which of these it is
  name?             text                of a test: its name on the command line; of an index: its category
  title?            text                its title in the reports
  complete?         boolean             of an index: whether all its tests were measured
  unit?             text                of a test: the unit of the score
  first?            estimate            the score or index of A
  others            [group_ratio]       the other groups, in their order

group_ratio: a group compared with A
  letter            text                its letter
  ratio?            estimate            the group / A; null if this was not compared
  verdict?          $VERDICT            by the interval of the ratio; unknown if it has none
  bound?            bound               the verdict follows in spite of other load, from this limit of the ratio
  work?             by_work             what the cycles of a loop say: in turns, or if other load leaves it open
  is_disturbed?     boolean             whether other load disturbed passes of it
  overhead_s?       number              of a state: how much longer a loop takes than in A
  remarks           [text]              why it was not compared, or why its verdict is open

side: a side of a comparison: one result, or several results of one state
  letter            text                A, B and so on
  group?            text                with --by: the value of its group
  results           [side_result]       its results

side_result: a result that was compared
  file              text                its path
  has_passes        boolean             whether it has passes; a text report has none
  version?          text                the version of the suite that measured
  host?             text                the machine's name
  date?             text                the start in local time
  kind?             official|quick      the procedure; null if a text report does not tell it
  trust?            $TRUST              how far it can be trusted; null for a text report
  notes             [text]              its notes

difference: a fact in which the machines differ
  label             text                the fact
  values            [value_of_side]     what it is on each side

value_of_side: a fact on a side
  side              text                the letter
  text?             text                the fact there; null if it is unknown or missing

fact_apart: a fact that differs
  key?              text                its key, such as kernel.mitigations.meltdown
  label             text                the fact
  first?            text                on the first side; null if it is unknown
  second?           text                on the second side

pair: two runs that were compared
  first             text                the letter of the first side
  second            text                the letter of the second side; ratios are second / first
  first_copies?     whole               the copies of each test in the first run; null if a text report lacks them
  second_copies?    whole               the same in the second run; different numbers never decide
  is_mixed          boolean             a quick estimate against an official result, which never decides
  indexes           [compared]          each index
  mean?             compared            the geometric mean of the ratios of all tests
  tests             [compared]          each test that was measured in both runs
  lacking           [lacking_test]      the other tests
  why               (why)               the factors of the ratios

compared: an index, a test or a mean that was compared
  name?             text                of a test: its name on the command line
  category?         $CATEGORY           of an index: its category
  title?            text                of a test or an index: its title in the reports
  unit?             text                of a test: the unit of the score
  complete?         boolean             of an index: whether all its tests were measured
  why_not?          text                of an index: why it was not compared; the next keys are null then
  first?            estimate            the score or index of the first side
  second?           estimate            that of the second side
  ratio?            estimate            second / first; the interval of a mixed pair is wider than its log_se says
  verdict?          $VERDICT            by the interval of the ratio; unknown if it has none
  deviation?        unsigned            if a side has several runs: the standard deviation of their logarithms
  runs_needed?      whole               if only the scatter leaves it open: the runs of each side that show the least
                                        difference that matters; 1000 also stands for more
  bound?            bound               the verdict follows in spite of other load, from this limit of the ratio
  work?             by_work             what the cycles of a loop say: in turns, or if other load leaves it open
  causes            [load_of_side]      the other load, if it leaves the verdict open, or if there is a bound

bound: a limit of a ratio that other load can't explain
  ratio             positive            without other load, it is at least this if it is above 1, else at most this

by_work: what the cycles of a loop say of a ratio
  cycles            estimate            the cycles of a loop in the second, divided by those in the first
  margin            positive            the factor by which other load may have changed that
  tests             whole               the tests that it is about
  of                whole               all tests of the value
  other             waiting|clock       what else differs more
  is_open?          boolean             whether other load leaves the rates open, not only their scatter
  decides?          boolean             whether the verdict is theirs
  is_against?       boolean             whether they contradict the rates

load_of_side: a cause of other load on a side
  side              text                the letter
  + other_load
  of                natural             all passes of the side
  seen              text                the same in words

lacking_test: a test that was not compared
  name              text                its name on the command line
  title             text                its title in the reports
  first?            text                why the first side lacks it
  second?           text                why the second side lacks it
END

my (@types, %type_of, %shape_of);

# What features declare, see "types" in UnixBench::Features: declarations, or modules whose sub types returns one.
my @OF_FEATURES = UnixBench::Features::list('types');
my @DOCUMENTS   = sort { $a->{of} cmp $b->{of} } grep { ref } @OF_FEATURES;

# The types of whole files, by the names of their JSON Schemas.
my %DOCUMENT = (result => 'document', map { $_ => $_ } 'comparison', 'report', map { $_->{of} } @DOCUMENTS);

# Returns { name of a JSON Schema => the type of the file that it describes }.
sub documents { return \%DOCUMENT }

# Returns the types in the order of their declaration: { name, meaning, keys => [{ key, is_optional, type, meaning },
# ...] }. Instead of a key, { includes } stands for the keys of another type.
sub types {
    _declare_result();
    _declare(map { loaded($_->{module})->can('types')->() } splice @DOCUMENTS);
    return @types;
}

sub _declare_result {
    _declare($DECLARATION, grep { !ref } @OF_FEATURES) if !@types;
    return;
}

sub _declare {
    my (@texts) = @_;
    for my $block (map { split /\n\n+/ } @texts) {
        my ($name, $meaning, $lines) = $block =~ /\A(\w+): (\N+)\n(.*)/s;
        push @types, { name => $name, meaning => $meaning, keys => [_keys_in($lines)] };
        $type_of{$name} = $types[-1];
    }
    return;
}

# Takes the name of a type; returns its keys, also those that it includes.
sub keys_of {
    my ($name) = @_;
    _declare_result();
    types() if !$type_of{$name};
    return map { $_->{includes} ? keys_of($_->{includes}) : $_ } @{ $type_of{$name}{keys} };
}

# Takes the name of a type; returns its shape, see UnixBench::Base::Shape. It is the same one at each call.
sub shape {
    my ($name) = @_;
    return $shape_of{$name} ||=
        { map { $_->{key} . ($_->{is_optional} ? q{?} : q{}) => is_unknown($_) ? 'anything' : _shape_of($_->{type}) }
            keys_of($name) };
}

# Takes the schema and the version of a result. Returns nothing if this version can read it, and otherwise the names of
# the version that wrote it and of this one.
sub other_writer {
    my ($schema, $version) = @_;
    return if defined $schema && $schema =~ /\A[1-9][0-9]{0,5}\z/ && $schema >= SCHEMA_LEAST && $schema <= SCHEMA;
    return (writer($version), "version $UnixBench::Version::VERSION");
}

# Takes the version of a result; returns it in words.
sub writer {
    my ($version) = @_;
    my $is_known = defined $version && $version =~ /\A[0-9]+(?:[.][0-9]+){1,3}\z/;
    return $is_known
        && $version ne $UnixBench::Version::VERSION ? "UnixBench $version" : 'another version of UnixBench';
}

# Takes the schema and the formulas of a file, undef if it has none; returns whether this version would compute the same
# summary.
sub has_own_formulas {
    my ($schema, $formulas) = @_;
    return $schema <= SCHEMA && ($formulas // q{}) eq FORMULAS;
}

# Takes a key of keys_of(); returns whether no feature declares its type that is here.
sub is_unknown {
    my ($key) = @_;
    return $key->{is_of_feature} && !$type_of{ $key->{type} =~ s/[\[\]]//gr };
}

sub _shape_of {
    my ($type)  = @_;
    my ($item)  = $type =~ /\A\[(.+)\]\z/;
    my ($value) = $type =~ /\A\{(.+)\}\z/;
    my ($only)  = $type =~ /\A=(.+)\z/;
    return [_shape_of($item)] if defined $item;
    return { '*' => _shape_of($value) } if defined $value;
    return $only =~ /[^0-9]/ ? qr/\A\Q$only\E\z/ : 'whole' if defined $only;
    return qr/\A(?:$type)\z/ if $type =~ /[|]/;
    return $type_of{$type} ? shape($type) : $type;
}

sub _keys_in {
    my ($lines) = @_;
    my @keys;
    for my $line (split /\n(?=  \S)/, $lines) {
        my ($included) = $line =~ /\A  [+] (\w+)/;
        my ($key, $mark, $of_feature, $type, $about) = $line =~ /\A  (\w+)([?]?) +([(]?)([^\s)]+)[)]?\s+(\N+)/;
        push @keys,
            defined $included
            ? { includes => $included }
            : {
            key           => $key,
            is_optional   => length $mark,
            type          => $type,
            is_of_feature => length $of_feature,
            meaning       => $about
            };
    }
    return @keys;
}

1;
