package UnixBench::Report::HTML::Syscalls;

# Observed system calls, as a section of the page.

use strict;
use warnings;

use UnixBench::Base::Format           qw(counted);
use UnixBench::Report::DelayChart     ();
use UnixBench::Report::Markup         qw(element);
use UnixBench::Report::Page           qw(folded notices quiet);
use UnixBench::Report::PageTable      qw(cell number row table text);
use UnixBench::Report::SyscallTables  qw(call_table process_table starred);
use UnixBench::Report::SyscallWording qw(legend observed_by observed_tests percentiles_legend rows_left_out summary_of);

# Takes a result and one of its runs; returns the section about the observed tests of that, or nothing without such.
sub section {
    my ($result, $run) = @_;
    my @tests = observed_tests($run) or return;
    my $scale = _scale($result);
    my ($by, @more) = observed_by($result, @tests);
    my @legend = (legend(@tests), percentiles_legend(@tests));
    push @legend, UnixBench::Report::DelayChart::legend() if grep { _is_drawn($_->{known}) } @tests;
    return UnixBench::Report::Page::section(
        'System calls, ' . counted($run->{copies}, 'copy', 'copies'),
        quiet(ucfirst "$by."),
        notices(map { "$_." } @more),
        quiet(@legend),
        (map { _test($_, $scale, $result->{utc_offset_s}) } grep { !defined $_->{error} } @tests),
        _not_observed(grep { defined $_->{error} } @tests),
    );
}

# One for all pictures of the page, so that they can be held against each other.
sub _scale {
    my ($result) = @_;
    my @calls = map { @{ $_->{known}{main} || [] } } map { observed_tests($_) } @{ $result->{runs} };
    return UnixBench::Report::DelayChart::scale_of(@calls);
}

sub _is_drawn {
    my ($known) = @_;
    return UnixBench::Report::DelayChart::has_delays(@{ $known->{main} || [] });
}

sub _test {
    my ($test, $scale, $utc_offset_s) = @_;
    my $known = $test->{known};
    my $about = element('span', { class => 'quiet' }, ucfirst summary_of($test) . q{.});
    my @calls = @{ $known->{calls} };
    return (
        _main($known, $scale, "$test->{title} ", $about),
        (@calls ? folded(_all(@calls), _table("All calls: $test->{title}", call_table(@calls))) : ()),
        notices(map { "$_." } grep { defined } $test->{lost}),
        @{ $known->{rows} || [] } ? _processes($test, $utc_offset_s) : (),
    );
}

sub _main {
    my ($known, $scale, @head) = @_;
    my @main    = @{ $known->{main} } or return element('p', { class => 'calls' }, @head);
    my $caption = element('span', @head);
    return UnixBench::Report::DelayChart::of_calls($scale, $caption, @main) if _is_drawn($known);
    return _table($caption, call_table(@main));
}

sub _all {
    my (@calls) = @_;
    return @calls > 1 ? 'All ' . @calls . ' calls' : 'The only call';
}

sub _processes {
    my ($test, $utc_offset_s) = @_;
    my $known = $test->{known};
    my $table = process_table($known, $utc_offset_s);
    my $which = $known->{unlisted} ? 'The busiest of all processes: ' : q{};
    return folded(
        $which . counted(scalar @{ $table->{rows} }, 'process', 'processes'),
        _table("Processes: $test->{title}", $table),
        quiet(rows_left_out($known))
    );
}

sub _table {
    my ($caption, $table) = @_;
    return table($caption, starred($table), [map { _row($table, @$_) } @{ $table->{rows} }]);
}

sub _row {
    my ($table, $title, @cells) = @_;
    my @is_text = @{ $table->{is_text} };
    return row($title, map { $is_text[$_ + 1] ? cell($cells[$_]) : number($cells[$_]) } 0 .. $#cells);
}

sub _not_observed {
    my (@tests) = @_;
    return if !@tests;
    my @rows = map { row($_->{title}, text($_->{known}{error})) } @tests;
    return table('Not observed', ['Test', 'Reason'], \@rows);
}

1;
