package UnixBench::Measure::Runner;

# Measures a plan: a run for each number of copies. A run consists of rounds. An official run is a single round, in
# which each test has all its passes. In each round of a quick run each test has one short pass, and rounds follow each
# other until the stop rule ends the run.

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
#   on         { event => function }, called with the arguments below (each optional)
# For a quick plan, also takes
#   rule         UnixBench::Score::StopRule
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
        bless named(\@given, qw(process clock one_pass cpu_count began_s on noise rule indexes is_draining)),
        $class;
}

# Runs the plan and returns its runs. After an interruption, returns the runs that were begun. A run is { copies,
# started, ended, cpu_count, tests }, in a quick run also { rounds (their number), indexes }. If the time of day was set
# during the run, clock_set_s says by how many seconds. Passes from before a resume are not measured again. They are in
# kept, with an item for each of the first runs:
#   [{ started, ended, clock_set_s, passes => { name of test => [pass, ...] } }, ...]
sub run {
    my ($self, $plan, $kept) = @_;
    my @runs;
    for my $number (0 .. $#{ $plan->{copies} }) {
        last if $self->{process}->interrupted;
        push @runs, $self->_run($plan, $number, $kept->[$number] || { passes => {} });
    }
    return @runs;
}

# Takes the number of finished passes and a test that was interrupted; returns the status and the reason of the test.
sub interrupted_after {
    my ($finished, $test) = @_;
    my $wanted = $test->{passes_wanted} // return (interrupted => 'interrupted before its first pass');
    return (interrupted => "interrupted after $finished of " . counted($wanted, 'pass', 'passes'));
}

sub _run {
    my ($self, $plan, $number, $kept) = @_;
    my $run = {
        copies    => $plan->{copies}[$number],
        started   => $kept->{started} // $self->{clock}->wall_s,
        cpu_count => $self->{cpu_count},
        tests     => [],
        $plan->{quick} ? (rounds => 0, indexes => []) : (),
    };
    my $course  = $self->_course($plan, $run, $number, $kept);
    my $ahead_s = $self->{clock}->wall_ahead_s;
    $self->_tell(run_started => $run, $course->{watch});
    $self->_rest($plan);
    do {
        $self->_round($course);
        $self->{noise}->round_ends if $self->{noise};
    } while (!$self->_is_over($course));
    @{ $run->{tests} } = _as_asked($plan, $run->{tests});
    $self->_mark_long($plan, $run) if $plan->{quick};
    $self->_close($course, $_) for @{ $run->{tests} };
    my $set_s = $kept->{clock_set_s} // (defined $kept->{ended} ? 0 : $self->{clock}->wall_ahead_s - $ahead_s);
    $run->{clock_set_s} = $set_s if abs $set_s >= CLOCK_SET_LEAST_S;
    $run->{ended}       = $kept->{ended} // $self->{clock}->wall_s;
    $self->_tell(run_done => $run) if !$self->{process}->interrupted;
    return $run;
}

# Takes a plan and tests; returns the tests in the order of the plan. In rounds they begin in random order.
sub _as_asked {
    my ($plan, $tests) = @_;
    my %begun = map { $_->{name} => $_ } @$tests;
    return grep { defined } map { $begun{ $_->{name} } } @{ $plan->{tests} };
}

# Returns the state of a run that begins:
#   plan, run  the plan and the run
#   maker      UnixBench::Measure::ValidPass
#   watch      UnixBench::Measure::Rounds
#   left       [tests of the plan that still have passes to come]
#   ahead      [tests of the plan that still come in this round]; set later
#   tests      { name => test } of the tests that were begun
#   kept       { name => [passes from before a resume that were not yet reported] }
#   ended      the time at which the run ended before a resume, or undef
#   closed     { name => whether the test is done }
#   is_cut     whether the time ended within a round; set later
sub _course {
    my ($self, $plan, $run, $number, $kept) = @_;
    my @seed    = $plan->{quick} ? (seed => $plan->{quick}{seed}, run => $number) : ();
    my $watch   = UnixBench::Measure::Rounds->new(clock => $self->{clock}, tests => $plan->{tests}, @seed);
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

# Returns whether a short pass of the test would end after the time limit of the quick run. The first three rounds are
# made in any case. A run that had ended before a resume has no further passes.
sub _is_over_before {
    my ($self, $course, $planned) = @_;
    my ($plan, $run) = @$course{qw(plan run)};
    return if !$plan->{quick} || @{ $course->{kept}{ $planned->{name} } || [] };
    return if defined UnixBench::Plan::Plan::skipped($planned, $run->{copies});
    return 1 if defined $course->{ended};
    return if $run->{rounds} < UnixBench::Plan::Plan::ROUNDS_LEAST;
    my $watch = $course->{watch};
    return !$self->{rule}->has_time_for($run->{copies}, $watch->elapsed_s, $watch->short_passes_s($planned));
}

# Ends the round; returns whether it was the last one.
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

# Makes the passes of a test in this round. Returns the test of the plan for the next round, or nothing if the test is
# done.
sub _turn {
    my ($self, $course, $planned) = @_;
    my $run     = $course->{run};
    my $test    = $course->{tests}{ $planned->{name} } ||= $self->_begin($run, $planned);
    my $why_not = UnixBench::Plan::Plan::skipped($planned, $run->{copies});
    return $self->_close($course, $test, skipped => $why_not) if defined $why_not;
    $test->{command} = $planned->{command};    # of the next passes
    while (@{ $test->{passes} } < ($planned->{passes_wanted} // $run->{rounds} + 1)) {
        my $pass = $self->_kept_pass($course, $test) || $self->_pass($course, $planned, $test)
            or return $self->_interrupt($course, $test);
        $self->_tell(pass_done => $pass, $test, $run);    # dies if the pass can't be written to the disk
        push @{ $test->{passes} }, $pass;
        return $self->_close($course, $test, failed => "$pass->{error} ($pass->{where})") if defined $pass->{error};
        $planned = UnixBench::Plan::Plan::calibrated($planned, $pass);
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

sub _begin {
    my ($self, $run, $planned) = @_;
    my $test = { (map { $_ => $planned->{$_} } qw(name title category command passes_wanted)), passes => [] };
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
    $course->{watch}->add($aside_s + elapsed_s($pass));
    $course->{watch}->leave_out($aside_s);
    return $pass;
}

sub _pass {
    my ($self, $course, $planned, $test) = @_;
    $self->_tell(pass_started => $test, $course->{run});
    my @make = ($planned, @{ $test->{passes} } + 1, $course->{run}{copies});
    return $course->{maker}->make(@make) if !$course->{plan}{quick};
    my $ended = $course->{watch}->begin_short_pass($planned->{name});
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
    my ($plan, $run, $watch)      = @$course{qw(plan run watch)};
    my @ahead = grep { !defined UnixBench::Plan::Plan::skipped($_, $run->{copies}) } @{ $course->{ahead} };
    my @time  = ($run->{copies}, $watch->elapsed_s, $watch->short_passes_s($planned, @ahead));
    return if !$self->{rule}->has_time_for(@time);
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
