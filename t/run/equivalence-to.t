use strict;
use warnings;

use File::Copy ();
use File::Path ();
use File::Temp ();
use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib", "$FindBin::Bin/../lib", "$FindBin::Bin/../../lab/lib";
use Alive  qw(eventually of_environment);
use InPath qw(path_of);
use Place  qw(content names_in text_of write_file write_program);
use Equivalence;
use UnixBench::Catalog ();

# lab/equivalence-to: its statistics with known answers, and the script with two suites of fake programs.
my $ROOT  = "$FindBin::Bin/../..";
my $PLACE = File::Temp->newdir;
my @NAMES = qw(dhry2reg whetstone-double execl fstime pipe context1 spawn syscall looper multi.sh tst.sh);

sub near {
    my ($got, $wanted, $name) = @_;
    return cmp_ok(abs($got - $wanted), '<', 5e-6, $name) || diag "got $got, wanted $wanted";
}

# The quantile of Student's t is 2.919986 for 95 % and two degrees of freedom. Three ratios with the logarithms 0, 0.01
# and 0.02 have the mean 0.01, with the standard error 0.01 / sqrt 3.
subtest 'the ratio and its 90 % interval' => sub {
    my ($other, $own) = ({ 1 => 100, 2 => 200, 3 => 300 }, { 1 => 100, 2 => 200 * exp 0.01, 3 => 300 * exp 0.02 });
    my $ratio = Equivalence::ratio([$other], [$own]);
    my $half  = 2.919986 * 0.01 / sqrt 3;
    near($ratio->{value}, exp 0.01,          'the mean of the logarithms');
    near($ratio->{low},   exp(0.01 - $half), 'the low end');
    near($ratio->{high},  exp(0.01 + $half), 'the high end');
    $ratio = Equivalence::ratio([$other, $other], [$own, $other]);
    near($ratio->{value}, exp 0.005,              'the mean of two tests');
    near($ratio->{high},  exp(0.005 + $half / 2), 'its interval is over the rounds');
    is(Equivalence::ratio([{ 1 => 2 }],         [{ 1 => 3 }])->{low},   undef, 'one round has no interval');
    is(Equivalence::ratio([{ 1 => 2 }],         [{ 2 => 3 }]),          undef, 'no round has both');
    is(Equivalence::ratio([{ 1 => 1, 2 => 9 }], [{ 1 => 2 }])->{value}, 2, 'a round that is not complete is ignored');
};

subtest 'verdicts' => sub {
    my @cases = (
        [1 / 1.03, 1.03,     1.03, 'equivalent'],
        [0.975,    0.999,    1.03, 'equivalent; the interval excludes 1'],
        [0.97,     1.02,     1.03, 'not decided: measure longer'],
        [0.98,     1.0301,   1.03, 'not decided: measure longer'],
        [0.9,      1 / 1.03, 1.03, 'not decided: measure longer; the interval excludes 1'],
        [1.031,    1.05,     1.03, 'different; the interval excludes 1'],
        [0.9,      0.97,     1.03, 'different; the interval excludes 1'],
        [0.98,     1.005,    1.01, 'not decided: measure longer'],
        [undef,    undef,    1.03, 'not decided: measure longer'],
    );
    for my $case (@cases) {
        my ($low, $high, $margin, $words) = @$case;
        my $name = join q{ }, map { $_ // 'none' } @$case;
        is(Equivalence::in_words({ low => $low, high => $high }, $margin), $words, $name);
    }
};

# The verdicts of docs/equivalence.md are those of its intervals. It has 95 % intervals, which are wider than 90 % ones.
subtest 'docs/equivalence.md' => sub {
    my @rows =
        text_of("$ROOT/docs/equivalence.md") =~ /^[|] (\S+).* [|] ([0-9.]+) [|] ([0-9.]+) to ([0-9.]+) [|] (.*) [|]$/mg;
    is(scalar @rows, 2 * 13 * 5, 'two tables of twelve tests and the index');
    while (my ($name, $ratio, $low, $high, $words) = splice @rows, 0, 5) {
        ok($low < $ratio && $ratio < $high, "$name: the interval contains the ratio");
        my $margin = $name eq 'index' ? Equivalence::INDEX_MARGIN : Equivalence::TEST_MARGIN;
        is($words, Equivalence::in_words({ low => $low, high => $high }, $margin), "$name: $low to $high");
    }
};

# A fake program: it notes its start, and prints the next line of its file of lines, or the last one again.
my $FAKE = <<'END_OF_SCRIPT';
#!/bin/sh
suite=${0%/pgms/*}
name=${0##*/}
echo "${suite##*/} $name ${*:-none} $PWD $UB_TESTDIR $UB_BINDIR $UB_TMPDIR" >> "$suite/../log"
read -r said < "$suite/says.$name" 2>/dev/null || said='COUNT|1000|1|lps TIME|1'
rest=
{
    read -r line
    while read -r line; do rest="$rest$line
"; done
} < "$suite/says.$name" 2>/dev/null
[ -z "$rest" ] || printf %s "$rest" > "$suite/says.$name"
case $said in hang) exec SLEEP 1000 ;; exit*) exit "${said#exit}" ;; kill) kill -SEGV $$ ;; esac
[ ! -r "$suite/prints.$name" ] || while IFS= read -r line; do printf '%s\n' "$line"; done < "$suite/prints.$name"
for word in $said; do echo "$word" >&2; done
END_OF_SCRIPT
my $SLEEP = path_of('sleep');
$FAKE =~ s/SLEEP/$SLEEP/;

# Makes two suites of fake programs, "other" and "own". Takes { suite => { program => [lines] } }.
sub make_suites {
    my ($says) = @_;
    File::Path::remove_tree("$PLACE/$_") for qw(other own log);
    for my $suite (qw(other own)) {
        File::Path::make_path(map { "$PLACE/$suite/$_" } qw(pgms testdir lab tmp));
        write_program("$PLACE/$suite/pgms/$_", $FAKE) for @NAMES;
        write_file("$PLACE/$suite/testdir/sort.src", "$suite\n");
        my $lines = $says->{$suite} || {};
        write_file("$PLACE/$suite/says.$_", join q{}, map { "$_\n" } @{ $lines->{$_} }) for keys %$lines;
    }
    File::Copy::copy("$ROOT/lab/equivalence-to", "$PLACE/own/lab") or die "equivalence-to: $!\n";
    symlink "$ROOT/$_", "$PLACE/own/$_" or die "symlink: $!\n" for qw(lib lab/lib);
    File::Copy::copy("$ROOT/pgms/index.base", "$PLACE/own/pgms") or die "index.base: $!\n";
    return;
}

# Starts the script of the fake suite, without tracers and sync in PATH; returns its PID.
sub started {
    my (@words) = @_;
    my $pid = fork // die "fork: $!\n";
    return $pid if $pid;
    @ENV{qw(PATH UB_TEST_OF_EQUIVALENCE)} = ("$PLACE", "$PLACE");
    $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MToldTimes";
    delete $ENV{UB_TMPDIR};
    $SIG{INT} = 'DEFAULT';
    open STDOUT, '>', "$PLACE/out" or die "out: $!\n";
    open STDERR, '>', "$PLACE/err" or die "err: $!\n";
    exec $^X, "$PLACE/own/lab/equivalence-to", @words or die "exec: $!\n";
}

# Runs it; returns its wait status.
sub ended {
    waitpid started(@_), 0;
    return $?;
}

sub row {
    my ($name) = @_;
    return (content("$PLACE/out") =~ /^[|] \Q$name\E [|] (.*) [|]$/m)[0];
}

subtest 'two suites of fake programs' => sub {
    my $kb    = ['COUNT|2000|0|KBps TIME|10'];
    my %usual = (fstime => $kb, 'whetstone-double' => ['COUNT|5|0|MWIPS TIME|10']);
    make_suites(
        {
            other => \%usual,
            own   => {
                %usual,
                pipe  => ['COUNT|100000|1|lps TIME|100', 'COUNT|101005|1|lps TIME|100', 'COUNT|102020|1|lps TIME|100'],
                spawn => ['COUNT|900|1|lps TIME|1'],
                syscall => ['COUNT|990|1|lps TIME|1', 'COUNT|1090|1|lps TIME|1', 'COUNT|995|1|lps TIME|1'],
            }
        }
    );
    is(ended(qw(--rounds 3), "$PLACE/other"), 1 << 8,                       'a test is different: exit status 1');
    is(content("$PLACE/err"), "round 1 of 3\nround 2 of 3\nround 3 of 3\n", 'standard error shows the rounds');
    is(row('pipe'),  '1000.0 | 1010.0 | 1.0100 | 0.9932 to 1.0272 | equivalent',                        'equivalent');
    is(row('spawn'), '1000.0 | 900.0 | 0.9000 | 0.9000 to 0.9000 | different; the interval excludes 1', 'different');
    like(row('syscall'), qr/^1000[.]0 .* not decided: measure longer$/, 'not decided');
    like(row('index'), qr/^\d+[.]\d [|] \d+[.]\d [|] 0[.]99\d+ [|] 0[.]9\d+ to \d[.]\d+ [|] (?:equivalent|not)/,
        'index');
    my ($work) = content("$PLACE/out") =~ /(^[|] test [|] page faults.*)/ms;
    my ($of_fsdisk, $of_pipe) = map { ($work =~ /^[|] $_ [|] (\S+)/m)[0] } qw(fsdisk pipe);
    like($of_fsdisk, qr/\A0[.][0-9]+\z/, 'page faults of a block');
    cmp_ok($of_pipe, '>', 0, 'page faults of a loop');
    like($work, qr/^[|] pipe [|](?: [^|]+ [|]){6} unknown [|] unknown [|]$/m, 'system calls are unknown');

    my @log   = map { [split] } split /\n/, content("$PLACE/log");
    my @pipes = map { $_->[0] } grep { $_->[1] eq 'pipe' } @log;
    is("@pipes", 'other own own other other own', 'passes alternate: A B B A A B');
    my %arguments;
    for my $start (@log) {
        my ($suite, $name, @words) = @$start;
        my ($dir, $testdir, $bindir, $tmpdir) = splice @words, -4;
        is($dir,                              $testdir,             "$suite $name starts in UB_TESTDIR");
        is($bindir,                           "$PLACE/$suite/pgms", "$suite $name has its own UB_BINDIR");
        is(index($tmpdir, "$PLACE/own/tmp/"), 0, "$suite $name has the scratch directory of the script");
        $arguments{$suite}{ join q{ }, $name, map { s/\Q$PLACE\E.*?(?=copy1|\/multi)//r } @words }++;
    }
    is_deeply($arguments{own}, $arguments{other}, 'both suites have the same arguments');
    is_deeply(
        [sort keys %{ $arguments{own} }],
        [
            'context1 10',
            'dhry2reg 10',
            'execl 30',
            (
                map {
                    my $part = $_;
                    map { "fstime $part -t 30 -d copy1 -b $_" } '1024 -m 2000', '256 -m 500', '4096 -m 8000'
                } qw(-c -r -w)
            ),
            'looper 60 /multi.sh 1',
            'looper 60 /multi.sh 8',
            'pipe 10',
            'spawn 30',
            'syscall 10',
            'whetstone-double none'
        ],
        'the arguments of the classic programs'
    );
    is_deeply(names_in("$PLACE/own/tmp"), [], 'nothing is left');
    is(scalar(() = content("$PLACE/out") =~ /^[|] whetstone-double N/mg), 0, 'no table: no row of a module');
};

# The table that the classic Whetstone has printed since 1996, with a column for each unit. A compiler has removed N4.
my $CLASSIC_TABLE = <<'END_OF_TABLE';
Loop content                  Result              MFLOPS      MOPS   Seconds

N1 floating point     -1.12398255667391900       1000.000              0.170
N2 floating point     -1.12187079889295430       1400.000              0.847
N3 if then else        1.00000000000000000                 8750.000    0.104
N4 fixed point        12.00000000000000000                    0.000    0.000
N5 sin,cos etc.        0.49902937281518178                  225.000    3.261
N6 floating point      0.99999987890802811       1125.000              4.220
N7 assignments         3.00000000000000000                 2390.000    0.681
N8 exp,sqrt etc.       0.75100163018453704                  162.000    2.026

MWIPS                                           7845.000             11.309
END_OF_TABLE

my $OWN_TABLE = <<'END_OF_TABLE';
Module                         Result         Speed             Seconds
N1 floating point        -1.123982556      1010.000 MFLOPS     0.167000
N2 floating point        -1.121870799      1400.000 MFLOPS     0.847000
N3 if then else           1.000000000      3205.000 MOPS       0.284000
N4 fixed point           12.000000000  94500000.000 MOPS       0.000001
N5 sin, cos etc.          0.499029373       225.000 MOPS       3.261000
N6 floating point         0.999999879      1125.000 MFLOPS     4.220000
N8 exp, sqrt etc.         0.751001630       162.000 MOPS       2.026000
END_OF_TABLE

subtest 'the modules of Whetstone, and the parts of the file tests' => sub {
    my $kb    = ['COUNT|2000|0|KBps TIME|10'];
    my %usual = (fstime => $kb, 'whetstone-double' => ['COUNT|5|0|MWIPS TIME|10']);
    make_suites({ other => \%usual, own => \%usual });
    write_file("$PLACE/other/prints.whetstone-double", $CLASSIC_TABLE);
    write_file("$PLACE/own/prints.whetstone-double",   $OWN_TABLE);
    my @tests = qw(whetstone-double fstime-w fstime-r fsdisk-w);
    is(ended(qw(--rounds 2 --seconds 1), "$PLACE/other", @tests), 1 << 8, 'a module is different: exit status 1');
    is(
        row('whetstone-double N1'),
        '1000.0 | 1010.0 | 1.0100 | 1.0100 to 1.0100 | equivalent; the interval excludes 1',
        'a module with other columns and units'
    );
    is(row('whetstone-double N2'), '1400.0 | 1400.0 | 1.0000 | 1.0000 to 1.0000 | equivalent', 'an equal module');
    like(row('whetstone-double N3'), qr/^8750[.]0 [|] 3205[.]0 .* different; the interval excludes 1$/, 'another loop');
    is(row('whetstone-double N4'), undef, 'a module that both compilers removed');
    is(
        row('whetstone-double N7'),
        'none | none | none | none | own: no speed',
        'a module that one suite does not print'
    );
    is(row($_), '2000.0 | 2000.0 | 1.0000 | 1.0000 to 1.0000 | equivalent', "$_ is a test of its own")
        for qw(fstime-w fstime-r fsdisk-w);
    my @parts = content("$PLACE/log") =~ /^own fstime (-\w -t \S+)/mg;
    is("@parts", join(q{ }, ('-w -t 1 -r -t 1 -w -t 1') x 2), 'the parts of the file tests run');
    unlike((content("$PLACE/out") =~ /(^[|] test [|] page faults.*)/ms)[0],
        qr/ N[1-8] /, 'a module has no work of its own');
};

subtest 'one round decides nothing' => sub {
    make_suites({});
    is(ended(qw(--rounds 1 --seconds 2), "$PLACE/other", qw(pipe dhry2reg)), 0,           'exit status 0');
    is(row('pipe'),  '1000.0 | 1000.0 | 1.0000 | none | not decided: measure longer',     'the row of a test');
    is(row('index'), 'none | none | none | none | incomplete: it needs all twelve tests', 'the row of the index');
    like(
        content("$PLACE/log"),
        qr/\Aother dhry2reg 2 .*\nown dhry2reg 2 .*\nother pipe 2 .*\nown pipe 2 .*\n\z/,
        'only these tests run, with these seconds'
    );
};

subtest 'programs that fail' => sub {
    make_suites(
        {
            other => {
                pipe     => ['COUNT|many|1|lps'],
                spawn    => ['a b|c'],
                fstime   => ['COUNT|9|0|KBps'],
                context1 => ['Hello COUNT|1000|1|lps TIME|1']
            },
            own => { syscall => ['COUNT|1000|1|lps TIME|1', 'exit3'], execl => ['kill'] },
        }
    );
    is(ended(qw(--rounds 3), "$PLACE/other", qw(pipe spawn syscall execl context1 fstime)), 1 << 8, 'exit status 1');
    my %reason = (
        pipe    => 'other: not a count: "COUNT\|many\|1\|lps"',
        spawn   => 'other: a',
        syscall => 'own: exit status 3',
        execl   => 'own: killed by SIGSEGV',
    );
    is(row($_), "none | none | none | none | $reason{$_}", "$_ is named without a number") for sort keys %reason;
    is(
        row('context1'),
        '1000.0 | 1000.0 | 1.0000 | 1.0000 to 1.0000 | equivalent',
        'other text on standard error is ignored'
    );
    is(scalar(() = content("$PLACE/log") =~ /^\S+ pipe /mg), 1, 'a test that failed is not run again');
    my ($work) = content("$PLACE/out") =~ /(^[|] test [|] page faults.*)/ms;
    like($work, qr/^[|] fstime [|] unknown [|]/m, 'work of a loop is unknown without a time');
    unlike($work, qr/^[|] pipe /m, 'a failed test has no work');
};

subtest 'wrong usage' => sub {
    make_suites({});
    unlink "$PLACE/other/pgms/execl";
    chmod 0644, "$PLACE/other/pgms/spawn";
    File::Path::make_path("$PLACE/empty/pgms");
    my $usage = 'usage: lab/equivalence-to [--rounds N] [--seconds S] DIRECTORY [TEST ...]';
    my @cases = (
        [[]                    => "the directory of a built UnixBench is missing; $usage"],
        [['--other', "$PLACE"] => "unknown option: other; $usage"],
        [["$PLACE/none"]       => "there is no directory $PLACE/none"],
        [["$PLACE/own/lab"]    => "$PLACE/own/lab is not a built UnixBench: it has no directory pgms"],
        [["$PLACE/empty"]      => "$PLACE/empty is not a built UnixBench: it has no directory testdir"],
        [["$PLACE/other"]      => "there is no program $PLACE/other/pgms/execl: build that suite first"],
        [
            ["$PLACE/other", 'spawn'] =>
                "$PLACE/other/pgms/spawn can't be executed: build that suite again, or correct its permissions"
        ],
        [
            ["$PLACE/other", 'grep'] => 'test grep is not one of these: ' . join q{ },
            map { /\Afs/ ? ("$_-w", "$_-r", $_) : $_ } UnixBench::Catalog::expand('index')
        ],
        [['--rounds',  '0',   '/'] => 'option --rounds needs a whole number from 1 to 1000, not "0"'],
        [['--seconds', '1.5', '/'] => 'option --seconds needs a whole number from 1 to 3600, not "1.5"'],
    );
    for my $case (@cases) {
        my ($words, $line) = @$case;
        is(ended(@$words),        2 << 8,                        "@$words: exit status 2");
        is(content("$PLACE/err"), "lab/equivalence-to: $line\n", "@$words: one line");
        is(content("$PLACE/out"), q{},                           "@$words: no output");
    }
    ok(!-e "$PLACE/log", 'nothing is run');
};

# Returns the processes of this test that are alive: the script, its guardian and programs.
sub processes {
    return of_environment("UB_TEST_OF_EQUIVALENCE=$PLACE");
}

for my $signal (qw(INT KILL)) {
    subtest "SIG$signal" => sub {
        make_suites({ own => { spawn => ['hang'] } });
        my $pid = started(qw(--rounds 2), "$PLACE/other", qw(pipe spawn));
        ok(eventually(sub { content("$PLACE/log") =~ /^own spawn/m }), 'a program hangs');
        kill $signal => $pid;
        waitpid $pid, 0;
        is($? & 127,    POSIX->can("SIG$signal")->(), 'the script ends by the signal');
        is(row('pipe'), '1000.0 | 1000.0 | 1.0000 | none | not decided: measure longer', 'prints what was measured')
            if $signal ne 'KILL';
        ok(eventually(sub { !processes() }),                     'no process is left');
        ok(eventually(sub { !@{ names_in("$PLACE/own/tmp") } }), 'no file is left');
    };
}

done_testing;
