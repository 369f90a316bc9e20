package UnixBench::Store::Renewal;

# What is done when the files of a run are removed or moved while it is under way: they are open, so what they say is
# not lost.

use strict;
use warnings;

use Errno          ();
use File::Basename qw(dirname);

use UnixBench::Base::Files        ();
use UnixBench::Store::JournalFile ();
use UnixBench::Store::OutputLock  ();

use constant NUMBERS_MAX => 9999;

# Takes a reservation, see UnixBench::Store::OutputLock. Writes its journal and log anew where they were removed, with
# their directory; follows them where they were moved to another one. Returns nothing when they are where they were,
# else what was done, a line. Dies when it fails.
sub renew {
    my ($reservation) = @_;
    my $is_kept = UnixBench::Store::OutputLock::is_kept($reservation);
    return if $is_kept && _has_log($reservation);
    my $base       = $reservation->{base};
    my $is_carried = !$is_kept && _is_followed($reservation);
    _make_journal_anew($reservation) if !$is_kept && !$is_carried;
    _make_log_anew($reservation) if !_has_log($reservation);
    return "$base.log was removed or renamed during the run: it was written anew\n" if $is_kept;
    return "the files of $base were moved during the run: the reports are in $reservation->{base}\n" if $is_carried;
    return "the files of $base were removed during the run: the reports are in $reservation->{base}\n";
}

sub _has_log {
    my ($reservation) = @_;
    return UnixBench::Store::JournalFile::is_at(@$reservation{qw(log log_path)});
}

# Finds the journal where it was moved to, if the system can tell that. Returns whether it did.
sub _is_followed {
    my ($reservation) = @_;
    my $journal = $reservation->{journal};
    return 0 if !UnixBench::Store::JournalFile::names_of($journal);
    my ($base) = (UnixBench::Store::JournalFile::path_of($journal) // q{}) =~ /\A(.+)[.]journal\z/s or return 0;
    return 0 if !UnixBench::Store::JournalFile::is_at($journal, "$base.journal");
    my $is_replacing = UnixBench::Store::OutputLock::is_replacing($reservation);
    @$reservation{qw(base log_path)} = ($base, UnixBench::Store::OutputLock::log_path($base, $is_replacing));
    return 1;
}

# Its name may be another Run's by now.
sub _make_journal_anew {
    my ($reservation) = @_;
    my $base          = $reservation->{base};
    my $text          = UnixBench::Store::JournalFile::text_of($reservation->{journal});
    UnixBench::Base::Files::make_directory(dirname($base));
    for my $as ($base, map { "$base-$_" } 2 .. NUMBERS_MAX) {
        next if $as ne $base && UnixBench::Store::OutputLock::is_used($as);
        my $journal = UnixBench::Store::JournalFile::created($as) or $!{EEXIST} ? next : last;
        die "can't write $as.journal: $!\n" if !UnixBench::Base::Files::append($journal, $text);
        @$reservation{qw(base journal)} = ($as, $journal);
        $reservation->{log_path} =
            UnixBench::Store::OutputLock::log_path($as, UnixBench::Store::OutputLock::has_reports($as))
            if $as ne $base || !_has_log($reservation);
        return;
    }
    die "can't write $base.journal: $!\n";
}

sub _make_log_anew {
    my ($reservation) = @_;
    my $path          = $reservation->{log_path};
    my $text          = UnixBench::Store::JournalFile::text_of($reservation->{log});
    unlink $path;
    my $log = UnixBench::Store::OutputLock::new_log($path);
    die "can't write $path: $!\n" if !UnixBench::Base::Files::append($log, $text);
    $reservation->{log} = $log;
    return;
}

1;
