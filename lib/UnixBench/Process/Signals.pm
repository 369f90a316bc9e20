package UnixBench::Process::Signals;

# The signals of this program, which are blocked except while it waits for them.
#
# All handlers are Perl's deferred ones: they run between two operations of Perl, never within one. A signal that
# arrives between the check and the wait stays pending until sigsuspend(2) lets it in. So none is missed.

use strict;
use warnings;

use Config     qw(%Config);
use List::Util ();
use POSIX      ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Halt      ();

use constant LEAST_S => 1.5e-6;    # of a timer, which counts whole microseconds

# This class needs two of them for itself: an alarm ends a wait, and POLL reports that something can be read.
my @DEADLY = grep { !/\A(?:ALRM|POLL)\z/ } UnixBench::Base::Halt::deadly_signals();
my @MOOT   = qw(PIPE XFSZ);                                                           # a failed write shows the same

# The signal that asked this program to end; whether an object of this class has caught the signals; and the time at
# which an alarm is due that was set before the signals were caught.
my ($asked, $is_caught, $alarm_at_s);

# Catches the signals until give_back(). An alarm that was set before counts as a request to end when it is due.
sub new {
    my ($class, @given) = @_;
    named(\@given);
    require Time::HiRes;    # not in perl-base; needed only to catch signals
    my $self = bless { continued => 0, old => {}, usual => POSIX::SigAction->new('DEFAULT') }, $class;
    ($asked, $is_caught, $alarm_at_s) = (undef, 1);
    my %handler = (
        CHLD => sub { $self->{has_come}   = 1 },
        POLL => sub { $self->{has_come}   = 1 },
        ALRM => sub { $self->{is_alarmed} = 1 },
        CONT => sub { $self->{has_come}   = ++$self->{continued} },
        TSTP => sub { $self->{has_come}   = $self->{is_stop_wanted} = 1 },
    );
    for my $name (@DEADLY) {
        $handler{$name} = sub { $self->{has_come} = $asked = $self->{interrupted} ||= $name };
    }
    delete @handler{ grep { ($SIG{$_} || q{}) eq 'IGNORE' } 'TSTP', @DEADLY };
    $self->{ignores_alarms} = ($SIG{ALRM} || q{}) eq 'IGNORE';
    my $left_s = Time::HiRes::getitimer(Time::HiRes::ITIMER_REAL());
    $alarm_at_s = _now_s() + $left_s if $left_s && !$self->{ignores_alarms};
    delete $handler{POLL} if !defined number('POLL');
    $self->_catch(\%handler);
    $self->{moot} = { map { $_ => $SIG{$_} } @MOOT };
    $SIG{$_} = 'IGNORE' for @MOOT;
    return $self;
}

# Restores the signals as they were. If one has asked this program to end, the signals stay blocked, so that it can
# clean up and end.
sub give_back {
    my ($self) = @_;
    $self->poll;
    $is_caught = 0;
    Time::HiRes::setitimer(Time::HiRes::ITIMER_REAL(), _not_less($alarm_at_s - _now_s()))
        if $alarm_at_s;
    POSIX::sigaction(number($_), $self->{old}{$_}) for keys %{ $self->{old} };
    $SIG{POLL} = 'IGNORE' if delete $self->{old}{POLL};      # by default it kills, and a handle may still be watched
    $SIG{$_} = $self->{moot}{$_} // 'DEFAULT' for @MOOT;
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), $self->{usual_mask}) if !$self->{interrupted};
    return;
}

# Takes seconds. Waits at most that long for a signal, or not at all if one has arrived since heed(). Returns whether
# one has arrived. It sleeps at most once: UnixBench::Process::LostTime relies on that.
sub wait {    ## no critic (ProhibitBuiltinHomonyms)
    my ($self, $seconds) = @_;
    return 1 if $self->{has_come};
    $seconds = List::Util::min($seconds, $alarm_at_s - _now_s()) if defined $alarm_at_s;
    defined Time::HiRes::setitimer(Time::HiRes::ITIMER_REAL(), _not_less($seconds))
        or die UnixBench::Base::Halt->new(line => "can't set a timer: $!\n");
    POSIX::sigsuspend($self->{open_mask});
    my $left_s = Time::HiRes::setitimer(Time::HiRes::ITIMER_REAL(), 0);
    $self->_let_in_pending;
    $self->{is_alarmed} = 0 if !$left_s;
    $self->_note_alarm if $self->{is_alarmed};
    return $self->{has_come};
}

# Forgets the signals that have arrived. Has to be called right before the caller checks for the events that they
# report.
sub heed { my ($self) = @_; $self->{has_come} = 0; return }

# Handles pending signals, without waiting.
sub poll {
    my ($self) = @_;
    $self->_let_in_pending;
    $self->_note_alarm if $self->{is_alarmed};
    return;
}

sub _let_in_pending {
    my ($self) = @_;
    my $pending = POSIX::SigSet->new;
    while (POSIX::sigpending($pending) && grep { $pending->ismember($_) } @{ $self->{numbers} }) {
        POSIX::sigsuspend($self->{open_mask});
    }
    return;
}

# Treats an alarm that is not the end of wait()'s timer as a request to end.
sub _note_alarm {
    my ($self) = @_;
    $self->{is_alarmed} = 0;
    $self->{has_come}   = $asked = $self->{interrupted} ||= 'ALRM' if !$self->{ignores_alarms};
    return;
}

sub _now_s { return Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC()) }

# Takes seconds. Returns a time for a timer, at least a microsecond: the timer cuts off what is less, and 0 would switch
# it off for ever.
sub _not_less { my ($seconds) = @_; return List::Util::max($seconds, LEAST_S) }

# Returns the name of the signal that asked this program to end, or undef.
sub interrupted {
    my ($self) = @_;
    $self->{interrupted} ||= asked_to_end() if $is_caught;
    return $self->{interrupted};
}

# Returns the same for all objects of this class, even after give_back().
sub asked_to_end {
    $asked ||= 'ALRM' if $is_caught && defined $alarm_at_s && _now_s() >= $alarm_at_s;
    return $asked;
}

# Returns whether the signals are caught now.
sub are_caught { return $is_caught }

# Takes a function and its arguments. Calls it with those signals unblocked that ask this program to end. Returns its
# result, one value. If no signals are caught, they have their default effect.
sub letting_end_in {
    my ($do, @with) = @_;
    return scalar $do->(@with) if !$is_caught;
    my $before = POSIX::SigSet->new;
    POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), _set(@DEADLY), $before);
    my $result = $do->(@with);
    my $error  = $! + 0;
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), $before);
    $! = $error;    ## no critic (RequireLocalizedPunctuationVars)
    return $result;
}

# Does the same for a caller that has something to clean up. A signal that would kill this program is only recorded, and
# the caller has to check asked_to_end().
sub postponing_end {
    my ($do, @with) = @_;
    return letting_end_in($do, @with) if $is_caught;
    my $before = POSIX::SigSet->new;
    POSIX::sigprocmask(POSIX::SIG_BLOCK(), POSIX::SigSet->new, $before);
    my $result = _postponing($do, @with);
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), $before);
    return $result;
}

# Calls the function with handlers that record the signals. Returns with the signals blocked, so that none arrives
# before the previous handlers are restored.
sub _postponing {
    my ($do, @with) = @_;
    my @usual = grep { ($SIG{$_} // q{}) =~ /\A(?:DEFAULT)?\z/ } @DEADLY;
    my %asks;
    for my $name (@usual) {
        $asks{$name} = sub { $asked ||= $name };
    }
    local @SIG{@usual} = @asks{@usual};
    my $result = $do->(@with);
    POSIX::sigprocmask(POSIX::SIG_BLOCK(), _set(@usual));
    _handle_what_has_come();
    return $result;
}

# Makes Perl call the handlers of signals that have arrived: Perl does so before a condition.
sub _handle_what_has_come {
    my ($number) = @_;
    return $number && $number < 0;
}

# Takes a function and its arguments. Calls it while SIGALRM has no effect except to interrupt system calls. Returns its
# result, one value.
sub with_alarms {
    my ($do,  @with)   = @_;
    my ($old, $before) = (POSIX::SigAction->new, POSIX::SigSet->new);
    my $nothing = POSIX::SigAction->new(sub { });
    $nothing->safe(1);
    _handle_what_has_come();
    POSIX::sigaction(POSIX::SIGALRM(), $nothing, $old);
    POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), _set('ALRM'), $before);
    my $result = $do->(@with);
    my $error  = $! + 0;
    _handle_what_has_come();
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), $before);
    POSIX::sigaction(POSIX::SIGALRM(), $old);
    $! = $error;    ## no critic (RequireLocalizedPunctuationVars)
    return $result;
}

# Returns whether this program was asked to stop (SIGTSTP). The caller then calls stop().
sub is_stop_wanted { my ($self) = @_; return $self->{is_stop_wanted} }

# Returns the number of SIGCONTs that have arrived, without those that ended stop().
sub continued { my ($self) = @_; return $self->{continued} }

# Stops this program as the sender of the request expects. Returns when it is continued, or at once in an orphaned
# process group, where nothing could continue it.
sub stop {
    my ($self)    = @_;
    my $continued = $self->{continued};
    my $tstp      = POSIX::SigSet->new(number('TSTP'));
    POSIX::sigaction(number('TSTP'), $self->{usual});
    kill TSTP => $$;
    POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), $tstp);
    POSIX::sigprocmask(POSIX::SIG_BLOCK(),   $tstp);
    POSIX::sigaction(number('TSTP'), $self->{caught}{TSTP});
    $self->poll;
    @$self{qw(continued is_stop_wanted)} = ($continued, 0);
    return;
}

# Prepares a child process for its exec: signals that are caught in this program have their default effect in the child.
sub give_to_child {
    my ($self) = @_;
    POSIX::sigaction(number($_), $self->{usual}) for grep { $self->{caught}{$_} } 'TSTP', @DEADLY;
    return usual_for_child();
}

# Does the same for a child of a program that has caught no signals. In the child, no signal is blocked or ignored.
sub usual_for_child {
    $SIG{$_} = 'DEFAULT' for @MOOT;
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), POSIX::SigSet->new);
    return;
}

sub _catch {
    my ($self, $handler) = @_;
    my %number = map { $_ => number($_) } keys %$handler;
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

sub _set {
    my (@names) = @_;
    return POSIX::SigSet->new(map { number($_) } @names);
}

{
    my %number;

    # Takes the name of a signal. Returns its number, or undef if this system does not have it.
    sub number {
        my ($name) = @_;
        @number{ split q{ }, $Config{sig_name} } = split q{ }, $Config{sig_num} if !%number;
        return $number{$name};
    }
}

1;
