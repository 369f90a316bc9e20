use strict;
use warnings;

use Test::More;

BEGIN { $ENV{TZ} = 'UTC' }

use UnixBench::Base::Format qw(
    clean clock_time counted defused english_date fixed full_precision iso_time listed percent right_edge shown
    significant
);

is(fixed(78132483.44),               '78132483.4',        'one decimal');
is(fixed(0),                         '0.0',               'zero has a decimal too');
is(fixed(1.25e14),                   '125000000000000.0', 'no exponent');
is(full_precision(8188.34084738901), '8188.34084738901',  '15 significant digits');
is(full_precision(30.0029255),       '30.0029255',        'no digits that say nothing');

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
is(significant(@$_[0, 1]), $_->[2], "$_->[0] with $_->[1] digits") for @significant;

is(counted(1, 'copy', 'copies'), '1 copy',   'one');
is(counted(2, 'copy', 'copies'), '2 copies', 'several');
is(counted(0, 'CPU',  'CPUs'),   '0 CPUs',   'none');

is(english_date(1_795_140_750, 0), 'Fri Nov 20 2026', 'date in English');
is(english_date(86_400 * 4,    0), 'Mon Jan 05 1970', 'day of the month has two digits');
is(clock_time(1_795_140_750, 0), '02:12:30', 'time of day');
is(
    english_date(1_795_140_750, -9000) . q{ } . clock_time(1_795_140_750, -9000),
    'Thu Nov 19 2026 23:42:30',
    'of another zone'
);
is(iso_time(1_795_140_750, 0),      '2026-11-20T02:12:30+00:00', 'date and time');
is(iso_time(1_795_140_750, -9000),  '2026-11-19T23:42:30-02:30', 'west of Greenwich');
is(iso_time(1_795_140_750, 20_700), '2026-11-20T07:57:30+05:45', 'in Nepal');
{
    require POSIX;
    local $ENV{LC_ALL} = 'de_DE.utf8';
    my $before = POSIX::setlocale(POSIX::LC_ALL(), '');
    is(english_date(1_795_140_750, 0), 'Fri Nov 20 2026', 'whatever the locale');
    is(fixed(1.5),                     '1.5',             'decimal point, whatever the locale');
    POSIX::setlocale(POSIX::LC_ALL(), 'C');
}

my %PERCENT = (0 => '0 %', 0.01 => '1 %', 0.01234 => '1.2 %', 0.5 => '50 %', 0.997 => '100 %', 3.14159 => '314 %');
is(percent($_), $PERCENT{$_}, "percent: $PERCENT{$_}") for sort keys %PERCENT;
is(percent(0.0125,   4), '1.25 %',  'more digits');
is(percent(0.012344, 4), '1.234 %', 'but no more than those');

my %listed = (
    'none'                   => [],
    'A'                      => ['A'],
    'A and B'                => [qw(A B)],
    'A, B and C'             => [qw(A B C)],
    'A, B, C and 1 other'    => [qw(A B C D)],
    'A, B, C and 997 others' => ['A', 'B', 'C', (q{}) x 997],
);
is(listed(@{ $listed{$_} }), $_, "names: $_") for sort keys %listed;

is(right_edge('abc', '1.0',    10), 'abc    1.0',  'right edge in the column');
is(right_edge('abc', '12345',  10), 'abc  12345',  'two blanks');
is(right_edge('abc', '123456', 10), 'abc  123456', 'two blanks come before the column');
is(length right_edge('x' x 60, '1', 53), 63, 'a title beyond the column');

my @clean = (
    [undef,                  '',                     'nothing'],
    ['plain text',           'plain text',           'plain text'],
    ['trailing  ',           'trailing',             'trailing blanks'],
    ["a\tb\r\nc\n",          'a\tb\r\nc\n',          'tab and newline'],
    ["\e[31m\0\x7f",         '\x1b[31m\x00\x7f',     'controls'],
    ["caf\xc3\xa9",          "caf\xc3\xa9",          'valid UTF-8'],
    ["caf\xe9!",             'caf\xe9!',             'a byte that is no UTF-8'],
    ["\xc3",                 '\xc3',                 'a cut character'],
    ["\xc0\xaf",             '\xc0\xaf',             'an overlong form'],
    ["\xed\xa0\x80",         '\xed\xa0\x80',         'a surrogate'],
    ["\xf4\x90\x80\x80",     '\xf4\x90\x80\x80',     'beyond Unicode'],
    ["\xc2\x85\xe2\x80\xae", '\x{85}\x{202e}',       'invisible characters'],
    ["\xef\xbf\xbe",         '\x{fffe}',             'a noncharacter'],
    ["\x{e9}\x{4e2d}",       "\xc3\xa9\xe4\xb8\xad", 'characters come out as bytes'],
);

for my $case (@clean) {
    my ($dirty, $expected, $what) = @{$case};
    is(clean($dirty),        $expected, "clean: $what");
    is(clean(clean($dirty)), $expected, "clean twice: $what");
}
is(length clean("\xc3\xa9" x 500_000), 1_000_000, 'clean: a megabyte');

is(shown(undef),                 '',                     'shown: nothing');
is(shown("a\nb"),                'a\nb',                 'shown: on one line');
is(shown('x' x 60),              'x' x 60,               'shown: as long as it may be');
is(shown('x' x 1_000_000),       'x' x 60 . '...',       'shown: cut');
is(shown('x' x 59 . "\xc3\xa9"), 'x' x 59 . '...',       'shown: not cut within a character');
is(shown("\xff" x 60),           '\xff' x 29 . '...',    'shown: bytes');
is(shown("\x{e9}\x{4e2d}"),      "\xc3\xa9\xe4\xb8\xad", 'shown: characters');

is(defused('alps 1 lps', 'lps'), 'alp\x73 1 lp\x73', 'a phrase is broken wherever it stands');
is(defused('2 of tests (x)', '(x)', 'of tests'), '2 of test\x73 (x\x29', 'several phrases');
unlike(defused('-' x 300, '-' x 71), qr/-{71}/, 'rules');

subtest 'cut' => sub {
    is(UnixBench::Base::Format::cut("a\tb",     10),   'a\\tb',    'a short text is cleaned');
    is(UnixBench::Base::Format::cut('x' x 1000, 1000), 'x' x 1000, 'all that has room');
    my $cut = UnixBench::Base::Format::cut('<' . "\xc3\xa9" x 50_000 . '>', 1000);
    cmp_ok(length $cut, '<=', 1000, 'a long one has no more bytes than that');
    like($cut, qr/\A<(?:\xc3\xa9)+[.]{3}(?:\xc3\xa9)+>\z/, 'start and end, of whole characters');
};

subtest 'disarmed' => sub {
    my $usual = "a b \n\tc \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xe9\n";
    is(UnixBench::Base::Format::disarmed($usual), $usual, 'usual texts stay');
    is(UnixBench::Base::Format::disarmed("\e[m\r\0\x7f\xc2\x9b\x9b"), '\x1b[m\x0d\x00\x7f\x{9b}\x9b',
        'commands do not');
};

done_testing();
