package UnixBench::Score::OtherLoad;

# Other load during the passes of a test, and which passes decide a verdict in spite of it. Comparisons and
# features all ask this module.
#
# A pass is quiet if no other load disturbed it. Quiet passes decide alone if each test has at least three of them on
# each side. With fewer, the verdict is inconclusive. Steal and quotas are not other load: they belong to the machine as
# delivered. A pass that was late is not excused by that alone.
#
# What is known of a test or an index is plain data. Summaries have it (see UnixBench::Store::Summary), so they decide
# as whole results do:
#   other_load  [{ cause, worst (value), passes, badly, by }, ...], the causes by importance: the passes that have the
#               cause, and those that it disturbed. by is the busiest process, if that is known, see
#               UnixBench::Noise::Disturbances::in_brief
#   quiet       { passes (their number), of (the number of all passes), is_enough (whether each test has at least three
#               quiet ones), slowed (the largest fraction by which notes say that a quiet pass may be too slow, or
#               undef), estimate }. The estimate is that of the quiet passes, see UnixBench::Score::Estimate; undef if
#               they are all passes, or not enough
# Text reports have neither: nothing is known of their passes.

use strict;
use warnings;

use List::Util ();

use UnixBench::Noise::Causes       ();
use UnixBench::Noise::Disturbances ();
use UnixBench::Score::Spread       ();

use constant PASSES_LEAST => 3;

# Takes a measured test, the number of rounds of a quick run, or undef for an official one, and perhaps the confidence
# of intervals. Returns other_load and quiet, see above.
sub of_test {
    my ($test, $rounds, $covered) = @_;
    return _known(sub { UnixBench::Score::Spread::of_test($_[0], $rounds, $covered)->{estimate} }, $test);
}

# Takes an index, its run, and perhaps the confidence of intervals; returns other_load and quiet, see above.
sub of_index {
    my ($index, $run, $covered) = @_;
    my %is_own = map  { $_->{name} => 1 } grep { defined $_->{baseline} } @{ $index->{rows} };
    my @tests  = grep { $is_own{ $_->{name} } } @{ $run->{tests} };
    return _known(sub { UnixBench::Score::Spread::of_index($index, { %$run, tests => [@_] }, $covered)->{estimate} },
        @tests);
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
        slowed    => List::Util::max(map { _slowed($_) } @passes),
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

# Returns the fractions by which the other load of a pass may have slowed it. Processes that waited before a pass did no
# harm unless they used CPU time during it, and "others" shows that.
sub _slowed {
    my ($pass) = @_;
    return map { $_->{value} }
        grep   { UnixBench::Noise::Causes::has($_->{cause}, 'slows_by_value') }
        UnixBench::Noise::Disturbances::other_load($pass);
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
