package UnixBench::Warnings::Passes;

# Warnings about the passes of one test: two modes, a trend, a large variation.

use strict;
use warnings;

use UnixBench::Score::Score ();
use UnixBench::Score::Stats qw(mean standard_deviation t_quantile);

use constant {
    CV_MOST      => 0.05,
    PASSES_LEAST => 5,           # with fewer passes hardly anything is significant
    EFFECT_LEAST => log 1.03,    # a smaller effect is not worth a warning
    SIGNIFICANT  => 1 - 0.001,
};

# Takes a test and its spread, see UnixBench::Score::Spread, or undef without one. Returns warnings, each { kind, test
# (its name), title } and a value that depends on the kind. An effect that explains another one is reported alone.
#   modes   modes, see UnixBench::Score::Spread
#   trend   rise: the change from the first to the last pass, as a fraction of 1, negative if the rates fell
#   varied  cv: the coefficient of variation
sub of_test {
    my ($test, $spread) = @_;
    return if !$spread;
    my @found = $spread->{modes} ? { kind => 'modes', modes => $spread->{modes} } : _of_order($test);
    return map { +{ test => $test->{name}, title => $test->{title}, %$_ } } @found;
}

sub _of_order {
    my ($test) = @_;
    my @rates  = map { UnixBench::Score::Score::rate($_) } @{ $test->{passes} };
    my $rise   = trend(map { log } @rates);
    return { kind => 'trend', rise => exp($rise) - 1 } if defined $rise;
    my $cv = @rates > 1 ? standard_deviation(@rates) / mean(@rates) : 0;
    return is_noisy($cv) ? { kind => 'varied', cv => $cv } : ();
}

# Takes a coefficient of variation, or undef; returns whether it is that of a noisy test.
sub is_noisy { my ($cv) = @_; return ($cv // 0) > CV_MOST }

# Takes the logarithms of the rates in order. Fits a straight line and returns its rise from the first to the last
# value, negative if it falls. Returns undef if that is less than 3 %, or if the slope is not significant at the level
# 0.001, by a two-sided t test.
sub trend {
    my (@logs) = @_;
    return if @logs < PASSES_LEAST;
    my ($slope, $se) = _fitted_line(@logs);
    my $rise = $slope * $#logs;
    my $t    = t_quantile((1 + SIGNIFICANT) / 2, @logs - 2);
    return abs $rise > EFFECT_LEAST && abs $slope > $se * $t ? $rise : undef;
}

# Fits a straight line by least squares; returns its slope and the standard error of the slope.
sub _fitted_line {
    my (@values) = @_;
    my ($middle, $mean) = ($#values / 2, mean(@values));
    my ($xx, $xy, $yy) = (0, 0, 0);
    for my $place (0 .. $#values) {
        my ($x, $y) = ($place - $middle, $values[$place] - $mean);
        $xx += $x * $x;
        $xy += $x * $y;
        $yy += $y * $y;
    }
    my $slope = $xy / $xx;
    my $rest  = $yy - $slope * $xy;
    return ($slope, sqrt(($rest > 0 ? $rest : 0) / (@values - 2) / $xx));
}

1;
