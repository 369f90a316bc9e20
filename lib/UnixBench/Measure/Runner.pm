package UnixBench::Measure::Runner;

# Measures a plan: for each number of copies an official run, or the quick runs of all states of the machine.

use strict;
use warnings;

use UnixBench::Base::Arguments     qw(named);
use UnixBench::Measure::Official   ();
use UnixBench::Measure::RoundRobin ();
use UnixBench::Measure::Rounds     ();
use UnixBench::Measure::Run        ();
use UnixBench::Plan::Plan          ();

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
#   run_started   run, and its UnixBench::Measure::Official, or UnixBench::Measure::Rounds of a quick one: both have
#                 elapsed_s and lanes
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
        my $now_s = $self->{clock}->wall_s;
        my @made  = map { $self->_run($plan, $number, $_, $now_s, $kept || []) } 0 .. $#{ $plan->{states} };
        push @runs, map { $_->data } @made;
        $made[0]->data->{others} = [map { $_->data } @made[1 .. $#made]] if @made > 1;
        $self->_driver($plan, $number, @made)->measure;
    }
    return @runs;
}

# Takes a plan, the number of the run, that of the state, the time at which all states begin, and what was kept from
# before a resume; returns a run that has not begun.
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
            $plan->{quick} ? (rounds => 0, indexes => []) : (),
        },
        map { $_ => $self->{$_} } qw(process clock noise on)
    );
}

# Takes a plan, the number of its runs, and these runs, one for each state; returns what makes them.
sub _driver {
    my ($self, $plan, $number, @runs) = @_;
    my %pass    = (settle_s => $plan->{settle_s}, map { $_ => $self->{$_} } qw(process clock one_pass noise clock_mhz));
    my $began_s = delete $self->{began_s};
    my $quick   = $plan->{quick}
        or return UnixBench::Measure::Official->new(run => $runs[0], plan => $plan, pass => \%pass);
    my $rounds = UnixBench::Measure::Rounds->new(
        clock => $self->{clock},
        lanes => [UnixBench::Plan::Plan::lanes($plan)],
        seed  => $quick->{seed},
        run   => $number,
    );
    $rounds->add($self->{clock}->monotonic_s - $began_s) if defined $began_s;
    return UnixBench::Measure::RoundRobin->new(
        runs   => \@runs,
        rounds => $rounds,
        plan   => $plan,
        pass   => { %pass, is_draining => $self->{is_draining} },
        map { $_ => $self->{$_} } qw(rule indexes)
    );
}

1;
