package UnixBench::Measure::Results;

# The results of a run, one for each state of the machine that it measures: collects their runs, completes them, and
# writes their reports. The first state is the plain machine. It has all reports; each other state has a page and a log.

use strict;
use warnings;

use UnixBench::Base::Arguments   qw(named);
use UnixBench::Base::Clock       ();
use UnixBench::Base::Result      ();
use UnixBench::Measure::Recorder ();
use UnixBench::Measure::Run      ();
use UnixBench::Report::Formats   ();
use UnixBench::Report::Notes     ();
use UnixBench::Report::View      ();
use UnixBench::Store::Measured   ();

use constant PAGE => '.html';    # the suffix of the report with all data

# Takes
#   result      the result without runs, with the procedure of the first state
#   states      [states of the plan]
#   experiment  see UnixBench::Plan::Plan (optional)
#   published   [published results], see UnixBench::Compare::Published
#   redaction   UnixBench::Store::Redaction (optional)
sub new {
    my ($class, @given) = @_;
    my $self     = bless named(\@given, qw(result states experiment published redaction)), $class;
    my $result   = delete $self->{result};
    my @commands = map { $_->{command} } @{ $self->{states} };
    $self->{results} = [map { _of_state($result, $_, @commands[1 .. $#commands]) } 0 .. $#commands];
    return $self;
}

# Takes the result of the first state, the number of a state, and the commands of all states but the first. Returns the
# result of that state. If there is only one state, that is the same result.
sub _of_state {
    my ($result, $state, @commands) = @_;
    return $result if !@commands;
    my $turns = { state => $state, commands => \@commands };
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

# Takes a run that begins; adds it to the result of its state.
sub add {
    my ($self, $run) = @_;
    push @{ $self->{results}[$run->{state}]{runs} }, $run;
    return;
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

# Completes a run: its end, the status of tests that were interrupted, and its indexes.
sub _complete_run {
    my ($run, %end) = @_;
    delete @$run{qw(number state others)};
    UnixBench::Measure::Run::end_at($run, $end{when_s}, 0) if !defined $run->{ended};
    for my $test (@{ $run->{tests} }) {
        delete @$test{qw(lane state)};
        next if $test->{status};
        @$test{qw(status reason)} = UnixBench::Measure::Run::interrupted_after(scalar @{ $test->{passes} }, $test);
    }
    $run->{indexes} = $end{indexes}->($run->{tests});
    return;
}

# Takes the recorder, a function that calls another one and returns whether it did not die, and the settings. Writes the
# reports; returns the text report, empty if it could not be made. That file is the newest, because some scripts take
# the newest file that is neither a log nor a page for the report. If a result makes no sense, writes no report and
# returns nothing.
sub write_reports {
    my ($self, $recorder, $try, $settings) = @_;
    my @published = (published => $self->{published});
    my @views     = map { UnixBench::Report::View->new(result => $_, @published) } @{ $self->{results} };
    $self->{view} = $views[0];
    return if grep { !$self->_makes_sense($_) } @{ $self->{results} };
    my $text    = q{};
    my @reports = (
        (map { _report(UnixBench::Measure::Recorder::suffix($_) . PAGE, $views[$_], 'html') } reverse 1 .. $#views),
        $self->_reports_of_first($settings, \$text),
    );
    my @written = grep {
        my ($suffix, $source) = @$_;
        $try->(sub { $recorder->write_report($suffix, $source->()) });
    } @reports;
    $try->(sub { $recorder->publish(@written == @reports) });
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

1;
