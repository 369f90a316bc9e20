package UnixBench::Over::Figures;

# What the rounds of a run with --over show, as plain data: see the type over_run of UnixBench::Over. The value of a
# round is its index or, without one, the mean of its tests.

use strict;
use warnings;

use List::Util qw(max min sum);

use UnixBench::Base::Result          qw(offset_at);
use UnixBench::Changes::ChangePoints ();
use UnixBench::Noise::Disturbances   ();
use UnixBench::Over                  ();
use UnixBench::Score::Estimate       ();
use UnixBench::Score                 ();
use UnixBench::Score::Stats          qw(autocorrelation_of geometric_mean inflation mean median quantile t_quantile);
use UnixBench::Score::StopRule       ();

use constant {
    LOW       => 0.9,     # of the median: a round below that is slow
    HOUR_S    => 3600,
    OF_HOUR   => 3,       # rounds: fewer do not show an hour
    EFFECT    => 0.08,    # the least change of the level that matters
    AS_SERIES => 1000,    # a day has hundreds of values: the budget of changes is that of 1,000 series
    LEAST     => 3,       # rounds: fewer show nothing
    MOST_OF   => 0.5,     # of the hours have to have enough rounds, so that the lowest one is known
    SAME_S    => 60,      # seconds by which the start of the system may seem to differ: the clock is adjusted
    EACH_END  => (1 - UnixBench::Score::Estimate::COVERED) / 2,
    ODD       => 0.1,     # of the hours: they may have slow rounds, or a change of the level
    OF_OTHERS => 0.2,     # of that error: for what else than the hour itself ends the interval of the lowest one
};

my %EXTREME = (lowest => 1, highest => -1);

# Takes a run and its result; returns what its rounds show, or undef if there are too few.
sub of_run {
    my (undef, $run, $result) = @_;
    my ($index) = UnixBench::Score::StopRule::indexes($run);
    my @rows    = grep { defined $_->{baseline} } @{ $index->{rows} } or return;
    my @rounds  = rounds_of($run, $index->{category} ? 10 : 1, \@rows);
    return if @rounds < LEAST;
    my $name = $index->{lacking} ? undef : $index->{category};
    return { name => $name // (@rows == 1 ? $rows[0]{name} : 'mean'), %{ of_rounds($result, @rounds) } };
}

# Takes a run, a factor, [rows of an index, each { name, baseline }], and perhaps whether rounds that other load
# disturbed are left out. Returns its rounds that have a pass of each of these tests, in the order of time: { at, value
# (the factor times the geometric mean of rate / baseline), and perhaps steal (the largest part of the CPU time in a
# pass), clock_mhz, until_next (the CPU time of the system from this round to the next) }.
sub rounds_of {
    my ($run, $factor, $rows, $is_quiet) = @_;
    my %baseline = map { $_->{name} => $_->{baseline} } @$rows;
    my %cpu_time = map { ($_->{noticed} || {})->{cpu_time} ? ($_->{number} => $_->{noticed}{cpu_time}) : () }
        map { @{ $_->{passes} } } @{ $run->{tests} };
    my %passes;
    for my $test (grep { $baseline{ $_->{name} } } @{ $run->{tests} }) {
        for my $pass (grep { defined $_->{began} && !defined $_->{error} } @{ $test->{passes} }) {
            push @{ $passes{ $pass->{number} } },
                { %$pass, of_baseline => UnixBench::Score::rate($pass) / $baseline{ $test->{name} } };
        }
    }
    my @whole = grep { @{ $passes{$_} } == @$rows } sort { $a <=> $b } keys %passes;
    @whole = grep { !UnixBench::Noise::Disturbances::is_disturbed_by_other_load(@{ $passes{$_} }) } @whole if $is_quiet;
    return _in_order(
        map {
            _round($factor, _grown(map { $_ && $cpu_time{$_} } @whole[$_, $_ + 1]), @{ $passes{ $whole[$_] } })
        } 0 .. $#whole
    );
}

# Takes rounds in their order; returns them with times that do not fall. If the time of day was set back while a run was
# interrupted, how long that was is unknown: its next round begins with the last one before.
sub _in_order {
    my (@rounds) = @_;
    my $later_s = 0;
    for my $i (1 .. $#rounds) {
        $rounds[$i]{at} += $later_s;
        my $back_s = max(0, $rounds[$i - 1]{at} - $rounds[$i]{at});
        $later_s += $back_s;
        $rounds[$i]{at} += $back_s;
    }
    return @rounds;
}

sub _round {
    my ($factor, $until_next, @passes) = @_;
    my @steal = map  { $_->{value} } grep { $_->{cause} eq 'steal' } map { @{ $_->{tags} || [] } } @passes;
    my @mhz   = grep { $_ } map { ($_->{used} || {})->{clock_mhz} } @passes;
    return {
        at    => min(map { $_->{began} } @passes),
        value => $factor * geometric_mean(map { $_->{of_baseline} } @passes),
        (@steal      ? (steal      => max(@steal))  : ()),
        (@mhz        ? (clock_mhz  => median(@mhz)) : ()),
        ($until_next ? (until_next => $until_next)  : ()),
    };
}

# Returns by how much they have grown, or undef if this is unknown, as after a restart of the system.
sub _grown {
    my ($from, $to) = @_;
    return undef if !$from || !$to || $to->{all_s} <= $from->{all_s};    ## no critic (ProhibitExplicitReturnUndef)
    my $between_s = ($to->{booted} // 0) - ($from->{booted} // 0);
    return undef if abs $between_s > SAME_S;                             ## no critic (ProhibitExplicitReturnUndef)
    return { map { $_ => max(0, $to->{$_} - $from->{$_}) } qw(all_s idle_s steal_s) };
}

# Takes a result and rounds of it, each { at, value, ... }; returns what they show, see the type over_run.
sub of_rounds {
    my ($result, @rounds) = @_;
    my @values  = map { $_->{value} } @rounds;
    my $median  = median(@values);
    my $slow    = LOW * $median;
    my @logs    = map { log $_ / $median } @values;
    my ($found) = UnixBench::Changes::ChangePoints::of([\@logs], effect => EFFECT, watched => AS_SERIES);
    my @changes = grep { defined $_->{confirmed} } @{ $found->{changes} };
    return {
        rounds  => \@rounds,
        median  => $median,
        p5      => quantile(0.05, @values),
        p95     => quantile(0.95, @values),
        below   => (grep { $_ < $slow } @values) / @values,
        changes => [map { +{ at => $rounds[$_->{at}]{at}, by => exp($_->{by}) - 1 } } @changes],
        by_hour($result, @rounds),
        _shares(@rounds),
    };
}

sub _shares {
    my (@rounds) = @_;
    my @times = grep { $_ } map { $_->{until_next} } @rounds or return;
    my %sum;
    for my $key (qw(all_s idle_s steal_s)) {
        $sum{$key} = sum(map { $_->{$key} } @times);
    }
    return (idle => $sum{idle_s} / $sum{all_s}, stolen => $sum{steal_s} / $sum{all_s});
}

# Takes a result and rounds of it; returns [rounds] of each hour of the day in which rounds began. The hours are those
# of the clocks where the machine is. An hour in which these are set ends there.
sub _by_hour {
    my ($result, @rounds) = @_;
    my @set = map { $_->{at} } @{ $result->{clock_changes} || [] };
    my %of;
    for my $round (@rounds) {
        my $at    = int $round->{at};
        my $begin = $at - ($at + offset_at($result, $at)) % HOUR_S;
        push @{ $of{ max($begin, grep { $_ <= $at } @set) } }, $round;
    }
    return map { { from => $_, rounds => $of{$_} } } sort { $a <=> $b } keys %of;
}

# Takes a result and rounds of it. Returns the hours lowest and highest, with the interval of the choice: what is the
# lowest of many hours is low by chance, too. Both are undef if there is only one hour, or if most hours have too few
# rounds.
sub by_hour {
    my ($result, @rounds) = @_;
    my @begun    = _by_hour($result, @rounds);
    my @hours    = _with_errors(grep { @{ $_->{rounds} } >= OF_HOUR } @begun);
    my $is_known = @hours > 1 && @hours >= MOST_OF * @begun;
    return map { $_ => $is_known ? _extreme($EXTREME{$_}, @hours) : undef } keys %EXTREME;
}

# Takes hours; returns them with the logarithm of their mean, and errors: its [standard error, degrees of freedom], by
# its own rounds and by the deviation within all hours. Few rounds may hide how much they vary, and an hour may vary
# more than others, so the wider interval of both counts. Hours with slow rounds or a change of the level do not count
# for others. Rounds that are like their neighbours count less.
sub _with_errors {
    my (@hours) = @_;
    for my $hour (@hours) {
        my @logs = map { log $_->{value} } @{ $hour->{rounds} };
        my $mean = mean(@logs);
        my @off  = map { $_ - $mean } @logs;
        my $sum  = sum(map { $_**2 } @off);
        my $lag  = $sum > 0 ? sum(map { $off[$_] * $off[$_ - 1] } 1 .. $#off) / $sum : 0;
        @$hour{qw(log lag df variance)} = ($mean, $lag, $#off, $sum / $#off);
    }
    my @usual  = (sort { $a->{variance} <=> $b->{variance} } @hours)[0 .. $#hours - int @hours * ODD];
    my $rounds = sum(map { scalar @{ $_->{rounds} } } @hours);
    my $wider  = inflation(autocorrelation_of(mean(map { $_->{lag} } @hours), $rounds, scalar @hours));
    my $df     = sum(map { $_->{df} } @usual);
    my $common = sum(map { $_->{df} * $_->{variance} } @usual) / $df;
    for my $hour (@hours) {
        $hour->{errors} = [map { [$wider * sqrt($_->[0] / @{ $hour->{rounds} }), $_->[1]] } [@$hour{qw(variance df)}],
            [$common, $df]];
    }
    return @hours;
}

sub _half {
    my ($hour, $error) = @_;
    return max(map { $_->[0] * t_quantile(1 - $error, $_->[1]) } @{ $hour->{errors} });
}

# Takes 1 for the lowest hour or -1 for the highest, and hours. Returns { from, value, low, high, is_shown (whether it
# differs from the mean of all hours by more than chance) }. Not one of them is lower than the lowest: so the interval
# begins with the lowest end of all, each with the usual confidence (R. Berger, Multiparameter hypothesis testing and
# acceptance sampling, Technometrics 24, 1982). It ends with the lowest upper end, whose error is shared by all hours
# that may be the lowest (S. Gupta, On some multiple decision rules, Technometrics 7, 1965), or with that of the mean of
# all hours: the lowest is not above it.
sub _extreme {
    my ($sign, @hours) = @_;
    my %log  = map { $_ => $sign * $_->{log} } @hours;
    my ($is) = sort { $log{$a} <=> $log{$b} } @hours;
    my $part = EACH_END * OF_OTHERS;
    my $most = min(map { $log{$_} + _half($_, $part / @hours) } @hours);
    my @may  = grep { $log{$_} - _half($_, $part / @hours) <= $most } @hours;
    my $high = min(map { $log{$_} + _half($_, (EACH_END - 2 * $part) / @may) } @may);
    my $low  = min(map { $log{$_} - _half($_, EACH_END) } @hours);
    my @all  = map { $_->{value} } map { @{ $_->{rounds} } } @hours;
    my $mean = $sign * log geometric_mean(@all);
    my $end  = UnixBench::Score::Estimate::half_width(
        UnixBench::Score::Estimate::at(UnixBench::Score::Estimate::of_rounds(1, @all), 1 - 2 * $part));
    my ($from, $to) = sort { $a <=> $b } map { $sign * $_ } $low, min($mean + $end, $high);
    return {
        from     => $is->{from},
        value    => exp $is->{log},
        low      => exp $from,
        high     => exp $to,
        is_shown => $high < $mean ? 1 : 0,
    };
}

# What requirements may name besides values: the rate or index below which 5 % of the rounds are (p5), that in the
# middle (median), and the mean of the lowest hour (worst-hour).
my %PART = (p5 => 0.05, median => 0.5);

# Takes a word that a requirement may name, and the key over of the procedure. Returns why the run will not show this
# quantity, or nothing.
sub why_no_quantity {
    my (undef, $word, $over) = @_;
    my $rounds = HOUR_S * $over->{rounds} / $over->{over_s};
    return if $PART{$word} || $rounds >= OF_HOUR;
    return sprintf 'an hour has %.1f rounds, and %s needs %d: measure fewer tests or copies', $rounds, $word, OF_HOUR;
}

# Takes such a word, a result, its run, a factor, [rows of an index, or the row of a test, each { name, baseline }], and
# whether rounds that other load disturbed are left out. Returns the estimate, or undef if there are fewer than 48
# rounds, or if most hours have too few.
sub quantity {
    my (undef, $word, $result, @of) = @_;
    my @rounds = rounds_of(@of);
    return if @rounds < UnixBench::Over::ROUNDS_LEAST;
    return { _of_order($PART{$word}, map { $_->{value} } @rounds) } if $PART{$word};
    return { by_hour($result, @rounds) }->{lowest};
}

# Takes a part of 1, and values; returns the quantile with the interval between two of the values. It is about the time
# of the run: rounds are at random moments of its slots, so they tell more about it than as many independent ones would.
# Too few of them have no value that is low enough: the interval then begins with 0.
sub _of_order {
    my ($part, @values) = @_;
    my @sorted = sort { $a <=> $b } @values;
    my ($below, $above) = _places($part, scalar @sorted);
    return (
        %{ UnixBench::Score::Estimate::known(quantile($part, @values)) },
        low  => $below ? $sorted[$below - 1] : 0,
        high => $sorted[min($#sorted, $above - 1)],
    );
}

# Takes a part of 1, and a number of independent values. Returns two places among the sorted values, from 1: with 97.5 %
# each, the value at the first is below the quantile, and that at the second is not. The first may be 0: none is.
sub _places {
    my ($part, $count) = @_;
    my ($below, $at_most, $exactly) = (0, 0, (1 - $part)**$count);
    for my $number (0 .. $count) {
        $at_most += $exactly;
        $below = $number + 1 if $at_most <= EACH_END;
        return ($below, $number + 1) if $at_most >= 1 - EACH_END;
        $exactly *= ($count - $number) / ($number + 1) * $part / (1 - $part);
    }
    return ($below, $count);
}

1;
