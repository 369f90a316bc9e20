package UnixBench::Observe::Report;

# The topic of observed system calls, which are also in the classic text report.

use strict;
use warnings;

use UnixBench::Base::Result         qw(offset_at);
use UnixBench::Base::Text           qw(beginning clean copies_text counted);
use UnixBench::Base::Time           qw(clock_time);
use UnixBench::Observe::Observation ();
use UnixBench::Report::Block        qw(
    aside capitalised column explained fold group heading in_brief in_detail in_full joined notices paragraphs
    quiet row said screen section strong table
);
use UnixBench::Report::Cell qw(cell);

use constant LEGEND => 'Per loop: the count divided by the loops of all copies. Mean and max: time from a call to '
    . 'its return. Kernel time: share of a call in the time of all calls, including waiting. Other '
    . 'calls: made in fewer than half of the loops, such as those at start and end, or after the first twelve; '
    . 'if the loops are unknown, those with less than 1 % each.';

# What is said about delays, by the tracer.
my %DELAYS = (
    bpftrace => 'bpftrace counts in the kernel: each call takes some tenths of a microsecond longer',
    strace   => 'strace stops a program twice in each call: delays of short calls are 10 to 500 times too long',
);

# The rule above the processes of the classic report. It is shorter than the one that begins a run.
use constant PROCESS_RULE => 'SYSCALL' . '-' x 70;

# Limits of the slowdown. Between them, a test was as fast as without a tracer.
use constant { FASTER => 0.95, SLOWER => 1.05 };

use constant { DASH => q{-}, NAME_MOST => 28 };    # real names of calls are not longer

# The values of a call. Names may have any origin.
my @COLUMNS = (
    column('Call',        title    => 'text'),
    column('Count',       count    => 'count'),
    column('Per loop',    per_loop => 'thousandths', none => DASH),
    column('Mean ns',     mean_ns  => 'digits',      none => DASH),
    column('Max ns',      max_ns   => 'count',       none => DASH),
    column('Kernel time', share    => 'percent',     none => DASH),
);

# The values of a process. The headings are those of the classic report.
my @PROCESS = (
    column('TIME', title => 'word'),
    column('PID',  pid   => 'count'),
    (map { column("$_(num)", $_ => 'word', none => DASH) } qw(1st 2nd 3rd)),
    column('AVG_DELAY(ns)', mean_ns => 'digits', none => DASH),
    column('MAX_DELAY(ns)', max_ns  => 'count',  none => DASH),
    column('SYSCALLS',      count   => 'count'),
);

# Takes a view; returns why nothing was observed, if observing was requested.
sub before_runs { my ($view) = @_; return in_full(notices(below_classic_report($view))) }

# Return the same for a ticket and for the classic report, where it stands below the runs.
sub of_result { my ($view) = @_; return in_brief(paragraphs(below_classic_report($view))) }

sub below_classic_report {
    my ($view) = @_;
    my $result = $view->result or return;
    my ($tracer, $why_not) = @{ $result->{observing} || {} }{qw(tracer why_not)};
    return if defined $tracer || !defined $why_not;
    my $is_any = grep { $_->{observed} } map { @{ $_->{tests} } } @{ $result->{runs} };
    return ($is_any ? 'System calls of further tests' : 'System calls') . " were not observed: $why_not";
}

sub _by {
    my ($view) = @_;
    my $tracer = clean(_observing($view)->{tracer} // 'strace');
    return "observed by $tracer in a short pass of its own, after those that count";
}

sub _delays {
    my ($view) = @_;
    my ($tracer, $why) = @{ _observing($view) }{qw(tracer why_not)};
    return join '; ', grep { defined } $DELAYS{ $tracer // 'strace' }, defined $why ? clean($why) : undef;
}

sub _observing { my ($view) = @_; return $view->result->{observing} || {} }

# Takes a view and a run; returns the system calls of its observed tests, or nothing without such tests. A page and a
# ticket have the calls in the loop of each test, a page and a terminal have all calls.
sub of_run {
    my ($view, $run) = @_;
    my @tests = UnixBench::Observe::Observation::of_run($view, $run) or return;
    return (
        in_full(sub { _section($view, $run, @tests) }),
        in_detail(sub { _in_detail($view, @tests) }),
        in_brief(sub {
            return (
                paragraphs([strong('System calls, ' . _by($view))], _legend($view, @tests)),
                map { _said_of(plain => $_, _summary($_), _main_calls($_)) } @tests
            );
        }),
    );
}

# Takes a view and a run; returns the groups of blocks that the classic report has below the run, each a list.
sub below_classic_run {
    my ($view, $run) = @_;
    my @tests = UnixBench::Observe::Observation::of_run($view, $run) or return;
    return (
        [paragraphs('System calls, ' . _by($view)), explained(_legend($view, @tests))],
        map { [_said_of(below => $_, _summary($_), _main_calls($_)), _processes($view, $_, screen(PROCESS_RULE))] }
            @tests,
    );
}

sub _in_detail {
    my ($view, @tests) = @_;
    @tests = _seen(@tests) or return;
    return (
        paragraphs('System calls, ' . _by($view), _delays($view)),
        map { group(_said_of(plain => $_, _about($_), _all_calls($_))) } @tests,
    );
}

sub _said_of {
    my ($style, $test, $how, @table) = @_;
    return (said($style, [strong($test->{title}), ': ', $how]), @table);
}

sub _section {
    my ($view, $run, @tests) = @_;
    return section(
        'System calls, ' . copies_text($run->{copies}),
        quiet(ucfirst(_by($view)) . q{.}),
        quiet(_legend($view, @tests)),
        (map { _test($view, $_) } _seen(@tests)),
        explained(map { "$_->{title}: " . _reason($_) } grep { defined $_->{known}{error} } @tests),
    );
}

sub _test {
    my ($view, $test) = @_;
    my @calls = @{ $test->{known}{calls} };
    my @rows  = @{ $test->{known}{rows} || [] };
    my $all   = @calls > 1               ? 'All ' . @calls . ' calls'       : 'The only call';
    my $which = $test->{known}{unlisted} ? 'The busiest of all processes: ' : q{};
    my $title = ["$test->{title} ", aside([capitalised(_summary($test)), q{.}])];
    my @main  = _main_calls($test, caption => $title);
    return (
        @main  ? @main                                                                 : heading($title),
        @calls ? fold($all, _all_calls($test, caption => "All calls: $test->{title}")) : (),
        fold($which . counted(scalar @rows, 'process', 'processes'), _processes($view, $test)),
    );
}

sub _seen {
    my (@tests) = @_;
    return grep { !defined $_->{known}{error} } @tests;
}

sub _legend {
    my ($view, @tests) = @_;
    return _seen(@tests) ? (_delays($view) . q{.}, LEGEND) : ();
}

# Returns how a test was observed, or why it was not. Without a table of its calls, also returns how many there were.
sub _summary {
    my ($test) = @_;
    my $known = $test->{known};
    return _reason($test) if defined $known->{error};
    return _about($test) if @{ $known->{main} } || !$known->{others};
    return joined('; ', _about($test), _others($known) . ' made ' . counted($known->{others}{count}, 'time', 'times'));
}

sub _reason {
    my ($test) = @_;
    return 'not observed' . (length $test->{known}{error} ? ": $test->{known}{error}" : q{});
}

# Returns how a test was observed: "14120 loops, 14121 processes, observed 1.3 times slower than scored".
sub _about {
    my ($test) = @_;
    my ($loops, $processes, $slowdown) = @{ $test->{known} }{qw(loops processes slowdown)};
    return joined(
        ', ',
        (defined $loops        ? counted($loops, 'loop', 'loops') : 'loops not known'),
        (($processes // 1) > 1 ? "$processes processes"           : ()),
        (defined $slowdown     ? _slowdown($slowdown)             : ()),
    );
}

sub _slowdown {
    my ($slowdown) = @_;
    return ['observed ', cell(rough => $slowdown), ' times slower than scored'] if $slowdown > SLOWER;
    return ['observed ', cell(rough => 1 / $slowdown), ' times faster than scored'] if $slowdown < FASTER;
    return 'observed as fast as scored';
}

# Takes a test, and for a page its title. Returns the table of the calls in its loop, or nothing if there are none. All
# other calls share one row.
sub _main_calls {
    my ($test, @title) = @_;
    my $known  = $test->{known};
    my @rows   = map { row(_name($_), $_) } @{ $known->{main} } or return;
    my $others = $known->{others};
    push @rows, row(_others($known), { %$others, map { $_ => [] } qw(per_loop mean_ns max_ns) }) if $others;
    return table(@title, columns => \@COLUMNS, rows => \@rows);
}

sub _others {
    my ($known) = @_;
    return counted($known->{others}{calls}, 'other call', 'other calls');
}

sub _all_calls {
    my ($test, @title) = @_;
    my @rows = map { row(_name($_), $_) } @{ $test->{known}{calls} };
    return table(@title, columns => \@COLUMNS, rows => \@rows);
}

sub _name {
    my ($call) = @_;
    my $name = clean($call->{name});
    return length $name ? $name : DASH if length $name <= NAME_MOST;
    return beginning(substr $name, 0, NAME_MOST - length '...') . '...';
}

# Returns the blocks that stand above the table, and the table; or nothing without processes.
sub _processes {
    my ($view, $test, @above) = @_;
    my $known    = $test->{known};
    my @rows     = map { _process($_, $view->result) } @{ $known->{rows} || [] } or return;
    my $others   = $known->{unlisted};
    my @unlisted = $others ? counted($others->{processes}, 'process', 'processes') . ' without a row' : ();
    return (
        @above,
        table(caption => "Processes: $test->{title}", columns => \@PROCESS, rows => \@rows),
        explained(map { "And $_: " . counted($others->{count}, 'call', 'calls') . q{.} } @unlisted),
    );
}

sub _process {
    my ($process, $result) = @_;
    my %top;
    @top{qw(1st 2nd 3rd)} = map { [_name($_), '(', cell(count => $_->{count}), ')'] } @{ $process->{top} };
    return row(clock_time($process->{at}, offset_at($result, $process->{at})), { %$process, %top });
}

1;
