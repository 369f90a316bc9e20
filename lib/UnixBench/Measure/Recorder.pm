package UnixBench::Measure::Recorder;

# Writes a run to the disk: each pass to the journal and the log when it is done, the reports at the end. If states are
# measured in turns, each of them has a log of its own; the files of all but the first have its letter in their names.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Files     ();
use UnixBench::Plan::Turns     ();
use UnixBench::Report::Text    ();
use UnixBench::Store::Journal  ();

# Takes lock => UnixBench::Store::OutputLock, so_far => the contents of the journal, see
# UnixBench::Store::Journal::read_text, and perhaps redaction => UnixBench::Store::Redaction. Only the log is redacted:
# a resume needs all names in the journal.
sub new {
    my ($class, @given) = @_;
    my $given   = named(\@given, qw(lock so_far redaction));
    my $so_far  = delete $given->{so_far};
    my $journal = UnixBench::Store::Journal->new(seal => $so_far->{seal});
    return bless {
        %$given,
        kept    => $so_far->{runs},
        journal => $journal,
        logs    => {},
        written => [],
    }, $class;
}

# Begins the journal with its head. Returns when the names of the new files are on the disk.
sub begin {
    my ($self, %head) = @_;
    $self->note(head => %head);
    return $self->{lock}->sync_names;
}

# Writes a line to the journal, see UnixBench::Store::Journal::line. Returns when it is on the disk. Dies if it can't be
# written; then no other line may follow.
sub note {
    my ($self, $kind, %holds) = @_;
    return $self->_append(journal => $self->{journal}->line($kind, %holds));
}

# Returns the functions for the runner and for extra passes. They are also called for runs and passes that the journal
# already has, because the log is new.
sub listeners {
    my ($self) = @_;
    return {
        run_started  => sub { $self->_run_started(@_) },
        test_started => sub { $self->_log_head(@_) },
        pass_done    => sub { $self->_pass_done(@_) },
        test_done    => sub { $self->_test_done(@_) },
        run_done     => sub { $self->_run_done(@_) },
        extra_done   => sub {
            my ($test, undef, $number, $extra) = @_;
            $self->note($extra->key => run => $number, test => $test->{name}, %{ $test->{ $extra->key } });
        },
    };
}

# Takes a suffix, and a text or a function that writes it in pieces. Writes the report, completely or not at all, with a
# temporary name. publish() renames it. Dies if it can't be written.
sub write_report {
    my ($self, $suffix, $text) = @_;
    my $new = $self->{lock}->within(sub { UnixBench::Base::Files::write_new("$_[0]$suffix", $text) });
    push @{ $self->{written} }, [$suffix, $new];
    return;
}

# Removes the reports that were written. Dies if it can't.
sub withdraw {
    my ($self) = @_;
    return $self->{lock}->withdraw(@{ $self->{written} }, $self->_logs);
}

# Takes whether all reports could be written; gives those that were written their names. If some are missing and there
# is an earlier result of this name, removes the new reports instead. Dies if it can't.
sub publish {
    my ($self, $are_all_written) = @_;
    my ($lock, $written)         = @$self{qw(lock written)};
    return $self->withdraw if !$are_all_written && $lock->is_replacing;
    return if eval { $lock->publish(@$written, $self->_logs); 1 };
    my $why_not = $@;
    my $is_left = !eval { $self->withdraw; 1 };
    die $is_left && $why_not ne $@ ? $why_not . $@ : $why_not;
}

# Removes the journal. Has to be called when the result is complete and all reports are written.
sub finish {
    my ($self) = @_;
    $self->{lock}->sync_names;
    return $self->{lock}->finish;
}

sub _run_started {
    my ($self, $run) = @_;
    return if $self->_kept($run);
    return $self->note(run => map { $_ => 0 + $run->{$_} } qw(number copies started cpu_count));
}

sub _pass_done {
    my ($self, $pass, $test, $run) = @_;
    my $kept = $self->_kept($run) || { passes => {} };
    $self->note(pass => run => $run->{number}, test => $test->{name}, %$pass)
        if $pass->{number} > @{ $kept->{passes}{ $test->{name} } || [] };
    $self->_log_head($test, $run);
    $self->_log($run, pass => $self->_shown(pass => $pass));
    delete $_->{output} for @{ $pass->{copies} };
    return;
}

sub _test_done {
    my ($self, $test, $run) = @_;
    $self->_log_head($test, $run);
    return $self->_log($run, test_tail => $self->_shown(test => $test), $run->{copies});
}

# Writes the head of a test to the log, unless it was the last one. In a quick run the tests take turns.
sub _log_head {
    my ($self, $test, $run) = @_;
    my $state = $run->{state};
    my $head  = "$run->{number} $test->{name}";
    return if ($self->{logged}[$state] // q{}) eq $head;
    $self->{logged}[$state] = $head;
    return $self->_log($run, test_head => $self->_shown(test => $test), $run->{copies});
}

sub _run_done {
    my ($self, $run) = @_;
    my $kept = $self->_kept($run);
    return if $kept && defined $kept->{ended};
    return $self->note(
        ended => run => $run->{number},
        at    => $run->{ended},
        map { defined $run->{$_} ? ($_ => $run->{$_}) : () } 'clock_set_s'
    );
}

# Returns the part of the journal about a run, or undef.
sub _kept { my ($self, $run) = @_; return $self->{kept}[$run->{number}] }

# Takes "test" or "pass" and such an item; returns it for the log, redacted if this was requested.
sub _shown {
    my ($self, $kind, $what) = @_;
    return $self->{redaction} ? $self->{redaction}->$kind($what) : $what;
}

sub _log {
    my ($self, $run, $piece, @what) = @_;
    my $text  = UnixBench::Report::Text->can($piece)->(@what);
    my $state = $run->{state} or return $self->_append(log => $text);
    my $log   = $self->{logs}{$state} ||= [$self->{lock}->new_log(suffix($state) . '.log')];
    return $log->[1]->($text);
}

# Returns [suffix, temporary name] of the logs of all states but the first.
sub _logs {
    my ($self) = @_;
    return map { [suffix($_) . '.log', $self->{logs}{$_}[0]] } sort keys %{ $self->{logs} };
}

# Takes the number of a state; returns what the names of its files have after the base.
sub suffix {
    my ($state) = @_;
    return $state ? q{-} . lc UnixBench::Plan::Turns::letter($state) : q{};
}

# Also dies if the journal or the directory was moved or removed.
sub _append {
    my ($self, $which, $text) = @_;
    return $self->{lock}->within(sub { $self->{lock}->append($which, $text) });
}

1;
