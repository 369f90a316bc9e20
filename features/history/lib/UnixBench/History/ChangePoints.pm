package UnixBench::History::ChangePoints;

# Finds the changes in a series of values that come one after the other, with a rate of false alarms that is set.
#
# The Student change-point model: D. M. Hawkins, P. Qiu and C. W. Kang, "The changepoint model for statistical process
# control", Journal of Quality Technology 35 (2003). After each value, the statistic is the largest two-sample |t| over
# all ways to split the segment in two. It is compared with a threshold that gives the same probability of a false alarm
# at each value, if there was none before. Mean and deviation are unknown. After a change, the model starts anew behind
# it.

use strict;
use warnings;

use List::Util qw(first max min sum);

use UnixBench::History::Ranks ();
use UnixBench::Score::Stats   qw(autocorrelation_of inflation median t_quantile);

use constant {
    FIRST      => 5,             # no decision before this value of a segment
    SIDE       => 2,             # values on each side of a split, at least
    DENSE      => 12,            # new sides up to this size are all tried, then each is a quarter larger
    WINDOW     => 200,           # the last values of a segment, which count
    LATE       => 100,           # values behind a step, at most: one that shows later is noise that wanders
    BESIDE     => 14,            # values on each side of a step, at most, that have to show it, too
    STEEP      => 0.5,           # the part of it that they show, at least; else the values wander
    PER_VALUES => 1000,          # one false alarm in this number of values of all series
    CONFIRMED  => 0.7,           # the part of the false alarms that is confirmed, at most: only these count
    FEW        => 16,            # values: fewer do not show whether there are two modes
    OF_FEW     => 1 / 16,        # the part of the probability that they have
    SERIES     => 64,            # series of which the number of splits is known
    EFFECT     => 0.02,
    NORMAL_4   => 0.99996833,    # the probability of less than four deviations above the mean
    NORMAL_98  => 2.0537,        # the deviations above the mean that have a probability of 98 %: 94 % for three values
    BURST      => 2,             # outliers in a row, at most
    JUDGES     => 4,             # values that tell whether another one is an outlier, at least
    RARE       => 2,             # outliers, and their part of the values, that are usual
    RARE_OF    => 0.02,
    MANY       => 3,             # outliers, and their part, that are too many
    MANY_OF    => 0.03,
    OFTEN      => 16,            # values: fewer are judged again after each one
    COMMON     => 300,           # values of all series that are added to those of one
    UNSURE     => 0.2,           # standard errors of an autocorrelation by which a later one may be larger
    CLEAR      => 3,             # standard errors: the least autocorrelation of all series that counts
    OF_MEDIAN  => 1.2533,        # the standard error of a median, by that of a mean
    AFTER      => 3,             # values after the step that "sees" is about
    LARGEST    => log 100,       # such a step is larger than any that happens
    RAMP_LEAST => 6,             # values of a line that begins behind a level part, at least
    LINE_LEAST => 8,             # values of a drift, at least
    CLEARLY    => 10,            # variances: a step has a sum of squares that is smaller than that of a line by these
    VISIT      => 4,             # runs with another level, at most, that are outliers when the former one is back
    BACK       => 0.25,          # the part of the step that may be left then
    SURE       => 0.975,
    DIGITS     => 10,            # significant digits that show how values were rounded
    FINE       => log 1e5,       # units: a value of more is not rounded
    ROUNDED    => 12,            # a value that is rounded to a unit has a variance of 1 / 12
    NONE       => 1e-12,         # a part of a sum of squares that comes from rounding
    INFINITE   => 1e9,
};

# The number of independent splits with the same probability of a false alarm: at values 5 to 12 of a segment; later for
# 64 series, and what each doubling of the series adds. From features/history/lab/change-thresholds with 40,076,144
# series, seed 1.
my @SPLITS = (1.98, 2.88, 3.45, 4.05, 4.6, 5.15, 5.65, 6.3);
use constant { SPLITS => 6.73, SPLITS_OF_DOUBLED => 0.4 };

my (%threshold, %times, @tried, @not_late);

# Takes [series, ...] of the same runs: each is [value by run], such as logarithms of scores, and undef if a run has no
# value. By name: effect, the least change that matters, as a fraction (default 0.02); watched, how many series share
# the budget (default: all of them). Returns for each series
#
#     { segments => [{ first, last (runs), mean, deviation (undef for one value), is_drift, drift (undef, or { at, last
#                      (runs), by, low, high, found, confirmed } as below, if its rise matters and is certain) }, ...],
#       changes  => [{ at (the first run behind it), found, confirmed (runs; undef: it is provisional), by, low, high
#                      (the difference of the means with its 95 % interval) }, ...],
#       outliers => { run => 1 },
#       withdrawn => how many changes were confirmed once, and are not in changes any more: see _withdraw(),
#       sees     => the step that is seen after three more runs with a probability of 90 %, a difference; undef if there
#                   are too few values }
#
# A provisional change is the last one; what is seen is that of the runs before it.
sub of {
    my ($series, %given) = @_;
    my %all = (
        sharers => CONFIRMED * max(1, $given{watched} // scalar @$series),
        effect  => log(1 + ($given{effect} // EFFECT)),
    );
    my @each = map { _new($_, \%all) } @$series;
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

# Takes logarithms of values of one series; returns how many of them are before its last confirmed change.
sub last_change {
    my (@logs)  = @_;
    my ($found) = of([\@logs]);
    return max(0, map { $_->{at} } grep { defined $_->{confirmed} } @{ $found->{changes} });
}

sub _new {
    my ($values, $all) = @_;
    my %own = (all => $all, values => $values, rounding => _rounding(@$values));
    return bless { %own, segments => [], changes => [], outliers => {} }, __PACKAGE__;
}

# Takes logarithms of values; returns the least variance that they have, because the values have only some digits: that
# of their rounding.
sub _rounding {
    my (@all)    = @_;
    my @logs     = grep { defined } @all;
    my $decimals = 0;
    for my $log (@logs) {
        my $text = sprintf "%.${\DIGITS}g", exp $log;
        return 0 if $text =~ /e/;
        $decimals = max($decimals, $text =~ /[.]([0-9]+)/ ? length $1 : 0);
        return 0 if $log + $decimals * log 10 > FINE;
    }
    return @logs ? (10**-$decimals / exp median(@logs))**2 / ROUNDED : 0;
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
    delete @$self{qw(provisional split base step is_wild drift has_drifted)};
    %$self = (%$self, runs => [], raw => [], used => [], clipped => [], burst => 0, sign => 0, is_drift => 0);
    @$self{qw(sums squares products)} = ([0], [0], [0]);
    return;
}

# Adds a value to the segment. A value beyond four deviations makes a burst of itself and of the values before and
# behind it that are beyond two on the same side. A value alone is an outlier, and so are two if the segment goes on as
# before them. Three are a step: what comes later is judged by the values behind it.
sub _take {
    my ($self, $run) = @_;
    $self->_judge;
    my ($raw, $burst, $sign) = @$self{qw(raw burst sign)};
    my $value = $self->{values}[$run] - ($self->{base} //= $self->{values}[$run]);
    push @{ $self->{runs} }, $run;
    push @$raw,              $value;
    my $start   = $#$raw - $burst;
    my @limits  = $self->_limits($start);
    my $usual   = $limits[0];
    my $extreme = (grep { !_direction($value, @$_) } @limits) ? 0 : _direction($value, @$usual);
    my $goes_on = $burst && _direction($value, _nearer(@$usual)) == $sign;
    ($burst, $sign) = $goes_on ? ($burst + 1, $sign) : $extreme ? ($self->_reach($extreme, @$usual), $extreme) : (0, 0);
    my $is_step = $goes_on || $burst > BURST || $self->{is_wild};
    my $first   = $is_step ? $#$raw - $burst + 1 : $start;

    for my $place (min($start, $first) .. $#$raw) {
        my $is_outlier = ($place < $first || !$is_step) && ($place < $#$raw || $extreme);
        $self->_set($place, $is_outlier ? $usual : undef);
    }
    if ($burst > BURST) {
        $self->{step} = $self->_clip_burst($first, @$usual);
    }
    @$self{qw(burst sign)} = $burst > BURST ? (0, 0) : ($burst, $sign);
    $self->_add_up(min($start, $first));
    $self->_trust_all if !$self->{burst} && @$raw > 1 && defined $self->{clipped}[-2];
    return;
}

# Returns the limits by which a value behind that place is judged, each as _usual() returns them: those of the segment
# before it; or those of the values behind a new step, and of the segment before that. An outlier is beyond all of them.
sub _limits {
    my ($self, $end) = @_;
    my @sides = $self->_sides($end);
    pop @sides if @sides > 1 && $end - $sides[1][0] < SIDE;
    my ($old, $new) = map { [$self->_parts(@$_)] } @sides;
    return ([$self->_usual(@$old)]) if !$new;
    return ([$self->_usual(@$new, $old)], [$self->_usual(@$old)]);
}

# Returns the places from which and before which the values are that count before a place: all of them, or those before
# a new step and those behind it.
sub _sides {
    my ($self, $end) = @_;
    my $step = $self->{step};
    return [$self->_from($end), $end] if !defined $step || $end - $step > DENSE;
    return ([$self->_from($step), $step], [$step, $end]);
}

# Takes on which side the last value is beyond the limits; returns how many of the last values are on this side. One
# among them may be an outlier on the other side.
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

# Clips outliers among the values from a place on, which are a step, if most of them are alike. Returns the place of the
# first value behind the step: the first one may be an outlier before it.
sub _clip_burst {
    my ($self, $first, $mean, $width, $deviation) = @_;
    my $raw    = $self->{raw};
    my $middle = median(@$raw[$first .. $#$raw]);
    my @far    = grep { abs($raw->[$_] - $middle) > $width } $first .. $#$raw;
    return $first if 2 * @far >= @$raw - $first;
    my $is_before = @far && $far[0] == $first;
    $self->_set($_, [$_ == $first ? $mean : $middle, $width, $deviation]) for @far;
    return $first + ($is_before ? 1 : 0);
}

# Makes the value at a place an outlier that is beyond those limits, or a usual value. The first outliers count as
# values that are one deviation from the mean, as usual ones are, so they hide no step. If there are more, the noise is
# of another kind; then they count as values at half of the limit.
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

# Returns the number of outliers among the values that count.
sub _outliers {
    my ($self) = @_;
    my $clipped = $self->{clipped};
    return scalar grep { defined } @$clipped[$self->_from(scalar @$clipped) .. $#$clipped];
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

# Judges the values before a new step, and those behind it, as long as they are few, and then each time their number
# has doubled. An outlier stays one; its limits may only become narrower. The first value behind a step that is an
# outlier may be one before it.
sub _judge {
    my ($self) = @_;
    return if $self->{is_wild};
    my ($old, $new) = $self->_sides(@{ $self->{raw} } - $self->{burst});
    my $before    = $new && [$self->_parts(@$old)];
    my $is_judged = $self->_judge_side($old);
    $is_judged += $self->_judge_side($new, $before) if $new;
    if ($new && defined $self->{clipped}[$new->[0]]) {
        $self->_set($new->[0], [$self->_usual(@$before)]);
        $self->{step}++;
        $is_judged++;
    }
    $self->_add_up($old->[0]) if $is_judged;
    return;
}

# Judges each value between two places by all others there, and the two farthest ones together, since they can hide each
# other (B. Rosner, Technometrics 25, 1983). Also takes the number, the sum and the sum of squares of the values before
# the step, if there is one: a value that is usual among these is none. Returns whether it has judged them.
sub _judge_side {
    my ($self, $side, $before)  = @_;
    my ($raw, $used, $clipped)  = @$self{qw(raw used clipped)};
    my ($from, $end)            = @$side;
    my ($count, $sum, $squares) = $self->_parts($from, $end);
    return 0 if $count < ($before ? SIDE + 1 : FIRST) || $count > OFTEN && $count & $count - 1;
    my @usual =
        map { [$self->_usual($count - 1, $sum - $used->[$_], $squares - $used->[$_]**2, $before)] } $from .. $end - 1;
    $self->_judge_pair($side, $before, \@usual) if $count >= JUDGES + 2;
    my @signs = map { defined $clipped->[$from + $_] ? 2 : _direction($raw->[$from + $_], _nearer(@{ $usual[$_] })) }
        0 .. $#usual;
    my @limits = $before ? [$self->_usual(@$before)] : ();
    my $is_far = sub {
        my ($place) = @_;
        return !grep { !_direction($raw->[$from + $place], @$_) } $usual[$place], @limits;
    };
    my $start = 0;

    for my $next (1 .. @signs) {
        next if $next < @signs && $signs[$next] == $signs[$start];
        my $are_outliers = $signs[$start] == 2
            || $next - $start <= BURST && grep { $is_far->($_) } $start .. $next - 1;
        for ($are_outliers ? ($start .. $next - 1) : ()) {
            my $is_closer = $usual[$_][1] < ($clipped->[$from + $_] // INFINITE);
            $self->_set($from + $_, $usual[$_]) if $is_closer;
        }
        $start = $next;
    }
    return 1;
}

# Takes the limits for each value by all others. If the farthest value hides another one, both get their limits by all
# but these two. The first two values may be those before a step.
sub _judge_pair {
    my ($self, $side, $before, $usual) = @_;
    my ($raw, $used, $from)            = (@$self{qw(raw used)}, $side->[0]);
    my ($count, $sum, $squares)        = $self->_parts(@$side);
    my $pairs = $count * ($count - 1) / 2;
    my $times = sub { my ($place, $mean, $width) = @_; return abs($raw->[$from + $place] - $mean) / max(NONE, $width) };
    my $farthest = sub {
        my ($limits, @places) = @_;
        my @times = map { $times->($_, @{ $limits->[$_] }) } @places;
        my $most  = max(@times);
        return $places[first { $times[$_] == $most } 0 .. $#times];
    };
    my $far    = $farthest->($usual, 0 .. $#$usual);
    my @others = grep { $_ != $far && $_ + $far > 1 } 0 .. $#$usual;
    my @without;

    for (@others) {
        my ($one, $two) = @$used[$from + $far, $from + $_];
        my @rest = ($count - 2, $sum - $one - $two, $squares - $one**2 - $two**2);
        $without[$_] = [$self->_usual(@rest, $before, $pairs)];
    }
    my $next = $farthest->(\@without, @others);
    @$usual[$far, $next] = ($without[$next]) x 2 if $times->($next, @{ $without[$next] }) > 1;
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

# Takes a number of values, their sum and their sum of squares, and perhaps those of the values before a step, which
# have the same deviation; and perhaps the number of ways among which the best one is looked for. Returns their mean,
# how far another one may be from it, and their deviation. The limit is as unlikely for few values as four deviations
# are if the deviation is known.
sub _usual {
    my ($self, $count, $sum, $squares, $before, $ways) = @_;
    my @parts   = ([$count, $sum, $squares], $before || ());
    my $freedom = sum(map { $_->[0] - 1 } @parts);
    return (0, INFINITE, 0) if $freedom < JUDGES - 1;
    my $within    = sum(map { $_->[2] - $_->[1]**2 / $_->[0] } @parts);
    my $deviation = sqrt max(0, $within / $freedom, $self->{rounding});
    return ($sum / $count, $deviation * _times($freedom, $ways) * sqrt(1 + 1 / $count), $deviation);
}

# Takes degrees of freedom, and perhaps a number of ways; returns the multiple of a deviation that is as unlikely in all
# ways together as four are if it is known.
sub _times {
    my ($freedom, $ways) = @_;
    $ways //= 1;
    return $times{"$freedom $ways"} ||= t_quantile(1 - (1 - NORMAL_4) / $ways, $freedom);
}

# Returns on which side of the usual values a value is, 0 among them.
sub _direction {
    my ($value, $mean, $width) = @_;
    return $value < $mean - $width ? -1 : $value > $mean + $width ? 1 : 0;
}

# Returns the limits of two deviations.
sub _nearer { my ($mean, $width) = @_; return ($mean, $width / 2) }

# Decides after a run whether there is a change.
sub _decide {
    my ($self, $run) = @_;
    my $earlier = delete $self->{provisional};
    my $count   = @{ $self->{used} };
    delete $self->{split};
    my $drift = delete $self->{drift};
    $self->{is_drift} = 0;
    return if $count < FIRST;
    my $limit = $self->{all}{limits}[$count] //= threshold(min($count, WINDOW), $self->{all}{sharers});
    my ($square) = $self->_largest($count);
    return if $square < $limit * $limit;
    my $split = $self->_split;
    return if abs $split->{by} < $self->{all}{effect};

    if ($self->{is_drift} = $self->_is_line($split, $count) || !$self->_is_steep($split) ? 1 : 0) {
        $self->_note_drift($drift, $run, $split->{t} / $limit);
        return;
    }
    if ($count - $split->{place} > LATE) {
        $split = $self->_new_split;
        return if abs $split->{by} < $self->{all}{effect} || !$self->_is_steep($split);
    }
    my $inflation = $self->_inflation;
    return if $split->{t} < $limit * $inflation || !$self->_ranks_differ($split, $inflation);
    my $change  = { place => $split->{place}, found => $run, sign => $split->{by} <=> 0 };
    my $is_same = $earlier && $earlier->{sign} == $change->{sign} && abs($earlier->{place} - $change->{place}) <= 1;
    return $self->{provisional} = $change if !$is_same;
    my @runs = @{ $self->{runs} };
    push @{ $self->{changes} }, { at => $runs[$change->{place}], found => $earlier->{found}, confirmed => $run };
    $self->_add_segment(0, $change->{place}, $self->{has_drifted} && $self->_line(0, $change->{place}));
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
        $self->_split_with($square, $size);
    };
}

# Returns the same for splits whose new side is not too large for a step.
sub _new_split {
    my ($self) = @_;
    my $end    = @{ $self->{used} };
    my $from   = $self->_from($end);
    return $self->_split_with(
        $self->_best_of($from, $end, $not_late[$end - $from] ||= _weighted($end - $from, SIDE .. LATE)));
}

# Takes the square of a statistic, and the size of the new side; returns the split, see _split().
sub _split_with {
    my ($self, $square, $size) = @_;
    my $end   = @{ $self->{used} };
    my $from  = $self->_from($end);
    my $place = $end - $size;
    my ($old, $new) = ($self->_part($from, $place), $self->_part($place, $end));
    return {
        place  => $place,
        t      => sqrt $square,
        by     => $new->{mean} - $old->{mean},
        from   => $from,
        end    => $end,
        within => $old->{within} + $new->{within},
        parts  => [$old, $new]
    };
}

# Takes a split; returns whether the values next to it show most of the change.
sub _is_steep {
    my ($self, $split) = @_;
    my $place = $split->{place};
    my $old   = $self->_part(max($split->{from}, $place - BESIDE), $place);
    my $new   = $self->_part($place,                               min($split->{end}, $place + BESIDE));
    return ($new->{mean} - $old->{mean}) / $split->{by} >= STEEP;
}

# Takes a split, and by what a statistic is too large; returns whether the ranks show the change, too.
sub _ranks_differ {
    my ($self, $split, $inflation) = @_;
    my ($used, $place) = ($self->{used}, $split->{place});
    my @old = @$used[$split->{from} .. $place - 1];
    my @new = @$used[$place .. $split->{end} - 1];
    return UnixBench::History::Ranks::differ(\@old, \@new, $inflation);
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
    my $within  = max($squares - $sum * $mean - $between, ($count - 2) * $self->{rounding});
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
# together tell more. What is beyond the error of its own autocorrelation counts in any case.
sub _inflation {
    my ($self) = @_;
    my $all = $self->{all};
    my ($r, $count) = ($self->_alike, 0, 0);
    my $common = $all->{alike} //= _common(grep { @$_ } map { [$_->_alike] } @{ $all->{series} });
    my $known  = ($r * $count + $common * COMMON) / ($count + COMMON);
    return inflation($count ? max($known, $r - 1 / sqrt $count) : $known);
}

# Returns the same for a step that comes after the values between two places. It will be judged by the deviations from
# both means; now there is only one. The own autocorrelation may then be larger by its error, so a part of that counts.
sub _inflation_later {
    my ($self, $from, $end) = @_;
    my $all    = $self->{all};
    my $common = $all->{alike_later} //=
        _common(map { [_r_of($_), $_->{count}] } map { $_->_latest } @{ $all->{series} });
    my $count = $end - $from;
    my $r     = _r_of($self->_part($from, $end));
    my $known = ($r * $count + $common * COMMON) / ($count + COMMON);
    return inflation(($count < FEW ? $known : max($known, $r - 1 / sqrt $count)) + UNSURE / sqrt $count);
}

# Takes values, see _part(); returns their autocorrelation.
sub _r_of {
    my ($part) = @_;
    return $part->{within} ? autocorrelation_of($part->{lag} / $part->{within}, $part->{count}, 1) : 0;
}

# Returns the values of the present segment that count, as _part() does; or nothing.
sub _latest {
    my ($self) = @_;
    my $end = @{ $self->{used} };
    return $end < FIRST ? () : $self->_part($self->_from($end), $end);
}

# Returns the autocorrelation of the deviations from the means of both sides, and the number of values; or nothing.
sub _alike {
    my ($self) = @_;
    my $split = $self->_split or return;
    return if !$split->{within};
    my @parts = @{ $split->{parts} };
    my $count = $split->{end} - $split->{from};
    my $r     = sum(map { $_->{lag} } @parts) / $split->{within};
    return (autocorrelation_of($r, $count, scalar @parts), $count);
}

# Takes [autocorrelation, number of values] of each series; returns the median, or 0 if noise may be its cause.
sub _common {
    my (@each) = @_;
    return 0 if !@each;
    my $r = median(map { $_->[0] } @each);
    return $r < CLEAR * OF_MEDIAN / sqrt(sum(map { $_->[1] } @each)) ? 0 : $r;
}

# Returns whether the two means of a split do not fit the values clearly better than a line does, or worse than a line
# that begins at some place.
sub _is_line {
    my ($self, $split, $end) = @_;
    return 0 if $end - $split->{from} < LINE_LEAST;
    my ($line, $bent) = $self->_lines($split->{from}, $end);
    return 1 if $line->{within} - $split->{within} < CLEARLY * $split->{within} / ($end - $split->{from} - 2);
    return $bent && $bent->{within} < $split->{within} ? 1 : 0;
}

# Takes the places of values; returns the line that fits them, and the best one that begins behind a level part, each
# { from (the last place of the level part), by (its rise), length (the sum of squares of its places), within (the sum
# of squares about it) }; undef if there are too few values.
sub _lines {
    my ($self, $from, $end)       = @_;
    my ($count, $total, $squares) = $self->_parts($from, $end);
    my $mean = $total / $count;
    my ($sum, $square, $moment, $tail, @lines) = (0) x 4;
    for my $knot (reverse $from .. $end - 2) {    # places count from the knot
        my $size = $end - 1 - $knot;
        $square += 2 * $sum + $size;
        $sum    += $size;
        $tail   += $self->{used}[$knot + 1];
        $moment += $tail;
        next if $size < RAMP_LEAST;
        my $length = $square - $sum**2 / $count;
        my $slope  = ($moment - $sum * $mean) / $length;
        my $within = max(0, $squares - $total * $mean - $slope**2 * $length, ($count - 2) * $self->{rounding});
        push @lines, { from => $knot, by => $slope * $size, length => $length / $size**2, within => $within };
    }
    my $line = pop @lines or return;
    my ($bent) = sort { $a->{within} <=> $b->{within} } @lines;
    return ($line, $bent);
}

# Returns the line that fits the values between two places, as _found() needs it, if its rise is larger than the least
# change, and its interval does not hold 0: { at, last, by, low, high, inflation }; else undef.
sub _line {
    my ($self, $from, $end) = @_;
    $from = max($from, $self->_from($end));
    my $count = $end - $from;
    return if $count < LINE_LEAST;
    my ($line, $bent) = $self->_lines($from, $end);
    $line = $bent if $bent && $line->{within} - $bent->{within} > CLEARLY * $bent->{within} / ($count - 3);
    my $inflation = $self->_inflation_about($line, $from, $end);
    my $error     = sqrt($line->{within} / ($count - 3) / $line->{length}) * $inflation;
    my $margin    = t_quantile(SURE, $count - 3) * $error;
    return if abs $line->{by} < max($margin, $self->{all}{effect});
    my ($first, $last) = @{ $self->{runs} }[$line->{from}, $end - 1];
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

# Returns by what an error is too small because the deviations from a line are alike.
sub _inflation_about {
    my ($self, $line, $from, $end) = @_;
    my ($used, $last) = ($self->{used}, $end - 1);
    my $slope = $line->{by} / ($last - $line->{from});
    my @rest  = map { $used->[$_] - $slope * max(0, $_ - $line->{from}) } $from .. $last;
    my $mean  = sum(@rest) / @rest;
    my ($lag, $within) = (0, NONE);
    $lag    += ($rest[$_] - $mean) * ($rest[$_ - 1] - $mean) for 1 .. $#rest;
    $within += ($_ - $mean)**2                               for @rest;
    return inflation($lag / $within + 2 / @rest);
}

# Takes the drift that was noted after the run before, the present run, and how many times its statistic is above the
# threshold. Notes a drift; the second run in a row confirms it.
sub _note_drift {
    my ($self, $earlier, $run, $times) = @_;
    my $drift = $self->_line(0, scalar @{ $self->{used} }) or return;
    return if $times < $drift->{inflation};
    my $is_same = $earlier && $earlier->{by} * $drift->{by} > 0;
    $self->{drift} = { %$drift, found => $is_same ? $earlier->{found} : $run, confirmed => $is_same ? $run : undef };
    $self->{has_drifted} = 1 if $is_same;
    return;
}

# Adds the segment from a place on, before another one; perhaps with the drift in it.
sub _add_segment {
    my ($self, $from, $end, $drift) = @_;
    my ($runs, $raw, $used) = @$self{qw(runs raw used)};
    $self->{outliers}{ $runs->[$_] } = 1 for grep { $used->[$_] != $raw->[$_] } $from .. $end - 1;
    my %segment = (first => $runs->[$from], last => $runs->[$end - 1], part => $self->_part($from, $end));
    $segment{drift} = { found => undef, confirmed => $runs->[$end - 1], %$drift } if $drift;
    push @{ $self->{segments} }, { %segment, is_drift => $drift || $self->{is_drift} ? 1 : 0 };
    return;
}

# Returns what was found, see of().
sub _found {
    my ($self) = @_;
    my ($changes, $provisional, $end) = (@$self{qw(changes provisional)}, scalar @{ $self->{used} });
    my $place = $provisional ? $provisional->{place} : $end;
    my $sees  = $self->_sees($place);
    my @fresh = $provisional ? { at => $self->{runs}[$place], found => $provisional->{found}, confirmed => undef } : ();
    $self->_add_segment(0, $place, $self->{drift}) if $place;
    $self->_add_segment($place, $end) if $provisional;
    my @segments  = @{ $self->{segments} };
    my @changes   = (@$changes, @fresh);
    my $withdrawn = $self->_withdraw(\@segments, \@changes);
    return {
        segments  => [map { _segment($_) } @segments],
        changes   => [map { +{ %{ $changes[$_] }, $self->_difference(@segments[$_, $_ + 1]) } } 0 .. $#changes],
        outliers  => $self->{outliers},
        withdrawn => $withdrawn,
        sees      => $sees,
    };
}

sub _segment {
    my ($segment) = @_;
    my $part = $segment->{part};
    return {
        (map { $_ => $segment->{$_} } qw(first last is_drift drift)),
        mean      => $part->{mean},
        deviation => $part->{count} > 1 ? sqrt($part->{within} / ($part->{count} - 1)) : undef,
    };
}

# Withdraws confirmed changes whose interval holds 0 now, the least certain one first, and then those to a level that
# only a few runs had. Returns how many were withdrawn.
sub _withdraw {
    my ($self, $segments, $changes) = @_;
    my $before = @$changes;
    while (defined(my $number = $self->_doubtful($segments, $changes))) {
        splice @$changes, $number, 1;
        splice @$segments, $number, 2, _joined(@$segments[$number, $number + 1]);
    }
    while (defined(my $number = $self->_visit($segments, $changes))) {
        my ($old, $visit, $new) = splice @$segments, $number, 3;
        splice @$changes, $number, 2;
        splice @$segments, $number, 0, _joined($old, $new);
        $self->{outliers}{$_} = 1 for grep { defined $self->{values}[$_] } $visit->{first} .. $visit->{last};
    }
    return $before - @$changes;
}

# Returns the number of the least certain change whose interval holds 0, or undef.
sub _doubtful {
    my ($self, $segments, $changes) = @_;
    my @doubtful;
    for my $number (grep { defined $changes->[$_]{confirmed} } 0 .. $#$changes) {
        my %of = $self->_difference(@$segments[$number, $number + 1]);
        push @doubtful, [$number, abs($of{by}) / max(NONE, $of{high} - $of{low})] if $of{low} <= 0 && $of{high} >= 0;
    }
    my ($least) = sort { $a->[1] <=> $b->[1] } @doubtful;
    return $least && $least->[0];
}

# Returns the number of the first confirmed change after which a few runs had another level, and then the next
# confirmed change led back; or undef. Such runs are outliers in a row.
sub _visit {
    my ($self, $segments, $changes) = @_;
    for my $number (0 .. $#$changes - 1) {
        next if grep { !defined $_->{confirmed} } @$changes[$number, $number + 1];
        my ($old, $visit, $new) = map { $_->{part} } @$segments[$number .. $number + 2];
        next if $visit->{count} > VISIT;
        my $apart = abs($new->{mean} - $old->{mean});
        return $number if $apart < max($self->{all}{effect}, BACK * abs($visit->{mean} - $old->{mean}));
    }
    return;
}

# Returns two neighbouring segments as one.
sub _joined {
    my ($old, $new) = @_;
    my ($left, $right) = map { $_->{part} } $old, $new;
    my $count = $left->{count} + $right->{count};
    my $by    = $right->{mean} - $left->{mean};
    my %part  = (
        count  => $count,
        mean   => $left->{mean} + $by * $right->{count} / $count,
        within => $left->{within} + $right->{within} + $by**2 * $left->{count} * $right->{count} / $count,
        lag    => $left->{lag} + $right->{lag},
    );
    my ($drift) = map { $_->{drift} || () } $new, $old;
    return { %$new, first => $old->{first}, part => \%part, $drift ? (drift => $drift) : () };
}

# Takes two segments; returns the difference of their means with its interval, by, low and high.
sub _difference {
    my ($self, @segments) = @_;
    my ($old, $new)       = map { $_->{part} } @segments;
    my $by     = $new->{mean} - $old->{mean};
    my $count  = $old->{count} + $new->{count};
    my $df     = $count - 2;
    my $within = max($old->{within} + $new->{within}, $df * $self->{rounding});
    my $error  = sqrt($within / $df * (1 / $old->{count} + 1 / $new->{count}));
    my $own    = $within > 0 ? autocorrelation_of(($old->{lag} + $new->{lag}) / $within, $count, 2) : 0;
    my $common = $self->{all}{alike} // 0;
    my $margin = t_quantile(SURE, $df) * $error * inflation(($own * $count + $common * COMMON) / ($count + COMMON));
    return (by => $by, low => $by - $margin, high => $by + $margin);
}

# Takes the end of the values that count. Returns the step that is seen after three more runs with a probability of
# 90 %, if the noise stays as it is; values that are alike count as such. The threshold is a multiple of the deviation,
# which changes with the new values: its square by a value of the F distribution, of which the mean and the deviation
# count here. Each new value must be beyond two deviations, or it may be taken for an outlier.
sub _sees {
    my ($self, $count) = @_;
    return if $count <= FIRST;
    my $from      = $self->_from($count);
    my $part      = $self->_part($from, $count);
    my $freedom   = $part->{count} - 1;
    my $deviation = sqrt $part->{within} / $freedom;
    my $error     = $deviation * sqrt(1 / $part->{count} + 1 / AFTER) * $self->_inflation_later($from, $count);
    my $limit     = threshold(min($count + AFTER, WINDOW), $self->{all}{sharers});
    my $change    = $limit * (AFTER - 1) / 2 / ($freedom + AFTER - 1);
    my $by        = 2 / ($freedom - 2);
    my $varies    = $freedom / ($freedom - 2) * sqrt($freedom / max(1, $freedom - 4));
    my $margin    = $change * $by + t_quantile(0.9, $freedom) * sqrt(1 + ($change * $varies)**2);
    my (undef, $near) = _nearer($self->_usual($self->_parts($from, $count)));
    my $step = max(max($self->{all}{effect}, $limit * $error) + $margin * $error, $near + NORMAL_98 * $deviation);
    return $step < LARGEST ? $step : undef;
}

1;
