package UnixBench::Report::HTML::Tables;

use strict;
use warnings;

use UnixBench::Base::Format      qw(fixed full_precision);
use UnixBench::Base::Result      qw(is_measured tests_by_title unmeasured);
use UnixBench::Remarks::Wording  qw(tag_text);
use UnixBench::Report::PageTable qw(across cell number row table text wide_row);
use UnixBench::Report::Wording   qw(index_text score_title table_title);
use UnixBench::Score::Score;

# Takes the tests of a run, returns the table of their scores, or of the reasons why there is none.
sub results {
    my ($tests) = @_;
    my @rows = map { _result_row($_) } tests_by_title($tests);
    return table('Results', ['Test', '*Score', 'Unit', '*Time', '*Samples'], \@rows);
}

sub _result_row {
    my ($test) = @_;
    return row($test->{title}, across(4, unmeasured($test))) if !is_measured($test);
    my @cells = (
        number(fixed($test->{score})),         cell($test->{unit}),
        number(fixed($test->{time_s}) . ' s'), number($test->{samples}),
    );
    return row($test->{title}, @cells);
}

# Takes an index, returns its table.
sub index_values {
    my ($index) = @_;
    my $sum     = wide_row(3, score_title($index), number(index_text($index)));
    my @rows    = map { _index_row($_) } @{ $index->{rows} };
    return table(table_title($index), ['Test', '*Baseline', '*Result', '*Index'], \@rows, $sum);
}

sub _index_row {
    my ($row) = @_;
    my @texts = map { defined $_ ? fixed($_) : '---' } @{$row}{qw(baseline score index)};
    return row($row->{title}, map { number($_) } @texts);
}

# Takes the tests of a run, returns a table of the passes of each.
sub passes {
    my ($tests) = @_;
    return map { _pass_table($_) } tests_by_title($tests);
}

sub _pass_table {
    my ($test)    = @_;
    my @passes    = @{ $test->{passes} || [] } or return;
    my $is_tagged = grep { length _disturbance($_) } @passes;
    my @headings  = ('Pass', '*Count', '*Time', '*Rate', $is_tagged ? 'Disturbed by' : ());
    my @rows      = map { row($_->{number}, _numbers($_), $is_tagged ? text(_disturbance($_)) : ()) } @passes;
    return table($test->{title}, \@headings, \@rows);
}

sub _numbers {
    my ($pass) = @_;
    return across(3, join '; ', _errors($pass)) if !defined $pass->{count};
    my $time  = sprintf '%.6f s', $pass->{time_s};
    my @texts = (full_precision($pass->{count}), $time, fixed(UnixBench::Score::Score::rate($pass)));
    return map { number($_) } @texts;
}

# What disturbed a pass, and the slices that it was made in place of.
sub _disturbance {
    my ($pass) = @_;
    my @before = map { 'repeated after ' . join ' and ', _tag_texts($_) } @{ $pass->{set_aside} || [] };
    return join '; ', _tag_texts($pass), @before;
}

sub _tag_texts {
    my ($pass) = @_;
    return map { tag_text($_) } @{ $pass->{tags} || [] };
}

sub _errors {
    my ($pass) = @_;
    my @copies = @{ $pass->{copies} };
    my @failed = grep { defined $copies[$_]{error} } 0 .. $#copies;
    return $pass->{error} if !@failed;    # no copy was at fault: not all could be started, or their sum is absurd
    return map { 'copy ' . ($_ + 1) . ": $copies[$_]{error}" } @failed;
}

1;
