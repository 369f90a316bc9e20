package UnixBench::Measure::Display;

# A virtual display for graphics tests on machines without a display: Xvfb, with its own display number and key. And how
# the renderer of any display is found out.

use strict;
use warnings;

use Fcntl qw(O_CREAT O_EXCL O_WRONLY);

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::Files        ();
use UnixBench::Measure::ValidPass ();
use UnixBench::Process::Child     ();
use UnixBench::Process::Server    ();

use constant {
    SCREEN   => '1280x1024x24',
    SOCKETS  => '/tmp/.X11-unix',       # where X servers have their sockets, see X(7)
    START_S  => 30,                     # limit until it is ready
    KEY_NAME => 'MIT-MAGIC-COOKIE-1',
    KEY_SIZE => 16,
    FRAME_S  => 20,                     # limit for drawing a frame
    ANY_HOST => 65_535,                 # FamilyWild in Xauth.h
};

# The names under which ubgears prints what draws.
my %PRINTED = (GL_RENDERER => 'name', GL_VERSION => 'opengl', X_SERVER => 'server', X_SCREEN => 'screen');

# Takes what renderer() returns, and the display, see UnixBench::Host::Machine; returns the name of the renderer, then
# key and value of each other fact. Without the variable of the session there is none.
sub facts {
    my ($seen, $display) = @_;
    my $session = $display eq 'given' ? $ENV{XDG_SESSION_TYPE} || 'none' : undef;
    return ($seen->{name}, session => $session, map { $_ => $seen->{$_} } qw(opengl server screen));
}

# Starts the display and returns it when clients can connect. Dies with one line if it does not start; then nothing is
# left of it. Takes process => UnixBench::Process, clock => UnixBench::Base::Clock, dir, a private directory,
# and perhaps start_s, the time limit.
sub start {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(process clock dir start_s));
    my %files = (key => "$given->{dir}/Xvfb.key", output => "$given->{dir}/Xvfb.output");
    my $self  = bless { start_s => START_S, %$given, %files }, $class;
    _write_key($self->{key});
    $self->{server} = UnixBench::Process::Server->start(
        command => sub {
            return [qw(Xvfb -displayfd), @_, qw(-screen 0), SCREEN, '-auth', $self->{key}, qw(-nolisten tcp -noreset)];
        },
        map { $_ => $self->{$_} } qw(process clock output)
    );
    if (($self->{server}->ready($self->{start_s}) // q{}) =~ /\A([0-9]+)\z/) {
        @$self{qw(number socket)} = ($1, SOCKETS . "/X$1");
        $self->{made} = _state_of($self->{socket});
        return $self;
    }
    my $complaint = $self->_complaint;
    $self->stop;
    die "the virtual display (Xvfb) did not start: $complaint\n";
}

# Returns the PID of the server.
sub pid { my ($self) = @_; return $self->{server}->pid }

# Returns the environment that clients need, { NAME => value }.
sub environment {
    my ($self) = @_;
    return { DISPLAY => ":$self->{number}", XAUTHORITY => $self->{key} };
}

# Ends it and removes its files, also the socket that a killed server leaves. If it had ended by itself, returns how:
# "killed by SIGSEGV", "exit status 1".
sub stop {
    my ($self) = @_;
    my $ended = $self->{server}->stop;
    unlink @$self{qw(key output)};
    unlink $self->{socket} if defined $self->{socket} && $self->{made} eq _state_of($self->{socket});
    return $ended;
}

# Takes the path of a socket; returns a text that tells it from that of a later server with the same number.
sub _state_of {
    my ($path) = @_;
    return join q{ }, grep { defined } (lstat $path)[0, 1, 10];    # device, inode, and second of the last change
}

# Takes a path; writes a key file as Xauth(3) reads it: family, address, number, name and data of one key. Each text
# comes after its length. Dies with one line if it can't.
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

# Returns the reason why it did not start: the signal that killed it, the line after "Fatal server error", or its first
# line. Its other output is about display numbers that other servers use.
sub _complaint {
    my ($self) = @_;
    my $status = $self->{server}->status // return "not ready after $self->{start_s} s";
    return UnixBench::Process::Child::ending($status) if $status & 127;
    my @lines    = split /\n/, UnixBench::Base::Files::content($self->{output}) // q{};
    my @said     = grep { /\S/ } map { s/[(]EE[)] ?//gr } @lines;
    my ($fatal)  = grep { $said[$_] =~ /Fatal server error/ } 0 .. $#said;
    my ($detail) = grep { /\AError: / } @said;
    my $why      = $said[defined $fatal ? $fatal + 1 : 0] // UnixBench::Process::Child::ending($status) // 'it ended';
    return defined $detail ? "$why ($detail)" : $why;
}

# Takes process, clock, sandbox => UnixBench::Measure::PassSandbox, and settings. Lets ubgears draw one frame. Returns
# what draws, { name (of OpenGL's renderer), opengl, server, screen }, or undef without a renderer; then the tests will
# report the reason.
sub renderer {
    my (%with) = @_;
    my $gears = "$with{settings}{bindir}/ubgears";
    return if !-x $gears;
    my $question = { command => [$gears, qw(-n 1 -v)], is_graphics => 1, limit_s => FRAME_S };
    my $maker    = UnixBench::Measure::ValidPass->new(
        one_pass => sub { $with{sandbox}->one_pass(@_) },
        map { $_ => $with{$_} } qw(process clock)
    );
    my $pass   = eval { $maker->make($question, undef, 1) };
    my ($copy) = $pass ? @{ $pass->{copies} } : ();
    my %said   = ($copy ? $copy->{output} : q{}) =~ /^(G?[LX]_[A-Z]+) *= *(\S.{0,199})/mg;
    my %seen   = map { $PRINTED{$_} => $said{$_} } grep { defined $said{$_} } keys %PRINTED;
    return defined $seen{name} ? \%seen : undef;
}

1;
