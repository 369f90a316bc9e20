package UnixBench::Reservation;

# The names of one result's files. They are taken by creating them, never by looking first, and the journal
# is locked for as long as this Run, or the guardian that cleans up behind it, is alive. No link is followed.

use strict;
use warnings;

use Errno      qw(EEXIST ELOOP ENOENT EWOULDBLOCK EINTR);
use Fcntl      qw(LOCK_EX LOCK_NB O_APPEND O_CREAT O_EXCL O_NOFOLLOW O_RDWR);
use IO::Handle ();
use POSIX      ();

use UnixBench::Result qw(@SUFFIXES);

use constant {
    NUMBERS_MAX => 9999,
    CLEANING_S  => 5,      # a guardian needs less to end what a killed Run left behind
    TRIES       => 100,
};

# Takes a directory, the host's name, the time and, if the user gave one, a name. Reserves that name, whose
# earlier files are removed, or <host>-<YYYY-MM-DD>-<NN> with the first number that nobody has. Returns
# { base, log, journal }: a path and two handles to write to. Dies when it can't, or another Run has the name.
sub reserve {
    my ($directory, $host, $time, $given) = @_;
    return _replace("$directory/$given") if defined $given;
    (my $plain = $host) =~ s/[^A-Za-z0-9._-]/_/g;
    $plain =~ s/\A[.-]|\A\z/_/;
    my $day = POSIX::strftime('%Y-%m-%d', localtime $time);
    for my $number (1 .. NUMBERS_MAX) {
        my $base = sprintf '%s/%s-%s-%02d', $directory, $plain, $day, $number;
        next if grep { -e || -l } _files_of($base);
        my $reservation = _taken($base);
        return $reservation if $reservation;
    }
    die "$directory holds @{[NUMBERS_MAX]} reports of today: move some elsewhere\n";
}

# Takes the base of a result whose journal is there, and the journal's handle from opened(); makes a new log.
# Returns the same as reserve().
sub take_over {
    my ($base, $journal) = @_;
    _remove("$base.log");
    my $log = _created("$base.log") or die "can't write $base.log: $!\n";
    return { base => $base, log => $log, journal => $journal };
}

# Opens and locks the journal of an unfinished run, which must be the user's own: its reader does what it
# says. Returns a handle for reading and appending. Dies when there is none or its Run is alive.
sub opened {
    my ($base) = @_;
    my $path = "$base.journal";
    sysopen my $journal, $path, O_RDWR | O_APPEND | O_NOFOLLOW or die _why_not_opened($path);
    binmode $journal;
    die "$path belongs to somebody else\n" if (stat $journal)[4] != $>;
    die "$path is no file\n" if !-f _;
    _lock($journal, $base);
    return $journal if _is_same($journal, $path);
    die "there is no $path: that run has just been finished\n";
}

# The text of a journal that is open.
sub text_of {
    my ($journal) = @_;
    seek $journal, 0, 0;
    local $/ = undef;
    return readline $journal // q{};
}

# Gives up a reservation before anything was measured: removes its files.
sub give_up {
    my ($reservation) = @_;
    _remove("$reservation->{base}.log");
    return finish($reservation);
}

# Removes the journal of a result that is whole.
sub finish {
    my ($reservation) = @_;
    _remove("$reservation->{base}.journal");
    close $reservation->{journal};
    return;
}

# Takes a directory, returns the names of the unfinished runs in it.
sub unfinished {
    my ($directory) = @_;
    opendir my $names, $directory or return;
    my @unfinished = sort map { /\A(.+)[.]journal\z/s ? $1 : () } readdir $names;
    closedir $names;
    return @unfinished;
}

# The paths that files of that result may have.
sub _files_of {
    my ($base) = @_;
    return ($base, map { "$base$_" } @SUFFIXES);
}

sub _why_not_opened {
    my ($path) = @_;
    return "$path is a link: it would be followed to somebody's file\n" if $! == ELOOP;
    return "can't go on from $path: $!\n";
}

# The lock is taken before anything is removed. A Run that has just finished may have removed the file that
# was locked here: then it is tried again.
sub _replace {
    my ($base)  = @_;
    my $path    = "$base.journal";
    my ($taken) = grep { -d && !-l } _files_of($base);
    die "can't write $taken: it is a directory\n" if defined $taken;
    for (1 .. TRIES) {
        _remove($path) if -l $path;
        sysopen my $journal, $path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0666
            or die "can't write $path: $!\n";
        binmode $journal;
        die "$path belongs to somebody else\n" if (stat $journal)[4] != $>;
        _lock($journal, $base);
        next if !_is_same($journal, $path);
        truncate $journal, 0;
        my $reservation = eval {
            _remove($_)
                for grep { $_ ne $path } _files_of($base);
            take_over($base, $journal);
        };
        return $reservation if $reservation;
        unlink $path;
        die $@;
    }
    die "can't lock $path\n";
}

# Returns nothing when somebody else was there first.
sub _taken {
    my ($base) = @_;
    my %reservation = (base => $base);
    for my $which (qw(log journal)) {
        next if $reservation{$which} = _created("$base.$which");
        my $why_not = $!;
        unlink "$base.log" if $reservation{log};
        return if $why_not == EEXIST;
        die "can't write $base.$which: $why_not\n";
    }
    _lock($reservation{journal}, $base);
    return \%reservation;
}

# Waits a little for a guardian that is still cleaning up. File systems without locks are taken as they are.
sub _lock {
    my ($journal, $base) = @_;
    return if flock $journal, LOCK_EX | LOCK_NB;
    return if $! != EWOULDBLOCK;
    my $is_late = 0;
    POSIX::sigaction(POSIX::SIGALRM(), POSIX::SigAction->new(sub { $is_late = 1 }), my $old = POSIX::SigAction->new);
    POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), POSIX::SigSet->new(POSIX::SIGALRM()));
    alarm CLEANING_S;
    my $is_locked = 0;

    while (!$is_locked && !$is_late) {
        $is_locked = flock $journal, LOCK_EX or $! == EINTR or last;
    }
    alarm 0;
    POSIX::sigaction(POSIX::SIGALRM(), $old);
    return if $is_locked;
    my ($pid) = reverse text_of($journal) =~ /^[{]"(?:head|resumed)".*?"pid":([0-9]+)/mg;
    my $who = defined $pid ? "another Run (process $pid)" : 'another Run';
    die "$who is measuring and writing $base: wait for its end, or choose another name\n";
}

# Whether a path still leads to the file that is open.
sub _is_same {
    my ($file, $path) = @_;
    my @there = lstat $path or return 0;
    my @here  = stat $file;
    return $here[0] == $there[0] && $here[1] == $there[1];
}

sub _created {
    my ($path) = @_;
    sysopen my $file, $path, O_RDWR | O_APPEND | O_CREAT | O_EXCL, 0666 or return;
    binmode $file;
    return $file;
}

sub _remove {
    my ($path) = @_;
    unlink $path or $! == ENOENT or die "can't write $path: $!\n";
    return;
}

1;
