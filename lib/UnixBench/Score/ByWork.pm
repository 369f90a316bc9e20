package UnixBench::Score::ByWork;

# What work says where other load leaves rates open. The work of a test is the cycles of a loop, see
# UnixBench::Score::Work: other load takes CPU time away, and hardly changes how much of it a loop needs. So the ratio
# of the rates without other load is the inverse of that of the cycles, as far as compiler, C library, kernel, filters
# and mitigations decide it; clock, quotas, placement and disks are not in it. It decides as the limits of
# UnixBench::Score::Bounds do, and is never a score.
#
# States in turns meet the same load, so what it does to work cancels. It does not between two results: each side that
# was disturbed may have other cycles by the factor of its test, see changed_by_load(). Tests without such a factor say
# nothing then, and they are in no mean.

use strict;
use warnings;

use UnixBench::Score::Estimate ();
use UnixBench::Score::Repeat   ();
use UnixBench::Score::Stats    qw(geometric_mean);
use UnixBench::Score::Turns    ();
use UnixBench::Score::Work     qw(changed_by_load);

# Takes two summaries; returns whether their cycles can be compared: those of one kind of CPU, by the clock program of
# one version, whose steps no compiler changes.
sub are_alike {
    my ($first, $second) = @_;
    my ($model, $other) = map { UnixBench::Score::Work::cpu_model($_) } $first, $second;
    return length $model && $model eq $other && ($first->{version} // 1) eq ($second->{version} // 0) ? 1 : 0;
}

# Takes [the tests of a value] of each side, as summaries have them, or as UnixBench::Compare::Repeated::together()
# makes one of several runs; and how many states the run measured in turns, or undef. Returns undef if their work is not
# known, else what it says of the ratio of the second side to the first:
#   cycles  the estimate of the ratio of the cycles of a loop; of several tests, of their mean
#   margin  the factor, at least 1, by which other load may have changed that ratio
#   tests   the number of tests that it is about
#   of      the number of all
#   other   what else differs: "waiting" or "clock", whichever differs more
sub found {
    my ($first, $second, $states) = @_;
    my $ratio_of = $states ? sub { _in_turns($states, @_) } : \&_of_results;
    my @known    = grep { changed_by_load($first->[$_]{name}) || $states && @$first == 1 } 0 .. $#$first;
    @known = grep { $ratio_of->([$first->[$_]], [$second->[$_]]) } @known or return;
    my @sides = ([@$first[@known]], [@$second[@known]]);
    my ($cycles, $margin) = $ratio_of->(@sides);
    return {
        cycles => $cycles,
        margin => $margin,
        tests  => scalar @known,
        of     => scalar @$first,
        other  => _apart(clock_mhz => @sides) > _apart(cpu => @sides) ? 'clock' : 'waiting',
    };
}

# Takes [names of tests], and { summary, run } of two results. Returns what found() returns of them.
sub of_runs {
    my ($names, @of) = @_;
    return if !are_alike(map { $_->{summary} } @of);
    my @sides;
    for my $tests (map { $_->{run}{tests} } @of) {
        my %test = map { $_->{name} => $_ } @$tests;
        push @sides, [@test{@$names}];
    }
    return found(@sides);
}

sub _in_turns {
    my ($states, @sides) = @_;
    my $ratio = UnixBench::Score::Turns::ratio_of_work((map { [map { $_->{turns} } @$_] } @sides), $states) or return;
    return ($ratio, 1);
}

sub _of_results {
    my (@sides) = @_;
    my (@ratios, @margins);
    for my $number (0 .. $#{ $sides[0] }) {
        my @items = map { $_->[$number]{of_runs} || [$_->[$number]] } @sides;
        return if grep { !($_->{work} || {})->{cycles} } map { @$_ } @items;
        my $of_sides = sub {
            my ($key) = @_;
            return [map { [map { $_->{work}{$key} } @$_] } @items];
        };
        push @ratios,  UnixBench::Score::Repeat::of_states(map { $of_sides->($_) } qw(cycles repeat))->{ratio};
        push @margins, changed_by_load($sides[0][$number]{name})**grep { _is_beside_load(@$_) } @items;
    }
    return (UnixBench::Score::Estimate::geometric_mean(@ratios), geometric_mean(@margins));
}

sub _is_beside_load { my (@items) = @_; return scalar grep { @{ $_->{other_load} || [] } } @items }

sub _apart {
    my ($key, @sides) = @_;
    my @values = map { [map { ($_->{work} || {})->{$key} || 1 } map { @{ $_->{of_runs} || [$_] } } @$_] } @sides;
    return abs log(geometric_mean(@{ $values[1] }) / geometric_mean(@{ $values[0] }));
}

# Takes what found() returns, and perhaps a function that takes an estimate and returns it with another confidence.
# Returns the estimate of the ratio of the rates that follows from the work alone.
sub rates {
    my ($found, $sure) = @_;
    my $rates = UnixBench::Score::Estimate::ratio(UnixBench::Score::Estimate::exact(1), $found->{cycles});
    $rates = $sure->($rates) if $sure;
    return { %$rates, low => $rates->{low} / $found->{margin}, high => $rates->{high} * $found->{margin} };
}

# Takes an estimate of rates(); what the rates themselves allow, { low, high }, either perhaps undef; and the limit that
# both are compared with, or undef. Returns whether they contradict each other: they are apart, and not on one side of
# the limit.
sub contradicts {
    my ($rates, $allowed, $limit) = @_;
    my ($low, $high) = @$allowed{qw(low high)};
    my $is_apart = defined $low && $rates->{high} < $low || defined $high && $rates->{low} > $high;
    return 0 if !$is_apart;
    return 1 if !defined $limit;
    my $are_below = defined $high && $high < $limit && $rates->{high} < $limit;
    my $are_above = defined $low  && $low > $limit  && $rates->{low} > $limit;
    return $are_below || $are_above ? 0 : 1;
}

1;
