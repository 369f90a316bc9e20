package VirtualDisplay;

# An X server without a screen, for windows of the tests. It ends with its object. It also ends if the test is killed,
# because a keeper process waits at a pipe from the test. Signals that end the test may reach the keeper, too, and it
# ignores them.

use strict;
use warnings;

use Fcntl            qw(F_SETFD);
use IO::Socket::UNIX ();
use POSIX            ();
use Time::HiRes      ();

use InPath qw(path_of);

use constant PATIENCE_S => 300;
use constant SOCKETS    => '/tmp/.X11-unix';

my @ENDING = qw(HUP INT TERM);

# The reason why the last server could not be started, as a need.
our $WHY_NOT;

# Takes further arguments of Xvfb; returns a server that is ready, or undef with the reason in $WHY_NOT.
sub new {
    my ($class, @arguments) = @_;
    $WHY_NOT = [tool => 'Xvfb'];
    return if !path_of('Xvfb');
    my $had_sockets = -d SOCKETS;
    pipe my $told,  my $tell or die "pipe: $!\n";
    pipe my $lives, my $life or die "pipe: $!\n";
    my $keeper = fork // die "fork: $!\n";
    if (!$keeper) {
        close $_ for $told, $life;
        _keep($tell, $lives, $had_sockets, @arguments);
        POSIX::_exit(0);
    }
    close $_ for $tell, $lives;
    my $self = bless { keeper => $keeper, life => $life, owner => $$ }, $class;
    $self->{$_} = _line($told) for qw(pid number);
    return $self if length $self->{number};
    $WHY_NOT = [machine => 'an Xvfb that starts'];
    return;
}

# Returns the name of the display, for DISPLAY.
sub name { my ($self) = @_; return ":$self->{number}" }

# Return the process numbers of the server, which a test may kill, and of its keeper.
sub pid    { my ($self) = @_; return $self->{pid} }
sub keeper { my ($self) = @_; return $self->{keeper} }

# Ends the server and removes its files; may be called again.
sub stop {
    my ($self) = @_;
    my $life = delete $self->{life};
    return if !$life || $self->{owner} != $$;
    local ($?, $!);
    local $SIG{PIPE} = 'IGNORE';
    syswrite $life, '.';
    waitpid $self->{keeper}, 0;
    return;
}

sub DESTROY { my ($self) = @_; $self->stop; return }

# The keeper: starts the server, and writes its process number and, when it is ready, its display number. Ends the
# server when the test asks for it or ends. A killed server leaves its socket, which is removed.
sub _keep {
    my ($tell, $lives, $had_sockets, @arguments) = @_;
    POSIX::setsid();
    local @SIG{@ENDING} = ('IGNORE') x @ENDING;
    open STDIN, '<', '/dev/null' or return;
    open $_, '>', '/dev/null' or return for \*STDOUT, \*STDERR;
    my $number = '';
    pipe my $told, my $number_end or return;
    my $server = fork // return;
    _become_server($number_end, @arguments) if !$server;
    close $number_end;
    syswrite $tell, "$server\n";
    $number = _line($told);
    syswrite $tell, "$number\n";
    sysread $lives, my $nothing, 1;
    kill TERM => $server;
    waitpid $server, 0;
    my $socket = SOCKETS . "/X$number";
    unlink $socket if -S $socket && !IO::Socket::UNIX->new(Peer => $socket);
    rmdir SOCKETS if !$had_sockets;
    return;
}

sub _become_server {
    my ($number_end, @arguments) = @_;
    local @SIG{@ENDING} = ('DEFAULT') x @ENDING;
    fcntl $number_end, F_SETFD, 0;
    my @how = ('-displayfd', fileno $number_end, qw(-screen 0 1280x1024x24 -nolisten tcp -noreset));
    { no warnings 'exec'; exec 'Xvfb', @how, @arguments }
    POSIX::_exit(127);
}

# Returns the next line, or an empty text if none comes in time.
sub _line {
    my ($handle) = @_;
    my $until_s  = Time::HiRes::time() + PATIENCE_S;
    my $line     = '';
    while ($line !~ /\n\z/) {
        my $left_s = $until_s - Time::HiRes::time();
        vec(my $awaited = '', fileno $handle, 1) = 1;
        last if $left_s <= 0 || select($awaited, undef, undef, $left_s) <= 0;
        last if !sysread $handle, $line, 1, length $line;
    }
    return $line =~ s/\n\z//r;
}

1;
