use strict;
use warnings;

use Encode  qw(decode);
use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use InterbenchReport      qw(printed row);
use Needs                 qw(need_compiler);

need_compiler();

my $MIX    = 'option mode 1';
my @LEGEND = (
    'on time: frames that ended before the next one was due; late: ended after that; dropped: never started.',
    'work: the part of the demanded work that was done.  wake: time from when a frame is due to its start.',
    'staleness: time from when a frame is due to the end of that frame or a later one; jitter: its p99 - p50.',
    "load: throughput of the load, relative to that of the load alone.  \xe2\x80\x93: unknown, or too few values.",
);

my %AUDIO = (frames => 200,    on_time => 200,    demand => 500_000_000, done => 500_000_000);
my %PROBE = (frames => 10_000, on_time => 10_000, demand => 200_000_000, done => 200_000_000);
my @AUDIO = (['wake', 40_000, 200], ['staleness', 2_540_000, 190], ['staleness', 2_580_000, 10]);
my @PROBE = (['wake', 40_000, 10_000], ['staleness', 60_000, 9980], ['staleness', 1_060_000, 20]);

sub table_of {
    my (@lines) = @_;
    my @printed = printed('table', @lines);
    my @text    = map { decode('UTF-8', $_) } @printed;
    cmp_ok length, '<=', 120, 'a line has at most 120 columns' for @text;
    unlike "@text", qr/\b(?:nan|inf)/i, 'no number is infinite or NaN';
    is_deeply [grep { /\s\z/ } @text], [],       'no line ends with blanks';
    is_deeply [splice @printed, -4],   \@LEGEND, 'the legend is at the end' if !grep { /repeats/ } @lines;
    return @printed;
}

# Returns the lines as one text, with a tilde instead of the dash for an unknown value.
sub with_tildes {
    my (@lines) = @_;
    my $text    = join "\n", @lines, '';
    $text =~ s/\xe2\x80\x93/~/g;
    return $text;
}

# Takes a name and the lines of a table; returns the words of the first line that begins with that name.
sub cells {
    my ($name, @table) = @_;
    my ($line) = grep { /\A$name\b/ } @table;
    return [split ' ', decode('UTF-8', $line)];
}

is_deeply [printed('table')],       [], 'a table without rows is empty';
is_deeply [printed('table', $MIX)], [], 'a table of the mix without rows is empty';

subtest 'a block for each task' => sub {
    my @printed = table_of(
        row('Audio None',  \%AUDIO,                          @AUDIO),
        row('Probe None',  \%PROBE,                          @PROBE),
        row('Audio Burn',  { %AUDIO, throughput => 0.481 },  @AUDIO),
        row('Probe Write', { %PROBE, throughput => 1.0345 }, @PROBE)
    );
    is with_tildes(@printed), <<'TABLE', 'the table has a block for each task';
Audio
              on time  late  dropped  work  wake (us)  ------------- staleness (us) -------------  load
Load  frames        %     %        %     %   p50  p99   p50   p95  p99  p99.9   max    SD  jitter     %
None     200      100     0        0   100  40.0    ~  2560  2560    ~      ~  2580  8.74       ~     ~
Burn     200      100     0        0   100  40.0    ~  2560  2560    ~      ~  2580  8.74       ~  48.1

Probe
               on time  late  dropped  work   wake (us)  ------------- staleness (us) --------------  load
Load   frames        %     %        %     %   p50   p99   p50   p95   p99  p99.9   max    SD  jitter     %
None    10000      100     0        0   100  40.0  40.0  60.2  60.2  60.2   1060  1060  44.7       0     ~
Write   10000      100     0        0   100  40.0  40.0  60.2  60.2  60.2   1060  1060  44.7       0   103

TABLE
};

subtest 'the mix: a paragraph for each load' => sub {
    my @printed = table_of(
        $MIX,
        row('Audio None', \%AUDIO, @AUDIO),
        row('Probe None', \%PROBE, @PROBE),
        row('Audio Burn', \%AUDIO, @AUDIO),
        row('Probe Burn', \%PROBE, @PROBE)
    );
    is $printed[0], 'All tasks at the same time', 'the table of the mix has a title';
    is_deeply [map { join ' ', (split)[0, 1] } @printed[3, 4, 6, 7]],
        ['None Audio', 'None Probe', 'Burn Audio', 'Burn Probe'], 'tasks are listed by load';
    is "$printed[5]$printed[8]", '', 'a blank line follows the tasks of each load';
    is_deeply [grep { /wake-ups/ } @printed], ['Responsiveness: 16600 wake-ups per second'],
        'the mix has a line with the responsiveness';
};

subtest 'Gaming has columns of its own' => sub {
    my @jobs    = (['response', 10_000_000, 2950], ['response', 12_000_000, 50], ['wake', 0, 2950]);
    my %GAMING  = (frames => 3000, elapsed => 30_100_000_000);
    my @printed = table_of(
        row('Gaming None', \%GAMING, @jobs, ['wake', 2_000_000, 50]),
        row('Gaming Burn', { frames => 5, elapsed => 100_000_000, throughput => 0.51 }, ['response', 20_000_000, 5]),
        row('Gaming Hack', { frames => 0 })
    );
    is with_tildes(@printed), <<'TABLE', 'the table of Gaming has its own columns';
Gaming
                jobs  - frame time (us) -   1 % low  work  load
Load  jobs  a second    p50    p99    max  a second     %     %
None  3000      99.7  10000  12000  12000      83.3  99.7     ~
Burn     5      50.0      ~      ~  20000         ~     ~  51.0
Hack     0         ~      ~      ~      ~         ~     ~     ~

TABLE
};

subtest 'unknown values' => sub {
    my %dropped = (frames => 600, dropped => 600, censored => 600, censored_max => 29_950_000_000);
    my @printed = table_of(
        row('Audio None', {}),
        row('Audio Burn', { %dropped, demand => 1000 }),
        row('Audio Hack', { frames => 1,  on_time => 1 }, ['wake', 0, 1], ['staleness', 0, 1]),
        row('Audio Read', { frames => 10, late    => 1, dropped => 9 }, ['wake', 5, 1], ['staleness', 5000, 10]),
    );
    my $no = "\x{2013}";
    is_deeply cells('None', @printed), ['None', 0, ($no) x 14], 'a row without frames';
    is_deeply cells('Burn', @printed), ['Burn', 600, 0, 0, 100, 0, ($no) x 6, '30000000', ($no) x 3],
        'a row whose frames are all dropped and censored';
    is_deeply cells('Hack', @printed), ['Hack', 1, 100, 0, 0, ($no) x 7, 0, ($no) x 3],
        'a row with one frame of latency 0';
    is_deeply cells('Read', @printed), ['Read', 10, 0, '10.0', '90.0', ($no) x 7, '5.00', 0, $no, $no],
        'a row with too few frames for percentiles';
};

is with_tildes((table_of(row('Audio None', {})))[0 .. 3]), <<'TABLE', 'columns are at least as wide as their headings';
Audio
              on time  late  dropped  work  wake (us)  ---------- staleness (us) -----------  load
Load  frames        %     %        %     %   p50  p99  p50  p95  p99  p99.9  max  SD  jitter     %
None       0        ~     ~        ~     ~     ~    ~    ~    ~    ~      ~    ~   ~       ~     ~
TABLE

subtest 'times of minutes and hours' => sub {
    my $minute  = 60_000_000_000;
    my %huge    = (frames => 2_000_000, late => 1, dropped => 1_999_999, p99_least => $minute, p99_most => 9 * $minute);
    my @values  = map { [$_, $minute, 10_000] } qw(wake staleness);
    my @printed = table_of('option repeats 3', row('Audio Compile', \%huge, @values), row('Audio None', \%AUDIO));
    like $printed[1], qr/wake \(ms\).*staleness \(ms\).*p99 \(ms\)/, 'times of minutes are in milliseconds';
    is_deeply cells('Compile', @printed),
        [qw(Compile 2000000 0 <0.001 99.9), "\x{2013}", (60_000) x 7, 0, 0, "\x{2013}", 60_000, 540_000],
        'times in milliseconds have all their digits';
    @values  = map { [$_, 60 * $minute, 10_000] } qw(wake staleness);
    @printed = table_of('option repeats 3', row('Audio Compile', { %huge, p99_most => 600 * $minute }, @values));
    like $printed[1], qr/wake \(s\).*staleness \(s\).*p99 \(s\)/, 'times of hours are in seconds';
    is_deeply [@{ cells('Compile', @printed) }[-2, -1]], ['60.0', 36_000], 'times in seconds have all their digits';
    @printed = table_of(row('Audio None', { %AUDIO, censored => 1, censored_max => 60 * $minute }, @AUDIO));
    like $printed[3], qr/ 3600000000 /, 'a single huge time does not change the unit';
};

subtest 'noise' => sub {
    my @CASES = (
        [{ steal => 0.01, other => 0.05 },  undef,                'values at the limit are not noisy'],
        [{ steal => -1, other => -1 },      undef,                'unknown values are not noisy'],
        [{ steal => 0.011, other => 0.05 }, ['1.10', '5.00'],     'stolen time is noise'],
        [{ steal => 0, other => 0.051 },    ['0', '5.10'],        'other work is noise'],
        [{ steal => 0.5, other => -1 }, ['50.0', "\xe2\x80\x93"], 'stolen time is noise even if other work is unknown'],
    );
    for my $case (@CASES) {
        my ($numbers, $told, $name) = @$case;
        my @printed  = table_of(row('Audio Burn', { %AUDIO, %$numbers }, @AUDIO));
        my @warnings = grep { /noisy/ } @printed;
        my @wanted   = $told ? "  * Burn is noisy: steal $told->[0] %, other work $told->[1] % of the CPU time" : ();
        is_deeply \@warnings, \@wanted, $name;
        my $mark = $told ? 'Burn \*' : 'Burn';
        like $printed[3], qr/\A$mark +200 /, "$name: mark of the row";
    }
    my @noisy = (steal => 0.02, other => 0);
    my @mixed = table_of($MIX, row('Audio Burn', { %AUDIO, @noisy }), row('Probe Burn', { %PROBE, @noisy }));
    is scalar(grep { /noisy/ } @mixed),      1, 'in the mix a noisy load is reported once';
    is scalar(grep { /\ABurn \* / } @mixed), 2, 'in the mix all rows of a noisy load have the mark';
};

subtest 'responsiveness' => sub {
    my $under = sub { my ($load, $us) = @_; return row("Probe $load", {}, ['staleness', 1000 * $us, 1000]) };
    my $score = sub { return (printed('responsiveness', @_))[0] };
    is $score->(), '-1.000000', 'without rows there is no responsiveness';
    is $score->($under->('None', 100)), '-1.000000',    'without a load there is no responsiveness';
    is $score->($under->('Burn', 100)), '10000.000000', 'the responsiveness under one load';
    is $score->($under->('None', 7), $under->('Burn', 100), $under->('Hack', 10_000)), '1000.000000',
        'the responsiveness is the geometric mean of the loads';
    is $score->($under->('Burn', 100), row('Probe Hack', {}, ['staleness', 5, 999])), '-1.000000',
        'the responsiveness is unknown if that of one load is unknown';
    is $score->($under->('Burn', 100), row('Audio Burn', {}, ['staleness', 5, 9999])), '10000.000000',
        'only Probe counts for the responsiveness';
};

# Why a run of the mix has no score: the number of frames, the cause and the remedy.
subtest 'no responsiveness' => sub {
    my $needs = 'and its 99th percentile needs 1000';
    my $probe = sub {
        my ($load, $frames, $values) = @_;
        return row("Probe $load", { frames => $frames, censored => $frames - $values }, ['staleness', 9000, $values]);
    };
    my @CASES = (
        ['without a load', [], 'the score needs Probe under a load; use -w with a load other than None'],
        [
            'with None alone',
            [$probe->('None', 200, 200)],
            'the score needs Probe under a load; use -w with a load other than None'
        ],
        [
            'too short a time',
            ['option duration 500000000', map { $probe->($_, 500, 498) } qw(None Burn)],
            "Probe had 500 frames under Burn, $needs: 0.5 s are too short;"
                . ' use -t 1.5, or in Run a larger UB_TIME_FACTOR'
        ],
        [
            'one frame too few',
            ['option duration 999000000', $probe->('Hack', 999, 999)],
            "Probe had 999 frames under Hack, $needs: 0.999 s are too short;"
                . ' use -t 1.5, or in Run a larger UB_TIME_FACTOR'
        ],
        [
            'a busy machine',
            ['option duration 2000000000', $probe->('Burn', 2000, 1500), $probe->('Hack', 2000, 640)],
            "Probe had 640 values under Hack, $needs: the machine was too busy to execute the last 1360 of 2000 frames;"
                . ' stop other programs, or use a longer -t'
        ],
        [
            'no frame is executed',
            ['option duration 2000000000', $probe->('Burn', 2000, 0)],
            "Probe had 0 values under Burn, $needs: the machine was too busy to execute the last 2000 of 2000 frames;"
                . ' stop other programs, or use a longer -t'
        ],
    );
    for my $case (@CASES) {
        my ($name, $lines, $why) = @$case;
        is_deeply [printed('no_responsiveness', @$lines)], [$why], $name;
    }
};

done_testing;
