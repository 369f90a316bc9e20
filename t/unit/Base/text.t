use strict;
use warnings;

use Test::More;

use UnixBench::Base::Text qw(clean counted cut defused disarmed fitted listed nearest shown unique);

is(counted(1, 'copy', 'copies'), '1 copy',   'counted uses the singular for 1');
is(counted(2, 'copy', 'copies'), '2 copies', 'counted uses the plural for 2');

my $reason = '8 of 8 passes were disturbed (other load, above all yes), steal 3 %, and more';
my @forms  = ('8 of 8 passes were disturbed (other load, above all yes)', '8 of 8 passes were disturbed');
is(fitted(length $_, $reason), $_, "fitted: $_") for $reason, @forms;

my %listed = (
    'A and B'                => [qw(A B)],
    'A, B and C'             => [qw(A B C)],
    'A, B, C and 1 other'    => [qw(A B C D)],
    'A, B, C and 997 others' => ['A', 'B', 'C', (q{}) x 997],
);
is(listed(@{ $listed{$_} }), $_, "listed: $_") for sort keys %listed;

is_deeply([unique(qw(b a b c a))], [qw(b a c)], 'unique: in the order of appearance');
is(scalar unique(qw(a a)), 1, 'unique: their number');

my @clean = (
    [undef,                  '',                     'undef'],
    ['trailing  ',           'trailing',             'trailing blanks'],
    ["a\tb\r\nc\n",          'a\tb\r\nc\n',          'tab and newline'],
    ["\e[31m\0\x7f",         '\x1b[31m\x00\x7f',     'control characters'],
    ["caf\xc3\xa9",          "caf\xc3\xa9",          'valid UTF-8'],
    ["caf\xe9!",             'caf\xe9!',             'a byte that is not UTF-8'],
    ["\xf4\x90\x80\x80",     '\xf4\x90\x80\x80',     'a code point beyond Unicode'],
    ["\xc2\x85\xe2\x80\xae", '\x{85}\x{202e}',       'invisible characters'],
    ["\x{e9}\x{4e2d}",       "\xc3\xa9\xe4\xb8\xad", 'characters become UTF-8 bytes'],
);

for my $case (@clean) {
    my ($dirty, $expected, $what) = @{$case};
    is(clean($dirty),        $expected, "clean: $what");
    is(clean(clean($dirty)), $expected, "clean twice: $what");
}
is(length clean("\xc3\xa9" x 500_000), 1_000_000, 'clean: a megabyte stays whole');

is(shown(undef),                 '',                  'shown: undef is an empty text');
is(shown("a\nb"),                'a\nb',              'shown: a newline is escaped');
is(shown('x' x 1_000_000),       'x' x 60 . '...',    'shown: a longer text is cut');
is(shown('x' x 59 . "\xc3\xa9"), 'x' x 59 . '...',    'shown: no character is cut in two');
is(shown("\xff" x 60),           '\xff' x 29 . '...', 'shown: a text of escaped bytes is cut earlier');

is(defused('alps 1 lps', 'lps'), 'alp\x73 1 lp\x73', 'defused breaks a phrase wherever it occurs');
is(defused('2 of tests (x)', '(x)', 'of tests'), '2 of test\x73 (x\x29', 'defused breaks several phrases');

subtest 'cut shortens a text to a number of bytes' => sub {
    is(cut("a\tb",     10),   'a\\tb',    'a short text is cleaned');
    is(cut('x' x 1000, 1000), 'x' x 1000, 'a text of exactly that length stays whole');
    my $cut = cut('<' . "\xc3\xa9" x 50_000 . '>', 1000);
    cmp_ok(length $cut, '<=', 1000, 'a longer text is cut to that length');
    like($cut, qr/\A<(?:\xc3\xa9)+[.]{3}(?:\xc3\xa9)+>\z/, 'the start and the end are kept, in whole characters');
};

subtest 'disarmed escapes commands to a terminal' => sub {
    my $usual = "a b \n\tc \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xe9\n";
    is(disarmed($usual),                     $usual,                       'ordinary text stays as it is');
    is(disarmed("\e[m\r\0\x7f\xc2\x9b\x9b"), '\x1b[m\r\x00\x7f\x{9b}\x9b', 'control characters are escaped');
    is(disarmed("\xe2\x80\xae\xe2\x80\x8b"), '\x{202e}\x{200b}',           'invisible characters, too');
};

my @KNOWN = qw(pipe syscall quick max-time pips C);

# [misspelt name, the known name that is found, or undef].
my @SIMILAR = (
    ['pipe'     => 'pipe',     'a known name'],
    ['qick'     => 'quick',    'a letter is missing'],
    ['quiick'   => 'quick',    'a letter is added'],
    ['quikc'    => 'quick',    'two neighbours are exchanged'],
    ['quaok'    => undef,      'two of five letters differ'],
    ['max_tine' => 'max-time', 'two of eight letters differ'],
    ['pipx'     => 'pipe',     'two known names are equally similar: the first is found'],
    [q{}        => undef,      'an empty name'],
    ['max'      => 'max-time', 'the beginning of one'],
    ['pip'      => 'pipe',     'the beginning of two'],
);

for my $case (@SIMILAR) {
    my ($wrong, $found, $what) = @$case;
    is(nearest($wrong, @KNOWN), $found, "$what: $wrong");
}

is(nearest('pipe'), undef, 'without known names, none is found');
my $long = 'x' x 40;
is(nearest("${long}x", "${long}x"), undef,      'a name of 41 characters is not compared');
is(nearest($long,      "${long}x"), "${long}x", 'a name of 40 characters is compared');

done_testing();
