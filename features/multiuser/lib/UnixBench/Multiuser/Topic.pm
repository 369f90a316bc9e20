package UnixBench::Multiuser::Topic;

# The topic of the multi-user test: the results of its load besides the score.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text         qw(counted);
use UnixBench::Multiuser::Results ();
use UnixBench::Report::Block      qw(
    column explained group heading in_brief in_full joined not_in_brief notices paragraphs quiet row strong table
);
use UnixBench::Report::Cell    qw(cell);
use UnixBench::Multiuser::Rows qw(lines_per_minute);

our @EXPORT_OK = qw(meter_forms);

use constant {
    RESPONSES => 'Response: time from when a line was given to the shell until its answer. p95: 95 of 100 '
        . 'responses were shorter. Class: the part of the script.',
    METERS => 'Meters: counted while the load ran. Machine: everything in it, including interrupts in the '
        . "CPU time in all. Group: the control group of the run. Users: the users' shells and "
        . 'everything that they started. Per user: the same for a user that finished. A dash: unknown.',
    SPLIT => 'For the users, only the CPU time in all is exact. Pressure: the time in which something waited.',
    LOADS => 'The loads ran one after the other. All other numbers are those of the last load; errors are '
        . 'those of all loads.',
    TRIALS => 'Trial: that number of users, who play an extract of the script.',
    PASSES => 'With several passes, the max is the greatest, errors are those of all passes, and all other '
        . 'values are medians.',
};
use constant { INCIDENTS => 'Multi-user: what went wrong', INCIDENTS_MOST => 20 };
use constant TOTALS => 'All totals include the users that did not finish.';

# Heading, key and kind of each column.
my @RESPONSE = (
    [Lines => count  => 'count'],
    [Mean  => mean_s => 'ms'],
    [p50   => p50_s  => 'ms'],
    [p90   => p90_s  => 'ms'],
    [p95   => p95_s  => 'ms'],
    [p99   => p99_s  => 'ms'],
    [Max   => max_s  => 'ms'],
);
my @SHARE = (
    ['User',       user   => 'points'],
    ['System',     system => 'points'],
    ['Interrupts', irq    => 'points'],
    ['Stolen',     steal  => 'points'],
    ['I/O wait',   iowait => 'points'],
    ['Idle',       idle   => 'points'],
);
my @TRIAL = (
    ['Lines/min', lines_a_minute => 'tenths'],
    ['Mean',      mean_s         => 'ms'],
    ['p50',       p50_s          => 'ms'],
    ['p95',       p95_s          => 'ms'],
    ['Stretch',   stretch        => 'digits'],
);
my @SCOPE = (
    ['Machine',  machine      => 'cells'],
    ['Group',    group        => 'cells'],
    ['Users',    users        => 'cells'],
    ['Per user', per_finished => 'cells'],
);

# Title and kind of each row of meters.
my %METER = (
    lines              => ['Lines',                       'count'],
    cpu_user_s         => ['CPU time of programs, s',     'digits'],
    cpu_system_s       => ['CPU time of the system, s',   'digits'],
    cpu_s              => ['CPU time in all, s',          'digits'],
    faults_minor       => ['Page faults, minor',          'count'],
    faults_major       => ['Page faults, major',          'count'],
    switches           => ['Context switches',            'count'],
    switches_voluntary => ['Context switches, voluntary', 'count'],
    switches_forced    => ['Context switches, forced',    'count'],
    forks              => ['New processes',               'count'],
    interrupts         => ['Interrupts',                  'count'],
    memory_most_kb     => ['Memory at most, MB',          'mb'],
    rss_most_kb        => ['Largest process, MB',         'mb'],
    pressure_cpu_s     => ['Pressure on CPUs, s',         'digits'],
    pressure_io_s      => ['Pressure on I/O, s',          'digits'],
    pressure_memory_s  => ['Pressure on memory, s',       'digits'],
);

# Returns the columns and rows of a load that a comparison shows as rows: [title, key, kind] of the meters of processes
# and of the machine, of the shares of its time, and of the response times.
sub meter_forms {
    return {
        meters    => [map { [$METER{$_}[0], $_, $METER{$_}[1]] } sort keys %METER],
        shares    => \@SHARE,
        responses => [grep { $_->[1] ne 'count' } @RESPONSE],
    };
}

# Takes a view; returns the entry of the block, see UnixBench::Report::EndBlock: how long users wait.
sub block_entries {
    my ($view) = @_;
    return
        map { [Response => $_] } map { _wait($_) } grep { defined } map { $view->of_run(multiuser => $_) } $view->runs;
}

# Takes a view; returns the same for the page.
sub before_runs {
    my ($view) = @_;
    return in_full(paragraphs(map { strong(joined(': ', @$_)) } block_entries($view)));
}

sub _wait {
    my ($known) = @_;
    my ($all)   = grep { $_->{class} eq 'all' && defined $_->{p95_s} } @{ $known->{responses} } or return;
    my $users   = defined $known->{users} ? ' of ' . _users($known->{users}) : q{};
    return ["95 of 100 lines$users are answered within ", cell(ms => $all->{p95_s}), ' ms'];
}

# Takes a view and a run; returns the results of its multi-user load, or nothing without a load.
sub of_run {
    my ($view, $run) = @_;
    my $known = $view->of_run(multiuser => $run) or return;
    my $asked = $view->result->{procedure}{multiuser} || {};
    return map { group(@$_) } (
        [paragraphs(_load($asked, $known))],
        [_incidents($known)],
        [_responses($known)],
        [_meters($known)], [_shares($known)], [paragraphs(_capacity($known))],
        [_trials($known)], [quiet($known->{passes} > 1 ? PASSES : ())],
    );
}

sub _table {
    my ($title, $first, $columns, @rows) = @_;
    my @columns = map { column(@$_, none => q{-}) } [$first, title => 'word'], @$columns;
    return table(title => "Multi-user: $title", columns => \@columns, rows => \@rows);
}

# Returns a sentence such as "Multi-user load: 20 users, 236 lines each, pauses of 2 to 15 s times 0.02: 4720 lines in
# 61.2 s; 20 of 20 users finished."
sub _load {
    my ($asked, $known) = @_;
    my @what = (_who($known),   _pauses($asked));
    my @done = (_lines($known), _finished($known));
    return if !@what;
    my $kind = $known->{capacity} ? 'Multi-user search: ' : 'Multi-user load: ';
    return [$kind, joined(', ', @what), (@done ? (': ', joined('; ', @done)) : ()), q{.}];
}

sub _who {
    my ($known) = @_;
    my $users   = $known->{users} // return;
    my ($each)  = map { $_->{per_finished} } grep { $_->{name} eq 'lines' } @{ $known->{meters} };
    return (_users($users), defined $each ? [cell(plain => $each), ' lines each'] : ());
}

sub _users { my ($users) = @_; return counted($users, 'user', 'users') }

sub _pauses {
    my ($asked) = @_;
    my ($least, $most, $scale) = @$asked{qw(think_min_s think_max_s scale)};
    return if !defined $scale;
    my @scaled = $scale == 1 ? () : (' times ', cell(plain => $scale));
    return ['pauses of ', cell(plain => $least), ' to ', cell(plain => $most), ' s', @scaled];
}

sub _lines {
    my ($known) = @_;
    my ($lines, $elapsed_s) = @$known{qw(lines elapsed_s)};
    return if !defined $lines;
    my @time = defined $elapsed_s ? (' in ', cell(digits => $elapsed_s), ' s') : ();
    return [cell(count => $lines), $lines == 1 ? ' line' : ' lines', @time];
}

sub _finished {
    my ($known) = @_;
    my ($users, $finished, $passes) = @$known{qw(users finished passes)};
    return if !defined $finished;
    my $least = $passes > 1 && $finished < $users ? 'at least ' : q{};
    return "$least$finished of " . _users($users) . ' finished' . ($passes > 1 ? " in each of $passes passes" : q{});
}

sub _incidents {
    my ($known)   = @_;
    my $shortfall = $known->{shortfall} // return;
    my @incidents = @{ $known->{incidents} };
    splice @incidents, INCIDENTS_MOST if @incidents > INCIDENTS_MOST;
    my $more = $known->{incident_count} - @incidents;
    my ($users, $finished) = @$known{qw(users finished)};
    my @more  = @incidents        && $more > 0          ? "And $more more." : ();
    my @less  = defined $finished && $finished < $users ? TOTALS            : ();
    my @texts = map { UnixBench::Multiuser::Results::in_words($_, $known->{passes}) } @incidents;
    my @below = @texts ? (heading(INCIDENTS), explained(@texts)) : ();
    my ($brief, $notices) = (in_brief(paragraphs([strong("$shortfall.")])), not_in_brief(notices("$shortfall.")));
    return ($brief, $notices, @below, quiet(@more, @less));
}

sub _responses {
    my ($known)   = @_;
    my @responses = @{ $known->{responses} } or return;
    my @rows      = map { row($_->{class}, $_) } @responses;
    return (_table('response times, in ms', 'Class', \@RESPONSE, @rows), quiet(RESPONSES, _stretch($known)));
}

sub _stretch {
    my ($known) = @_;
    my ($users, $stretch) = @$known{qw(users stretch)};
    return if !defined $users || $users == 1;
    return "Stretch: unknown without a load of one user: --users 1 --users $users." if !defined $stretch;
    return ['Stretch: ', cell(digits => $stretch), ', the mean response against that of a user alone.'];
}

sub _meters {
    my ($known) = @_;
    my @rows = map { _meter($_) } @{ $known->{meters} } or return;
    return (_table('meters', 'Meter', \@SCOPE, @rows), quiet(METERS, SPLIT));
}

sub _meter {
    my ($row) = @_;
    my ($title, $kind) = @{ $METER{ $row->{name} } };
    my %cell = map { $_ => cell($kind => $row->{$_}) } grep { defined $row->{$_} } map { $_->[1] } @SCOPE;
    return row($title, \%cell);
}

sub _shares {
    my ($known) = @_;
    my $shares = $known->{shares} or return;
    return _table("where the machine's time went", 'CPUs', \@SHARE, row('All', $shares));
}

# Returns a sentence such as "Capacity: 11 users (interpolated: 11.4; 10.2 to 12.7, 95 % interval of 5 searches) have a
# p95 within 2 times the single user's 42.1 ms."
sub _capacity {
    my ($known) = @_;
    my $capacity = $known->{capacity} // return;
    my ($users, $is_least, $limit, $alone_s) = @$capacity{qw(users is_least limit alone_p95_s)};
    my @limit = defined $limit ? (cell(plain => $limit), " times the single user's") : 'the limit';
    push @limit, q{ }, cell(ms => $alone_s), ' ms' if defined $limit && defined $alone_s;
    return [
        'Capacity: ' . ($is_least ? 'at least ' : q{}) . _users($users),
        _between($known->{passes}, $capacity),
        ($users == 1 ? ' has' : ' have') . ' a p95 within ',
        @limit,
        $is_least ? '; more were not tried.' : q{.},
    ];
}

sub _between {
    my ($passes, $capacity) = @_;
    my ($value,  $low)      = @$capacity{qw(value low)};
    return if !defined $value;
    my @interval = defined $low ? ('; ', cell(interval => $capacity), ", 95 % interval of $passes searches") : ();
    return (' (interpolated: ', cell(rate => $value), @interval, ')');
}

# Returns the table of loads with several numbers of users, or of the trials of a search. A single load has none,
# because its numbers are in the other tables already.
sub _trials {
    my ($known) = @_;
    my ($capacity, @trials) = ($known->{capacity}, @{ $known->{trials} });
    return if !@trials || !$capacity && @trials < 2;
    my @several = (grep { $_->{passes} != 1 } @trials) ? [Passes => passes => 'count'] : ();
    my $what    = $capacity                            ? 'trials'                      : 'loads';
    my @rows    = map { row(_users($_->{users}), { %$_, lines_a_minute => scalar lines_per_minute($_) }) } @trials;
    return (_table("$what, responses in ms", 'Load', [@TRIAL, @several], @rows), quiet($capacity ? TRIALS : LOADS));
}

1;
