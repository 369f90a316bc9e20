package UnixBench::Process::Writer;

# Writes a whole text to a handle that may be slow, full or non-blocking. Stops if this program is asked to end. Also
# tells how wide a terminal is.

use strict;
use warnings;

use Config     qw(%Config);
use Errno      qw(EAGAIN EINTR EPIPE);
use IO::Handle ();
use POSIX      ();

use UnixBench::Base::Clock      ();
use UnixBench::Process::Signals ();

use constant {
    CHUNK  => 65_536,
    LOOK_S => 0.25,     # interval between checks whether this program was asked to end
    AGAIN  => 0.02,     # seconds until a full handle is tried again
    LAST_S => 2,        # for all remaining output after such a request
};

# The number of the request TIOCGWINSZ: on most Linux systems, and on systems that took it from BSD.
my $IS_LIKE_BSD = $^O ne 'linux' || $Config{archname} =~ /\A(?:mips|powerpc|ppc|sparc|alpha)/;
use constant { OF_LINUX => 0x5413, OF_BSD => 0x40087468, COLUMNS => 80 };

# The seconds that this program still waits for readers after it was asked to end.
my $patience_s = LAST_S;

# Takes a handle and a text. Writes the text and waits for a slow reader. Returns whether all of it was written, else
# sets $!. If this program is asked to end, it stops waiting for the reader (EPIPE). It does so at once while signals
# are caught, which is while it measures, and otherwise after 2 s in total.
sub put {
    my ($handle, $text) = @_;
    return if !$handle->flush;
    my $descriptor = fileno $handle;
    return print {$handle} $text if !defined $descriptor || $descriptor < 0;    # a text in memory
    utf8::downgrade($text, 1) or utf8::encode($text);
    return UnixBench::Process::Signals::letting_end_in(\&_put, $descriptor, $text);
}

# Takes a handle and the environment; returns the present number of columns of the terminal.
sub columns {
    my ($handle, $env) = @_;
    my $size  = pack 'S4';
    my $found = ioctl $handle, $IS_LIKE_BSD ? OF_BSD : OF_LINUX, $size;
    my (undef, $columns) = unpack 'S4', $size;
    return $columns if $found && $columns;
    return ($env->{COLUMNS} // q{}) =~ /\A0*([1-9][0-9]{0,3})\z/ ? $1 : COLUMNS;
}

sub _put {
    my ($descriptor, $text) = @_;
    my $at = 0;
    while ($at < length $text) {
        my $from_s  = UnixBench::Base::Clock::coarse_s();
        my $wait_s  = _wait_s();
        my $written = _try($descriptor, substr($text, $at, CHUNK), $wait_s) // return;
        $patience_s -= UnixBench::Base::Clock::coarse_s() - $from_s
            if defined UnixBench::Process::Signals::asked_to_end();
        $at += $written;
        next if $written || $wait_s > 0;
        $! = EPIPE;    ## no critic (RequireLocalizedPunctuationVars)
        return;
    }
    return 1;
}

# Returns the seconds to wait for the reader before the next check.
sub _wait_s {
    return LOOK_S if !defined UnixBench::Process::Signals::asked_to_end();
    return 0 if UnixBench::Process::Signals::are_caught() || $patience_s <= 0;
    return $patience_s < LOOK_S ? $patience_s : LOOK_S;
}

# Returns the number of bytes written, 0 if the reader or a signal allowed none, or undef for an error.
sub _try {
    my ($descriptor, $bytes, $wait_s) = @_;
    vec(my $writable = q{}, $descriptor, 1) = 1;
    return 0 if select(undef, $writable, undef, $wait_s) <= 0;
    my $written = _interruptible(sub { POSIX::write($descriptor, $bytes, length $bytes) });
    return $written + 0 if defined $written;
    return if $! != EAGAIN && $! != EINTR;
    select undef, undef, undef, AGAIN if $! == EAGAIN && $wait_s > 0;
    return 0;
}

# Takes a function that writes; calls it. A handle may accept only a part of the text and then block. A timer interrupts
# such a write again and again, so that a signal that arrived right before the write is not missed. A timer that was set
# before continues afterwards. If signals are not caught, they kill this program, so no timer is needed. Time::HiRes may
# then be missing.
sub _interruptible {
    my ($do) = @_;
    return $do->()
        if !UnixBench::Process::Signals::are_caught() && !defined UnixBench::Process::Signals::asked_to_end();
    return UnixBench::Process::Signals::with_alarms(\&_timed, $do);
}

sub _timed {
    my ($do) = @_;
    require Time::HiRes;
    my $from_s = UnixBench::Base::Clock::coarse_s();
    my ($other_s, $every_s) = Time::HiRes::setitimer(Time::HiRes::ITIMER_REAL(), LOOK_S, LOOK_S);
    my $done   = $do->();
    my $error  = $! + 0;
    my $left_s = $other_s ? $other_s - (UnixBench::Base::Clock::coarse_s() - $from_s) : 0;
    $left_s = AGAIN if $other_s && $left_s <= 0;
    Time::HiRes::setitimer(Time::HiRes::ITIMER_REAL(), $left_s, $left_s ? $every_s : 0);
    $! = $error;    ## no critic (RequireLocalizedPunctuationVars)
    return $done;
}

1;
