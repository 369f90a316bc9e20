package UnixBench::Progress::Plain;

# What Run prints while it measures, in the classic form: a line for each test, a number for each pass.

use strict;
use warnings;

use UnixBench::Base::Format    qw(clean);
use UnixBench::Process::Writer ();
use UnixBench::Progress::Words ();

# Takes out (a handle) and is_verbose.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# The functions that the runner calls.
sub listeners {
    my ($self) = @_;
    return {
        test_started => sub { $self->_test_started(@_) },
        pass_done    => sub { $self->_pass_done(@_) },
        test_done    => sub { $self->_test_done(@_) },
    };
}

sub _test_started {
    my ($self, $test, $run) = @_;
    $self->_print("\n$run->{copies} x $test->{title} ");
    $self->_print("\n  " . clean("@{ $test->{command} }")) if $self->{is_verbose};
    return;
}

sub _pass_done {
    my ($self, $pass) = @_;
    return $self->_print(" $pass->{number}") if !$self->{is_verbose};
    return $self->_print("\n  $pass->{number}: " . UnixBench::Progress::Words::of_pass($pass));
}

sub _test_done {
    my ($self, $test) = @_;
    $self->_print(($self->{is_verbose} ? "\n  " : q{ }) . clean($test->{reason})) if $test->{status} eq 'skipped';
    return $self->_print("\n");
}

sub _print {
    my ($self, $text) = @_;
    UnixBench::Process::Writer::put($self->{out}, $text);
    return;
}

1;
