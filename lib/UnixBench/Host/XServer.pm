package UnixBench::Host::XServer;

# A connection to an X server, as a client begins it. It shows whether a display can be opened before tests need it. An
# X server with no client may reset itself and refuse the next one, so it also keeps the server as it is.

use strict;
use warnings;

use IO::Select ();
use Socket     ();

use UnixBench::Base::Files ();
use UnixBench::Base::Text  qw(clean);

use constant {
    LIMIT_S   => 5,                      # for a connection, and for an answer to it
    PORT      => 6000,                   # of display 0
    VERSION   => 11,
    KEY_NAME  => 'MIT-MAGIC-COOKIE-1',
    KEYS_MOST => 8,
    ACCEPTED  => 1,
};

use constant NO_ANSWER => 'no answer in ' . LIMIT_S . " s\n";

my $NAME = qr{\A(?:(?:unix|tcp|inet6?|local)/)?([^:/]*)(?:/unix)?:([0-9]{1,5})(?:[.][0-9]{1,5})?\z};

# Takes the environment; connects to the display in DISPLAY. Returns the connection, or undef if the name of the display
# has a form that only its libraries know. Dies with one line, the reason, if the display can't be opened.
sub connected {
    my ($class, $env)    = @_;
    my ($host,  $number) = $env->{DISPLAY} =~ $NAME;
    if (!defined $number) {
        return if $env->{DISPLAY} =~ m{:[0-9]} && $env->{DISPLAY} =~ m{\A/|::|\[};
        die "it is not the name of a display, such as :0\n";
    }
    my $why_not;
    for my $key (_keys($env, $number), undef) {
        my $socket = _socket($host, $number);
        $why_not = _refusal($socket, $key) // return bless { socket => $socket }, $class;
    }
    die "$why_not\n";
}

# Returns the PID of the server, or of the program that listens for it, or undef if it is not a process of this machine.
sub pid {
    my ($self) = @_;
    my $peer = eval { getsockopt $self->{socket}, Socket::SOL_SOCKET, Socket::SO_PEERCRED() } // q{};
    return length $peer && unpack('i', $peer) || undef;
}

# Returns the keys for the display of that number, from the file that xauth keeps. Each entry of the file has a family,
# an address, a number, a name and data, see Xau(3).
sub _keys {
    my ($env, $number) = @_;
    my $path = $env->{XAUTHORITY}                     // ($env->{HOME} // q{}) . '/.Xauthority';
    my $rest = UnixBench::Base::Files::content($path) // q{};
    my @keys;
    while ($rest =~ s/\A..//s) {
        my (undef, $of, $name, $key) = my @fields = eval { unpack '(n/a*)4', $rest };
        last if @fields < 4;
        substr $rest, 0, 2 * @fields + length join(q{}, @fields), q{};
        push @keys, $key if $name eq KEY_NAME && ($of eq q{} || $of eq $number);
    }
    splice @keys, KEYS_MOST if @keys > KEYS_MOST;
    return @keys;
}

sub _socket {
    my ($host, $number) = @_;
    my $port    = PORT + $number;
    my $is_here = $host eq q{} || $host eq 'unix';
    my $address =
        $is_here
        ? Socket::pack_sockaddr_un("/tmp/.X11-unix/X$number")
        : Socket::pack_sockaddr_in($port, Socket::inet_aton($host) // die "its host is unknown\n");
    socket my $socket, ($is_here ? Socket::PF_UNIX : Socket::PF_INET), Socket::SOCK_STREAM, 0 or die "socket: $!\n";
    $socket->blocking(0);
    return $socket if connect $socket, $address;
    die "$!\n" if !$!{EINPROGRESS};
    die NO_ANSWER if !IO::Select->new($socket)->can_write(LIMIT_S);
    local $! = unpack 'i', getsockopt $socket, Socket::SOL_SOCKET, Socket::SO_ERROR;
    return $! ? die "$!\n" : $socket;
}

# Takes a socket and a key, or undef; asks for a connection as in chapter 8 of the X Window System Protocol. Returns why
# the server refuses it, or undef. Dies with one line without an answer.
sub _refusal {
    my ($socket, $key) = @_;
    local $SIG{PIPE} = 'IGNORE';
    my ($name, $data) = defined $key ? (KEY_NAME, $key) : (q{}, q{});
    my $padded = join q{}, map { $_ . "\0" x (-length($_) % 4) } $name, $data;
    syswrite $socket,
        pack('a x S4 x2', (pack('S', 1) eq "\1\0" ? 'l' : 'B'), VERSION, 0, map { length } $name, $data) . $padded;
    my $answer = q{};
    my $wanted = 8;
    while (length $answer < $wanted) {
        die NO_ANSWER if !IO::Select->new($socket)->can_read(LIMIT_S);
        sysread($socket, $answer, $wanted - length $answer, length $answer) or return 'it closed the connection';
        return if ord $answer == ACCEPTED;
        $wanted = 8 + 4 * unpack 'x6 S', $answer if length $answer == 8;
    }
    return clean(substr($answer, 8, unpack 'x C', $answer) =~ s/\s+\z//r);
}

1;
