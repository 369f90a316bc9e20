package UnixBench::Score::Turns;

# The ratio of two states that a run measured in turns. Its unit is the pair: a pass of a test in one state and the pass
# in the other state in the same round, right before or after it, so slow drift hardly changes the ratio within a round.
# The interval is Student's t over the rounds.
#
# What is known of a test is plain data, the type passes_in_turns of UnixBench::Base::ResultSchema.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Text          qw(DECIMAL);
use UnixBench::Noise::Disturbances ();
use UnixBench::Plan                ();
use UnixBench::Score::Estimate     ();
use UnixBench::Score               ();
use UnixBench::Score::Stats        qw(geometric_mean);
use UnixBench::Score::Work         ();

use constant {
    PAIRS_LEAST => 3,       # with fewer quiet pairs, other load leaves the ratio open
    START_MOST  => 0.01,    # of a pass
};

# Takes a measured test of a quick run, how many of its passes a round has, or undef for one, and perhaps whether a
# command stood in front of its copies; returns what is known of its turns, see above. Several passes of a round are
# one: the mean of the quiet ones if these are half of them.
sub of_test {
    my ($test, $in_a_row, $is_under) = @_;
    my @passes = @{ $test->{passes} };
    my @rounds;
    push @{ $rounds[_round($_, $in_a_row)] }, $_ for @passes;
    my @quiet = map {
        [grep { !UnixBench::Noise::Disturbances::is_disturbed_by_other_load($_) } @{ $_ || [] }]
    } @rounds;
    my @made      = grep { $rounds[$_] } 0 .. $#rounds;
    my %is_loaded = map  { $_ => 1 } grep { 2 * @{ $quiet[$_] } < @{ $rounds[$_] } } @made;
    my @counted   = map  { $is_loaded{$_} ? $rounds[$_] : $quiet[$_] } @made;
    return {
        rounds => \@made,
        rates  => [map { _rate(@$_) } @counted],
        loaded => [grep { $is_loaded{$_} } @made],
        start  => List::Util::max(map { _start_of($_) } @passes),
        _works($test, $in_a_row, $is_under),
    };
}

sub _round { my ($pass, $in_a_row) = @_; return int(($pass->{number} - 1) / ($in_a_row // 1)) }

# Takes what of_test() takes; returns the cycles of a loop in each round, as far as they are known.
sub _works {
    my ($test, $in_a_row, $is_under) = @_;
    my @cycles = UnixBench::Score::Work::cycles_of_passes($test, $is_under);
    my %of;
    push @{ $of{ _round($test->{passes}[$_], $in_a_row) } }, $cycles[$_] for grep { defined $cycles[$_] } 0 .. $#cycles;
    my @rounds = sort { $a <=> $b } keys %of;
    return (work_rounds => \@rounds, works => [map { geometric_mean(@{ $of{$_} }) } @rounds]);
}

sub _rate {
    my (@passes) = @_;
    my @rates = map { UnixBench::Score::rate($_) } @passes;
    return @rates == 1 ? $rates[0] : geometric_mean(@rates);
}

# Takes a pass; returns the part of each copy's time that the start of a command takes, as far as it was measured.
sub _start_of {
    my ($pass) = @_;
    return map { $_->{data}{start}[0] / $_->{elapsed_s} }
        grep { ($_->{data}{start} || [q{}])->[0] =~ DECIMAL && $_->{elapsed_s} > 0 } @{ $pass->{copies} };
}

# Takes two summaries. Returns how many states were measured in turns if both are of such a run, else undef.
sub states_of {
    my (@summaries) = @_;
    my ($first, $second) = map { _run_in_turns($_) } @summaries;
    return if !defined $first || !defined $second || $first ne $second;
    return 1 + @{ $summaries[0]{procedure}{turns}{commands} };
}

# Returns a text that is the same for all states of a run, or undef if it had only one.
sub _run_in_turns {
    my ($summary) = @_;
    my $procedure = $summary->{procedure};
    my $turns     = $procedure->{turns} or return;
    return join "\0", @{ $turns->{commands} }, map { $_ // q{} } $procedure->{seed}, @$summary{qw(name started)};
}

# Takes what is known of the same tests in two states, a list for each state, and the number of states of the run. Only
# complete sets of orders count. Returns
#   ratio    the estimate (see UnixBench::Score::Estimate) of the second state divided by the first, over the rounds in
#            which no other load disturbed a pass; undef if no round has all passes
#   rounds   the number of these rounds
#   of       the number of all complete rounds
#   is_open  whether other load leaves fewer than three of them: then the ratio is that of all
#   start    the largest part that the start of a command takes, or undef
# Other load may leave each test other rounds. So the ratio of several is the mean of theirs, each of its own rounds.
# Its interval is not narrower than that over the rounds that all of them have, if these are enough.
sub ratio {
    my ($first, $second, $states) = @_;
    my $together = _ratio($first, $second, $states);
    return $together
        if @$first < 2 || !$together->{ratio} || $together->{rounds} == $together->{of} && !$together->{is_open};
    my @each = map { _ratio([$first->[$_]], [$second->[$_]], $states) } 0 .. $#$first;
    my $mean = UnixBench::Score::Estimate::geometric_mean(map { $_->{ratio} } @each);
    my @sure = grep { defined $_->{log_se} } $mean, $together->{is_open} ? () : $together->{ratio};
    my ($wide) =
        sort { UnixBench::Score::Estimate::half_width($b) <=> UnixBench::Score::Estimate::half_width($a) } @sure;
    return {
        %$together,
        ratio   => $wide ? UnixBench::Score::Estimate::around($mean->{value}, @$wide{qw(log_se df)}) : $mean,
        rounds  => List::Util::min(map { $_->{rounds} } @each),
        is_open => (grep { $_->{is_open} } @each) ? 1 : 0,
    };
}

# Takes what ratio() takes; returns what it returns, over the rounds that all tests have. The unit is the round: the
# mean of the logarithms of the tests' ratios. With a single round there is no interval.
sub _ratio {
    my ($first, $second, $states) = @_;
    my @tests     = (@$first, @$second);
    my $made      = 1 + List::Util::max(-1, map { @{ $_->{rounds} } } @tests);
    my $complete  = UnixBench::Plan::complete_rounds($made, $states);
    my %is_loaded = map { $_ => 1 } map { @{ $_->{loaded} } } @tests;
    my @rates     = map { [map { _by_round($_) } @$_] } $first, $second;
    my %rates_in;
    $rates_in{$_}++ for map { @{ $_->{rounds} } } @tests;
    my @all     = grep { ($rates_in{$_} // 0) == @tests } 0 .. $complete - 1;
    my @quiet   = grep { !$is_loaded{$_} } @all;
    my $is_open = @quiet < @all && @quiet < PAIRS_LEAST ? 1    : 0;
    my @rounds  = $is_open                              ? @all : @quiet;
    my @ratios;

    for my $round (@rounds) {
        push @ratios, geometric_mean(map { $rates[1][$_]{$round} / $rates[0][$_]{$round} } 0 .. $#$first);
    }
    return {
        ratio   => @ratios ? UnixBench::Score::Estimate::of_rates(@ratios) : undef,
        rounds  => scalar @rounds,
        of      => scalar @all,
        is_open => $is_open,
        start   => List::Util::max(grep { defined } map { $_->{start} } @tests),
    };
}

# Takes what ratio() takes. Returns the estimate of the cycles of a loop in the second state divided by those in the
# first, over all rounds that have them: both states meet the same load. Undef if fewer than three rounds have them.
sub ratio_of_work {
    my ($first, $second, $states) = @_;
    my @works = map {
        [map { +{ rounds => $_->{work_rounds}, rates => $_->{works}, loaded => [] } } @$_]
    } $first, $second;
    my $found = ratio(@works, $states);
    return $found->{rounds} < PAIRS_LEAST ? undef : $found->{ratio};
}

# Takes what ratio() returns; returns whether the start of a command takes more than 1 % of a pass.
sub is_start_long { my ($turns) = @_; return ($turns->{start} // 0) > START_MOST }

sub _by_round {
    my ($test) = @_;
    my %rate;
    @rate{ @{ $test->{rounds} } } = @{ $test->{rates} };
    return \%rate;
}

# Takes an index of the run of the first state, see UnixBench::Score::StopRule::indexes, that run, and the run of
# another state. Returns what ratio() returns, for the tests of the index that were measured in both, and tests, [{
# name, turns }, ...] of both.
sub of_index {
    my ($index, @runs) = @_;
    my @names = map { $_->{name} } grep { defined $_->{baseline} } @{ $index->{rows} };
    my @tests;
    for my $run (@runs) {
        push @tests, { map { $_->{name} => $_ } grep { ($_->{status} // q{}) eq 'measured' } @{ $run->{tests} } };
    }
    my @both = grep { $tests[0]{$_} && $tests[1]{$_} } @names;
    return { ratio => undef, rounds => 0, of => 0, is_open => 0 } if !@both;
    my @known;
    for my $is_under (0, 1) {
        push @known,
            [map { +{ name => $_->{name}, turns => of_test($_, $runs[0]{in_a_row}, $is_under) } }
                @{ $tests[$is_under] }{@both}];
    }
    return { %{ ratio((map { [map { $_->{turns} } @$_] } @known), 1 + @{ $runs[0]{others} }) }, tests => \@known };
}

1;
