package UnixBench::Progress::Rounds;

# What Run says, on standard error, while it measures a quick run: a line for each round.

use strict;
use warnings;

use UnixBench::Base::Format    ();
use UnixBench::Process::Writer ();
use UnixBench::Progress::Words ();

# Takes out (a handle), is_verbose, and quick, see UnixBench::Plan::Plan.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# The functions that the runner calls.
sub listeners {
    my ($self) = @_;
    return {
        run_started => sub { $self->_run_started(@_) },
        round_done  => sub { $self->_print(UnixBench::Progress::Words::of_round(@_)) },
        test_done   => sub { $self->_test_done(@_) },
        $self->{is_verbose}
        ? (test_started => sub { $self->_test_started(@_) }, pass_done => sub { $self->_pass_done(@_) })
        : (),
    };
}

sub _run_started {
    my ($self, $run) = @_;
    return $self->_print(UnixBench::Progress::Words::of_quick_run($run, $self->{quick}));
}

sub _test_started {
    my ($self, $test) = @_;
    return $self->_print("  $test->{name}: @{ $test->{command} }");
}

sub _test_done {
    my ($self, $test) = @_;
    return if $test->{status} ne 'skipped';
    return $self->_print(UnixBench::Progress::Words::of_skipped($test));
}

sub _pass_done {
    my ($self, $pass, $test) = @_;
    return $self->_print("  $test->{name}: " . UnixBench::Progress::Words::of_pass($pass));
}

sub _print {
    my ($self, $line) = @_;
    UnixBench::Process::Writer::put($self->{out}, UnixBench::Base::Format::clean($line) . "\n");
    return;
}

1;
