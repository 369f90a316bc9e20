package UnixBench::Score::Bounds;

# What a value that other load disturbed can be without it: a floor and a ceiling.
#
# Other load lowers rates, and raises some: it keeps CPUs awake. Each pass beside a load is itself a floor, up to what
# quiet passes vary, and what the load can have raised. A load that takes nothing leaves the mean of the passes as it
# was; one that takes much leaves only the fastest of them. So the floor of a test is the mean of its passes, each of
# which is at most AROUND away from what a third of them reach. It is less by the error of that mean, and by what the
# test varies from run to run (see UnixBench::Score::Repeat), and divided by its factor in RAISED. That of an index is
# the geometric mean of its tests' floors.
#
# What other load can explain is bounded, too. The kernel counts the CPU time of the copies and their children. Alone,
# they have all CPUs that they can use, and need as much CPU time for a loop as before, or MARGIN times less: beside
# other load, sibling threads, clocks, caches and switches cost time as well (lab/settled.md). So a value is at most its
# double if its copies ran for half of their time, times the margin: that is its ceiling. A test that also waits for
# disks or other processes has none. In an index, these tests count with all time in which their processes did not run.
#
# The limits of what is compared, a value alone or a ratio of two, follow from that. Comparisons, requirements and
# histories decide by these limits if too few passes are quiet. A limit that is not known is undef.

use strict;
use warnings;

use List::Util ();

use UnixBench::Catalog          ();
use UnixBench::Score::Estimate  ();
use UnixBench::Score::OtherLoad qw(estimate_of has_enough is_disturbed quiet slight);
use UnixBench::Score::Repeat    ();
use UnixBench::Score            ();
use UnixBench::Score::Stats     qw(geometric_mean mean quantile);
use UnixBench::Score::Work      ();

use constant {
    MARGIN     => 2.5,
    REACHED    => 2 / 3,    # of the passes
    AROUND     => 0.15,     # a difference of logarithms, see lab/settled.md
    FLOOR_FROM => 0.25,     # the part of the passes, as for poor trust
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

# Takes
#   known     what UnixBench::Score::OtherLoad knows of the value
#   estimate  the estimate of the value from all passes
#   tests     [its tests, or itself], each { test (measured), value (its own, from all passes), repeat (or undef) }
#   run       its run
#   is_index  whether it is an index
#   is_under  whether a command stood in front of its copies
# Returns its bounds: the type bounds of UnixBench::Base::ResultSchema, or undef if nothing disturbed it. What is not
# known of them is undef.
sub of {
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

# Takes a value, a confidence or undef, and the tests of of(). Returns the estimate of what their passes show of the
# value without other load. Its interval has what the tests vary on a quiet machine. They may vary together.
sub _floor {
    my ($value, $covered, @tests) = @_;
    my @repeats = map { $_->{repeat} || UnixBench::Score::Repeat::of_unknown($_->{test}{name}) } @tests;
    my @known   = map { _known_of(map { UnixBench::Score::rate($_) } @{ $_->{test}{passes} }) } @tests;
    my $part    = geometric_mean(map { $known[$_]{value} / $tests[$_]{value} } 0 .. $#tests);
    my $within  = List::Util::sum(map { ($_->{log_se} // 0)**2 } @known) / @known**2;
    my $error   = sqrt($within + mean(map { $_->{deviation} } @repeats)**2);
    my $df      = List::Util::min(map { $_->{df} } @repeats);
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

# Alone, a test that waits for more than a CPU has no ceiling.
sub _factors_of {
    my ($test, $run, $is_index, $is_under) = @_;
    return { raised => 1, explains => 1 } if quiet(@{ $test->{passes} }) == @{ $test->{passes} };
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

# Takes the same test or index in each run; returns what other load did to all their passes:
#   is_open           whether it disturbed one; if it did not, both factors are 1
#   raised, explains  the factors by which it raised and lowered them at most
sub factors {
    my (@items) = @_;
    my @bounds = map { $_->{bounds} || () } grep { is_disturbed($_) } @items;
    return {
        is_open => @bounds ? 1 : 0,
        map { $_ => _most($_, @bounds) } qw(raised explains)
    };
}

sub _most {
    my ($key, @bounds) = @_;
    my @known = grep { defined } map { $_->{$key} } @bounds;
    return @known == @bounds ? List::Util::max(1, @known) : undef;
}

# Takes [the same test or index in each run of a side], a function that takes some of them and [their estimates] and
# returns the estimate of their machine, and perhaps the confidence of the floor. Returns factors() with the estimates
# that limits() takes, floor and ceiling. Runs with enough quiet passes decide alone, and both are the estimate of
# these.
sub side {
    my ($items, $machine, $covered) = @_;
    my @kept = grep { !is_disturbed($_) || has_enough($_) } @$items;
    my @used = @kept ? @kept : @$items;
    my $all  = $machine->(\@used, [map { @kept ? estimate_of($_) : $_->{estimate} } @used]);
    return { %{ factors() }, explains => slight(@kept), floor => $all, ceiling => $all } if @kept;
    my @floors = map { $_->{bounds}{floor} } @used;
    my @error  = (mean(map { $_->{log_se} } @floors), mean(map { $_->{df} } @floors));
    my $floor  = UnixBench::Score::Estimate::around(geometric_mean(map { $_->{value} } @floors), @error);
    return { %{ factors(@used) }, floor => UnixBench::Score::Estimate::surer($floor, $covered), ceiling => $all };
}

# Takes the side of a value, that of its reference if the value is a ratio, or undef, and a function that takes an
# estimate of each and returns what is compared. Returns what that is without other load, with its confidence: between
# low and high.
sub limits {
    my ($of, $to, $compared) = @_;
    $to ||= factors();
    my ($low)  = $compared->($of->{floor},   $to->{ceiling});
    my ($high) = $compared->($of->{ceiling}, $to->{floor});
    return {
        low  => quotient($low->{low}, $of->{raised}, $to->{explains}),
        high => product($high->{high}, $of->{explains}, $to->{raised}),
    };
}

# Takes one or more factors; returns their product, or undef if one of them is.
sub product {
    my (@factors) = @_;
    return (grep { !defined } @factors) ? undef : List::Util::reduce { $a * $b } @factors;
}

# Takes a number and one or more divisors; returns the quotient, or undef if one of them is.
sub quotient {
    my ($number, @divisors) = @_;
    return (grep { !defined } $number, @divisors) ? undef : $number / product(@divisors);
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

1;
