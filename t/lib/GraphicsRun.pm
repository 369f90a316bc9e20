package GraphicsRun;

# A run with the real gfx-x11, ubgears, x11perf and Xvfb, and without DISPLAY. x11perf does few repetitions.

use strict;
use warnings;

use parent 'TestRun';

use IO::Socket::UNIX ();
use Socket           qw(SOCK_STREAM);
use Test::More;

use Place qw(eventually of_environment path_of);

# Returns the missing need of such a run, as Needs::skip_without takes it, or undef.
sub why_not {
    for my $program (qw(Xvfb x11perf)) {
        return [tool => $program] if !path_of($program);
    }
    return -x "$TestRun::HOME/pgms/ubgears" ? undef : [program => 'ubgears'];
}

# Takes the arguments of TestRun. X11PERF_REPS in env sets the number of repetitions of x11perf.
sub new {
    my ($class, %with) = @_;
    my %program = map { $_ => "../../pgms/$_" } qw(gfx-x11 ubgears);
    my %env = (PATH => "$TestRun::BIN/quick:$ENV{PATH}", DISPLAY => q{}, XAUTHORITY => q{}, UB_TIME_FACTOR => '0.01');
    my $before = { map { $_ => 1 } _traces() };
    my $self   = $class->SUPER::new(
        %with,
        programs => { %program, %{ $with{programs} || {} } },
        env      => { %env,     %{ $with{env}      || {} } },
    );
    $self->{before} = $before;
    return $self;
}

# Returns the process numbers of its X servers.
sub servers { my ($self) = @_; return $self->commands_of('Xvfb') }

# Takes the name of a program, and words that may follow it; returns the numbers of the run's processes with that
# command line.
sub commands_of {
    my ($self, $words) = @_;
    return
        grep { Place::content("/proc/$_/cmdline") =~ tr/\0/ /r =~ qr{\A(?:\S*/)?\Q$words\E } }
        of_environment($self->place);
}

# Tests that an ended run soon leaves no process, no scratch file, no socket and no lock.
sub all_gone {
    my ($self) = @_;
    ok(eventually(sub { !of_environment($self->place) }), 'no process of the run is left');
    ok(eventually(sub { !$self->left }),                  'the scratch directory is empty') or diag $self->left;
    ok(eventually(sub { $self->has_sockets_as_before }),  'no X server leaves a socket or a lock');
    return;
}

# Returns whether the X servers of this run, which have ended, have left no lock and no socket. Those of running servers
# do not count.
sub has_sockets_as_before {
    my ($self) = @_;
    my @new    = grep { !$self->{before}{$_} } _traces();
    return !grep { !IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => $_) } @new;
}

sub _traces { return glob '/tmp/.X*-lock /tmp/.X11-unix/*' }
1;
