package UnixBench::Measure::Recorder;

# Keeps on the disk what is measured: each pass in the journal and in the log as soon as it is done, the
# reports at the end.

use strict;
use warnings;

use File::Basename qw(dirname);

use UnixBench::Base::Files       ();
use UnixBench::Report::Formats   ();
use UnixBench::Report::JSON      ();
use UnixBench::Report::Log       ();
use UnixBench::Store::Journal    ();
use UnixBench::Store::OutputLock ();
use UnixBench::Store::Renewal    ();

# Takes reservation (see UnixBench::Store::OutputLock), kept => the runs that the journal holds already, and perhaps
# anonymity, see UnixBench::Store::Redaction, of the log: the journal has to name what is needed to go on.
sub new {
    my ($class, %with) = @_;
    return bless { %with, run => -1, written => [], remarks => [] }, $class;
}

# Returns what was done to the files of the run by others, and what was done about that, each in a line.
sub remarks { my ($self) = @_; return @{ $self->{remarks} } }

# Begins the journal with its head, and makes sure that the names of the new files are on the disk, too.
sub begin {
    my ($self, %head) = @_;
    $self->note(head => %head);
    return $self->_sync_names;
}

# Writes a line of the journal, see UnixBench::Store::Journal::line; it is on the disk when this returns. Dies when it
# can't be written.
sub note {
    my ($self, $kind, %holds) = @_;
    return $self->_append(journal => UnixBench::Store::Journal::line($kind, %holds));
}

# The functions that the runner and the observer call. Runs and passes that the journal holds are told again, for the
# log's sake.
sub listeners {
    my ($self) = @_;
    return {
        run_started  => sub { $self->_run_started(@_) },
        test_started => sub { $self->_log_head(@_) },
        pass_done    => sub { $self->_pass_done(@_) },
        test_done    => sub { $self->_test_done(@_) },
        run_done     => sub { $self->_run_done(@_) },
        observed     => sub { $self->_observed(@_) },
    };
}

# Takes a view of a result, see UnixBench::Report::View, and csv, whether that is wished; returns the reports that stand
# beside each other as files, { suffix => function that returns the text }.
sub reports {
    my ($view, %wish) = @_;
    my %kind = UnixBench::Report::Formats::of_files($wish{csv});
    my %reports;
    for my $suffix (keys %kind) {
        $reports{$suffix} = sub { UnixBench::Report::Formats::of_result($kind{$suffix}, $view) };
    }
    return \%reports;
}

# Writes a report, as a whole or not at all, which publish() gives its name. Dies when it can't.
sub write_report {
    my ($self, $suffix, $text) = @_;
    $self->_renew;
    UnixBench::Base::Files::write_new("$self->{reservation}{base}$suffix", $text);
    push @{ $self->{written} }, $suffix;
    return;
}

# Writes the result of a view as JSON, in the same way, but piece by piece.
sub write_json {
    my ($self, $view) = @_;
    return $self->write_report('.json', sub { UnixBench::Report::JSON::write_to($view, @_) });
}

# Takes whether all reports could be written; gives those that were their names. An earlier result of that name is only
# replaced as a whole. Dies when it can't.
sub publish {
    my ($self,        $are_all_written) = @_;
    my ($reservation, $written)         = @$self{qw(reservation written)};
    $self->_renew;
    return UnixBench::Store::OutputLock::publish($reservation, @$written)
        if $are_all_written || !UnixBench::Store::OutputLock::is_replacing($reservation);
    return UnixBench::Store::OutputLock::withdraw($reservation, @$written);
}

# Takes the path of a result's JSON and its reports, { suffix => text }; writes those of them beside it that are not
# there, where that is allowed. Returns a list of the paths, and what went wrong, each in a line.
sub complete {
    my ($path, $texts) = @_;
    my ($base) = $path =~ m{\A(.*[^/])[.]json\z}s or return [];
    return [] if !-w dirname($path);
    my (@written, @problems);
    for my $suffix (grep { !-e "$base$_" && !-l "$base$_" } sort keys %$texts) {
        if (eval { UnixBench::Base::Files::write_whole("$base$suffix", $texts->{$suffix}); 1 }) {
            push @written, "$base$suffix";
        }
        else { push @problems, $@ }
    }
    return (\@written, @problems);
}

# To be called when the result is whole and all of its reports are written.
sub finish {
    my ($self) = @_;
    $self->_sync_names;
    return UnixBench::Store::OutputLock::finish($self->{reservation});
}

sub _sync_names {
    my ($self) = @_;
    return UnixBench::Base::Files::sync_directory(dirname($self->{reservation}{base}));
}

sub _run_started {
    my ($self, $run) = @_;
    $self->{run}++;
    return if $self->_kept;
    return $self->note(run => number => $self->{run}, map { $_ => 0 + $run->{$_} } qw(copies started cpu_count));
}

sub _pass_done {
    my ($self, $pass, $test, $run) = @_;
    my $kept = $self->_kept || { passes => {} };
    $self->note(pass => run => $self->{run}, test => $test->{name}, %$pass)
        if $pass->{number} > @{ $kept->{passes}{ $test->{name} } || [] };
    $self->_log_head($test, $run);
    $self->_log(pass => $self->_shown(pass => $pass));
    delete $_->{output} for @{ $pass->{copies} };
    return;
}

sub _test_done {
    my ($self, $test, $run) = @_;
    $self->_log_head($test, $run);
    return $self->_log(test_tail => $self->_shown(test => $test), $run->{copies});
}

# What follows in the log is about that test: in a quick run the tests take turns.
sub _log_head {
    my ($self, $test, $run) = @_;
    my $head = "$self->{run} $test->{name}";
    return if ($self->{logged} // q{}) eq $head;
    $self->{logged} = $head;
    return $self->_log(test_head => $self->_shown(test => $test), $run->{copies});
}

sub _run_done {
    my ($self, $run) = @_;
    my $kept = $self->_kept;
    return if $kept && defined $kept->{ended};
    return $self->note(
        ended => run => $self->{run},
        at    => $run->{ended},
        map { defined $run->{$_} ? ($_ => $run->{$_}) : () } 'clock_set_s'
    );
}

sub _observed {
    my ($self, $test, $run, $number) = @_;
    return $self->note(observed => run => $number, test => $test->{name}, %{ $test->{observed} });
}

# What the journal holds of the run that is under way, or undef.
sub _kept { my ($self) = @_; return $self->{kept}[$self->{run}] }

# A test or a pass as the log may show it.
sub _shown {
    my ($self, $kind, $what) = @_;
    return $self->{anonymity} ? $self->{anonymity}->$kind($what) : $what;
}

sub _log {
    my ($self, $piece, @what) = @_;
    return $self->_append(log => UnixBench::Report::Log->can($piece)->(@what));
}

sub _append {
    my ($self, $which, $text) = @_;
    my $reservation = $self->{reservation};
    $self->_renew;
    return if UnixBench::Base::Files::append($reservation->{$which}, $text);
    die "can't write $reservation->{base}.$which: " . UnixBench::Base::Files::reason($! + 0) . "\n";
}

# The files may have been removed since something was written to them.
sub _renew {
    my ($self) = @_;
    my $remark = UnixBench::Store::Renewal::renew($self->{reservation}) // return;
    push @{ $self->{remarks} }, $remark;
    return $self->_sync_names;
}

1;
