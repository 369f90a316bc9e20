package PseudoTerminal;

# A terminal of its own for a program: this one types what it reads, and sees what it writes there.

use strict;
use warnings;

use Fcntl       qw(O_NOCTTY O_NONBLOCK O_RDWR);
use POSIX       ();
use Time::HiRes ();

use constant { ROWS => 24, READ_SIZE => 65_536 };

# Of Linux, ioctl_tty(2); where they are others there is no terminal to be had here.
use constant { TIOCSPTLCK => 0x40045431, TIOCGPTN => 0x80045430, TIOCSWINSZ => 0x5414 };

# Takes its width; returns a terminal, or undef where none can be had.
sub new {
    my ($class, $columns) = @_;
    sysopen my $own, '/dev/ptmx', O_RDWR | O_NOCTTY | O_NONBLOCK or return;
    my ($unlocked, $number) = map { pack 'i', 0 } 1, 2;
    ioctl($own, TIOCSPTLCK, $unlocked) && ioctl($own, TIOCGPTN, $number) || return;
    my $path = '/dev/pts/' . unpack 'i', $number;
    sysopen my $kept, $path, O_RDWR | O_NOCTTY or return;    # while no program has it, too, it is no less there
    my $self = bless { own => $own, kept => $kept, path => $path, seen => q{} }, $class;
    return $self->resize($columns) ? $self : undef;
}

# Takes the numbers of standard handles and a command; returns the command that is this one with those handles on the
# terminal, which controls it.
sub command {
    my ($self, $handles, @command) = @_;
    my ($directory) = $INC{'PseudoTerminal.pm'} =~ m{\A(.*)/};
    return ($^X, "-I$directory", '-MPseudoTerminal', '-e', 'PseudoTerminal::become(@ARGV)',
        $self->{path}, "@$handles", @command);
}

# What such a command does first; the process must not lead its group.
sub become {
    my ($path, $handles, @command) = @_;
    POSIX::setsid();
    open my $terminal, '+<', $path or die "$path: $!\n";
    POSIX::dup2(fileno $terminal, $_) for split q{ }, $handles;
    exec { $command[0] } @command or die "$command[0]: $!\n";
}

# Takes another width; returns whether it has that now.
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

# All that was written on it so far.
sub seen {
    my ($self) = @_;
    1 while sysread $self->{own}, $self->{seen}, READ_SIZE, length $self->{seen};
    return $self->{seen};
}

# Sleeps until there is more to see, for so many seconds at most.
sub wait_for_more {
    my ($self, $patience_s) = @_;
    vec(my $own = q{}, fileno $self->{own}, 1) = 1;
    return select $own, undef, undef, $patience_s;
}

1;
