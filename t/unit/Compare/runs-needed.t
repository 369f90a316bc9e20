use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use UnixBench::Compare::Repeated;
use UnixBench::Score::Estimate;

sub runs { return UnixBench::Compare::Repeated::runs_that_show(@_) }

# Takes a deviation, [numbers of runs], a difference, and the degrees of freedom; returns the range.
sub range {
    my ($deviation, $runs, $difference, $df) = @_;
    my %ratio  = (log_se => $deviation * sqrt(1 / $runs->[0] + 1 / $runs->[1]), df => $df);
    my $needed = UnixBench::Compare::Repeated::runs_needed(\%ratio, $runs, $difference) or return;
    return "$needed->{least} to $needed->{most}";
}

# The largest deviation with which that many runs of each state show a difference with a power of 80 %, as a part of the
# logarithm of the ratio. The noncentral t distribution was integrated numerically, which is not what the module does.
my %LARGEST = (3 => 0.3252, 4 => 0.4203, 5 => 0.4943, 6 => 0.5571, 10 => 0.7548, 20 => 1.1, 50 => 1.7671);

subtest 'the number of runs has a power of 80 %' => sub {
    my $shift = log 1.02;
    for my $runs (sort { $a <=> $b } keys %LARGEST) {
        my $deviation = $LARGEST{$runs} * $shift;
        is(runs(0.99 * $deviation,  0.02), $runs,     "$runs runs are enough below the largest deviation");
        is(runs(1.005 * $deviation, 0.02), $runs + 1, "one more is needed above it");
    }
    is(runs(0,    0.02), 2,                                        'without scatter, two runs');
    is(runs(0.2,  0.02), 1000,                                     'a number beyond 1000 is 1000');
    is(runs(0.01, 0.04), runs(0.01 * log(1.02) / log(1.04), 0.02), 'only deviation and difference together matter');
};

subtest 'the range follows from the 80 % interval of the variance' => sub {

    # With 6 degrees of freedom the quantiles are 10.6446 and 2.20413, so the deviation 1 % is between 0.751 and 1.65 %.
    is(range(0.01,   [4, 4], 0.02, 6),  runs(0.00751, 0.02) . ' to ' . runs(0.0165, 0.02), 'four runs of each state');
    is(range(0.01,   [4, 4], 0.02, 6),  '4 to 12',                                         'the numbers');
    is(range(0.0112, [4, 4], 0.02, 6),  '5 to 15',                                         'with more scatter');
    is(range(0.0112, [8, 8], 0.02, 14), '5 to 11', 'with more degrees of freedom the range is narrower');
    is(range(0.01,   [1, 1], 0.02, 6),  '4 to 12', 'single runs have a range, too');
    is(range(0.01,   [4, 4], 0,    6),  undef,     'no number of runs shows a difference of 0');
};

done_testing();
