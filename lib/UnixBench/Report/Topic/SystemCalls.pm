package UnixBench::Report::Topic::SystemCalls;

# Observed system calls.

use strict;
use warnings;

use UnixBench::Base::Format    qw(counted);
use UnixBench::Report::Block   qw(
    aside fold group heading in_brief in_detail in_full notices paragraphs quiet row section strong table
);
use UnixBench::Report::Syscalls::Tables  qw(call_table main_table process_table);
use UnixBench::Report::Syscalls::Wording qw(
    legend not_observed observed_by observed_tests percentiles_legend rows_left_out summary_of
);
use UnixBench::Report::Topic::SystemCalls::Chart qw(DELAY_LEGEND delay_chart delay_values has_delays);
use UnixBench::Report::Wording                   qw(copies_title);

use constant PLACE => { before_runs => 5, of_run => 80, of_result => 80 };

# Takes a view; returns why nothing was observed though somebody asked for that.
sub before_runs { my ($view) = @_; return in_full(notices(_why_not($view))) }

# The same, where it stands below.
sub of_result { my ($view) = @_; return in_brief(paragraphs(_why_not($view))) }

sub _why_not {
    my ($view) = @_;
    return grep { defined } not_observed($view->result);
}

# Takes a view and a run; returns what is known of its observed tests, or nothing without such.
sub of_run {
    my ($view, $run) = @_;
    my @tests = observed_tests($view, $run) or return;
    return (in_full(_section($view, $run, @tests)), in_detail(_in_detail($view, @tests)), in_brief(_in_brief($view, @tests)));
}

# All calls of each test.
sub _in_detail {
    my ($view, @tests) = @_;
    @tests = grep { !defined $_->{error} } @tests or return;
    my ($by, @more) = observed_by($view->result, @tests);
    return (paragraphs("System calls, $by", @more, percentiles_legend(@tests)), map { _all_calls($_) } @tests);
}

sub _all_calls {
    my ($test) = @_;
    my @said = ("$test->{title}: $test->{about}", $test->{lost} // ());
    return group(paragraphs(@said), call_table($test->{known}{calls}));
}

# Those of the loop of each test.
sub _in_brief {
    my ($view, @tests) = @_;
    my ($by, @more) = observed_by($view->result, @tests);
    return (paragraphs([strong("System calls, $by")], @more, legend(@tests)), map { _main_calls($_) } @tests);
}

sub _main_calls {
    my ($test) = @_;
    my @main   = @{ $test->{known}{main} || [] };
    my $said   = $test->{error} // (@main ? $test->{about} : summary_of($test));
    my @said   = ([strong($test->{title}), ": $said"], $test->{lost} // ());
    return (paragraphs(@said), @main ? main_table($test->{known}) : ());
}

sub _section {
    my ($view, $run, @tests) = @_;
    my ($by, @more) = observed_by($view->result, @tests);
    my @seen   = grep { !defined $_->{error} } @tests;
    my @legend = (legend(@tests), percentiles_legend(@tests), (grep { _is_drawn($_) } @seen) ? DELAY_LEGEND : ());
    return section(
        'System calls, ' . copies_title($run->{copies}),
        quiet(ucfirst "$by."),
        notices(map { "$_." } @more),
        quiet(@legend),
        (map { _test($view, $_) } @seen),
        _not_observed(grep { defined $_->{error} } @tests),
    );
}

sub _is_drawn {
    my ($test) = @_;
    return has_delays(@{ $test->{known}{main} || [] });
}

sub _test {
    my ($view, $test) = @_;
    my @calls = @{ $test->{known}{calls} };
    my $all   = @calls > 1 ? 'All ' . @calls . ' calls' : 'The only call';
    return (
        _main($view, $test),
        (@calls ? fold($all, call_table(\@calls, caption => "All calls: $test->{title}")) : ()),
        notices(map { "$_." } grep { defined } $test->{lost}),
        @{ $test->{known}{rows} || [] } ? _processes($view, $test) : (),
    );
}

sub _main {
    my ($view, $test) = @_;
    my $title = ["$test->{title} ", aside(ucfirst summary_of($test) . q{.})];
    my @main  = @{ $test->{known}{main} } or return heading($title);
    return delay_chart($title, _values($view), @main) if _is_drawn($test);
    return call_table(\@main, caption => $title);
}

# One scale for all charts of the report, so that they can be held against each other.
sub _values {
    my ($view) = @_;
    return [delay_values(map { @{ $_->{known}{main} || [] } } map { $view->observed($_) } $view->runs)];
}

sub _processes {
    my ($view, $test) = @_;
    my $known = $test->{known};
    my $which = $known->{unlisted} ? 'The busiest of all processes: ' : q{};
    return fold(
        $which . counted(scalar @{ $known->{rows} }, 'process', 'processes'),
        process_table($known, $view->result->{utc_offset_s}, caption => "Processes: $test->{title}"),
        quiet(rows_left_out($known)),
    );
}

sub _not_observed {
    my (@tests) = @_;
    return if !@tests;
    my @rows = map { row($_->{title}, [$_->{known}{error}]) } @tests;
    return table(caption => 'Not observed', columns => [word => 'Test', text => 'Reason'], rows => \@rows);
}

1;
