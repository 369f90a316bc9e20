use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use UnixBench::Compare::Repeated;
use UnixBench::Score::Estimate;

sub runs { return UnixBench::Compare::Repeated::runs_that_show(@_) }

# Takes a deviation, [numbers of runs], a difference, and perhaps the standard error of the ratio; returns the range.
sub range {
    my ($deviation, $runs, $difference, $log_se) = @_;
    my $compared = { deviation => $deviation, ratio => { log_se => $log_se } };
    my $needed   = UnixBench::Compare::Repeated::runs_needed($compared, $runs, $difference) or return;
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
    is(range(0.01,   [4, 4], 0.02), runs(0.00751, 0.02) . ' to ' . runs(0.0165, 0.02), 'four runs of each state');
    is(range(0.01,   [4, 4], 0.02), '4 to 12',                                         'the numbers');
    is(range(0.0112, [4, 4], 0.02), '5 to 15',                                         'with more scatter');
    is(range(0.0112, [8, 8], 0.02), '5 to 11', 'with more runs the range is narrower');
    is(range(0.0112, [4, 9], 0.02), '5 to 11', 'states may have different numbers of runs');
    is(range(0.01,   [3, 4], 0.02), undef,     'with three runs of a state there is no number');
    is(range(0.01,   [4, 4], 0),    undef,     'no number of runs shows a difference of 0');
};

subtest 'errors within the runs count if they are larger' => sub {
    my $log_se = 0.02 * sqrt(1 / 4 + 1 / 4);
    is(range(0.001, [4, 4], 0.02, $log_se), range(0.02, [4, 4], 0.02), 'the interval is that of the errors');
    is(range(0.02,  [4, 4], 0.02, 0.001),   range(0.02, [4, 4], 0.02), 'the interval is that between the runs');
};

done_testing();
