use strict;
use warnings;

use Cwd ();
use Test::More;

use UnixBench::CLI::Options;
use UnixBench::Catalog;

my $HERE = Cwd::getcwd();
my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

# Takes words that set up a load of users, and the options they mean; returns the case for the test multiuser.
sub load_of {
    my ($words, $load) = @_;
    return ["$words multiuser" => { %$load, asked => ['multiuser'], tests => ['multiuser'] }];
}

# [words of the command line, options that differ from the default].
my @ACCEPTED = (
    [q{}                 => {}],
    ['-q'                => { quiet      => 1 }],
    ['-v'                => { verbose    => 1 }],
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
    ['--no-identity --force'   => { no_identity => 1,                       force => 1 }],
    ['--resume a -q'           => { resume      => 'a',                     quiet => 1 }],
    ['--json a/b --html c'     => { json        => "$HERE/a/b",             html  => "$HERE/c" }],
    ['--junit=/a'              => { junit       => '/a' }],
    ['--tap'                   => { tap         => 1,    has_standard_output => 1 }],
    ['--json -'                => { json        => q{-}, has_standard_output => 1 }],
    ['--html=- --json b'       => { html        => q{-}, json                => "$HERE/b", has_standard_output => 1 }],
    ['--json - --json b'       => { json        => "$HERE/b" }],
    ['--report r.json'         => { report      => 'r.json' }],
    ['--observe syscalls'      => { observe     => 'syscalls' }],
    [
        '--rows --observe=syscalls --quick -c 2 --dry-run --setup --json j' => {
            observe => 'syscalls',
            rows    => 1,
            quick   => 1,
            copies  => [2],
            dry_run => 1,
            setup   => 1,
            json    => "$HERE/j"
        }
    ],
    ['--observe sequence --observe syscalls' => { observe => 'syscalls' }],
    (
        map {
            ["--observe sequence $_->[0]" =>
                    { observe => 'sequence', asked => ['syscall'], tests => ['syscall'], %{ $_->[1] } }
            ]
        } [q{}, {}],
        ['-q',      { quiet   => 1 }],
        ['-v',      { verbose => 1 }],
        ['--setup', { setup   => 1 }],
        ['--help',  { help    => 1 }],
    ),
    [
        '--report r -q --tap --html h --junit j --json k --force' => {
            report              => 'r',
            quiet               => 1,
            tap                 => 1,
            has_standard_output => 1,
            force               => 1,
            map { $_->[0] => "$HERE/$_->[1]" } ['html', 'h'], ['junit', 'j'], ['json', 'k']
        }
    ],
    load_of('--users 5'                         => { users => [5] }),
    load_of('--users 20 --users=1 --users 2000' => { users => [20, 1, 2000] }),
    load_of('--think 2-15'          => { think_s       => [2,    15] }),
    load_of('--think=0-0'           => { think_s       => [0,    0] }),
    load_of('--think 0.25-3600.000' => { think_s       => [0.25, '3600.000'] }),
    load_of('--scale 0.000001'      => { scale         => '0.000001' }),
    load_of('--scale 1000'          => { scale         => 1000 }),
    load_of('--script a/b'          => { script        => "$HERE/a/b" }),
    load_of('--script=-'            => { script        => "$HERE/-" }),
    load_of('--find-capacity'       => { find_capacity => 1 }),
    load_of('--limit 1.5 --find-capacity --think 1-2' => { find_capacity => 1, limit => 1.5, think_s => [1, 2] }),
    ['pipe --users 2 multiuser' => { users => [2], asked => [qw(pipe multiuser)], tests => [qw(pipe multiuser)] }],
    [
        '--require index>=1 --require 2:pipe>=0.5*r' => {
            requirements => [
                {
                    text     => 'index>=1',
                    name     => 'index',
                    category => 'system',
                    number   => 1,
                    copies   => undef,
                    file     => undef
                },
                {
                    text     => '2:pipe>=0.5*r',
                    name     => 'pipe',
                    category => undef,
                    number   => 0.5,
                    copies   => 2,
                    file     => 'r'
                },
            ]
        }
    ],
);

# [words with --compare, options that differ from { compare => 1, files => [a, b] }].
my @COMPARING = (
    ['--compare a b'                              => {}],
    ['a --compare b'                              => {}],
    ['a b --compare'                              => {}],
    ['--compare -q a b --force'                   => { quiet      => 1, force => 1 }],
    ['--compare pipe index'                       => { files      => [qw(pipe index)] }],
    ['--compare a b a - /c'                       => { files      => [qw(a b a - /c)] }],
    ['--compare a'                                => { files      => ['a'] }],
    ['--compare --html h a b'                     => { html       => "$HERE/h" }],
    ['--compare --html - a b'                     => { html       => q{-}, has_standard_output => 1 }],
    ['--compare --min-effect=0 a b'               => { min_effect => 0 }],
    ['--compare --min-effect 2 a b'               => { min_effect => 0.02 }],
    ['--compare --min-effect 2% a b'              => { min_effect => 0.02 }],
    ['--compare --min-effect 99.9 a b'            => { min_effect => 0.999 }],
    ['--compare --analysis a'                     => { analysis   => 1, files => ['a'] }],
    ['--compare --analysis a b'                   => { analysis   => 1 }],
    ['--compare a b --analysis --price=1.20,0.85' => { analysis   => 1, prices => ['1.20', 0.85] }],
);

my $PERCENTAGE = 'option --min-effect needs a percentage, from 0 to below 100';
my $NO_RESULTS = 'option --compare needs results: ./Run --compare OLD NEW';

# For each option that selects a mode, the beginning of the error about an option that it does not accept.
my %REASON = (
    compare  => 'option --compare reads existing results: leave out',
    report   => 'option --report reads an existing result: leave out',
    rank     => 'option --rank reads an existing result: leave out',
    resume   => 'option --resume repeats the options of the interrupted run: leave out',
    sequence => 'option --observe sequence traces one program: leave out',
);

# Options that say how to measure; they are accepted only if something is measured.
my @LONE = ('-v', '-b', '-i 2', '-c 1', '--timeout 1', '--setup', '--dry-run', '--no-identity');

# [words, the first line of the error]. The word q{""} stands for an empty word.
my @REFUSED = (
    ['-x'                => 'unknown option -x'],
    ['--quiet'           => 'unknown option --quiet'],
    ['pipe --nonsense=5' => 'unknown option --nonsense'],
    ["--\e[31mred"       => 'unknown option --\\x1b[31mred'],
    ['--list=yes'        => 'option --list takes no value'],
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
    ['pips'                 => 'unknown test "pips"; did you mean pipe?'],
    ['pipe nothing-like-it' => 'unknown test "nothing-like-it"'],
    ['""'                   => 'unknown test ""'],
    ['-'                    => 'unknown test "-"'],
    ['2D-RECTS!'            => 'unknown test "2D-RECTS!"; did you mean 2d-rects?'],
    (map { ["--min-effect=$_ --compare a b" => qq{$PERCENTAGE, not "$_"}] } qw(100 -1 x 1e1 2%% .5 1000), q{}),
    (map { ["$_=" => "option $_ needs the name of a file"] } qw(--json --html --markdown --junit)),
    (map { ["$_=" => "option $_ needs the name of a run or the path of its file"] } qw(--report --resume)),
    (
        map { [$_ => "option $_ needs a value; see ./Run --help"] }
            qw(--json --html --markdown --junit --report --require)
    ),
    ['--doctor --json x pipe' => 'option --doctor writes no report: leave out --json'],
    ['--explain --tap pipe'   => 'option --explain writes no report: leave out --tap'],
    [
        '--require pipe' =>
            'requirement "pipe": there is no ">="; a requirement is [N:]NAME>=NUMBER or [N:]NAME>=NUMBER*RESULT'
    ],
    ['--min-effect 2'            => 'option --min-effect needs --compare'],
    ['--min-effect 2 pipe'       => 'option --min-effect needs --compare'],
    ['--analysis'                => 'option --analysis needs --compare'],
    ['--report r --analysis'     => 'option --analysis needs --compare'],
    ['--compare a b --price 1,2' => 'option --price needs --analysis'],
    (
        map {
            ["--compare a b --analysis --price $_" => qq{option --price needs two prices such as 1.20,0.85, not "$_"}]
        } split(q{ }, q{1 1, ,1 1,2,3 0,1 1,0.0 -1,1 1;2 1e1,1 x,y})
    ),
    (
        map { ["--observe=$_" => qq{option --observe needs syscalls or sequence, not "$_"}] } qw(syscall SYSCALLS s),
        'syscalls,sequence', q{}
    ),
    ['--observe'                     => 'option --observe needs a value; see ./Run --help'],
    ['--rows'                        => 'option --rows needs --observe'],
    ['--rows --compare a b'          => 'option --rows needs --observe'],
    ['--observe syscalls --rows=all' => 'option --rows takes no value'],
    (
        map {
            my $what = $_;
            map { ["--observe $what $_" => "options --observe and $_ contradict each other: leave out one of them"] }
                qw(--doctor --explain)
        } 'syscalls pipe',
        'sequence'
    ),
    (
        map { ["--observe sequence $_" => "$REASON{sequence} " . (split)[0]] } grep({ !/\A(?:-v|--setup)\z/ } @LONE),
        '--rows',
        '--quick',
        '--require pipe>=1',
        '--json j',
        '--html -',
        '--tap',
        '--details',
        '--force',
        '--users 2',
        'pipe',
        'index -q',
        'syscall'
    ),
    (map { ["--observe $_ --compare a b" => "$REASON{compare} --observe"] } qw(syscalls sequence)),
    ['--compare' => $NO_RESULTS],
    (
        map { ["--users=$_ multiuser" => qq{option --users needs a whole number from 1 to 2000, not "$_"}] }
            qw(0 -1 2001 1.5 x),
        '1,2',
        q{}
    ),
    (
        map {
            ["--think=$_ multiuser" =>
                    qq{option --think needs a range of seconds such as 2-15, from 0 to 3600, not "$_"}
            ]
        } qw(5 15-2 2- -2 2-15-20 1-3601 -1-2 a-b 2:15 1e1-20 .5-1),
        q{}
    ),
    (
        map { ["--scale=$_ multiuser" => qq{option --scale needs a number above 0, at most 1000, not "$_"}] }
            qw(0 0.0 -1 1001 1e-2 .5 x 0.0000001),
        q{}
    ),
    (
        map {
            ["--find-capacity --limit=$_ multiuser" => qq{option --limit needs a number above 1, at most 1000, not "$_"}
            ]
        } qw(1 0.5 1.0 1001 x)
    ),
    ['--script= multiuser'      => 'option --script needs the name of a file'],
    ['multiuser --script'       => 'option --script needs a value; see ./Run --help'],
    ['--users 5'                => 'option --users is for the test multiuser: ./Run multiuser --users 5'],
    ['--users 5 --users 6 pipe' => 'option --users is for the test multiuser: ./Run multiuser --users 5'],
    ['all --think 2.50-15'      => 'option --think is for the test multiuser: ./Run multiuser --think 2.50-15'],
    ['--scale 1 index'          => 'option --scale is for the test multiuser: ./Run multiuser --scale 1'],
    ['--script /a pipe'         => 'option --script is for the test multiuser: ./Run multiuser --script /a'],
    ['--find-capacity'          => 'option --find-capacity is for the test multiuser: ./Run multiuser --find-capacity'],
    [
        '--find-capacity --limit 2' =>
            'option --find-capacity is for the test multiuser: ./Run multiuser --find-capacity'
    ],
    ['--limit 2 multiuser' => 'option --limit needs --find-capacity'],
    [
        '--find-capacity --users 5 multiuser' =>
            'options --users and --find-capacity contradict each other: leave out one of them'
    ],
    ['syscall --find-capacity' => 'option --find-capacity is for the test multiuser: ./Run multiuser --find-capacity'],
    ['--quick -i 3'            => 'options --quick and -i contradict each other: leave out one of them'],
    ['--seed 3 pipe'           => 'option --seed needs --quick'],
    ['--precision 1'           => 'option --precision needs --quick'],
    ['--max-time 60'           => 'option --max-time needs --quick'],
    ['--quick --precision 0'   => 'option --precision needs a percentage above 0: no run is that precise'],
    (
        map { ["--quick --max-time $_" => qq{option --max-time needs a time such as 90, 90s, 5m or 1h, not "$_"}] }
            qw(x 100ms)
    ),
    ['--quick multiuser'                             => 'test multiuser has no short passes: leave out --quick'],
    ['pipe multiuser --quick'                        => 'test multiuser has no short passes: leave out --quick'],
    ['multiuser --users 5 --users 5'                 => 'option --users: 5 is given twice (use -i N to repeat a load)'],
    ["multiuser @{[map { qq{--users $_} } 1 .. 33]}" => 'option --users can be given 32 times at most'],
    ['--compare --analysis'                          => $NO_RESULTS],
    ['--compare --html a'                            => $NO_RESULTS],
    (
        map { ["--compare a b $_" => "$REASON{compare} " . (split)[0]] } @LONE,
        '--require pipe>=1',
        '--json j', '--json -', '--junit j', '--tap'
    ),
    (map { ["--report r $_" => "$REASON{report} " . (split)[0]] } @LONE, 'pipe', 'index -q'),
    (
        map { ["--resume r $_" => "$REASON{resume} " . (split)[0]] }
            grep({ $_ ne '-v' && $_ ne '-b' } @LONE),
        '--require pipe>=1',
        '--force',
        'pipe',
        '--users 5',
        '--think 1-2',
        '--scale 1',
        '--script a',
        '--find-capacity',
        '--observe syscalls',
        '--observe sequence',
    ),
    (map { ["$_ r --limit 2" => 'option --limit needs --find-capacity'] } qw(--report --resume)),
    (
        map { ["--report r $_" => "$REASON{report} " . (split)[0]] } '--users 5',
        '--script a',
        '--observe sequence',
        '--observe syscalls --rows',
    ),
    (map { ["--compare a b $_"    => "$REASON{compare} " . (split)[0]] } '--users 5', '--find-capacity'),
    (map { ["$_ r --min-effect 2" => 'option --min-effect needs --compare'] } qw(--report --resume)),
    ['--compare a b -c 1 -i 2'      => "$REASON{compare} -c"],
    ['--json a --html a'            => "$HERE/a can have one report only: choose --json or --html"],
    ['--junit a --tap --json a'     => "$HERE/a can have one report only: choose --json or --junit"],
    ['--tap --json -'               => 'standard output can have one report only: choose --json or --tap'],
    ['--html - --junit - --tap'     => 'standard output can have one report only: choose --html or --junit or --tap'],
    ['--report r --html - --json=-' => 'standard output can have one report only: choose --json or --html'],
);

my %ALWAYS  = (copies => [], requirements => [], has_standard_output => 0);
my %DEFAULT = (%ALWAYS, asked => ['index'], tests => [UnixBench::Catalog::expand('index')]);

sub parse {
    return UnixBench::CLI::Options::parse(map { $_ eq q{""} ? q{} : $_ } split ' ', $_[0]);
}

for my $case (@ACCEPTED) {
    my ($words, $expected) = @$case;
    is_deeply(parse($words), { %DEFAULT, %$expected }, "./Run $words is accepted");
}

for my $case (@COMPARING) {
    my ($words, $expected) = @$case;
    is_deeply(parse($words), { %ALWAYS, compare => 1, files => [qw(a b)], %$expected }, "./Run $words is accepted");
}

is_deeply(parse("--compare $_")->{files}, [], "./Run --compare $_ needs no files") for qw(-h --help -V --version);

for my $case (@REFUSED) {
    my ($words, $error) = @$case;
    is(eval { parse($words) }, undef, "refused: $error");
    my ($first, @more) = split /\n/, $@;
    is($first, $error, "the error begins with: $error");
    cmp_ok(scalar @more, '<=', 1, 'the error has at most two lines');
    like($@, qr/\n\z/, 'the error names no place in the program');
}

is(
    eval { UnixBench::CLI::Options::parse("a\nb") } // $@,
    "unknown test \"a\\nb\"\nSee ./Run --list for the tests.\n",
    'a newline in a word is escaped'
);
is(
    eval { UnixBench::CLI::Options::parse('-i', "\xc2\x9b31m\xe2\x80\xae") } // $@,
    "option -i needs a whole number from 1 to 100000, not \"\\x{9b}31m\\x{202e}\"\n",
    'control characters in a value are escaped'
);
is(
    eval { UnixBench::CLI::Options::parse('--resume', 'a', "\e[31m\n" . 'x' x 100_000) } // $@,
    "$REASON{resume} \\x1b[31m\\n" . 'x' x 54 . "...\n",
    'control characters in a test are escaped by the error of --resume'
);

subtest 'a long name is cut in the error' => sub {
    eval { UnixBench::CLI::Options::parse('x' x 100_000) };
    cmp_ok(length $@, '<', 200, 'the error is shorter than 200 characters');
};

subtest 'lasting_words returns the words that a resumed run needs' => sub {
    my @short  = qw(-q -b -i 3 -c 4 -c 1 --timeout 9 --observe syscalls --rows);
    my @given  = (@short, qw(--no-identity --force --json j --tap hanoi pipe hanoi --require));
    my $given  = UnixBench::CLI::Options::parse(@given, q{4: hanoi >= 0.9 * my "r*s"$.json}, '--require', 'pipe>=1');
    my @words  = UnixBench::CLI::Options::lasting_words($given);
    my $lasted = UnixBench::CLI::Options::parse(@words);
    my %gone   = map { $_ => 1 } qw(quiet json tap);
    my %kept   = map { $_ => $given->{$_} } grep { !$gone{$_} } keys %$given;
    is_deeply(
        without_texts($lasted),
        without_texts({ %kept, has_standard_output => 0 }),
        'the words mean the same options'
    );
    is($lasted->{requirements}[0]{file}, q{my "r*s"$.json}, 'the file of a requirement is the same');
    is_deeply([UnixBench::CLI::Options::lasting_words($lasted)],
        \@words, 'lasting_words of the same options returns the same words');
    my $quick = UnixBench::CLI::Options::parse(qw(--quick --precision 0.00005 --max-time 0.025m --seed 1995));
    is_deeply(UnixBench::CLI::Options::parse(UnixBench::CLI::Options::lasting_words($quick)),
        $quick, 'the words of a quick run mean the same options');
    is_deeply(
        [@$quick{qw(precision max_time_s seed)}],
        [5e-7, 1.5, 1995],
        'precision is a fraction, and a time is in seconds'
    );

    for my $load ('--users 20 --users 1 --think 0.5-15 --scale 1.5 --script a',
        '--find-capacity --limit 2.5 --think 0-0')
    {
        my $users = UnixBench::CLI::Options::parse('multiuser', split q{ }, $load);
        is_deeply(UnixBench::CLI::Options::parse(UnixBench::CLI::Options::lasting_words($users)),
            $users, "the words of a load mean the same options: $load");
    }
};

# Takes options; returns them without the texts of the requirements.
sub without_texts {
    my ($options) = @_;
    return {
        %$options,
        requirements => [
            map {
                { %$_, text => undef }
            } @{ $options->{requirements} }
        ]
    };
}

subtest 'resumed joins the options of a run with those given to --resume' => sub {
    my $lasting = UnixBench::CLI::Options::parse(qw(-i 3 --require pipe>=1 pipe));
    my $given   = UnixBench::CLI::Options::parse(qw(--resume r -q -b --tap --junit j));
    my %new     = (quiet => 1, brief => 1, tap => 1, has_standard_output => 1, junit => "$HERE/j");
    is_deeply(
        UnixBench::CLI::Options::resumed($given, $lasting),
        { %$lasting, %new },
        'new options change only the output'
    );
    is_deeply(UnixBench::CLI::Options::resumed({ copies => [] }, $lasting),
        $lasting, 'without new options all is as in the run');
};

subtest 'each option in the table is complete' => sub {
    for my $option (UnixBench::CLI::OptionTable::options()) {
        like($option->{flag}, qr/\A(?:-[a-z]|--[a-z]+(?:-[a-z]+)*)\z/, "the flag $option->{flag} is valid");
        ok(length $option->{key} && length $option->{text}, "$option->{flag} has a key and a text");
        like($option->{text}, qr/[^.]\z/, "the text of $option->{flag} does not end in a full stop");
        ok(!defined $option->{optional} || !defined $option->{value}, "$option->{flag} has one kind of value");
        is(!!$option->{value}, !!$option->{kind}, "$option->{flag} has a kind of value if it has a value");
    }
};

is_deeply(\@warnings, [], 'Perl prints no warning');

done_testing();
