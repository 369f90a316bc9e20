package UnixBench::Score::OtherLoad;

# Other load during the passes of a test, and which passes decide a verdict in spite of it. Comparisons and
# features all ask this module.
#
# A pass is quiet if no other load disturbed it. Quiet passes decide alone if each test has at least three of them on
# each side. With fewer, the verdict is inconclusive, unless the bounds of the values decide, see
# UnixBench::Score::Bounds. Steal and quotas are not other load: they belong to the machine as delivered.
#
# What is known of a test or an index is plain data: the type of_load of UnixBench::Base::ResultSchema. Summaries have
# it, so they decide as whole results do. Text reports have none: nothing is known of their passes.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Noise::Causes       ();
use UnixBench::Noise::Disturbances ();
use UnixBench::Score::Spread       ();
use UnixBench::Score::Stats        qw(geometric_mean mean);

our @EXPORT_OK = qw(estimate_of has_enough is_disturbed quiet slight);

use constant PASSES_LEAST => 3;

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
    return _known(sub { UnixBench::Score::Spread::of_index($index, { %$run, tests => [@_] }, $run->{covered}) },
        @tests);
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
    my @logs       = map { mean(map { log(1 + _slowed_pass($_)) } @$_) } grep { @$_ } @of_tests;
    my $by         = @logs ? exp(mean(@logs)) - 1 : 0;
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
    my @load    = map  { together(@$_) } @sides;
    my @kept    = map  { [grep { has_enough($_) } @$_] } @sides;
    my $is_open = grep { !@$_ } @kept;
    return {
        load      => \@load,
        shares    => [map { [_number_of(passes => @{ $kept[$_] }), _number_of(of => @{ $sides[$_] })] } 0 .. $#sides],
        estimates => $is_open ? undef : [map { [map { estimate_of($_) } @$_] } @kept],
    };
}

# Takes a test or an index of a summary; returns whether its quiet passes decide alone.
sub has_enough {
    my ($item) = @_;
    return !$item->{quiet} || $item->{quiet}{is_enough};
}

# Takes a test or an index of a summary; returns the estimate of its quiet passes, or of all if nothing disturbed it.
sub estimate_of {
    my ($item) = @_;
    return is_disturbed($item) ? $item->{quiet}{estimate} : $item->{estimate};
}

# Returns a number of passes of all items: of the quiet ones, or of all. Text reports tell only how many there were.
sub _number_of {
    my ($key, @items) = @_;
    return List::Util::sum(0, map { $_->{quiet} ? $_->{quiet}{$key} : $_->{passes} // 0 } @items);
}

1;
