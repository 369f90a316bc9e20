package UnixBench::Measure::Runner;

# Measures a plan: a run for each number of copies. A run consists of rounds. An official run is a single round, in
# which each test has all its passes. In each round of a quick run each test has one short pass, and rounds follow each
# other until the stop rule ends the run. Before the first round, a short pass of each test warms up; it does not count.
#
# If several states of the machine are measured in turns, each of them has a run of its own, and a lane for each test,
# see UnixBench::Plan::Plan. These runs share their rounds.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::Result       qw(elapsed_s);
use UnixBench::Base::Text         qw(counted);
use UnixBench::Measure::Rounds    ();
use UnixBench::Measure::ValidPass ();
use UnixBench::Noise::Late        ();
use UnixBench::Plan::Plan         ();
use UnixBench::Plan::Test         ();
use UnixBench::Score::Score       ();

# Smaller changes come from services that adjust the time of day.
use constant CLOCK_SET_LEAST_S => 5;

# Takes
#   process    UnixBench::Process::Process
#   clock      UnixBench::Base::Clock
#   one_pass   function that takes a test of the plan and a number of copies and returns the results of the copies
#   cpu_count  number of usable CPUs
#   began_s    time of the clock at which the first run began (default: now)
#   noise      UnixBench::Noise::Watch, which finds disturbances of passes (optional)
#   clock_mhz  see UnixBench::Measure::ValidPass (optional)
#   on         { event => function }, called with the arguments below (each optional)
# For a quick plan, also takes
#   rule         UnixBench::Score::StopRule, for the run of the first state
#   indexes      function that takes tests and returns indexes
#   is_draining  function that returns whether pages are being written to the disk
# The events and their arguments are
#   run_started   run, its UnixBench::Measure::Rounds
#   test_started  test, run
#   pass_started  test, run; not for passes from before a resume
#   pass_done     pass, test, run
#   round_done    run, why it was the last round or undef
#   test_done     test, run
#   run_done      run; not after an interruption
sub new {
    my ($class, @given) = @_;
    return
        bless named(\@given, qw(process clock one_pass cpu_count began_s on noise clock_mhz rule indexes is_draining)),
        $class;
}

# Runs the plan and returns its runs: for each number of copies, those of all states. After an interruption, returns the
# runs that were begun. A run is { copies, started, ended, cpu_count, tests, number (from 0), state }, in a quick run
# also { rounds (their number), indexes }. The run of the first state also has others, [the runs of the others]. If the
# time of day was set during the run, clock_set_s says by how many seconds. Passes from before a resume are not measured
# again. They are in kept, with an item for each of the first runs:
#   [{ started, ended, clock_set_s, passes => { name of test => [pass, ...] } }, ...]
sub run {
    my ($self, $plan, $kept) = @_;
    my @runs;
    for my $number (0 .. $#{ $plan->{copies} }) {
        last if $self->{process}->interrupted;
        push @runs, $self->_runs_of($self->_course($plan, $number, $kept || []));
    }
    return @runs;
}

# Takes the number of finished passes and a test that was interrupted; returns the status and the reason of the test.
sub interrupted_after {
    my ($finished, $test) = @_;
    my $wanted = $test->{passes_wanted} // return (interrupted => 'interrupted before its first pass');
    return (interrupted => "interrupted after $finished of " . counted($wanted, 'pass', 'passes'));
}

# Makes the runs of a number of copies, and returns them.
sub _runs_of {
    my ($self, $course) = @_;
    my ($plan, $runs)   = @$course{qw(plan runs)};
    my $ahead_s = $self->{clock}->wall_ahead_s;
    $self->_tell(run_started => $_, $course->{watch}) for @$runs;
    $self->_rest($plan);
    $course->{left} = [map { $self->_warmed_up($course, $_) } @{ $course->{left} }];
    do {
        $self->_round($course);
        $self->{noise}->round_ends if $self->{noise};
    } while (!$self->_is_over($course));
    $self->_end($course, $_, $self->{clock}->wall_ahead_s - $ahead_s) for @$runs;
    return @$runs;
}

# Ends a run. Takes the seconds by which the time of day was set during it.
sub _end {
    my ($self, $course, $run, $set_s) = @_;
    my $plan = $course->{plan};
    my $kept = $course->{kept}[$run->{state}];
    @{ $run->{tests} } = _as_asked($plan, $run->{tests});
    $self->_mark_long($plan, $run) if $plan->{quick};
    $self->_close($course, $_) for @{ $run->{tests} };
    $set_s              = $kept->{clock_set_s} // (defined $kept->{ended} ? 0 : $set_s);
    $run->{clock_set_s} = $set_s if abs $set_s >= CLOCK_SET_LEAST_S;
    $run->{ended}       = $kept->{ended} // $self->{clock}->wall_s;
    $self->_tell(run_done => $run) if !$self->{process}->interrupted;
    return;
}

# Takes a plan and tests; returns the tests in the order of the plan. In rounds they begin in random order.
sub _as_asked {
    my ($plan, $tests) = @_;
    my %begun = map { $_->{name} => $_ } @$tests;
    return grep { defined } map { $begun{ $_->{name} } } @{ $plan->{tests} };
}

# Returns the course of the runs of a number of copies:
#   plan, runs  the plan and the run of each state
#   maker       UnixBench::Measure::ValidPass
#   watch       UnixBench::Measure::Rounds
#   left        [lanes that still have passes to come]
#   ahead       [lanes that still come in this round]; set later
#   tests       { lane => test } of the tests that were begun
#   kept        [what was kept from before a resume, of each state]. Passes are removed when they are reported
#   ended       the time at which the runs ended before a resume, or undef
#   closed      { lane => whether the test is done }
#   is_cut      whether the time ended within a round; set later
sub _course {
    my ($self, $plan, $number, $kept) = @_;
    my @states  = 0 .. $#{ $plan->{states} };
    my @kept    = map { _kept_of($kept->[$number * @states + $_]) } @states;
    my $now     = $self->{clock}->wall_s;
    my @runs    = map { $self->_new_run($plan, $number, $_, $kept[$_]{started} // $now) } @states;
    my @lanes   = UnixBench::Plan::Plan::lanes($plan);
    my @quick   = $plan->{quick} ? (seed => $plan->{quick}{seed}, run => $number) : ();
    my $watch   = UnixBench::Measure::Rounds->new(clock => $self->{clock}, lanes => \@lanes, @quick);
    my $began_s = delete $self->{began_s};
    $watch->add($self->{clock}->monotonic_s - $began_s) if defined $began_s;
    $runs[0]{others} = [@runs[1 .. $#runs]] if @runs > 1;
    return {
        plan  => $plan,
        runs  => \@runs,
        maker => UnixBench::Measure::ValidPass->new(
            settle_s => $plan->{settle_s},
            forget   => sub { $watch->forget(@_) },
            map { $_ => $self->{$_} } qw(process clock one_pass noise is_draining clock_mhz)
        ),
        watch  => $watch,
        left   => \@lanes,
        tests  => {},
        ended  => List::Util::first(sub { defined }, map { $_->{ended} } @kept),
        closed => {},
        kept   => \@kept,
    };
}

sub _kept_of {
    my ($kept) = @_;
    my $passes = $kept ? $kept->{passes} : {};
    return { %{ $kept || {} }, passes => { map { $_ => [@{ $passes->{$_} }] } keys %$passes } };
}

sub _new_run {
    my ($self, $plan, $number, $state, $started) = @_;
    return {
        number    => $number * @{ $plan->{states} } + $state,
        state     => $state,
        copies    => $plan->{copies}[$number],
        started   => $started,
        cpu_count => $self->{cpu_count},
        tests     => [],
        $plan->{quick} ? (rounds => 0, indexes => []) : (),
    };
}

# Returns [the passes of a lane from before a resume that were not yet reported].
sub _kept_passes {
    my ($course, $lane) = @_;
    return $course->{kept}[$lane->{state}]{passes}{ $lane->{name} } || [];
}

sub _run_of {
    my ($course, $lane) = @_;
    return $course->{runs}[$lane->{state}];
}

sub _rest {
    my ($self, $plan) = @_;
    return if !$plan->{rest_s};
    $self->{noise}->rest_begins if $self->{noise};
    return $self->{process}->pause($plan->{rest_s});
}

# Makes the warm-up pass of a lane that has one. Returns the lane as it is measured from then on, or nothing if its
# copies were ended by a signal, or ran out of time. Any other error may be due to the short time; if not, the first
# pass will have it, too.
sub _warmed_up {
    my ($self, $course, $lane) = @_;
    my $copies  = $course->{runs}[0]{copies};
    my $planned = $lane->{warm_up};
    return $lane if !$planned || defined $course->{ended} || $self->{process}->interrupted;
    return $lane if defined UnixBench::Plan::Plan::skipped($lane, $copies);
    $planned = { %$planned, map { $_ => $lane->{$_} } qw(lane state) };
    my $pass = $course->{maker}->warm_up($planned, $copies) or return $lane;
    return UnixBench::Plan::Test::calibrated($lane, $pass) if !defined $pass->{error};
    return $lane if !$pass->{is_hopeless};
    my $test = $self->_test_of($course, $lane);
    $self->_close($course, $test, failed => "$pass->{error} ($pass->{where})");
    return;
}

sub _round {
    my ($self, $course) = @_;
    my @turns = $course->{watch}->begin_round(@{ $course->{left} });
    $course->{left} = [];
    while (!$self->{process}->interrupted && @turns) {
        return $course->{is_cut} = 1 if $self->_is_over_before($course, $turns[0]);
        my $planned = shift @turns;
        $course->{ahead} = \@turns;
        my $next = $self->_turn($course, $planned);
        push @{ $course->{left} }, $next if $next;
    }
    return $course->{watch}->end_round;
}

# Returns whether a short pass of the test would end after the time limit of the quick run. The first rounds are made in
# any case. A run that had ended before a resume has no further passes.
sub _is_over_before {
    my ($self, $course, $planned) = @_;
    my ($plan, $run) = ($course->{plan}, _run_of($course, $planned));
    return if !$plan->{quick} || @{ _kept_passes($course, $planned) };
    return if defined UnixBench::Plan::Plan::skipped($planned, $run->{copies});
    return 1 if defined $course->{ended};
    return if $run->{rounds} < UnixBench::Plan::Plan::rounds_least($plan);
    my $watch = $course->{watch};
    my @pass  = ($watch->elapsed_s, $watch->short_passes_s($planned));
    return !$self->{rule}->has_time_for($run->{copies}, @pass, scalar @{ $plan->{states} });
}

# Ends the round; returns whether it was the last one.
sub _is_over {
    my ($self, $course) = @_;
    my ($plan, $runs)   = @$course{qw(plan runs)};
    return 1 if !$plan->{quick} || $self->{process}->interrupted;
    for my $run (@$runs) {
        $run->{rounds}++ if !$course->{is_cut};
        $run->{indexes} = $self->{indexes}->($run->{tests});
    }
    my $why = $self->_why_over($course);
    $self->_tell(round_done => $runs->[0], $why);
    return defined $why;
}

sub _why_over {
    my ($self, $course) = @_;
    my ($runs, $watch, $left) = @$course{qw(runs watch left)};
    return 'time' if $course->{is_cut};
    return 'failed' if !@$left;
    return if grep { @{ _kept_passes($course, $_) } } @$left;
    return 'kept' if defined $course->{ended};
    return $self->{rule}->decide($runs->[0], $watch->elapsed_s, $watch->longest_s);
}

# Makes the passes of a test in this round. Returns the test of the plan for the next round, or nothing if the test is
# done.
sub _turn {
    my ($self, $course, $planned) = @_;
    my $run     = _run_of($course, $planned);
    my $test    = $self->_test_of($course, $planned);
    my $why_not = UnixBench::Plan::Plan::skipped($planned, $run->{copies});
    return $self->_close($course, $test, skipped => $why_not) if defined $why_not;
    $test->{command} = $planned->{command};    # of the next passes
    while (@{ $test->{passes} } < ($planned->{passes_wanted} // $run->{rounds} + 1)) {
        my $pass = $self->_kept_pass($course, $planned) || $self->_pass($course, $planned, $test)
            or return $self->_interrupt($course, $test);
        $self->_tell(pass_done => $pass, $test, $run);    # dies if the pass can't be written to the disk
        push @{ $test->{passes} }, $pass;
        return $self->_close($course, $test, failed => "$pass->{error} ($pass->{where})") if defined $pass->{error};
        $planned = UnixBench::Plan::Test::calibrated($planned, $pass);
    }
    $self->_mark_long($course->{plan}, { tests => [$test] }) if !$course->{plan}{quick};
    %$test = (%$test, status => 'measured', %{ _score($course, $test) });
    return $course->{plan}{quick} ? $planned : $self->_close($course, $test);
}

# Takes the plan and a run. Marks the passes of tests that take their own time, if they took far longer than the others.
sub _mark_long {
    my ($self, $plan, $run) = @_;
    return if !$self->{noise};
    my %asked = map { $_->{name} => $_->{asked} } @{ $plan->{tests} };
    UnixBench::Noise::Late::mark_long($_->{passes})
        for grep { UnixBench::Noise::Late::takes_own_time($asked{ $_->{name} }) } @{ $run->{tests} };
    return;
}

# Returns the test of a lane, which begins now if it has not begun.
sub _test_of {
    my ($self, $course, $lane) = @_;
    my $tests = $course->{tests};
    return $tests->{ $lane->{lane} } if $tests->{ $lane->{lane} };
    my $run  = _run_of($course, $lane);
    my @keys = qw(name title category command passes_wanted lane state);
    my $test = $tests->{ $lane->{lane} } = { (map { $_ => $lane->{$_} } @keys), passes => [] };
    push @{ $run->{tests} }, $test;
    $self->_tell(test_started => $test, $run);
    return $test;
}

# Closes a test after an interruption, unless it has a score. In a quick run each short pass is enough for a score, in
# an official run only all passes together.
sub _interrupt {
    my ($self, $course, $test) = @_;
    return if $test->{status};
    return $self->_close($course, $test, interrupted_after(scalar @{ $test->{passes} }, $test));
}

# Ends a test, with status and reason if it has no score.
sub _close {
    my ($self, $course, $test, @why_not) = @_;
    return if $course->{closed}{ $test->{lane} }++;
    @$test{qw(status reason)} = @why_not if @why_not;
    delete @$test{qw(score unit time_s samples dropped kept)} if @why_not;
    $self->_tell(test_done => $test, _run_of($course, $test));
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
    my ($self, $course, $lane) = @_;
    my $pass    = shift @{ _kept_passes($course, $lane) } or return;
    my $aside_s = List::Util::sum(0, map { $_->{time_s} // 0 } @{ $pass->{set_aside} || [] });
    $course->{watch}->add($aside_s + elapsed_s($pass));
    $course->{watch}->leave_out($aside_s);
    return $pass;
}

sub _pass {
    my ($self, $course, $planned, $test) = @_;
    my $run = _run_of($course, $planned);
    $self->_tell(pass_started => $test, $run);
    my @make = ($planned, @{ $test->{passes} } + 1, $run->{copies});
    return $course->{maker}->make(@make) if !$course->{plan}{quick};
    my $ended = $course->{watch}->begin_short_pass($planned);
    my $pass  = $course->{maker}->make(@make, $self->_repeats($course, $planned, $ended));
    $ended->();
    return $pass;
}

# Takes ended, a function that has to be called when a short pass has ended. Returns a function that calls it, and that
# returns whether the short pass may be repeated. If so, the time of this pass does not count for the length of the
# round.
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
    my $watch = $course->{watch};
    my $run   = _run_of($course, $planned);
    my ($round, $ahead) = map {
        [grep { !defined UnixBench::Plan::Plan::skipped($_, $run->{copies}) } @$_]
    } [$watch->lanes], $course->{ahead};
    my @time = ($run->{copies}, $watch->elapsed_s, $watch->short_passes_s($planned, @$ahead));
    return if !$self->{rule}->has_time_for(@time);
    return $self->{rule}->may_repeat(
        elapsed_s => $watch->elapsed_s,
        pass_s    => UnixBench::Plan::Plan::short_passes_s($planned),
        ahead_s   => UnixBench::Plan::Plan::short_passes_s(@$ahead),
        round_s   => List::Util::max(UnixBench::Plan::Plan::short_passes_s(@$round), $watch->longest_s),
        round     => $run->{rounds} + 1,
        @{ $course->{runs} } > 1 ? (states => scalar @{ $course->{runs} }) : (),
    );
}

sub _tell {
    my ($self, $event, @what) = @_;
    $self->{on}{$event}->(@what) if $self->{on}{$event};
    return;
}

1;
