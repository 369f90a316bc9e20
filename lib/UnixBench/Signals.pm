package UnixBench::Signals;

# The signals of this program: blocked, but for the moments in which it waits for them.
#
# All handlers are Perl's deferred ones: they run between two operations of Perl, never within one. A signal that
# comes between looking and waiting stays pending until sigsuspend(2) lets it in, so none is missed.

use strict;
use warnings;

use POSIX       ();
use Time::HiRes ();

my @DEADLY = qw(INT TERM HUP);
my @MOOT   = qw(PIPE XFSZ);      # what they tell, the write that failed tells too

# Catches the signals. give_back() ends it.
sub new {
    my ($class) = @_;
    my $self    = bless { continued => 0, old => {}, usual => POSIX::SigAction->new('DEFAULT') }, $class;
    my %handler = (
        CHLD => sub { },
        POLL => sub { },
        ALRM => sub { },
        CONT => sub { $self->{continued}++ },
        TSTP => sub { $self->{is_stop_wanted} = 1 },
    );
    for my $name (@DEADLY) {
        $handler{$name} = sub { $self->{interrupted} ||= $name };
    }
    delete @handler{ grep { ($SIG{$_} || q{}) eq 'IGNORE' } 'TSTP', @DEADLY };
    delete $handler{POLL} if !defined _number('POLL');
    $self->_catch(\%handler);
    $self->{moot} = { map { $_ => $SIG{$_} } @MOOT };
    $SIG{$_} = 'IGNORE' for @MOOT;
    return $self;
}

# Gives the signals back as they were; but once one has asked this program to end, no other keeps it from doing so in
# order.
sub give_back {
    my ($self) = @_;
    $self->poll;
    POSIX::sigaction(_number($_), $self->{old}{$_}) for keys %{ $self->{old} };
    $SIG{POLL} = 'IGNORE' if delete $self->{old}{POLL};      # by default it kills, and a handle may still be watched
    $SIG{$_} = $self->{moot}{$_} // 'DEFAULT' for @MOOT;
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), $self->{usual_mask}) if !$self->{interrupted};
    return;
}

# Waits until a signal comes, or for so many seconds at most.
sub wait_for {
    my ($self, $seconds) = @_;
    return $self->poll if $seconds <= 0;
    Time::HiRes::setitimer(Time::HiRes::ITIMER_REAL(), $seconds);
    POSIX::sigsuspend($self->{open_mask});
    Time::HiRes::setitimer(Time::HiRes::ITIMER_REAL(), 0);
    return;
}

# Lets in the signals that have come, without waiting.
sub poll {
    my ($self) = @_;
    my $pending = POSIX::SigSet->new;
    while (POSIX::sigpending($pending) && grep { $pending->ismember($_) } @{ $self->{numbers} }) {
        POSIX::sigsuspend($self->{open_mask});
    }
    return;
}

# The name of the signal that asked this program to end, or undef.
sub interrupted { my ($self) = @_; return $self->{interrupted} }

# Whether this program was asked to stop itself, which stop() does.
sub is_stop_wanted { my ($self) = @_; return $self->{is_stop_wanted} }

# How often SIGCONT came, but for the ends of stop().
sub continued { my ($self) = @_; return $self->{continued} }

# Stops this program as whoever asked for it expects, and returns when it goes on: at once where nobody could
# continue it, in an orphaned process group.
sub stop {
    my ($self)    = @_;
    my $continued = $self->{continued};
    my $tstp      = POSIX::SigSet->new(_number('TSTP'));
    POSIX::sigaction(_number('TSTP'), $self->{usual});
    kill TSTP => $$;
    POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), $tstp);
    POSIX::sigprocmask(POSIX::SIG_BLOCK(),   $tstp);
    POSIX::sigaction(_number('TSTP'), $self->{caught}{TSTP});
    $self->poll;
    @$self{qw(continued is_stop_wanted)} = ($continued, 0);
    return;
}

# For a child process, before it becomes another program: what is caught here kills there as usual.
sub give_to_child {
    my ($self) = @_;
    POSIX::sigaction(_number($_), $self->{usual}) for grep { $self->{caught}{$_} } 'TSTP', @DEADLY;
    return usual_for_child();
}

# The same for a child of a program that has caught nothing: no signal is blocked there, and what is ignored here kills.
sub usual_for_child {
    $SIG{$_} = 'DEFAULT' for @MOOT;
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), POSIX::SigSet->new);
    return;
}

sub _catch {
    my ($self, $handler) = @_;
    my %number = map { $_ => _number($_) } keys %$handler;
    my $mask   = POSIX::SigSet->new(values %number);
    $self->{numbers}    = [values %number];
    $self->{usual_mask} = POSIX::SigSet->new;
    POSIX::sigprocmask(POSIX::SIG_BLOCK(),   $mask, $self->{usual_mask});
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), undef, $self->{open_mask} = POSIX::SigSet->new);
    $self->{open_mask}->delset($_) for values %number;

    for my $name (keys %$handler) {
        my $action = $self->{caught}{$name} = POSIX::SigAction->new($handler->{$name}, $mask);
        $action->safe(1);
        $self->{old}{$name} = POSIX::SigAction->new;
        POSIX::sigaction($number{$name}, $action, $self->{old}{$name});
    }
    return;
}

# Undef for a signal that this system lacks.
sub _number {
    my ($name) = @_;
    my $number = POSIX->can("SIG$name");
    return eval { $number->() };
}

1;
