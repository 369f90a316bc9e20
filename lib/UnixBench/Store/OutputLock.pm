package UnixBench::Store::OutputLock;

# The names of one result's files: reserves them for a run until it is finished. A name is reserved by creating files,
# because otherwise two runs could find the same name free. An earlier result of the same name stays whole until the new
# one replaces it. Only files that were there at the beginning are replaced, and only in the directory of the beginning.

use strict;
use warnings;

use Cwd            ();
use Errno          qw(EEXIST);
use File::Basename qw(basename dirname);
use POSIX          ();

use UnixBench::Base::Arguments    qw(named);
use UnixBench::Base::Files        ();
use UnixBench::Store::OutputFiles ();

use constant {
    NUMBERS_MAX => 9999,
    TRIES       => 100,
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
    my $of_day = of_day($host, $time_s);
    for my $number (1 .. NUMBERS_MAX) {
        my $base = sprintf '%s/%s-%02d', $directory, $of_day, $number;
        next if grep { UnixBench::Store::OutputFiles::is_used("$base$_") } q{}, @others;
        my $lock = $class->_new($base, @others);
        return $lock if $lock;
    }
    die "$directory holds @{[NUMBERS_MAX]} results of today; move some of them to another directory\n";
}

# Takes the name of a host and a time since 1970; returns what the names of files of that day begin with.
sub of_day {
    my ($host, $time_s) = @_;
    (my $plain = $host) =~ s/[^A-Za-z0-9._-]/_/g;
    $plain =~ s/\A[.-]|\A\z/_/;
    return "$plain-" . POSIX::strftime('%Y-%m-%d', localtime $time_s);
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
    $self->_note_place(@{ $given->{others} || [] });
    $self->_create_log(UnixBench::Store::OutputFiles::has_reports($base));
    return $self;
}

# Takes what the names of other states have after that of the first. Notes the directory, and the files that may be
# replaced. The directory is kept open, so that no new one gets its number.
sub _note_place {
    my ($self, @others) = @_;
    my $base  = $self->{base};
    my @paths = map { ("$_.log", UnixBench::Store::OutputFiles::reports($_)) } map { "$base$_" } q{}, @others;
    $self->{place} = _identity(stat dirname($base));
    $self->{found} = { map { basename($_) => _identity(lstat) } @paths };
    open $self->{directory}, '<', dirname($base) or delete $self->{directory};
    return;
}

sub _identity {
    my (@stat) = @_;
    return join q{:}, @stat[0 .. 1] if @stat;
    return q{};
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
    @$self{qw(log log_path)} = (UnixBench::Store::OutputFiles::created($path), $path);
    die "can't write $path: another program has just written it\n" if !$self->{log};
    return;
}

# Returns the base: the common path of the files, without a suffix.
sub base { my ($self) = @_; return $self->{base} }

# Returns whether an earlier result of this name still exists.
sub is_replacing { my ($self) = @_; return $self->{log_path} ne "$self->{base}.log" }

# Returns whether the journal is still in its place, so that the run can be resumed.
sub is_kept {
    my ($self) = @_;
    return eval {
        $self->within(sub { 1 });
    };
}

# Takes a function. Calls it in the directory of the files, with their name there; returns what it returns. Dies with
# one line if the journal or the directory was moved or removed. Another user may own the directory, and may put a link
# in its place at any moment; so the files are found by their names alone, in the directory that was checked.
sub within {
    my ($self,      $do)   = @_;
    my ($directory, $name) = (dirname($self->{base}), basename($self->{base}));
    opendir my $before, q{.};
    my @returned;
    my $is_done = eval {
        my $is_there =
               chdir($directory)
            && $self->_is_in_place
            && UnixBench::Store::OutputFiles::is_at($self->{journal}, "$name.journal");
        die "$self->{base}.journal was moved or removed: find it, and resume the run from there\n" if !$is_there;
        @returned = $do->($name);
        1;
    };
    my $error = $@;
    chdir($before || q{/}) || chdir q{/};
    die $error =~ s{\Acan't (?:write|read) \K(?=\Q$name\E)}{$directory/}r if !$is_done;
    return wantarray ? @returned : $returned[-1];
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
    my ($log, $new) = $self->within(sub { UnixBench::Store::OutputFiles::temporary("$_[0]$suffix") });
    my $append = sub {
        return if UnixBench::Base::Files::put($log, $_[0]);
        die "can't write $path: " . UnixBench::Base::Files::reason($! + 0) . "\n";
    };
    return ($new, $append);
}

# Returns whether the present directory is that of the files. Some file systems change the number of an open directory.
sub _is_in_place {
    my ($self) = @_;
    return 1 if _identity(stat q{.}) eq $self->{place};
    my $path = $self->{directory} && UnixBench::Store::OutputFiles::path_of($self->{directory});
    return defined $path && $path eq Cwd::abs_path(q{.});
}

# Waits until the names of the files are on the disk.
sub sync_names {
    my ($self) = @_;
    return UnixBench::Base::Files::sync_directory(dirname($self->{base}));
}

# Releases the names before anything is measured: removes the files.
sub give_up {
    my ($self) = @_;
    $self->_remove_log;
    return $self->finish;
}

# Removes the new log of a run that could not be resumed. The journal and the reports stay.
sub give_up_resuming {
    my ($self) = @_;
    $self->_remove_log if $self->is_replacing;
    return;
}

sub _remove_log {
    my ($self) = @_;
    my $log = basename($self->{log_path});
    return $self->within(sub { UnixBench::Store::OutputFiles::remove($log) });
}

# Takes [suffix, temporary name] of each report that was written. Gives them and the log their final names, one after
# the other. Then removes the other reports of an earlier result. Dies if that fails. Before anything is renamed, dies
# if there is a file that was not there at the beginning. Dies at the end if the log was moved or removed.
sub publish {
    my ($self, @written) = @_;
    my $log     = basename($self->{log_path});
    my $has_log = $self->within(sub {
        my ($name) = @_;
        my $is_kept = UnixBench::Store::OutputFiles::is_at($self->{log}, $log);
        push @written, ['.log', $log] if $is_kept && $self->is_replacing;
        my %from = map { ("$name$_->[0]" => $_->[1]) } @written;
        $self->_check_replaceable($_) for sort keys %from;
        _rename($from{"$name$_->[0]"}, "$name$_->[0]") for @written;
        my @left = grep { !$from{$_} && $self->_is_as_found($_) && UnixBench::Store::OutputFiles::is_earlier($_) }
            UnixBench::Store::OutputFiles::reports($name);
        UnixBench::Store::OutputFiles::remove($_) for @left;
        return $is_kept;
    });
    die "$self->{log_path} was moved or removed: resume the run to write it again\n" if !$has_log;
    $self->{log_path} = "$self->{base}.log";
    return;
}

sub _check_replaceable {
    my ($self, $name) = @_;
    die "another program has written " . dirname($self->{base}) . "/$name: move that file, and resume the run\n"
        if lstat $name && !$self->_is_as_found($name);
    return;
}

sub _is_as_found {
    my ($self, $name) = @_;
    my $now = _identity(lstat $name);
    return length $now && $now eq ($self->{found}{$name} // q{});
}

sub _rename {
    my ($from, $to) = @_;
    return if !lstat $to && UnixBench::Store::OutputFiles::has_moved($from, $to);
    return UnixBench::Store::OutputFiles::replace($from, $to);
}

# Takes [suffix, path of its temporary file] of reports; removes these files.
sub withdraw {
    my ($self, @written) = @_;
    $self->within(sub { UnixBench::Store::OutputFiles::remove($_->[1]) for @written });
    return;
}

# Removes the journal of a result that is complete.
sub finish {
    my ($self) = @_;
    $self->{log}->sync;
    $self->within(sub { UnixBench::Store::OutputFiles::remove("$_[0].journal") });
    close $self->{journal};
    return;
}

# Returns nothing if another Run has reserved the name.
sub _new {
    my ($class, $base, @others) = @_;
    my $path    = "$base.log";
    my $log     = UnixBench::Store::OutputFiles::created($path) or return;
    my $journal = eval { UnixBench::Store::OutputFiles::created_journal($base) };
    my $why_not = $!;
    if ($journal) {
        my $self = bless { base => $base, log => $log, log_path => $path, journal => $journal }, $class;
        $self->_note_place(@others);
        return $self;
    }
    unlink $path;
    return if $why_not == EEXIST;
    die "can't write $base.journal: $why_not\n";
}

# Reserves a name that may exist. Locks the journal before anything is changed. A Run that has just finished may have
# removed the locked file: then locking is tried again. An unfinished run of that name is replaced.
sub _replacing {
    my ($class, $base, @others) = @_;
    UnixBench::Store::OutputFiles::check_replaceable($base);
    UnixBench::Store::OutputFiles::check_states($base, @others);
    for (1 .. TRIES) {
        UnixBench::Store::OutputFiles::remove("$base.journal") if -l "$base.journal";
        my $journal = UnixBench::Store::OutputFiles::taken_journal($base) or next;
        if (-s $journal) {
            UnixBench::Store::OutputFiles::remove_left($base, $journal);
            UnixBench::Store::OutputFiles::remove("$base.journal");
            next;
        }
        my $lock = eval { $class->take_over(base => $base, journal => $journal, others => \@others) };
        return $lock if $lock;
        unlink "$base.journal";
        die $@;
    }
    die "can't lock $base.journal\n";
}

1;
