package UnixBench::Signals;

# The signals of this program. They are blocked but for the moments in which it lets them in, so that none is lost
# between looking and sleeping, and none interrupts anything else.

use strict;
use warnings;

use POSIX ();

my @DEADLY = qw(INT TERM HUP);
my @MOOT   = qw(PIPE XFSZ);      # what they tell, the write that failed tells too

# Catches the signals. Each that is let in writes a byte to that handle, which must not wait. give_back() ends it.
sub new {
    my ($class, $wake) = @_;
    my $self    = bless { stops => 0, old => {} }, $class;
    my %handler = (
        CHLD => sub { syswrite $wake, q{c} },
        CONT => sub { $self->{stops}++;            syswrite $wake, q{c} },
        TSTP => sub { $self->{is_stop_wanted} = 1; syswrite $wake, q{t} },
    );
    for my $name (@DEADLY) {
        $handler{$name} = sub { $self->{interrupted} ||= $name; syswrite $wake, q{d} };
    }
    delete @handler{ grep { ($SIG{$_} || q{}) eq 'IGNORE' } 'TSTP', @DEADLY };
    $self->_catch(\%handler);
    $self->{moot} = { map { $_ => $SIG{$_} } @MOOT };
    $SIG{$_} = 'IGNORE' for @MOOT;
    return $self;
}

# Gives the signals back as they were; but once one has asked this program to end, no other keeps it from doing so in
# order.
sub give_back {
    my ($self) = @_;
    POSIX::sigaction(_number($_), $self->{old}{$_}) for keys %{ $self->{old} };
    $SIG{$_} = $self->{moot}{$_} // 'DEFAULT' for @MOOT;
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), $self->{usual_mask}) if !$self->{interrupted};
    return;
}

sub let_in   { my ($self) = @_; return POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), $self->{mask}) }
sub keep_out { my ($self) = @_; return POSIX::sigprocmask(POSIX::SIG_BLOCK(),   $self->{mask}) }

# The name of the signal that asked this program to end, or undef.
sub interrupted { my ($self) = @_; return $self->{interrupted} }

# Whether this program was asked to stop itself, which stop() does.
sub is_stop_wanted { my ($self) = @_; return $self->{is_stop_wanted} }

# How often this program was stopped and continued so far, by whatever signal; signals that have come count.
sub stops {
    my ($self) = @_;
    $self->let_in;
    $self->keep_out;
    return $self->{stops};
}

# Stops this program as whoever asked for it expects, and returns when it goes on: at once where nobody could
# continue it, in an orphaned process group. Counts as one stop in either case. Signals must be kept out.
sub stop {
    my ($self) = @_;
    my $stops  = $self->{stops};
    my $both   = POSIX::SigSet->new(map { _number($_) } qw(TSTP CONT));
    POSIX::sigaction(_number('TSTP'), POSIX::SigAction->new('DEFAULT'));
    kill TSTP => $$;
    POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), $both);
    POSIX::sigprocmask(POSIX::SIG_BLOCK(),   $both);
    POSIX::sigaction(_number('TSTP'), $self->{caught}{TSTP});
    @$self{qw(stops is_stop_wanted)} = ($stops + 1, 0);
    return;
}

# For a child process, before it becomes another program: what is ignored here kills as usual there.
sub give_to_child {
    my ($self) = @_;
    usual_for_child();
    return $self->let_in;
}

# The same for a child of a program that has caught nothing yet, but ignores them.
sub usual_for_child {
    $SIG{$_} = 'DEFAULT' for @MOOT;
    return;
}

# The handlers are POSIX's immediate ones: one that waits for Perl to be ready would not wake a sleeper whose
# signal came just before it fell asleep. While one runs, the others wait.
sub _catch {
    my ($self, $handler) = @_;
    $self->{mask}       = POSIX::SigSet->new(map { _number($_) } keys %$handler);
    $self->{usual_mask} = POSIX::SigSet->new;
    POSIX::sigprocmask(POSIX::SIG_BLOCK(), $self->{mask}, $self->{usual_mask});
    for my $name (keys %$handler) {
        my $flags = $name eq 'CHLD' ? POSIX::SA_NOCLDSTOP() : 0;
        $self->{caught}{$name} = POSIX::SigAction->new($handler->{$name}, $self->{mask}, $flags);
        $self->{old}{$name}    = POSIX::SigAction->new;
        POSIX::sigaction(_number($name), $self->{caught}{$name}, $self->{old}{$name});
    }
    return;
}

sub _number { my ($name) = @_; return POSIX->can("SIG$name")->() }

1;
