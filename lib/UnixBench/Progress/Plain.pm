package UnixBench::Progress::Plain;

# Prints the progress if standard output is not a terminal. Official run: the classic form, with a line for each test
# and a number for each pass. Quick run: a line for each round. After the passes: a line for each test that is observed.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Text      qw(clean);
use UnixBench::Process::Writer ();
use UnixBench::Progress::Words ();

# Takes out, a handle, is_verbose, and for a quick run quick, see UnixBench::Plan::Plan::make.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(out is_verbose quick)), $class;
}

# Returns the functions that the runner calls.
sub listeners {
    my ($self) = @_;
    my %of_passes = $self->{quick} ? $self->_listeners_of_rounds() : $self->_listeners_of_tests();
    return { %of_passes, observation_started => sub { $self->_observation_started(@_) } };
}

sub _listeners_of_tests {
    my ($self) = @_;
    return (
        test_started => sub { $self->_test_started(@_) },
        pass_done    => sub { $self->_pass_done(@_) },
        test_done    => sub { $self->_test_done(@_) },
    );
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

sub _listeners_of_rounds {
    my ($self) = @_;
    my %verbose = (
        test_started => sub { my ($test) = @_; $self->_print_line("  $test->{name}: @{ $test->{command} }") },
        pass_done    => sub { $self->_short_pass_done(@_) },
    );
    return (
        run_started => sub { $self->_print_line(UnixBench::Progress::Words::of_quick_run($_[0], $self->{quick})) },
        round_done  => sub { $self->_print_line(UnixBench::Progress::Words::of_round(@_)) },
        test_done   => sub { $self->_test_done_in_rounds(@_) },
        $self->{is_verbose} ? %verbose : (),
    );
}

sub _short_pass_done {
    my ($self, $pass, $test) = @_;
    return $self->_print_line("  $test->{name}: " . UnixBench::Progress::Words::of_pass($pass));
}

sub _test_done_in_rounds {
    my ($self, $test) = @_;
    return if $test->{status} ne 'skipped';
    return $self->_print_line(UnixBench::Progress::Words::of_skipped($test));
}

sub _observation_started {
    my ($self, $test, $run) = @_;
    my $title = UnixBench::Progress::Words::title($test, $run);
    return $self->_print("$title: " . UnixBench::Progress::Words::OBSERVING . "\n");
}

sub _print_line {
    my ($self, $line) = @_;
    return $self->_print(clean($line) . "\n");
}

sub _print {
    my ($self, $text) = @_;
    UnixBench::Process::Writer::put($self->{out}, $text);
    return;
}

1;
