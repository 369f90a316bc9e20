package UnixBench::Report::Syscalls::Wording;

# The words in which reports say how system calls were observed.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format             qw(counted significant);
use UnixBench::Report::Syscalls::Tables qw(others_text);

our @EXPORT_OK = qw(legend not_observed observed_by observed_tests percentiles_legend rows_left_out summary_of);

use constant {
    STRACE => 'strace: delays include the tracer',
    LEGEND => 'Per loop: the count divided by the loops of all copies. Mean and max: from a call to its return. '
        . 'Kernel time: the share of a call in the time of all calls, not of the test; waiting is part of it. '
        . 'Rarer calls: made in less than every second loop, such as those of start and end. '
        . 'Other calls: those beyond twelve, or, where the loops are not known, of less than 1 % each.',
    PERCENTILES => 'p50, p99: half of the delays, or 99 of 100, are below that, known to a power of two; not told of '
        . 'fewer than 20, or 1,000.',
};

# Slow-downs between which a test was as fast as ever.
use constant { FASTER => 0.95, SLOWER => 1.05 };

# Takes a result; returns why nothing was observed in it though somebody asked for that, or undef.
sub not_observed {
    my ($result) = @_;
    my $observing = $result->{observing};
    return if !$observing || defined $observing->{tracer};
    my $is_any = grep { $_->{observed} } map { @{ $_->{tests} } } @{ $result->{runs} };
    my $what   = $is_any ? 'System calls of further tests' : 'System calls';
    return "$what were not observed: " . ($observing->{why_not} // 'there is no tracer');
}

# Takes a view and a run; returns its observed tests in the order of the reports, each { title, known => see
# UnixBench::Trace::Syscalls, about => how it was observed, lost => what is missing, or undef, error => why it was not
# observed, or undef }.
sub observed_tests {
    my ($view, $run) = @_;
    return map { _observed($_) } $view->observed($run);
}

sub _observed {
    my ($test) = @_;
    my $known  = $test->{known};
    return { %$test, error => _not_observed($known->{error}) } if defined $known->{error};
    return { %$test, about => _about($known), lost => scalar _lost($known->{lost}) };
}

# Takes a test as above; returns how it was observed, and what it asked for beside its loop.
sub summary_of {
    my ($test) = @_;
    my $others = $test->{known}{others} or return $test->{about};
    my $count  = counted($others->{count}, 'time', 'times');
    return "$test->{about}; " . others_text($test->{known}) . " made $count";
}

sub _not_observed { my ($why) = @_; return 'not observed' . (length $why ? ": $why" : q{}) }

# "14120 loops, 14121 processes, observed 1.3 times slower than scored"
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

# Takes a result and tests of it as above; returns by what they were observed and, of strace, what that means: texts.
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

# Takes tests as above; returns how to read their tables of calls, or nothing where there are none.
sub legend {
    my (@tests) = @_;
    return _seen(@tests) ? LEGEND : ();
}

sub _seen {
    my (@tests) = @_;
    return grep { !defined $_->{error} } @tests;
}

# Takes tests as above; returns how to read percentiles, or nothing where the tracer told of none.
sub percentiles_legend {
    my (@tests) = @_;
    return (grep { $_->{delays} } map { @{ $_->{known}{calls} || [] } } @tests) ? PERCENTILES : ();
}

# Takes what is known of a test; returns what the rows of its processes leave out, or nothing.
sub rows_left_out {
    my ($known)   = @_;
    my $unlisted  = $known->{unlisted} or return;
    my $processes = counted($unlisted->{processes}, 'process', 'processes');
    return "And $processes without a row: " . counted($unlisted->{count}, 'call', 'calls') . q{.};
}

1;
