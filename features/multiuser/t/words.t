# The options of the multi-user test on the command line.

use strict;
use warnings;

use Cwd ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use CommandLines qw(are_refused);
use UnixBench::Command;

my $HERE    = Cwd::getcwd();
my $RESUME  = 'option --resume repeats the options of the interrupted run: leave out';
my $MEASURE = UnixBench::Command::declaration();
my %DEFAULT = (copies => [], outputs => []);

# Takes words that set up a load of users, and the options they mean; returns the case for the test multiuser.
sub load_of {
    my ($words, $load) = @_;
    return ["$words multiuser" => { %$load, asked => ['multiuser'], tests => ['multiuser'] }];
}

# [words of the command line, options that differ from the default].
my @ACCEPTED = (
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
);
for my $case (@ACCEPTED) {
    my ($words, $expected) = @$case;
    is_deeply(UnixBench::Command::parse(split q{ }, $words), { %DEFAULT, %$expected }, "./Run $words is accepted");
}

my @REFUSED = (
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
    [
        'doctor multiuser pipe --users 5 --find-capacity' =>
            'options --users and --find-capacity contradict each other: leave out one of them'
    ],
    ['doctor --users 5'              => 'option --users is for the test multiuser: ./Run doctor multiuser --users 5'],
    ['--quick multiuser'             => 'test multiuser has no short passes: leave out --quick'],
    ['--over 24h multiuser'          => 'test multiuser has no short passes: leave out --over'],
    ['--under true multiuser'        => 'test multiuser has no short passes: leave out --under'],
    ['pipe multiuser --quick'        => 'test multiuser has no short passes: leave out --quick'],
    ['multiuser --users 5 --users 5' => 'option --users: 5 is given twice (use -i N to repeat a load)'],
    ["multiuser @{[map { qq{--users $_} } 1 .. 33]}" => 'option --users can be given 32 times at most'],
    ['--resume r --limit 2'                          => "$RESUME --limit"],
    (
        map { ["compare a b $_" => "compare has no option " . (split)[0] . ": leave it out; see ./Run help compare"] }
            '--users 5',
        '--find-capacity'
    ),
    (
        map { ["report r $_" => "report has no option " . (split)[0] . ": leave it out; see ./Run help report"] }
            '--users 5',
        '--script a',
        '--limit 2'
    ),
    (
        map { ["--resume r $_" => "$RESUME " . (split)[0]] } '--users 5',
        '--think 1-2', '--scale 1', '--script a', '--find-capacity'
    ),
);
are_refused(@REFUSED);

subtest 'a resumed run has the load' => sub {
    for my $load ('--users 20 --users 1 --think 0.5-15 --scale 1.5 --script a',
        '--find-capacity --limit 2.5 --think 0-0')
    {
        my $users = UnixBench::Command::parse('multiuser', split q{ }, $load);
        is_deeply(UnixBench::Command::parse(UnixBench::CLI::Options::lasting_words($MEASURE, $users)),
            $users, "the words of a load mean the same options: $load");
    }
};

done_testing;
