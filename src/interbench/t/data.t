use strict;
use warnings;

use FindBin qw($Bin);
use JSON::PP;
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../t/lib);
use InterbenchReport      qw(printed row);
use Needs                 qw(need_compiler);

need_compiler();

# The same rows as JSON and as CSV.

my $HOUR  = 3_600_000_000_000;
my %AUDIO = (
    frames          => 200,
    on_time         => 150,
    late            => 30,
    dropped         => 20,
    demand          => 500_000_000,
    done            => 450_000_000,
    cpu             => 460_000_000,
    censored        => 3,
    run_delay       => 1_234_567,
    streams         => 2,
    repeats         => 3,
    censored_max    => 60_000_000,
    voluntary       => 190,
    throughput      => 0.4812,
    involuntary     => 17,
    migrations      => 4,
    p99_least       => 1_234_567,
    p99_most        => 7_654_321,
    steal           => 0.02,
    other           => 0.001,
    cpu_pressure    => 0.5,
    io_pressure     => 0,
    memory_pressure => 0.000_01,
);
my @AUDIO = (
    ['wake',      40_000,     180],
    ['response',  2_540_000,  180],
    ['timer',     100,        180],
    ['staleness', 2_540_000,  150],
    ['hand_off',  100,        20],
    ['staleness', 54_540_000, 50],
);
my @GAMING = (['response', 10_000_000, 990], ['response', 12_000_000, 10], ['wake', 0, 990], ['wake', 2_000_000, 10]);
my @ROWS   = (
    row('Audio Burn',   \%AUDIO,                                                              @AUDIO),
    row('Gaming None',  { frames => 1000, elapsed => 10_100_000_000, cpu => 10_000_000_000 }, @GAMING),
    row('X None',       {}),
    row('X Hack',       { frames => 600,  dropped => 600,  censored => 600, censored_max => $HOUR, demand => 5 }),
    row('Custom Write', { frames => 5000, late    => 5000, demand => 1, done => 3 }, ['staleness', 9 * $HOUR, 10_000]),
);

my $BURN = {
    task            => 'Audio',
    load            => 'Burn',
    streams         => 2,
    repeats         => 3,
    frames          => 200,
    on_time         => 150,
    late            => 30,
    dropped         => 20,
    censored        => 3,
    on_time_percent => 75,
    late_percent    => 15,
    dropped_percent => 10,
    work_percent    => 90,
    speed           => 0.9783,
    wake_us         => { p50 => 40,   p99 => undef, max => 40 },
    response_us     => { p50 => 2540, p99 => undef, max => 2540 },
    staleness_us    => {
        p50    => 2555.903,
        p95    => 54_540,
        p99    => undef,
        p99_9  => undef,
        max    => 60_000,
        mean   => 15_540,
        sd     => 22_573.164,
        jitter => undef,
    },
    p99_us             => { least => 1234.567, most => 7654.321 },
    jobs_per_s         => undef,
    slow_jobs_per_s    => undef,
    frame_time_us      => { map { $_ => undef } qw(p50 p99 max mean sd) },
    throughput_percent => 48.12,
    cpu_ms             => 460,
    run_delay_ms       => 1.235,
    switches           => { voluntary => 190, involuntary => 17 },
    migrations         => 4,
    timer_lateness_us  => { p50 => 0.1, p99 => undef, max => 0.1 },
    hand_off_us        => { p50 => 0.1, p99 => undef, max => 0.1 },
    steal_percent      => 2,
    other_percent      => 0.1,
    pressure_percent   => { cpu => 50, io => 0, memory => 0.001 },
    noisy              => JSON::PP::true,
};

sub json_of {
    my $text = join "\n", printed('json', @_);
    my $data = eval { JSON::PP->new->utf8->decode($text) };
    is $@, '', 'the output is valid JSON' or diag $text;
    unlike $text, qr/\b(?:nan|inf)\b/i, 'no number is infinite or NaN';
    return $data;
}

subtest 'JSON' => sub {
    my $data = json_of(
        @ROWS,
        'report started 1700000000',
        'report loops_per_ms 3456789',
        'report cpus 2',
        'option duration 2500000000',
        'option warmup 1000000000',
        'option seed 42',
        'fact kernel 6.1.0',
        'fact swap 0 kB',
        'left_out Memload no swap'
    );
    is_deeply $data->{rows}[0], $BURN, 'a row with nearly every field' or diag explain $data->{rows}[0];
    my ($gaming, $none, $hack, $write) = @{ $data->{rows} }[1 .. 4];
    is_deeply $gaming->{frame_time_us},
        { p50 => 10_027.007, p99 => 10_027.007, max => 12_000, mean => 10_020, sd => 199.097 },
        'Gaming has a frame time';
    is_deeply [@$gaming{qw(frames jobs_per_s slow_jobs_per_s work_percent on_time late_percent speed)}],
        [1000, 99.0099, 99.7307, 99.8004, undef, undef, undef], 'Gaming has jobs per second, and no deadlines';
    is_deeply $gaming->{wake_us}, { p50 => undef, p99 => undef, max => undef },
        'the excess of Gaming is not reported as wake latency';
    is_deeply $none->{staleness_us}, { map { $_ => undef } keys %{ $BURN->{staleness_us} } },
        'without frames the staleness is undef';
    is_deeply [@$none{qw(frames on_time on_time_percent work_percent noisy)}], [0, 0, undef, undef, JSON::PP::false],
        'without frames the percentages are undef';
    is $hack->{staleness_us}{max}, 3_600_000_000, 'a staleness of one hour is exact';
    is_deeply [@$hack{qw(dropped dropped_percent work_percent)}], [600, 100, 0],
        'all frames are dropped: counts and percentages';
    is $write->{staleness_us}{p99_9}, 32_400_000_000, 'a staleness of nine hours is exact';
    is_deeply $data->{machine}, { kernel => '6.1.0', swap => '0 kB' }, 'facts about the machine are reported';
    is_deeply $data->{left_out}, [{ load => 'Memload', why => 'no swap' }],
        'a load that is left out is reported with the reason';
    is_deeply [
        @$data{qw(program schema started loops_per_ms calibration_spread cpus missing_privileges responsiveness_wps)}
        ],
        ['interbench', 1, '2023-11-14T22:13:20Z', 3_456_789, undef, 2, '', undef], 'facts about the run are reported';
    is_deeply [@{ $data->{options} }{qw(mode duration_s warmup_s policy seed repeats copies fixed burn)}],
        ['matrix', 2.5, 1, 'skip', 42, 1, 1, JSON::PP::false, 'work'], 'the options of the run are reported';
    is_deeply [@{ $data->{options} }{qw(task_nice load_nice pinned pin_cpu load_threads comment max_memory_bytes)}],
        [0, 0, JSON::PP::false, undef, undef, undef, undef], 'options that were not given have their defaults or undef';
};

subtest 'JSON with other options' => sub {
    my $data = json_of(
        'option mode 1',
        'option policy 1',
        'option fixed 1',
        'option cpu_time 1',
        'option task_nice 5',
        'option load_nice -10',
        'option pinned 1',
        'option pin_cpu 0',
        'report spread 0',
        'text missing mlock',
        'option repeats 3',
        'option load_threads 7',
        'option max_disk 4294967296',
        'option max_memory 1048576',
        'text load_command make -j "2"',
        row('Probe Burn', {}, ['staleness', 100_000, 1000])
    );
    is_deeply [@{ $data->{options} }{qw(mode policy fixed burn task_nice load_nice pinned pin_cpu repeats load_threads)}
        ],
        ['mix', 'catchup', JSON::PP::true, 'cputime', 5, -10, JSON::PP::true, 0, 3, 7],
        'the options that were given are reported';
    is_deeply [@{ $data->{options} }{qw(max_disk_bytes max_memory_bytes load_command)}],
        [4_294_967_296, 1_048_576, 'make -j "2"'], 'limits and the load command are reported';
    is_deeply [@$data{qw(calibration_spread missing_privileges responsiveness_wps)}], [0, 'mlock', 10_000],
        'the mix has a responsiveness';
};

subtest 'JSON with any text' => sub {
    my @CASES = (
        ["a\tb \"c\" \\d /e",                      "a\tb \"c\" \\d /e"],
        ["\x01\x1f\x7f",                           "\x01\x1f\x7f"],
        ["\xc3\xa4 \xe2\x82\xac \xf0\x9f\x90\xa7", "\x{e4} \x{20ac} \x{1f427}"],
        ["\xff",             '\xff',             'a byte that is not UTF-8 is escaped'],
        ["a\xc3",            'a\xc3',            'a truncated character is escaped'],
        ["\xe2\x82 x",       '\xe2\x82 x',       'a character with a byte missing is escaped'],
        ["\xc0\xaf",         '\xc0\xaf',         'an overlong encoding of two bytes is escaped'],
        ["\xe0\x80\xaf",     '\xe0\x80\xaf',     'an overlong encoding of three bytes is escaped'],
        ["\xed\xa0\x80",     '\xed\xa0\x80',     'a surrogate is escaped'],
        ["\xf4\x90\x80\x80", '\xf4\x90\x80\x80', 'a code after the last character is escaped'],
        ["\xf5\x80\x80\x80", '\xf5\x80\x80\x80', 'a code far after the last character is escaped'],
        ["\x80",             '\x80',             'a byte without a first byte is escaped'],
        ['\u0041 %s %n',     '\u0041 %s %n'],
    );
    for my $case (@CASES) {
        my ($bytes, $text, $name) = @$case;
        my $data = json_of("text comment $bytes", "fact cpu $bytes", "left_out Net $bytes");
        is_deeply [$data->{options}{comment}, $data->{machine}{cpu}, $data->{left_out}[0]{why}], [($text) x 3],
            $name || 'valid text is kept';
    }
};

my $data = json_of();
is_deeply [@$data{qw(rows machine left_out)}], [[], {}, []],
    'an empty report has no rows, no facts and no loads left out';

# Takes a row of the JSON; returns it with the names and values of the CSV.
sub flat {
    my ($row) = @_;
    my %flat;
    for my $key (keys %$row) {
        my $value = $row->{$key};
        my ($group, $unit) = $key =~ /\A(.*?)((?:_us|_percent)?)\z/;
        if (ref $value eq 'HASH') {
            my @names = keys %$value;
            @flat{ map { "${group}_$_$unit" } @names } = map { defined ? $_ : '' } @$value{@names};
        }
        else { $flat{$key} = !defined $value ? '' : ref $value ? 0 + $value : $value }
    }
    return \%flat;
}

subtest 'CSV' => sub {
    my ($heading, @lines) = printed('csv', @ROWS);
    my @names = split /,/, $heading;
    my $rows  = json_of(@ROWS)->{rows};
    is scalar(@lines), @$rows, 'the CSV has a line for each row';
    for my $i (0 .. $#lines) {
        my %values;
        my @fields = split /,/, $lines[$i], -1;
        is scalar(@fields), @names, 'each line has as many fields as the heading has names';
        @values{@names} = @fields;
        is_deeply \%values, flat($rows->[$i]), "$values{task} under $values{load}: CSV and JSON agree";
    }
    is_deeply [@names[0 .. 4, -1]], [qw(task load streams repeats frames noisy)],
        'the first five names and the last one';
    my @least = printed('csv');
    is_deeply \@least, [$heading], 'a CSV without rows has its heading';
};

done_testing;
