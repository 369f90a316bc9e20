package UnixBench::Changes::Segment;

# The values of a series since its last change. Outliers among them are clipped, so they neither hide a step nor look
# like one. Sums of the values give mean and deviation of any part at once.
#
#   runs      the run of each value
#   base      the first value
#   raw       the values, relative to the first one
#   used      the same, but outliers are clipped
#   clipped   the limit of each outlier, undef for other values
#   sums, squares, products
#             the sums of the used values before each place, of their squares, and of the products of neighbours
#   burst, sign
#             how many of the last values may be outliers, and on which side
#   is_wild   whether too many values were outliers, so that none is one

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(max min sum);

use UnixBench::Score::Stats qw(median t_quantile);

our @EXPORT_OK = qw(DENSE FIRST SIDE WINDOW);

use constant {
    FIRST    => 5,             # no decision before this value of a segment
    SIDE     => 2,             # values on each side of a split, at least
    DENSE    => 12,            # new sides up to this size are all tried, then each is a quarter larger
    WINDOW   => 200,           # the last values of a segment, which count
    NORMAL_4 => 0.99996833,    # the probability of less than four deviations above the mean
    BURST    => 2,             # outliers in a row, at most
    JUDGES   => 4,             # values that tell whether another one is an outlier, at least
    RARE     => 2,             # outliers, and their part of the values, that are usual
    RARE_OF  => 0.02,
    MANY     => 3,             # outliers, and their part, that are too many
    MANY_OF  => 0.03,
    OFTEN    => 16,            # values: fewer are judged again after each one
    INFINITE => 1e9,
};

# Returns a segment without values.
sub new {
    my ($class) = @_;
    my %lists   = map { $_ => [] } qw(runs raw used clipped);
    my %sums    = map { $_ => [0] } qw(sums squares products);
    return bless { %lists, %sums, burst => 0, sign => 0 }, $class;
}

# These return the number of values, and the lists that are named above.
sub count { my ($self) = @_; return scalar @{ $self->{used} } }
sub runs  { my ($self) = @_; return $self->{runs} }
sub used  { my ($self) = @_; return $self->{used} }
sub sums  { my ($self) = @_; return @$self{qw(sums squares)} }

# Takes a place; returns whether the value there is an outlier.
sub is_outlier {
    my ($self, $place) = @_;
    return $self->{used}[$place] != $self->{raw}[$place];
}

# Takes two places; returns how far a value may be from the mean of those between them, so that a burst ends before it.
sub near {
    my ($self, $from, $end) = @_;
    return (_nearer($self->_usual($self->parts($from, $end))))[1];
}

# Takes a run and its value; adds it to the segment. A value beyond four deviations makes a burst of itself and of the
# values before and behind it that are beyond two on the same side. A value alone is an outlier, and so are two if the
# segment goes on as before them. Three are a step.
sub take {
    my ($self, $run, $number) = @_;
    $self->_judge;
    my ($raw, $burst, $sign) = @$self{qw(raw burst sign)};
    my $value = $number - ($self->{base} //= $number);
    push @{ $self->{runs} }, $run;
    push @$raw,              $value;
    my $start   = $#$raw - $burst;
    my $usual   = [$self->_usual($self->parts($self->from($start), $start))];
    my $extreme = _direction($value, @$usual);
    my $goes_on = $burst && _direction($value, _nearer(@$usual)) == $sign;
    ($burst, $sign) = $goes_on ? ($burst + 1, $sign) : $extreme ? ($self->_reach($extreme, @$usual), $extreme) : (0, 0);
    my $is_step = $goes_on || $burst > BURST || $self->{is_wild};
    my $first   = $is_step ? $#$raw - $burst + 1 : $start;

    for my $place (min($start, $first) .. $#$raw) {
        my $is_outlier = ($place < $first || !$is_step) && ($place < $#$raw || $extreme);
        $self->_set($place, $is_outlier ? $usual : undef);
    }
    $self->_clip_burst($first, @$usual) if $burst > BURST;
    @$self{qw(burst sign)} = $burst > BURST ? (0, 0) : ($burst, $sign);
    $self->_add_up(min($start, $first));
    $self->_trust_all if !$self->{burst} && @$raw > 1 && defined $self->{clipped}[-2];
    return;
}

# One among the last values may be an outlier on the other side.
sub _reach {
    my ($self, $sign, @usual) = @_;
    my $raw   = $self->{raw};
    my @near  = _nearer(@usual);
    my $burst = 1;
    my $other = 0;
    while ($burst < @$raw) {
        my $next = $raw->[-1 - $burst];
        if (_direction($next, @near) == $sign) { $burst++; next }
        last if $other++            || _direction($next,               @usual) != -$sign;
        last if $burst + 1 >= @$raw || _direction($raw->[-2 - $burst], @near) != $sign;
        $burst += 2;
    }
    return $burst;
}

# Clips outliers among the values from a place on, which are a step, if most of them are alike.
sub _clip_burst {
    my ($self, $first, $mean, $width, $deviation) = @_;
    my $raw    = $self->{raw};
    my $middle = median(@$raw[$first .. $#$raw]);
    my @far    = grep { abs($raw->[$_] - $middle) > $width } $first .. $#$raw;
    return if 2 * @far >= @$raw - $first;
    $self->_set($_, [$_ == $first ? $mean : $middle, $width, $deviation]) for @far;
    return;
}

# Makes the value at a place an outlier that is beyond those limits, or a usual value. The first outliers count as
# values that are one deviation from the mean, as usual ones are, so they hide no step. If there are more, the noise
# is of another kind; then they count as values at half of the limit.
sub _set {
    my ($self, $place, $usual) = @_;
    my ($value, $clipped) = ($self->{raw}[$place], $self->{clipped});
    $clipped->[$place] = undef;
    $self->{used}[$place] = $value;
    return if !$usual;
    my ($mean, $width, $deviation) = @$usual;
    my $by = $self->_outliers > RARE + RARE_OF * @{ $self->{raw} } ? $width / 2 : $deviation;
    $clipped->[$place] = $width;
    $self->{used}[$place] = $value < $mean ? max($value, $mean - $by) : min($value, $mean + $by);
    return;
}

sub _outliers {
    my ($self) = @_;
    my $clipped = $self->{clipped};
    return scalar grep { defined } @$clipped[$self->from(scalar @$clipped) .. $#$clipped];
}

# If too many values are outliers, none of them is one: the noise has modes, or a long tail. The last values do not
# count as long as they may be a step.
sub _trust_all {
    my ($self) = @_;
    my $count = @{ $self->{raw} };
    return if $self->_outliers <= MANY + MANY_OF * $count;
    $self->{is_wild} = 1;
    $self->_set($_) for 0 .. $count - 1;
    $self->_add_up(0);
    return;
}

# Judges each value but those of the burst by all others, as long as they are few, and then each time their number has
# doubled. An outlier stays one; its limits may only become narrower.
sub _judge {
    my ($self) = @_;
    my ($raw, $used, $clipped) = @$self{qw(raw used clipped)};
    my $end  = @$raw - $self->{burst};
    my $from = $self->from($end);
    my ($count, $sum, $squares) = $self->parts($from, $end);
    return if $self->{is_wild} || $count < FIRST || $count > OFTEN && $count & $count - 1;
    my @usual = map { [$self->_usual($count - 1, $sum - $used->[$_], $squares - $used->[$_]**2)] } $from .. $end - 1;
    my @signs = map { defined $clipped->[$from + $_] ? 2 : _direction($raw->[$from + $_], _nearer(@{ $usual[$_] })) }
        0 .. $#usual;
    my $start = 0;

    for my $next (1 .. @signs) {
        next if $next < @signs && $signs[$next] == $signs[$start];
        my $are_outliers = $signs[$start] == 2
            || $next - $start <= BURST && grep { _direction($raw->[$from + $_], @{ $usual[$_] }) } $start .. $next - 1;
        for ($are_outliers ? ($start .. $next - 1) : ()) {
            my $is_closer = $usual[$_][1] < ($clipped->[$from + $_] // INFINITE);
            $self->_set($from + $_, $usual[$_]) if $is_closer;
        }
        $start = $next;
    }
    $self->_add_up($from);
    return;
}

# Returns the first place that counts if the segment ends before that place.
sub from {
    my ($self, $end) = @_;
    return $end > WINDOW ? $end - WINDOW : 0;
}

# Computes the sums of the values before each place again, from that place on; products are those of neighbours.
sub _add_up {
    my ($self, $place) = @_;
    my ($used, $sums, $squares, $products) = @$self{qw(used sums squares products)};
    for ($place .. $#$used) {
        my $value = $used->[$_];
        $sums->[$_ + 1]     = $sums->[$_] + $value;
        $squares->[$_ + 1]  = $squares->[$_] + $value * $value;
        $products->[$_ + 1] = $products->[$_] + ($_ ? $value * $used->[$_ - 1] : 0);
    }
    return;
}

# Returns the number, the sum and the sum of squares of the values from a place on, before another one.
sub parts {
    my ($self, $from, $end) = @_;
    my ($sums, $squares) = @$self{qw(sums squares)};
    return ($end - $from, $sums->[$end] - $sums->[$from], $squares->[$end] - $squares->[$from]);
}

# Returns the values from a place on, before another one: { count, mean, within (the sum of squares about the mean),
# lag (the sum of the products of neighbours about it) }.
sub part {
    my ($self, $from, $end)     = @_;
    my ($count, $sum, $squares) = $self->parts($from, $end);
    my ($mean, $used)           = ($sum / $count, $self->{used});
    my $products = $self->{products}[$end] - $self->{products}[$from + 1];
    my $lag      = $products - $mean * (2 * $sum - $used->[$from] - $used->[$end - 1]) + ($count - 1) * $mean**2;
    return { count => $count, mean => $self->{base} + $mean, within => max(0, $squares - $sum * $mean), lag => $lag };
}

# Takes a number of values, their sum and their sum of squares. Returns their mean, how far another one may be from it,
# and their deviation. The limit is as unlikely for few values as four deviations are if the deviation is known.
sub _usual {
    my ($self, $count, $sum, $squares) = @_;
    return (0, INFINITE, 0) if $count < JUDGES;
    my $deviation = sqrt max(0, ($squares - $sum**2 / $count) / ($count - 1));
    return ($sum / $count, $deviation * t_quantile(NORMAL_4, $count - 1) * sqrt(1 + 1 / $count), $deviation);
}

sub _direction {
    my ($value, $mean, $width) = @_;
    return $value < $mean - $width ? -1 : $value > $mean + $width ? 1 : 0;
}

# Returns the limits of two deviations.
sub _nearer { my ($mean, $width) = @_; return ($mean, $width / 2) }

1;
