package UnixBench::Workplace;

# Where passes are made: gives the copies of a test their commands, input and scratch, and takes away what they
# leave.

use strict;
use warnings;

use UnixBench::NoSpace        ();
use UnixBench::Pass           ();
use UnixBench::VirtualDisplay ();

# Takes process, clock, scratch => UnixBench::Scratch, testdir, where tests are started, and display, see
# UnixBench::Host.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# Takes a test of the plan and a number of copies; makes one pass and returns the results of the copies. Dies
# when they can't be started, with a UnixBench::NoSpace when the disk is full.
sub one_pass {
    my ($self, $test, $copies) = @_;
    my $is_virtual = $test->{is_graphics} && ($self->{display} // q{}) eq 'virtual';
    my $results =
        eval { [$is_virtual ? $self->_pass_on_virtual_display($test, $copies) : $self->_pass($test, $copies)] };
    my $why_not = $@;
    $why_not = $self->_no_space if !$results && $self->{scratch}->is_full;
    $self->{scratch}->clear;
    die $why_not if !$results;
    return @$results;
}

# Each pass has a display of its own, so that none is there between passes, and none carries anything over. When it
# has ended by itself, that is why copies have failed.
sub _pass_on_virtual_display {
    my ($self, $test, $copies) = @_;
    my $display = UnixBench::VirtualDisplay->start(
        process => $self->{process},
        clock   => $self->{clock},
        dir     => $self->{scratch}->directory('display')
    );
    my $results = eval { [$self->_pass($test, $copies, $display->environment)] };
    my $why_not = $@;
    my $ended   = $display->stop;
    die $why_not if !$results;
    for my $copy (grep { defined $_->{error} && defined $ended } @$results) {
        $copy->{error} .= "; the virtual display (Xvfb) has ended: $ended";
        $copy->{data}{ERROR} = $copy->{error};
    }
    return @$results;
}

# A program may fail because it has filled the disk: its files are gone with it, and that is its own affair. A disk
# that is full all the same is not.
sub _pass {
    my ($self, $test, $copies, $environment) = @_;
    my @results = UnixBench::Pass->new(process => $self->{process}, clock => $self->{clock})->run(
        command => sub { _command($test, @_) },
        scratch => $self->{scratch}->for_copies($copies),
        dir     => $self->{testdir},
        stdin   => defined $test->{input} ? "$self->{testdir}/$test->{input}" : '/dev/null',
        limit_s => $test->{limit_s},
        env     => $environment,
    );
    die $self->_no_space if grep({ defined $_->{error} } @results) && $self->{scratch}->is_full;
    return @results;
}

sub _no_space {
    my ($self) = @_;
    return UnixBench::NoSpace->new("no space left for scratch files in $self->{scratch}{path}\n");
}

sub _command {
    my ($test, $scratch) = @_;
    return [map { s/[{]scratch[}]/$scratch/r } @{ $test->{command} }];
}

1;
