use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../accept/t/lib ../../../t/lib);
use CommandLines                   qw(are_refused);
use Fixture                        qw(failed measured result run skipped);
use Requested                      qw(context);
use Verdicts                       qw(@RATES certainty judged official quick);
use Guide                          qw(block);
use Needs                          qw(path_of skip_without);
use Place                          qw(content text_of touch write_file write_program);
use TestRun;
use UnixBench::Bisect::Judge;
use UnixBench::CLI::Options ();
use UnixBench::Command      ();
use UnixBench::Score::StopRule;

# Verdicts on commits: how certain they are, when a quick run may end, what no commit can decide, and the option.

# [words, run, requirements, verdicts and whether they are certain]. A requirement that is not met ends a bisection.
my @CASES = (
    ['--quick --bisect pipe', quick(@RATES),       ['pipe>=985']               => 'INCONCLUSIVE open'],
    ['--quick --bisect pipe', quick(@RATES),       ['pipe>=1015']              => 'INCONCLUSIVE open'],
    ['--quick --bisect pipe', quick((@RATES) x 6), ['pipe>=985']               => 'PASS certain'],
    ['--quick --bisect pipe', quick((@RATES) x 6), ['pipe>=1015']              => 'FAIL certain'],
    ['--bisect pipe',         official(),          ['pipe>=993']               => 'INCONCLUSIVE open'],
    ['--bisect pipe',         official(),          ['pipe>=987']               => 'PASS certain'],
    ['--quick --bisect pipe', quick((@RATES) x 2), ['pipe>=998', 'pipe>=2000'] => 'INCONCLUSIVE FAIL certain'],
);
for my $case (@CASES) {
    my ($words, $run, $requirements, $expected) = @$case;
    is(certainty($words, $run, @$requirements), $expected, "$words, @$requirements: $expected");
}

subtest 'the errors of all looks add up to 0.1 %' => sub {
    my $error = sub {
        my ($number, $rounds) = @_;
        my $judge = context(join q{ }, '-c 1 --quick --bisect pipe', map { "--require pipe>=$_" } 1 .. $number)->judge;
        return 1 - { $judge->look({ rounds => $rounds }) }->{covered};
    };
    my ($sum, $rounds) = (0.0005, 24);
    for (1 .. 40) {
        $sum += $error->(1, $rounds);
        $rounds = UnixBench::Score::StopRule::next_look($rounds + 1, 1);
    }
    cmp_ok($sum,                                           '<', 0.001,   'no more than that');
    cmp_ok($sum,                                           '>', 0.00098, 'and hardly less');
    cmp_ok(abs($error->(3, 36) * 3 / $error->(1, 36) - 1), '<', 1e-6,    'three requirements share the error');
};

subtest 'a quick run for a bisection has no precision' => sub {
    my $request = context('--quick --bisect --require pipe>=1 --seed 3 pipe');
    ok(!exists $request->quick->{precision}, 'no goal');
    like($request->plan_in_words, qr/ until the verdict is certain, 50 s to /, 'the plan says when it ends');
    is(context('--quick --require pipe>=1 pipe')->quick->{precision}, 0.02, 'another quick run has one');
};

subtest 'what is the same for every commit' => sub {
    my $pipe    = measured('pipe', 1, 1000, 1010, 990);
    my $crashed = failed('pipe', 'killed by SIGSEGV');
    my $missing = { %$crashed, passes => [{ copies => [{ status => 127, signal => 0 }], error => 'x', where => 'y' }] };
    my $no_display = skipped('2d-rects', 'skipped: no X display; set DISPLAY or install xvfb');

    # [what the run asked for, a test, requirement, whether no commit can be decided].
    my @rows = (
        (map { ['pipe', $pipe, "pipe>=$_", 0] } 1, 100, 1e9),
        ['pipe',     $crashed,                  'pipe>=1',     0],
        ['pipe',     $missing,                  'pipe>=1',     1],
        ['2d-rects', $no_display,               undef,         1],
        ['all',      $no_display,               undef,         0],
        ['all',      $no_display,               '2d-rects>=1', 1],
        ['pipe',     measured('pipe', 1, 1000), 'pipe>=1',     1],
    );
    for my $row (@rows) {
        my ($asked, $test, $required, $is_same) = @$row;
        my @cases = judged(result([run(1, $test)], asked => [$asked]), [1], map { $_ => undef } $required // ());
        my $what  = join ', ', "asked: $asked", $test->{reason} // $test->{status}, $required // ();
        is(UnixBench::Bisect::Judge::has_undecidable(@cases) ? 1 : 0, $is_same, "$what: $is_same");
    }
};

are_refused(
    ['--bisect pipe' => 'option --bisect needs --require'],
    (
        map { ["$_->[0] --bisect --require pipe>=1 pipe" =>
                "options --bisect and $_->[1] contradict each other: leave out one of them"
        ] } ['--quick --precision 2' => '--precision'],
        ['--dry-run' => '--dry-run']
    ),
);
my ($given, $lasting) = map { UnixBench::Command::parse(split q{ }, $_) } '--resume r --bisect', 'pipe';
eval { UnixBench::CLI::Options::check_resumed(UnixBench::Command::declaration(), $given, $lasting) };
is($@, "option --bisect needs --require, which the interrupted run did not have\n", 'a new bisection is refused');
is(eval { context('--bisect --require trust>=good pipe')->judge->check }, undef,    'so is a requirement on trust');
is($@, qq{requirement "trust>=good": trust says nothing about a commit\n},          'with the reason');

# The scripts of docs/kernels.md, with a fake kernel: a file of the tree that says how fast the fake program is. To
# reboot is to copy the files of the tree.

skip_without(tool => 'git') if !path_of('git');

my $GUIDE = text_of("$TestRun::HOME/docs/kernels.md");

# Commit 4 of these makes the program slower. One before it does not build, and the test fails with one after it.
my $HISTORY = <<'END';
git init -q tree && cd tree && git config user.name A && git config user.email a@example.org
for number in 1 2 3 4 5 6 7 8; do
    rm -f unbuilt fails
    case $number in 2) touch unbuilt ;; 6) touch fails ;; esac
    case $number in [123]) rate=1000000 ;; *) rate=950000 ;; esac
    echo $rate > rate && echo $number > number && git add -A && git commit -qm "commit $number" || exit
done
git bisect start HEAD HEAD~7
END

# The programs that the scripts call.
my %FAKE = (
    'make' => <<'END_OF_MAKE',
case $* in
*kernelrelease*) for word; do case $word in LOCALVERSION=*) echo "6.18.0${word#*=}" ;; esac; done ;;
*modules_install*) ;;
*) [ ! -e unbuilt ] ;;
esac
END_OF_MAKE
    'boot-once' => <<'END_OF_BOOT',
echo boot >> "$PLACE/boots"
[ -e panics ] || { rm -f "$PLACE"/booted/*; cp * "$PLACE/booted"; echo "$1" > "$PLACE/booted/release"; }
END_OF_BOOT
    'uname' => 'cat "$PLACE/booted/release"',
    'sleep' => ':',
    'sync'  => ':',
    'vng'   => <<'END_OF_VNG',
rm -f "$PLACE"/booted/*; cp * "$PLACE/booted"
for command; do :; done
[ -e panics ] || sh -c "$command"
END_OF_VNG
);

# Passes the gate, and counts what the file "rate" in UB_TREE says, with noise: the next line of the file UB_NOISE, a
# difference of logarithms. Ends with exit status 3 if the tree has a file "fails".
my $NOISY = "#!/usr/bin/env perl\nuse lib '$TestRun::HOME/t/lib';\n" . <<'END';
use FakeGate;
FakeGate::pass();
exit 3 if -e "$ENV{UB_TREE}/fails";
open my $tree,  '<',   "$ENV{UB_TREE}/rate"   or die "rate: $!\n";
open my $taken, '+>>', "$ENV{UB_NOISE}.taken" or die "taken: $!\n";
open my $noise, '<',   $ENV{UB_NOISE}         or die "noise: $!\n";
seek $noise, -s $taken, 0;
print {$taken} 'x' x 12;    # the bytes of a line
printf {*STDERR} "COUNT|%d|1|lps\nTIME|1\n", <$tree> * exp <$noise>;
END

# Returns a place with the history and the script that begins with this comment. The directories of the guide are those
# of the place.
sub prepared {
    my ($beginning) = @_;
    my $test = TestRun->new(programs => { pipe => undef });
    write_program($test->place('bin', 'pipe'), $NOISY);
    my $place = $test->place;
    mkdir "$place/$_" or die "$_: $!\n" for qw(booted fakes lib log);
    write_program("$place/fakes/$_", "#!/bin/sh\n$FAKE{$_}\n") for keys %FAKE;
    write_file("$place/noise", join q{}, map { sprintf "%+11.8f\n", 0.005 * sin 2.4 * $_ } 1 .. 5000);
    my $script = block($GUIDE, $beginning) =~ s{/opt/unixbench/Run}{$^X $TestRun::HOME/Run}r;
    $script =~ s{/usr/src/linux}{$place/tree};
    $script =~ s{/var/(?=lib|log|tmp)}{$place/}g;
    $script =~ s/pipe>=1267500/pipe>=975000/ or die "no requirement\n";
    write_program("$place/script", $script);
    my %tree = (UB_TREE => "$place/booted", UB_NOISE => "$place/noise", HOME => $place, PLACE => $place);
    my $load = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";
    $test->{env} = { %tree, PATH => "$place/fakes:$ENV{PATH}", PERL5OPT => $load, GIT_CONFIG_NOSYSTEM => 1 };
    shell($test, $HISTORY);
    return $test;
}

# Runs a command of the shell in the place; returns its output.
sub shell {
    my ($test, $command) = @_;
    local $test->{cwd} = $test->place;
    return TestRun::waited($test->started_by('sh', '-c', $command))->{out};
}

# Calls the script at each boot, until it has an answer. Returns what git printed at the end.
sub rebooted {
    my ($test) = @_;
    for (1 .. 20) {
        my $boots = -s $test->place('boots') // 0;
        shell($test, './script');
        last if (-s $test->place('boots') // 0) == $boots;
    }
    return content($test->place('log/bisect-step.git'));
}

subtest 'a machine that reboots' => sub {
    my $test = prepared('# bisect-step:');
    like(rebooted($test), qr/is the first bad commit\n.*^ +commit 4$/ms,          'the slow kernel is found');
    like(content($test->place('log/bisect-step')), qr/^Run: FAIL pipe>=975000 /m, 'the verdicts are in the log');
};

subtest 'a kernel that does not boot' => sub {
    my $test = prepared('# bisect-step:');
    touch($test->place('tree/panics'));
    shell($test, './script');
    unlink $test->place('tree/panics');
    write_file($test->place('booted/release'), "6.1.0-usual\n");
    shell($test, './script');
    like(shell($test, 'cd tree && git bisect log'), qr/^git bisect skip/m, 'is skipped');
};

subtest 'a virtual machine' => sub {
    my $test = prepared('# vm-step:');
    my $out  = shell($test, 'cd tree && git bisect run sh ../script 2>&1');
    like($out, qr/is the first bad commit\n.*^ +commit 4$/ms, 'the slow kernel is found') || diag $out;
};

done_testing;
