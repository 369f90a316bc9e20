package UnixBench::Report::Ticket;

# The short form of a result for forums and tickets, at most 40 lines of Markdown: the block at the end of a run, the
# scores of the tests, the notes and the warnings. With --details, all topics take its place.

use strict;
use warnings;

use UnixBench::Base::Text       qw(counted);
use UnixBench::Report::Block    qw(cell column document list notices row screen strong table);
use UnixBench::Report::EndBlock qw(block_lines page_title);
use UnixBench::Report::Wording  qw(benchmark_title copies_title);

use constant { LINES_MOST => 40, WIDTH => 72, FIXED => 11, RUNS_MOST => 3, WARNINGS_MOST => 5, ROWS_LEAST => 3 };
use constant REST => ' in the long form: --details';

# Takes a view; returns the report.
sub report_of {
    my ($view)   = @_;
    my @block    = block_lines($view, WIDTH);
    my @warnings = $view->merged_warnings;
    my @more     = splice @warnings, @warnings > WARNINGS_MOST ? WARNINGS_MOST - 1 : @warnings;
    push @warnings, counted(scalar @more, 'more warning', 'more warnings') . REST if @more;
    my @notes = map { [strong('Note:'), " $_"] } @{ $view->result->{notes} };
    my $rows  = LINES_MOST - FIXED - @block - @warnings - 2 * @notes;
    my %title = (title => page_title($view), about => benchmark_title($view->result));
    return document(
        \%title, notices(@notes), screen(@block),
        _table($view, $rows < ROWS_LEAST ? ROWS_LEAST : $rows),
        list(undef, @warnings)
    );
}

# Takes a view and the number of rows for which there is room; returns the table of the tests, with a column for each
# run.
sub _table {
    my ($view, $most) = @_;
    my @runs = $view->runs;
    splice @runs, RUNS_MOST;
    my (@titles, %item);
    for my $number (0 .. $#runs) {
        for my $test ($view->rows($runs[$number])) {
            my $title = $test->{title};
            push @titles, $title if !$item{$title};
            $item{$title}{$number} = defined $test->{reason} ? [$test->{reason}] : _score($test);
        }
    }
    my @rest = splice @titles, @titles > $most ? $most - 1 : @titles;
    my @rows = map { row($_, $item{$_}) } @titles;
    push @rows, row(counted(scalar @rest, 'more test', 'more tests') . REST, {}) if @rest;
    my @columns = map { column(copies_title($runs[$_]{copies}), $_ => 'cells') } 0 .. $#runs;
    return @rows ? table(columns => [column('Test', title => 'word'), @columns], rows => \@rows) : ();
}

sub _score {
    my ($test)   = @_;
    my $estimate = $test->{estimate};
    my @sure     = defined $estimate->{low} ? (q{ }, cell(plus_minus => $estimate)) : ();
    return [cell(known => $estimate), " $test->{unit}", @sure];
}

1;
