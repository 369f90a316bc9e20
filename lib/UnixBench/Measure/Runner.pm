package UnixBench::Measure::Runner;

# Measures a plan: for each number of copies an official run, or the quick runs of all states of the machine.

use strict;
use warnings;

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Measure::Rounds    ();
use UnixBench::Measure::Run       ();
use UnixBench::Measure::ValidPass ();
use UnixBench::Plan               ();
use UnixBench::Score              ();

# Takes
#   process    UnixBench::Process
#   clock      UnixBench::Base::Clock
#   one_pass   function that takes a test of the plan and a number of copies and returns the results of the copies
#   cpu_count  number of usable CPUs
#   began_s    time of the clock at which the first run began (default: now)
#   noise      UnixBench::Noise::Watch, which finds disturbances of passes (optional)
#   clock_program  see UnixBench::Measure::ValidPass (optional)
#   keeper         keeps several states apart, see UnixBench::Plan::Wish (optional)
#   on         { event => function }, called with the arguments below (each optional)
# For a quick plan, also takes
#   rule         UnixBench::Score::StopRule, for the run of the first state
#   indexes      function that takes tests and returns indexes
#   is_draining  function that returns whether pages are being written to the disk
# The events and their arguments are
#   run_started   run, and its UnixBench::Measure::Rounds, with elapsed_s and lanes
#   test_started  test, run
#   pass_started  test, run; not for passes from before a resume
#   pass_done     pass, test, run
#   round_done    run, why it was the last round or undef
#   test_done     test, run
#   run_done      run; not after an interruption
sub new {
    my ($class, @given) = @_;
    my @keys = qw(process clock one_pass cpu_count began_s on noise clock_program rule indexes is_draining keeper);
    my $self = bless named(\@given, @keys), $class;
    require UnixBench::Measure::RoundRobin if $self->{rule};
    return $self;
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
        my $now_s = $self->{clock}->wall_s;
        my @made  = map { $self->_run($plan, $number, $_, $now_s, $kept || []) } 0 .. $#{ $plan->{states} };
        push @runs, map { $_->data } @made;
        $made[0]->data->{others} = [map { $_->data } @made[1 .. $#made]] if @made > 1;
        my @how = ($plan, $self->_rounds($plan, $number), @made);
        $plan->{quick} ? $self->_make_quick(@how) : $self->_make_official(@how);
    }
    return @runs;
}

sub _run {
    my ($self, $plan, $number, $state, $now_s, $kept) = @_;
    my $place = $number * @{ $plan->{states} } + $state;
    return UnixBench::Measure::Run->new(
        plan => $plan,
        kept => $kept->[$place],
        data => {
            number    => $place,
            state     => $state,
            copies    => $plan->{copies}[$number],
            started   => $now_s,
            cpu_count => $self->{cpu_count},
            tests     => [],
            $plan->{quick}    ? (rounds   => 0, indexes => [])  : (),
            $plan->{in_a_row} ? (in_a_row => $plan->{in_a_row}) : (),
        },
        map { $_ => $self->{$_} } qw(process clock on)
    );
}

sub _rounds {
    my ($self, $plan, $number) = @_;
    my $began_s = delete $self->{began_s};
    my $rounds  = UnixBench::Measure::Rounds->new(
        clock => $self->{clock},
        lanes => [UnixBench::Plan::lanes($plan)],
        seed  => ($plan->{quick} || {})->{seed} // 0,
        run   => $number,
        $plan->{in_a_row} ? (in_a_row => $plan->{in_a_row}) : (),
    );
    $rounds->add($self->{clock}->monotonic_s - $began_s) if defined $began_s && $plan->{quick};
    return $rounds;
}

sub _of_pass {
    my ($self, $plan) = @_;
    return (
        settle_s => $plan->{settle_s},
        map { $_ => $self->{$_} } qw(process clock one_pass noise clock_program cpu_count)
    );
}

sub _make_quick {
    my ($self, $plan, $rounds, @runs) = @_;
    return UnixBench::Measure::RoundRobin->new(
        runs   => \@runs,
        rounds => $rounds,
        plan   => $plan,
        pass   => { $self->_of_pass($plan), is_draining => $self->{is_draining} },
        map { $_ => $self->{$_} } qw(rule indexes keeper)
    )->measure;
}

# Takes a plan, rounds and a run; makes it: one test after the other, each with all its passes. After an interruption it
# has the tests that were begun.
sub _make_official {
    my ($self, $plan, $rounds, $run) = @_;
    my $maker = UnixBench::Measure::ValidPass->new($self->_of_pass($plan), forget => sub { $rounds->forget(@_) });
    $run->begin($rounds);
    for my $planned (@{ $plan->{tests} }) {
        last if $self->{process}->interrupted;
        _make_test($run, $planned, $maker);
    }
    return $run->end;
}

sub _make_test {
    my ($run, $planned, $maker) = @_;
    my $test = $run->test_of($planned) or return;
    while (@{ $test->{passes} } < $planned->{passes_wanted}) {
        my $pass = $run->kept_pass($planned);
        if (!$pass) {
            $run->notify(pass_started => $test, $run->data);
            $pass = $maker->make($planned, @{ $test->{passes} } + 1, $run->data->{copies});
        }
        $run->add($test, $pass) or return;
    }
    %$test = (%$test, status => 'measured', %{ UnixBench::Score::test($test->{passes}) });
    return $run->close_test($test);
}

1;
