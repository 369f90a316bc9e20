package UnixBench::Progress::Estimate;

# How long what is left of an official run takes. It is told of what happens as UnixBench::Measure::Runner tells it.

use strict;
use warnings;

use List::Util ();

use UnixBench::Plan::Plan      ();
use UnixBench::Progress::Costs ();

# Takes plan, see UnixBench::Plan::Plan.
sub new {
    my ($class, %with) = @_;
    my $plan = $with{plan};
    my @runs = map { _passes_of_run($plan, $_) } @{ $plan->{copies} };
    return bless {
        costs       => UnixBench::Progress::Costs->new($plan),
        left        => {},
        runs        => \@runs,
        observing_s => UnixBench::Plan::Plan::observing_s_of_all($plan),
    }, $class;
}

# What has happened, in the words of UnixBench::Measure::Runner.
sub run_started {
    my ($self, $run, $watch) = @_;
    $self->{left} = shift @{ $self->{runs} };
    return $self->{costs}->run_started($watch);
}

sub pass_started { my ($self) = @_; return $self->{costs}->pass_started }

sub pass_done {
    my ($self, $pass, $test) = @_;
    $self->{left}{ $test->{name} } = $test->{passes_wanted} - $pass->{number};
    return $self->{costs}->pass_done($pass, $test);
}

sub test_done {
    my ($self, $test) = @_;
    delete $self->{left}{ $test->{name} };
    return;
}

# Seconds until all that is left of all runs is measured, and observed, when no pass is under way.
sub left_s {
    my ($self) = @_;
    my @left_s = map { $self->_seconds($_) } $self->{left}, @{ $self->{runs} };
    return List::Util::sum($self->{observing_s}, @left_s);
}

sub _seconds {
    my ($self, $left) = @_;
    return map { $left->{$_} * $self->{costs}->of($_) } keys %$left;
}

# How many passes of each test are wanted.
sub _passes_of_run {
    my ($plan, $copies) = @_;
    return { map { $_->{name} => $_->{passes_wanted} } UnixBench::Plan::Plan::measured($plan, $copies) };
}

1;
