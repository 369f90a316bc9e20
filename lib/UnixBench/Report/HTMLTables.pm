package UnixBench::Report::HTMLTables;

use strict;
use warnings;

use UnixBench::Format          qw(fixed full_precision);
use UnixBench::Report::Markup  qw(element);
use UnixBench::Report::Page    qw(number row table);
use UnixBench::Report::Wording qw(score_title table_title);
use UnixBench::Result          qw(is_measured tests_by_title unmeasured);
use UnixBench::Score;

# Takes the tests of a run, returns the table of their scores, or of the reasons why there is none.
sub results {
    my ($tests) = @_;
    my @rows = map { _result_row($_) } tests_by_title($tests);
    return table('Results', ['Test', '*Score', 'Unit', '*Time', '*Samples'], \@rows);
}

sub _result_row {
    my ($test) = @_;
    return row($test->{title}, _missing(4, unmeasured($test))) if !is_measured($test);
    my @cells = (
        number(fixed($test->{score})),         element('td', $test->{unit}),
        number(fixed($test->{time_s}) . ' s'), number($test->{samples}),
    );
    return row($test->{title}, @cells);
}

# Takes an index, returns its table.
sub index_values {
    my ($index) = @_;
    my $title   = element('th', { scope => 'row', colspan => 3 }, score_title($index));
    my $sum     = element('tr', $title,                           number(fixed($index->{index})));
    my @rows    = map { _index_row($_) } @{ $index->{rows} };
    return table(table_title($index), ['Test', '*Baseline', '*Result', '*Index'], \@rows, $sum);
}

sub _index_row {
    my ($row) = @_;
    my @texts = map { defined $_ ? fixed($_) : '---' } @{$row}{qw(baseline score index)};
    return row($row->{title}, map { number($_) } @texts);
}

# Takes the tests of a run, returns every pass of theirs, folded.
sub passes {
    my ($tests) = @_;
    my @tables = map { _pass_table($_) } tests_by_title($tests);
    return if !@tables;
    return element('details', element('summary', 'Every pass'), @tables);
}

sub _pass_table {
    my ($test) = @_;
    my @rows = map { _pass_row($_) } @{ $test->{passes} || [] };
    return if !@rows;
    return table($test->{title}, ['Pass', '*Count', '*Time', '*Rate'], \@rows);
}

sub _pass_row {
    my ($pass) = @_;
    return row($pass->{number}, _missing(3, join '; ', _errors($pass))) if !defined $pass->{count};
    my $time  = sprintf '%.6f s', $pass->{time_s};
    my @texts = (full_precision($pass->{count}), $time, fixed(UnixBench::Score::rate($pass)));
    return row($pass->{number}, map { number($_) } @texts);
}

sub _errors {
    my ($pass) = @_;
    my @copies = @{ $pass->{copies} };
    my @failed = grep { defined $copies[$_]{error} } 0 .. $#copies;
    return $pass->{error} if !@failed;    # no copy was at fault: not all could be started, or their sum is absurd
    return map { 'copy ' . ($_ + 1) . ": $copies[$_]{error}" } @failed;
}

sub _missing {
    my ($columns, $reason) = @_;
    return element('td', { class => 'missing', colspan => $columns }, $reason);
}

1;
