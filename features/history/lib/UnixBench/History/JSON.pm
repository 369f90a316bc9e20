package UnixBench::History::JSON;

# A history as JSON, and the types of the file.

use strict;
use warnings;

use UnixBench::Base::Time       qw(iso_time);
use UnixBench::Features         ();
use UnixBench::History::Wording qw(headline outcome series_title);
use UnixBench::Report::JSON     ();
use UnixBench::Report::Plain    qw(in_plain);
use UnixBench::Score::Estimate  ();

my $DECLARATION = <<'END';
history: the file of history --json
  format            =unixbench-history  distinguishes such a file from all others
  schema            =1                  the version of this description
  version           text                the version of the suite that judged
  outcome           done|worse|inconclusive
                                        exit status 0; 3: a change for the worse is not accepted; 4: no run can be used
  summary           text                the same in a sentence
  min_effect        unsigned            the least change that matters, as a part of 1
  notes             [text]              the results that are left out
  hosts             [history_host]      the hosts; text reports, and results of another procedure, are other ones

history_host: the history of a host
  host?             text                its name; null if no result has one
  label             text                its name with what distinguishes its results: version, procedure
  has_passes        boolean             whether its results have passes; text reports have none
  runs              [history_run]       its runs in the order of their starts; series have their numbers, from 0
  series            [series]            a series for each test and index, number of copies, CPU and programs
  events            [event]             the runs at which series changed, the latest first

history_run: a run of a history
  file              text                the path of its result
  started?          moment              its start; a text report's local time is taken as UTC; null: the clock was wrong
  trust?            incomplete|poor|fair|unknown|good
                                        how far it can be trusted; null for a text report
  is_evidence       boolean             false: it is shown only

series: the values of a test or an index
  copies            whole               the copies that ran at once
  kind              test|index|work     what was measured; work: the cycles of a loop of a test
  name              text                of a test: its name on the command line; of an index: its category
  title             text                its title in the reports
  is_ended          boolean             whether its programs or the CPU were replaced
  values            [series_value]      its values
  sees?             positive            the step that three more runs show with a probability of 90 %, a part of 1

series_value: a value of a series
  run               natural             the number of the run
  value             positive            the score or index of all passes
  low?              positive            the lower end of its 95 % interval
  high?             positive            the upper end of its 95 % interval
  is_outlier?       boolean             whether it was clipped

event: a run at which series changed
  kind              step|drift          what happened: a change, or the begin of a slow change
  run               natural             the number of the run
  since             natural             the number of runs that are evidence from this one on
  is_confirmed      boolean             false: a change is provisional, and may go away
  is_worse          boolean             a change for the worse is confirmed
  accepted?         text                the reason why the user accepts it
  changes           [series_change]     the changes, the largest first
  differs           [fact_apart]        the facts that differ between the last run before it and its first run, or, of
                                        "drift", between both of its ends
  files             [text]              measured files that differ

series_change: a change of a series
  copies            whole               the copies that ran at once
  kind              test|index|work     what changed
  name              text                of a test: its name on the command line; of an index: its category
  at                natural             the run at which this series changed; noise may move it by one
  last?             natural             of "drift": its last run; of a step that is over: the last run on the new level
  by                number              the size, as a part of 1; of work, that of the rates that follow from it
  low               number              the lower end of its 95 % interval
  high              number              the upper end of its 95 % interval
  is_confirmed      boolean             whether later runs confirm it, and other load can't be the reason
  why?              (why_row)           of a test: the factors, if the runs have the numbers
END

# Returns the declaration of the types.
sub types { return $DECLARATION }

# Takes a history, see UnixBench::History::Report; returns the text of the file.
sub render {
    my ($history) = @_;
    return UnixBench::Report::JSON::file_of(
        history => {
            outcome    => outcome($history),
            summary    => in_plain(headline($history)),
            min_effect => $history->{min_effect},
            notes      => [map { $_->{text} } @{ $history->{notes} }],
            hosts      => [map { _host($_) } @{ $history->{hosts} }],
        }
    );
}

my @COLUMNS = qw(host file started trust is_evidence copies kind name value low high is_outlier);

# Takes a history; returns it as a table for other programs: [columns] and a row for each value of each run.
sub table {
    my ($history) = @_;
    my @rows;
    for my $host (map { _host($_) } @{ $history->{hosts} }) {
        for my $series (@{ $host->{series} }) {
            for my $value (@{ $series->{values} }) {
                my %run = %{ $host->{runs}[$value->{run}] };
                $run{started} = defined $run{started} ? iso_time($run{started}, 0) : undef;
                push @rows, { %run, %$value, host => $host->{label}, map { $_ => $series->{$_} } qw(copies kind name) };
            }
        }
    }
    return (\@COLUMNS, @rows);
}

sub _host {
    my ($host) = @_;
    return {
        host       => $host->{name},
        label      => $host->{label},
        has_passes => $host->{has_passes},
        series     => [map { _series($_) } @{ $host->{series} }],
        events     => [map { _event($_) } @{ $host->{events} }],
        runs       => [
            map { {
                file        => $_->{path},
                trust       => $_->{outline}{trust},
                started     => $_->{is_dated} ? $_->{started} : undef,
                is_evidence => $_->{is_evidence},
            } } @{ $host->{runs} }
        ],
    };
}

sub _series {
    my ($series) = @_;
    my @values;
    for my $run (grep { defined $series->{values}[$_] } 0 .. $#{ $series->{values} }) {
        my $value = $series->{values}[$run];
        my ($low, $high) = UnixBench::Score::Estimate::ends($value, $series->{halves}[$run]);
        my $is_outlier = $series->{outliers}{$run} ? 1 : 0;
        push @values, { run => $run, value => $value, low => $low, high => $high, is_outlier => $is_outlier };
    }
    my %own = map { $_ => $series->{$_} } qw(copies kind name is_ended sees);
    return { %own, title => series_title($series), values => \@values };
}

sub _event {
    my ($event) = @_;
    my @found = keys %{ UnixBench::Features::having(of_comparisons => 'of_pair') };
    my @changes;
    for my $change (@{ $event->{changes} }) {
        my %of = map { $_ => $change->{series}{$_} } qw(copies kind name);
        push @changes,
            { %of, is_confirmed => $change->{confirmed}, map { $_ => $change->{$_} } qw(at last by low high), @found };
    }
    return {
        changes => \@changes,
        map { $_ => $event->{$_} } qw(kind run since is_confirmed is_worse accepted differs files)
    };
}

1;
