package UnixBench::Workplace;

# Where passes are made: gives the copies of a test their commands, input and scratch, and takes away what they
# leave.

use strict;
use warnings;

use UnixBench::NoSpace        ();
use UnixBench::Pass           ();
use UnixBench::Server         ();
use UnixBench::VirtualDisplay ();

# Takes process, clock, scratch => UnixBench::Scratch, testdir, where tests are started, and display, see
# UnixBench::Host.
sub new {
    my ($class, %with) = @_;
    return bless {%with}, $class;
}

# Takes a test of the plan and a number of copies; makes one pass and returns the results of the copies. Dies when
# they can't be started, with a UnixBench::NoSpace when the disk is full. Perhaps around => { before, words, after }:
# functions to call right before the copies are started, with the words of each, from which those come that start it,
# and when all have ended; and is_followed, whether what follows them writes scratch files, too.
sub one_pass {
    my ($self, $test, $copies, $around) = @_;
    my $is_virtual = $test->{is_graphics} && ($self->{display} // q{}) eq 'virtual';
    my @pass       = ($test, $copies, $around || { before => sub { }, words => sub { $_[0] }, after => sub { } });
    my $results    = eval { [$is_virtual ? $self->_pass_on_virtual_display(@pass) : $self->_pass(@pass)] };
    my $why_not    = $@;
    $why_not = $self->_no_space if !$results && $self->{scratch}->is_full;
    $self->{scratch}->clear;
    die $why_not if !$results;
    return @$results;
}

# Each pass has a display of its own, so that none is there between passes, and none carries anything over. When it
# has ended by itself, that is why copies have failed.
sub _pass_on_virtual_display {
    my ($self, $test, $copies, $around) = @_;
    my $display = UnixBench::VirtualDisplay->start(
        process => $self->{process},
        clock   => $self->{clock},
        dir     => $self->{scratch}->directory('display')
    );
    my $results = eval { [$self->_pass($test, $copies, $around, $display->environment)] };
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
    my ($self, $test, $copies, $around, $environment) = @_;
    my $scratch = $self->{scratch}->for_copies($copies);
    $self->_prepare($test, $_) for @$scratch;
    my $pass = UnixBench::Pass->new(process => $self->{process}, clock => $self->{clock});
    $around->{before}->();
    my $results = eval {
        [
            $pass->run(
                command => sub { $around->{words}->(_filled_in($test->{command}, @_)) },
                scratch => $scratch,
                dir     => $self->{testdir},
                stdin   => defined $test->{input} ? "$self->{testdir}/$test->{input}" : '/dev/null',
                limit_s => $test->{limit_s},
                env     => $environment,
            )
        ];
    };
    my $why_not = $@;
    die $why_not if !$results;
    $around->{after}->();
    my $is_suspect = $around->{is_followed} || grep { defined $_->{error} } @$results;
    die $self->_no_space if $is_suspect && $self->{scratch}->is_full;
    return @$results;
}

# What a test wants to have been done in the directory of each copy.
sub _prepare {
    my ($self, $test, $scratch) = @_;
    my $command = $test->{first} or return;
    my $output  = "$scratch.first";
    my $first   = UnixBench::Server->start(
        command => sub { _filled_in($command, $scratch) },
        output  => $output,
        map { $_ => $self->{$_} } qw(process clock)
    );
    my $status = $first->ended_within($test->{limit_s});
    $first->stop;
    return if defined $status && !$status || $self->{process}->interrupted;
    my $why_not = UnixBench::Server::complaint($status, $output, qr/\AERROR[|]/);
    die "$command->[0], which comes before the copies: $why_not\n";
}

sub _no_space {
    my ($self) = @_;
    return UnixBench::NoSpace->new("no space left for scratch files in $self->{scratch}{path}\n");
}

# A word of the catalog begins with {scratch}. A path that names some {scratch} is absolute, so it is left as it is.
sub _filled_in {
    my ($command, $scratch)   = @_;
    my ($program, @arguments) = @$command;
    return [$program, map { s/\A[{]scratch[}]/$scratch/r } @arguments];
}

1;
