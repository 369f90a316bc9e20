package UnixBench::Measure::Runner;

# Measures a plan: for each number of copies each test, for each test its passes. A run consists of rounds. An official
# run is a single round, in which each test has all of its passes. In each round of a quick run each test has one short
# pass, and there is another round until the stop rule ends the run.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::Format       qw(counted);
use UnixBench::Measure::Shuffle   ();
use UnixBench::Measure::Stopwatch ();
use UnixBench::Measure::ValidPass ();
use UnixBench::Plan::Plan         ();
use UnixBench::Score::Score       ();

# Smaller changes come from services that adjust the time of day.
use constant CLOCK_SET_LEAST_S => 5;

use constant OUT_OF_TIME => 'interrupted: the time (--max-time) was over before its first pass';

# Takes process => UnixBench::Process::Process, clock => UnixBench::Base::Clock, one_pass => function that takes a test
# of the plan and a number of copies and returns the results of the copies, cpu_count, perhaps began_s, the time on the
# clock at which the first run began, and functions to call as things happen: on => { run_started => (run, its
# UnixBench::Measure::Stopwatch), test_started => (test, run), pass_started => (test, run), pass_done => (pass, test,
# run), round_done => (run, why it was the last or undef), test_done => (test, run), run_done => (run) }; run_done is
# not called for a run that was interrupted, and pass_started not for passes that were measured before. Perhaps noise =>
# UnixBench::Noise::Watch, which notes what disturbed a pass. For a quick plan rule => UnixBench::Score::StopRule,
# indexes => function from tests to indexes, is_draining => function that returns whether pages are being written to the
# disk, and is_strict, whether the rule's time limit holds for short passes, too.
sub new {
    my ($class, @given) = @_;
    return
        bless named(\@given, qw(process clock one_pass cpu_count began_s on noise rule indexes is_draining is_strict)),
        $class;
}

# Runs the plan and returns its runs, each { copies, started, ended, cpu_count, tests }, a quick one with rounds, their
# number, and one during which the time of day was set with clock_set_s, by how many seconds; after an interruption,
# returns those that were begun. Passes that were measured before are not measured again: kept => [{ started, ended,
# clock_set_s, passes => { name of test => [pass, ...] } }, ...] for the first of the runs.
sub run {
    my ($self, $plan, $kept) = @_;
    my ($number, @runs) = (0);
    for my $copies (@{ $plan->{copies} }) {
        last if $self->{process}->interrupted;
        $self->{order} = UnixBench::Measure::Shuffle->new(seed => $plan->{quick}{seed}, run => $number)
            if $plan->{quick};
        push @runs, $self->_run($plan, $copies, $kept->[$number++] || { passes => {} });
    }
    return @runs;
}

# Takes the number of finished passes and a test; returns status and reason of that test.
sub interrupted_after {
    my ($finished, $test) = @_;
    my $wanted = $test->{passes_wanted} // return (interrupted => 'interrupted before its first pass');
    return (interrupted => "interrupted after $finished of " . counted($wanted, 'pass', 'passes'));
}

sub _run {
    my ($self, $plan, $copies, $kept) = @_;
    my $run = {
        copies    => $copies,
        started   => $kept->{started} // $self->{clock}->wall_s,
        cpu_count => $self->{cpu_count},
        tests     => [],
        $plan->{quick} ? (rounds => 0, indexes => []) : (),
    };
    my $course  = $self->_course($plan, $run, $kept);
    my $ahead_s = $self->_wall_ahead_s;
    $self->_tell(run_started => $run, $course->{watch});
    $self->_rest($plan);
    do { $self->_round($course) } while !$self->_is_over($course);
    @{ $run->{tests} } = _as_asked($plan, $run->{tests});
    $self->_close($course, $_) for @{ $run->{tests} };
    my $set_s = $kept->{clock_set_s} // (defined $kept->{ended} ? 0 : $self->_wall_ahead_s - $ahead_s);
    $run->{clock_set_s} = $set_s if abs $set_s >= CLOCK_SET_LEAST_S;
    $run->{ended}       = $kept->{ended} // $self->{clock}->wall_s;
    $self->_tell(run_done => $run) if !$self->{process}->interrupted;
    return $run;
}

# See UnixBench::Base::Clock; a constant for a clock that does not know it.
sub _wall_ahead_s {
    my ($self) = @_;
    return $self->{clock}->can('wall_ahead_s') ? $self->{clock}->wall_ahead_s : 0;
}

# Returns the tests of a run in the order of the plan: in rounds they begin in any order.
sub _as_asked {
    my ($plan, $tests) = @_;
    my %begun = map { $_->{name} => $_ } @$tests;
    return grep { defined } map { $begun{ $_->{name} } } @{ $plan->{tests} };
}

# Returns a run under way: left, the tests of the plan that still have passes to come; ahead, those of them that come in
# this round; tests, those begun, by name; and for each of these kept, the passes measured before and not yet reported,
# and closed, whether it is done; took, the seconds of its longest short pass; is_cut, whether the time ended within a
# round.
sub _course {
    my ($self, $plan, $run, $kept) = @_;
    my $watch   = UnixBench::Measure::Stopwatch->new(clock => $self->{clock});
    my $began_s = delete $self->{began_s};
    $watch->add($self->{clock}->monotonic_s - $began_s) if defined $began_s;
    return {
        plan  => $plan,
        run   => $run,
        maker => UnixBench::Measure::ValidPass->new(
            settle_s => $plan->{settle_s},
            forget   => sub { $watch->forget(@_) },
            map { $_ => $self->{$_} } qw(process clock one_pass noise is_draining)
        ),
        watch  => $watch,
        left   => [@{ $plan->{tests} }],
        tests  => {},
        ended  => $kept->{ended},
        closed => {},
        took   => {},
        kept   => { map { $_ => [@{ $kept->{passes}{$_} }] } keys %{ $kept->{passes} } },
    };
}

sub _rest {
    my ($self, $plan) = @_;
    return if !$plan->{rest_s};
    $self->{noise}->rest_begins if $self->{noise};
    return $self->{process}->pause($plan->{rest_s});
}

sub _round {
    my ($self, $course) = @_;
    my @turns = $course->{plan}{quick} ? $self->{order}->of_round(@{ $course->{left} }) : @{ $course->{left} };
    $course->{left} = [];
    $course->{watch}->begin_round;
    while (!$self->{process}->interrupted && @turns) {
        return $self->_cut($course, @turns) if $self->_is_over_before($course, $turns[0]);
        my $planned = shift @turns;
        $course->{ahead} = \@turns;
        my $next = $self->_turn($course, $planned);
        push @{ $course->{left} }, $next if $next;
    }
    return $course->{watch}->end_round;
}

# Returns whether the time of a quick run ends before a short pass of a test would. A run that had ended before gets no
# further passes.
sub _is_over_before {
    my ($self, $course, $planned) = @_;
    my ($plan, $run) = @$course{qw(plan run)};
    return if !$plan->{quick} || !$self->{is_strict} || @{ $course->{kept}{ $planned->{name} } || [] };
    return if defined UnixBench::Plan::Plan::skipped($planned, $run->{copies});
    return 1 if defined $course->{ended};
    return !$self->{rule}->has_time_for($run->{copies}, $course->{watch}->elapsed_s, _short_pass_s($course, $planned));
}

# Returns the seconds of a short pass of each of these tests: as planned or, if that is more, as the longest so far. A
# test without one so far takes longer than planned by the same factor as the others.
sub _short_pass_s {
    my ($course, @planned) = @_;
    my $took      = $course->{took};
    my @made      = grep { defined $took->{ $_->{name} } } @{ $course->{plan}{tests} };
    my $planned_s = UnixBench::Plan::Plan::short_passes_s(@made);
    my $longer = $planned_s ? List::Util::max(1, List::Util::sum(map { $took->{ $_->{name} } } @made) / $planned_s) : 1;
    my $seconds = 0;
    for my $test (@planned) {
        my $short_s = UnixBench::Plan::Plan::short_passes_s($test);
        $seconds += List::Util::max($short_s, $took->{ $test->{name} } // $short_s * $longer);
    }
    return $seconds;
}

# The time is over: these tests have no short pass in this round.
sub _cut {
    my ($self, $course, @turns) = @_;
    $course->{is_cut} = 1;
    for my $planned (@turns) {
        next if $course->{tests}{ $planned->{name} };
        my $test = $course->{tests}{ $planned->{name} } = $self->_begin($course->{run}, $planned);
        $self->_close($course, $test, interrupted => OUT_OF_TIME);
    }
    return;
}

# Returns whether the round was the last.
sub _is_over {
    my ($self, $course) = @_;
    my ($plan, $run)    = @$course{qw(plan run)};
    return 1 if !$plan->{quick} || $self->{process}->interrupted;
    $run->{rounds}++ if !$course->{is_cut};
    $run->{indexes} = $self->{indexes}->($run->{tests});
    my $why = $self->_why_over($course);
    $self->_tell(round_done => $run, $why);
    return defined $why;
}

sub _why_over {
    my ($self, $course) = @_;
    my ($run, $watch, $left) = @$course{qw(run watch left)};
    return 'time' if $course->{is_cut};
    return 'failed' if !@$left;
    return if grep { @{ $course->{kept}{ $_->{name} } || [] } } @$left;
    return 'kept' if defined $course->{ended};
    return $self->{rule}->decide($run, $watch->elapsed_s, $watch->longest_s);
}

# Makes the passes of a test in a round. Returns the test as it is measured in the next round, or nothing if it is done.
sub _turn {
    my ($self, $course, $planned) = @_;
    my $run     = $course->{run};
    my $test    = $course->{tests}{ $planned->{name} } ||= $self->_begin($run, $planned);
    my $why_not = UnixBench::Plan::Plan::skipped($planned, $run->{copies});
    return $self->_close($course, $test, skipped => $why_not) if defined $why_not;
    $test->{command} = $planned->{command};    # of the passes to come
    while (@{ $test->{passes} } < ($planned->{passes_wanted} // $run->{rounds} + 1)) {
        my $pass = $self->_kept_pass($course, $test) || $self->_pass($course, $planned, $test)
            or return $self->_interrupt($course, $test);
        $self->_tell(pass_done => $pass, $test, $run);    # dies when it can't be kept
        push @{ $test->{passes} }, $pass;
        return $self->_close($course, $test, failed => "$pass->{error} ($pass->{where})") if defined $pass->{error};
        $planned = UnixBench::Plan::Plan::calibrated($planned, $pass);
    }
    %$test = (%$test, status => 'measured', %{ _score($course, $test) });
    return $course->{plan}{quick} ? $planned : $self->_close($course, $test);
}

sub _begin {
    my ($self, $run, $planned) = @_;
    my $test = { (map { $_ => $planned->{$_} } qw(name title category command passes_wanted)), passes => [] };
    push @{ $run->{tests} }, $test;
    $self->_tell(test_started => $test, $run);
    return $test;
}

# In a quick run each short pass counts for the score, in an official one only all passes together.
sub _interrupt {
    my ($self, $course, $test) = @_;
    return if $test->{status};
    return $self->_close($course, $test, interrupted_after(scalar @{ $test->{passes} }, $test));
}

# Ends a test, with status and reason if it has no score.
sub _close {
    my ($self, $course, $test, @why_not) = @_;
    return if $course->{closed}{ $test->{name} }++;
    @$test{qw(status reason)} = @why_not if @why_not;
    delete @$test{qw(score unit time_s samples dropped kept)} if @why_not;
    $self->_tell(test_done => $test, $course->{run});
    return;
}

sub _score {
    my ($course, $test) = @_;
    my $passes = $test->{passes};
    return $course->{plan}{quick}
        ? UnixBench::Score::Score::test_of_rounds($passes)
        : UnixBench::Score::Score::test($passes);
}

sub _kept_pass {
    my ($self, $course, $test) = @_;
    my $pass    = shift @{ $course->{kept}{ $test->{name} } || [] } or return;
    my $aside_s = List::Util::sum(0, map { $_->{time_s} // 0 } @{ $pass->{set_aside} || [] });
    $course->{watch}->add($aside_s + List::Util::max(0, map { $_->{elapsed_s} } @{ $pass->{copies} }));
    $course->{watch}->leave_out($aside_s);
    return $pass;
}

sub _pass {
    my ($self, $course, $planned, $test) = @_;
    $self->_tell(pass_started => $test, $course->{run});
    my @make = ($planned, @{ $test->{passes} } + 1, $course->{run}{copies});
    return $course->{maker}->make(@make) if !$course->{plan}{quick};
    my ($watch, $began_s) = ($course->{watch}, $course->{watch}->elapsed_s);
    my $ended = sub { $self->_note_length($course, $planned, \$began_s) };
    my $pass  = $course->{maker}->make(@make, $self->_repeats($course, $planned, $ended));
    $ended->();
    return $pass;
}

# Notes the length of a short pass that has ended; the next one begins.
sub _note_length {
    my ($self, $course, $planned, $began_s) = @_;
    my ($name, $now_s) = ($planned->{name}, $course->{watch}->elapsed_s);
    $course->{took}{$name} = List::Util::max($course->{took}{$name} // 0, $now_s - $$began_s);
    $$began_s = $now_s;
    return;
}

# Returns a function that returns whether the last short pass may be repeated; then its time does not count for the
# length of the round. It calls ended() first, since the pass has ended.
sub _repeats {
    my ($self, $course, $planned, $ended) = @_;
    my $watch   = $course->{watch};
    my $began_s = $watch->elapsed_s;
    return sub {
        $ended->();
        return if !$self->_may_repeat($course, $planned);
        my $now_s = $watch->elapsed_s;
        $watch->leave_out($now_s - $began_s);
        $began_s = $now_s;
        return 1;
    };
}

sub _may_repeat {
    my ($self, $course, $planned) = @_;
    my ($plan, $run, $watch)      = @$course{qw(plan run watch)};
    my @ahead = grep { !defined UnixBench::Plan::Plan::skipped($_, $run->{copies}) } @{ $course->{ahead} };
    my @time  = ($run->{copies}, $watch->elapsed_s, _short_pass_s($course, $planned, @ahead));
    return if $self->{is_strict} && !$self->{rule}->has_time_for(@time);
    return $self->{rule}->may_repeat(
        elapsed_s => $watch->elapsed_s,
        pass_s    => UnixBench::Plan::Plan::short_passes_s($planned),
        ahead_s   => UnixBench::Plan::Plan::short_passes_s(@ahead),
        round_s   => List::Util::max(UnixBench::Plan::Plan::round_s($plan, $run->{copies}), $watch->longest_s),
        round     => $run->{rounds} + 1,
    );
}

sub _tell {
    my ($self, $event, @what) = @_;
    $self->{on}{$event}->(@what) if $self->{on}{$event};
    return;
}

1;
