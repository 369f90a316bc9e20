use strict;
use warnings;

use Test::More;

BEGIN { $ENV{TZ} = 'UTC' }

use UnixBench::Base::Time
    qw(clock_time duration_in_brief duration_in_words duration_s english_date),
    qw(iso_date iso_time limit_in_brief time_of_date);

is(english_date(1_795_140_750, 0), 'Fri Nov 20 2026', 'english_date prints the date in English');
is(clock_time(1_795_140_750, 0),   '02:12:30',        'clock_time prints the time of day');
is(
    english_date(1_795_140_750, -9000) . q{ } . clock_time(1_795_140_750, -9000),
    'Thu Nov 19 2026 23:42:30',
    'date and time follow the UTC offset'
);
is(iso_time(1_795_140_750, 0),      '2026-11-20T02:12:30+00:00', 'iso_time prints date and time');
is(iso_time(1_795_140_750, -9000),  '2026-11-19T23:42:30-02:30', 'iso_time prints an offset west of Greenwich');
is(iso_time(1_795_140_750, 20_700), '2026-11-20T07:57:30+05:45', 'iso_time prints the offset of Nepal');
my %SECONDS = (
    '90'          => 90,
    '0.5s'        => 0.5,
    '5m'          => 300,
    '1.5h'        => 5400,
    '7d'          => 604_800,
    '0.000000001' => 1e-9,
);
is(duration_s($_), $SECONDS{$_}, "$_ is a duration") for sort keys %SECONDS;

for my $word (q{}, qw(0 0s 0.0d -1 +1 1e3 .5 1. 1w 1D s 1dd 1000000000), '1 d', "1d\n", ' 1', "1\x{0663}") {
    my @seconds = duration_s($word);
    is_deeply(\@seconds, [], 'not a duration: ' . ($word =~ s/[^ -~]/?/gr));
}

my @IN_WORDS = (
    0         => '0 seconds',
    1         => '1 second',
    60        => '1 minute',
    3600      => '1 hour',
    86_400    => '1 day',
    8_640_000 => '100 days',
);
while (my ($seconds, $words) = splice @IN_WORDS, 0, 2) {
    is(duration_in_words($seconds), $words, "$seconds s in words");
}

subtest 'durations in brief' => sub {
    my %words = (
        0    => '0 s',
        45.4 => '45 s',
        100  => '2 min',
        1680 => '28 min',
        3599 => '1 h',
        3900 => '1 h 5 min',
        7170 => '2 h'
    );
    is(duration_in_brief($_), $words{$_}, "$_ seconds") for sort { $a <=> $b } keys %words;
    is(limit_in_brief(120),   '2 min',    'a limit in minutes');
    is(limit_in_brief(150),   '150 s',    'a limit in seconds, as minutes would be rounded');
    is(limit_in_brief(90.5),  '90.5 s',   'a limit with a fraction');
};

subtest 'the time of a date' => sub {
    my %seconds = (
        'Mon Jun 25 2018 20:54:19'    => 1_529_960_059,
        'Mon, June 25, 2018 20:54:19' => 1_529_960_059,
        '2018-06-25T20:54:19'         => 1_529_960_059,
    );
    is(scalar time_of_date($_),                 $seconds{$_},                $_) for sort keys %seconds;
    is(iso_date('Mon, June 25, 2018 20:25:47'), '2018-06-25T20:25:47',       'ISO 8601, without a zone');
    is(iso_date('2026-11-20T02:12:30+01:00'),   '2026-11-20T02:12:30+01:00', 'ISO 8601 stays');
    for my $text (q{}, 'Mon Feb 30 2018 10:00:00', '2018-13-01 10:00:00', 'lun juin 25 2018 10:00:00', '2018-06-25') {
        is(scalar iso_date($text),     undef, "no ISO 8601: $text");
        is(scalar time_of_date($text), undef, "not a date with a time: $text");
    }
};

done_testing();
