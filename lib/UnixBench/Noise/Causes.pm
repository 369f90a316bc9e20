package UnixBench::Noise::Causes;

# The table of the causes of disturbances. It is the only place that knows a cause: how it is measured and judged, what
# it means, and its texts.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Text  qw(counted percent shown);
use UnixBench::Base::Proc  qw(TICK_S);
use UnixBench::Noise::Late qw(growth);

use constant {
    ANY            => 1e-9,    # any value above 0
    FEW            => 10,      # faults: kernels that reclaim unused memory always cause a few
    REST_LEAST_S   => 0.9,     # a shorter rest is not judged
    WINDOW_LEAST_S => 0.1,     # a shorter pass is not judged: programs take milliseconds to start
};

# Copies did not wait for other processes below these parts of their time: if they had CPUs that were free, and if they
# filled all CPUs, below what is noted as other load of one copy. CPUs of others are known to UNSURE_CPUS.
use constant { WAITED_FREE => 0.01, WAITED_FULL => 0.02, UNSURE_CPUS => 0.05 };

# Each CPU time is rounded at both ends. So its growth is off by up to one tick; the standard deviation of this error is
# TICK_S / sqrt 6. The value of "others" is a sum of seven CPU times: three from /proc/stat and four from times(2). This
# is about three standard deviations of that sum.
use constant UNSURE_S => 0.03;

# Kernel threads clean up after our processes and write their files. In measurements of all programs this took at most
# 4.4 % of our CPU time and 15 % of our time in the kernel.
use constant { SERVED => 0.05, SERVED_IN_KERNEL => 0.2 };

# The causes, the most important first. A row without lasts makes a quick run repeat a disturbed pass, and one without
# load leaves no verdict open. The keys of a row:
#   name              the cause in results
#   value             function that takes what was seen (see UnixBench::Noise::Disturbances) and returns the value, or
#                     undef if it is unknown
#   note, disturbed   the limits of the two levels, each a number, a function of what was seen, or undef. From a limit
#                     on, the value has this level; if is_low_worst, below it
#   limits            the two limits as texts for docs/trust.md, if they are functions
#   is_low_worst      the lowest value is the worst
#   lasts             it belongs to the machine or lasts longer than a second, so a repetition does not avoid it
#   in_cpu_time       what it takes may count as CPU time of the copies
#   load              it is other load, on "cpu", "disk" or "memory". Steal and quotas never are: they belong to the
#                     machine as delivered
#   slows_by_value    at the level "note", the value is the fraction by which a pass may be too slow
#   is_of_displays    it is not judged for graphics tests: the X server of a given display works for the test
#   is_whole          it applies to the whole run, not to single passes
#   by_load           other load may be its reason, and is then what the user can do something about
#   title             the cause in short
#   amount            function that takes the value and returns it with its unit
#   worst             the same, for {worst} in a sentence (default: amount)
#   brief             of other load: function that takes the value and returns what the load did, in a few words
#                     (default: title and amount)
#   what              what is measured, for docs/trust.md
#   seen, advice      what was seen in a pass, and what to do. {... STEPS ...} is left out if no feature knows a step
#                     after this cause, see UnixBench::Features::steps. {worst} is the worst value; {most} is
#                     the same, with "up to" after a run. If is_whole, seen is a sentence, else what follows the number
#                     of passes
#   in_cpus           the value is the CPUs that processes used
#   advice_if_unknown the advice if no process is known
#   before            { seen, advice }: those texts that differ before a run, when nothing was measured yet. They
#                     are sentences. Without this key, the cause is not looked for before a run
#<<< a table
our @CAUSES = (
    {
        name   => 'steal',
        value  => \&stolen,
        note   => 0.01, disturbed => 0.05,
        lasts  => 1, in_cpu_time => 1,
        title  => 'steal',
        amount => \&percent,
        what   => 'CPU time that the hypervisor gave to others',
        seen   => 'the hypervisor kept CPUs waiting for {most} of the time',
        advice => "The host may be oversold{: see STEPS}. Steal that stays is the machine's.",
        before => {},
    },
    {
        name   => 'others',
        value  => sub { my $cpus = _others($_[0]); return _is_elsewhere($_[0], $cpus) ? undef : $cpus },
        note   => 0.02, disturbed => 0.10,
        load   => 'cpu', in_cpus => 1, slows_by_value => 1, is_of_displays => 1,
        title  => 'other processes',
        amount => sub { sprintf '%.2f CPUs', $_[0] },
        brief  => sub { sprintf '%.2f CPUs used', $_[0] },
        what   => 'CPU time of other processes',
        seen   => 'other processes used {most}',
        advice => 'Stop them. A service that must run is part of what you measure.',
        advice_if_unknown => 'Stop them. On that machine, {STEPS or }top names those that still run.',
        before => {},
    },
    {
        name   => 'elsewhere',
        value  => sub { my $cpus = _others($_[0]); return _is_elsewhere($_[0], $cpus) ? $cpus : undef },
        note   => 0.10,
        load   => 'cpu', in_cpus => 1, is_of_displays => 1,
        title  => 'other processes elsewhere',
        amount => sub { sprintf '%.2f CPUs', $_[0] },
        brief  => sub { sprintf '%.2f CPUs used elsewhere', $_[0] },
        what   => 'CPU time of other processes, while copies that always work did not wait',
        seen   => 'other processes used {most}, for which the copies did not wait',
        advice => 'Stop them if they use much memory.',
    },
    {
        name   => 'waited',
        value  => \&_waited,
        disturbed => 0.05,
        load   => 'cpu',
        title  => 'waiting for a CPU',
        amount => \&percent,
        brief  => sub { 'copies waited ' . percent($_[0]) },
        what   => 'time that CPUs could have given to copies that always work, but did not',
        seen   => 'copies could have run, but did not, for {most} of the time',
        advice => 'Look for other load, and for programs that move, bind, freeze or limit processes. Measure again.',
    },
    {
        name   => 'another_run',
        value  => sub { $_[0]{other_runs} },
        note   => 1,
        load   => 'cpu',
        title  => 'another Run',
        amount => _count_of('other Run', 'other Runs'),
        brief  => _count_of('other Run', 'other Runs'),
        what   => 'other calls of Run that measured on this machine at the same time',
        seen   => '{worst} measured on this machine at the same time',
        advice => 'Measure again, one Run after the other.',
        before => {
            seen   => 'Measuring on this machine now: {worst}.',
            advice => 'Wait until it has ended.',
        },
    },
    {
        name   => 'throttled',
        value  => _grown('throttled'),
        disturbed => ANY,
        lasts  => 1,
        title  => 'CPU quota',
        amount => _count_of('stop', 'stops'),
        what   => 'the CPU quota of a control group stopped the copies',
        seen   => 'the CPU quota of a control group stopped the copies, with {most} in a pass',
        advice => 'Raise the quota, or ask the provider. It is cpu.max, or --cpus of a container. Fewer copies help.',
        before => { seen => 'The CPU quota of a control group stopped processes: {worst}.' },
    },
    {
        name   => 'refused',
        value  => sub { $_[0]{refused} },
        disturbed => ANY,
        lasts  => 1,
        title  => 'refused processes',
        amount => _count_of('refusal', 'refusals'),
        what   => 'the system refused to start a process',
        seen   => 'the system refused to start processes, with {most} in a pass',
        advice => 'Raise pids.max of the control group, and the limit of processes: ulimit -u.',
    },
    {
        name   => 'late',
        value  => sub { $_[0]{late_s} },
        disturbed => sub { UnixBench::Noise::Late::limit_s($_[0]{asked_s}) },
        limits => [q{}, '5 % of the seconds, and 0.1 s'],
        by_load => 1,
        title  => 'late',
        amount => sub { sprintf '%.1f s', $_[0] },
        what   => 'copies ended later than asked for, beyond the time of one loop',
        seen   => 'the copies ended {most} too late',
        advice => 'Look for a debugger, a frozen control group or too many copies, and measure again.',
    },
    {
        name   => 'thermal',
        value  => sub { _signs($_[0], qw(events hot), growth(@{ $_[0] }{qw(before after)}, 'thermal')) },
        disturbed => ANY,
        lasts  => 1,
        title  => 'heat',
        amount => _count_of('event', 'events'),
        what   => 'a CPU was slowed down because it was too hot, as the kernel or the firmware says',
        seen   => 'CPUs were slowed down because they were too hot, with {most} in a pass',
        advice => 'Check fans, dust and airflow, or let the machine cool down.',
        before => { seen => 'CPUs were slowed down because they are too hot: {worst}.' },
    },
    {
        name   => 'low_voltage',
        value  => sub { _signs($_[0], qw(voltage_events low_voltage)) },
        disturbed => ANY,
        lasts  => 1,
        title  => 'low voltage',
        amount => _count_of('event', 'events'),
        what   => 'the supply voltage was too low, as the firmware says',
        seen   => 'the supply voltage was too low, with {most} in a pass',
        advice => 'Use another power supply or cable.',
        before => { seen => 'The supply voltage was too low: {worst}.' },
    },
    {
        name   => 'slow_clock',
        value  => sub { $_[0]{clock_below} },
        disturbed => 0.12,
        lasts  => 1,
        title  => 'slower clock',
        amount => \&percent,
        what   => 'the clock right after it was below that of other passes: throttled by heat or governor',
        seen   => 'the clock was throttled by heat or governor, {most} below that of other passes',
        advice => 'Check cooling, the power supply and the frequency governor.',
    },
    {
        name   => 'swap',
        value  => _rate('swap'),
        note   => ANY, disturbed => 100,
        title  => 'swapping',
        amount => _count_of('page a second', 'pages a second'),
        what   => 'pages swapped in or out',
        seen   => 'memory was swapped, {most}',
        advice => 'Stop programs that use much memory, or run fewer copies.',
        before => { seen => 'Memory is being swapped: {worst}.' },
    },
    {
        name   => 'major_faults',
        value  => _rate('major_faults'),
        note   => FEW, disturbed => 100,
        title  => 'major page faults',
        amount => _count_of('fault a second', 'faults a second'),
        what   => 'pages of programs that were read from disk',
        seen   => 'parts of programs were read from the disk, {most}',
        advice => 'Measure again: programs stay in memory once they are read, unless memory is short.',
    },
    {
        name   => 'run_queue',
        value  => sub { defined $_[0]{running} && !_did_not_wait($_[0]) ? $_[0]{running} - 1 : undef },
        note   => 1, disturbed => sub { $_[0]{usable_cpus} },
        limits => ['1 process', 'one per CPU'],
        load   => 'cpu',
        title  => 'waiting processes',
        amount => sub { sprintf '%.0f', $_[0] },
        worst  => _count_of('other process', 'other processes'),
        brief  => _count_of('process waited', 'processes waited'),
        what   => 'just before: other processes that wanted to run',
        seen   => '{most} wanted to run just before',
        advice => 'Stop programs that you do not need.',
        before => {},
    },
    {
        name   => 'pressure_cpu',
        load   => 'cpu',
        _pressure('cpu_us', 'CPUs', 'a CPU'),
        advice => 'Stop programs that you do not need.',
        before => {},
    },
    {
        name   => 'pressure_io',
        load   => 'disk',
        _pressure('io_us', 'disks', 'disks'),
        advice => 'Stop programs that read or write many files.',
        before => {},
    },
    {
        name   => 'pressure_memory',
        load   => 'memory',
        _pressure('memory_us', 'memory', 'memory'),
        advice => 'Stop programs that use much memory.',
        before => {},
    },
    {
        name   => 'affinity',
        value  => \&_cpus_allowed,
        note   => sub { $_[0]{cpus}{online} }, disturbed => sub { $_[0]{copies} },
        limits => ['fewer than exist', 'fewer than copies'],
        lasts  => 1, is_low_worst => 1, is_whole => 1,
        title  => 'CPUs allowed',
        amount => _count_of('CPU', 'CPUs'),
        what   => 'CPUs that the run may use',
        seen   => 'The tests can use only {worst} of those that are online.',
        advice => 'To measure the whole machine, start ./Run without taskset and outside a restricted control group.',
        before => {},
    },
    {
        name   => 'overlap',
        value  => \&_overlap,
        disturbed => 0.95,
        is_low_worst => 1, by_load => 1,
        title  => 'copies not together',
        amount => \&percent,
        what   => 'in a quick run: the time in which all copies ran together',
        worst  => sub { percent(1 - $_[0]) },
        seen   => 'for {most} of a pass, not all copies were running',
        advice => 'Stop programs that keep CPUs busy, or make an official run, whose passes are longer.',
    },
);
#>>>

# Returns the names of all causes, the most important first.
sub names {
    return map { $_->{name} } @CAUSES;
}

# Takes the name of a cause; returns its row. A cause of a newer release is unknown: its row has only texts.
sub row {
    my ($name) = @_;
    my $shown = shown($name);
    return named($name)
        || {
        name   => $name,
        title  => $shown,
        amount => sub { sprintf '%.6g', $_[0] },
        seen   => "a disturbance that this version does not know: $shown, {most}",
        advice => 'Read the report of that release.',
        };
}

# Takes the name of a cause; returns its row, or undef.
sub named {
    my ($name) = @_;
    return List::Util::first { $_->{name} eq $name } @CAUSES;
}

# Takes the name of a cause, and a key of a row; returns the value, or undef if the cause is unknown or has no such key.
sub has {
    my ($name, $key) = @_;
    my $cause = named($name);
    return $cause ? $cause->{$key} : undef;
}

# Takes the name of a cause and values; returns the worst of them.
sub worst {
    my ($name, @values) = @_;
    return has($name, 'is_low_worst') ? List::Util::min(@values) : List::Util::max(@values);
}

# Takes a row; returns the limits of the levels "note" and "disturbed" as texts, for docs/trust.md.
sub limits_in_words {
    my ($cause) = @_;
    return @{ $cause->{limits} } if $cause->{limits};
    return map { _limit_in_words($cause, $_) } @$cause{qw(note disturbed)};
}

sub _limit_in_words {
    my ($cause, $limit) = @_;
    return q{} if !defined $limit;
    return 'any' if $limit == ANY;
    return ($cause->{is_low_worst} ? 'below ' : q{}) . $cause->{amount}->($limit);
}

# Takes what was seen, see UnixBench::Noise::Watch; returns the stolen part of the time that the copies could have had,
# or undef. One tick is subtracted: it may have begun before the pass.
sub stolen {
    my ($seen)   = @_;
    my $window_s = _window_s($seen) or return;
    my $ticks    = growth(@$seen{qw(before after)}, 'steal_ticks') // return;
    my $could_s  = UnixBench::Noise::Late::cpus_of_copies($seen) * $window_s;
    return _part(List::Util::max(0, $ticks - 1) * TICK_S, $could_s);
}

# Returns the number of CPUs that other processes used, or undef. There are two measures. Both can be too high, so the
# lesser one is used. Busy ticks miss processes that run between ticks and overrate those that run at ticks. The time
# that was not idle is exact if the kernel stops its ticks, but it includes the switches between processes.
sub _others {
    my ($seen)   = @_;
    my $window_s = _window_s($seen) or return;
    my @growths  = map { growth(@$seen{qw(before after)}, $_) } qw(busy_ticks unused_ticks ours_s ours_kernel_s);
    return if grep { !defined } @growths;
    my ($busy, $unused, $ours_s, $kernel_s) = @growths;
    my $busy_s   = List::Util::min($busy * TICK_S,   $seen->{after}{cpus} * $window_s - $unused * TICK_S);
    my $served_s = List::Util::min(SERVED * $ours_s, SERVED_IN_KERNEL * $kernel_s);
    return List::Util::max(0, $busy_s - $ours_s - $served_s - UNSURE_S) / $window_s;
}

# Takes what was seen, and the CPUs that other processes used, or undef. Returns whether these took nothing from copies
# that always work: the copies hardly waited, and had a core each. If they fill all CPUs, no idle thread of a core is
# left that others could make busy.
sub _is_elsewhere {
    my ($seen, $others) = @_;
    return 0 if !defined $others || !_did_not_wait($seen);
    my ($copies, $cpus) = ($seen->{copies}, $seen->{after}{cpus});
    return $copies >= $cpus || $copies + $others <= ($seen->{cpus}{cores} // $cpus) + UNSURE_CPUS;
}

# Returns whether it is known that copies that always work hardly waited: then no load on CPUs did harm.
sub _did_not_wait {
    my ($seen) = @_;
    my $waited = _waited($seen) // return 0;
    return $waited < ($seen->{copies} >= ($seen->{after}{cpus} // 0) ? WAITED_FULL : WAITED_FREE);
}

# Returns the part of the CPU time that the copies did not have although they always work, or undef if they do not, or
# if it is unknown. With n CPUs, the n copies that worked longest could have had a CPU each: more copies than CPUs wait
# for each other. Steal and quotas took their part for other reasons.
sub _waited {
    my ($seen)  = @_;
    my @works   = sort { $b->{span_s} <=> $a->{span_s} } @{ $seen->{works} || [] } or return;
    my $cpus    = List::Util::min(scalar @works, UnixBench::Noise::Late::usable_cpus($seen));
    my $could_s = List::Util::sum(map { $_->{span_s} } @works[0 .. $cpus - 1]);
    my $lost_s  = $could_s - List::Util::sum(map { $_->{ran_s} } @works) - UnixBench::Noise::Late::withheld_s($seen);
    return $could_s > WINDOW_LEAST_S ? List::Util::max(0, $lost_s) / $could_s : undef;
}

# Returns the number of CPUs that the tests may use if others are online, else undef.
sub _cpus_allowed {
    my ($seen) = @_;
    my ($online, $usable) = @{ $seen->{cpus} }{qw(online usable)};
    return defined $online && defined $usable && $usable < $online ? $usable : undef;
}

# Copies start together, so they overlap for the time of the shortest one. Returns this part of the longest time.
sub _overlap {
    my ($seen)    = @_;
    my @elapsed_s = @{ $seen->{elapsed_s} || [] };
    my $longest_s = List::Util::max(@elapsed_s);
    return if @elapsed_s < 2 || $longest_s < WINDOW_LEAST_S;
    return List::Util::min(@elapsed_s) / $longest_s;
}

# Takes the name of a counter of a rest, what there is pressure on, and for what processes wait. Returns the keys that
# all rows about pressure have: the value is the part of the rest in which the counter grew.
sub _pressure {
    my ($counter, $on, $awaited) = @_;
    my $value = sub {
        my ($seen) = @_;
        return if $counter eq 'cpu_us' && _did_not_wait($seen);
        my ($from, $to) = @{ $seen->{rest} || return }{qw(from to)};
        my $rest_s = growth($from, $to, 'at_s');
        return if !defined $rest_s || $rest_s < REST_LEAST_S;
        return _part(growth($from, $to, $counter), $rest_s * 1e6);
    };
    return (
        value          => $value,
        note           => 0.01,
        disturbed      => 0.05,
        slows_by_value => 1,
        title          => "pressure on $on",
        amount         => \&percent,
        brief          => sub { 'waiting for ' . $awaited . q{ } . percent($_[0]) },
        what           => "just before: time in which processes waited for $awaited",
        seen           => "processes waited for $awaited for {most} of the time just before",
    );
}

sub _grown {
    my ($counter) = @_;
    return sub { my ($seen) = @_; return _window_s($seen) ? growth(@$seen{qw(before after)}, $counter) : undef };
}

# Takes what was seen, the keys of events and of signs that sensors have, and perhaps events that the kernel counted.
# Returns how many there were: events during the pass, and signs before or after it; or undef.
sub _signs {
    my ($seen, $events, $signs, @counted) = @_;
    my @sensors = @{ $seen->{sensors} || [] };
    my $most    = List::Util::max(grep { defined } map { $_->{$signs} } @sensors);
    my @known   = grep { defined } @counted, @sensors ? growth(@sensors, $events) : undef, $most;
    return @known && _window_s($seen) ? List::Util::sum(@known) : undef;
}

sub _rate {
    my ($counter) = @_;
    return sub {
        my ($seen)   = @_;
        my $window_s = _window_s($seen) or return;
        my $growth   = growth(@$seen{qw(before after)}, $counter);
        return defined $growth ? $growth / $window_s : undef;
    };
}

# Returns the seconds of the pass, or undef if it was too short to tell.
sub _window_s {
    my ($seen) = @_;
    my $window_s = growth(@$seen{qw(before after)}, 'at_s');
    return ($window_s // 0) < WINDOW_LEAST_S ? undef : $window_s;
}

sub _part {
    my ($some, $all) = @_;
    return defined $some && $all > 0 ? List::Util::min(1, $some / $all) : undef;
}

# Takes the singular and the plural of a noun. Returns a function that takes a number, which may have a fraction, and
# returns it with the noun.
sub _count_of {
    my ($one, $several) = @_;
    return sub {
        my ($number) = @_;
        counted(sprintf($number < 10 && $number != int $number ? '%.1f' : '%.0f', $number), $one, $several);
    };
}

1;
