use strict;
use warnings;

use FindBin qw($Bin);
use POSIX ();
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use InterbenchReport      qw(printed row);
use Needs                 qw(need_compiler);

need_compiler();

my $RELEASE = (POSIX::uname())[2];

local $ENV{TZ} = 'UTC';

# The table of the old manual page: X, 300 frames. Columns: mean, standard deviation and maximum in milliseconds,
# percent of the work, frames on time.
my @SAMPLE = (
    [None    => 0.495, 0.495, 45,   100,  288],
    [Video   => 11.7,  11.7,  1815, 89.6, 188],
    [Burn    => 27.9,  28.1,  3335, 78.5, 132],
    [Write   => 4.02,  4.03,  372,  97,   236],
    [Read    => 1.09,  1.09,  158,  99.7, 264],
    [Compile => 28.8,  28.8,  3351, 78.2, 131],
    [Memload => 2.81,  2.81,  187,  98.7, 255],
);

sub sample_row {
    my ($load, $mean, $deviation, $max, $work, $met) = @_;
    my %numbers = (
        frames  => 300,
        on_time => $met,
        dropped => 300 - $met,
        count   => 300,
        mean    => 1e6 * $mean,
        squares => sprintf('%.17g', 299 * (1e6 * $deviation)**2),
        max     => 1e6 * $max,
        demand  => 1000,
        done    => 10 * $work,
    );
    return row("X $load", \%numbers);
}

# Takes a line; returns it with its tabs as the blanks that a terminal shows.
sub without_tabs {
    my ($line) = @_;
    1 while $line =~ s/\t/' ' x (8 - $-[0] % 8)/e;
    return $line;
}

# Returns the lines after the head, which ends with a blank line.
sub tables {
    my @printed = printed('legacy', @_);
    shift @printed while $printed[0] ne '';
    return @printed[1 .. $#printed];
}

is join("\n", (map { without_tabs($_) } tables(map { sample_row(@$_) } @SAMPLE)), ''),
    <<'TABLE', 'the table of the old manual page is reproduced';
--- Benchmarking simulated cpu of X in the presence of simulated ---
Load    Latency +/- SD (ms)  Max Latency   % Desired CPU  % Deadlines Met
None      0.495 +/- 0.495         45             100             96
Video      11.7 +/- 11.7        1815            89.6           62.7
Burn       27.9 +/- 28.1        3335            78.5             44
Write      4.02 +/- 4.03         372              97           78.7
Read       1.09 +/- 1.09         158            99.7             88
Compile    28.8 +/- 28.8        3351            78.2           43.7
Memload    2.81 +/- 2.81         187            98.7             85


TABLE

my @head = (
    'report started 1700000000',
    'report loops_per_ms 3456789',
    'option duration 30000000000',
);
is_deeply [printed('legacy', @head)],
    [
    'Using 3456789 loops per ms, running every load for 30 seconds',
    "Benchmarking kernel $RELEASE at datestamp 202311142213",
    '', ''
    ],
    'a report without rows has its head only';
is((printed('legacy', @head, 'text comment of mine'))[2], 'Comment: of mine', 'the comment is in the head');

my @audio = row('Audio None', { frames => 600, on_time => 600, demand => 9, done => 9 }, ['staleness', 123_456, 600]);

subtest 'headings' => sub {
    my $begin  = '--- Benchmarking simulated cpu of Audio';
    my $middle = 'in the presence of simulated';
    my @CASES  = (
        [[],                                                                 "$begin $middle ---"],
        [['option task_nice 5'],                                             "$begin nice 5 $middle ---"],
        [['option load_nice -5'],                                            "$begin $middle nice -5 ---"],
        [['option task_nice -7', 'option load_nice 19'],                     "$begin nice -7 $middle nice 19 ---"],
        [['option real_time 1'],                                             "$begin real time $middle ---"],
        [['option real_time 1', 'option task_nice 5', 'option load_nice 3'], "$begin real time $middle nice 3 ---"],
    );
    is + (tables(@{ $_->[0] }, @audio))[0], $_->[1], "heading with: @{$_->[0]}" for @CASES;
};

is_deeply [tables('option real_time 1', @audio)],
    [
    '--- Benchmarking simulated cpu of Audio real time in the presence of simulated ---',
    "Load\tLatency +/- SD (us)  Max Latency   % Desired CPU  % Deadlines Met",
    "None\t    123 +/- 0            123\t\t 100\t        100",
    '', ''
    ],
    'latencies are in microseconds with -r';
is(
    (tables(@audio))[2],
    "None\t  0.123 +/- 0          0.123\t\t 100\t        100",
    'latencies are in milliseconds without -r'
);

my @gaming = (['wake', 1_000_000, 10], ['wake', 3_000_000, 10], ['response', 12_000_000, 20]);
is_deeply [tables(row('Gaming Burn', { frames => 20 }, @gaming), row('Gaming Hack', {}))],
    [
    '--- Benchmarking simulated cpu of Gaming in the presence of simulated ---',
    "Load\tLatency +/- SD (ms)  Max Latency   % Desired CPU",
    "Burn\t      2 +/- 1.03           3\t\t83.3",
    "Hack\t      - +/- -              -\t\t   -",
    '',
    ''
    ],
    'Gaming has its excess as latency, and no deadlines';

is_deeply [
    tables(
        row('Audio None', {}),
        row(
            'Audio Burn', { frames => 600, dropped => 600, censored => 9, censored_max => 29_950_000_000, demand => 5 }
        ),
        row('Audio Hack', { frames => 1, on_time => 1, demand => 5, done => 5 }, ['staleness', 99_960_000, 1])
    )
    ],
    [
    '--- Benchmarking simulated cpu of Audio in the presence of simulated ---',
    "Load\tLatency +/- SD (ms)  Max Latency   % Desired CPU  % Deadlines Met",
    "None\t      - +/- -              -\t\t   -\t          -",
    "Burn\t      - +/- -          29950\t\t   0\t          0",
    "Hack\t    100 +/- -            100\t\t 100\t        100",
    '',
    ''
    ],
    'unknown values are dashes';

my @mixed = tables('option mode 1', @audio, row('X None', {}), row('Audio Burn', {}), row('X Burn', {}));
is_deeply [map { /cpu of (\w+)/ ? $1 : /\A(\w*)/ } @mixed],
    [qw(Audio Load None Burn), '', qw(X Load None Burn), '', ''], 'the mix has one table for each task';

done_testing;
