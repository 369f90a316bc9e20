# What command lines mean, and how wrong ones are refused.

use strict;
use warnings;

use Cwd ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use CommandLines qw(are_refused parsed);
use KeptOptions  ();
use UnixBench::Catalog;
use UnixBench::Command;

# Takes [words, { option => value }, [outputs] or undef], ...; tests that the words are accepted, and mean these options
# beside the usual ones. The word q{""} stands for an empty word.
sub are_accepted {
    my (@cases) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    for my $case (@cases) {
        my ($words, $expected, $outputs) = @$case;
        my $options = parsed($words);
        my $given   = delete $options->{outputs};
        my %usual   = (copies => []);
        @usual{qw(asked tests)} = (['index'], [UnixBench::Catalog::expand('index')]) if !defined $options->{command};
        is_deeply($options, { %usual, %$expected }, "./Run $words is accepted");
        is_deeply($given,   $outputs,               "./Run $words writes these reports") if $outputs;
    }
    return;
}

my $HERE    = Cwd::getcwd();
my $MEASURE = UnixBench::Command::declaration();
my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

my %PIPE = (asked => ['pipe'], tests => ['pipe']);

# Takes words; returns what differs from the usual options if nothing is measured.
sub of_command { my ($name, %more) = @_; return { command => $name, %more } }

are_accepted(
    [q{}                      => {}, []],
    ['-c 4 -c 1,all -c 4'     => { copies => [4, 1, 'all', 4] }],
    ['-i3 -c1,8 pipe'         => { iterations => 3, copies => [1, 8], %PIPE }],
    ['--quick --max-time=40s' => { quick  => 1,              max_time_s => 40 }],
    ['--resume a -q'          => { resume => 'a',            quiet      => 1 }],
    ['-q -- pipe'             => { quiet  => 1,              %PIPE }],
    ['--html report pipe'     => { html   => "$HERE/report", %PIPE }],
    [
        '--json a/b --html - -c 2' => { json => "$HERE/a/b", html => q{-}, copies => [2] },
        [[json => "$HERE/a/b"], [html => q{-}]]
    ],
    ['compare compare report'     => of_command(compare => words => [qw(compare report)])],
    ['compare a --fail-on=dhry b' => of_command(compare => words => [qw(a b)],     fail_on => ['dhry'])],
    ['compare a b c -- d --force' => of_command(compare => words => [qw(a b c d)], sets    => [3, 1], force => 1)],
);

subtest 'options that only print a text need nothing else' => sub {
    for my $flag (qw(-h --help --version --list)) {
        for my $words ($flag, "pipe $flag -c 2", "compare $flag", "--resume a $flag -i 2", 'help', 'help compare') {
            my $parsed = UnixBench::Command::parse(split q{ }, $words);
            ok((grep { $parsed->{$_} } qw(usage help version list)), "./Run $words is accepted");
        }
    }
};

my $PERCENTAGE = 'option --min-effect needs a percentage, from 0 to below 100, not';
my $RESUME     = 'option --resume repeats the options of the interrupted run: leave out';
my $SIDES      = 'compare: "--" separates two sides, each with one result or more: ./Run compare A1 A2 -- B1 B2';

# Takes words before a value, the error without it, and values; returns a row for each.
sub values_of {
    my ($words, $error, @values) = @_;
    return map { ["$words$_" => qq{$error "$_"}] } @values;
}

are_refused(
    ['-x'                => 'unknown option -x'],
    ["--\e[31mred"       => 'unknown option --\\x1b[31mred'],
    ['--qick'            => 'unknown option --qick; did you mean --quick?'],
    ['--fail-on pipe'    => 'unknown option --fail-on'],
    ['pipe -c'           => 'option -c needs a value; see ./Run --help'],
    ['compare --fail-on' => 'option --fail-on needs a value; see ./Run help compare'],
    values_of('-i ', 'option -i needs a whole number from 1 to 100000, not',              qw(0 1.5 1e2 100001 -c)),
    values_of('-c ', 'option -c needs a whole number from 1 to 65536, all or sweep, not', qw(0 65537 All)),
    values_of('--timeout=',            'option --timeout needs a number above 0, at most 1000000, not', qw(0 -1 inf)),
    values_of('compare --min-effect=', $PERCENTAGE,                                                     qw(100 -1 2%%)),
    values_of('--quick --precision ',  'option --precision needs a percentage, above 0 and below 100, not', qw(0 x)),
    values_of('--quick --max-time ',   'option --max-time needs a time such as 90, 90s, 5m, 1h or 7d, not', qw(12d x)),
    values_of('--json=',               'option --json needs the name of a file, not', q{}, '--html'),
    ['-c1,'                  => 'option -c needs a whole number from 1 to 65536, all or sweep, not ""'],
    ['compare --fail-on pip' => 'option --fail-on has no test "pip"; did you mean pipe?'],
    [
        '--label Round=2' =>
            'option --label needs NAME=TEXT, not "Round=2"; a name has small letters, digits, - and _, '
            . 'and a text is one printable line'
    ],
    ['--label a=1 --label a=2' => 'option --label: a is given twice'],
    ['pips'                    => 'unknown test or command "pips"; did you mean pipe?'],
    ['quick'                   => 'unknown test or command "quick"; did you mean --quick?'],
    ['pipe -- -q'              => 'unknown test "-q"'],
    ['explain'                 => 'explain needs a test: ./Run explain TEST'],
    ['-c 2 compare a b'        => 'compare is a command: it must be the first word; see ./Run help compare'],
    ['--seed 3 pipe'           => 'option --seed needs --quick'],
    ['--quick -i 3'            => 'options --quick and -i contradict each other: leave out one of them'],
    ['-v -q'                   => 'options -q and -v contradict each other: leave out one of them'],
    ['--resume r pipe'         => "$RESUME pipe"],
    ['--resume r --label a=1'  => "$RESUME --label"],
    ['--resume --dry-run'      => "$RESUME --dry-run"],
    ['report a b'              => 'report takes one result, not 2'],
    (map { ["compare $_" => $SIDES] } '-- a', 'a --', 'a -- b -- c'),
    ['--json a --html a'          => "$HERE/a can have one report only: choose --json or --html"],
    ['--json a --html lib/../a'   => "$HERE/a can have one report only: choose --json or --html"],
    ['report r --html - --json -' => 'standard output can have one report only: choose --json or --html'],
);

subtest 'an error escapes control characters, and cuts a long word' => sub {
    my $error = eval { UnixBench::Command::parse('--resume', 'a', "\e[31m\n" . 'x' x 100_000) } // $@;
    is($error, "$RESUME \\x1b[31m\\n" . 'x' x 54 . "...\n", 'of an argument');
    $error = eval { UnixBench::Command::parse('-i', "\xc2\x9b31m\xe2\x80\xae") } // $@;
    is($error, "option -i needs a whole number from 1 to 100000, not \"\\x{9b}31m\\x{202e}\"\n", 'of a value');
};

subtest 'the words that a resumed run needs' => sub {
    my @given  = (qw(-q -b -i 3 -c 4 -c 1 --timeout 9 --label), 'a=b c=d', qw(--no-identity --json j hanoi pipe hanoi));
    my $given  = UnixBench::Command::parse(@given);
    my $lasted = UnixBench::Command::parse(UnixBench::CLI::Options::lasting_words($MEASURE, $given));
    delete @$given{qw(quiet json)};
    is_deeply($lasted, { %$given, outputs => [] }, 'they mean the same options, apart from those of output');
    my $quick = UnixBench::Command::parse(qw(--quick --precision 0.00005 --max-time 0.025m --seed 1995));
    is_deeply(UnixBench::Command::parse(UnixBench::CLI::Options::lasting_words($MEASURE, $quick)),
        $quick, 'those of a quick run, too');
    is_deeply([@$quick{qw(precision max_time_s seed)}], [5e-7, 1.5, 1995], 'a part of 1, and seconds');
    my $new = UnixBench::Command::parse(qw(--resume r -q --html -));
    is_deeply(
        UnixBench::CLI::Options::resumed($MEASURE, $new, $lasted),
        { %$lasted, quiet => 1, html => q{-}, outputs => [[html => q{-}]] },
        'new options change only the output'
    );
};

subtest 'a change of options after parsing is found' => sub {
    my $options = UnixBench::Command::parse(qw(-c 2 pipe));
    my $kept    = KeptOptions::kept($options);
    is_deeply($kept, $options, 'they can be read');
    ok(!defined $kept->{none}, 'also a key that they do not have');
    my %change = (
        'a new key'         => sub { $kept->{words} = [] },
        'a key is removed'  => sub { delete $kept->{tests} },
        'all are removed'   => sub { %$kept = () },
        'a value in a list' => sub { $_     = 1 for @{ $kept->{copies} } },
        'a longer list'     => sub { push @{ $kept->{outputs} }, [json => 'x'] },
    );
    ok(!eval { $change{$_}->(); 1 }, $_) for sort keys %change;
};

is_deeply([grep { UnixBench::Catalog::expand($_) } UnixBench::Command::names()], [], 'no test is named as a command');
is_deeply(\@warnings,                                                            [], 'Perl prints no warning');

done_testing();
