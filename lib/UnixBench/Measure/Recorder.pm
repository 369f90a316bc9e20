package UnixBench::Measure::Recorder;

# Keeps what a run measures: each pass in the journal and the log when it is done, the results with their reports at the
# end. There is a result for each state of the machine. The first state is the plain machine. It has all reports; each
# other state has a page and a log, with its letter in their names.

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Clock     ();
use UnixBench::Base::Files     ();
use UnixBench::Base::Result    ();
use UnixBench::Measure::Run    ();
use UnixBench::Plan            ();
use UnixBench::Report::Formats ();
use UnixBench::Report::Notes   ();
use UnixBench::Report::Text    ();
use UnixBench::Report::View    ();
use UnixBench::Store::Journal  ();
use UnixBench::Store::Measured ();

use constant PAGE => '.html';    # the suffix of the report with all data

# Takes
#   result      the result without runs, with the procedure of the first state
#   states      [states of the plan]
#   experiment  see UnixBench::Plan (optional)
#   published   a function that returns published results, see UnixBench::Compare::Published
#   redaction   UnixBench::Store::Redaction (optional). The journal is not redacted: a resume needs all names.
sub new {
    my ($class, @given) = @_;
    my $self   = bless named(\@given, qw(result states experiment published redaction)), $class;
    my $result = delete $self->{result};
    my (undef, @others) = @{ $self->{states} };
    my %turns = (%{ $result->{procedure}{turns} || {} }, commands => [map { $_->{command} } @others]);
    $turns{off} = $others[0]{off_command} if @others && defined $others[0]{off_command};
    $self->{results} = [map { _of_state($result, $_, %turns) } 0 .. @others];
    return $self;
}

# Takes [facts about the machine] in each state, if they differ, and further keys of what the procedure says of states.
sub note_states {
    my ($self, $facts, %turns) = @_;
    for my $result (@{ $self->{results} }) {
        my $of = $result->{procedure}{turns};
        %$of = (%$of, %turns);
        $result->{facts} = $facts->[$of->{state}] if @$facts;
    }
    return;
}

# Opens the files. Takes UnixBench::Store::OutputLock, and the contents of the journal, see
# UnixBench::Store::Journal::read_text.
sub open_files {
    my ($self, $lock, $so_far) = @_;
    @$self{qw(lock kept)}    = ($lock, $so_far->{runs});
    $self->{journal}         = UnixBench::Store::Journal->new(seal => $so_far->{seal});
    @$self{qw(logs written)} = ({}, []);
    return;
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

# If there is only one state, that is the same result.
sub _of_state {
    my ($result, $state, %turns) = @_;
    return $result if !@{ $turns{commands} };
    my $turns = { %turns, state => $state };
    my $own   = $state ? { %$result, runs => [] } : $result;
    $own->{procedure} = { %{ $result->{procedure} }, turns => $turns };
    $own->{notes}     = [UnixBench::Report::Notes::of($own)];
    return $own;
}

# Returns the result of the first state, and those of all states.
sub first { my ($self) = @_; return $self->{results}[0] }
sub all   { my ($self) = @_; return @{ $self->{results} } }

# Returns the runs of all states that have begun, in the order of their numbers.
sub runs {
    my ($self) = @_;
    my @runs = sort { $a->{number} <=> $b->{number} } map { @{ $_->{runs} } } $self->all;
    return @runs;
}

# Completes the results. Takes when_s, the present time in seconds since 1970; indexes, a function that takes tests and
# returns indexes; earlier, a function that takes results and returns what earlier runs show of each; signal, the name
# of the signal that interrupted the run, or undef; and problem, the error that ended it, a line or undef.
sub complete {
    my ($self, %end) = @_;
    for my $result (@{ $self->{results} }) {
        my $procedure = $result->{procedure};
        $procedure->{resumptions} = $self->{results}[0]{procedure}{resumptions};
        $result->{$_} //= $self->{results}[0]{$_} for keys %{ $self->{results}[0] };    # found out since it began
        $procedure->{replacements} = [UnixBench::Base::Result::replacements($result->{runs})];
        $procedure->{interruption} =
            { signal => $end{signal}, problem => defined $end{problem} ? $end{problem} =~ s/\n\z//r : undef }
            if defined $end{signal} || defined $end{problem};
        my @changes = map { UnixBench::Base::Clock::changes_between($_->{started}, $end{when_s}) } $result->{runs}[0]
            // ();
        $result->{clock_changes} = \@changes if @changes;
        _complete_run($_, %end) for @{ $result->{runs} };
    }
    my @earlier = $end{earlier}->(@{ $self->{results} });
    $_->{earlier} = shift @earlier for @{ $self->{results} };
    @{ $self->{results} } = map { $self->{redaction}->result($_) } @{ $self->{results} } if $self->{redaction};
    $_->{notes} = [UnixBench::Report::Notes::of($_)] for @{ $self->{results} };
    $self->first->{experiment} = $self->{experiment}->ratios($self->{results}) if $self->{experiment};
    return;
}

sub _complete_run {
    my ($run, %end) = @_;
    delete @$run{qw(number state others in_a_row)};
    UnixBench::Measure::Run::end_at($run, $end{when_s}, 0) if !defined $run->{ended};
    for my $test (@{ $run->{tests} }) {
        delete @$test{qw(lane state)};
        next if $test->{status};
        @$test{qw(status reason)} = UnixBench::Measure::Run::interrupted_after(scalar @{ $test->{passes} }, $test);
    }
    $run->{indexes} = $end{indexes}->($run->{tests});
    return;
}

# Takes a function that calls another one and returns whether it did not die, and the settings. Writes the reports;
# returns the text report, empty if it could not be made. That file is the newest, because some scripts take the newest
# file that is neither a log nor a page for the report. If a result makes no sense, writes no report and returns
# nothing.
sub write_reports {
    my ($self, $try, $settings) = @_;
    my @published = (published => $self->{published});
    my @views     = map { UnixBench::Report::View->new(result => $_, @published) } @{ $self->{results} };
    $self->{view} = $views[0];
    return if grep { !$self->_makes_sense($_) } @{ $self->{results} };
    my $text    = q{};
    my @reports = (
        (map { _report(suffix($_) . PAGE, $views[$_], 'html') } reverse 1 .. $#views),
        $self->_reports_of_first($settings, \$text),
    );
    my @written = grep {
        my ($suffix, $source) = @$_;
        $try->(sub { $self->write_report($suffix, $source->()) });
    } @reports;
    $try->(sub { $self->publish(@written == @reports) });
    return $text;
}

# Returns [suffix, function that returns the text] of each report of the first state. The text report is the last one;
# the text is also kept in the variable to which the reference leads.
sub _reports_of_first {
    my ($self, $settings, $kept) = @_;
    my $view    = $self->{view};
    my $kind_of = UnixBench::Report::Formats::files(grep { $settings->{$_} } qw(csv json));
    my @others  = map { _report($_, $view, $kind_of->{$_}) } reverse sort grep { length } keys %$kind_of;
    return (@others, [q{} => sub { $$kept = UnixBench::Report::Formats::source_of('text', $view) }]);
}

sub _report {
    my ($suffix, $view, $kind) = @_;
    return [$suffix => sub { UnixBench::Report::Formats::source_of($kind, $view) }];
}

sub _makes_sense {
    my ($self, $result) = @_;
    return 1 if eval { UnixBench::Store::Measured::check($result); 1 };
    $self->{problem} = "no report was written, because the result contradicts itself: $@";
    return;
}

# Returns a line if a test has failed in another state than the first, or nothing.
sub failure {
    my ($self) = @_;
    my (undef, @others) = @{ $self->{results} };
    my @tests = map { @{ $_->{tests} } } map { @{ $_->{runs} } } @others;
    return grep({ $_->{status} eq 'failed' } @tests) ? 'a test failed under a command' : ();
}

# Returns the error because of which no report was written, a line, or undef.
sub problem { my ($self) = @_; return $self->{problem} }

# Returns the view of the first state's result, see UnixBench::Report::View, after write_reports().
sub view { my ($self) = @_; return $self->{view} }

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

# Each run becomes part of its result when it begins, so that nothing is lost after an error.
sub _run_started {
    my ($self, $run) = @_;
    push @{ $self->{results}[$run->{state}]{runs} }, $run;
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
    UnixBench::Base::Result::sample($pass);
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

sub _kept { my ($self, $run) = @_; return $self->{kept}[$run->{number}] }

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

sub _logs {
    my ($self) = @_;
    return map { [suffix($_) . '.log', $self->{logs}{$_}[0]] } sort keys %{ $self->{logs} };
}

# Takes the number of a state; returns what the names of its files have after the base.
sub suffix {
    my ($state) = @_;
    return $state ? q{-} . lc UnixBench::Plan::letter($state) : q{};
}

# Also dies if the journal or the directory was moved or removed.
sub _append {
    my ($self, $which, $text) = @_;
    return $self->{lock}->within(sub { $self->{lock}->append($which, $text) });
}

1;
