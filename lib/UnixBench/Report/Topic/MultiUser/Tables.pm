package UnixBench::Report::Topic::MultiUser::Tables;

# The numbers of a multi-user load as tables, and its response times as a chart. In the chart, each class of lines has a
# bar from p50 to p95, and a line from there to the longest response.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Number  qw(significant);
use UnixBench::Base::Text    qw(counted);
use UnixBench::Report::Block qw(bar chart dot drawn grid row span table);

our @EXPORT_OK = qw(
    INCIDENTS incident_table incident_texts meter_forms meter_table ms response_chart response_table share_table
    three_digits trial_table
);

use constant INCIDENTS => 'Multi-user: what went wrong';
use constant { DASH => q{-}, INCIDENTS_MOST => 20, KB_IN_MB => 1024, MS_IN_S => 1000, ROUNDING => 1e-9 };
use constant { HEIGHT => 26, BAR_AT => 7, BAR_HEIGHT => 12, MIDDLE => 13 };
use constant LEGEND => 'A bar goes from p50, which half of the responses do not exceed, to p95; the thin line goes '
    . 'to the longest. On the scale equal steps are equal multiples.';

# Heading, key and formatting function of each column.
my @RESPONSE = (
    ['Lines', count  => \&_count],
    ['Mean',  mean_s => \&ms],
    ['p50',   p50_s  => \&ms],
    ['p90',   p90_s  => \&ms],
    ['p95',   p95_s  => \&ms],
    ['p99',   p99_s  => \&ms],
    ['Max',   max_s  => \&ms],
);
my @DRAWN  = ([p50 => 'p50_s'], [p95 => 'p95_s'], [Max => 'max_s']);
my @SHARES = (
    ['User',       user   => \&_tenths],
    ['System',     system => \&_tenths],
    ['Interrupts', irq    => \&_tenths],
    ['Stolen',     steal  => \&_tenths],
    ['I/O wait',   iowait => \&_tenths],
    ['Idle',       idle   => \&_tenths],
);
my @TRIAL = (
    ['Lines/min', lines_a_minute => \&_tenths],
    ['Mean',      mean_s         => \&ms],
    ['p50',       p50_s          => \&ms],
    ['p95',       p95_s          => \&ms],
    ['Stretch',   stretch        => \&three_digits],
);
my @SCOPES = ([Machine => 'machine'], [Group => 'group'], [Users => 'users'], ['Per user' => 'per_finished']);

# Title and formatting function of each row of meters.
my %METER = (
    lines              => ['Lines',                       \&_count],
    cpu_user_s         => ['CPU time of programs, s',     \&three_digits],
    cpu_system_s       => ['CPU time of the system, s',   \&three_digits],
    cpu_s              => ['CPU time in all, s',          \&three_digits],
    faults_minor       => ['Page faults, minor',          \&_count],
    faults_major       => ['Page faults, major',          \&_count],
    switches           => ['Context switches',            \&_count],
    switches_voluntary => ['Context switches, voluntary', \&_count],
    switches_forced    => ['Context switches, forced',    \&_count],
    forks              => ['New processes',               \&_count],
    interrupts         => ['Interrupts',                  \&_count],
    memory_most_kb     => ['Memory at most, MB',          \&_mb],
    rss_most_kb        => ['Largest process, MB',         \&_mb],
    pressure_cpu_s     => ['Pressure on CPUs, s',         \&three_digits],
    pressure_io_s      => ['Pressure on I/O, s',          \&three_digits],
    pressure_memory_s  => ['Pressure on memory, s',       \&three_digits],
);

# Takes the results of a load, see UnixBench::Score::MultiUser; returns the table of response times. The subs below take
# the same results. All return nothing if there is nothing to show.
sub response_table {
    my ($known) = @_;
    my @rows = map { row($_->{class}, [_texts($_, @RESPONSE)]) } @{ $known->{responses} };
    return _table('response times, in ms', 'Class', [map { $_->[0] } @RESPONSE], @rows);
}

# Returns the chart of response times.
sub response_chart {
    my ($known) = @_;
    my @responses = grep { _is_drawn($_) } @{ $known->{responses} } or return;
    return chart(
        title   => 'Multi-user: response times, class by class',
        axis    => 'ms, from p50 to p95 to the longest',
        values  => [map { _values($_) } @responses],
        height  => HEIGHT,
        columns => [word => 'Class', map { (number => $_->[0]) } @DRAWN],
        rows    => [map { _drawn($_) } @responses],
        legend  => [LEGEND],
    );
}

sub _is_drawn {
    my ($response) = @_;
    return @DRAWN == grep { $response->{ $_->[1] } } @DRAWN;
}

sub _values {
    my ($response) = @_;
    return map { MS_IN_S * $response->{ $_->[1] } } @DRAWN;
}

sub _drawn {
    my ($response) = @_;
    my ($p50, $p95, $max) = _values($response);
    my @texts  = map { ms($response->{ $_->[1] }) } @DRAWN;
    my @words  = map { "$DRAWN[$_][0] $texts[$_] ms" } 0 .. $#DRAWN;
    my @shapes = (
        grid(),
        span('tail', $p95, $max, MIDDLE),
        bar('bar strong', $p50, $p95, BAR_AT, BAR_HEIGHT),
        dot('response', $max, MIDDLE, $words[-1]),
    );
    return drawn($response->{class}, \@shapes, join(', ', @words), \@texts);
}

# Returns the table of meters.
sub meter_table {
    my ($known) = @_;
    return _table('meters', 'Meter', [map { $_->[0] } @SCOPES], map { _meter($_) } @{ $known->{meters} });
}

sub _meter {
    my ($row) = @_;
    my ($title, $form) = @{ $METER{ $row->{name} } };
    return row($title, [_texts($row, map { [@$_, $form] } @SCOPES)]);
}

# Returns the table of the shares of the machine's time.
sub share_table {
    my ($known) = @_;
    my @rows = map { row('All', [_texts($_, @SHARES)]) } grep { defined } $known->{shares};
    return _table("where the machine's time went, in %", 'CPUs', [map { $_->[0] } @SHARES], @rows);
}

# Returns the table of loads with several numbers of users, or of the trials of a search.
sub trial_table {
    my ($known) = @_;
    my @several = (grep { $_->{passes} != 1 } @{ $known->{trials} }) ? ['Passes', passes => \&_count] : ();
    my @columns = (@TRIAL, @several);
    my @rows = map { row(counted($_->{users}, 'user', 'users'), [_texts(_paced($_), @columns)]) } @{ $known->{trials} };
    my $what = $known->{capacity} ? 'trials' : 'loads';
    return _table("$what, responses in ms", 'Load', [map { $_->[0] } @columns], @rows);
}

sub _paced {
    my ($trial) = @_;
    my ($lines, $elapsed_s) = @$trial{qw(lines elapsed_s)};
    return { %$trial, lines_a_minute => defined $lines && $elapsed_s ? 60 * $lines / $elapsed_s : undef };
}

# Returns the table of the first 20 incidents.
sub incident_table {
    my ($known) = @_;
    my @rows    = map { row($_->[0], [@$_[1 .. $#$_]]) } incident_texts($known);
    my @columns = map { (text => $_) } qw(User Line What Text);
    return @rows ? table(title => INCIDENTS, columns => \@columns, rows => \@rows) : ();
}

# Returns the first 20 incidents, each [user, line, what, text].
sub incident_texts {
    my ($known) = @_;
    my @incidents = @{ $known->{incidents} };
    splice @incidents, INCIDENTS_MOST if @incidents > INCIDENTS_MOST;
    return map { [_who($_, $known->{passes}), $_->{line} || DASH, @$_{qw(what text)}] } @incidents;
}

sub _who {
    my ($incident, $passes) = @_;
    return "user $incident->{user}" . ($passes > 1 ? " (pass $incident->{pass})" : q{});
}

sub _table {
    my ($title, $about, $headings, @rows) = @_;
    return if !@rows;
    return table(
        title   => "Multi-user: $title",
        columns => [word => $about, map { (number => $_) } @$headings],
        rows    => \@rows
    );
}

sub _texts {
    my ($item, @columns) = @_;
    my @texts;
    for my $column (@columns) {
        my (undef, $key, $form) = @$column;
        push @texts, defined $item->{$key} ? $form->($item->{$key}) : DASH;
    }
    return @texts;
}

# Returns the columns and rows of a load that a comparison shows as rows: [title, key, formatting function] of the
# meters of processes and of the machine, of the shares of its time, and of the response times.
sub meter_forms {
    return {
        meters    => [map { [$METER{$_}[0], $_, $METER{$_}[1]] } sort keys %METER],
        shares    => \@SHARES,
        responses => [grep { $_->[1] ne 'count' } @RESPONSE],
    };
}

# Takes a number, not below 0; returns it with three significant digits, or with more if its integer part has more.
sub three_digits { my ($number) = @_; return significant($number, 3) }

# Takes seconds; returns milliseconds in the same form.
sub ms { my ($seconds) = @_; return three_digits(MS_IN_S * $seconds) }

sub _count {
    my ($number) = @_;
    my $whole    = sprintf '%.0f', $number;
    return abs($number - $whole) <= ROUNDING * $number ? $whole : three_digits($number);
}

sub _tenths { my ($number) = @_; return sprintf '%.1f', $number }

sub _mb { my ($kb) = @_; return three_digits($kb / KB_IN_MB) }

1;
