package UnixBench::Progress::Precision;

# How many rounds a quick run will need to be precise, as far as its first rounds tell.

use strict;
use warnings;

use UnixBench::Score::Spread   ();
use UnixBench::Score::StopRule ();
use UnixBench::Score::Stats    ();

use constant {
    NEVER           => 1_000_000,
    ROUNDS_TELLING  => 4,           # of fewer ones the spread is known too badly
    END_OF_INTERVAL => 0.975,
};

# Takes a quick run after a whole round, with its indexes, and a precision, see UnixBench::Score::StopRule; returns the
# number of rounds after which each index will be that precise. It is NEVER where that takes as many, where nothing is
# known, and where the rounds so far are too few to tell.
sub rounds_needed {
    my ($run, $precision) = @_;
    return NEVER if $run->{rounds} < ROUNDS_TELLING;
    my @indexes   = grep { @{ $_->{rows} } } UnixBench::Score::StopRule::indexes($run);
    my @estimates = map  { UnixBench::Score::Spread::of_index($_, $run)->{estimate} } @indexes;
    return NEVER if !@estimates || grep { !defined $_->{log_se} } @estimates;
    my ($few, $many) = (UnixBench::Score::StopRule::ROUNDS_TO_REACH - 1, NEVER);
    while ($many - $few > 1) {
        my $rounds    = int(($few + $many) / 2);
        my $is_enough = !grep { _half_width($_, $run->{rounds}, $rounds) > $precision } @estimates;
        ($is_enough ? $many : $few) = $rounds;
    }
    return $many;
}

# That of the interval when so many more rounds are like the first: the standard error falls with the root of the
# rounds, and the degrees of freedom grow with them.
sub _half_width {
    my ($estimate, $now, $then) = @_;
    my $log_se = $estimate->{log_se} * sqrt($now / $then);
    return 0 if !$log_se;
    my $df = $estimate->{df} * ($then - 1) / ($now - 1);
    return $log_se * UnixBench::Score::Stats::t_quantile(END_OF_INTERVAL, $df);
}

1;
