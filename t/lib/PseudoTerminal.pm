package PseudoTerminal;

# A pseudo-terminal for a program: the test types its input and reads its output.

use strict;
use warnings;

use Fcntl qw(O_NOCTTY O_NONBLOCK O_RDWR);
use POSIX ();

use constant { ROWS => 24, READ_SIZE => 65_536 };

# Numbers of Linux, ioctl_tty(2). On systems with other numbers there is no terminal for tests.
use constant { TIOCSPTLCK => 0x40045431, TIOCGPTN => 0x80045430, TIOCSWINSZ => 0x5414 };

# Takes the number of columns; returns a terminal, or undef if there is none.
sub new {
    my ($class, $columns) = @_;
    sysopen my $own, '/dev/ptmx', O_RDWR | O_NOCTTY | O_NONBLOCK or return;
    my ($unlocked, $number) = map { pack 'i', 0 } 1, 2;
    ioctl($own, TIOCSPTLCK, $unlocked) && ioctl($own, TIOCGPTN, $number) || return;
    my $path = '/dev/pts/' . unpack 'i', $number;
    sysopen my $kept, $path, O_RDWR | O_NOCTTY or return;    # keeps the terminal alive while no program has it open
    my $self = bless { own => $own, kept => $kept, path => $path, seen => q{} }, $class;
    return $self->resize($columns) ? $self : undef;
}

# Takes the numbers of file descriptors and a command; returns a command that runs it with these on the terminal, as its
# controlling terminal.
sub command {
    my ($self, $handles, @command) = @_;
    my ($directory) = $INC{'PseudoTerminal.pm'} =~ m{\A(.*)/};
    return ($^X, "-I$directory", '-MPseudoTerminal', '-e', 'PseudoTerminal::become(@ARGV)',
        $self->{path}, "@$handles", @command);
}

# Becomes the command, with the terminal at these file descriptors. The process must not lead its process group.
sub become {
    my ($path, $handles, @command) = @_;
    POSIX::setsid();
    open my $terminal, '+<', $path or die "$path: $!\n";
    POSIX::dup2(fileno $terminal, $_) for split q{ }, $handles;
    exec { $command[0] } @command or die "$command[0]: $!\n";
}

# Takes a number of columns; returns whether the terminal has that width now.
sub resize {
    my ($self, $columns) = @_;
    my $size = pack 'S4', ROWS, $columns, 0, 0;
    return ioctl $self->{own}, TIOCSWINSZ, $size;
}

# Types these keys.
sub type {
    my ($self, $keys) = @_;
    return syswrite $self->{own}, $keys;
}

# Returns everything that was written to the terminal so far.
sub seen {
    my ($self) = @_;
    1 while sysread $self->{own}, $self->{seen}, READ_SIZE, length $self->{seen};
    return $self->{seen};
}

1;
