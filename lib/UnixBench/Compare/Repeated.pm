package UnixBench::Compare::Repeated;

# Several results of the same state of a machine, such as those of an old kernel, taken together as one side of a
# comparison; and what differs between two such states.
#
# A difference is shown if the 95 % interval of the ratio of both states lies on one side of 1, see
# UnixBench::Score::Repeat::of_states. The number of runs is the smallest one with which four of five such
# comparisons show the difference, if it is as large as asked for. The same number gives four of five comparisons the
# verdict "slower" or "faster" if the true difference is twice as large, because that verdict needs an interval beyond
# the least difference that matters (runs_needed).

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result     qw(has_passes is_measured);
use UnixBench::Base::Text       qw(clean counted listed unique);
use UnixBench::Compare::Kind    ();
use UnixBench::Features         ();
use UnixBench::Host::FactList   ();
use UnixBench::Summary::Outline qw(identity lines once);
use UnixBench::Score::Estimate  ();
use UnixBench::Score::Stats     qw(geometric_mean t_above t_quantile);

my $CPU = [CPU => sub { UnixBench::Host::FactList::text_of($_[0], 'cpu.models') }];

use constant { POWER => 0.8, COVERED => 0.95 };
use constant { STATES => 2, RUNS_MOST => 1000, NORMAL => 1e6 };    # degrees of freedom of a normal one

# Takes sides of a comparison, each { label, summary, and what features compare }; returns one side. It has what
# features compare of all results, or none of it. Its summary has the facts of the first result, the hosts and notes of
# all, and only the runs that all results have. Each test and index that was measured in all of them also has of_runs,
# [the test or index of each result, in their order]. It has an estimate if all of them have one. Any other test has a
# reason. An index whose tests or baselines differ between the results has is_mixed.
sub together {
    my (@sides) = @_;
    my ($first) = @sides;
    my @of_all  = map  { _by_key(copies => @{ $_->{summary}{runs} }) } @sides;
    my @copies  = grep { @sides == _of_all($_, @of_all) } unique(map { $_->{copies} } @{ $first->{summary}{runs} });
    my @hosts   = unique(grep { defined } map { $_->{summary}{name} } @sides);
    my @notes   = unique(map { @{ $_->{summary}{notes} } } @sides);
    my @runs    = map { _run(_of_all($_, @of_all)) } @copies;
    return {
        label   => listed(map { $_->{label} } @sides),
        members => \@sides,
        (map { $_ => _all_of_feature($_, @sides) } keys %{ UnixBench::Features::having(of_comparisons => 'of_sides') }),
        summary =>
            { %{ $first->{summary} }, name => @hosts ? listed(@hosts) : undef, notes => \@notes, runs => \@runs },
    };
}

# Takes the sides that are to be taken together. Dies with one line if two are files of the same run: it would count
# twice.
sub refuse_twice {
    my (@sides) = @_;
    my (undef, $others) = once(map { [identity($_->{summary}), $_->{label}, $_] } @sides);
    my ($twice) = @$others or return;
    die join(' and ', map { clean($_) } @$twice) . " are the same run: leave out one of them\n";
}

# Takes [sides that are judged together], and others that may be taken together as their reference; and whether results
# of another kind fit, too. Returns [those that fit: each run once, none of those that are judged], and [label, line
# that tells why it does not fit] of the others. Dies with one line if none fits.
sub fitting {
    my ($own, $others, $is_forced) = @_;
    my %is_own = map { ($_ // q{}) => 1 } q{}, map { identity($_->{summary})->{run} } @$own;
    my @given  = map { [identity($_->{summary}), $_->{label}, $_] } @$others;
    my ($once, $twice) = once(grep { !defined $_->[0]{run} || !$is_own{ $_->[0]{run} } } @given);
    my (@fitting, @refused);
    for my $side (@$once) {
        my @why =
              !has_passes($side->{summary}) ? 'a text report has no intervals'
            : $is_forced                    ? ()
            :                                 _misfits($own->[0], { %$side, label => 'the reference' });
        push @fitting, @why ? () : $side;
        push @refused,
            @why ? [$side->{label}, clean($side->{label}) . ' does not fit: ' . join('; ', @why) . "\n"] : ();
    }
    @refused = (lines(@$twice), @refused);
    refuse_all($others, @refused) if !@fitting;
    return (\@fitting, @refused);
}

# Takes [sides] of which none fits, and [label, line that tells why it does not fit] of those that are not what is
# compared. Dies with one line.
sub refuse_all {
    my ($sides, @refused) = @_;
    my $why = @refused ? $refused[0][1] =~ s/ does not fit:/:/r : "it is this one\n";
    die 'none of ' . counted(scalar @$sides, 'result', 'results') . " fits: $why";
}

sub _misfits {
    my (@sides) = @_;
    return (UnixBench::Compare::Kind::obstacles(\@sides), UnixBench::Compare::Kind::obstacle($CPU, @sides));
}

# Takes sides that are to be taken together. Returns why they are not runs of one machine in the same procedure. Dies
# with one line if one comes twice.
sub differences {
    my (@sides) = @_;
    refuse_twice(@sides);
    my $host = [host => sub { identity($_[0])->{name} }];
    return (UnixBench::Compare::Kind::obstacles(\@sides),
        map { UnixBench::Compare::Kind::obstacle($_, @sides) } $host, $CPU);
}

sub _all_of_feature {
    my ($key, @sides) = @_;
    return [] if grep { !@{ $_->{$key} || [] } } @sides;
    return [map { @{ $_->{$key} } } @sides];
}

sub _run {
    my (@runs)  = @_;
    my @tests   = map  { _by_key(name     => @{ $_->{tests} }) } @runs;
    my @indexes = map  { _by_key(category => @{ $_->{indexes} }) } @runs;
    my @common  = grep { @runs == _of_all($_, @indexes) } map { $_->{category} } @{ $runs[0]{indexes} };
    return {
        %{ $runs[0] },
        tests => [
            map { _test(scalar @runs, _of_all($_, @tests)) } unique(map { $_->{name} } map { @{ $_->{tests} } } @runs)
        ],
        indexes => [map { _index(\@tests, _of_all($_, @indexes)) } @common],
    };
}

sub _by_key {
    my ($key, @items) = @_;
    return { map { $_->{$key} => $_ } reverse grep { defined $_->{$key} } @items };
}

sub _of_all {
    my ($value, @hashes) = @_;
    return grep { $_ } map { $_->{$value} } @hashes;
}

sub _test {
    my ($runs, @tests) = @_;
    return { %{ $tests[0] }, status => 'skipped', reason => 'not in every run' } if @tests < $runs;
    my ($lacking) = grep { !is_measured($_) } @tests;
    return $lacking if $lacking;
    my @units = unique(map { $_->{unit} // q{} } @tests);
    return { %{ $tests[0] }, status => 'skipped', reason => 'in ' . join ' and ', @units } if @units > 1;
    return _taken_together(score => @tests);
}

sub _index {
    my ($tests, @indexes) = @_;
    my ($lacking) = grep { $_->{lacking} } @indexes;
    return $lacking if $lacking;
    my @basis = unique(map { _basis($tests->[$_], $indexes[$_]) } 0 .. $#indexes);
    return @basis > 1 ? { %{ $indexes[0] }, is_mixed => 1 } : _taken_together(index => @indexes);
}

sub _basis {
    my ($tests, $index) = @_;
    return join "\n", map { "$_ " . (0 + ($tests->{$_}{baseline} // 0)) } sort @{ $index->{tests} };
}

sub _taken_together {
    my ($key, @items) = @_;
    my @estimates = grep { $_ } map { $_->{estimate} } @items;
    return {
        %{ $items[0] },
        $key     => geometric_mean(map { $_->{$key} } @items),
        estimate => @estimates < @items ? undef : UnixBench::Score::Estimate::geometric_mean(@estimates),
        of_runs  => \@items,
    };
}

# Takes the ratio of UnixBench::Score::Repeat::of_states(), [the number of runs of each state], and the difference to
# show, a fraction of 1. Returns how many runs of each state are needed, at most RUNS_MOST, or nothing if every
# difference matters.
sub runs_needed {
    my ($ratio, $runs, $difference) = @_;
    return if $difference <= 0;
    my $deviation = $ratio->{log_se} / sqrt List::Util::sum(map { 1 / $_ } @$runs);
    my $part      = $deviation / log(1 + $difference);
    my $needed    = List::Util::max(STATES, int(STATES * ($part * _distance(NORMAL))**2));    # too few, if they are few
    return RUNS_MOST if $needed >= RUNS_MOST;
    $needed++ while $needed < RUNS_MOST && $part * sqrt(STATES / $needed) * _distance(STATES * ($needed - 1)) > 1;
    return $needed;
}

# Takes degrees of freedom; returns how many standard errors the true value has to be away from 0, so that the test
# rejects 0 with the wanted power. That is the parameter of the noncentral t distribution, by 26.7.10 in Abramowitz and
# Stegun, Handbook of Mathematical Functions.
sub _distance {
    my ($df) = @_;
    my $t = t_quantile((1 + COVERED) / 2, $df);
    return $t * (1 - 1 / (4 * $df)) + t_quantile(POWER, NORMAL) * sqrt(1 + $t * $t / (2 * $df));
}

# Takes the number of runs, the estimate of their value, and the most runs that are asked for; and a function that takes
# such an estimate and returns that of what is compared with a limit, and the limit, which is in its interval. Returns
# how many more such runs would put the limit outside of the interval in four of five cases, one more than the most if
# that many would not, or undef if the interval is unknown. More runs leave the error of a reference as it is.
sub more_runs {
    my ($runs, $estimate, $most, $compared) = @_;
    my ($value, $log_se, $df) = @$estimate{qw(value log_se df)};
    return if !defined $log_se;
    my $more = List::Util::first {
        my $error = $log_se * sqrt($runs / ($runs + $_));
        my $then  = UnixBench::Score::Estimate::around($value, $error, $df + $_);
        _share_decided(sqrt($log_se**2 - $error**2), $df, $compared->($then)) >= POWER
    }
    1 .. $most;
    return $more // $most + 1;
}

# Takes by how much more runs may move an estimate, a standard error of its logarithm with its degrees of freedom; the
# estimate with the interval that it has then; and a limit. Returns how often the limit is outside of the interval.
sub _share_decided {
    my ($moves, $df, $then, $limit) = @_;
    return 0 if !$moves;
    return List::Util::sum(map { t_above($_ / $moves, $df) } log($limit / $then->{low}), log($then->{high} / $limit));
}

1;
