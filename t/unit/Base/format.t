use strict;
use warnings;

use Test::More;

BEGIN { $ENV{TZ} = 'UTC' }

use UnixBench::Base::Format qw(
    clean clock_time counted defused english_date fixed full_precision iso_time listed percent right_edge shown
    significant
);

is(fixed(78132483.44),               '78132483.4',        'fixed prints one decimal');
is(fixed(0),                         '0.0',               'fixed prints 0 with one decimal');
is(fixed(1.25e14),                   '125000000000000.0', 'fixed prints large numbers without an exponent');
is(full_precision(8188.34084738901), '8188.34084738901',  'full_precision prints 15 significant digits');
is(full_precision(30.0029255),       '30.0029255',        'full_precision prints no needless digits');

my @significant = (
    [2.9244,  2, '2.9'],
    [1.9844,  2, '2.0'],
    [9.96,    2, '10'],
    [123.4,   2, '123'],
    [0.04567, 3, '0.0457'],
    [0,       2, '0'],
    [1e20,    3, '1e+20'],
    [0.9999,  3, '1.00'],
    [1e-9,    2, '1e-09'],
    [0.995,   2, '0.99'],
    [2999.96, 4, '3000']
);
is(significant(@$_[0, 1]), $_->[2], "significant: $_->[0] with $_->[1] digits") for @significant;

is(counted(1, 'copy', 'copies'), '1 copy',   'counted uses the singular for 1');
is(counted(2, 'copy', 'copies'), '2 copies', 'counted uses the plural for 2');
is(counted(0, 'CPU',  'CPUs'),   '0 CPUs',   'counted uses the plural for 0');

is(english_date(1_795_140_750, 0), 'Fri Nov 20 2026', 'english_date prints the date in English');
is(english_date(86_400 * 4,    0), 'Mon Jan 05 1970', 'english_date prints the day of the month with two digits');
is(clock_time(1_795_140_750, 0), '02:12:30', 'clock_time prints the time of day');
is(
    english_date(1_795_140_750, -9000) . q{ } . clock_time(1_795_140_750, -9000),
    'Thu Nov 19 2026 23:42:30',
    'date and time follow the UTC offset'
);
is(iso_time(1_795_140_750, 0),      '2026-11-20T02:12:30+00:00', 'iso_time prints date and time');
is(iso_time(1_795_140_750, -9000),  '2026-11-19T23:42:30-02:30', 'iso_time prints an offset west of Greenwich');
is(iso_time(1_795_140_750, 20_700), '2026-11-20T07:57:30+05:45', 'iso_time prints the offset of Nepal');
{
    require POSIX;
    local $ENV{LC_ALL} = 'de_DE.utf8';
    my $before = POSIX::setlocale(POSIX::LC_ALL(), '');
    is(english_date(1_795_140_750, 0), 'Fri Nov 20 2026', 'english_date prints English in every locale');
    is(fixed(1.5),                     '1.5',             'fixed prints a decimal point in every locale');
    POSIX::setlocale(POSIX::LC_ALL(), 'C');
}

my %PERCENT = (0 => '0 %', 0.01 => '1 %', 0.01234 => '1.2 %', 0.5 => '50 %', 0.997 => '100 %', 3.14159 => '314 %');
is(percent($_), $PERCENT{$_}, "percent: $PERCENT{$_}") for sort keys %PERCENT;
is(percent(0.0125,   4), '1.25 %',  'percent prints as many digits as it is asked for');
is(percent(0.012344, 4), '1.234 %', 'percent prints no more digits than it is asked for');

my %listed = (
    'none'                   => [],
    'A'                      => ['A'],
    'A and B'                => [qw(A B)],
    'A, B and C'             => [qw(A B C)],
    'A, B, C and 1 other'    => [qw(A B C D)],
    'A, B, C and 997 others' => ['A', 'B', 'C', (q{}) x 997],
);
is(listed(@{ $listed{$_} }), $_, "listed: $_") for sort keys %listed;

is(right_edge('abc', '1.0',    10), 'abc    1.0',  'right_edge: the value ends in the given column');
is(right_edge('abc', '12345',  10), 'abc  12345',  'right_edge: two blanks separate title and value');
is(right_edge('abc', '123456', 10), 'abc  123456', 'right_edge: a longer value moves right, to keep two blanks');
is(length right_edge('x' x 60, '1', 53), 63, 'right_edge: a title beyond the column stays whole');

my @clean = (
    [undef,                  '',                     'undef'],
    ['plain text',           'plain text',           'plain text'],
    ['trailing  ',           'trailing',             'trailing blanks'],
    ["a\tb\r\nc\n",          'a\tb\r\nc\n',          'tab and newline'],
    ["\e[31m\0\x7f",         '\x1b[31m\x00\x7f',     'control characters'],
    ["caf\xc3\xa9",          "caf\xc3\xa9",          'valid UTF-8'],
    ["caf\xe9!",             'caf\xe9!',             'a byte that is not UTF-8'],
    ["\xc3",                 '\xc3',                 'an incomplete character'],
    ["\xc0\xaf",             '\xc0\xaf',             'an overlong form'],
    ["\xed\xa0\x80",         '\xed\xa0\x80',         'a surrogate'],
    ["\xf4\x90\x80\x80",     '\xf4\x90\x80\x80',     'a code point beyond Unicode'],
    ["\xc2\x85\xe2\x80\xae", '\x{85}\x{202e}',       'invisible characters'],
    ["\xef\xbf\xbe",         '\x{fffe}',             'a noncharacter'],
    ["\x{e9}\x{4e2d}",       "\xc3\xa9\xe4\xb8\xad", 'characters become UTF-8 bytes'],
);

for my $case (@clean) {
    my ($dirty, $expected, $what) = @{$case};
    is(clean($dirty),        $expected, "clean: $what");
    is(clean(clean($dirty)), $expected, "clean twice: $what");
}
is(length clean("\xc3\xa9" x 500_000), 1_000_000, 'clean: a megabyte stays whole');

is(shown(undef),                 '',                     'shown: undef is an empty text');
is(shown("a\nb"),                'a\nb',                 'shown: a newline is escaped');
is(shown('x' x 60),              'x' x 60,               'shown: 60 bytes stay whole');
is(shown('x' x 1_000_000),       'x' x 60 . '...',       'shown: a longer text is cut');
is(shown('x' x 59 . "\xc3\xa9"), 'x' x 59 . '...',       'shown: no character is cut in two');
is(shown("\xff" x 60),           '\xff' x 29 . '...',    'shown: a text of escaped bytes is cut earlier');
is(shown("\x{e9}\x{4e2d}"),      "\xc3\xa9\xe4\xb8\xad", 'shown: characters become UTF-8 bytes');

is(defused('alps 1 lps', 'lps'), 'alp\x73 1 lp\x73', 'defused breaks a phrase wherever it occurs');
is(defused('2 of tests (x)', '(x)', 'of tests'), '2 of test\x73 (x\x29', 'defused breaks several phrases');
unlike(defused('-' x 300, '-' x 71), qr/-{71}/, 'defused breaks a long rule');

subtest 'cut shortens a text to a number of bytes' => sub {
    is(UnixBench::Base::Format::cut("a\tb",     10),   'a\\tb',    'a short text is cleaned');
    is(UnixBench::Base::Format::cut('x' x 1000, 1000), 'x' x 1000, 'a text of exactly that length stays whole');
    my $cut = UnixBench::Base::Format::cut('<' . "\xc3\xa9" x 50_000 . '>', 1000);
    cmp_ok(length $cut, '<=', 1000, 'a longer text is cut to that length');
    like($cut, qr/\A<(?:\xc3\xa9)+[.]{3}(?:\xc3\xa9)+>\z/, 'the start and the end are kept, in whole characters');
};

subtest 'grouped groups the digits of large numbers' => sub {
    my %grouped = map { $_ => UnixBench::Base::Format::grouped($_) } '48194208', '9999', '10000 to 20000.5', 'x12345';
    is_deeply(
        \%grouped,
        {
            '48194208'         => '48,194,208',
            '9999'             => '9999',
            '10000 to 20000.5' => '10,000 to 20,000.5',
            'x12345'           => 'x12345'
        },
        'numbers of five digits or more, but no names'
    );
};

subtest 'disarmed escapes commands to a terminal' => sub {
    my $usual = "a b \n\tc \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xe9\n";
    is(UnixBench::Base::Format::disarmed($usual), $usual, 'ordinary text stays as it is');
    is(
        UnixBench::Base::Format::disarmed("\e[m\r\0\x7f\xc2\x9b\x9b"),
        '\x1b[m\x0d\x00\x7f\x{9b}\x9b',
        'control characters are escaped'
    );
};

done_testing();
