package UnixBench::Progress::RoundsEstimate;

# How long what is left of a quick run takes at most: the rounds that its time allows, or those until it is precise
# enough, if these are fewer. It is told of what happens as UnixBench::Measure::Runner tells it.

use strict;
use warnings;

use List::Util ();

use UnixBench::Plan::Plan          ();
use UnixBench::Progress::Costs     ();
use UnixBench::Progress::LastRound ();
use UnixBench::Progress::Precision ();

use constant NEVER => UnixBench::Progress::Precision::NEVER;    # rounds

# Takes plan, see UnixBench::Plan::Plan, and is_decided, see UnixBench::Score::StopRule.
sub new {
    my ($class, %with) = @_;
    my $costs  = UnixBench::Progress::Costs->new($with{plan});
    my @copies = @{ $with{plan}{copies} };
    return bless { is_decided => sub { 1 }, %with, costs => $costs, copies => \@copies, tests => [] }, $class;
}

# What has happened, in the words of UnixBench::Measure::Runner.
sub run_started {
    my ($self, $run, $watch) = @_;
    @$self{qw(watch rounds needed done)} = ($watch, 0, NEVER, {});
    $self->{tests} = $self->_tests(shift @{ $self->{copies} });
    return $self->{costs}->run_started($watch);
}

sub pass_started { my ($self) = @_; return $self->{costs}->pass_started }

sub pass_done {
    my ($self, $pass, $test) = @_;
    $self->{done}{ $test->{name} } = 1;
    return $self->{costs}->pass_done($pass, $test);
}

sub test_done {
    my ($self, $test) = @_;
    $self->{tests} = [grep { $_ ne $test->{name} } @{ $self->{tests} }];
    return;
}

sub round_done {
    my ($self, $run) = @_;
    @$self{qw(rounds done)} = ($run->{rounds}, {});
    my $precision = $self->{plan}{quick}{precision};
    my $is_open   = !$self->{is_decided}->($run);
    $self->{needed} = $is_open ? NEVER : UnixBench::Progress::Precision::rounds_needed($run, $precision);
    return;
}

# Seconds until all that is left of all runs is measured, and observed, when no pass is under way.
sub left_s {
    my ($self)      = @_;
    my $observing_s = UnixBench::Plan::Plan::observing_s_of_all($self->{plan});
    my $left_s      = List::Util::sum($observing_s, map { $self->_run_s($_) } @{ $self->{copies} });
    my @tests       = @{ $self->{tests} } or return $left_s;
    my $now_s       = $self->{watch}->elapsed_s;
    my %at          = (round => $self->{rounds} + 1, longest_s => $self->{watch}->longest_s, needed => $self->{needed});
    my $end_s       = $self->_end_s(\@tests, [grep { !$self->{done}{$_} } @tests], %at, now_s => $now_s);
    return $left_s + $end_s - $now_s;
}

# Of a run that has not begun.
sub _run_s {
    my ($self, $copies) = @_;
    my $rest_s = $self->{plan}{rest_s};
    my $tests  = $self->_tests($copies);
    return $rest_s if !@$tests;
    return $self->_end_s($tests, $tests, now_s => $rest_s, round => 1, longest_s => 0, needed => NEVER);
}

# Takes the names of the tests of a round, and of those that are still to come in it.
sub _end_s {
    my ($self, $tests, $ahead, %at) = @_;
    my $costs = $self->{costs};
    return UnixBench::Progress::LastRound::end_s(
        %at,
        max_time_s => $self->{plan}{quick}{max_time_s},
        round_s    => $costs->of(@$tests),
        ahead_s    => $costs->of(@$ahead),
        repeats    => $costs->repeats,
    );
}

# The names of the tests of a run.
sub _tests {
    my ($self, $copies) = @_;
    return [map { $_->{name} } UnixBench::Plan::Plan::measured($self->{plan}, $copies)];
}

1;
