package UnixBench::Over::Variation;

# What rounds that are spread over time show about runs: how much they vary from run to run, beyond what their passes
# explain. A run is short beside that time, so its windows are the rounds themselves, without the noise that a run
# averages.
#
# The variance of rounds has two parts: what a run averages, which differs from pass to pass, and what it does not. The
# first is seen in the differences of neighbours, whose mean square is twice a variance (J. von Neumann, Distribution of
# the ratio of the mean square successive difference to the variance, Annals of Mathematical Statistics 12, 1941). But
# noise that all tests have in common may last as long as a run, though it differs between neighbours. So it counts as
# what a run does not average. It is the variance of neighbouring indexes beyond that of independent tests.

use strict;
use warnings;

use List::Util qw(max min sum);

use UnixBench::Base::Result  qw(is_measured);
use UnixBench::Over          ();
use UnixBench::Over::Figures ();
use UnixBench::Score::Stats  qw(autocorrelation mean standard_deviation);

use constant WINDOWS => 24;    # of which neighbours show how many are independent

# Takes a result; returns what its runs show, as the key earlier of a result has it, see UnixBench::Base::ResultSchema.
sub variations {
    my (undef, $result) = @_;
    return map { _of_run($_, $result->{procedure}{over}) } @{ $result->{runs} };
}

sub _of_run {
    my ($run, $over) = @_;
    my %about = (
        copies => $run->{copies},
        since  => $run->{started},
        over_s => $over->{over_s} * min(1, $run->{rounds} / $over->{rounds})
    );
    my @tests = grep { is_measured($_) } @{ $run->{tests} };
    my %of    = map  { $_->{name} => _series($run, { name => $_->{name}, baseline => 1 }) } @tests;
    my @shown;
    my %common_of;
    for my $index (grep { !$_->{lacking} } @{ $run->{indexes} }) {
        my @rows   = grep { defined $_->{baseline} } @{ $index->{rows} };
        my $series = _series($run, @rows);
        my $alone  = sum(map { _of_neighbours(@{ $of{ $_->{name} } }) } @rows) / @rows**2;
        my $common = max(0, _of_neighbours(@$series) - $alone);
        @common_of{ map { $_->{name} } @rows } = ($common) x @rows;
        push @shown, { %about, kind => 'index', name => $index->{category}, _shown($common, @$series) };
    }
    push @shown, { %about, kind => 'test', name => $_, _shown($common_of{$_} // 0, @{ $of{$_} }) } for sort keys %of;
    return grep { $_->{runs} } @shown;
}

sub _series {
    my ($run, @rows) = @_;
    return [map { log $_->{value} } UnixBench::Over::Figures::rounds_of($run, 1, \@rows)];
}

sub _of_neighbours {
    my (@logs) = @_;
    return @logs < 2 ? 0 : mean(map { ($logs[$_] - $logs[$_ - 1])**2 } 1 .. $#logs) / 2;
}

# Its runs are the number of independent windows.
sub _shown {
    my ($common, @logs) = @_;
    return (runs => 0) if @logs < UnixBench::Over::ROUNDS_LEAST;
    my $runs = _independent(@logs);
    return (
        runs    => $runs,
        squares => ($runs - 1) * standard_deviation(@logs)**2,
        within  => max(0, _of_neighbours(@logs) - $common),
    );
}

# Returns how many windows are independent, at least two: neighbours that are alike count less.
sub _independent {
    my (@logs) = @_;
    my $size = int(@logs / WINDOWS);
    splice @logs, WINDOWS * $size;
    my $r = max(0, autocorrelation(map { mean(splice @logs, 0, $size) } 1 .. WINDOWS));
    return max(2, int(WINDOWS * (1 - min(1, $r)) / (1 + $r) + 0.5));
}

1;
