package UnixBench::Progress::Estimate;

# Estimates the time left of a measurement. An official run makes all its passes. A quick run makes rounds until its
# time is over or its result is precise enough, whichever comes first. The methods for events have the names of the
# events of UnixBench::Measure::Runner.

use strict;
use warnings;

use List::Util ();
use POSIX      ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Plan::Plan      ();
use UnixBench::Plan::Turns     ();
use UnixBench::Score::Stats    qw(median t_quantile);
use UnixBench::Score::StopRule ();

use constant {
    REMEMBERED      => 0.9,          # each pass multiplies the weight of earlier passes by this
    NEVER           => 1_000_000,    # rounds
    ROUNDS_TELLING  => 4,            # with fewer rounds the spread is too uncertain
    END_OF_INTERVAL => 0.975,
};

# Takes plan, see UnixBench::Plan::Plan, and perhaps is_decided, see UnixBench::Score::StopRule.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(plan is_decided));
    my $plan  = $given->{plan};
    return bless {
        is_decided => sub { 1 },
        %$given,
        copies    => [@{ $plan->{copies} }],
        left      => {},
        planned_s => { map { $_->{lane} => _planned_s($plan, $_) } UnixBench::Plan::Plan::lanes($plan) },
        took_s    => {},
        before_s  => {},
        all_s     => 0,
        once_s    => 0,
    }, $class;
}

# Returns the planned seconds of a pass of a lane, with its start and the pauses before it.
sub _planned_s {
    my ($plan, $lane) = @_;
    return UnixBench::Plan::Plan::short_passes_s($lane) if $plan->{quick};
    return List::Util::sum($lane->{pass_s}, UnixBench::Plan::Plan::START_S, @{ $plan->{settle_s} });
}

# Takes a run that begins, and its UnixBench::Measure::Rounds. Times of passes of the previous run are used until
# there are new ones.
sub run_started {
    my ($self, $run, $watch) = @_;
    return if $run->{state};
    @$self{qw(watch rounds needed)} = ($watch, 0, NEVER);
    $self->{left}                   = $self->_passes(shift @{ $self->{copies} });
    $self->{before_s} = { map { $_ => $self->_pass_s($_) } keys %{ $self->{took_s} }, keys %{ $self->{before_s} } };
    $self->{took_s}   = {};
    return;
}

sub pass_started {
    my ($self) = @_;
    $self->{began_s} = $self->{watch}->elapsed_s;
    return;
}

sub pass_done {
    my ($self, $pass, $test) = @_;
    $self->{left}{ $test->{lane} } = $self->{plan}{quick} ? 0 : $test->{passes_wanted} - $pass->{number};
    my $began_s = delete $self->{began_s} // return;    # from before a resume
    $self->_note_time($test->{lane}, $self->{watch}->elapsed_s - $began_s, 1 + @{ $pass->{set_aside} || [] })
        if !defined $pass->{error};
    return;
}

sub test_done {
    my ($self, $test) = @_;
    delete $self->{left}{ $test->{lane} };
    return;
}

sub round_done {
    my ($self, $run) = @_;
    my $wanted  = $self->{plan}{quick}{precision};
    my $is_open = !defined $wanted || !$self->{is_decided}->($run);
    $_              = 1 for values %{ $self->{left} };
    $self->{rounds} = $run->{rounds};
    $self->{needed} = $is_open ? NEVER : rounds_needed($run, $wanted);
    return;
}

# Returns the seconds until all runs and extra passes are done. Has to be called when no pass is under way.
sub left_s {
    my ($self) = @_;
    my $extra_s = UnixBench::Plan::Plan::extra_s($self->{plan});
    return List::Util::sum($extra_s, $self->_rest_s, map { $self->_run_s($_) } @{ $self->{copies} });
}

# Returns the place of a quick run, { test, tests, round, rounds }: the number of the present test in its round, of all
# tests, the number of the round, and how many rounds there will probably be. Has to be called when no pass is under
# way.
sub place {
    my ($self)  = @_;
    my $left    = $self->{left};
    my $tests   = keys %$left;
    my $ahead_s = $self->_passes_s($left);
    my $round_s = $self->_passes_s({ map { $_ => 1 } keys %$left });
    my $later_s = List::Util::max(0, $self->_rest_s - $ahead_s);
    my $round   = $self->{rounds} + 1;
    return {
        test   => $tests - (grep { $_ } values %$left) + 1,
        tests  => $tests,
        round  => $round,
        rounds => $self->{plan}{pace}
        ? $self->{plan}{pace}->rounds
        : $round + int($round_s > 0 ? $later_s / $round_s + 0.5 : 0),
    };
}

# Returns the seconds for the rest of the present run.
sub _rest_s {
    my ($self) = @_;
    my $left = $self->{left};
    return $self->_passes_s($left) if !$self->{plan}{quick};
    return 0 if !%$left;
    return $self->{plan}{pace}->left_s($self->{rounds}) if $self->{plan}{pace};
    my ($watch, $now_s) = ($self->{watch}, $self->{watch}->elapsed_s);
    my %at = (round => $self->{rounds} + 1, longest_s => $watch->longest_s, needed => $self->{needed});
    return $self->_end_s($left, %at, now_s => $now_s) - $now_s;
}

# Takes the number of copies of a run that has not begun; returns its seconds.
sub _run_s {
    my ($self, $copies) = @_;
    my $left = $self->_passes($copies);
    return $self->_passes_s($left) if !$self->{plan}{quick};
    my $before_s = $self->{plan}{rest_s} + UnixBench::Plan::Plan::warm_up_s($self->{plan}, $copies);
    return $before_s if !%$left;
    return $before_s + $self->{plan}{pace}->left_s(0) if $self->{plan}{pace};
    return $self->_end_s($left, now_s => $before_s, round => 1, longest_s => 0, needed => NEVER);
}

# Takes { lane => passes left in this round } of a quick run, and further arguments of end_s(). Returns the time at
# which the last round ends, in seconds since the start of the run.
sub _end_s {
    my ($self, $left, %at) = @_;
    return end_s(
        %at,
        max_time_s => $self->{plan}{quick}{max_time_s},
        states     => scalar @{ $self->{plan}{states} },
        round_s    => $self->_passes_s({ map { $_ => 1 } keys %$left }),
        ahead_s    => $self->_passes_s($left),
        repeats    => $self->{once_s} > 0 ? $self->{all_s} / $self->{once_s} : 1,
    );
}

# Takes a number of copies; returns { lane => passes } of a run, or of one round of a quick run.
sub _passes {
    my ($self, $copies) = @_;
    my @tests = UnixBench::Plan::Plan::measured($self->{plan}, $copies);
    return { map { $_->{lane} => $self->{plan}{quick} ? 1 : $_->{passes_wanted} } @tests };
}

# Takes { lane => passes }; returns their seconds without repetitions.
sub _passes_s {
    my ($self, $passes) = @_;
    $self->_note_longer;
    return List::Util::sum(0, map { $passes->{$_} * $self->_pass_s($_) } sort keys %$passes);
}

# Notes lanes whose passes have become longer than planned: what their passes took before is too short.
sub _note_longer {
    my ($self) = @_;
    my ($planned_s, $watch) = @$self{qw(planned_s watch)};
    for my $lane ($watch ? $watch->lanes : ()) {
        my $seconds = _planned_s($self->{plan}, $lane);
        next if $seconds <= $planned_s->{ $lane->{lane} };
        $planned_s->{ $lane->{lane} } = $seconds;
        delete $self->{before_s}{ $lane->{lane} };
    }
    return;
}

# Takes a lane; returns the seconds of one pass with the pauses before it. This is the median so far, or else the
# planned time. The median is used because a single suspended pass hardly affects it.
sub _pass_s {
    my ($self, $name) = @_;
    my $took_s = $self->{took_s}{$name};
    return $took_s ? median(@$took_s) : $self->{before_s}{$name} // $self->{planned_s}{$name};
}

# Takes a lane, the seconds of a pass with its repetitions, and how often it was made; notes them.
sub _note_time {
    my ($self, $name, $all_s, $times) = @_;
    push @{ $self->{took_s}{$name} }, $all_s / $times;
    $self->{all_s}  = $all_s + REMEMBERED * $self->{all_s};
    $self->{once_s} = $all_s / $times + REMEMBERED * $self->{once_s};
    return;
}

# Returns the time at which the last round of a quick run ends, in seconds since the start of the run. Takes
#   round       the number of the present round
#   now_s       the present time
#   ahead_s     the seconds of the rest of the round
#   round_s     the seconds of a complete round
#   longest_s   the seconds of the longest round so far
#   repeats     the factor by which repeated passes make a round longer
#   needed      the number of rounds that the precision needs
#   max_time_s  the time limit of the run
#   states      the number of states (default: 1). A run ends after a complete set of their orders
sub end_s {
    my (%given) = @_;
    my %at      = (states => 1, %given);
    my $end_s   = _end_of_round_s(%at);
    return $end_s if $at{round} >= UnixBench::Score::StopRule::ROUNDS_LEAST && _is_enough($end_s, %at);
    return end_s(%at, round => $at{round} + 1, now_s => $end_s, ahead_s => $at{round_s}) if _rounds_due(%at);
    return List::Util::min(_limit_s(%at), $end_s + _later_rounds_s($end_s, %at));
}

# Returns the end of the present round. Passes are not repeated if there is hardly time for the rounds that are due.
sub _end_of_round_s {
    my (%at)    = @_;
    my $end_s   = $at{now_s} + $at{ahead_s};
    my $spare_s = _limit_s(%at) - _longest_s(%at) * _rounds_due(%at) - $end_s;
    my $again_s = $at{ahead_s} * ($at{repeats} - 1);
    return $end_s + List::Util::max(0, List::Util::min($again_s, $spare_s));
}

sub _is_enough {
    my ($end_s, %at) = @_;
    return if _until_complete(%at);
    return $at{round} >= $at{needed}
        || $end_s + _least_left_s(%at) > _limit_s(%at);
}

# Takes the end of the present round and the arguments of end_s(); returns the seconds of all rounds after it.
sub _later_rounds_s {
    my ($end_s, %at) = @_;
    my $each_s  = $at{round_s} * $at{repeats} || return 0;
    my $orders  = UnixBench::Plan::Turns::set_size($at{states});
    my $first   = _until_complete(%at);
    my $spare_s = _limit_s(%at) - _least_left_s(%at) - $end_s - $first * $each_s;
    my $sets    = 1 + POSIX::floor($spare_s / ($orders * $each_s));
    my $needed  = _completed($at{needed}, %at) - $at{round};
    return $each_s * List::Util::min($first + $orders * List::Util::max(0, $sets), List::Util::max($first, $needed));
}

# Returns the seconds before the limit at which the last set of orders may begin, see decide() of
# UnixBench::Score::StopRule.
sub _least_left_s {
    my (%at)  = @_;
    my $set_s = UnixBench::Plan::Turns::set_size($at{states}) * _longest_s(%at);
    my $over  = $at{states} > 1 ? UnixBench::Score::StopRule::OVERTIME_MOST * $at{max_time_s} : 0;
    return List::Util::max($set_s / 2, $set_s - $over);
}

# Returns the number of rounds after the present one in which a complete set of orders ends.
sub _until_complete { my (%at) = @_; return _completed($at{round}, %at) - $at{round} }

sub _completed { my ($rounds, %at) = @_; return UnixBench::Plan::Turns::completed_rounds($rounds, $at{states}) }

# Returns for how many rounds, after the present one, repeated passes leave time.
sub _rounds_due {
    my (%at) = @_;
    return List::Util::max(0, _completed(UnixBench::Score::StopRule::ROUNDS_KEPT, %at) - $at{round});
}

sub _longest_s { my (%at) = @_; return List::Util::max(@at{qw(round_s longest_s)}) }
sub _limit_s   { my (%at) = @_; return $at{max_time_s} - UnixBench::Score::StopRule::RESERVE_S }

# Takes a quick run after a complete round, with its indexes, and a precision, see UnixBench::Score::StopRule. Returns
# the number of rounds after which the rule will find that each index, or each ratio of states, has that precision.
# Returns NEVER if it needs at least that many, if nothing is known, or if there are too few rounds so far.
sub rounds_needed {
    my ($run, $precision) = @_;
    return NEVER if $run->{rounds} < ROUNDS_TELLING;
    my @indexes   = grep { @{ $_->{rows} } } UnixBench::Score::StopRule::indexes($run);
    my @estimates = map  { UnixBench::Score::StopRule::estimates($_, $run) } @indexes;
    return NEVER if !@estimates || grep { !$_ || !defined $_->{log_se} } @estimates;
    my ($few, $many) = (UnixBench::Score::StopRule::ROUNDS_TO_REACH - 1, NEVER);
    while ($many - $few > 1) {
        my $rounds    = int(($few + $many) / 2);
        my $is_enough = !grep { _half_width($_, $run->{rounds}, $rounds) > $precision } @estimates;
        ($is_enough ? $many : $few) = $rounds;
    }
    return $many == NEVER ? NEVER : UnixBench::Score::StopRule::next_look($many, 1 + @{ $run->{others} || [] });
}

# Takes an estimate, its number of rounds, and another number of rounds; returns the half-width of its interval after
# the latter. The standard error falls with the square root of the number of rounds, and the degrees of freedom grow
# with it.
sub _half_width {
    my ($estimate, $now, $then) = @_;
    my $log_se = $estimate->{log_se} * sqrt($now / $then);
    return 0 if !$log_se;
    my $df = $estimate->{df} * ($then - 1) / ($now - 1);
    return $log_se * t_quantile(END_OF_INTERVAL, $df);
}

1;
