use strict;
use warnings;

use Cwd qw(getcwd);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use CommandLines qw(are_refused parsed);
use KeptOptions  ();
use UnixBench::Catalog;
use UnixBench::Command;
use UnixBench::CLI::Environment;
use UnixBench::CLI::Declaration qw(options_of);
use UnixBench::CLI::Usage       ();
use UnixBench::Plan             ();

# What command lines mean, and how wrong ones are refused.

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
local $SIG{__WARN__} = sub { fail("Perl warns: @_") };

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
my %DEFAULT = (
    home        => '/suite',
    bindir      => '/suite/pgms',
    tmpdir      => '/suite/tmp',
    resultdir   => '/suite/results',
    testdir     => '/suite/testdir',
    own_bindir  => 1,
    output_name => undef,
    csv         => q{},
    json        => q{},
    factor      => 1,
    work_factor => 1,
);

sub settings { return UnixBench::CLI::Environment::read_from({@_}, '/suite') }

# [environment, settings that differ from the default].
my @READ = (
    [{}                                     => {}],
    [{ UB_BINDIR => '/b' }                  => { bindir => '/b', own_bindir => q{} }],
    [{ UB_BINDIR => '/suite/pgms/' }        => {}],
    [{ UB_TMPDIR => 'my tmp/"x"' }          => { tmpdir => "$HERE/my tmp/\"x\"" }],
    [{ UB_RESULTDIR => "r\xc3\xa9sultats" } => { resultdir => "$HERE/r\xc3\xa9sultats" }],
    [{ UB_TESTDIR => './t' }                => { testdir => "$HERE/t" }],
    [{ UB_OUTPUT_FILE_NAME => 'mine' }      => { output_name => 'mine' }],
    [{ UB_OUTPUT_FILE_NAME => q{} }         => {}],
    [{ UB_OUTPUT_CSV => 'true' }            => { csv => 1 }],
    [{ UB_OUTPUT_CSV => 'yes' }             => {}],
    [{ UB_OUTPUT_JSON => 'true' }           => { json => 1 }],
    [{ UB_TIME_FACTOR => '0.001' }          => { factor => 0.001 }],
    [{ UB_TIME_FACTOR => '1' }              => {}],
    [{ MULTI_SH_WORK_FACTOR => 16 }         => { work_factor => 16 }],
);

# A variable => values that are refused.
my @NOT_SHOWN = ("1\n", "\n1", "\e[31m", "\xe2\x80\xae", '9' x 100_000);
my %REFUSED   = (
    UB_TIME_FACTOR       => [qw(0 0.0 2 -1 x 1e-3 nan 0.0000001),                               @NOT_SHOWN],
    MULTI_SH_WORK_FACTOR => [qw(0 -1 1.5 x 1e3 9999999),                                        @NOT_SHOWN],
    UB_OUTPUT_FILE_NAME  => [qw(a/b /a . .. ../a a/ x.journal x.log x.html x.csv x.json x.new), 'x' x 241],
    map { ; "UB_${_}DIR" => ['x' x 5000, '/' . 'a/' x 50_000] } qw(BIN TEST TMP RESULT),
);

for my $case (@READ) {
    my ($env, $expected) = @$case;
    is_deeply(settings(%$env), { %DEFAULT, %$expected }, join q{ }, 'read:', %$env);
}

for my $name (sort keys %REFUSED) {
    for my $value (@{ $REFUSED{$name} }) {
        is(eval { settings($name => $value) }, undef, "$name=" . substr($value, 0, 60) . ' is refused');
        like($@, qr/\A$name must (?:be|not) [ -~]{1,200}\n\z/, 'one short line says which values are valid');
    }
}

subtest 'for_tests sets the environment of the tests' => sub {
    my %env = (
        HOME      => '/h',
        LC_ALL    => 'C',
        LC_TIME   => 'C',
        LANGUAGE  => 'de',
        LANG      => 'de_DE',
        UB_BINDIR => 'rel',
        LCX       => 1
    );
    my %before      = %env;
    my $tests       = UnixBench::CLI::Environment::for_tests(\%env, settings(%env));
    my %directories = map { uc("ub_$_") => $DEFAULT{$_} } qw(tmpdir resultdir testdir);
    my %set         = (HOME => '/h', LANG => 'en_US.utf8', LCX => 1, UB_BINDIR => "$HERE/rel", %directories);
    is_deeply($tests, \%set,    'language and directories are set');
    is_deeply(\%env,  \%before, "the environment of the caller does not change");
};

subtest 'as_environment returns the environment that a later Run needs' => sub {
    is_deeply(UnixBench::CLI::Environment::as_environment(settings()), {}, 'default settings need no variables');
    my %given = (
        UB_TMPDIR            => '/t',
        UB_TIME_FACTOR       => 0.5,
        MULTI_SH_WORK_FACTOR => 3,
        UB_OUTPUT_CSV        => 'true',
        UB_OUTPUT_JSON       => 'true'
    );
    my $env = UnixBench::CLI::Environment::as_environment(settings(%given));
    is_deeply($env, { %given, UB_TIME_FACTOR => '0.500000' }, 'settings that were given are returned');
    my %is_variable = map { $_ => 1 } UnixBench::CLI::Environment::variables();
    is_deeply([grep { !$is_variable{$_} } keys %given], [], 'variables returns the names of all of them');
    my $moved = UnixBench::CLI::Environment::read_from($env, '/moved');
    is_deeply([@$moved{qw(bindir tmpdir)}], [qw(/moved/pgms /t)], 'a suite that was moved, with given ones');
};

# The texts of --help and --list. A command is one module: its declaration is all that the parser, the errors and the
# help need.

my (undef, @COMMANDS) = UnixBench::Command::declarations();

# Takes a text and its name; tests its form. Returns it with wrapped lines joined.
sub formed {
    my ($text, $name) = @_;
    is_deeply([grep { length > 79 || /\s\z/ } split /\n/, $text], [], "$name: short lines that do not end in blanks");
    return $text =~ s/\n {4,}/ /gr;
}

# Takes an option; returns a pattern for its line.
sub line_of {
    my ($option) = @_;
    my $heading = UnixBench::CLI::Declaration::heading($option);
    return qr/^  \Q$heading\E +\Q$option->{text}\E$/m;
}

my $help = formed(UnixBench::CLI::Usage::help($MEASURE, @COMMANDS), '--help');
like($help, line_of($_),                            "--help has $_->{flag}") for options_of($MEASURE);
like($help, qr/^  $_->{name} +\Q$_->{purpose}\E$/m, "--help has $_->{name}") for @COMMANDS;
like($help, qr/ \Q$_\E(?: |$)/m,                    "--help has the word $_")
    for UnixBench::Catalog::aliases(), map { $_->{name} } UnixBench::Catalog::tests();
is_deeply([$help =~ /^  ([0-9])  \S/mg], [0 .. 4], '--help has the exit statuses 0 to 4');

my $short = formed(UnixBench::CLI::Usage::short_help($MEASURE, @COMMANDS), '-h');
cmp_ok(UnixBench::CLI::Usage::short_help($MEASURE, @COMMANDS) =~ tr/\n//, '<=', 24, '-h has 24 lines') or diag $short;
like($short, qr/^  $_\b/m, "-h has $_") for qw(-c --quick --markdown), map { $_->{name} } @COMMANDS;

for my $command (@COMMANDS) {
    my $name = $command->{name};
    my $text = formed(UnixBench::CLI::Usage::of($command), $name);
    like($text, qr{\AUsage: \./Run $name\b.*\n\n\Q@{[ucfirst substr $command->{purpose}, 0, 40]}\E}, "$name: its call");
    my @missing = grep { $text !~ line_of($_) } UnixBench::CLI::Usage::shown_options($command);
    is_deeply(\@missing, [], "$name: its options");
}

my $list = UnixBench::CLI::Usage::list(undef, { pipe => { score => 1 } }, 79);
formed($list, '--list');
my @printed  = map { [/\A([ *]) (\S+) +([0-9]+) x ([0-9]+) s +(\S.*)/] } grep { / x [0-9]+ s / } split /\n/, $list;
my @expected = map { [$_->{name} eq 'pipe' ? q{*} : q{ }, @$_{qw(name passes_wanted pass_s title)}] }
    UnixBench::Plan::official(undef, map { $_->{name} } UnixBench::Catalog::tests());
is_deeply(\@printed, \@expected, '--list has a mark if a test is in an index, passes, seconds and title');
like($list, qr/^\Q$_->{title}\E \(category $_->{name}\)$/m, "--list has the category $_->{name}")
    for UnixBench::Catalog::categories();
like($list,                                  qr/^  shell +shell1 shell8 shell16$/m, 'and the aliases');
like(UnixBench::CLI::Usage::list(1, {}, 80), qr/^  pipe +1 x 10 s/m,                '-i sets the number of passes');
my $two_lines = qr/^  fstime-w             3 x 34 s   File Write 1024 bufsize\n {34}2000 maxblocks$/m;
like(UnixBench::CLI::Usage::list(undef, {}, 60), $two_lines, 'a long title continues below its beginning');

# A command that takes options and no argument.
sub UnixBench::Command::Hello::declaration {
    return {
        takes   => 'nothing',
        purpose => 'greet a person',
        about   => 'Without --name, it greets the world.',
        options => [
            { flag => '--name',  value => 'NAME', kind => 'text',  text => 'the person to greet' },
            { flag => '--times', value => 'N',    kind => 'whole', max  => 9, text => 'greet N times (default: 1)' },
        ],
    };
}

subtest 'a new command' => sub {
    my @names = sort 'hello', UnixBench::Command::names();
    no warnings 'redefine';
    local *UnixBench::Command::names         = sub { return @names };
    local *UnixBench::Command::separated     = sub { return $_[0] eq 'hello' ? @_ : (undef, @_) };
    local $INC{'UnixBench/Command/Hello.pm'} = __FILE__;
    my $options = UnixBench::Command::parse(qw(hello --times=2 --name), 'Ada Lovelace');
    is_deeply([@$options{qw(command name times words)}], ['hello', 'Ada Lovelace', 2, []], 'its options are parsed');

    # [words, the first line of the error].
    my @refused = (
        ['hello there'     => 'hello takes no argument: leave out there'],
        ['hello --nam Ada' => 'hello has no option --nam; did you mean --name?'],
        ['hello --name -q' => 'option --name needs a text that does not begin with "-", not "-q"'],
        ['hello --name='   => 'option --name needs a text that is not blank'],
        ['hello -q'        => 'hello has no option -q'],
        ['helo'            => 'unknown test or command "helo"; did you mean hello?'],
    );
    for my $case (@refused) {
        my ($words, $error) = @$case;
        is(eval { UnixBench::Command::parse(split q{ }, $words) }, undef,  "refused: $words");
        is((split /\n/, $@)[0],                                    $error, "the error is: $error");
    }
    is(UnixBench::CLI::Usage::of(UnixBench::Command::declaration('hello')), <<'END', 'it has a help');
Usage: ./Run hello [options]

Greet a person. Without --name, it greets the world.

  --name NAME       the person to greet
  --times N         greet N times (default: 1)
END
};

done_testing;
