package UnixBench::Observe::Report;

# The topic of observed system calls, which are also in the classic text report.
#
# On a page, each call in the loop of a test has a picture of its delays: a bar for each power of two, whose height is
# the frequency.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result    qw(offset_at);
use UnixBench::Base::Text      qw(beginning clean counted);
use UnixBench::Base::Time      qw(clock_time);
use UnixBench::Observe::Values ();
use UnixBench::Report::Block   qw(
    aside capitalised column explained fold group heading in_brief in_detail in_full joined notices paragraphs
    quiet row said screen section strong table
);
use UnixBench::Report::Chart   qw(bar dot grid picture rule);
use UnixBench::Report::Cell    qw(cell);
use UnixBench::Report::Wording qw(copies_title);

use constant {
    STRACE => 'strace: delays include the tracer',
    LEGEND => 'Per loop: the count divided by the loops of all copies. Mean and max: time from a call to '
        . 'its return. Kernel time: share of a call in the time of all calls, including waiting. Rarer '
        . 'calls: made in fewer than half of the loops, such as those at start and end. Other calls: '
        . 'those after the first twelve, or, if the loops are unknown, those with less than 1 % each.',
    PERCENTILES => 'p50, p99: half of the delays, or 99 of 100, are below that, known to a power of two; unknown '
        . 'for fewer than 20, or 1,000, calls.',
    DELAYS => 'Each bar stands for the delays from one power of two of ns to the next; the highest bar of a call is '
        . 'where most of its delays are. The line is the mean, the dot the longest. Equal steps on the scale '
        . 'are equal multiples.',
};

# The rule above the processes of the classic report. It is shorter than the one that begins a run.
use constant PROCESS_RULE => 'SYSCALL' . '-' x 70;

# Limits of the slowdown. Between them, a test was as fast as without a tracer.
use constant { FASTER => 0.95, SLOWER => 1.05 };

use constant { DASH => q{-}, NAME_MOST => 28 };    # real names of calls are not longer
use constant { HEIGHT => 30, GROUND => 26, HIGHEST => 22, LOWEST => 1, BELOW_ONE_NS => 0.5 };

# The values of a call. Names may have any origin. Percentiles are only in tables of all calls.
my ($NAME, @VALUES) = (
    column('Call',        title    => 'text'),
    column('Count',       count    => 'count'),
    column('Per loop',    per_loop => 'thousandths', none        => DASH),
    column('Mean ns',     mean_ns  => 'digits',      none        => DASH),
    column('p50 ns',      p50      => 'bound',       is_optional => 1, none => DASH),
    column('p99 ns',      p99      => 'bound',       is_optional => 1, none => DASH),
    column('Max ns',      max_ns   => 'count',       none        => DASH),
    column('Kernel time', share    => 'percent',     none        => DASH),
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
sub before_runs { my ($view) = @_; return in_full(notices(_not_observed($view))) }

# Return the same for a ticket and for the classic report, where it stands below the runs.
sub of_result            { my ($view) = @_; return in_brief(paragraphs(_not_observed($view))) }
sub below_classic_report { my ($view) = @_; return _not_observed($view) }

# Takes a view; returns why system calls were not observed although that was requested, else nothing.
sub _not_observed {
    my ($view)    = @_;
    my $result    = $view->result;
    my $observing = $result->{observing};
    return if !$observing || defined $observing->{tracer};
    my $is_any = grep { $_->{observed} } map { @{ $_->{tests} } } @{ $result->{runs} };
    my $what   = $is_any ? 'System calls of further tests' : 'System calls';
    return "$what were not observed: " . ($observing->{why_not} // 'there is no tracer');
}

# Takes a view and a run; returns the system calls of its observed tests, or nothing without such tests. A page and a
# ticket have the calls in the loop of each test, a page and a terminal have all calls.
sub of_run {
    my ($view, $run) = @_;
    my @tests = UnixBench::Observe::Values::of_run($view, $run) or return;
    my ($by, @more) = _observed_by($view->result, @tests);
    return (
        in_full(sub { _section($view, $run, @tests) }),
        in_detail(sub { _in_detail($view, @tests) }),
        in_brief(
            sub {
                return (
                    paragraphs([strong("System calls, $by")], @more, _legend(@tests)),
                    map { _said_of(plain => $_, _summary($_), _main_calls($_)) } @tests
                );
            }
        ),
    );
}

# Takes a view and a run; returns the groups of blocks that the classic report has below the run, each a list.
sub below_classic_run {
    my ($view, $run) = @_;
    my @tests = UnixBench::Observe::Values::of_run($view, $run) or return;
    my ($by, @more) = _observed_by($view->result, @tests);
    return (
        [paragraphs("System calls, $by"), explained(@more, _legend(@tests))],
        map { [_said_of(below => $_, _summary($_), _main_calls($_)), _processes($view, $_, screen(PROCESS_RULE))] }
            @tests,
    );
}

sub _in_detail {
    my ($view, @tests) = @_;
    @tests = _seen(@tests) or return;
    my ($by, @more) = _observed_by($view->result, @tests);
    return (
        paragraphs("System calls, $by", @more, _percentiles_legend(@tests)),
        map { group(_said_of(plain => $_, _about($_), _all_calls($_))) } @tests,
    );
}

# Takes a style, a test, how it was observed, and its tables of calls. Returns their blocks.
sub _said_of {
    my ($style, $test, $how, @tables) = @_;
    return (said($style, [strong($test->{title}), ': ', $how]), @tables, said($style, _lost($test)));
}

sub _section {
    my ($view, $run, @tests) = @_;
    my ($by, @more) = _observed_by($view->result, @tests);
    my @seen    = _seen(@tests);
    my @legend  = (_legend(@tests), _percentiles_legend(@tests), (grep { _delays_of($_) } @seen) ? DELAYS : ());
    my @missing = map { row($_->{title}, { reason => _reason($_) }) } grep { defined $_->{known}{error} } @tests;
    my @columns = (column('Test', title => 'word'), column('Reason', reason => 'text'));
    return section(
        'System calls, ' . copies_title($run->{copies}),
        quiet(ucfirst "$by."),
        notices(map { "$_." } @more),
        quiet(@legend),
        (map { _test($view, $_) } @seen),
        @missing ? table(caption => 'Not observed', columns => \@columns, rows => \@missing) : (),
    );
}

sub _test {
    my ($view, $test) = @_;
    my @calls = @{ $test->{known}{calls} };
    my $all   = @calls > 1 ? 'All ' . @calls . ' calls' : 'The only call';
    my $title = ["$test->{title} ", aside([capitalised(_summary($test)), q{.}])];
    my @delays =
        _delays_of($test)
        ? map { _delays_of($_) } map { UnixBench::Observe::Values::of_run($view, $_) } $view->runs
        : ();
    my @main = _main_calls($test, \@delays, caption => $title);
    return (
        @main  ? @main                                                                 : heading($title),
        @calls ? fold($all, _all_calls($test, caption => "All calls: $test->{title}")) : (),
        notices(map { "$_." } _lost($test)),
        fold(_processes_title($test), _processes($view, $test)),
    );
}

# Returns the tests that were observed without an error.
sub _seen {
    my (@tests) = @_;
    return grep { !defined $_->{known}{error} } @tests;
}

# Takes a result and its observed tests; returns a text that names the tracers. For strace, also returns what its delays
# include.
sub _observed_by {
    my ($result, @tests) = @_;
    my @seen    = _seen(@tests);
    my %by      = map { $_->{known}{tracer} => 1 } @seen ? @seen : @tests;
    my $why_not = ($result->{observing} || {})->{why_not};
    my $reason  = $by{strace} && defined $why_not ? " ($why_not)" : q{};
    my $tracers = join ' and ', sort keys %by;
    my $how     = "observed by $tracers in a short pass of its own, after those that count$reason";
    return ($how, @seen && $by{strace} ? STRACE : ());
}

# Returns how to read tables of calls, or nothing if there are none.
sub _legend {
    my (@tests) = @_;
    return _seen(@tests) ? LEGEND : ();
}

# Returns how to read percentiles, or nothing if no table has them.
sub _percentiles_legend {
    my (@tests) = @_;
    return (grep { $_->{p50} } map { @{ $_->{known}{calls} } } @tests) ? PERCENTILES : ();
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

# Returns what is missing, or nothing.
sub _lost {
    my ($test) = @_;
    my $lost = $test->{known}{lost} or return;
    return '1 process could not be followed: its calls are missing' if $lost == 1;
    return "$lost processes could not be followed: their calls are missing";
}

# Takes a test, and for a page the values of its pictures and the title. Returns the table of the calls in its loop, or
# nothing if there are none. All other calls share one row.
sub _main_calls {
    my ($test, $delays, @title) = @_;
    my ($known, @picture) = $test->{known};
    my @main   = map { +{ %$_, p50 => undef, p99 => undef } } @{ $known->{main} } or return;
    my $others = $known->{others};
    @picture = picture('delay in ns', $delays, HEIGHT) if @{ $delays || [] };
    my @rows = map { @picture ? _drawn($_) : row(_name($_), $_) } @main;
    push @rows, row(_others($known), { %$others, map { $_ => [] } qw(per_loop mean_ns max_ns) }) if $others;
    return table(@title, columns => [$NAME, @picture, @VALUES], rows => \@rows);
}

# Returns the number of the other calls in words, such as "23 rarer calls".
sub _others {
    my ($known) = @_;
    my $others  = $known->{others};
    my $other   = $known->{loops} && $others->{is_beside} ? 'rarer' : 'other';
    return counted($others->{calls}, "$other call", "$other calls");
}

# Takes a test, and perhaps the title; returns the table of all its calls.
sub _all_calls {
    my ($test, @title) = @_;
    my @rows = map { row(_name($_), $_) } @{ $test->{known}{calls} };
    return table(@title, columns => [$NAME, @VALUES], rows => \@rows);
}

sub _name {
    my ($call) = @_;
    my $name = clean($call->{name});
    return length $name ? $name : DASH if length $name <= NAME_MOST;
    return beginning(substr $name, 0, NAME_MOST - length '...') . '...';
}

# Takes a view, a test, and blocks to stand above its table of processes. Returns all of these, or nothing without
# processes.
sub _processes {
    my ($view, $test, @above) = @_;
    my $known    = $test->{known};
    my @rows     = map { _process($_, $view->result) } @{ $known->{rows} || [] } or return;
    my $unlisted = $known->{unlisted};
    return (
        @above,
        table(caption => "Processes: $test->{title}", columns => \@PROCESS, rows => \@rows),
        explained($unlisted ? _rows_left_out($unlisted) : ()),
    );
}

sub _processes_title {
    my ($test) = @_;
    my $which = $test->{known}{unlisted} ? 'The busiest of all processes: ' : q{};
    return $which . counted(scalar @{ $test->{known}{rows} || [] }, 'process', 'processes');
}

sub _rows_left_out {
    my ($unlisted) = @_;
    my $processes = counted($unlisted->{processes}, 'process', 'processes');
    return "And $processes without a row: " . counted($unlisted->{count}, 'call', 'calls') . q{.};
}

sub _process {
    my ($process, $result) = @_;
    my %top;
    @top{qw(1st 2nd 3rd)} = map { [_name($_), '(', cell(count => $_->{count}), ')'] } @{ $process->{top} };
    return row(clock_time($process->{at}, offset_at($result, $process->{at})), { %$process, %top });
}

# Returns the places of the delays of a test on the scale of its pictures. The pictures of all tests share one scale, so
# that they can be compared.
sub _delays_of {
    my ($test) = @_;
    return map { _delays($_) } @{ $test->{known}{main} };
}

sub _delays {
    my ($call) = @_;
    my @columns = _columns($call) or return;
    return ((map { @$_{qw(from to)} } @columns), grep { _has_place($_) } @$call{qw(mean_ns max_ns)});
}

sub _has_place {
    my ($delay_ns) = @_;
    return defined $delay_ns && $delay_ns >= BELOW_ONE_NS;
}

# Takes a call; returns the columns of its histogram as they are drawn: with words, and none begins at 0.
sub _columns {
    my ($call) = @_;
    my @columns;
    for my $delay (@{ $call->{delays} }) {
        my $words = [cell(count => $delay->{from}), ' to ', cell(count => $delay->{to}), ' ns'];
        push @columns, { %$delay, from => $delay->{from} || BELOW_ONE_NS, words => $words };
    }
    return @columns;
}

# Returns a row with a picture of the delays.
sub _drawn {
    my ($call)  = @_;
    my @columns = _columns($call) or return row(_name($call), $call, shapes => [grid()], words => 'no delays');
    my ($most)  = sort { $b->{count} <=> $a->{count} } @columns;
    my ($mean, $max) = @$call{qw(mean_ns max_ns)};
    my @longest = defined $max ? ['longest ', cell(count => $max), ' ns'] : ();
    my @shapes  = (grid(), map { _bar($_, $most->{count}) } @columns);
    push @shapes, map { rule($_, $mean) } qw(halo mean) if _has_place($mean);
    push @shapes, dot('longest', $max, GROUND, @longest) if _has_place($max);
    my $words = joined(
        ', ',
        counted(scalar @columns, 'bar', 'bars'),
        ['the highest from ', $most->{words}],
        (defined $mean ? ['mean ', cell(digits => $mean), ' ns'] : ()), @longest,
    );
    return row(_name($call), $call, shapes => \@shapes, words => $words);
}

# Returns the bar of a column. It is high enough to see even for the rarest delays.
sub _bar {
    my ($column, $most) = @_;
    my ($from, $to, $count) = @$column{qw(from to count)};
    my $height = List::Util::max(LOWEST, int(10 * HIGHEST * $count / $most + 0.5) / 10);
    return bar('delay', $from, $to, GROUND - $height, $height, [$column->{words}, ': ', cell(count => $count)]);
}

1;
