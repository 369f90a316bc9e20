use strict;
use warnings;

use Test::More;

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Text      qw(
    clean counted cut defused disarmed fitted fixed full_precision grouped listed nearest percent shown significant
    unique
);
use UnixBench::Base::Shape;
use UnixBench::Base::Result;

# Tests of named arguments: constructors take them, and refuse those that they do not know.

{

    package Known;

    sub new {
        my ($class, @given) = @_;
        return bless UnixBench::Base::Arguments::named(\@given, qw(clock limit_s)), $class;
    }
}

is_deeply({ %{ Known->new(limit_s => 3) } }, { limit_s => 3 }, 'an argument that is not given has no key');
is_deeply({ %{ Known->new(clock   => undef, limit_s => 0) } }, { clock => undef, limit_s => 0 }, 'values are kept');
my $line = __LINE__ + 2;
is(
    eval { Known->new(limit_s => 3, colour => 'red') } // $@,
    "Known: there is no argument colour ($0, line $line)\n",
    'the error names the unknown argument and the place of the call'
);
like(eval { Known->new('clock') } // $@, qr/\AKnown: an argument has no value/, 'a name without a value is refused');

subtest 'every constructor refuses an argument that it does not know' => sub {
    for my $class (map { s{\Alib/|[.]pm\z}{}gr =~ s{/}{::}gr } split /\n/, qx(grep -rl '^sub new ' lib)) {
        my $is_loaded = eval "require $class; 1";    ## no critic (ProhibitStringyEval)
        ok($is_loaded, "$class loads") or diag $@;
        my $made = eval { $class->new(no_such_argument => 1) };
        like($@, qr/: there is no argument no_such_argument\b/, "$class->new refuses an unknown argument");
    }
};

is(fixed(78132483.44),               '78132483.4',        'fixed prints one decimal');
is(fixed(1.25e14),                   '125000000000000.0', 'fixed prints large numbers without an exponent');
is(full_precision(8188.34084738901), '8188.34084738901',  'full_precision prints 15 significant digits');

my @significant = (
    [2.9244,  2, '2.9'],
    [1.9844,  2, '2.0'],
    [0.04567, 3, '0.0457'],
    [0,       2, '0'],
    [1e20,    3, '1e+20'],
    [0.9999,  3, '1.00'],
    [2999.96, 4, '3000']
);
is(significant(@$_[0, 1]), $_->[2], "significant: $_->[0] with $_->[1] digits") for @significant;

{
    require POSIX;
    local $ENV{LC_ALL} = 'de_DE.utf8';
    my $before = POSIX::setlocale(POSIX::LC_ALL(), '');
    is(fixed(1.5), '1.5', 'fixed prints a decimal point in every locale');
    POSIX::setlocale(POSIX::LC_ALL(), 'C');
}

my %PERCENT = (0 => '0 %', 0.01 => '1 %', 0.01234 => '1.2 %', 0.5 => '50 %', 0.997 => '100 %', 3.14159 => '314 %');
is(percent($_), $PERCENT{$_}, "percent: $PERCENT{$_}") for sort keys %PERCENT;
is(percent(0.0125,   4), '1.25 %',  'percent prints as many digits as it is asked for');
is(percent(0.012344, 4), '1.234 %', 'percent prints no more digits than it is asked for');

subtest 'grouped groups the digits of large numbers' => sub {
    my %grouped = map { $_ => grouped($_) } '48194208', '9999', '10000 to 20000.5', 'x12345';
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

my %SHAPE =
    (name => 'text', count => 'whole', 'note?' => 'text', list => [{ at => 'number' }], more => { '*' => 'text' });

# [keys changed in data of that shape, the difference that is reported or undef].
my @CASES = (
    [{}, undef],
    [{ note  => undef },                undef],
    [{ list  => [{ at => '-1.5e3' }] }, undef],
    [{ name  => undef },                'name: not a text'],
    [{ count => 0 },                    'count: not a whole number from 1'],
    [{ count => '1.5' },                'count: not a whole number from 1'],
    [{ list  => {} },                   'list: not a list'],
    [{ list  => [{ at => 1 }, 5] },     'list[1]: not an object'],
    [{ list  => [{ at => '9e999' }] },  'list[0].at: not a number'],
    [{ list  => [{}] },                 'list[0]: at is missing'],
    [{ more  => { a => {} } },          'more.a: not a text'],
    [{ other => 1 },                    'unknown key other'],
);

for my $case (@CASES) {
    my ($changed, $difference) = @$case;
    my %data = (name => 'x', count => 3, list => [], more => {}, %$changed);
    is(UnixBench::Base::Shape::difference(\%data, \%SHAPE), $difference, $difference // 'data of that shape fits');
}
is(UnixBench::Base::Shape::difference(undef, {}), 'not an object', 'undef is not an object');
is(UnixBench::Base::Shape::difference(5,     []), 'not a list',    'a number is not a list');

my %KINDS = (
    number   => [[qw(0 -1 1.5 2e-7)],     ['', '1.', '.5', '+1', 'inf', "1\n", '0x1'], 'a number'],
    moment   => [[qw(0 -1 1795140750.5)], [qw(1e11 -1e300)],                           'a time in seconds'],
    unsigned => [[qw(0 1.5)],             [qw(-1 -1e-9)],                              'a number from 0'],
    positive => [[qw(1 1e-150 1e150)],    [qw(0 0.0 -1 1e-320 1e151)],                 'a number from 1e-150 to 1e150'],
    measured => [[qw(1 1e-60 1e60)],      [qw(0 -1 5e-324 1e61)],                      'a number from 1e-60 to 1e60'],
    timebase => [[qw(0 1 60 1e50)],         [qw(-1 1e-51 1e51)],           '0 or a number from 1e-50 to 1e50'],
    boolean  => [[qw(0 1)],                 [qw(2 true), q{}],             'true or false'],
    natural  => [[qw(0 7 999999999999999)], [qw(-1 1e3 1000000000000000)], 'a whole number from 0'],
    whole    => [[qw(1 65536)],             [qw(0 01)],                    'a whole number from 1'],
);
for my $kind (sort keys %KINDS) {
    my ($fit, $misfit, $words) = @{ $KINDS{$kind} };
    is(UnixBench::Base::Shape::difference($_, $kind), undef,        "$_ is of the kind $kind")       for @$fit;
    is(UnixBench::Base::Shape::difference($_, $kind), "not $words", "'$_' is not of the kind $kind") for @$misfit;
}

my $WORD = qr/\A(?:good|bad)\z/;
is(UnixBench::Base::Shape::difference('good',   $WORD), undef,              'a known word fits');
is(UnixBench::Base::Shape::difference("good\n", $WORD), 'not a known word', 'a known word with a newline does not fit');
is(UnixBench::Base::Shape::difference({ is => 'ugly' }, { is => $WORD }), 'is: not a known word', 'the key is named');

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

# Takes the keys and values of a procedure; returns the kinds of its changes, joined by blanks.
sub kinds {
    my (%procedure) = @_;
    return join q{ }, map { $_->{kind} } UnixBench::Base::Result::changes(\%procedure);
}

my %OFFICIAL = (kind => 'official', time_factor => 1, work_factor => 1, baseline => 'official', replacements => []);
is(kinds(%OFFICIAL),                       q{}, 'the official procedure has no change');
is(kinds(),                                q{}, 'unknown values are not changes');
is(kinds(%OFFICIAL, kind => 'quick'),      q{}, 'a quick run is not a change');
is(kinds(%OFFICIAL, display => 'virtual'), q{}, 'a virtual display is not a change');

my %changed = (
    time_factor  => 0.5,
    work_factor  => 2,
    baseline     => 'edited',
    load_change  => { users => [5] },
    replacements => [{ name => 'aa4', by => 'aa' }],
);
is_deeply(
    [UnixBench::Base::Result::changes(\%changed)],
    [
        { kind => 'time_factor', factor => 0.5 },
        { kind => 'work_factor', factor => 2 },
        { kind => 'baseline' },
        { kind => 'load', load => { users => [5] } },
        { kind => 'replacement', name => 'aa4', by => 'aa' },
    ],
    'all changes are listed, in their order'
);

# Takes passes, each a list of the data of its copies; returns a run with one test that has these passes.
sub run_of {
    my @passes = map { { copies => [map { { data => $_ } } @$_] } } @_;
    return { tests => [{ passes => \@passes }] };
}

my @runs = (
    run_of([{ COUNT          => [1, 1, 'lps'] }], [{ 'replaced.aa4' => ['aa'] }, { 'replaced.aa4' => ['aa'] }]),
    run_of([{ 'replaced.b c' => ['d'], 'not.replaced.x' => ['y'] }]),
);
my @replaced = ({ name => 'aa4', by => 'aa' }, { name => 'b c', by => 'd' });
is_deeply([UnixBench::Base::Result::replacements(\@runs)], \@replaced, 'each replacement is listed once');

# Takes a number; returns a pass of that many copies. The rates fall, and some copies are unlike the others.
sub pass_of {
    my ($copies) = @_;
    my @copies = map { +{ pid => $_, count => 1000 - $_, time_s => 10, elapsed_s => 10, data => {} } } 1 .. $copies;
    $copies[2]{data}{'replaced.aa4'} = ['aa'];
    $copies[3]{error}                = 'no';
    $copies[4]{elapsed_s}            = 12;
    $copies[$_]{tracer}              = 'strace' for 5, 6;
    return { copies => \@copies };
}

subtest 'of many copies, some are kept' => sub {
    my ($few, $many) = map { pass_of($_) } 63, 1024;
    UnixBench::Base::Result::sample($_) for $few, $many;
    is_deeply([scalar @{ $few->{copies} }, $few->{all}], [63, undef], 'of fewer, all');
    is_deeply(
        [map { $_->{pid} } @{ $many->{copies} }],
        [1, 3 .. 6, 129, 257, 385, 513, 641, 769, 897, 1024],
        'those at quantiles of the rates, the longest, and the first of each that is unlike others'
    );
    is_deeply($many->{all}, { copies => 1024, elapsed_s => 10_242 }, 'the sums are those of all');
    is(UnixBench::Base::Result::copies_in($_->[0]), $_->[1], "$_->[1] copies") for [$few, 63], [$many, 1024];
};

done_testing;
