package UnixBench::Score::OtherLoad;

# Other load during the passes of a test, and which passes decide a verdict in spite of it. Comparisons and
# features all ask this module.
#
# A pass is quiet if no other load disturbed it. Quiet passes decide alone if each test has at least three of them on
# each side. With fewer, the verdict is inconclusive. Steal and quotas are not other load: they belong to the machine as
# delivered.
#
# Other load lowers rates, and raises some: it keeps CPUs awake. So a value that it disturbed has a floor and a ceiling.
#
# Each pass beside a load is itself a floor, up to what quiet passes vary, and what the load can have raised. A load
# that takes nothing leaves the mean of the passes as it was; one that takes much leaves only the fastest of them. So
# the floor of a test is the mean of its passes, each of which is at most AROUND away from what a third of them reach.
# It is less by the error of that mean, and by what the test varies from run to run (see UnixBench::Score::Repeat), and
# divided by its factor in RAISED. That of an index is the geometric mean of its tests' floors.
#
# What other load can explain is bounded, too. The kernel counts the CPU time of the copies and their children. Alone,
# they have all CPUs that they can use, and need as much CPU time for a loop as before, or MARGIN times less: beside
# other load, sibling threads, clocks, caches and switches cost time as well (lab/settled.md). So a value is at most its
# double if its copies ran for half of their time, times the margin: that is its ceiling. A test that also waits for
# disks or other processes has none. In an index, these tests count with all time in which their processes did not run.
#
# What is known of a test or an index is plain data: the type of_load of UnixBench::Base::ResultSchema. Summaries have
# it, so they decide as whole results do. Text reports have none: nothing is known of their passes.

use strict;
use warnings;

use List::Util ();

use UnixBench::Catalog             ();
use UnixBench::Noise::Causes       ();
use UnixBench::Noise::Disturbances ();
use UnixBench::Score::Estimate     ();
use UnixBench::Score::Repeat       ();
use UnixBench::Score::Score        ();
use UnixBench::Score::Spread       ();
use UnixBench::Score::Stats        qw(geometric_mean mean quantile);
use UnixBench::Score::Work         ();

use constant {
    BOUNDLESS    => 9**9**9,
    PASSES_LEAST => 3,
    MARGIN       => 2.5,
    REACHED      => 2 / 3,     # of the passes
    AROUND       => 0.15,      # a difference of logarithms, see lab/settled.md
    FLOOR_FROM   => 0.25,      # the part of the passes, as for poor trust
};

# The factor by which other load raises a test at most, see lab/settled.md. Other tests have that of a test of
# their kind: Dhrystone if they compute, else Process Creation.
my %RAISED = (
    dhry2reg           => 1.03,
    'whetstone-double' => 1.03,
    execl              => 1.09,
    fstime             => 1.03,
    fsbuffer           => 1.03,
    fsdisk             => 1.03,
    pipe               => 1.02,
    context1           => 23.5,
    spawn              => 1.42,
    syscall            => 1.05,
    shell1             => 1,
    shell8             => 1.05,
);

# Nothing of it was disturbed.
my %CALM = (is_open => 0, raised => 1, explains => 1);

# Takes a measured test and its run. Returns other_load and quiet, see above.
sub of_test {
    my ($test, $run) = @_;
    return _known(sub { UnixBench::Score::Spread::of_test($_[0], $run->{rounds}, $run->{covered})->{estimate} }, $test);
}

# Takes an index and its run; returns the same.
sub of_index {
    my ($index, $run) = @_;
    my %is_own = map  { $_->{name} => 1 } grep { defined $_->{baseline} } @{ $index->{rows} };
    my @tests  = grep { $is_own{ $_->{name} } } @{ $run->{tests} };
    return _known(
        sub { UnixBench::Score::Spread::of_index($index, { %$run, tests => [@_] }, $run->{covered})->{estimate} },
        @tests);
}

# Takes
#   known     what of_test() or of_index() returns
#   estimate  the estimate of the value from all passes
#   tests     [its tests, or itself], each { test (measured), value (its own, from all passes), repeat (or undef) }
#   run       its run
#   is_index  whether it is an index
#   is_under  whether a command stood in front of its copies
# Returns its bounds, or undef.
sub bounds {
    my (%of) = @_;
    return if !is_disturbed($of{known});
    my ($estimate, $run, @tests) = ($of{estimate}, $of{run}, @{ $of{tests} });
    my @factors = map { _factors_of($_->{test}, $run, @of{qw(is_index is_under)}) } @tests;
    my $raised  = geometric_mean(map { $_->{raised} } @factors);
    my $is_open = grep { !defined $_->{explains} } @factors;
    my $floor   = _floor($estimate->{value}, $run->{covered}, @tests);
    my $most    = $is_open ? undef : geometric_mean(map { $_->{explains} } @factors);
    my $quiet   = $of{known}{quiet};
    return {
        raised   => $raised,
        explains => $most,
        floor    => $floor,
        at_least => $floor->{low} / $raised,
        at_most  => defined $most ? ($estimate->{high} // $floor->{high}) * $most   : undef,
        is_floor => $quiet->{of} - $quiet->{passes} > FLOOR_FROM * $quiet->{of} ? 1 : 0,
    };
}

# Takes a value, a confidence or undef, and the tests of bounds(). Returns the estimate of what their passes show of the
# value without other load. Its interval has what the tests vary on a quiet machine. They may vary together.
sub _floor {
    my ($value, $covered, @tests) = @_;
    my @repeats = map { $_->{repeat} || UnixBench::Score::Repeat::of_unknown($_->{test}{name}) } @tests;
    my @known   = map {
        _known_of(map { UnixBench::Score::Score::rate($_) } @{ $_->{test}{passes} })
    } @tests;
    my $part   = geometric_mean(map { $known[$_]{value} / $tests[$_]{value} } 0 .. $#tests);
    my $within = List::Util::sum(map { ($_->{log_se} // 0)**2 } @known) / @known**2;
    my $error  = sqrt($within + mean(map { $_->{deviation} } @repeats)**2);
    my $df     = List::Util::min(map { $_->{df} } @repeats);
    return UnixBench::Score::Estimate::around($value * $part, $error, $df, $covered);
}

# Takes the rates of passes; returns the estimate of their mean, in which each is at most AROUND away from what a third
# of them reach.
sub _known_of {
    my (@rates) = @_;
    my $reached = quantile(REACHED, @rates);
    my ($least, $most) = ($reached / exp AROUND, $reached * exp AROUND);
    return UnixBench::Score::Estimate::of_rates(map { List::Util::max($least, List::Util::min($most, $_)) } @rates);
}

# Takes a test, its run, whether it counts in an index, and whether a command stood in front of its copies. Returns
# raised and explains of the test. Alone, a test that waits for more than a CPU has no ceiling.
sub _factors_of {
    my ($test, $run, $is_index, $is_under) = @_;
    return \%CALM if quiet(@{ $test->{passes} }) == @{ $test->{passes} };
    my $known    = UnixBench::Catalog::test($test->{name}) || { needs => {} };
    my $is_known = $is_index                               || $known->{computes};
    my $lost     = $is_known ? _lost($test, $run, $is_under, $known->{needs}{processes} || 1) : undef;
    return {
        raised   => $RAISED{ $test->{name} } || $RAISED{ $known->{computes} ? 'dhry2reg' : 'spawn' },
        explains => defined $lost ? MARGIN * $lost : undef,
    };
}

# Takes a test, its run, whether a command stood in front of its copies, and the processes of a copy. Returns the
# geometric mean of the factors by which more CPU time could raise the rates of its passes, or undef if that of one is
# unknown. A copy uses at most a CPU for each of its processes, and all copies together at most all CPUs.
sub _lost {
    my ($test, $run, $is_under, $processes) = @_;
    my @factors;
    for my $pass (UnixBench::Score::Work::cpu_times($test, $is_under)) {

        # The CPU time that its copies have had for certain: it is exact if the programs report it, else it has steps.
        my $cpu_s = $pass->{cpu_s} // 0;
        $cpu_s -= UnixBench::Score::Work::EXCESS_S * $pass->{copies} if !defined $pass->{used}{span_s};
        return if $cpu_s <= 0 || !$run->{cpu_count};
        my $cpus = List::Util::min($run->{cpu_count}, $processes * $pass->{copies});
        push @factors, List::Util::max(1, $cpus * $pass->{lived_s} / $pass->{copies} / $cpu_s);
    }
    return geometric_mean(@factors);
}

# Takes passes; returns whether their value is only a floor, because other load disturbed more than FLOOR_FROM of them.
sub is_floor {
    my (@passes) = @_;
    return @passes - quiet(@passes) > FLOOR_FROM * @passes;
}

# Takes passes; returns those that other load did not disturb.
sub quiet {
    my (@passes) = @_;
    return grep { !UnixBench::Noise::Disturbances::is_disturbed_by_other_load($_) } @passes;
}

sub _known {
    my ($estimate, @tests) = @_;
    my @quiet  = map { +{ %$_, passes => [quiet(@{ $_->{passes} })] } } @tests;
    my @passes = map { @{ $_->{passes} } } @quiet;
    my @all    = map { @{ $_->{passes} } } @tests;
    my @load   = map { UnixBench::Noise::Disturbances::other_load($_) } @all;
    @load = map { UnixBench::Noise::Disturbances::in_brief($_) } UnixBench::Noise::Disturbances::sums(@load);
    my $is_enough = (grep { @{ $_->{passes} } < PASSES_LEAST } @quiet) ? 0 : 1;
    my %quiet     = (
        passes    => scalar @passes,
        of        => scalar @all,
        is_enough => $is_enough,
        slowed    => scalar _slowed(map { $_->{passes} } @quiet),
        estimate  => $is_enough && (grep { $_->{badly} } @load) ? $estimate->(@quiet) : undef,
    );
    return { other_load => \@load, quiet => \%quiet };
}

# Takes [passes] of tests; returns the fraction by which their other load may have slowed the geometric mean of the
# tests, or undef if it did not.
sub _slowed {
    my (@of_tests) = @_;
    my @logs = map {
        mean(map { log(1 + _slowed_pass($_)) } @$_)
    } grep { @$_ } @of_tests;
    my $by = @logs ? exp(mean(@logs)) - 1 : 0;
    return $by > 0 ? $by : undef;
}

# Returns the fraction by which the other load of a pass may have slowed it. Processes that waited before a pass did no
# harm unless they used CPU time during it, and "others" shows that.
sub _slowed_pass {
    my ($pass) = @_;
    return List::Util::max(0,
        map      { $_->{value} }
            grep { UnixBench::Noise::Causes::has($_->{cause}, 'slows_by_value') }
            UnixBench::Noise::Disturbances::other_load($pass));
}

# Takes a test or an index of a summary; returns whether other load disturbed one of its passes.
sub is_disturbed {
    my ($item) = @_;
    return scalar grep { $_->{badly} } @{ $item->{other_load} || [] };
}

# Takes tests or indexes of summaries; returns the other load of all of them, [{ cause, worst, passes, badly, of },
# ...], in which "of" is the number of all their passes.
sub together {
    my (@items) = @_;
    my $of      = _number_of(of => @items);
    my @load    = UnixBench::Noise::Disturbances::together(map { @{ $_->{other_load} || [] } } @items);
    return [map { +{ %$_, of => $of } } @load];
}

# Takes the same test or index in each run; returns what other load did to all their passes:
#   is_open            whether it disturbed one; if it did not, both factors are 1
#   raised, explains   the factors by which it raised and lowered them at most; explains is BOUNDLESS without a ceiling
sub factors {
    my (@items) = @_;
    my @bounds = map { $_->{bounds} || () } grep { is_disturbed($_) } @items or return \%CALM;
    return {
        is_open  => 1,
        raised   => List::Util::max(map { $_->{raised} } @bounds),
        explains => List::Util::max(map { $_->{explains} // BOUNDLESS } @bounds),
    };
}

# Takes [the same test or index in each run of a side], a function that takes some of them and [their estimates] and
# returns the estimate of their machine, and perhaps the confidence of the floor. Returns factors() with the estimates
# from which limits() are taken, floor and ceiling. Runs with enough quiet passes decide alone, and both are the
# estimate of these.
sub side {
    my ($items, $machine, $covered) = @_;
    my @kept = grep { !is_disturbed($_) || _has_enough($_) } @$items;
    my @used = @kept ? @kept : @$items;
    my $all  = $machine->(\@used, [map { @kept ? _estimate($_) : $_->{estimate} } @used]);
    return { %CALM, explains => slight(@kept), floor => $all, ceiling => $all } if @kept;
    my @floors = map { $_->{bounds}{floor} } @used;
    my @error  = (mean(map { $_->{log_se} } @floors), mean(map { $_->{df} } @floors));
    my $floor  = UnixBench::Score::Estimate::around(geometric_mean(map { $_->{value} } @floors), @error);
    return { %{ factors(@used) }, floor => UnixBench::Score::Estimate::surer($floor, $covered), ceiling => $all };
}

# Takes the side of a value, that of its reference if the value is a ratio, and a function that takes an estimate of
# each and returns what is compared with a limit. Returns what that is without other load, with its confidence: between
# low and high, which are 0 and BOUNDLESS if nothing is known.
sub limits {
    my ($of, $to, $compared) = @_;
    $to ||= \%CALM;
    my ($low)  = $compared->($of->{floor},   $to->{ceiling});
    my ($high) = $compared->($of->{ceiling}, $to->{floor});
    return {
        low  => ($low->{low}   // 0) / ($of->{raised} * $to->{explains}),
        high => ($high->{high} // BOUNDLESS) * ($of->{explains} * $to->{raised}),
    };
}

# Takes an estimate of what is compared with a limit, [its test or index in each run] and, if it is a ratio, [that of
# its reference]. Returns it with the interval that it may have without the slight other load that notes report, which
# can only have lowered rates.
sub beside_slight {
    my ($estimate, $of, $to) = @_;
    return $estimate if !defined $estimate->{low};
    my ($low, $high) = ($estimate->{low} / slight(@{ $to || [] }), $estimate->{high} * slight(@$of));
    return { %$estimate, low => $low, high => $high };
}

# Takes the same test or index in each run; returns the factor by which slight other load may have lowered their mean.
sub slight {
    my (@items) = @_;
    return @items ? geometric_mean(map { 1 + (($_->{quiet} || {})->{slowed} // 0) } @items) : 1;
}

# Takes a list for each side, one or more: the same test or index in each of its runs. Returns undef if no pass was
# disturbed by other load. Otherwise returns
#   load       for each side, what together() returns
#   shares     [passes that decide, all passes] of each side
#   estimates  [estimates, from quiet passes] of each side; undef if a side has not enough of them, and the verdict is
#              inconclusive. A run with too few quiet passes is left out
sub decision {
    my (@sides) = @_;
    return if !grep { is_disturbed($_) } map { @$_ } @sides;
    my @load = map { together(@$_) } @sides;
    my @kept = map {
        [grep { _has_enough($_) } @$_]
    } @sides;
    my $is_open = grep { !@$_ } @kept;
    return {
        load      => \@load,
        shares    => [map { [_number_of(passes => @{ $kept[$_] }), _number_of(of => @{ $sides[$_] })] } 0 .. $#sides],
        estimates => $is_open ? undef : [
            map {
                [map { _estimate($_) } @$_]
            } @kept
        ],
    };
}

sub _has_enough {
    my ($item) = @_;
    return !$item->{quiet} || $item->{quiet}{is_enough};
}

sub _estimate {
    my ($item) = @_;
    return is_disturbed($item) ? $item->{quiet}{estimate} : $item->{estimate};
}

# Returns a number of passes of all items: of the quiet ones, or of all. Text reports tell only how many there were.
sub _number_of {
    my ($key, @items) = @_;
    return List::Util::sum(0, map { $_->{quiet} ? $_->{quiet}{$key} : $_->{passes} // 0 } @items);
}

1;
