package UnixBench::Store::OutputLock;

# The names of one result's files. They are taken by creating them, never by looking first. An earlier result of the
# same name stays whole until the new one replaces it. No link is followed.

use strict;
use warnings;

use Errno          qw(EEXIST ENOENT EPERM);
use Fcntl          qw(O_APPEND O_CREAT O_EXCL O_RDWR);
use File::Basename qw(basename dirname);
use IO::Handle     ();
use POSIX          ();

use UnixBench::Base::Result       qw(@SUFFIXES);
use UnixBench::Store::JournalFile ();

use constant {
    NUMBERS_MAX => 9999,
    TRIES       => 100,
    STEM_MAX    => 220,    # of a name, in bytes, before what is added to it
    OWNER       => 4,      # of what stat returns
};

# Takes a directory, the host's name, the time and, if the user gave one, a name. Reserves that name, or
# <host>-<YYYY-MM-DD>-<NN> with the first number that is free. Returns { base, log, log_path, journal, unfinished }: a
# path, a handle to write to and its path, another handle, and, where the name was that of an unfinished run, the base
# that this has now. Dies when it can't, or another Run has the name.
sub reserve {
    my ($directory, $host, $time, $given) = @_;
    return _replace("$directory/$given") if defined $given;
    (my $plain = $host) =~ s/[^A-Za-z0-9._-]/_/g;
    $plain =~ s/\A[.-]|\A\z/_/;
    my $day = POSIX::strftime('%Y-%m-%d', localtime $time);
    for my $number (1 .. NUMBERS_MAX) {
        my $base = sprintf '%s/%s-%s-%02d', $directory, $plain, $day, $number;
        next if is_used($base);
        my $reservation = _taken($base);
        return $reservation if $reservation;
    }
    die "$directory holds @{[NUMBERS_MAX]} reports of today: move some elsewhere\n";
}

# Takes the base of a result whose journal is there, and the journal's handle from UnixBench::Store::JournalFile; makes
# a new log, beside that of an earlier result. Returns the same as reserve().
sub take_over {
    my ($base, $journal) = @_;
    _remove("$_.new") for _files_of($base);
    my $log_path = log_path($base, has_reports($base));
    _remove($log_path);
    return { base => $base, log => new_log($log_path), log_path => $log_path, journal => $journal };
}

# Gives up a reservation before anything was measured: removes its files, and gives an unfinished run its name back.
sub give_up {
    my ($reservation) = @_;
    my ($base, $unfinished) = @$reservation{qw(base unfinished)};
    _remove($reservation->{log_path});
    finish($reservation);
    return defined $unfinished ? _has_moved("$unfinished.journal", "$base.journal") : ();
}

# Gives the reports that were written as "<base><suffix>.new", and the log, their names, one after the other, and
# removes what an earlier result has beside these. Dies when that fails.
sub publish {
    my ($reservation, @suffixes) = @_;
    my $base = $reservation->{base};
    _rename("$base$_.new",            "$base$_") for @suffixes;
    _rename($reservation->{log_path}, "$base.log") if is_replacing($reservation);
    $reservation->{log_path} = "$base.log";
    my %is_new = map { ("$base$_" => 1) } @suffixes;
    _remove($_) for grep { !$is_new{$_} } _reports_of($base);
    return;
}

# Removes reports that were written as "<base><suffix>.new".
sub withdraw {
    my ($reservation, @suffixes) = @_;
    _remove("$reservation->{base}$_.new") for @suffixes;
    return;
}

# Returns whether an earlier result of that name is still there.
sub is_replacing {
    my ($reservation) = @_;
    return $reservation->{log_path} ne "$reservation->{base}.log";
}

# Returns whether the journal can be found under its name, so that the run can be resumed.
sub is_kept {
    my ($reservation) = @_;
    return UnixBench::Store::JournalFile::is_at($reservation->{journal}, "$reservation->{base}.journal");
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

# Takes a base; these return whether any file of such a result is there, and whether one is but log and journal.
sub is_used {
    my ($base) = @_;
    return scalar grep { -e || -l } _files_of($base);
}

sub has_reports {
    my ($base) = @_;
    return scalar grep { -e || -l } _reports_of($base);
}

# Takes a base and whether there is an earlier result of that name; returns the path of the log while the run lasts.
sub log_path {
    my ($base, $is_replacing) = @_;
    return "$base.log" . ($is_replacing ? '.new' : q{});
}

# Takes the path of a log; returns a handle to write to and to read from. Dies when it can't be made or is there.
sub new_log {
    my ($path) = @_;
    return _created($path) // die "can't write $path: $!\n";
}

# The paths that files of that result may have.
sub _files_of {
    my ($base) = @_;
    return ($base, map { "$base$_" } @SUFFIXES);
}

# The same without what is there while a run is under way.
sub _reports_of {
    my ($base) = @_;
    return grep { $_ ne "$base.journal" && $_ ne "$base.log" } _files_of($base);
}

# The lock is taken before anything is changed. A Run that has just finished may have removed the file that was locked
# here: then it is tried again.
sub _replace {
    my ($base) = @_;
    _check_replaceable($base);
    my $unfinished;
    for (1 .. TRIES) {
        _remove("$base.journal") if -l "$base.journal";
        my $journal = UnixBench::Store::JournalFile::taken($base) or next;
        if (-s $journal) {
            $unfinished = _put_aside($base, $journal) // $unfinished;
            next;
        }
        my $reservation = eval { take_over($base, $journal) };
        return { %$reservation, unfinished => $unfinished } if $reservation;
        unlink "$base.journal";
        die $@;
    }
    die "can't lock $base.journal\n";
}

# Dies where it is known already that a file can't be replaced in the end.
sub _check_replaceable {
    my ($base)  = @_;
    my ($taken) = grep { -d && !-l } map { ($_, "$_.new") } _files_of($base);
    die "can't write $taken: it is a directory\n" if defined $taken;
    my $directory = dirname($base);
    return if $> == 0 || !-k $directory || (stat _)[OWNER] == $>;
    my ($foreign) = grep { ((lstat)[OWNER] // $>) != $> } _files_of($base);
    local $! = EPERM;
    die "can't write $foreign: $!\n" if defined $foreign;
    return;
}

# Gives the journal of an unfinished run, which is locked, a name that is free; returns its new base. One that was not
# even begun is removed.
sub _put_aside {
    my ($base, $journal) = @_;
    if (UnixBench::Store::JournalFile::text_of($journal) !~ /\n/) {
        _remove("$base.journal");
        return;
    }
    my $stem = dirname($base) . q{/} . substr basename($base), 0, STEM_MAX;
    for my $aside (map { "$stem-unfinished-$_" } 1 .. NUMBERS_MAX) {
        return $aside if !is_used($aside) && _has_moved("$base.journal", "$aside.journal");
    }
    die "can't rename $base.journal, which is of an unfinished run: $!\n";
}

# Renames a file to a name that is free, also when another program takes that at the same moment: only file systems
# without hard links can't tell.
sub _has_moved {
    my ($from, $to) = @_;
    return unlink $from if link $from, $to;
    return $! != EEXIST && !-e $to && rename $from, $to;
}

# Returns nothing when another Run was there first.
sub _taken {
    my ($base) = @_;
    my $path   = log_path($base);
    my $log    = _created($path);
    return if !$log && $! == EEXIST;
    die "can't write $path: $!\n" if !$log;
    my $journal = eval { UnixBench::Store::JournalFile::created($base) };
    return { base => $base, log => $log, log_path => $path, journal => $journal } if $journal;
    my $why_not = $!;
    unlink $path;
    return if $why_not == EEXIST;
    die "can't write $base.journal: $why_not\n";
}

sub _created {
    my ($path) = @_;
    sysopen my $file, $path, O_RDWR | O_APPEND | O_CREAT | O_EXCL, 0666 or return;
    binmode $file;
    return $file;
}

sub _rename {
    my ($from, $to) = @_;
    rename $from, $to or die "can't write $to: $!\n";
    return;
}

sub _remove {
    my ($path) = @_;
    unlink $path or $! == ENOENT or die "can't write $path: $!\n";
    return;
}

1;
