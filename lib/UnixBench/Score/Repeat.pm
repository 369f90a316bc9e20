package UnixBench::Score::Repeat;

# How much a test or an index varies from run to run, beyond what the passes of each run explain: memory is placed
# otherwise, a host has other neighbours. One run can't know that. So it is assumed, and earlier runs in the directory
# of results add what they show. An interval of the machine has both parts: the error within the run, and this
# deviation.
#
# A run whose rounds were spread over hours has averaged most of it. Only what differs from day to day is left, and such
# a run does not show that. So its repeat is that of such a run, and smaller.
#
# What is known of it is plain data, the type repeat of UnixBench::Base::ResultSchema. This module promises: an interval
# of the machine that is made with deviation and df holds its value with 95 % if the assumption is right, and more
# nearly so, the more runs have shown another deviation. Both change smoothly with what runs show. What earlier runs
# show is plain data, too: { runs, squares (the sum of the squares of the differences of logarithms from their mean),
# within (the mean variance of a value by its passes), since }.
#
# The assumptions are in percent (lab/settled.md). OWN is what ten of twelve machines stay below that people measured
# several times in a row, and published. VIRTUAL is from six virtual machines of a public cloud, measured some times a
# day for up to 16 months (Azure VM Noise Dataset 2024), by tests that stand for these. An index of some tests varies
# less: its assumption follows from theirs and TOGETHER, their correlation. Runs an hour apart differ as much as runs
# that are a day apart, so each hour is an independent part of a day. The means of days differ by DAYS of the assumption
# or less.

use strict;
use warnings;

use List::Util ();

use UnixBench::Score::Estimate ();
use UnixBench::Score::Stats    qw(mean);

use constant {
    DF        => 8,         # of an assumption
    KNOWN     => 5,         # runs show a deviation of their own
    FADES     => 6,         # degrees of freedom of runs by which the assumption counts half
    CERTAIN   => 1e9,       # times as large as a variance of 0
    TWO_ALONE => 2,         # degrees of freedom of what counts beside two runs, at least
    DAYS      => 0.4,       # of the assumption: what differs from day to day
    LASTS_S   => 3600,      # what differs from run to run, at most
    OF_PASSES => 0.6,       # of the deviation of rounds or passes: slow changes do not average out, see lab/settled.md
    TOGETHER  => 0.1,       # the correlation of tests from run to run
    PERCENT   => 100,
    INDEX     => 'index',
    OTHER     => 'other',
    WORK      => 1,         # of the cycles of a loop, of any machine
    STATES    => 2,
};

# [OWN, VIRTUAL] of each test, of the index of all these tests, and of any other test.
my %ASSUMED = (
    INDEX()            => [0.5,  1],
    dhry2reg           => [0.6,  1],
    'whetstone-double' => [0.1,  0.5],
    execl              => [0.4,  2],
    fstime             => [1.2,  2],
    fsbuffer           => [1,    2],
    fsdisk             => [4.2,  4.2],
    pipe               => [0.3,  3.5],
    context1           => [0.5,  3.5],
    spawn              => [1.3,  2],
    syscall            => [0.2,  1.5],
    shell1             => [0.35, 2],
    shell8             => [0.35, 2],
    OTHER()            => [1,    2],
);
my @TESTS = grep { $_ ne INDEX && $_ ne OTHER } keys %ASSUMED;

# Takes
#   tests       [the names of the tests whose index this is]: one for a test; by default the whole index
#   is_virtual  whether the machine is a virtual one, or may be one
#   estimate    the estimate of its value in the run, see UnixBench::Score::Estimate
#   of_pass     the standard deviation of the logarithms of rounds or passes
#   earlier     what earlier runs show, or undef
#   is_spread   whether this run itself was spread over time, and earlier is what its own rounds show
#   is_work     whether the value is not a rate but the cycles of a loop, see UnixBench::Score::Work
# Returns its repeat, see above, or undef if the estimate has no interval. What is assumed is a share of the deviation
# of the passes, if that is larger than what is usual.
sub of {
    my (%given) = @_;
    my $estimate = $given{estimate};
    return if !defined $estimate->{log_se};
    my $earlier = $given{earlier} || { runs => 0 };
    my $over_s  = $earlier->{over_s};
    my ($assumed, $deviation) = _assumed(%given, defined $over_s ? (of_pass => 0) : ());
    my $df      = List::Util::max(0, $earlier->{runs} - 1);
    my $squares = $df ? _beyond_passes($earlier) : 0;
    my %repeat  = (
        known   => !defined $over_s && $earlier->{runs} >= KNOWN ? 1      : 0,
        assumed => defined $over_s  && $given{is_spread}         ? 'days' : $assumed,
        runs    => $earlier->{runs},
        since   => $earlier->{since},
        over_s  => $over_s,
        within  => _part(UnixBench::Score::Estimate::half_width($estimate)),
        defined $over_s
        ? _of_spread($deviation, $earlier, $squares, $given{is_spread})
        : _with_prior($deviation**2, DF, $squares, $df),
    );
    my $machine = of_machine($estimate, \%repeat);
    my $next    = UnixBench::Score::Estimate::around(1, sqrt(2) * $machine->{log_se}, $machine->{df});
    return { %repeat, next => _part(UnixBench::Score::Estimate::half_width($next)) };
}

# Takes the usual deviation, what spread rounds show, their sum of squares, and whether this is their run. Returns
# deviation and df. Another run varies as their windows do, and as days do. The run itself has averaged its windows: its
# mean varies as days do, or as the mean of its windows, if that is more. The shorter it was, the less it has averaged.
sub _of_spread {
    my ($usual, $shown, $squares, $is_own) = @_;
    my $days    = $usual * sqrt List::Util::max(DAYS**2, LASTS_S / (LASTS_S + $shown->{over_s}));
    my %windows = _with_prior($usual**2 - $days**2, DF, $squares, $shown->{runs} - 1);
    return (deviation => List::Util::max($days, $windows{deviation} / sqrt $shown->{runs}), df => DF) if $is_own;
    my ($deviation, $df) = UnixBench::Score::Estimate::error_of_sum([@windows{qw(deviation df)}], [$days, DF]);
    return (deviation => $deviation, df => $df);
}

sub _assumed {
    my (%given) = @_;
    return (work => WORK / PERCENT) if $given{is_work};
    my @tests     = @{ $given{tests} || [] };
    my @usual     = $given{is_virtual} ? (virtual => _usual(1, @tests)) : (own => _usual(0, @tests));
    my $of_passes = OF_PASSES * $given{of_pass};
    return $of_passes > $usual[1] ? (passes => $of_passes) : @usual;
}

# Takes a column of the table and the names of tests, or none; returns the usual deviation of their index.
sub _usual {
    my ($column, @tests) = @_;
    my %is_in    = map   { $_ => 1 } @tests;
    my $is_whole = !grep { !$is_in{$_} } @TESTS;
    return $ASSUMED{ INDEX() }[$column] / PERCENT if !@tests || $is_whole;
    my @squares = map { $_->[$column]**2 } map { $ASSUMED{$_} || $ASSUMED{ OTHER() } } @tests;
    return sqrt(mean(@squares) * (TOGETHER + (1 - TOGETHER) / @squares)) / PERCENT;
}

sub _part { my ($half) = @_; return exp($half) - 1 }

# Takes the names of the tests of an index, or none for the whole index; returns the repeat of a run that tells nothing
# about its machine, such as a text report.
sub of_unknown {
    my (@tests) = @_;
    my ($assumed, $deviation) = _assumed(tests => \@tests, is_virtual => 1, of_pass => 0);
    return { known => 0, assumed => $assumed, deviation => $deviation, df => DF, runs => 0, since => undef };
}

# Takes what runs show; returns the sum of squares without what their passes explain, at least 0.
sub _beyond_passes {
    my ($shown) = @_;
    return List::Util::max(0, $shown->{squares} - ($shown->{runs} - 1) * $shown->{within});
}

# Takes a variance and its degrees of freedom, and the sum of squares of runs with theirs; returns deviation and df.
# What was known before counts the less, the larger the variance of the runs is beside it, and the more runs there are:
# a machine may vary by a multiple of the assumption, and a few runs can't show that it does not. Two runs alone would
# give intervals of ten times their difference, so something else always counts beside them. The numbers
# were chosen by simulations.
sub _with_prior {
    my ($variance, $known, $squares, $df) = @_;
    return (deviation => sqrt $variance, df => $known) if !$df;
    my $ratio  = $variance ? $squares / $df / $variance : $squares ? CERTAIN : 0;
    my $weight = List::Util::max($known / (1 + $ratio**2 / 2 + ($df / FADES)**2), TWO_ALONE * (2 - $df));
    return (deviation => sqrt(($weight * $variance + $squares) / ($weight + $df)), df => $weight + $df);
}

# Takes the values of the same test or index in earlier runs, each { value, log_se (undef if unknown), started, state },
# the earliest first. Returns what they show, or undef without any. Runs of different states, which have other labels,
# differ by more than runs do. So each value is compared with the mean of its state, and the first run of each further
# state shows nothing.
sub shown_by {
    my (@values) = @_;
    return if !@values;
    my %logs;
    push @{ $logs{ $_->{state} // q{} } }, log $_->{value} for @values;
    my $squares = 0;
    for my $logs (values %logs) {
        my $mean = mean(@$logs);
        $squares += List::Util::sum(map { ($_ - $mean)**2 } @$logs);
    }
    return {
        runs    => @values - keys(%logs) + 1,
        squares => $squares,
        within  => mean(map { ($_->{log_se} // 0)**2 } @values),
        since   => $values[0]{started},
    };
}

# Takes the estimate of a value within a run, and its repeat or undef; returns the estimate of the machine. Without a
# repeat or an interval it is the same.
sub of_machine {
    my ($estimate, $repeat) = @_;
    return $estimate if !$repeat || !defined $estimate->{log_se};
    my @errors = ([@$estimate{qw(log_se df)}], [@$repeat{qw(deviation df)}]);
    my $machine =
        UnixBench::Score::Estimate::around($estimate->{value}, UnixBench::Score::Estimate::error_of_sum(@errors));
    return _not_surer($estimate, $machine);
}

# Takes an estimate within runs, and that of the machine; returns the one with the wider interval. With few passes, that
# of the machine may be narrower: by Welch and Satterthwaite, it has more degrees of freedom.
sub _not_surer {
    my ($estimate, $machine) = @_;
    my ($within, $whole) = map { UnixBench::Score::Estimate::half_width($_) } $estimate, $machine;
    return $whole < $within ? $estimate : $machine;
}

# Takes the estimates of the same value in the runs of one state of a machine, and perhaps in those of another state,
# [[estimates], ...]; and the repeats of each state, [[repeats], ...]. That of the earliest run of a state counts, since
# it does not know the others. All runs add what they show to both. A text report has no error within the run. Returns
#   values  [an estimate of each state, which is about the machine]
#   ratio   with two states, the estimate of the second divided by the first
#   within  the same without what runs add: its error is that of the passes
#   scatter  the standard deviation of the logarithms of a state's runs; undef if no state has two
sub of_states {
    my ($states, $repeats) = @_;
    my @known = map {
        [map { defined $_->{log_se} ? $_ : UnixBench::Score::Estimate::exact($_->{value}) } @$_]
    } @$states;
    my @before  = map { _earliest(@$_) } @$repeats;
    my $df      = List::Util::sum(map { @$_ - 1 } @known);
    my @shown   = map { shown_by(@$_) } @known;
    my $squares = List::Util::sum(map { _beyond_passes($_) } @shown);
    my @repeats = map { +{ _with_prior($_->{deviation}**2, $_->{df}, $squares, $df) } } @before;
    my @means   = map { UnixBench::Score::Estimate::geometric_mean(@$_) } @known;
    my @errors  = map { $repeats[$_]{deviation} / sqrt @{ $known[$_] } } 0 .. $#known;
    my @parts   = map { UnixBench::Score::Estimate::around(1, $errors[$_], $repeats[$_]{df}) } 0 .. $#known;
    my @values  = map { UnixBench::Score::Estimate::ratio($means[$_], $parts[$_]) } 0 .. $#known;
    return {
        values  => [map { _not_surer($means[$_], $values[$_]) } 0 .. $#values],
        scatter => $df ? sqrt(List::Util::sum(map { $_->{squares} } @shown) / $df) : undef,
        @values == STATES
        ? (ratio => $df ? _of_one_machine(\@means, @parts) : _ratio(@values), within => _ratio(@means))
        : (),
    };
}

# Takes repeats; returns that of the earliest run. One whose rounds were spread counts only if all others were, too.
sub _earliest {
    my (@repeats)  = @_;
    my @single     = grep { ($_->{assumed} // q{}) ne 'days' } @repeats;
    my ($earliest) = sort { $a->{runs} <=> $b->{runs} } @single ? @single : @repeats;
    return $earliest;
}

sub _ratio { my ($first, $second) = @_; return UnixBench::Score::Estimate::ratio($second, $first) }

# Takes the means of two states within their runs, and what runs add to their errors. Returns the ratio. Both states
# vary alike, so the runs count once.
sub _of_one_machine {
    my ($means, @parts) = @_;
    my $error = sqrt List::Util::sum(map { $_->{log_se}**2 } @parts);
    my $df    = List::Util::min(map { $_->{df} } @parts);
    return UnixBench::Score::Estimate::ratio(_ratio(@$means), UnixBench::Score::Estimate::around(1, $error, $df));
}

1;
