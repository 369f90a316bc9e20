package UnixBench::Store::OutputLock;

# The names of one result's files: reserves them for a run until it is finished. A name is reserved by creating files,
# because otherwise two runs could find the same name free. An earlier result of the same name stays whole until the new
# one replaces it. If the files are moved or removed during the run, they are followed or written again. They are open,
# so their text is not lost.

use strict;
use warnings;

use Errno          qw(EEXIST);
use File::Basename qw(basename dirname);
use POSIX          ();

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::Files        ();
use UnixBench::Base::Result       qw(why_no_name);
use UnixBench::Store::OutputFiles ();

use constant {
    NUMBERS_MAX => 9999,
    TRIES       => 100,
    STEM_MAX    => 220,    # bytes of a name, without "-unfinished-N" and suffix
};

# Takes directory, host (the host's name), time_s (since 1970), others (what the names of other states of the run have
# after its own, perhaps none) and, if the user gave one, name. Reserves this name, or <host>-<YYYY-MM-DD>-<NN> with the
# first free number. Dies if that fails, if another Run has the name, or if another result has that of a state.
sub reserve {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(directory host time_s name others));
    my ($directory, $host, $time_s, $name) = @$given{qw(directory host time_s name)};
    my @others = @{ $given->{others} || [] };
    return $class->_replacing("$directory/$name", @others) if defined $name;
    (my $plain = $host) =~ s/[^A-Za-z0-9._-]/_/g;
    $plain =~ s/\A[.-]|\A\z/_/;
    my $day = POSIX::strftime('%Y-%m-%d', localtime $time_s);

    for my $number (1 .. NUMBERS_MAX) {
        my $base = sprintf '%s/%s-%s-%02d', $directory, $plain, $day, $number;
        next if grep { UnixBench::Store::OutputFiles::is_used("$base$_") } q{}, @others;
        my $lock = $class->_new($base);
        return $lock if $lock;
    }
    die "$directory holds @{[NUMBERS_MAX]} results of today; move some of them to another directory\n";
}

# Takes base and journal, and perhaps others as reserve() does: the base of a result whose journal exists, and the
# handle of this journal, see UnixBench::Store::OutputFiles. Creates a new log; the log of an earlier result stays
# unchanged.
sub take_over {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(base journal others));
    my ($base, $journal) = @$given{qw(base journal)};
    UnixBench::Store::OutputFiles::check_states($base, @{ $given->{others} || [] });
    UnixBench::Store::OutputFiles::remove_left($base, $journal);
    my $self = bless { base => $base, journal => $journal }, $class;
    $self->_create_log(UnixBench::Store::OutputFiles::has_reports($base));
    return $self;
}

# Takes whether an earlier result has this name. Creates the log, with a temporary name if so.
sub _create_log {
    my ($self, $is_replacing) = @_;
    my $path = "$self->{base}.log";
    if ($is_replacing) {
        @$self{qw(log log_path)} = UnixBench::Store::OutputFiles::temporary($path);
        return;
    }
    UnixBench::Store::OutputFiles::remove($path);
    @$self{qw(log log_path)} = (UnixBench::Store::OutputFiles::new_file($path), $path);
    return;
}

# Returns the base: the common path of the files, without a suffix. It changes if the files are moved.
sub base { my ($self) = @_; return $self->{base} }

# Returns the new base of an unfinished run that had this name before, or undef.
sub unfinished { my ($self) = @_; return $self->{unfinished} }

# Returns whether an earlier result of this name still exists.
sub is_replacing { my ($self) = @_; return $self->{log_path} ne "$self->{base}.log" }

# Returns whether the journal still has its name, so that the run can be resumed.
sub is_kept {
    my ($self) = @_;
    return UnixBench::Store::OutputFiles::is_at($self->{journal}, "$self->{base}.journal");
}

# Takes "journal" or "log" and a text; appends the text to that file. Waits until a line of the journal is on the disk;
# the log could be written again from it. Dies if that fails.
sub append {
    my ($self, $which, $text) = @_;
    my $append = $which eq 'journal' ? \&UnixBench::Base::Files::append : \&UnixBench::Base::Files::put;
    return if $append->($self->{$which}, $text);
    die "can't write $self->{base}.$which: " . UnixBench::Base::Files::reason($! + 0) . "\n";
}

# Takes the suffix of a log of another state of this run. Creates this log with a temporary name. Returns that name, for
# publish(), and a function that appends a text to the log. Dies if that fails.
sub new_log {
    my ($self, $suffix) = @_;
    my $path = "$self->{base}$suffix";
    my ($log, $new) = UnixBench::Store::OutputFiles::temporary($path);
    my $append = sub {
        return if UnixBench::Base::Files::put($log, $_[0]);
        die "can't write $path: " . UnixBench::Base::Files::reason($! + 0) . "\n";
    };
    return (basename($new), $append);
}

# Waits until the names of the files are on the disk.
sub sync_names {
    my ($self) = @_;
    return UnixBench::Base::Files::sync_directory(dirname($self->{base}));
}

# Releases the names before anything is measured: removes the files, and gives an unfinished run its name back.
sub give_up {
    my ($self) = @_;
    my ($base, $unfinished) = @$self{qw(base unfinished)};
    UnixBench::Store::OutputFiles::remove($self->{log_path});
    $self->finish;
    return defined $unfinished
        ? UnixBench::Store::OutputFiles::has_moved("$unfinished.journal", "$base.journal")
        : ();
}

# Removes the new log of a run that could not be resumed. The journal and the reports stay.
sub give_up_resuming {
    my ($self) = @_;
    UnixBench::Store::OutputFiles::remove($self->{log_path}) if $self->is_replacing;
    return;
}

# Takes [suffix, temporary name] of each report that was written. Gives them and the log their final names, one after
# the other. Then removes the other reports of an earlier result. Dies if that fails.
sub publish {
    my ($self, @written) = @_;
    my $base = $self->{base};
    UnixBench::Store::OutputFiles::replace($self->temporary_path($_->[1]), "$base$_->[0]") for @written;
    UnixBench::Store::OutputFiles::replace($self->{log_path},              "$base.log") if $self->is_replacing;
    $self->{log_path} = "$base.log";
    my %is_new = map { ("$base$_->[0]" => 1) } @written;
    UnixBench::Store::OutputFiles::remove($_) for grep { !$is_new{$_} } UnixBench::Store::OutputFiles::reports($base);
    return;
}

# Takes the same; removes these reports.
sub withdraw {
    my ($self, @written) = @_;
    UnixBench::Store::OutputFiles::remove($self->temporary_path($_->[1])) for @written;
    return;
}

# Takes a temporary name; returns its path, beside the other files.
sub temporary_path {
    my ($self, $name) = @_;
    return dirname($self->{base}) . "/$name";
}

# Removes the journal of a result that is complete.
sub finish {
    my ($self) = @_;
    $self->{log}->sync;
    UnixBench::Store::OutputFiles::remove("$self->{base}.journal");
    close $self->{journal};
    return;
}

# Writes the journal and the log again if they, or their directory, were removed. Follows them if they were moved.
# Returns a line that says what was done, or nothing if they are in place. Dies if that fails.
sub renew {
    my ($self) = @_;
    my $is_kept = $self->is_kept;
    return if $is_kept && $self->_has_log;
    my $base        = $self->{base};
    my $is_followed = !$is_kept && $self->_has_followed;
    $self->_write_journal_again if !$is_kept && !$is_followed;
    $self->_write_log_again if !$self->_has_log;
    return "$base.log was removed or renamed during the run: it was written again\n" if $is_kept;
    my $what = $is_followed ? 'moved' : 'removed';
    return "the files of $base were $what during the run: the reports are in $self->{base}\n";
}

# Creates the log and the journal. Returns nothing if another Run has reserved the name.
sub _new {
    my ($class, $base) = @_;
    my $path    = "$base.log";
    my $log     = UnixBench::Store::OutputFiles::created($path) or return;
    my $journal = eval { UnixBench::Store::OutputFiles::created_journal($base) };
    return bless { base => $base, log => $log, log_path => $path, journal => $journal }, $class if $journal;
    my $why_not = $!;
    unlink $path;
    return if $why_not == EEXIST;
    die "can't write $base.journal: $why_not\n";
}

# Reserves a name that may exist. Locks the journal before anything is changed. A Run that has just finished may have
# removed the locked file: then locking is tried again.
sub _replacing {
    my ($class, $base, @others) = @_;
    UnixBench::Store::OutputFiles::check_replaceable($base);
    UnixBench::Store::OutputFiles::check_states($base, @others);
    my $unfinished;
    for (1 .. TRIES) {
        UnixBench::Store::OutputFiles::remove("$base.journal") if -l "$base.journal";
        my $journal = UnixBench::Store::OutputFiles::taken_journal($base) or next;
        if (-s $journal) {
            $unfinished = _put_aside($base, $journal) // $unfinished;
            next;
        }
        my $lock = eval { $class->take_over(base => $base, journal => $journal) };
        return bless { %$lock, unfinished => $unfinished }, $class if $lock;
        unlink "$base.journal";
        die $@;
    }
    die "can't lock $base.journal\n";
}

# Takes a base and its locked journal. Renames the journal of an unfinished run to a free name; returns its new base.
# Removes the journal if its run had not begun.
sub _put_aside {
    my ($base, $journal) = @_;
    UnixBench::Store::OutputFiles::remove_left($base, $journal);
    if (UnixBench::Store::OutputFiles::text_of($journal) !~ /\n/) {
        UnixBench::Store::OutputFiles::remove("$base.journal");
        return;
    }
    my $stem = dirname($base) . q{/} . substr basename($base), 0, STEM_MAX;
    for my $aside (map { "$stem-unfinished-$_" } 1 .. NUMBERS_MAX) {
        return $aside
            if !UnixBench::Store::OutputFiles::is_used($aside)
            && UnixBench::Store::OutputFiles::has_moved("$base.journal", "$aside.journal");
    }
    die "can't rename $base.journal of an unfinished run: $!\n";
}

sub _has_log {
    my ($self) = @_;
    return UnixBench::Store::OutputFiles::is_at(@$self{qw(log log_path)});
}

# Finds the place to which the journal was moved, if the system knows it. Returns whether it was found.
sub _has_followed {
    my ($self) = @_;
    my $journal = $self->{journal};
    return 0 if !UnixBench::Store::OutputFiles::names_of($journal);
    my ($base) = (UnixBench::Store::OutputFiles::path_of($journal) // q{}) =~ /\A(.+)[.]journal\z/s or return 0;
    return 0 if defined why_no_name(basename($base));
    return 0 if !UnixBench::Store::OutputFiles::is_at($journal, "$base.journal");
    $self->{log_path} = $self->is_replacing ? dirname($base) . q{/} . basename($self->{log_path}) : "$base.log";
    $self->{base}     = $base;
    return 1;
}

# Writes the journal again under its name, or under a free one if another Run has reserved the name meanwhile.
sub _write_journal_again {
    my ($self) = @_;
    my $base   = $self->{base};
    my $text   = UnixBench::Store::OutputFiles::text_of($self->{journal});
    UnixBench::Base::Files::make_directory(dirname($base));
    for my $as ($base, map { "$base-$_" } 2 .. NUMBERS_MAX) {
        next if $as ne $base && UnixBench::Store::OutputFiles::is_used($as);
        my $journal = UnixBench::Store::OutputFiles::created_journal($as) or $!{EEXIST} ? next : last;
        die "can't write $as.journal: $!\n" if !UnixBench::Base::Files::append($journal, $text);
        my $is_own = $as eq $base && $self->_has_log;
        @$self{qw(base journal)} = ($as, $journal);
        $self->_write_log_again if !$is_own;
        return;
    }
    die "can't write $base.journal: $!\n";
}

sub _write_log_again {
    my ($self) = @_;
    my $text = UnixBench::Store::OutputFiles::text_of($self->{log});
    $self->_create_log(UnixBench::Store::OutputFiles::has_reports($self->{base}));
    die "can't write $self->{log_path}: $!\n" if !UnixBench::Base::Files::append($self->{log}, $text);
    return;
}

1;
