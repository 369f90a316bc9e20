package UnixBench::Changes::ChangePoints;

# Finds the changes in a series of values that come one after the other, with a rate of false alarms that is set.
#
# The Student change-point model: D. M. Hawkins, P. Qiu and C. W. Kang, "The changepoint model for statistical process
# control", Journal of Quality Technology 35 (2003). After each value, the statistic is the largest two-sample |t|
# over all ways to split the segment in two. It is compared with a threshold that gives the same probability of a
# false alarm at each value, if there was none before. Mean and deviation are unknown. After a change, the model
# starts anew behind it.

use strict;
use warnings;

use List::Util qw(max min sum);

use UnixBench::Changes::Segment qw(FIRST WINDOW);
use UnixBench::Changes::Splits  qw(FEW);
use UnixBench::Score::Stats     qw(autocorrelation autocorrelation_of inflation median t_quantile);

use constant {
    LATE       => 100,      # values behind a step, at most: one that shows later is noise that wanders
    CONFIRMED  => 0.7,      # the part of the false alarms that is confirmed, at most: only these count
    EFFECT     => 0.02,
    NORMAL_98  => 2.0537,   # the deviations above the mean that have a probability of 98 %: 94 % for three values
    COMMON     => 300,      # values of all series that are added to those of one
    UNSURE     => 0.2,      # standard errors of an autocorrelation by which a later one may be larger
    CLEAR      => 3,        # standard errors: the least autocorrelation of all series that counts
    OF_MEDIAN  => 1.2533,   # the standard error of a median, by that of a mean
    AFTER      => 3,        # values after the step that "sees" is about
    LARGEST    => log 1.5,  # a larger step is seen without a test
    ALL        => 1,        # the part of the largest z of few values that confirms a change: none is among those before
    KEPT       => 0.55,     # the part of its threshold above which a confirmed change stays one
    VISIT      => 4,        # runs, and days, of another level, at most, that are outliers when the former one is back
    BACK       => 0.25,     # the part of the step that may be left then
    SURE       => 0.975,
    LINE_LEAST => 8,        # values of a drift, at least
    CLEARLY    => 9,        # variances: a step has a sum of squares that is smaller than that of a line by these
    NONE       => 1e-12,    # a part of a sum of squares that comes from rounding
};

# Runs that are slow now and then: at least as many, by more than this, and by more than six standard deviations of
# normal noise, in median deviations.
use constant { SLOW_LEAST => 3, SLOW => -log 0.9, SLOW_NOISE => 9 };

# How many runs after a step show it in 80 % of series. For each number of runs before it: [the step, in the standard
# deviations that these show; runs after it], ...; smaller steps may not be seen in 100 runs. Simulated by "false-alarms
# 640 waits FILE" in the lab of this feature, with the noise of six virtual machines.
my @SEEN_AFTER = (
    [6,  [4,    44], [5,    21], [6,    10], [8,   8], [10, 6], [15, 4]],
    [8,  [3,    95], [4,    22], [5,    9],  [6,   8], [8,  6], [10, 4]],
    [10, [3,    33], [4,    15], [5,    6],  [8,   4]],
    [15, [2.5,  35], [3,    22], [4,    6],  [5,   4]],
    [20, [1.75, 67], [2,    60], [2.5,  25], [3,   10], [4,   4]],
    [30, [1.5,  95], [1.75, 59], [2,    36], [2.5, 13], [3,   8], [4, 4]],
    [40, [1.5,  73], [1.75, 49], [2,    35], [2.5, 9],  [3,   7], [4, 3]],
    [80, [1.25, 97], [1.5,  26], [1.75, 15], [2,   13], [2.5, 9], [3, 6], [4, 3]],
);

# Takes [series, ...] of the same runs: each is [value by run], such as logarithms of scores, and undef if a run has no
# value. By name: effect, the least change that matters, as a fraction (default 0.02); watched, how many series share
# the budget (default: all of them); days, [the day of each run] (default: a run each day). Returns for each series
#
#     { segments => [{ first, last (runs), mean, is_drift, drift (undef, or { at, last (runs), by, low, high, found,
#                      confirmed } as below, if its rise matters and is certain) }, ...],
#       changes  => [{ at (the first run behind it), found, confirmed (runs; undef: it is provisional), by, low, high
#                      (the difference of the means with its 95 % interval) }, ...],
#       outliers => { run => 1 },
#       slow     => [the runs since its last change that are much slower than most], if there are several
#       sees     => the step that is seen after three more runs with a probability of 90 %, a difference; undef if there
#                   are too few values
#       spread   => the standard deviation of the values since the last change, of which a change is judged; undef, too
#       count    => how many these are }
#
# A provisional change is the last one; what is seen is that of the runs before it.
sub of {
    my ($series, %given) = @_;
    my %all = (
        sharers => CONFIRMED * max(1, $given{watched} // scalar @$series),
        effect  => log(1 + ($given{effect} // EFFECT)),
        days    => $given{days},
    );
    my @each = map { bless { all => \%all, values => $_, segments => [], changes => [], outliers => {} }, __PACKAGE__ }
        @$series;
    $all{series} = \@each;
    $_->_start for @each;
    for my $run (0 .. max(-1, map { $#$_ } @$series)) {
        my @known = grep { defined $_->{values}[$run] } @each;
        $_->{segment}->take($run, $_->{values}[$run]) for @known;
        delete $all{alike};
        $_->_decide($run) for @known;
    }
    my @found = map { $_->_found } @each;
    delete $all{series};    # which refer to it
    return @found;
}

# Takes logarithms of values of one series; returns how many of them are before its last change, confirmed or not, that
# has two values or more behind it. Few values show no change, but a large step with all of them on its sides is one.
sub last_change {
    my (undef, @logs) = @_;
    my ($found) = of([\@logs]);
    my $last = max(0, grep { $_ < $#logs } map { $_->{at} } @{ $found->{changes} });
    return $last || max(0, grep { _are_apart([@logs[0 .. $_ - 1]], [@logs[$_ .. $#logs]]) } 1 .. $#logs - 1);
}

sub _are_apart {
    my ($old, $new) = @_;
    return max(@$old) + LARGEST < min(@$new) || max(@$new) + LARGEST < min(@$old);
}

sub _start {
    my ($self) = @_;
    delete @$self{qw(provisional split drift has_drifted)};
    @$self{qw(segment is_drift)} = (UnixBench::Changes::Segment->new, 0);
    return;
}

sub _decide {
    my ($self, $run) = @_;
    my $earlier = delete $self->{provisional};
    my $segment = $self->{segment};
    my $count   = $segment->count;
    delete $self->{split};
    my $drift = delete $self->{drift};
    $self->{is_drift} = 0;
    return if $count < FIRST;
    my $limit = $self->_limit($count);
    my ($square) = UnixBench::Changes::Splits::largest($segment);
    return if $square < $limit * $limit;
    my $split = $self->_split;
    return if abs $split->{by} < $self->{all}{effect};

    if ($self->{is_drift} = _fits_line($segment, $split)
        || !UnixBench::Changes::Splits::is_steep($segment, $split, $self->{all}{days}) ? 1 : 0)
    {
        $self->_note_drift($drift, $run, $split->{t} / $limit);
        return;
    }
    return if $split->{end} - $split->{place} > LATE;
    my $inflation = $self->_inflation;
    return
        if $split->{t} < $limit * $inflation || !UnixBench::Changes::Splits::ranks_differ($segment, $split, $inflation);
    my $change  = { place => $split->{place}, found => $run, sign => $split->{by} <=> 0 };
    my $is_same = $earlier && $earlier->{sign} == $change->{sign} && abs($earlier->{place} - $change->{place}) <= 1;
    return $self->{provisional} = $change if !$is_same;
    return $self->{provisional} = { %$change, found => $earlier->{found} }
        if !UnixBench::Changes::Splits::ranks_differ($segment, $split, $inflation, ALL);
    my @runs = @{ $segment->runs };
    push @{ $self->{changes} }, { at => $runs[$change->{place}], found => $earlier->{found}, confirmed => $run };
    $self->_add_segment(0, $change->{place}, $self->{has_drifted} && $self->_drift_before($change->{place}));
    $self->_start;
    $self->{segment}->take($_, $self->{values}[$_]) for @runs[$change->{place} .. $#runs];
    return;
}

sub _limit {
    my ($self, $count) = @_;
    $count = min($count, WINDOW);
    return $self->{all}{limits}[$count] //= UnixBench::Changes::Splits::threshold($count, $self->{all}{sharers});
}

sub _split {
    my ($self) = @_;
    return $self->{split} ||= UnixBench::Changes::Splits::best($self->{segment});
}

# Returns whether the two means do not fit the values clearly better than a line does.
sub _fits_line {
    my ($segment, $split) = @_;
    my ($from,    $end)   = @$split{qw(from end)};
    return 0 if $end - $from < LINE_LEAST;
    my $line = _line($segment, $from, $end);
    return $line->{within} - $split->{within} < CLEARLY * $split->{within} / ($end - $from - 2) ? 1 : 0;
}

# Takes a segment and two places; returns the line that fits the values between them: { by (its rise), length (the sum
# of squares of their places), within (the sum of squares about it) }.
sub _line {
    my ($segment, $from, $end)  = @_;
    my ($count, $sum, $squares) = $segment->parts($from, $end);
    my ($used, $middle)         = ($segment->used, ($from + $end - 1) / 2);
    my $length = $count * ($count**2 - 1) / 12;
    my $slope  = sum(map { ($_ - $middle) * $used->[$_] } $from .. $end - 1) / $length;
    my $within = max(0, $squares - $sum**2 / $count - $slope**2 * $length);
    return { by => $slope * ($count - 1), length => $length / ($count - 1)**2, within => $within };
}

# Returns the drift among the values before a place: { at (the run where it begins), last (that where it ends), by
# (the rise of the line that fits them, with its 95 % interval), low, high, inflation }, if it rises by more than what
# matters, and its interval does not hold 0; else undef.
sub _drift_before {
    my ($self, $end) = @_;
    my $segment = $self->{segment};
    my $from    = $segment->from($end);
    my $count   = $end - $from;
    return if $count < LINE_LEAST;
    my $line      = _line($segment, $from, $end);
    my $by        = $line->{by};
    my $used      = $segment->used;
    my $inflation = inflation(autocorrelation(map { $used->[$_] - $by / ($count - 1) * $_ } $from .. $end - 1));
    my $margin    = t_quantile(SURE, $count - 2) * sqrt($line->{within} / ($count - 2) / $line->{length}) * $inflation;
    return if abs $by < max($margin, $self->{all}{effect});
    my ($first, $last) = @{ $segment->runs }[$from, $end - 1];
    my %ends = (at => $first, last => $last, low => $by - $margin, high => $by + $margin);
    return { %ends, by => $by, inflation => $inflation };
}

# Returns by what a statistic is too large if neighbours are alike. Few values do not tell how much; those of all
# series together tell more. What is beyond the error of its own autocorrelation counts in any case.
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
    my @each   = map { $_->{segment} } grep { $_->{segment}->count >= FIRST } @{ $all->{series} };
    my $common = $all->{alike_later} //= _common(map { [_alike_in($_, $_->from($_->count), $_->count)] } @each);
    my ($r, $count) = _alike_in($self->{segment}, $from, $end);
    my $known = ($r * $count + $common * COMMON) / ($count + COMMON);
    return inflation(($count < FEW ? $known : max($known, $r - 1 / sqrt $count)) + UNSURE / sqrt $count);
}

sub _alike_in {
    my ($segment, $from, $end) = @_;
    my $part = $segment->part($from, $end);
    my $r    = $part->{within} ? autocorrelation_of($part->{lag} / $part->{within}, $part->{count}, 1) : 0;
    return ($r, $part->{count});
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

# Takes the drift that was noted after the run before, the present run, and how many times its statistic is above the
# threshold. Notes a drift; the second run in a row confirms it.
sub _note_drift {
    my ($self, $earlier, $run, $times) = @_;
    my $drift = $self->_drift_before($self->{segment}->count) or return;
    return if $times < $drift->{inflation};
    my $is_same = $earlier && $earlier->{by} * $drift->{by} > 0;
    $self->{drift} = { %$drift, found => $is_same ? $earlier->{found} : $run, confirmed => $is_same ? $run : undef };
    $self->{has_drifted} = 1 if $is_same;
    return;
}

sub _add_segment {
    my ($self, $from, $end, $drift) = @_;
    my $values = $self->{segment};
    my $runs   = $values->runs;
    $self->{outliers}{ $runs->[$_] } = 1 for grep { $values->is_outlier($_) } $from .. $end - 1;
    my %segment = (first => $runs->[$from], last => $runs->[$end - 1], part => $values->part($from, $end));
    $segment{drift} = { found => undef, confirmed => $runs->[$end - 1], %$drift } if $drift;
    push @{ $self->{segments} }, { %segment, is_drift => $drift || $self->{is_drift} ? 1 : 0 };
    return;
}

sub _found {
    my ($self) = @_;
    my ($changes, $provisional, $end) = (@$self{qw(changes provisional)}, $self->{segment}->count);
    my $place = $provisional ? $provisional->{place} : $end;
    my ($sees, $spread) = $self->_sees($place);
    my @fresh =
        $provisional
        ? { at => $self->{segment}->runs->[$place], found => $provisional->{found}, confirmed => undef }
        : ();
    $self->_add_segment(0, $place, $self->{drift}) if $place;
    $self->_add_segment($place, $end) if $provisional;
    my @segments = @{ $self->{segments} };
    my @changes  = (@$changes, @fresh);
    $self->_withdraw(\@segments, \@changes);
    return {
        segments => [map { +{ %$_,               mean => $_->{part}{mean} } } @segments],
        changes  => [map { +{ %{ $changes[$_] }, $self->_difference(@segments[$_, $_ + 1]) } } 0 .. $#changes],
        outliers => $self->{outliers},
        slow     => @segments ? _slow($self->{values}, $segments[-1]{first}) : [],
        sees     => $sees,
        count    => $place,
        spread   => $spread,
    };
}

# Takes a step and what of() has found in a series; returns after how many runs this step is seen in four of five cases,
# or undef if that may take more than 100.
sub seen_after {
    my ($step, $found) = @_;
    my ($row) = grep { $_->[0] <= $found->{count} } reverse @SEEN_AFTER or return;
    my $times = $step / max(NONE, $found->{spread});
    my @below = grep { $_->[0] <= $times } @$row[1 .. $#$row] or return;
    my ($from, $to) = ($below[-1], $row->[1 + @below] // $below[-1]);
    my $part = $to == $from ? 0 : ($times - $from->[0]) / ($to->[0] - $from->[0]);
    return int(0.5 + $from->[1]**(1 - $part) * $to->[1]**$part);
}

# Takes [logarithm of the value of each run, or undef], and the first run since the last change. Returns [the runs that
# are slow now and then]: below 90 % of the median, and further below it than noise is.
sub _slow {
    my ($logs, $first) = @_;
    my @runs   = grep { defined $logs->[$_] } $first .. $#$logs;
    my $median = median(@$logs[@runs]);
    my $beyond = max(SLOW, SLOW_NOISE * median(map { abs($logs->[$_] - $median) } @runs));
    my @slow   = grep { $median - $logs->[$_] > $beyond } @runs;
    return @slow < SLOW_LEAST ? [] : \@slow;
}

# Withdraws confirmed changes whose interval holds 0 now, or whose statistic is far below the threshold, the least
# certain one first, and then those to a level that there was for a few days only.
sub _withdraw {
    my ($self, $segments, $changes) = @_;
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
    return;
}

sub _doubtful {
    my ($self, $segments, $changes) = @_;
    my @doubtful;
    for my $number (grep { defined $changes->[$_]{confirmed} } 0 .. $#$changes) {
        my %of     = $self->_difference(@$segments[$number, $number + 1]);
        my $errors = abs($of{by}) / max(NONE, $of{error});
        my $least  = KEPT * $self->_limit($segments->[$number]{part}{count} + $segments->[$number + 1]{part}{count});
        push @doubtful, [$number, $errors] if $of{low} <= 0 && $of{high} >= 0 || $errors < $least;
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
        next
            if $visit->{count} > VISIT || $self->_days(map { $segments->[$_]{first} } $number + 1, $number + 2) > VISIT;
        my $apart = abs($new->{mean} - $old->{mean});
        return $number if $apart < max($self->{all}{effect}, BACK * abs($visit->{mean} - $old->{mean}));
    }
    return;
}

# Takes two runs; returns the days from one to the other. If they are not known, there is a run each day.
sub _days {
    my ($self, $first, $last) = @_;
    my $days = $self->{all}{days} || return $last - $first;
    return $days->[$last] - $days->[$first];
}

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

sub _difference {
    my ($self, @segments) = @_;
    my ($old, $new)       = map { $_->{part} } @segments;
    my $by     = $new->{mean} - $old->{mean};
    my $count  = $old->{count} + $new->{count};
    my $df     = $count - 2;
    my $within = $old->{within} + $new->{within};
    my $error  = sqrt($within / $df * (1 / $old->{count} + 1 / $new->{count}));
    my $own    = $within > 0 ? autocorrelation_of(($old->{lag} + $new->{lag}) / $within, $count, 2) : 0;
    my $common = $self->{all}{alike} // 0;
    $error *= inflation(max(($own * $count + $common * COMMON) / ($count + COMMON), $own - 1 / sqrt $count));
    my $margin = t_quantile(SURE, $df) * $error;
    return (by => $by, low => $by - $margin, high => $by + $margin, error => $error);
}

# Takes the end of the values that count. Returns the step that is seen after three more runs with a probability of 90
# %, if the noise stays as it is, and the deviation; values that are alike count as such. The threshold is a multiple of
# the deviation, which changes with the new values: its square by a value of the F distribution, of which the mean and
# the deviation count here. Each new value must be beyond two deviations, or it may be taken for an outlier.
sub _sees {
    my ($self, $count) = @_;
    return if $count <= FIRST;
    my $segment   = $self->{segment};
    my $from      = $segment->from($count);
    my $part      = $segment->part($from, $count);
    my $freedom   = $part->{count} - 1;
    my $deviation = sqrt $part->{within} / $freedom;
    my $error     = $deviation * sqrt(1 / $part->{count} + 1 / AFTER) * $self->_inflation_later($from, $count);
    my $limit     = $self->_limit($count + AFTER);
    my $change    = $limit * (AFTER - 1) / 2 / ($freedom + AFTER - 1);
    my $by        = 2 / ($freedom - 2);
    my $varies    = $freedom / ($freedom - 2) * sqrt($freedom / max(1, $freedom - 4));
    my $margin    = $change * $by + t_quantile(0.9, $freedom) * sqrt(1 + ($change * $varies)**2);
    my $beyond    = $segment->near($from, $count) + NORMAL_98 * $deviation;
    my $step      = max(max($self->{all}{effect}, $limit * $error) + $margin * $error, $beyond);
    return ($step < LARGEST ? $step : undef, $deviation);
}

1;
