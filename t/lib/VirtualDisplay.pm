package VirtualDisplay;

# An X server without a screen, for windows of the tests. It ends with its object. It also ends if the test is killed,
# because a shell that waits at a pipe from the test ends it.

use strict;
use warnings;

use Fcntl            qw(FD_CLOEXEC F_DUPFD F_SETFD);
use IO::Socket::UNIX ();
use IPC::Open2       qw(open2);

use Place qw(path_of);

use constant PATIENCE_S => 300;
use constant SOCKETS    => '/tmp/.X11-unix';

# The reason why the last server could not be started, as a need.
our $WHY_NOT;

# Signals that end the test may reach this shell, too, and it ignores them.
my $KEEPER = <<'END';
Xvfb -displayfd 1 -screen 0 1280x1024x24 -nolisten tcp -noreset "$@" < /dev/null 2> /dev/null &
trap '' HUP INT TERM
echo "server $!"
read -r line
kill "$!" 2> /dev/null
wait "$!"
END

# Takes further arguments of Xvfb; returns a server that is ready, or undef with the reason in $WHY_NOT.
sub new {
    my ($class, @arguments) = @_;
    $WHY_NOT = [tool => 'Xvfb'];
    return if !path_of('Xvfb');
    my $self = bless { had_sockets => -d SOCKETS, owner => $$ }, $class;
    $self->{keeper} = open2(my $told, my $life, 'sh', '-c', $KEEPER, 'sh', @arguments);

    # The descriptors of one digit are left to tests that redirect them.
    my $high = fcntl $life, F_DUPFD, 32;
    open $self->{life}, '>&=', $high or die "life: $!\n";
    fcntl $self->{life}, F_SETFD, FD_CLOEXEC;
    close $life;
    $WHY_NOT = [machine => 'an Xvfb that starts'];
    local $SIG{ALRM} = sub { kill KILL => $self->{pid} // () };
    alarm PATIENCE_S;

    while (!defined $self->{number} && defined(my $line = readline $told)) {
        $self->{ $1 ? 'pid' : 'number' } = $2 if $line =~ /\A(server )?([0-9]+)$/;
        last if $self->{pid} && !kill 0 => $self->{pid};
    }
    alarm 0;
    return defined $self->{number} ? $self : undef;
}

# Returns the name of the display, for DISPLAY.
sub name { my ($self) = @_; return ":$self->{number}" }

# Returns the process number of the server, which a test may kill.
sub pid { my ($self) = @_; return $self->{pid} }

# Ends the server and removes its files; may be called again. A killed server leaves its socket.
sub stop {
    my ($self) = @_;
    my $life = delete $self->{life};
    return if !$life || $self->{owner} != $$;
    local ($?, $!);
    close $life;
    waitpid $self->{keeper}, 0;
    my $socket = SOCKETS . '/X' . ($self->{number} // 'none');
    unlink $socket if -S $socket && !IO::Socket::UNIX->new(Peer => $socket);
    rmdir SOCKETS if !$self->{had_sockets};
    return;
}

sub DESTROY { my ($self) = @_; $self->stop; return }

1;
