package UnixBench::Measure::Recorder;

# Writes a run to the disk: each pass to the journal and the log as soon as it is done, the reports at the end.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Files     ();
use UnixBench::Report::JSON    ();
use UnixBench::Report::Log     ();
use UnixBench::Store::Journal  ();

# Takes lock => UnixBench::Store::OutputLock, kept => the runs that the journal already has, and perhaps redaction =>
# UnixBench::Store::Redaction, for the log: the journal needs all names to be resumed.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(lock kept redaction));
    return bless { %$given, run => -1, written => [], remarks => [] }, $class;
}

# Returns what happened to the files of the run, and how that was repaired, each in a line.
sub remarks { my ($self) = @_; return @{ $self->{remarks} } }

# Begins the journal with its head, and waits until the names of the new files are on the disk.
sub begin {
    my ($self, %head) = @_;
    $self->note(head => %head);
    return $self->{lock}->sync_names;
}

# Writes a line of the journal, see UnixBench::Store::Journal::line; it is on the disk when this returns. Dies if it
# can't be written.
sub note {
    my ($self, $kind, %holds) = @_;
    return $self->_append(journal => UnixBench::Store::Journal::line($kind, %holds));
}

# Returns the functions that the runner and the observer call. They call them also for runs and passes that the journal
# already has, since the log is new.
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

# Takes a suffix and a text; writes the report, completely or not at all. publish() gives it its name. Dies if it can't
# be written.
sub write_report {
    my ($self, $suffix, $text) = @_;
    $self->_renew;
    UnixBench::Base::Files::write_new($self->{lock}->base . $suffix, $text);
    push @{ $self->{written} }, $suffix;
    return;
}

# Takes the view of a result; writes the result as JSON in the same way, but piece by piece.
sub write_json {
    my ($self, $view) = @_;
    return $self->write_report('.json', sub { UnixBench::Report::JSON::write_to($view, @_) });
}

# Takes whether all reports could be written; gives those that were written their names, unless that would replace an
# earlier result by a part of this one. Dies if it can't.
sub publish {
    my ($self, $are_all_written) = @_;
    my ($lock, $written)         = @$self{qw(lock written)};
    $self->_renew;
    return $lock->publish(@$written) if $are_all_written || !$lock->is_replacing;
    return $lock->withdraw(@$written);
}

# Removes the journal when the result is complete and all its reports are written.
sub finish {
    my ($self) = @_;
    $self->{lock}->sync_names;
    return $self->{lock}->finish;
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

# Logs the head of a test before its lines: in a quick run the tests take turns.
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

# Returns the part of the journal about the run that is under way, or undef.
sub _kept { my ($self) = @_; return $self->{kept}[$self->{run}] }

# Returns a test or a pass as the log shows it.
sub _shown {
    my ($self, $kind, $what) = @_;
    return $self->{redaction} ? $self->{redaction}->$kind($what) : $what;
}

sub _log {
    my ($self, $piece, @what) = @_;
    return $self->_append(log => UnixBench::Report::Log->can($piece)->(@what));
}

sub _append {
    my ($self, $which, $text) = @_;
    $self->_renew;
    return $self->{lock}->append($which, $text);
}

# The files may have been moved or removed since they were written to.
sub _renew {
    my ($self) = @_;
    my $remark = $self->{lock}->renew // return;
    push @{ $self->{remarks} }, $remark;
    return $self->{lock}->sync_names;
}

1;
