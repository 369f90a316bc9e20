use strict;
use warnings;

use Cwd ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use CommandLines                qw(are_refused);
use UnixBench::CLI::Declaration ();
use UnixBench::Command;

my $HERE = Cwd::getcwd();
my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

my $PERCENTAGE = 'option --min-effect needs a percentage, from 0 to below 100';
my $RESUME     = 'option --resume repeats the options of the interrupted run: leave out';

# Every option whose value is a name: flag => what it needs.
my %NEEDS = map { ("$_->{flag} " => 'the name of a file') } grep { $_->{kind} =~ /\A(?:file|source)\z/ } valued();
$NEEDS{"$_->{flag} "} = 'the name of a run or the path of its file' for grep { $_->{kind} eq 'run' } valued();

# Takes a key of %NEEDS and a word instead of a name; returns the error.
sub misplaced {
    my ($flag, $word) = @_;
    my ($option) = split q{ }, $flag;
    return qq{option $option needs $NEEDS{$flag}, not "$word"; a name that begins with "-" is written as "./$word"};
}

sub valued {
    return grep { defined $_->{kind} } UnixBench::CLI::Declaration::options_of(UnixBench::Command::declaration());
}

# The arguments of each command, as errors show them.
my %ARGUMENTS = (
    compare => ' OLD NEW',
    report  => ' RESULT',
    explain => ' TEST',
);

# Options that say how to measure; they are accepted only if something is measured.
my @LONE = ('-v', '-b', '-i 2', '-c 1', '--timeout 1', '--setup', '--dry-run');

# [words, the first line of the error]. The word q{""} stands for an empty word.
my @REFUSED = (
    ['-x'                => 'unknown option -x'],
    ['--quiet'           => 'unknown option --quiet'],
    ['pipe --nonsense=5' => 'unknown option --nonsense'],
    (
        map {
            ["--label $_" => qq{option --label needs NAME=TEXT, not "$_"; a name has small letters, digits, - and _}]
        } qw(round round= =2 Round=2 a.b=2 -a=2)
    ),
    ["--label a=b\ec"          => 'option --label needs one printable line as TEXT, not "b\x1bc"'],
    ["--label a=\xc2\xa0"      => 'option --label needs NAME=TEXT with a text that is not blank'],
    ['--label a=1 --label a=2' => 'option --label: a is given twice'],
    ['--resume r --label a=1'  => "$RESUME --label"],
    ['--label a=1 compare a b' => 'compare has no option --label: leave it out; see ./Run help compare'],
    ["--\e[31mred"             => 'unknown option --\\x1b[31mred'],
    ['--list=yes'              => 'option --list takes no value'],
    ['-i'                      => 'option -i needs a value; see ./Run --help'],
    ['-c'                      => 'option -c needs a value; see ./Run --help'],
    ['pipe -c'                 => 'option -c needs a value; see ./Run --help'],
    ['--timeout'               => 'option --timeout needs a value; see ./Run --help'],
    (
        map { ["-i $_" => qq{option -i needs a whole number from 1 to 100000, not "$_"}] }
            qw(0 x -1 +1 1.5 1e2 0x5 00 100001 99999999999999999999 -c)
    ),
    (
        map { ["-c $_" => qq{option -c needs a whole number from 1 to 65536 or all, not "$_"}] }
            qw(0 -1 x 65537 1.0 pipe All alle)
    ),
    ['-c ""' => 'option -c needs a whole number from 1 to 65536 or all, not ""'],
    (
        map { ["--timeout=$_" => qq{option --timeout needs seconds, above 0 and at most 1000000, not "$_"}] }
            qw(0 0.0 -1 x 1e3 inf nan 1000001),
        q{}
    ),
    ['pips'                 => 'unknown test or command "pips"; did you mean pipe?'],
    ['pipe nothing-like-it' => 'unknown test "nothing-like-it"'],
    ['""'                   => 'unknown test or command ""'],
    ['-'                    => 'unknown test or command "-"'],
    ['2D-RECTS!'            => 'unknown test or command "2D-RECTS!"; did you mean 2d-rects?'],
    (map { ["--min-effect=$_ compare a b" => qq{$PERCENTAGE, not "$_"}] } qw(100 -1 x 1e1 2%% .5 1000), q{}),
    (map { ["$_="                         => "option $_ needs the name of a file"] } qw(--json --html --markdown)),
    ['--resume=' => 'option --resume needs the name of a run or the path of its file'],
    (map { [$_ => "option $_ needs a value; see ./Run --help"] } qw(--json --html --markdown)),
    (
        map {
            my $flag = $_;
            map { ["$flag$_" => misplaced($flag, $_)] } qw(--dry-run --help -q)
        } grep { !/resume/ } sort keys %NEEDS
    ),
    ['--resume --dry-run'    => 'option --resume repeats the options of the interrupted run: leave out --dry-run'],
    ['--json=--html'         => misplaced('--json ', '--html')],
    ['--json x explain pipe' => 'explain has no option --json: leave it out; see ./Run help explain'],
    (map { ["--$_"      => "--$_ is now a command: ./Run $_" . $ARGUMENTS{$_}] } sort keys %ARGUMENTS),
    (map { ["--$_=x -q" => "--$_ is now a command: ./Run $_" . $ARGUMENTS{$_}] } sort keys %ARGUMENTS),
    ['compare a --report b'   => '--report is now a command: ./Run report RESULT'],
    ['--min-effect 2'         => 'option --min-effect belongs to ./Run compare: see ./Run help compare'],
    ['report a b'             => 'report takes one result, not 2'],
    ['help a b'               => 'help takes one command, not 2'],
    ['explain sycall'         => 'unknown test "sycall"; did you mean syscall?'],
    ['explain compare'        => 'compare is a command: it must be the first word; see ./Run help compare'],
    ['pipe compare a b'       => 'compare is a command: it must be the first word; see ./Run help compare'],
    ['compair a b'            => 'unknown test or command "compair"; did you mean compare?'],
    ['-c 2 compare a b'       => 'compare has no option -c: leave it out; see ./Run help compare'],
    ['-x compare a b'         => 'unknown option -x'],
    ['--quick -i 3'           => 'options --quick and -i contradict each other: leave out one of them'],
    ['--seed 3 pipe'          => 'option --seed needs --quick'],
    ['--max-time 12d --quick' => 'option --max-time needs a time such as 90, 90s, 5m, 1h or 7d, not "12d"'],
    ['--precision 1'          => 'option --precision needs --quick'],
    ['--max-time 60'          => 'option --max-time needs --quick'],
    ['--quick --precision 0'  => 'option --precision needs a percentage above 0: no run is that precise'],
    (
        map { ["--quick --max-time $_" => qq{option --max-time needs a time such as 90, 90s, 5m, 1h or 7d, not "$_"}] }
            qw(x 100ms)
    ),
    (
        map { ["compare a b $_" => "compare has no option " . (split)[0] . ": leave it out; see ./Run help compare"] }
            @LONE,
        '-q'
    ),
    ['compare a b --fail-on pip'      => 'option --fail-on has no test "pip"; did you mean pipe?'],
    ['compare a b --fail-on indx'     => 'option --fail-on has no test "indx"; did you mean index?'],
    ['compare a b --fail-on=zzzzzzzz' => 'option --fail-on has no test "zzzzzzzz"; see ./Run --list'],
    ['compare a b --fail-on='         => 'option --fail-on has no test ""; see ./Run --list'],
    ['compare a b --fail-on'          => 'option --fail-on needs a value; see ./Run help compare'],
    ['--fail-on pipe'                 => 'option --fail-on belongs to ./Run compare: see ./Run help compare'],
    ['compare a b --json - --html -'  => 'standard output can have one report only: choose --html or --json'],
    (
        map { ["report r $_" => "report has no option " . (split)[0] . ": leave it out; see ./Run help report"] } @LONE,
        '--min-effect 2',
    ),
    (
        map { ["--resume r $_" => "$RESUME " . (split)[0]] }
            grep({ $_ ne '-v' && $_ ne '-b' } @LONE),
        'pipe',
    ),
    ['--json a --html a' => "$HERE/a can have one report only: choose --json or --html"],
    [
        '--html - --json - --markdown -' =>
            'standard output can have one report only: choose --json or --html or --markdown'
    ],
    ['report r --html - --json=-' => 'standard output can have one report only: choose --json or --html'],
);

are_refused(@REFUSED);

is(
    eval { UnixBench::Command::parse("a\nb") } // $@,
    "unknown test or command \"a\\nb\"\nSee ./Run --list for the tests, and ./Run help for the commands.\n",
    'a newline in a word is escaped'
);
is(
    eval { UnixBench::Command::parse('-i', "\xc2\x9b31m\xe2\x80\xae") } // $@,
    "option -i needs a whole number from 1 to 100000, not \"\\x{9b}31m\\x{202e}\"\n",
    'control characters in a value are escaped'
);
is(
    eval { UnixBench::Command::parse('--resume', 'a', "\e[31m\n" . 'x' x 100_000) } // $@,
    "$RESUME \\x1b[31m\\n" . 'x' x 54 . "...\n",
    'control characters in a test are escaped by the error of --resume'
);

subtest 'a long name is cut in the error' => sub {
    eval { UnixBench::Command::parse('x' x 100_000) };
    cmp_ok(length $@, '<', 200, 'the error is shorter than 200 characters');
};

is_deeply(\@warnings, [], 'Perl prints no warning');

done_testing();
