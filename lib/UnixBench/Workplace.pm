package UnixBench::Workplace;

# Where passes are made: gives the copies of a test their commands, input and scratch, and takes away what they
# leave.

use strict;
use warnings;

use UnixBench::NoSpace ();
use UnixBench::Pass    ();

# Takes process, clock, scratch => UnixBench::Scratch and testdir, where tests are started.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# Takes a test of the plan and a number of copies; makes one pass and returns the results of the copies. Dies
# when they can't be started, with a UnixBench::NoSpace when the disk is full.
sub one_pass {
    my ($self, $test, $copies) = @_;
    my $results = eval { [$self->_pass($test, $copies)] };
    my $why_not = $@;
    $self->{scratch}->clear;
    die $why_not if !$results;
    return @$results;
}

# A program may fail because it has filled the disk: its files are gone with it, and that is its own affair. A disk
# that is full all the same is not.
sub _pass {
    my ($self, $test, $copies) = @_;
    my @results = UnixBench::Pass->new(process => $self->{process}, clock => $self->{clock})->run(
        command => sub { _command($test, @_) },
        scratch => $self->{scratch}->for_copies($copies),
        dir     => $self->{testdir},
        stdin   => defined $test->{input} ? "$self->{testdir}/$test->{input}" : '/dev/null',
        limit_s => $test->{limit_s},
    );
    die UnixBench::NoSpace->new("no space left for scratch files in $self->{scratch}{path}\n")
        if grep({ defined $_->{error} } @results) && $self->{scratch}->is_full;
    return @results;
}

sub _command {
    my ($test, $scratch) = @_;
    return [map { s/[{]scratch[}]/$scratch/r } @{ $test->{command} }];
}

1;
