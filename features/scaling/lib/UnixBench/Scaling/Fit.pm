package UnixBench::Scaling::Fit;

# The shape of scaling: how the work of N copies grows with N. Two models are fitted to the logarithms of the values,
# by least squares with the errors of the values as weights:
#
#   line     N copies do a * N
#   corner   a line to K copies, then each further copy adds E times what one of the first K adds
#
# The model with the smallest sum of squared residuals, in errors, plus a penalty for its parameters, is chosen. The
# shape is not determined if no model fits, or if another one that says something else fits nearly as well. The
# penalties and limits were chosen by simulations (lab/settled.md). Nothing is said about copies beyond the measured
# ones.

use strict;
use warnings;

use List::Util qw(max min sum);

use constant {
    POINTS_LEAST => 3,
    PENALTY      => { linear => 0, corner => 12 },
    UNMEASURED   => 6,                            # the penalty for a corner at a number of copies that was not measured
    APART        => 4,                            # by which another shape has to be worse
    UNLIKELY     => 3.3,                          # standard deviations: a model with larger residuals does not fit
    CLEAR        => 2.5,                          # standard errors of a fall
    LITTLE       => 0.05,                         # of what one of the first copies adds
    PLACES       => 32,                           # corners that are tried between two numbers of copies
    STEPS        => 4,                            # of the least squares
    SINGULAR     => 1e-12,
};

# Takes points, ascending: { copies, value, error (of the logarithm; undef if it is unknown) }. Returns the shape:
#   shape  "linear", "corner", "falls" or "undetermined"
#   to     of a corner, K; or the copies beyond which the values fall
#   each   of a corner, E
# Keys that do not apply are undef.
sub of {
    my (@points) = @_;
    my %none     = map { $_ => undef } qw(to each);
    my %open     = (%none, shape => 'undetermined');
    return \%open if @points < POINTS_LEAST || grep { !defined $_->{error} } @points;
    my @models = sort { $a->{score} <=> $b->{score} } _line(@points), _corners(@points);
    my ($best, @others) = @models;
    my ($other) = grep { $_->{shape} ne $best->{shape} } @others;
    return \%open if _is_unlikely($best, scalar @points) || $other && $other->{score} - $best->{score} < APART;
    return { map { $_ => $best->{$_} } 'shape', keys %none };
}

# Returns whether the residuals of a model are larger than the errors explain (E. Wilson and M. Hilferty, The
# Distribution of Chi-Square, 1931).
sub _is_unlikely {
    my ($model, $points) = @_;
    my $df = $points - $model->{terms};
    return $df > 0 && ($model->{squares} / $df)**(1 / 3) > 1 - 2 / (9 * $df) + UNLIKELY * sqrt(2 / (9 * $df));
}

sub _model {
    my ($of, $penalty, %shape) = @_;
    my $terms = @{ $of->{factors} };
    return { %shape, terms => $terms, squares => $of->{squares}, score => $of->{squares} + $penalty };
}

sub _line {
    my (@points) = @_;
    return _model(_fitted(\@points, map { [$_->{copies}] } @points), PENALTY->{linear}, shape => 'linear');
}

# Returns models with corners. One between two measured numbers needs at least two points above it.
sub _corners {
    my (@points) = @_;
    my @copies   = map { $_->{copies} } @points;
    my @models   = map { _corner($_, 0, @points) } @copies[0 .. $#copies - 1];
    for my $number (0 .. $#copies - 2) {
        my ($from, $to) = @copies[$number, $number + 1];
        my $step = max(1, int(($to - $from) / PLACES));
        push @models, map { _corner($from + $_ * $step, UNMEASURED, @points) } 1 .. ($to - $from - 1) / $step;
    }
    return @models;
}

sub _corner {
    my ($place, $more, @points) = @_;
    my @terms = map { [min($_->{copies}, $place), max(0, $_->{copies} - $place)] } @points;
    my $of    = _fitted(\@points, @terms) // return;
    my ($first, $further) = @{ $of->{factors} };
    return if $first <= 0;
    my $falls = $further + CLEAR * $of->{errors}[1] < 0;
    my %shape = $falls ? (shape => 'falls') : (shape => 'corner', each => max(0, $further / $first));
    return _model($of, PENALTY->{corner} + $more, %shape, to => $place);
}

# Takes [points] and the terms of each. Returns the factors of the terms with which their sums are nearest to the values
# in logarithms, { factors, errors, squares (of the residuals, in errors) }, by some steps of Gauss and Newton; or undef
# if they are not determined.
sub _fitted {
    my ($points, @terms) = @_;
    my @fitted = map { $_->{value} } @$points;
    my ($factors, $inverse);
    for my $step (1 .. STEPS) {
        my @weights = map { 1 / ($fitted[$_] * $points->[$_]{error})**2 } 0 .. $#fitted;
        my @wanted  = map { [$fitted[$_] * (1 + log($points->[$_]{value} / $fitted[$_]))] } 0 .. $#fitted;
        $inverse = _inverse(_products(\@terms, \@terms, @weights)) // return;
        my $sums = [map { @$_ } @{ _products(\@terms, \@wanted, @weights) }];
        $factors = [map { _sum_of($_, $sums) } @$inverse];
        @fitted  = map { _sum_of($_, $factors) } @terms;
        return if grep { $_ <= 0 } @fitted;
    }
    return {
        factors => $factors,
        errors  => [map { sqrt max(0, $inverse->[$_][$_]) } 0 .. $#$inverse],
        squares => sum(map { (log($points->[$_]{value} / $fitted[$_]) / $points->[$_]{error})**2 } 0 .. $#fitted),
    };
}

sub _sum_of {
    my ($row, $factors) = @_;
    return sum(map { $row->[$_] * $factors->[$_] } 0 .. $#$row);
}

# Takes two lists of rows, and weights; returns the weighted products of the columns of the first with those of the
# second.
sub _products {
    my ($of, $to, @weights) = @_;
    my @products;
    for my $row (0 .. $#{ $of->[0] }) {
        for my $column (0 .. $#{ $to->[0] }) {
            $products[$row][$column] = sum(map { $weights[$_] * $of->[$_][$row] * $to->[$_][$column] } 0 .. $#weights);
        }
    }
    return \@products;
}

# Takes a matrix of normal equations; returns its inverse (C. Gauss and C. Jordan), or undef if it has none.
sub _inverse {
    my ($matrix) = @_;
    my @rows = map { [@$_, (0) x @$matrix] } @$matrix;
    $rows[$_][$_ + @rows] = 1 for 0 .. $#rows;
    for my $at (0 .. $#rows) {
        my $pivot = $rows[$at][$at];
        return if $pivot <= $matrix->[$at][$at] * SINGULAR;
        $_ /= $pivot for @{ $rows[$at] };
        for my $other (grep { $_ != $at } 0 .. $#rows) {
            my $factor = $rows[$other][$at];
            $rows[$other][$_] -= $factor * $rows[$at][$_] for 0 .. $#{ $rows[$at] };
        }
    }
    return [map { [splice @$_, @rows] } @rows];
}

1;
