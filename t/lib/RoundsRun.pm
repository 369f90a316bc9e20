package RoundsRun;

# Simulated runs by the real runner: with passes whose outcomes are given and, in quick runs, a fake rule.

use strict;
use warnings;

use Exporter 'import';

use FakeProcess;
use Fixture qw(counted);
use UnixBench::Measure::Runner;

our @EXPORT_OK = qw(copy events failed run);

use constant { PASS_S => 2, WARM_UP_S => 0.5 };

my @EVENTS;

# A fake rule that ends the run after a number of rounds, and notes how it was asked.
{

    package RoundsRun::Rule;

    sub new { my ($class, %with) = @_; return bless { %with, asked => [] }, $class }

    sub decide {
        my ($self, $run, @times_s) = @_;
        push @{ $self->{asked} }, [@times_s];
        return $run->{rounds} >= $self->{rounds} ? 'reached' : undef;
    }

    sub may_repeat {
        my ($self, %time) = @_;
        push @{ $self->{repeats} }, {%time};
        return $self->{has_time};
    }

    sub has_time_for {
        my ($self) = @_;
        return ref $self->{has_time} ? $self->{has_time}->(@_) : $self->{has_time};
    }
}

# Takes name => outcomes of the short passes of a test in turn: a count, or a function that takes the process and the
# number of copies, and returns copies. A name such as "a in state 1" is that of a lane. Each short pass takes 2 s, each
# pass that warms up 0.5 s. Makes the run. Returns the runs, the process and the rule. Also takes
#   official  whether the run is an official one, of three passes of each test
#   copies    [numbers of copies] (default: one copy)
#   seed      the seed (default: 1)
#   states    the number of states (default: 1); in_a_row, see UnixBench::Measure::Rounds
#   test      { keys of each test }
#   warm      { name or lane => outcome of the pass that warms up }; the other tests have none
#   rule      { keys of the rule }: rounds, has_time
#   kept, noise  see UnixBench::Measure::Runner
#   draining  how often pages are seen that are written to the disk
sub run {
    my ($outcomes, %with) = @_;
    my $process = FakeProcess->new;
    my $rule    = RoundsRun::Rule->new(rounds => 3, has_time => 1, %{ $with{rule} || {} });
    @EVENTS = ();
    my $runner = UnixBench::Measure::Runner->new(
        process   => $process,
        clock     => $process,
        cpu_count => 3,
        noise     => $with{noise},
        one_pass  => _one_pass($process, $outcomes, $with{warm}),
        on        => _listeners(),
        $with{official} ? () : _what_ends_rounds($rule, \%with)
    );
    my @runs = $runner->run(_plan($outcomes, %with), $with{kept});
    return (\@runs, $process, $rule);
}

sub _what_ends_rounds {
    my ($rule, $with) = @_;
    return (
        rule        => $rule,
        indexes     => sub { [map { $_->{name} } grep { $_->{status} eq 'measured' } @{ $_[0] }] },
        is_draining => sub { return $with->{draining} && $with->{draining}-- > 0 },
    );
}

sub _one_pass {
    my ($process, $outcomes, $warm) = @_;
    my %turn;
    return sub {
        my ($test, $copies) = @_;
        my ($name, $lane)   = @$test{qw(name lane)};
        push @EVENTS, "make @{ $test->{command} }" . _in_state($test);
        my $is_warm = $test->{is_warm};
        $process->{now_s} += $is_warm ? WARM_UP_S : PASS_S;
        my $all     = $outcomes->{$lane} || $outcomes->{$name};
        my $outcome = $is_warm ? $warm->{$lane} // $warm->{$name} : $all->[$turn{$lane}++ % @$all];
        return ref $outcome ? $outcome->($process, $copies) : map { copy($outcome) } 1 .. $copies;
    };
}

sub _in_state { my ($of) = @_; return $of->{state} ? " in $of->{state}" : q{} }

sub _listeners {
    my %of_test = map {
        my $event = $_;
        $event => sub { push @EVENTS, "$event $_[0]{name}" . _in_state($_[1]) }
    } qw(test_started test_done);
    return {
        %of_test,
        pass_done  => sub { push @EVENTS, "pass $_[0]{number} of $_[1]{name}" . _in_state($_[2]) },
        round_done => sub { push @EVENTS, "round $_[0]{rounds}" . (defined $_[1] ? ": $_[1]" : q{}) },
    };
}

sub _plan {
    my ($outcomes, %with) = @_;
    my @names  = grep { !/ in state / } sort keys %$outcomes;
    my %wanted = $with{official} ? (passes_wanted => 3) : ();
    return {
        copies   => $with{copies} || [1],
        settle_s => $with{official} ? [1, 2] : [],
        states   => [({}) x ($with{states} || 1)],
        rest_s   => 1,
        in_a_row => $with{in_a_row},
        tests    => [map { _planned($_, $with{warm} || {}, %wanted, %{ $with{test} || {} }) } @names],
        quick    => $with{official} ? undef : { seed => $with{seed} || 1 },
    };
}

sub _planned {
    my ($name, $warm, %with) = @_;
    my %test = (
        name     => $name,
        title    => uc $name,
        category => 'system',
        lane     => $name,
        state    => 0,
        command  => ["/b/$name", '1'],
        pass_s   => 1.5,
        seconds  => 1,
        drain_s  => 0,
        limit_s  => 60,
        %with
    );
    return \%test if !grep { /\A\Q$name\E\b/ } keys %$warm;
    return { %test, warm_up => { %test, is_warm => 1, command => ["/b/$name", 'warm'], pass_s => WARM_UP_S } };
}

# Takes a count and further keys; returns the result of a copy.
sub copy {
    my ($count, %with) = @_;
    return { elapsed_s => PASS_S, gated => 1, counted($count, 1, 'lps', 2), %with };
}

# Takes an error and further keys; returns the outcome of a copy that has failed.
sub failed {
    my ($error, %with) = @_;
    my %copy = (elapsed_s => 1, status => 1, error => $error, data => { ERROR => [$error] }, %with);
    return sub { return {%copy} };
}

# Takes a pattern; returns the events of the last run that match it:
#   make COMMAND, test_started NAME, pass NUMBER of NAME, test_done NAME, round NUMBER: why it was the last one
# In other states than the first one, " in " and the number of the state follow.
sub events {
    my ($pattern) = @_;
    return grep { /$pattern/ } @EVENTS;
}

1;
