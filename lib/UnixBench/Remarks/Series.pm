package UnixBench::Remarks::Series;

# What the order of passes tells: logarithms of their rates in, a difference of logarithms out.

use strict;
use warnings;

use UnixBench::Score::Stats qw(mean standard_deviation);
use UnixBench::Score::Stats ();

use constant {
    PASSES_LEAST => 5,           # with fewer hardly anything is significant
    EFFECT_LEAST => log 1.03,    # what is less is not worth a word
    SIGNIFICANT  => 1 - 0.001,
};

# Takes logarithms in order; returns how far the first lies below the mean of the others, when that is more than 3 %
# and more than chance explains: a new value of the same normal distribution would be so low in one of a thousand
# cases, by Student's t for a prediction. Else undef.
sub first_behind {
    my ($first, @others) = @_;
    return if @others + 1 < PASSES_LEAST;
    my $behind = mean(@others) - $first;
    my $sd     = standard_deviation(@others) * sqrt(1 + 1 / @others);
    return $behind > EFFECT_LEAST && _is_beyond($behind, $sd, SIGNIFICANT, @others - 1) ? $behind : undef;
}

# Takes logarithms in order; returns how much they rise (or fall, below 0) from first to last on the line that fits
# them best, when that is more than 3 % and its slope is not 0 at the level 0.001, by Student's t on either side. Else
# undef.
sub trend {
    my (@logs) = @_;
    return if @logs < PASSES_LEAST;
    my ($middle, $mean) = ($#logs / 2, mean(@logs));
    my ($xx, $xy, $yy) = (0, 0, 0);
    for my $place (0 .. $#logs) {
        my ($x, $y) = ($place - $middle, $logs[$place] - $mean);
        $xx += $x * $x;
        $xy += $x * $y;
        $yy += $y * $y;
    }
    my $slope = $xy / $xx;
    my $df    = @logs - 2;
    my $rest  = $yy - $slope * $xy;
    my $se    = sqrt(($rest > 0 ? $rest : 0) / $df / $xx);
    my $rise  = $slope * $#logs;
    return abs $rise > EFFECT_LEAST && _is_beyond(abs $slope, $se, (1 + SIGNIFICANT) / 2, $df) ? $rise : undef;
}

sub _is_beyond {
    my ($value, $se, $probability, $df) = @_;
    return $value > $se * UnixBench::Score::Stats::t_quantile($probability, $df);
}

1;
