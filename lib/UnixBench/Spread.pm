package UnixBench::Spread;

# How far the passes of a test lie apart, and how sure its score and an index are. All of it is of all passes: the
# score itself, which leaves out the worst third, mostly lies above its own interval.

use strict;
use warnings;

use List::Util ();

use UnixBench::Stats::Estimate ();
use UnixBench::Result          qw(is_measured);
use UnixBench::Score           ();
use UnixBench::Stats           qw(geometric_mean mean median standard_deviation);

# Takes a test; returns { passes, median, mean, sd, cv, min, max, estimate } of the rates of its passes, sd the
# standard deviation, cv the coefficient of variation, both undef for one pass, estimate as in
# UnixBench::Stats::Estimate; undef when it was not measured.
sub of_test {
    my ($test) = @_;
    return if !is_measured($test);
    my @rates = map { UnixBench::Score::rate($_) } @{ $test->{passes} };
    my $mean  = mean(@rates);
    my $sd    = @rates > 1 ? standard_deviation(@rates) : undef;
    return {
        passes   => scalar @rates,
        median   => median(@rates),
        mean     => $mean,
        sd       => $sd,
        cv       => defined $sd ? $sd / $mean : undef,
        min      => List::Util::min(@rates),
        max      => List::Util::max(@rates),
        estimate => UnixBench::Stats::Estimate::of_rates(@rates),
    };
}

# Takes a run; returns { name => spread } of its measured tests.
sub of_run {
    my ($run) = @_;
    return { map { $_->{name} => of_test($_) } grep { is_measured($_) } @{ $run->{tests} } };
}

# Takes an index, and the spreads of the tests by name; returns the estimate of the index.
sub of_index {
    my ($index, $spreads) = @_;
    my @rows = grep { defined $_->{baseline} } @{ $index->{rows} };
    my $mean = UnixBench::Stats::Estimate::geometric_mean(map { $spreads->{ $_->{name} }{estimate} } @rows);
    return UnixBench::Stats::Estimate::multiple($mean, 10 / geometric_mean(map { $_->{baseline} } @rows));
}

1;
