package UnixBench::Signals;

# The signals of this program. They are blocked but for the moments in which it lets them in, so that none is lost
# between looking and sleeping, and none interrupts anything else.

use strict;
use warnings;

use Config qw(%Config);
use POSIX  ();

my @DEADLY = qw(INT TERM HUP QUIT USR1 USR2 ALRM VTALRM PROF XCPU);
my @MOOT   = qw(PIPE XFSZ);                                           # what they tell, the write that failed tells too

# Of this program: the signal that asked it to end, and whether an object of this class has caught the signals.
my ($asked, $is_caught);

# Catches the signals. Each that is let in writes a byte to that handle, which must not wait. give_back() ends it.
sub new {
    my ($class, $wake) = @_;
    my $self = bless { stops => 0, old => {} }, $class;
    ($asked, $is_caught) = (undef, 1);
    my %handler = (
        CHLD => sub { syswrite $wake, q{c} },
        CONT => sub { $self->{stops}++;            syswrite $wake, q{c} },
        TSTP => sub { $self->{is_stop_wanted} = 1; syswrite $wake, q{t} },
    );
    for my $name (@DEADLY) {
        $handler{$name} = sub { $asked = $self->{interrupted} ||= $name; syswrite $wake, q{d} };
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
    $is_caught = 0;
    POSIX::sigaction(number($_), $self->{old}{$_}) for keys %{ $self->{old} };
    $SIG{$_} = $self->{moot}{$_} // 'DEFAULT' for @MOOT;
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), $self->{usual_mask}) if !$self->{interrupted};
    return;
}

sub let_in   { my ($self) = @_; return POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), $self->{mask}) }
sub keep_out { my ($self) = @_; return POSIX::sigprocmask(POSIX::SIG_BLOCK(),   $self->{mask}) }

# The name of the signal that asked this program to end, or undef.
sub interrupted { my ($self) = @_; return $self->{interrupted} }

# The same of this program, whatever object has caught the signal; also after give_back().
sub asked_to_end { return $asked }

# Whether the signals are caught now.
sub are_caught { return $is_caught }

# Calls a function with these arguments while the caught signals come through that ask this program to end; returns
# what it returns, one value. Where no signal is caught they do what they usually do.
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

# The same where this program has something to clear up first: a signal that would kill it only asks for its end, and
# the caller has to see to that, see asked_to_end().
sub postponing_end {
    my ($do, @with) = @_;
    return letting_end_in($do, @with) if $is_caught;
    my $before = POSIX::SigSet->new;
    POSIX::sigprocmask(POSIX::SIG_BLOCK(), POSIX::SigSet->new, $before);
    my $result = _postponing($do, @with);
    POSIX::sigprocmask(POSIX::SIG_SETMASK(), $before);
    return $result;
}

# Returns with the signals blocked, so that none finds Perl between two handlers.
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

# Perl calls a handler before it decides something.
sub _handle_what_has_come {
    my ($number) = @_;
    return $number && $number < 0;
}

# Calls a function with these arguments while SIGALRM does nothing but interrupt; returns what it returns, one value.
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
    my $both   = POSIX::SigSet->new(map { number($_) } qw(TSTP CONT));
    POSIX::sigaction(number('TSTP'), POSIX::SigAction->new('DEFAULT'));
    kill TSTP => $$;
    POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), $both);
    POSIX::sigprocmask(POSIX::SIG_BLOCK(),   $both);
    POSIX::sigaction(number('TSTP'), $self->{caught}{TSTP});
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
    $self->{mask}       = _set(keys %$handler);
    $self->{usual_mask} = POSIX::SigSet->new;
    POSIX::sigprocmask(POSIX::SIG_BLOCK(), $self->{mask}, $self->{usual_mask});
    for my $name (keys %$handler) {
        my $flags = $name eq 'CHLD' ? POSIX::SA_NOCLDSTOP() : 0;
        $self->{caught}{$name} = POSIX::SigAction->new($handler->{$name}, $self->{mask}, $flags);
        $self->{old}{$name}    = POSIX::SigAction->new;
        POSIX::sigaction(number($name), $self->{caught}{$name}, $self->{old}{$name});
    }
    return;
}

sub _set {
    my (@names) = @_;
    return POSIX::SigSet->new(map { number($_) } @names);
}

{
    my %number;
    @number{ split q{ }, $Config{sig_name} } = split q{ }, $Config{sig_num};

    # The number of a signal of that name.
    sub number { my ($name) = @_; return $number{$name} }
}

1;
