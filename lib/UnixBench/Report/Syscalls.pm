package UnixBench::Report::Syscalls;

# Observed system calls, in tables and in words: for the text report and for the topic SystemCalls.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Number  qw(percent_fixed significant);
use UnixBench::Base::Text    qw(beginning clean counted);
use UnixBench::Base::Time    qw(clock_time);
use UnixBench::Report::Block qw(row table);

our @EXPORT_OK = qw(
    call_table call_texts legend main_table not_observed observed_by observed_tests percentiles_legend process_table
    rows_left_out summary_of
);

use constant {
    STRACE => 'strace: delays include the tracer',
    LEGEND => 'Per loop: the count divided by the loops of all copies. Mean and max: time from a call to '
        . 'its return. Kernel time: share of a call in the time of all calls, including waiting. Rarer '
        . 'calls: made in fewer than half of the loops, such as those at start and end. Other calls: '
        . 'those after the first twelve, or, if the loops are unknown, those with less than 1 % each.',
    PERCENTILES => 'p50, p99: half of the delays, or 99 of 100, are below that, known to a power of two; unknown '
        . 'for fewer than 20, or 1,000, calls.',
};

# Limits of the slowdown. Between them, a test was as fast as without a tracer.
use constant { FASTER => 0.95, SLOWER => 1.05 };

use constant { DASH => q{-}, TOP => 3, NAME_MOST => 28 };    # NAME_MOST: real names of calls are not longer

# Percentiles: the part of the delays, and the fewest delays for which it is shown. At least ten must lie above it.
use constant { P50 => [0.5, 20], P99 => [0.99, 1000] };

# Heading and formatting function of each column of calls.
my @CALL = (
    ['Call'        => sub { _name($_[0]) }],
    ['Count'       => sub { $_[0]{count} }],
    ['Per loop'    => sub { _known($_[0]{per_loop}, \&_thousandths) }],
    ['Mean ns'     => sub { _known($_[0]{mean_ns},  \&_three_digits) }],
    ['p50 ns'      => sub { _percentile($_[0], @{ +P50 }) }],
    ['p99 ns'      => sub { _percentile($_[0], @{ +P99 }) }],
    ['Max ns'      => sub { _known($_[0]{max_ns}) }],
    ['Kernel time' => sub { _known($_[0]{share}, \&_percent) }],
);
my @MAIN = grep { $_->[0] !~ /\Ap[0-9]/ } @CALL;

my @PROCESS = (
    word   => 'TIME',
    number => 'PID',
    (map { (word   => "$_(num)") } qw(1st 2nd 3rd)),
    (map { (number => $_) } 'AVG_DELAY(ns)', 'MAX_DELAY(ns)', 'SYSCALLS'),
);

# Takes a result; returns why system calls were not observed although that was requested, else nothing.
sub not_observed {
    my ($result) = @_;
    my $observing = $result->{observing};
    return if !$observing || defined $observing->{tracer};
    my $is_any = grep { $_->{observed} } map { @{ $_->{tests} } } @{ $result->{runs} };
    my $what   = $is_any ? 'System calls of further tests' : 'System calls';
    return "$what were not observed: " . ($observing->{why_not} // 'there is no tracer');
}

# Takes a view and a run; returns its observed tests in the order of the reports, each a hash of
#   title  the test's title
#   known  see UnixBench::Trace::Syscalls
#   about  how the test was observed, in words
#   lost   what is missing, or undef
#   error  why the test was not observed, or undef
sub observed_tests {
    my ($view, $run) = @_;
    return map { _observed($_) } $view->observed($run);
}

sub _observed {
    my ($test) = @_;
    my $known = $test->{known};
    return { %$test, error => _not_observed($known->{error}) } if defined $known->{error};
    return { %$test, about => _about($known), lost => scalar _lost($known->{lost}) };
}

# Takes an observed test; returns how it was observed, and how often it made other calls than those of its loop.
sub summary_of {
    my ($test) = @_;
    my $others = $test->{known}{others} or return $test->{about};
    my $count  = counted($others->{count}, 'time', 'times');
    return "$test->{about}; " . _others_text($test->{known}) . " made $count";
}

sub _not_observed { my ($why) = @_; return 'not observed' . (length $why ? ": $why" : q{}) }

# Returns how a test was observed: "14120 loops, 14121 processes, observed 1.3 times slower than scored".
sub _about {
    my ($known) = @_;
    my ($loops, $processes) = @$known{qw(loops processes)};
    return join ', ',
        (defined $loops        ? counted($loops, 'loop', 'loops') : 'loops not known'),
        (($processes // 1) > 1 ? "$processes processes"           : ()),
        _slowdown($known->{slowdown});
}

sub _slowdown {
    my ($slowdown) = @_;
    return if !defined $slowdown;
    return 'observed ' . significant($slowdown,     2) . ' times slower than scored' if $slowdown > SLOWER;
    return 'observed ' . significant(1 / $slowdown, 2) . ' times faster than scored' if $slowdown < FASTER;
    return 'observed as fast as scored';
}

sub _lost {
    my ($lost) = @_;
    return if !$lost;
    return '1 process could not be followed: its calls are missing' if $lost == 1;
    return "$lost processes could not be followed: their calls are missing";
}

# Takes a result and its observed tests; returns a text that names the tracers. For strace, also returns what its delays
# include.
sub observed_by {
    my ($result, @tests) = @_;
    my @seen    = _seen(@tests);
    my %by      = map { $_->{known}{tracer} => 1 } @seen ? @seen : @tests;
    my $why_not = ($result->{observing} || {})->{why_not};
    my $reason  = $by{strace} && defined $why_not ? " ($why_not)" : q{};
    my $tracers = join ' and ', sort keys %by;
    my $how     = "observed by $tracers in a short pass of its own, after those that count$reason";
    return ($how, @seen && $by{strace} ? STRACE : ());
}

# Takes observed tests; returns how to read their tables of calls, or nothing if there are none.
sub legend {
    my (@tests) = @_;
    return _seen(@tests) ? LEGEND : ();
}

sub _seen {
    my (@tests) = @_;
    return grep { !defined $_->{error} } @tests;
}

# Takes observed tests; returns how to read percentiles, or nothing if the tracer reported no delays.
sub percentiles_legend {
    my (@tests) = @_;
    return (grep { $_->{delays} } map { @{ $_->{known}{calls} || [] } } @tests) ? PERCENTILES : ();
}

# Takes known of an observed test; returns a sentence about its processes without a row, or nothing.
sub rows_left_out {
    my ($known)   = @_;
    my $unlisted  = $known->{unlisted} or return;
    my $processes = counted($unlisted->{processes}, 'process', 'processes');
    return "And $processes without a row: " . counted($unlisted->{count}, 'call', 'calls') . q{.};
}

# Takes known of an observed test, see observed_tests(), and perhaps title or caption. Returns the table, see
# UnixBench::Report::Block, of the calls in its loop. All other calls share one row.
sub main_table {
    my ($known, @title) = @_;
    my @rows   = map { _row($_, @MAIN) } @{ $known->{main} };
    my $others = $known->{others};
    push @rows, row(_others_text($known), [$others->{count}, (q{}) x 3, _known($others->{share}, \&_percent)])
        if $others;
    return _table(\@MAIN, \@rows, @title);
}

# Returns the number of the other calls in words, such as "23 rarer calls".
sub _others_text {
    my ($known) = @_;
    my $others  = $known->{others};
    my $other   = $known->{loops} && $others->{is_beside} ? 'rarer' : 'other';
    return counted($others->{calls}, "$other call", "$other calls");
}

# Takes calls, see UnixBench::Trace::Syscalls, and perhaps title or caption; returns the table of all their values.
sub call_table {
    my ($calls, @title) = @_;
    my @columns = _columns(@$calls);
    return _table(\@columns, [map { _row($_, @columns) } @$calls], @title);
}

# Returns the columns of a table of calls: without percentiles if the tracer reported no delays.
sub _columns {
    my (@calls) = @_;
    return (grep { $_->{delays} } @calls) ? @CALL : @MAIN;
}

# Takes a call; returns { heading => text } of all its values, as a list.
sub call_texts {
    my ($call) = @_;
    return map { $_->[0] => $_->[1]->($call) } @CALL;
}

# Takes known of an observed test, how far its time zone is ahead of UTC in seconds, and perhaps title or caption;
# returns the table of its processes.
sub process_table {
    my ($known, $utc_offset_s, @title) = @_;
    return table(@title, columns => \@PROCESS, rows => [map { _process($_, $utc_offset_s) } @{ $known->{rows} }]);
}

sub _process {
    my ($process, $utc_offset_s) = @_;
    my ($returned, $total_ns)    = @$process{qw(returned total_ns)};
    my @top   = map { _name($_) . "($_->{count})" } @{ $process->{top} };
    my $mean  = $returned ? _three_digits($total_ns / $returned) : DASH;
    my @top3  = map { $_ // DASH } @top[0 .. TOP - 1];
    my @cells = ($process->{pid}, @top3, $mean, _known($process->{max_ns}), $process->{count});
    return row(clock_time($process->{at}, $utc_offset_s), \@cells);
}

# Returns a table. Names of calls may have any origin, so their column is of type "text".
sub _table {
    my ($columns, $rows, @title) = @_;
    my ($first, @others) = map { $_->[0] } @$columns;
    return table(@title, columns => [text => $first, map { (number => $_) } @others], rows => $rows);
}

sub _row {
    my ($call, @columns) = @_;
    my ($name, @cells)   = map { $_->[1]->($call) } @columns;
    return row($name, \@cells);
}

# Takes a call, a part of its delays and the fewest delays that are sufficient. Returns a bound below which at least
# this part lies: the end of a bucket, or the longest delay.
sub _percentile {
    my ($call, $part, $least) = @_;
    my @buckets = sort { $a->{from_ns} <=> $b->{from_ns} } @{ $call->{delays} || [] };
    my $all     = List::Util::sum(0, map { $_->{count} } @buckets);
    return DASH if $all < $least;
    my $below  = 0;
    my $bucket = List::Util::first { ($below += $_->{count}) >= $part * $all } @buckets;
    return "<=$call->{max_ns}" if $bucket == $buckets[-1] && defined $call->{max_ns};
    return q{<} . (2 * $bucket->{from_ns} || 1);
}

sub _name {
    my ($call) = @_;
    my $name = clean($call->{name});
    return length $name ? $name : DASH if length $name <= NAME_MOST;
    return beginning(substr $name, 0, NAME_MOST - length '...') . '...';
}

sub _known {
    my ($value, $form) = @_;
    return DASH if !defined $value;
    return $form ? $form->($value) : $value;
}

sub _thousandths { my ($number) = @_; return sprintf '%.3f', $number }

sub _three_digits { my ($number) = @_; return significant($number, 3) }

sub _percent { my ($part) = @_; return percent_fixed($part, 1) }

1;
