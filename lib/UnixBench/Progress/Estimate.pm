package UnixBench::Progress::Estimate;

# Estimates how long the rest of a measurement takes. An official run makes all of its passes. A quick run makes as many
# rounds as its time allows, or until it is precise enough, if those are fewer. Events are reported to it in the words
# of UnixBench::Measure::Runner.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Plan::Plan      ();
use UnixBench::Score::Spread   ();
use UnixBench::Score::Stats    qw(median t_quantile);
use UnixBench::Score::StopRule ();

use constant {
    REMEMBERED      => 0.9,          # of the weight of earlier disturbances, at each short pass
    NEVER           => 1_000_000,    # rounds
    ROUNDS_TELLING  => 4,            # the spread of fewer rounds is too uncertain
    END_OF_INTERVAL => 0.975,
};

# Takes plan, see UnixBench::Plan::Plan, and perhaps is_decided, see UnixBench::Score::StopRule. Starting a short pass
# takes some milliseconds; starting an official one also writes buffers to the disk.
sub new {
    my ($class, @given) = @_;
    my $given    = named(\@given, qw(plan is_decided));
    my $plan     = $given->{plan};
    my $before_s = $plan->{quick} ? 0 : List::Util::sum(UnixBench::Plan::Plan::START_S, @{ $plan->{settle_s} });
    return bless {
        is_decided => sub { 1 },
        %$given,
        copies    => [@{ $plan->{copies} }],
        left      => {},
        planned_s => { map { $_->{name} => $before_s + $_->{pass_s} } @{ $plan->{tests} } },
        took_s    => {},
        before_s  => {},
        all_s     => 0,
        once_s    => 0,
    }, $class;
}

# A run begins, with its UnixBench::Measure::Stopwatch. The times of the last run count until there are new ones.
sub run_started {
    my ($self, $run, $watch) = @_;
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
    $self->{left}{ $test->{name} } = $self->{plan}{quick} ? 0 : $test->{passes_wanted} - $pass->{number};
    my $began_s = delete $self->{began_s} // return;    # measured before
    $self->_note_time($test->{name}, $self->{watch}->elapsed_s - $began_s, 1 + @{ $pass->{set_aside} || [] })
        if !defined $pass->{error};
    return;
}

sub test_done {
    my ($self, $test) = @_;
    delete $self->{left}{ $test->{name} };
    return;
}

sub round_done {
    my ($self, $run) = @_;
    my $is_open = !$self->{is_decided}->($run);
    $_ = 1 for values %{ $self->{left} };
    $self->{rounds} = $run->{rounds};
    $self->{needed} =
        $is_open ? NEVER : rounds_needed($run, $self->{plan}{quick}{precision});
    return;
}

# Returns the seconds until the rest of all runs is measured, and observed, if no pass is under way.
sub left_s {
    my ($self) = @_;
    my $observing_s = UnixBench::Plan::Plan::observing_s_of_all($self->{plan});
    return List::Util::sum($observing_s, $self->_rest_s, map { $self->_run_s($_) } @{ $self->{copies} });
}

# Returns the seconds of the rest of the run that is under way.
sub _rest_s {
    my ($self) = @_;
    my $left = $self->{left};
    return $self->_passes_s($left) if !$self->{plan}{quick};
    return 0 if !%$left;
    my ($watch, $now_s) = ($self->{watch}, $self->{watch}->elapsed_s);
    my %at = (round => $self->{rounds} + 1, longest_s => $watch->longest_s, needed => $self->{needed});
    return $self->_end_s($left, %at, now_s => $now_s) - $now_s;
}

# Returns the seconds of a run that has not begun.
sub _run_s {
    my ($self, $copies) = @_;
    my $left = $self->_passes($copies);
    return $self->_passes_s($left) if !$self->{plan}{quick};
    my $rest_s = $self->{plan}{rest_s};
    return $rest_s if !%$left;
    return $self->_end_s($left, now_s => $rest_s, round => 1, longest_s => 0, needed => NEVER);
}

# Takes { name => passes left in this round } of a quick run; returns when its last round ends, in seconds since its
# start.
sub _end_s {
    my ($self, $left, %at) = @_;
    return end_s(
        %at,
        max_time_s => $self->{plan}{quick}{max_time_s},
        round_s    => $self->_passes_s({ map { $_ => 1 } keys %$left }),
        ahead_s    => $self->_passes_s($left),
        repeats    => $self->{once_s} > 0 ? $self->{all_s} / $self->{once_s} : 1,
    );
}

# Returns { name => passes } of a run, of a round of a quick one.
sub _passes {
    my ($self, $copies) = @_;
    my @tests = UnixBench::Plan::Plan::measured($self->{plan}, $copies);
    return { map { $_->{name} => $self->{plan}{quick} ? 1 : $_->{passes_wanted} } @tests };
}

# Takes { name => passes }; returns their seconds if none is repeated.
sub _passes_s {
    my ($self, $passes) = @_;
    return List::Util::sum(0, map { $passes->{$_} * $self->_pass_s($_) } sort keys %$passes);
}

# Returns the seconds of a pass of a test, with the pauses before it: the median so far, which a single suspended pass
# hardly affects, or as planned.
sub _pass_s {
    my ($self, $name) = @_;
    my $took_s = $self->{took_s}{$name};
    return $took_s ? median(@$took_s) : $self->{before_s}{$name} // $self->{planned_s}{$name};
}

# Notes the seconds that a pass and its repetitions took, and how often it was made.
sub _note_time {
    my ($self, $name, $all_s, $times) = @_;
    push @{ $self->{took_s}{$name} }, $all_s / $times;
    $self->{all_s}  = $all_s + REMEMBERED * $self->{all_s};
    $self->{once_s} = $all_s / $times + REMEMBERED * $self->{once_s};
    return;
}

# Takes round, the number of a round; now_s; ahead_s, the seconds of its rest; round_s, those of a whole round;
# longest_s, those of the longest so far; repeats, the factor by which repeated passes make rounds longer; needed, the
# number of rounds that it takes to be precise; and max_time_s, the limit of the run. Returns when the last round ends.
sub end_s {
    my (%at) = @_;
    my $end_s = _end_of_round_s(%at);
    return $end_s if $at{round} >= UnixBench::Plan::Plan::ROUNDS_LEAST && _is_enough($end_s, %at);
    return end_s(%at, round => $at{round} + 1, now_s => $end_s, ahead_s => $at{round_s}) if _rounds_due(%at);
    return List::Util::min(_limit_s(%at), $end_s + _later_rounds_s($end_s, %at));
}

# No pass is repeated if there is hardly time for the rounds that are due.
sub _end_of_round_s {
    my (%at)    = @_;
    my $end_s   = $at{now_s} + $at{ahead_s};
    my $spare_s = _limit_s(%at) - _longest_s(%at) * _rounds_due(%at) - $end_s;
    my $again_s = $at{ahead_s} * ($at{repeats} - 1);
    return $end_s + List::Util::max(0, List::Util::min($again_s, $spare_s));
}

sub _is_enough {
    my ($end_s, %at) = @_;
    return $at{round} >= $at{needed} || $end_s + _longest_s(%at) > _limit_s(%at);
}

# Returns the seconds of the rounds after those that are due.
sub _later_rounds_s {
    my ($end_s, %at) = @_;
    my $each_s = $at{round_s} * $at{repeats} || return 0;
    my $rounds = 1 + int((_limit_s(%at) - _longest_s(%at) - $end_s) / $each_s);
    return $each_s * List::Util::min($rounds, $at{needed} - $at{round});
}

sub _rounds_due { my (%at) = @_; return List::Util::max(0, UnixBench::Score::StopRule::ROUNDS_TO_REACH - $at{round}) }
sub _longest_s  { my (%at) = @_; return List::Util::max(@at{qw(round_s longest_s)}) }
sub _limit_s    { my (%at) = @_; return $at{max_time_s} - UnixBench::Score::StopRule::RESERVE_S }

# Takes a quick run after a whole round, with its indexes, and a precision, see UnixBench::Score::StopRule; returns the
# number of rounds after which each index will be that precise. Returns NEVER if it takes as many, if nothing is known,
# and if there are too few rounds so far.
sub rounds_needed {
    my ($run, $precision) = @_;
    return NEVER if $run->{rounds} < ROUNDS_TELLING;
    my @indexes   = grep { @{ $_->{rows} } } UnixBench::Score::StopRule::indexes($run);
    my @estimates = map  { UnixBench::Score::Spread::of_index($_, $run)->{estimate} } @indexes;
    return NEVER if !@estimates || grep { !defined $_->{log_se} } @estimates;
    my ($few, $many) = (UnixBench::Score::StopRule::ROUNDS_TO_REACH - 1, NEVER);
    while ($many - $few > 1) {
        my $rounds    = int(($few + $many) / 2);
        my $is_enough = !grep { _half_width($_, $run->{rounds}, $rounds) > $precision } @estimates;
        ($is_enough ? $many : $few) = $rounds;
    }
    return $many;
}

# Returns the half-width of the interval after a number of rounds like those so far: the standard error falls with the
# root of the number, and the degrees of freedom grow with it.
sub _half_width {
    my ($estimate, $now, $then) = @_;
    my $log_se = $estimate->{log_se} * sqrt($now / $then);
    return 0 if !$log_se;
    my $df = $estimate->{df} * ($then - 1) / ($now - 1);
    return $log_se * t_quantile(END_OF_INTERVAL, $df);
}

1;
