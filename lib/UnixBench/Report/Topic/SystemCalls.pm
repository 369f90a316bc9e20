package UnixBench::Report::Topic::SystemCalls;

# The topic of observed system calls.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Text    qw(counted);
use UnixBench::Report::Block qw(
    aside bar chart dot drawn fold grid group heading in_brief in_detail in_full notices paragraphs quiet row rule
    section strong table
);
use UnixBench::Report::Syscalls qw(
    call_table call_texts legend main_table not_observed observed_by observed_tests percentiles_legend process_table
    rows_left_out summary_of
);
use UnixBench::Report::Wording qw(copies_title);

# How to read the charts.
use constant DELAYS =>
    'Each bar stands for the delays from one power of two of ns to the next; the highest bar of a call is '
    . 'where most of its delays are. The line is the mean, the dot the longest. Equal steps on the scale '
    . 'are equal multiples.';
use constant { HEIGHT => 30, GROUND => 26, HIGHEST => 22, LOWEST => 1, BELOW_ONE_NS => 0.5 };

my @NUMBERS = ('Count', 'Per loop', 'Mean ns', 'Max ns', 'Kernel time');

# Takes a view; returns why nothing was observed, if observing was requested.
sub before_runs { my ($view) = @_; return in_full(notices(_why_not($view))) }

# Returns the same for a ticket, where it stands below the runs.
sub of_result { my ($view) = @_; return in_brief(paragraphs(_why_not($view))) }

sub _why_not {
    my ($view) = @_;
    return grep { defined } not_observed($view->result);
}

# Takes a view and a run; returns the system calls of its observed tests, or nothing without such tests.
sub of_run {
    my ($view, $run) = @_;
    my @tests = observed_tests($view, $run) or return;
    return (
        in_full(sub { _section($view, $run, @tests) }),
        in_detail(sub { _in_detail($view, @tests) }),
        in_brief(sub { _in_brief($view, @tests) })
    );
}

# Returns all system calls of each test, for a terminal.
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

# Returns the system calls in the loop of each test, for a ticket.
sub _in_brief {
    my ($view, @tests) = @_;
    my ($by,   @more)  = observed_by($view->result, @tests);
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
    my @legend = (legend(@tests), percentiles_legend(@tests), (grep { _is_drawn($_) } @seen) ? DELAYS : ());
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
    return _has_delays(@{ $test->{known}{main} || [] });
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
    return _chart($title, _values($view), @main) if _is_drawn($test);
    return call_table(\@main, caption => $title);
}

# Returns the values of all charts of the report. Charts share one scale, so that they can be compared.
sub _values {
    my ($view) = @_;
    return [map { _delays($_) } map { @{ $_->{known}{main} || [] } } map { $view->observed($_) } $view->runs];
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

# Returns whether the distribution of the delays is known for any of these calls.
sub _has_delays {
    my (@calls) = @_;
    return grep { _buckets($_) } @calls;
}

sub _delays {
    my ($call) = @_;
    my @buckets = _buckets($call) or return;
    return ((map { @$_{qw(from to)} } @buckets), grep { _has_place($_) } @$call{qw(mean_ns max_ns)});
}

sub _has_place {
    my ($delay_ns) = @_;
    return defined $delay_ns && $delay_ns >= BELOW_ONE_NS;
}

sub _buckets {
    my ($call)  = @_;
    my @counted = sort { $a->{from_ns} <=> $b->{from_ns} } grep { $_->{count} } @{ $call->{delays} || [] };
    return map { _bucket(@$_{qw(from_ns count)}, $_ == $counted[-1] ? $call->{max_ns} : undef) } @counted;
}

# Takes the start of a bucket, its count, and, for the last bucket, the longest delay. The bucket ends at twice its
# start, or at the longest delay if that is later.
sub _bucket {
    my ($from, $count, $longest) = @_;
    my $to = List::Util::max(2 * $from || 1, $longest // 0);
    return { from => $from || BELOW_ONE_NS, to => $to, count => $count, words => "$from to $to ns" };
}

# Returns a chart of the delays of calls. Each call has a bar for each power of two; its height is the frequency.
sub _chart {
    my ($title, $values, @calls) = @_;
    return chart(
        title   => $title,
        axis    => 'delay in ns',
        values  => $values,
        height  => HEIGHT,
        columns => [text => 'Call', map { (number => $_) } @NUMBERS],
        rows    => [map { _drawn($_) } @calls],
    );
}

sub _drawn {
    my ($call)  = @_;
    my %text    = call_texts($call);
    my @buckets = _buckets($call);
    my $most    = List::Util::max(map { $_->{count} } @buckets);
    my ($mean, $max) = @$call{qw(mean_ns max_ns)};
    my @shapes = (grid(), map { _bar($_, $most) } @buckets);
    push @shapes, map { rule($_, $mean) } qw(halo mean) if @buckets           && _has_place($mean);
    push @shapes, dot('longest', $max, GROUND, "longest $max ns") if @buckets && _has_place($max);
    return drawn($text{Call}, \@shapes, _in_words(\%text, @buckets), [@text{@NUMBERS}]);
}

# Returns the bar of a bucket. It is high enough to see even for the rarest delays.
sub _bar {
    my ($bucket, $most) = @_;
    my ($from, $to, $count) = @$bucket{qw(from to count)};
    my $height = List::Util::max(LOWEST, sprintf '%.1f', HIGHEST * $count / $most);
    return bar('delay', $from, $to, GROUND - $height, $height, "$bucket->{words}: $count");
}

sub _in_words {
    my ($text, @buckets) = @_;
    return 'no delays' if !@buckets;
    my ($most) = sort { $b->{count} <=> $a->{count} } @buckets;
    return
          counted(scalar @buckets, 'bar', 'bars')
        . ", the highest from $most->{words}, mean $text->{'Mean ns'} ns, "
        . "longest $text->{'Max ns'} ns";
}

1;
