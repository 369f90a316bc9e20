package UnixBench::History::Lines;

# The lines that fit the values of a segment. A slow change is not a step.

use strict;
use warnings;

use List::Util qw(max sum);

use UnixBench::Score::Stats qw(inflation t_quantile);

use constant {
    RAMP_LEAST => 6,        # values of a line that begins behind a level part, at least
    LINE_LEAST => 8,        # values of a drift, at least
    CLEARLY    => 9,        # variances: a step has a sum of squares that is smaller than that of a line by these
    SURE       => 0.975,
    NONE       => 1e-12,    # a sum of squares that comes from rounding
};

# Takes a segment and its best split; returns whether the two means do not fit the values clearly better than a line
# does, or worse than a line that begins at some place.
sub fits_better {
    my ($segment, $split) = @_;
    my ($from,    $end)   = @$split{qw(from end)};
    return 0 if $end - $from < LINE_LEAST;
    my ($line, $bent) = _lines($segment, $from, $end);
    return 1 if $line->{within} - $split->{within} < CLEARLY * $split->{within} / ($end - $from - 2);
    return $bent && $bent->{within} < $split->{within} ? 1 : 0;
}

# Takes a segment and two places; returns the line that fits them, and the best one that begins behind a level part,
# each { from (the last place of the level part), by (its rise), length (the sum of squares of its places), within (the
# sum of squares about it) }; undef if there are too few values.
sub _lines {
    my ($segment, $from, $end)    = @_;
    my ($count, $total, $squares) = $segment->parts($from, $end);
    my ($mean, $used)             = ($total / $count, $segment->used);
    my $least = ($count - 2) * $segment->rounding;
    my ($sum, $square, $moment, $tail, @lines) = (0) x 4;
    for my $knot (reverse $from .. $end - 2) {    # places count from the knot
        my $size = $end - 1 - $knot;
        $square += 2 * $sum + $size;
        $sum    += $size;
        $tail   += $used->[$knot + 1];
        $moment += $tail;
        next if $size < RAMP_LEAST;
        my $length = $square - $sum**2 / $count;
        my $slope  = ($moment - $sum * $mean) / $length;
        my $within = max(0, $squares - $total * $mean - $slope**2 * $length, $least);
        push @lines, { from => $knot, by => $slope * $size, length => $length / $size**2, within => $within };
    }
    my $line = pop @lines or return;
    my ($bent) = sort { $a->{within} <=> $b->{within} } @lines;
    return ($line, $bent);
}

# Takes a segment, two places, and the least change that matters. Returns the line that fits the values between the
# places, { at (the run where it begins), last (that where it ends), by (its rise, with its 95 % interval), low, high,
# inflation }, if it rises by more than that, and its interval does not hold 0; else undef.
sub drift {
    my ($segment, $from, $end, $effect) = @_;
    $from = max($from, $segment->from($end));
    my $count = $end - $from;
    return if $count < LINE_LEAST;
    my ($line, $bent) = _lines($segment, $from, $end);
    $line = $bent if $bent && $line->{within} - $bent->{within} > CLEARLY * $bent->{within} / ($count - 3);
    my $inflation = _inflation_about($segment, $line, $from, $end);
    my $error     = sqrt($line->{within} / ($count - 3) / $line->{length}) * $inflation;
    my $margin    = t_quantile(SURE, $count - 3) * $error;
    return if abs $line->{by} < max($margin, $effect);
    my ($first, $last) = @{ $segment->runs }[$line->{from}, $end - 1];
    my $by = $line->{by};
    return {
        at        => $first,
        last      => $last,
        by        => $by,
        low       => $by - $margin,
        high      => $by + $margin,
        inflation => $inflation
    };
}

# Takes a segment, a line and two places; returns by what an error is too small because the deviations from a line are
# alike.
sub _inflation_about {
    my ($segment, $line, $from, $end) = @_;
    my ($used, $last) = ($segment->used, $end - 1);
    my $slope = $line->{by} / ($last - $line->{from});
    my @rest  = map { $used->[$_] - $slope * max(0, $_ - $line->{from}) } $from .. $last;
    my $mean  = sum(@rest) / @rest;
    my ($lag, $within) = (0, NONE);
    $lag    += ($rest[$_] - $mean) * ($rest[$_ - 1] - $mean) for 1 .. $#rest;
    $within += ($_ - $mean)**2                               for @rest;
    return inflation($lag / $within + 2 / @rest);
}

1;
