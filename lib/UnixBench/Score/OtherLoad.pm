package UnixBench::Score::OtherLoad;

# Other load during the passes of a test, and which passes decide a verdict in spite of it. Comparisons and
# features all ask this module.
#
# A pass is quiet if no other load disturbed it. Quiet passes decide alone if each test has at least three of them on
# each side. With fewer, the verdict is inconclusive. Steal and quotas are not other load: they belong to the machine as
# delivered. A pass that was late is not excused by that alone.
#
# Other load is one-sided: it lowers values. So a value that it disturbed is a floor, except that of a test which it can
# raise (may_rise in UnixBench::Catalog). Beside other load, both processes of Pipe-based Context Switching share a CPU,
# and wake up each other faster. Such tests may have raised an index by their share of RAISED. A ratio of indexes must
# hold without them, too.
#
# What other load can explain is bounded, too. The kernel counts the CPU time of the copies and their children. Alone,
# they have all CPUs that they can use, and need as much CPU time for a loop as before, or MARGIN times less: beside
# other load, caches, sibling threads and switches cost time as well (lab/disturbed-runs.md). So a value is at most its
# double if its copies ran for half of their time, times the margin: that is its ceiling. A test that also waits for
# disks or other processes has none. In an index, these tests count with all time in which their processes did not run.
#
# What is known of a test or an index is plain data. Summaries have it (see UnixBench::Store::Summary), so they decide
# as whole results do:
#   other_load  [{ cause, worst (value), passes, badly, by }, ...], the causes by importance: the passes that have the
#               cause, and those that it disturbed. by is the busiest process, if that is known, see
#               UnixBench::Noise::Disturbances::in_brief
#   quiet       { passes (their number), of (the number of all passes), is_enough (whether each test has at least three
#               quiet ones), slowed (the fraction by which notes say that the quiet passes together may be too
#               slow, or undef), estimate }. The estimate is that of the quiet passes, see UnixBench::Score::Estimate;
#               undef if they are all passes, or not enough
#   bounds      what limits the value without other load, or undef if no pass was disturbed and nothing can be raised:
#               explains (the factor by which it lowered the value at most, by the CPU time of the copies, without the
#               margin; undef if that is unknown, or if the test waits for something else), raised (the factor by which
#               it raised the value at most; undef of a test that it can raise), steady (of an index: the estimate of
#               its tests that other load can't raise; undef if these are all or none), at_least and at_most (if other
#               load disturbed more than FLOOR_FROM of the passes, so that the value is only a floor: the floor, and the
#               ceiling; undef if there is none)
# Text reports have none of them: nothing is known of their passes.

use strict;
use warnings;

use List::Util ();

use UnixBench::Catalog             ();
use UnixBench::Noise::Causes       ();
use UnixBench::Noise::Disturbances ();
use UnixBench::Score::Spread       ();
use UnixBench::Score::Stats        qw(geometric_mean mean);
use UnixBench::Score::Work         ();

use constant {
    PASSES_LEAST => 3,
    MARGIN       => 1.5,
    RAISED       => 32,      # a test that other load can raise; 23 was measured, see lab/disturbed-runs.md
    FLOOR_FROM   => 0.25,    # the part of the passes, as for poor trust
};

# Takes a measured test, its run, and perhaps whether a command stood in front of its copies. Returns other_load, quiet
# and bounds, see above.
sub of_test {
    my ($test, $run, $is_under) = @_;
    my $estimate = sub { UnixBench::Score::Spread::of_test($_[0], $run->{rounds}, $run->{covered})->{estimate} };
    my %known    = %{ _known($estimate, $test) };
    my $may_rise = _may_rise($test, $run);
    return \%known if !is_disturbed(\%known) && !$may_rise;
    my $explains = _computes($test) ? _explained($run, $is_under, $test) : undef;
    return {
        %known, bounds => _bounds(\%known, $estimate->($test), explains => $explains, raised => $may_rise ? undef : 1)
    };
}

# Takes an index, its run, and perhaps the same; returns the same.
sub of_index {
    my ($index, $run, $is_under) = @_;
    my %is_own   = map  { $_->{name} => 1 } grep { defined $_->{baseline} } @{ $index->{rows} };
    my @tests    = grep { $is_own{ $_->{name} } } @{ $run->{tests} };
    my $estimate = sub { _of_tests($index, $run, @_) };
    my %known    = %{ _known($estimate, @tests) };
    my @steady   = grep { !_may_rise($_, $run) } @tests;
    return \%known if !is_disturbed(\%known) && @steady == @tests;
    my @loaded = grep { UnixBench::Noise::Disturbances::is_disturbed_by_other_load(@{ $_->{passes} }) } @tests;
    my @risen  = grep { _may_rise($_, $run) } @loaded;
    my %limits = (
        explains => is_disturbed(\%known)       ? scalar _explained($run, $is_under, @tests) : undef,
        raised   => @steady                     ? RAISED**(@risen / @tests)                  : undef,
        steady   => @steady && @steady < @tests ? $estimate->(_deciding(\%known, @steady))   : undef,
    );
    return { %known, bounds => _bounds(\%known, $estimate->(@tests), %limits) };
}

# Takes what is known of other load, and tests; returns them with the passes that decide.
sub _deciding {
    my ($known, @tests) = @_;
    return $known->{quiet}{is_enough} ? map { _without_load($_) } @tests : @tests;
}

# Takes an index, its run, and some of its tests; returns the estimate of the index of these tests.
sub _of_tests {
    my ($index, $run, @tests) = @_;
    my %is_kept = map  { $_->{name} => 1 } @tests;
    my @rows    = grep { $is_kept{ $_->{name} } } @{ $index->{rows} };
    return UnixBench::Score::Spread::of_index({ %$index, rows => \@rows }, { %$run, tests => \@tests }, $run->{covered})
        ->{estimate};
}

sub _computes { my ($test) = @_; return (UnixBench::Catalog::test($test->{name}) || {})->{computes} }

# Returns whether other load may raise the score of a test.
sub _may_rise {
    my ($test, $run) = @_;
    my $when = (UnixBench::Catalog::test($test->{name}) || {})->{may_rise} // return 0;
    return $when eq 'always' || $run->{copies} > ($run->{cpu_count} // 1) ? 1 : 0;
}

# Takes a run, whether a command stood in front of its copies, and measured tests. Returns the geometric mean of the
# factors by which more CPU time could raise the rates of all passes, or undef if that of a pass is unknown. A copy uses
# at most a CPU for each of its processes, and all copies together at most all CPUs.
sub _explained {
    my ($run, $is_under, @tests) = @_;
    my @of_tests;
    for my $test (@tests) {
        my $processes = (UnixBench::Catalog::test($test->{name}) || return)->{needs}{processes} || 1;
        my @factors;
        for my $pass (UnixBench::Score::Work::cpu_times($test, $is_under)) {
            my $cpu_s = _sure_cpu_s($pass);
            return if $cpu_s <= 0 || !$run->{cpu_count};
            my $cpus = List::Util::min($run->{cpu_count}, $processes * $pass->{copies});
            push @factors, List::Util::max(1, $cpus * $pass->{lived_s} / $pass->{copies} / $cpu_s);
        }
        push @of_tests, geometric_mean(@factors);
    }
    return geometric_mean(@of_tests);
}

# Takes what is known of a pass; returns the CPU time that its copies have had for certain. It is exact if the programs
# report it, else it has steps.
sub _sure_cpu_s {
    my ($pass) = @_;
    my $cpu_s = $pass->{cpu_s} // 0;
    return $cpu_s if defined $pass->{used}{span_s};
    return $cpu_s - UnixBench::Score::Work::EXCESS_S * $pass->{copies};
}

# Takes what is known of other load, the estimate from all passes, and explains, raised and perhaps steady, see above.
# Returns the bounds.
sub _bounds {
    my ($known, $estimate, %limits) = @_;
    my %bounds   = (steady => undef, %limits, at_least => undef, at_most => undef);
    my $quiet    = $known->{quiet};
    my $is_floor = is_disturbed($known) && $quiet->{of} - $quiet->{passes} > FLOOR_FROM * $quiet->{of};
    return \%bounds if !$is_floor;
    my %all    = (%$estimate, low => $estimate->{low} // $estimate->{value});
    my $limits = limits([\%all], { _limited(\%bounds) });
    @bounds{qw(at_least at_most)} = @$limits{qw(low high)};
    return \%bounds;
}

# Takes passes; returns whether their value is only a floor, because other load disturbed more than FLOOR_FROM of them.
sub is_floor {
    my (@passes) = @_;
    my $loud = grep { UnixBench::Noise::Disturbances::is_disturbed_by_other_load($_) } @passes;
    return $loud > FLOOR_FROM * @passes;
}

# Takes a function that returns the estimate of tests, and the tests.
sub _known {
    my ($estimate, @tests) = @_;
    my @quiet  = map { _without_load($_) } @tests;
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

sub _without_load {
    my ($test) = @_;
    return {
        %$test,
        passes => [grep { !UnixBench::Noise::Disturbances::is_disturbed_by_other_load($_) } @{ $test->{passes} }]
    };
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

# Takes the same test or index in each run of a side, and perhaps whether all passes count even if the quiet ones are
# enough. Returns
#   estimates  [estimates]: those of quiet passes if they are enough, else those of all passes
#   steady     [the same without what other load may raise], or undef without such tests
#   is_open    whether other load disturbed passes of these estimates; if it did not, nothing limits them:
#   raised     the factor by which other load raised them at most, or undef if that is unknown
#   explains   the factor that other load explains at most, with the margin, or undef if that is unknown
sub side {
    my ($items, $is_of_all) = @_;
    my $is_disturbed = grep { is_disturbed($_) } @$items;
    my @kept         = $is_disturbed && $is_of_all ? () : grep { !is_disturbed($_) || _has_enough($_) } @$items;
    my @used         = @kept ? @kept : @$items;
    my @values       = map { @kept ? _estimate($_) : $_->{estimate} } @used;
    my @steady       = map { ($_->{bounds} || {})->{steady} } @used;
    return {
        estimates => \@values,
        steady    => (grep { $_ } @steady) ? [map { $steady[$_] || $values[$_] } 0 .. $#used] : undef,
        @kept
        ? (is_open => 0, raised => 1, explains => 1)
        : _limited(map { $_->{bounds} } grep { is_disturbed($_) } @used),
    };
}

# Takes [estimates of a value: that of all, and perhaps that without what other load may raise], the side of the value,
# and perhaps that of its reference, if the value is a ratio. Returns what the value is without other load, with the
# confidence of the estimates:
#   low, high        between these two; each is undef if it is not known
#   by_low, by_high  the factor of other load that either has, or undef
# A ratio has to hold without the tests that other load may raise, too. A value has no such check, so there the factor
# counts by which they were raised.
sub limits {
    my ($estimates, $of, $to) = @_;
    my ($low, $high) =
        (List::Util::min(map { $_->{low} // () } @$estimates), List::Util::max(map { $_->{high} // () } @$estimates));
    my ($by_low, $by_high) =
        $to
        ? (defined $of->{raised} ? $to->{explains} : undef, defined $to->{raised} ? $of->{explains} : undef)
        : @$of{qw(raised explains)};
    return {
        low     => defined $low  && defined $by_low  ? $low / $by_low   : undef,
        high    => defined $high && defined $by_high ? $high * $by_high : undef,
        by_low  => $by_low,
        by_high => $by_high,
    };
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

# Takes the bounds of disturbed items. Returns how they limit their side, see side(). If nothing is known of an item,
# nothing limits it.
sub _limited {
    my (@bounds) = @_;
    my @explains = map { $_ && $_->{explains} // () } @bounds;
    my @raised   = map { $_ && $_->{raised}   // () } @bounds;
    return (
        is_open  => 1,
        raised   => @raised == @bounds   ? List::Util::max(@raised)            : undef,
        explains => @explains == @bounds ? MARGIN * List::Util::max(@explains) : undef,
    );
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
