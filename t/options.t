use strict;
use warnings;

use Test::More;

use UnixBench::Catalog;
use UnixBench::Options;

# Words of the command line => what differs from the default.
my @ACCEPTED = (
    [q{}                 => {}],
    ['-q'                => { quiet      => 1 }],
    ['-v'                => { verbose    => 1 }],
    ['-q -v'             => { verbose    => 1 }],
    ['-v -q'             => { quiet      => 1 }],
    ['-b -v'             => { brief      => 1, verbose => 1 }],
    ['-i 1'              => { iterations => 1 }],
    ['-i 3 -i 7'         => { iterations => 7 }],
    ['-i 100000'         => { iterations => 100_000 }],
    ['-c 4'              => { copies     => [4] }],
    ['-c 4 -c 1 -c 4'    => { copies     => [4, 1, 4] }],
    ['--help'            => { help       => 1 }],
    ['--version'         => { version    => 1 }],
    ['--list'            => { list       => 1 }],
    ['--dry-run --setup' => { dry_run    => 1, setup => 1 }],
    ['--timeout 90'      => { timeout_s  => 90 }],
    ['--timeout=0.5'     => { timeout_s  => 0.5 }],
    ['pipe'              => { asked      => ['pipe'], tests => ['pipe'] }],
    [
        'pipe -q syscall -c 2 pipe' => {
            quiet  => 1,
            copies => [2],
            asked  => [qw(pipe syscall pipe)],
            tests  => [qw(pipe syscall)]
        }
    ],
    ['dhry dhrystone dhry2reg' => { asked => [qw(dhry dhrystone dhry2reg)], tests => ['dhry2reg'] }],
    ['shell8 shell'            => { asked => [qw(shell8 shell)],            tests => [qw(shell8 shell1 shell16)] }],
);

# Words => the first line of the error; q{""} stands for an empty word.
my @REFUSED = (
    ['-x'                => 'unknown option -x'],
    ['--quiet'           => 'unknown option --quiet'],
    ['--'                => 'unknown option --'],
    ['-qv'               => 'unknown option -qv'],
    ['-c4'               => 'unknown option -c4'],
    ['pipe --nonsense=5' => 'unknown option --nonsense'],
    ["--\e[31mred"       => 'unknown option --\\x1b[31mred'],
    ['--help=yes'        => 'option --help takes no value'],
    ['-i'                => 'option -i needs a value; see ./Run --help'],
    ['-c'                => 'option -c needs a value; see ./Run --help'],
    ['pipe -c'           => 'option -c needs a value; see ./Run --help'],
    ['--timeout'         => 'option --timeout needs a value; see ./Run --help'],
    (
        map { ["-i $_" => qq{option -i needs a whole number from 1 to 100000, not "$_"}] }
            qw(0 x -1 +1 1.5 1e2 0x5 00 100001 99999999999999999999 -c)
    ),
    (map { ["-c $_" => qq{option -c needs a whole number from 1 to 65536, not "$_"}] } qw(0 -1 x 65537 1.0 pipe)),
    ['-c ""' => 'option -c needs a whole number from 1 to 65536, not ""'],
    (
        map { ["--timeout=$_" => qq{option --timeout needs seconds, above 0 and at most 1000000, not "$_"}] }
            qw(0 0.0 -1 x 1e3 inf nan 1000001),
        q{}
    ),
    ['pips'                 => 'unknown test "pips"'],
    ['pipe nothing-like-it' => 'unknown test "nothing-like-it"'],
    ['""'                   => 'unknown test ""'],
    ['-'                    => 'unknown test "-"'],
    ['2D-RECTS!'            => 'unknown test "2D-RECTS!"'],
);

my %DEFAULT = (copies => [], asked => ['index'], tests => [UnixBench::Catalog::expand('index')]);

sub parse {
    return UnixBench::Options::parse(map { $_ eq q{""} ? q{} : $_ } split ' ', $_[0]);
}

for my $case (@ACCEPTED) {
    my ($words, $expected) = @$case;
    is_deeply(parse($words), { %DEFAULT, %$expected }, "./Run $words");
}

for my $case (@REFUSED) {
    my ($words, $error) = @$case;
    is(eval { parse($words) }, undef, 'refused');
    my ($first, @more) = split /\n/, $@;
    is($first, $error, $error);
    cmp_ok(scalar @more, '<=', 1, 'and at most one line more');
    like($@, qr/\n\z/, 'without a place in the program');
}

is(
    eval { UnixBench::Options::parse("a\nb") } // $@,
    "unknown test \"a\\nb\"\nSee ./Run --list for the tests.\n",
    'a line break does not make a line'
);
is(
    eval { UnixBench::Options::parse('-i', "\xc2\x9b31m\xe2\x80\xae") } // $@,
    "option -i needs a whole number from 1 to 100000, not \"\\x{9b}31m\\x{202e}\"\n",
    'nothing that a terminal would obey'
);
is(
    eval { UnixBench::Options::parse('--resume', 'a', "\e[31m\n" . 'x' x 100_000) } // $@,
    'option --resume goes on as the run was begun: leave out \x1b[31m\n' . 'x' x 54 . "...\n",
    'nor in a test beside --resume'
);

subtest 'a name of 100,000 characters' => sub {
    eval { UnixBench::Options::parse('x' x 100_000) };
    cmp_ok(length $@, '<', 200, 'and quoted short');
};

subtest 'the table' => sub {
    for my $option (UnixBench::Options::table()) {
        like($option->{flag}, qr/\A(?:-[a-z]|--[a-z]+(?:-[a-z]+)*)\z/, $option->{flag});
        ok(length $option->{key} && length $option->{text}, 'has a key and a text');
        is(!!$option->{value}, !!$option->{read}, 'a value is checked');
    }
};

done_testing();
