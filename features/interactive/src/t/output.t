use strict;
use warnings;

use File::Temp ();
use FindBin    qw($Bin);
use POSIX      ();
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

# The reports of given rows, each form once as a whole, and the numbers in them.
need_compiler();

local $ENV{TZ} = 'UTC-2';

my $RELEASE = (POSIX::uname())[2];

# The loads, with the modules for frames of Video, X and Custom.
my @LOADS = map { m{(loads/[^/]+)[.]c\z} } glob 'features/interactive/src/loads/*.c';
push @LOADS, qw(clock frames limits proc random stats tasks work);

my $program =
    driver('output', @LOADS, qw(options selection message), map { "report/$_" } qw(numbers table legacy protocol));

# Takes a form, options of interbench and lines of a report; returns the text that is printed.
sub printed {
    my ($form, $options, @lines) = @_;
    my $file = File::Temp->new;
    print {$file} map { "$_\n" } @lines;
    close $file or die "$file: $!\n";
    return join q{}, map { "$_\n" } said_by($program, $form, "$file", @$options);
}

my @NUMBERS = qw(frames on_time late dropped censored demand done censored_max elapsed throughput steal other);

# Takes the task and load of a row, numbers as { NAME => VALUE }, and lists of [name, nanoseconds, times]; returns the
# lines of the row.
sub row {
    my ($names, $numbers, @values) = @_;
    my %number = ((map { $_ => 0 } @NUMBERS), (map { $_ => -1 } @NUMBERS[7, 9 .. 11]), %$numbers);
    return ("row $names @number{@NUMBERS}", map { "add @$_" } @values);
}

my %AUDIO  = (frames => 200, on_time => 150, late => 30, dropped => 20, demand => 500_000_000, done => 450_000_000);
my @AUDIO  = (['wake', 40_000, 180], ['staleness', 2_540_000, 150], ['staleness', 54_540_000, 50]);
my %PROBE  = (frames => 10_000, on_time => 10_000, demand => 3, done => 1);
my @PROBE  = (['wake', 100, 9800], ['wake', 250, 200], ['staleness', 255, 10_000]);
my %GONE   = (frames => 600, dropped => 600, censored => 600, censored_max => 29_950_000_000, demand => 9);
my @GAMING = (['wake', 1_000_000, 10], ['wake', 3_000_000, 10], ['response', 12_000_000, 20]);
my @ROWS   = (
    row('Audio Burn',  { %AUDIO, throughput => 0.481, steal => 0.02 }, @AUDIO),
    row('Probe None',  \%PROBE,                                        @PROBE),
    row('Gaming Hack', { frames => 20, elapsed => 250_000_000 },       @GAMING),
    row('Audio None',  {}),
    row('Audio Read',  \%GONE),
);

is(printed('head', []), <<"TEXT", 'the head of a run without options');
Linux $RELEASE, 2023-11-15 00:13, 2 CPUs, 3456789 loops per ms
30 s for each load after 1 s of warm-up, seed 1

TEXT

my $head = qr/ reference machine\n.*, 3 repeats\nLeft out: Memload: no room\n/;
like(printed('head', [qw(--fixed --repeat 3)], 'left_out Memload no room'), $head, 'with options');

my ($table, $legend) = split /(?=^on time, late)/m, printed('table', [], @ROWS);
is($table, <<'TEXT', 'a table for each task');
Audio
Load       frames on time    late dropped  work wake p50 wake p99     p50     p95     p99   p99.9      max      SD  load
Burn *        200    75.0    15.0    10.0  90.0     40.0        -    2560   54500       -       -    54500   22600  48.1
None            0       -       -       -     -        -        -       -       -       -       -        -       -     -
Read          600       0       0     100     0        -        -       -       -       -       - 30000000       -     -

Probe
Load       frames on time    late dropped  work wake p50 wake p99     p50     p95     p99   p99.9      max      SD  load
None        10000     100       0       0  33.3    0.100    0.250   0.255   0.255   0.255   0.255    0.255       0     -

Gaming
Load         jobs  jobs/s     p50     p99      max  1 % low  work  load
Hack           20    80.0   12000       -    12000        -  83.3     -

TEXT
is(printed('table', []),                                   q{},   'a table without rows is empty');
is((grep { length > 120 } split /\n/, "$table$legend")[0], undef, 'no line is longer than 120 columns');

is(printed('protocol', [], @ROWS), <<'TEXT', 'the protocol has a line for each row');
cell.Burn.Audio|200|150|30|20|90.000|40.000|-|2555.903|54540.000|-|-|54540.000|22573.164|48.100|1
cell.None.Probe|10000|10000|0|0|33.333|0.100|0.250|0.255|0.255|0.255|0.255|0.255|0.000|-|0
cell.Hack.Gaming|20|-|-|-|83.333|-|-|-|-|-|-|-|-|-|0
cell.None.Audio|0|0|0|0|-|-|-|-|-|-|-|-|-|-|0
cell.Read.Audio|600|0|0|600|0.000|-|-|-|-|-|-|29950000.000|-|-|0
TEXT

my @HEADINGS = (
    [[],                 'Audio in the presence of simulated ---'],
    [[qw(-B 5)],         'Audio nice 5 in the presence of simulated ---'],
    [[qw(-N -5)],        'Audio in the presence of simulated nice -5 ---'],
    [[qw(-r -B 5 -N 3)], 'Audio real time in the presence of simulated nice 3 ---'],
);
like(printed('legacy', $_->[0], row('Audio None', {})), qr/^--- Benchmarking simulated cpu of \Q$_->[1]\E\n/m, $_->[1])
    for @HEADINGS;
is(printed('legacy', [qw(-r -m mine)], @ROWS) =~ s/\A.*\n.*\n//r, <<"TEXT", 'unknown values, Gaming, and -r in us');
Comment: mine

--- Benchmarking simulated cpu of Audio real time in the presence of simulated ---
Load\tLatency +/- SD (us)  Max Latency   % Desired CPU  % Deadlines Met
Burn\t  15540 +/- 22573      54540\t\t  90\t         75
None\t      - +/- -              -\t\t   -\t          -
Read\t      - +/- -        29950000\t\t   0\t          0

--- Benchmarking simulated cpu of Probe real time in the presence of simulated ---
Load\tLatency +/- SD (us)  Max Latency   % Desired CPU  % Deadlines Met
None\t  0.255 +/- 0          0.255\t\t33.3\t        100

--- Benchmarking simulated cpu of Gaming real time in the presence of simulated ---
Load\tLatency +/- SD (us)  Max Latency   % Desired CPU
Hack\t   2000 +/- 1026        3000\t\t83.3


TEXT

subtest 'noise' => sub {
    my $noisy = sub {
        my ($steal, $other) = @_;
        return (split /[|]/, printed('protocol', [], row('Audio Burn', { steal => $steal, other => $other })))[-1];
    };
    is($noisy->(@$_[0, 1]), "$_->[2]\n", "steal $_->[0], other work $_->[1]")
        for [0.01, 0.05, 0], [-1, -1, 0], [0.011, -1, 1], [0, 0.051, 1];
};

subtest 'responsiveness' => sub {
    my $said = sub {
        my ($options, @rows) = @_;
        return printed('responsiveness', $options, map { row(@$_) } @rows);
    };
    my $under = sub { return ["Probe $_[0]", {}, ['staleness', 1000 * $_[1], 1000]] };
    is($said->([], $under->('None', 7), $under->('Burn', 100), $under->('Hack', 10_000), ['Audio Hack', {}]),
        "1000.000000\n", 'the geometric mean of Probe under the loads');
    like($said->([], $under->('None', 100)), qr/\Athe score needs Probe under a load; /, 'without a load');
    my $probe = sub { return ["Probe $_[0]", { frames => $_[1] }, ['staleness', 9000, $_[2]]] };
    my $short = qr/needs 1000: 0.5 s are too short; use -t 1.5/;
    like($said->([qw(-t 0.5)], $under->('Burn', 100), $probe->('Hack', 500, 498)), $short, 'too short a time');
    my $busy = qr/needs 1000: the machine was too busy to execute the last 1360 of 2000 frames; /;
    like($said->([], $probe->('Burn', 2000, 1500), $probe->('Hack', 2000, 640)), $busy, 'a busy machine');
};

done_testing;
