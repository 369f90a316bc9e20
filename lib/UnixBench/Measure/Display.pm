package UnixBench::Measure::Display;

# A display of our own for the graphics tests, where there is no other: Xvfb, with a number that nobody else has and a
# key that nobody else knows.

use strict;
use warnings;

use Errno  qw(ECONNREFUSED);
use Fcntl  qw(O_CREAT O_EXCL O_WRONLY);
use Socket qw(PF_UNIX SOCK_STREAM pack_sockaddr_un);

use UnixBench::Base::Files        ();
use UnixBench::Base::Format       ();
use UnixBench::Process::EventLoop ();
use UnixBench::Process::Server    ();

use constant {
    SCREEN   => '1280x1024x24',
    START_S  => 30,                     # until it is ready
    SOCKETS  => '/tmp/.X11-unix',       # X servers keep it there, whatever TMPDIR says
    KEY_NAME => 'MIT-MAGIC-COOKIE-1',
    KEY_SIZE => 16,
    ANY_HOST => 65_535,                 # FamilyWild in Xauth.h
};

# Starts it and returns it when clients may come. Takes process => UnixBench::Process::Process, clock =>
# UnixBench::Base::Clock and dir, a private directory; and start_s, how long it may take. Dies with one line, and leaves
# nothing behind, when it does not start.
sub start {
    my ($class, %with) = @_;
    my $self = bless { start_s => START_S, %with, key => "$with{dir}/Xvfb.key", output => "$with{dir}/Xvfb.output" },
        $class;
    _write_key($self->{key});
    $self->{had_sockets} = -d SOCKETS;
    $self->{process}->own(SOCKETS) if !$self->{had_sockets};
    $self->{server} = UnixBench::Process::Server->start(
        command => sub { $self->_command(@_) },
        map { $_ => $self->{$_} } qw(process clock output)
    );
    ($self->{number}) = ($self->{server}->ready($self->{start_s}) // q{}) =~ /\A([0-9]+)\z/;
    return $self if defined $self->{number};
    my $complaint = $self->_complaint;
    $self->stop;
    die "the virtual display (Xvfb) did not start: $complaint\n";
}

# The number of its process.
sub pid { my ($self) = @_; return $self->{server}->pid }

# What clients need in their environment, { NAME => value }.
sub environment {
    my ($self) = @_;
    return { DISPLAY => ":$self->{number}", XAUTHORITY => $self->{key} };
}

# Ends it and removes what it leaves. Returns, when it has ended otherwise than by that, how: "killed by SIGSEGV", "exit
# status 1".
sub stop {
    my ($self) = @_;
    my $ended = $self->{server}->stop;
    $self->_remove_traces;
    return $ended;
}

sub _command {
    my ($self, $ready) = @_;
    return [qw(Xvfb -displayfd), $ready, qw(-screen 0), SCREEN, '-auth', $self->{key}, qw(-nolisten tcp -noreset)];
}

# A file as Xauth(3) reads it: family, address, number, name and data of one key, each text behind its length.
sub _write_key {
    my ($path) = @_;
    open my $random, '<:raw', '/dev/urandom' or die "can't read /dev/urandom: $!\n";
    sysread $random, my $key, KEY_SIZE;
    close $random;
    my $record = pack 'n (n/a*)4', ANY_HOST, q{}, q{}, KEY_NAME, $key;
    unlink $path;
    sysopen my $file, $path, O_CREAT | O_EXCL | O_WRONLY, 0600 or die "can't write $path: $!\n";
    UnixBench::Base::Files::append($file, $record) or die "can't write $path: $!\n";
    close $file;
    return;
}

# Why it did not start: how it was ended by others, or what it said behind the words "Fatal server error", or at first.
# What else it says is about numbers that others have.
sub _complaint {
    my ($self) = @_;
    my $status = $self->{server}->status // return "not ready after $self->{start_s} s";
    return UnixBench::Base::Format::ending($status) if $status & 127;
    my @lines    = split /\n/, UnixBench::Base::Files::content($self->{output}) // q{};
    my @said     = grep { /\S/ } map { s/[(]EE[)] ?//gr } @lines;
    my ($fatal)  = grep { $said[$_] =~ /Fatal server error/ } 0 .. $#said;
    my ($detail) = grep { /\AError: / } @said;
    my $why      = $said[defined $fatal ? $fatal + 1 : 0] // UnixBench::Base::Format::ending($status) // 'it ended';
    return defined $detail ? "$why ($detail)" : $why;
}

# It can't remove its socket when it is killed. A server that picks its number itself makes no lock.
sub _remove_traces {
    my ($self) = @_;
    my $socket = SOCKETS . '/X' . ($self->{number} // q{});
    unlink $socket if defined $self->{number} && _is_dead($socket);
    $self->{process}->remove(SOCKETS) if !$self->{had_sockets};
    unlink @$self{qw(key output)};
    return;
}

# Whether nobody listens at a socket; another server may have the number by now.
sub _is_dead {
    my ($path) = @_;
    socket my $client, PF_UNIX, SOCK_STREAM, 0 or return;
    UnixBench::Process::EventLoop::no_waiting($client);
    my $is_refused = !connect($client, pack_sockaddr_un($path)) && $! == ECONNREFUSED;
    close $client;
    return $is_refused;
}

1;
