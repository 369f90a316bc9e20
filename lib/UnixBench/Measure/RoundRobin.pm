package UnixBench::Measure::RoundRobin;

# Makes a quick run: in each round each test has one short pass, and rounds follow each other until the stop rule ends
# the run. Before the first round, a short pass of each test warms up; it does not count.
#
# If the plan has a pace, the rounds are spread over time. The pace says when the next one begins, and how many there
# are.
#
# If several states of the machine are measured in turns, each of them has a run of its own, and a lane for each test,
# see UnixBench::Plan. These runs share their rounds.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::Result       qw(elapsed_s);
use UnixBench::Measure::ValidPass ();
use UnixBench::Plan               ();
use UnixBench::Plan::Test         ();
use UnixBench::Score              ();

# Takes runs => [UnixBench::Measure::Run of each state], rounds => UnixBench::Measure::Rounds, plan, pass => { arguments
# of UnixBench::Measure::ValidPass }, and rule, indexes and perhaps keeper, see UnixBench::Measure::Runner.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(runs rounds plan pass rule indexes keeper));
    my ($pass, $rounds) = (delete $given->{pass}, $given->{rounds});
    return bless {
        %$given,
        (map { $_ => $pass->{$_} } qw(process noise)),
        maker => UnixBench::Measure::ValidPass->new(%$pass, forget => sub { $rounds->forget(@_) }),
        ended => List::Util::first(sub { defined }, map { $_->ended_before } @{ $given->{runs} }),
    }, $class;
}

# Makes the runs; after an interruption they have the tests that were begun.
sub measure {
    my ($self) = @_;
    my @runs = @{ $self->{runs} };
    $_->begin($self->{rounds}) for @runs;
    $self->{noise}->rest_begins if $self->{noise};
    $self->{process}->pause($self->{plan}{rest_s});
    $self->{left} = [$self->_all_warmed_up(UnixBench::Plan::lanes($self->{plan}))];
    do {
        $self->_await_round;
        $self->_round;
        $self->{noise}->round_ends if $self->{noise};
        $self->{keeper}->round_ends if $self->{keeper};
    } while (!$self->_is_over);
    $_->end for @runs;
    return;
}

sub _run_of {
    my ($self, $lane) = @_;
    return $self->{runs}[$lane->{state}];
}

# Takes lanes; makes their warm-up passes. Returns them as they are measured from then on. If it takes long to get into
# a state, one follows the other.
sub _all_warmed_up {
    my ($self, @lanes) = @_;
    my @order = $self->{plan}{in_a_row} ? sort { $a->{state} <=> $b->{state} } @lanes : @lanes;
    my %warm  = map                            { $_->{lane} => [$self->_warmed_up($_)] } @order;
    return map { @{ $warm{ $_->{lane} } } } @lanes;
}

# Makes the warm-up pass of a lane that has one. Returns the lane as it is measured from then on, or nothing if its
# copies were ended by a signal, or ran out of time. Any other error may be due to the short time; if not, the first
# pass will have it, too.
sub _warmed_up {
    my ($self, $lane) = @_;
    my $run     = $self->_run_of($lane);
    my $planned = $lane->{warm_up};
    return $lane if !$planned || defined $self->{ended} || $self->{process}->interrupted || !$run->has_passes_of($lane);
    $planned = { %$planned, map { $_ => $lane->{$_} } qw(lane state is_under) };
    $self->{keeper}->enter($lane->{state}) if $self->{keeper};
    my $pass = $self->{maker}->warm_up($planned, $run->data->{copies}) or return $lane;
    return UnixBench::Plan::Test::calibrated($lane, $pass) if !defined $pass->{error};
    return $lane if !$pass->{is_hopeless};
    return $run->close_test($run->test_of($lane), failed => "$pass->{error} ($pass->{where})");
}

sub _await_round {
    my ($self) = @_;
    my $pace   = $self->{plan}{pace};
    my @left   = @{ $self->{left} };
    return if !$pace || !@left || defined $self->{ended} || grep { $self->_run_of($_)->kept_passes($_) } @left;
    my $now_s = $self->{rounds}->now_s;
    $self->{process}->pause($pace->wait_s($self->{runs}[0]->data->{rounds}, $now_s));
    $self->{noise}->round_begins if $self->{noise};
    return;
}

sub _round {
    my ($self) = @_;
    my @turns = $self->{rounds}->begin_round(@{ $self->{left} });
    my (%left, @names);
    $self->{left} = [];
    while (!$self->{process}->interrupted && @turns) {
        return $self->{is_cut} = 1 if $self->_is_over_before($turns[0]);
        my $planned = shift @turns;
        my $name    = $planned->{lane};
        push @names, $name if !exists $left{$name};
        $self->{ahead} = \@turns;
        $left{$name}   = $self->_turn($left{$name} // $planned) if !exists $left{$name} || $left{$name};
        $self->{left}  = [map { $left{$_} // () } @names];
    }
    return $self->{rounds}->end_round;
}

# Returns whether a short pass of the test would end after the time limit of the quick run. The first rounds are made in
# any case. A run that had ended before a resume has no further passes.
sub _is_over_before {
    my ($self, $planned) = @_;
    my ($plan, $rounds, $run) = (@$self{qw(plan rounds)}, $self->_run_of($planned));
    return if $run->kept_passes($planned) || !$run->has_passes_of($planned);
    return 1 if defined $self->{ended};
    return if $plan->{pace};
    return if $run->data->{rounds} < UnixBench::Plan::rounds_least($plan);
    my @pass = ($rounds->elapsed_s, $rounds->short_passes_s($planned));
    return !$self->{rule}->has_time_for($run->data->{copies}, @pass, scalar @{ $plan->{states} });
}

sub _is_over {
    my ($self) = @_;
    return 1 if $self->{process}->interrupted;
    my @runs = map { $_->data } @{ $self->{runs} };
    for my $run (@runs) {
        $run->{rounds}++ if !$self->{is_cut};
        $run->{indexes} = $self->{indexes}->($run->{tests});
    }
    my $why = $self->_why_over($runs[0]);
    $self->{runs}[0]->notify(round_done => $runs[0], $why);
    return defined $why;
}

sub _why_over {
    my ($self,   $run)  = @_;
    my ($rounds, $left) = @$self{qw(rounds left)};
    return 'time' if $self->{is_cut};
    return 'failed' if !@$left;
    return if grep { $self->_run_of($_)->kept_passes($_) } @$left;
    return 'kept' if defined $self->{ended};
    my $pace = $self->{plan}{pace};
    return $run->{rounds} >= $pace->rounds ? 'rounds' : undef if $pace;
    return $self->{rule}->decide($run, $rounds->elapsed_s, $rounds->longest_s);
}

# Makes the pass of a lane in this round. Returns the lane as it is measured in the next one, or nothing if its test is
# done.
sub _turn {
    my ($self, $planned) = @_;
    my $run  = $self->_run_of($planned);
    my $test = $run->test_of($planned) or return;
    $test->{command} = $planned->{command};    # of the next passes
    my $pass = $self->_kept_pass($planned) || $self->_pass($planned, $test);
    $run->add($test, $pass) or return;
    %$test = (%$test, status => 'measured', %{ UnixBench::Score::test_of_rounds($test->{passes}) });
    return UnixBench::Plan::Test::calibrated($planned, $pass);
}

sub _kept_pass {
    my ($self, $lane) = @_;
    my $pass    = $self->_run_of($lane)->kept_pass($lane) or return;
    my $aside_s = List::Util::sum(0, map { $_->{time_s} // 0 } @{ $pass->{set_aside} || [] });
    $self->{rounds}->add($aside_s + elapsed_s($pass));
    $self->{rounds}->leave_out($aside_s);
    return $pass;
}

sub _pass {
    my ($self, $planned, $test) = @_;
    my $run = $self->_run_of($planned);
    $run->notify(pass_started => $test, $run->data);
    $self->{keeper}->enter($planned->{state}) if $self->{keeper};
    my $rounds = $self->{rounds};
    my $ended  = $rounds->begin_short_pass($planned);
    my @make   = ($planned, @{ $test->{passes} } + 1, $run->data->{copies});
    my $began  = $self->{plan}{pace} && $rounds->wall_s;
    my $pass   = $self->{maker}->make(@make, $self->_repeats($planned, $ended));
    $ended->();
    $pass->{began} = $began if $pass && defined $began;
    return $pass;
}

# Takes ended, a function that has to be called when a short pass has ended. Returns a function that calls it, and that
# returns whether the short pass may be repeated. If so, the time of this pass does not count for the length of the
# round.
sub _repeats {
    my ($self, $planned, $ended) = @_;
    my $rounds  = $self->{rounds};
    my $began_s = $rounds->elapsed_s;
    return sub {
        $ended->();
        return if !$self->_may_repeat($planned);
        my $now_s = $rounds->elapsed_s;
        $rounds->leave_out($now_s - $began_s);
        $began_s = $now_s;
        return 1;
    };
}

sub _may_repeat {
    my ($self,   $planned) = @_;
    my ($rounds, $run)     = ($self->{rounds}, $self->_run_of($planned));
    return if $self->{plan}{pace};    # what disturbs a round is what the run wants to know
    my ($round, $ahead) = map { [grep { $run->has_passes_of($_) } @$_] } [$rounds->lanes], $self->{ahead};
    my $copies = $run->data->{copies};
    my @time   = ($copies, $rounds->elapsed_s, $rounds->short_passes_s($planned, @$ahead));
    return if !$self->{rule}->has_time_for(@time);
    return $self->{rule}->may_repeat(
        copies    => $copies,
        elapsed_s => $rounds->elapsed_s,
        pass_s    => UnixBench::Plan::short_passes_s($planned),
        ahead_s   => UnixBench::Plan::short_passes_s(@$ahead),
        round_s   => List::Util::max(UnixBench::Plan::short_passes_s(@$round), $rounds->longest_s),
        round     => $run->data->{rounds} + 1,
        @{ $self->{runs} } > 1 ? (states => scalar @{ $self->{runs} }) : (),
    );
}

1;
