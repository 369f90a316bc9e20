package UnixBench::Report::Text;

use strict;
use warnings;

use UnixBench::Base::Format           qw(clean defused fixed right_edge);
use UnixBench::Base::Result           qw(is_measured unmeasured);
use UnixBench::Report::Text::Syscalls qw(not_observed_lines syscall_lines);
use UnixBench::Report::TextHead;
use UnixBench::Report::Wording qw(copies_sentence index_text score_title table_title time_sentence);

use constant {
    TITLE_WIDTH     => 40,
    SCORE_COLUMN    => 53,
    BASELINE_COLUMN => 53,
    RESULT_COLUMN   => 66,
    INDEX_COLUMN    => 75,
    UNIT_WIDTH      => 5,
    RULE            => '-' x 72,
};

# What other people's scripts look for in a report: no text from outside may look like it, and the units
# stand in lines of results only.
my @MARKS = ('aborting', 'Index Score', 'Benchmark Run', 'parallel cop', ' samples)', '-' x 71, '=' x 71);
my @UNITS = ('lps', 'MWIPS');

# Takes a view, returns the classic report.
sub render {
    my ($view) = @_;
    my $result = $view->result;
    my @head   =
        map { defused($_, @MARKS, @UNITS) } UnixBench::Report::TextHead::lines($result);
    my @runs   = map { (_run_lines($view, $_), syscall_lines($view, $_)) } $view->runs;
    return join '', map { "$_\n" } @head, @runs, not_observed_lines($result);
}

sub _run_lines {
    my ($view, $run) = @_;
    return (
        RULE,                  time_sentence($run, $view->result->{utc_offset_s}),
        copies_sentence($run), '', (map { _test_line($_) } $view->tests($run)),
        '', (map { (_table_lines($_), '') } @{ $run->{indexes} }),
    );
}

sub _test_line {
    my ($test) = @_;
    my $title = clean($test->{title});
    return sprintf '%-*s %s', TITLE_WIDTH, $title, _reason($test) if !is_measured($test);
    my $score = right_edge($title, fixed($test->{score}), SCORE_COLUMN);
    my $unit  = sprintf '%-*s', UNIT_WIDTH, defused(clean($test->{unit}), @MARKS);
    return "$score $unit " . sprintf '(%.1f s, %d samples)', $test->{time_s}, $test->{samples};
}

sub _reason {
    my ($test) = @_;
    return defused(clean(unmeasured($test)), @MARKS, @UNITS);
}

sub _table_lines {
    my ($index) = @_;
    return (
        _row(clean(table_title($index)), qw(BASELINE RESULT INDEX)),
        (map { _row(clean($_->{title}), _row_values($_)) } @{ $index->{rows} }),
        ' ' x (INDEX_COLUMN - 8) . '=' x 8,
        right_edge(clean(score_title($index)), index_text($index), INDEX_COLUMN),
    );
}

sub _row_values {
    my ($row) = @_;
    return map { defined $_ ? fixed($_) : '---' } @{$row}{qw(baseline score index)};
}

sub _row {
    my ($title, $baseline, $score, $index) = @_;
    my $line = right_edge($title, $baseline, BASELINE_COLUMN);
    $line = right_edge($line, $score, RESULT_COLUMN);
    return right_edge($line, $index, INDEX_COLUMN);
}

1;
