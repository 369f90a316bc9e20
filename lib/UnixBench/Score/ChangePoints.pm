package UnixBench::Score::ChangePoints;

# Finds the changes in a series of values that come one after the other, with a rate of false alarms that is set.
#
# The Student change-point model: D. M. Hawkins, P. Qiu and C. W. Kang, "The changepoint model for statistical process
# control", Journal of Quality Technology 35 (2003). After each value, the statistic is the largest two-sample |t| over
# all ways to split the segment in two. It is compared with a threshold that gives the same probability of a false alarm
# at each value, if there was none before. Mean and deviation are unknown. After a change, the model starts anew behind
# it.

use strict;
use warnings;

use List::Util qw(max min sum);

use UnixBench::Score::Stats qw(median t_quantile);

use constant {
    FIRST      => 5,             # no decision before this value of a segment
    SIDE       => 2,             # values on each side of a split, at least
    DENSE      => 12,            # new sides up to this size are all tried, then each is a quarter larger
    WINDOW     => 200,           # the last values of a segment, which count
    PER_VALUES => 1000,          # one false alarm in this number of values of all series
    CONFIRMED  => 0.7,           # the part of the false alarms that is confirmed, at most: only these count
    FEW        => 16,            # values: fewer do not show whether there are two modes
    OF_FEW     => 1 / 16,        # the part of the probability that they have
    SERIES     => 64,            # series that share it, at least
    EFFECT     => 0.02,
    NORMAL_4   => 0.99996833,    # the probability of less than four deviations above the mean
    NORMAL_98  => 2.0537,        # the deviations above the mean that have a probability of 98 %: 94 % for three values
    BURST      => 2,             # outliers in a row, at most
    JUDGES     => 4,             # values that tell whether another one is an outlier, at least
    COMMON     => 300,           # values of all series that are added to those of one
    CLEAR      => 3,             # standard errors: the least autocorrelation of all series that counts
    OF_MEDIAN  => 1.2533,        # the standard error of a median, by that of a mean
    AFTER      => 3,             # values after the step that "sees" is about
    LARGEST    => log 100,       # such a step is larger than any that happens
    LINE_LEAST => 8,             # values of a drift, at least
    CLEARLY    => 10,            # variances: a step has a sum of squares that is smaller than that of a line by these
    SURE       => 0.975,
    NONE       => 1e-12,         # a part of a sum of squares that comes from rounding
    INFINITE   => 1e9,
};

# The number of independent splits with the same probability of a false alarm: at values 5 to 12 of a segment; later for
# 64 series, and what each doubling of the series adds. From xt/change-thresholds with 40,076,144 series, seed 1.
my @SPLITS = (1.98, 2.88, 3.45, 4.05, 4.6, 5.15, 5.65, 6.3);
use constant { SPLITS => 6.73, SPLITS_OF_DOUBLED => 0.4 };

my (%threshold, @width, @tried);

# Takes [series, ...] of the same runs: each is [value by run], such as logarithms of scores, and undef if a run has no
# value. By name: effect, the least change that matters, as a fraction (default 0.02); watched, how many series share
# the budget (default: all of them). Returns for each series
#
#     { segments => [{ first, last (runs), mean, deviation (undef for one value), is_drift }, ...],
#       changes  => [{ at (the first run behind it), found, confirmed (runs; undef: it is provisional), by, low, high
#                      (the difference of the means with its 95 % interval) }, ...],
#       outliers => { run => 1 },
#       sees     => the step that is seen after three more runs with a probability of 90 %, a difference; undef if there
#                   are too few values }
#
# A provisional change is the last one; what is seen is that of the runs before it.
sub of {
    my ($series, %given) = @_;
    my %all = (
        sharers => CONFIRMED * watched($given{watched} // scalar @$series),
        effect  => log(1 + ($given{effect} // EFFECT)),
    );
    my @each = map { bless { all => \%all, values => $_, segments => [], changes => [], outliers => {} }, __PACKAGE__ }
        @$series;
    $all{series} = \@each;
    $_->_start for @each;
    for my $run (0 .. max(-1, map { $#$_ } @$series)) {
        my @known = grep { defined $_->{values}[$run] } @each;
        $_->_take($run) for @known;
        delete $all{alike};
        $_->_decide($run) for @known;
    }
    my @found = map { $_->_found } @each;
    delete $all{series};    # which refer to it
    return @found;
}

# Takes a number of series; returns the number that shares the budget of false alarms.
sub watched {
    my ($series) = @_;
    my $watched = SERIES;
    $watched *= 2 while $watched < $series;
    return $watched;
}

# Takes the number of values in a segment, at least 5, and of series; returns the threshold of the statistic. With few
# values, values that alternate between two modes look like a step; so the first ones have a smaller probability.
sub threshold {
    my ($count, $series) = @_;
    return $threshold{"$count $series"} ||= do {
        my $splits =
            min($SPLITS[$count - FIRST] // INFINITE, SPLITS + SPLITS_OF_DOUBLED * log($series / SERIES) / log 2);
        my $probability = 1 / (PER_VALUES * $series) * ($count < FEW ? OF_FEW : 1);
        t_quantile(1 - $probability / (2 * $splits), $count - 2);
    };
}

# Starts a segment. Its values are relative to the first one. The sums are of the values before each place; products are
# those of neighbours.
sub _start {
    my ($self) = @_;
    delete @$self{qw(provisional split base)};
    %$self = (%$self, runs => [], raw => [], used => [], burst => 0, sign => 0, is_drift => 0);
    @$self{qw(sums squares products)} = ([0], [0], [0]);
    return;
}

# Adds a value to the segment. A value beyond four deviations makes a burst of itself and of the values before and
# behind it that are beyond two on the same side. A value alone is an outlier, and so are two if the segment goes on as
# before them. All values are judged again each time their number has doubled.
sub _take {
    my ($self, $run) = @_;
    my ($raw, $burst, $sign) = @$self{qw(raw burst sign)};
    my $value = $self->{values}[$run] - ($self->{base} //= $self->{values}[$run]);
    push @{ $self->{runs} }, $run;
    push @$raw,              $value;
    my $start   = $#$raw - $burst;
    my @usual   = _usual($self->_parts($self->_from($start), $start));
    my $extreme = _direction($value, @usual);
    my $goes_on = $burst && _direction($value, _nearer(@usual)) == $sign;
    ($burst, $sign) = $goes_on ? ($burst + 1, $sign) : (abs $extreme, $extreme);

    if (!$goes_on) {
        $burst++ while $burst && $burst < @$raw && _direction($raw->[-1 - $burst], _nearer(@usual)) == $sign;
    }
    my $is_step = $goes_on || $burst > BURST;

    for my $place ($start .. $#$raw) {
        my $is_outlier = !$is_step && ($place < $#$raw || $extreme);
        $self->{used}[$place] = $is_outlier ? _clipped($raw->[$place], @usual) : $raw->[$place];
    }
    @$self{qw(burst sign)} = $burst > BURST ? (0, 0) : ($burst, $sign);
    $self->_add_up($start);
    $self->_judge if @$raw >= FIRST && !(@$raw & @$raw - 1);
    return;
}

# Judges each value by all others, in the same way.
sub _judge {
    my ($self) = @_;
    my ($raw, $used) = @$self{qw(raw used)};
    my $end  = @$raw - $self->{burst};
    my $from = $self->_from($end);
    my ($count, $sum, $squares) = $self->_parts($from, $end);
    my @usual = map { [_usual($count - 1, $sum - $used->[$_], $squares - $used->[$_]**2)] } $from .. $end - 1;
    my @signs = map { _direction($raw->[$from + $_], _nearer(@{ $usual[$_] })) } 0 .. $#usual;
    my $start = 0;

    for my $next (1 .. @signs) {
        next if $next < @signs && $signs[$next] == $signs[$start];
        my $are_outliers = $next - $start <= BURST
            && grep { _direction($raw->[$from + $_], @{ $usual[$_] }) } $start .. $next - 1;
        for ($start .. $next - 1) {
            my $value = $raw->[$from + $_];
            $used->[$from + $_] = $are_outliers ? _clipped($value, @{ $usual[$_] }) : $value;
        }
        $start = $next;
    }
    $self->_add_up($from);
    return;
}

# Returns the first place that counts if the segment ends before that place.
sub _from {
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
sub _parts {
    my ($self, $from, $end) = @_;
    my ($sums, $squares) = @$self{qw(sums squares)};
    return ($end - $from, $sums->[$end] - $sums->[$from], $squares->[$end] - $squares->[$from]);
}

# Takes a number of values, their sum and their sum of squares; returns their mean, and how far another one may be from
# it. That is as unlikely for few values as four deviations are if the deviation is known.
sub _usual {
    my ($count, $sum, $squares) = @_;
    return (0, INFINITE) if $count < JUDGES;
    my $mean   = $sum / $count;
    my $factor = $width[$count] ||= t_quantile(NORMAL_4, $count - 1) * sqrt((1 + 1 / $count) / ($count - 1));
    return ($mean, $factor * sqrt max(0, $squares - $sum * $mean));
}

# Returns on which side of the usual values a value is, 0 among them.
sub _direction {
    my ($value, $mean, $width) = @_;
    return $value < $mean - $width ? -1 : $value > $mean + $width ? 1 : 0;
}

# Returns the limits of two deviations.
sub _nearer { my ($mean, $width) = @_; return ($mean, $width / 2) }

# Returns what counts instead of an outlier.
sub _clipped {
    my ($value, @usual) = @_;
    my ($mean,  $width) = _nearer(@usual);
    return $value < $mean ? max($value, $mean - $width) : min($value, $mean + $width);
}

# Decides after a run whether there is a change.
sub _decide {
    my ($self, $run) = @_;
    my $earlier = delete $self->{provisional};
    my $count   = @{ $self->{used} };
    delete $self->{split};
    $self->{is_drift} = 0;
    return if $count < FIRST;
    my $limit = $self->{all}{limits}[$count] //= threshold(min($count, WINDOW), $self->{all}{sharers});
    my ($square) = $self->_largest($count);
    return if $square < $limit * $limit;
    my $split = $self->_split;
    return if abs $split->{by} < $self->{all}{effect};
    return if $self->{is_drift} = $self->_is_line($split, $count);
    return if $split->{t} < $limit * $self->_inflation;
    my $change  = { place => $split->{place}, found => $run, sign => $split->{by} <=> 0 };
    my $is_same = $earlier && $earlier->{sign} == $change->{sign} && abs($earlier->{place} - $change->{place}) <= 1;
    return $self->{provisional} = $change if !$is_same;
    my @runs = @{ $self->{runs} };
    push @{ $self->{changes} }, { at => $runs[$change->{place}], found => $earlier->{found}, confirmed => $run };
    $self->_add_segment(0, $change->{place});
    $self->_start;
    $self->_take($_) for @runs[$change->{place} .. $#runs];
    return;
}

# Returns the split with the largest statistic, computed once after each run: { place (of the first value of the new
# side), t, by (the difference of the means), from, end (the places that count), within (the sum of squares about both
# means) }. Returns undef if there are too few values.
sub _split {
    my ($self) = @_;
    my $end = @{ $self->{used} };
    return if $end < FIRST;
    return $self->{split} ||= do {
        my $from = $self->_from($end);
        my ($square, $size) = $self->_largest($end);
        ($square, $size) = $self->_best_of($from, $end, _near($size, $end - $from)) if $size > DENSE;
        my $place = $end - $size;
        my ($old, $new) = ($self->_part($from, $place), $self->_part($place, $end));
        my $within = $old->{within} + $new->{within};
        my $by     = $new->{mean} - $old->{mean};
        {
            place  => $place,
            t      => sqrt $square,
            by     => $by,
            from   => $from,
            end    => $end,
            within => $within,
            parts  => [$old, $new]
        };
    };
}

# Takes the number of values that count. Returns the square of the largest statistic, and the size of its new side.
sub _largest {
    my ($self, $end) = @_;
    my $from = $self->_from($end);
    return $self->_best_of($from, $end, $tried[$end - $from] ||= _sizes($end - $from));
}

# Takes the size of a segment. Returns [[size of the new side, factor of the square of its deviation], ...], for all
# sizes that are tried.
sub _sizes {
    my ($count) = @_;
    my @sizes;
    for (my $size = SIDE; $size <= $count - SIDE; $size = $size < DENSE ? $size + 1 : int($size * 5 / 4)) {
        push @sizes, $size;
    }
    return _weighted($count, @sizes);
}

# Returns the same for all sizes around one.
sub _near {
    my ($size, $count) = @_;
    return _weighted($count, max(SIDE, int($size * 3 / 4)) .. min($count - SIDE, int($size * 4 / 3)));
}

sub _weighted {
    my ($count, @sizes) = @_;
    return [map { [$_, 1 / ($_ * ($count - $_))] } @sizes];
}

# The sum of squares between both sides is the square of the new side's deviation from the common mean, times the number
# of all values, by the sizes of both.
sub _best_of {
    my ($self, $from, $end, $sizes) = @_;
    my ($sums, $total)              = ($self->{sums}, $self->{sums}[$end]);
    my ($count, $sum)               = ($end - $from, $total - $sums->[$from]);
    my $mean = $sum / $count;
    my ($most, $of) = (-1, 0);
    for my $size (@$sizes) {
        my $deviation = $total - $sums->[$end - $size->[0]] - $size->[0] * $mean;
        my $between   = $deviation * $deviation * $size->[1];
        ($most, $of) = ($between, $size->[0]) if $between > $most;
    }
    my $squares = $self->{squares}[$end] - $self->{squares}[$from];
    my $between = $most * $count;
    my $within  = $squares - $sum * $mean - $between;
    return (($count - 2) * $between / $within,         $of) if $within > NONE * $squares;
    return ($between > NONE * $squares ? INFINITE : 0, $of);
}

# Returns the values from a place on, before another one: { count, mean, within (the sum of squares about the mean), lag
# (the sum of the products of neighbours about it) }.
sub _part {
    my ($self, $from, $end)     = @_;
    my ($count, $sum, $squares) = $self->_parts($from, $end);
    my ($mean, $used)           = ($sum / $count, $self->{used});
    my $products = $self->{products}[$end] - $self->{products}[$from + 1];
    my $lag      = $products - $mean * (2 * $sum - $used->[$from] - $used->[$end - 1]) + ($count - 1) * $mean**2;
    return { count => $count, mean => $self->{base} + $mean, within => max(0, $squares - $sum * $mean), lag => $lag };
}

# Returns by what a statistic is too large if neighbours are alike. Few values do not tell how much; those of all series
# together tell more.
sub _inflation {
    my ($self) = @_;
    my $all = $self->{all};
    my ($r, $count) = ($self->_alike, 0, 0);
    my $common = $all->{alike} //= _common(grep { @$_ } map { [$_->_alike] } @{ $all->{series} });
    my $known  = ($r * $count + $common * COMMON) / ($count + COMMON);
    return $known > 0 ? sqrt((1 + $known) / max(1 - $known, NONE)) : 1;
}

# Returns the autocorrelation of the deviations from the means of both sides, and the number of values; or nothing. In
# the mean, n values with their mean have r - (1 + 4 r) / n (F. Marriott and J. Pope, Biometrika 41, 1954).
sub _alike {
    my ($self) = @_;
    my $split = $self->_split or return;
    return if !$split->{within};
    my @parts = @{ $split->{parts} };
    my $count = $split->{end} - $split->{from};
    my $r     = sum(map { $_->{lag} } @parts) / $split->{within};
    return (($r + @parts / $count) * (1 + 4 * @parts / $count), $count);
}

# Takes [autocorrelation, number of values] of each series; returns the median, or 0 if noise may be its cause.
sub _common {
    my (@each) = @_;
    return 0 if !@each;
    my $r = median(map { $_->[0] } @each);
    return $r < CLEAR * OF_MEDIAN / sqrt(sum(map { $_->[1] } @each)) ? 0 : $r;
}

# Returns whether the two means of a split do not fit the values clearly better than a line.
sub _is_line {
    my ($self, $split, $end)    = @_;
    my ($from, $used)           = ($split->{from}, $self->{used});
    my ($count, $sum, $squares) = $self->_parts($from, $end);
    return 0 if $count < LINE_LEAST;
    my $middle = ($from + $end - 1) / 2;
    my ($moment, $length) = (0, ($count**3 - $count) / 12);
    $moment += ($_ - $middle) * $used->[$_] for $from .. $end - 1;
    my $about_line = $squares - $sum**2 / $count - $moment**2 / $length;
    return $about_line - $split->{within} < CLEARLY * $split->{within} / ($count - 2);
}

# Adds the segment from a place on, before another one.
sub _add_segment {
    my ($self, $from, $end)  = @_;
    my ($runs, $raw,  $used) = @$self{qw(runs raw used)};
    $self->{outliers}{ $runs->[$_] } = 1 for grep { $used->[$_] != $raw->[$_] } $from .. $end - 1;
    my %ends = (first => $runs->[$from], last => $runs->[$end - 1]);
    push @{ $self->{segments} }, { %ends, is_drift => $self->{is_drift}, part => $self->_part($from, $end) };
    return;
}

# Returns what was found, see of().
sub _found {
    my ($self) = @_;
    my ($changes, $provisional, $end) = (@$self{qw(changes provisional)}, scalar @{ $self->{used} });
    my $place     = $provisional ? $provisional->{place} : $end;
    my $sees      = $self->_sees($place);
    my $inflation = $self->_inflation;
    my @fresh = $provisional ? { at => $self->{runs}[$place], found => $provisional->{found}, confirmed => undef } : ();
    $self->_add_segment(0,      $place) if $place;
    $self->_add_segment($place, $end) if $provisional;
    my @segments = @{ $self->{segments} };
    my @parts    = map { $_->{part} } @segments;
    my @changes  = (@$changes, @fresh);
    return {
        segments => [map { _segment($_) } @segments],
        changes  => [map { +{ %{ $changes[$_] }, _difference($inflation, @parts[$_, $_ + 1]) } } 0 .. $#changes],
        outliers => $self->{outliers},
        sees     => $sees,
    };
}

sub _segment {
    my ($segment) = @_;
    my $part = $segment->{part};
    return {
        (map { $_ => $segment->{$_} } qw(first last is_drift)),
        mean      => $part->{mean},
        deviation => $part->{count} > 1 ? sqrt($part->{within} / ($part->{count} - 1)) : undef,
    };
}

# Takes two parts; returns the difference of their means with its interval, by, low and high.
sub _difference {
    my ($inflation, $old, $new) = @_;
    my $by     = $new->{mean} - $old->{mean};
    my $df     = $old->{count} + $new->{count} - 2;
    my $error  = sqrt(($old->{within} + $new->{within}) / $df * (1 / $old->{count} + 1 / $new->{count}));
    my $margin = t_quantile(SURE, $df) * $error * $inflation;
    return (by => $by, low => $by - $margin, high => $by + $margin);
}

# Takes the end of the values that count. Returns the step that is seen after three more runs with a probability of
# 90 %. The threshold is a multiple of the deviation, which changes with the new values: its square by a value of the F
# distribution, of which the mean and the deviation count here. Each new value must be beyond two deviations, or it may
# be taken for an outlier.
sub _sees {
    my ($self, $count) = @_;
    return if $count <= FIRST;
    my $from      = $self->_from($count);
    my $part      = $self->_part($from, $count);
    my $freedom   = $part->{count} - 1;
    my $deviation = sqrt $part->{within} / $freedom;
    my $error     = $deviation * sqrt(1 / $part->{count} + 1 / AFTER) * $self->_inflation;
    my $limit     = threshold(min($count + AFTER, WINDOW), $self->{all}{sharers});
    my $change    = $limit * (AFTER - 1) / 2 / ($freedom + AFTER - 1);
    my $by        = 2 / ($freedom - 2);
    my $varies    = $freedom / ($freedom - 2) * sqrt($freedom / max(1, $freedom - 4));
    my $margin    = $change * $by + t_quantile(0.9, $freedom) * sqrt(1 + ($change * $varies)**2);
    my (undef, $near) = _nearer(_usual($self->_parts($from, $count)));
    my $step = max(max($self->{all}{effect}, $limit * $error) + $margin * $error, $near + NORMAL_98 * $deviation);
    return $step < LARGEST ? $step : undef;
}

1;
