use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use FreshMachine;
use KnownRates qw(give_rates measure_into rated);
use LoadedRun;
use Needs qw(skip_without);
use PseudoTerminal;
use TerminalRun qw(ended started_on);
use TestRun     qw(waited);
use UnixBench::Accept::VerdictFile;
use UnixBench::Base::Files;

# Disturbances by other processes do not change the verdicts.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

my @USUAL = qw(-q -c 1 -i 3);
my @RATES = (990, 1000, 1010);
my $FOUND = '1000.0 (LOW to HIGH)';
my $OPEN  = 'the limit is within the interval';

# Requirements for the rates of syscall and pipe => exit status, verdicts.
my @DECIDED = (
    [['syscall>=900'] => 0, "PASS syscall>=900 (1 copy): $FOUND"],
    [['syscall>=1e3'] => 4, "INCONCLUSIVE syscall>=1e3 (1 copy): $FOUND; $OPEN"],
    [
        ['syscall>=1000', 'syscall>=2000', 'pipe>=1'] => 3,
        "INCONCLUSIVE syscall>=1000 (1 copy): $FOUND; $OPEN",
        "FAIL syscall>=2000 (1 copy): $FOUND; below the limit",
        'PASS pipe>=1 (1 copy): 500.0 (LOW to HIGH)'
    ],
);

# Takes the end of a run; returns its exit status and errors. How wide an interval is depends on the machine.
sub ended_of {
    my ($run) = @_;
    return [$run->{status}, $run->{err} =~ s/[(]\K[\d.]+ to [\d.]+/LOW to HIGH/gr];
}

# Returns lines as they are printed on standard error.
sub lines {
    return join q{}, map { "Run: $_\n" } @_;
}

# Returns the words of the command line for these requirements.
sub required {
    return map { ('--require', $_) } @_;
}

for my $case (@DECIDED) {
    my ($requirements, $status, @verdicts) = @$case;
    my $test = rated({ syscall => \@RATES, pipe => [(500) x 3] });
    my $run  = $test->run(@USUAL, qw(syscall pipe), required(@$requirements));
    is_deeply(ended_of($run), [$status, lines(@verdicts)], "required: @$requirements");
    is($run->{out}, '=' x 72 . "\n" . $test->report(q{}), 'the report is printed as usual');
}

subtest 'one pass' => sub {
    my $test = rated({ syscall => [1000] });
    my $run  = $test->run(qw(-q -c 1 -i 1 syscall), required('syscall>=1'));
    my $line =
        'INCONCLUSIVE syscall>=1 (1 copy): 1000.0; one pass does not show the spread; measure more (-i, --max-time)';
    is_deeply([@$run{qw(status err)}], [4, lines($line)], 'a single pass is inconclusive');
};

subtest 'precedence of exit statuses' => sub {
    my $test    = rated({ syscall => \@RATES }, programs => { pipe => 'exit3' });
    my $why     = 'exit status 3 (pass 1, copy 1)';
    my $aborted = qq{"Pipe Throughput": $why; aborting this test};
    my $run     = $test->run(@USUAL, qw(syscall pipe), required('syscall>=2000'));
    is_deeply(
        ended_of($run),
        [1, lines($aborted, "FAIL syscall>=2000 (1 copy): $FOUND; below the limit")],
        'a failed test has precedence over a failed requirement'
    );
    give_rates($test, syscall => \@RATES);
    $run = $test->run(@USUAL, qw(syscall pipe), required('pipe>=1', 'syscall>=1000'));
    is_deeply(
        ended_of($run),
        [
            1,
            lines(
                $aborted,
                qq{INCONCLUSIVE pipe>=1 (1 copy): "Pipe Throughput": $why},
                "INCONCLUSIVE syscall>=1000 (1 copy): $FOUND; $OPEN"
            )
        ],
        'a failed test that is required has precedence, too'
    );
    is($test->run(@USUAL, qw(syscall pipe), required('pips>=1'))->{status}, 2, 'wrong usage has precedence over all');
};

# A wrong requirement is reported before anything starts: no file is made, and no program is started or built.
subtest 'wrong usage' => sub {
    my $test = TestRun->new;
    $test->write('test', 'text', "neither\n");
    $test->write('test', 'json', '{"a":1}');
    my $place   = $test->place('test');
    my %refused = (
        "syscall>=1*$place/none" => "there is no file $place/none",
        "syscall>=1*$place/text" => "$place/text is not a result: neither JSON nor a report",
        "syscall>=1*$place/json" => "$place/json is not a result: JSON, but not from UnixBench",
        "syscall>=1*$place"      => join("\n",
            "$place has no results",
            "$place/json is not a result: JSON, but not from UnixBench",
            "$place/text is not a result: neither JSON nor a report"),
        "a\e[31m\nb>=1" => 'requirement "a\x1b[31m\nb>=1": unknown name "a\x1b[31m\nb"; names are index, '
            . '2d-index, 3d-index and the tests of ./Run --list',
    );
    for my $requirement (sort keys %refused) {
        my $run = $test->run(@USUAL, 'syscall', required('syscall>=1', $requirement));
        is_deeply(
            [@$run{qw(status out err)}],
            [2, q{}, "Run: $refused{$requirement}\n"],
            'a wrong requirement is refused'
        );
    }
    is_deeply([$test->reports, $test->left], [], 'no report and no scratch file is made');
    my $machine = FreshMachine->new(programs => ['cc', 'make'], things => ['perl']);
    my $run     = $machine->run(@USUAL, 'syscall', required("syscall>=1*$place/none"));
    is_deeply(
        [@$run{qw(status err)}, @{ $run->{asked} }],
        [2,                     "Run: $refused{qq{syscall>=1*$place/none}}\n"],
        'no program is built'
    );
};

subtest 'a requirement relative to another result' => sub {
    my $test = rated({});
    measure_into($test, 'last week', [(1000) x 3]);
    give_rates($test, syscall => \@RATES);
    local $test->{cwd} = $test->place('results');
    my $run =
        $test->run(@USUAL, 'syscall', required('syscall >= 0.9 * last week.html', 'syscall>=1.1*./last week.html'));
    is($run->{status}, 3, 'the file is relative to the directory of the caller');
    my $pass = quotemeta "PASS syscall >= 0.9 * last week.html (1 copy): $FOUND";
    my $fail = quotemeta "FAIL syscall>=1.1*last week.html (1 copy): $FOUND; below the limit, 1100.0";
    like(ended_of($run)->[1], qr/\ARun: $pass\nRun: $fail\n\z/, 'the verdicts name the limit');
};

subtest 'a requirement on a quick run relative to an official result' => sub {
    my $test = TestRun->new;
    my $file = measure_into($test, 'official', [1000, 1001, 999]);
    give_rates($test, syscall => [(1000, 1001, 999) x 20]);
    my @words = (qw(-q --quick -c 1 syscall), required("syscall>=2*$file"));
    my $run   = $test->run(@words);
    is($run->{status}, 4, 'a value far below the limit does not fail, and is inconclusive');
    like(
        $run->{err},
        qr/^Run: INCONCLUSIVE .*; a quick estimate never fails against an official result$/m,
        'the verdict has the reason'
    );
    is($test->run(qw(-q --quick -c 1 syscall), required("syscall>=0.9*$file"))->{status}, 0, 'a value above it passes');
};

subtest 'a requirement relative to a result of another procedure' => sub {
    my $test = TestRun->new;
    my $file = measure_into($test, 'shorter', [(1000) x 3]);
    $test->{env}{UB_TIME_FACTOR} = '0.002';
    my @before = $test->reports;
    my @words  = (@USUAL, 'syscall', required("syscall>=0.5*$file"));
    my $run    = $test->run(@words);
    my $why    = 'length of passes (UB_TIME_FACTOR): 0.002 in this run, 0.001 in ' . $file;
    is_deeply(
        [@$run{qw(status out err)}],
        [2, q{}, "Run: $file can't be compared with this run: $why; use --force to compare them anyway\n"],
        'a result of another procedure is refused'
    );
    is($test->run(@words, '--dry-run')->{err}, $run->{err}, '--dry-run refuses it, too');
    is_deeply([$test->reports], \@before, 'no report is made');
    give_rates($test, syscall => \@RATES);
    $run = $test->run(@words, '--force');
    is($run->{status}, 0, '--force accepts a result of another procedure');
};

subtest 'a skipped test' => sub {
    my $test = TestRun->new;
    my $run  = $test->run(qw(-q -i 1 -c 2 -c 1 hanoi 2d-rects), required('2d-rects>=1'));
    my $why  = 'there is no program gfx-x11';
    like(
        $run->{err},
        qr/^Run: INCONCLUSIVE 2d-rects>=1 \(1 copy\): "2D[^"]+": skipped: $why$/m,
        'a requirement for a skipped test is inconclusive'
    );
    is($run->{status},                                     1, 'a skipped test that was asked for: exit status 1');
    is(scalar(() = $run->{err} =~ /^Run: INCONCLUSIVE/mg), 1, 'the requirement is judged only for one copy');
};

subtest 'requirements for an existing result' => sub {
    my $test = rated({});
    my $file = measure_into($test, 'last', \@RATES);
    my %said = (
        'syscall>=1000' => [4, "INCONCLUSIVE syscall>=1000 (1 copy): $FOUND; $OPEN"],
        'syscall>=2000' => [3, "FAIL syscall>=2000 (1 copy): $FOUND; below the limit"],
    );
    for my $requirement (sort keys %said) {
        my $run = $test->run('report', $file, required($requirement));
        my ($status, $line) = @{ $said{$requirement} };
        is_deeply(ended_of($run), [$status, lines($line)], $requirement);
        is($run->{out}, $test->report(q{}), "$requirement: the report is printed");
    }
    my $run = $test->run('report', $file, required('pipe>=1'));
    is($run->{status}, 2, 'a requirement for a test that the result does not have is refused');
};

subtest 'requirements for several results of one machine' => sub {
    my $test  = rated({});
    my @names = map { "run $_" } 1 .. 3;
    my @texts;
    for my $name (@names) {
        measure_into($test, $name, \@RATES);
        push @texts, UnixBench::Base::Files::content($test->place('results', $name));
    }
    my $found = '1000.0 (LOW to HIGH)';
    my $open  = $OPEN;
    my %said  = (
        'syscall>=900'  => [0, "PASS syscall>=900 (1 copy): $found"],
        'syscall>=1000' => [4, "INCONCLUSIVE syscall>=1000 (1 copy): $found; $open"],
        'syscall>=1100' => [3, "FAIL syscall>=1100 (1 copy): $found; below the limit"],
    );
    my $verdict = $test->place('verdict');
    for my $requirement (sort keys %said) {
        my $run = $test->run('report', @names, required($requirement), '--verdict', $verdict);
        my ($status, $line) = @{ $said{$requirement} };
        is_deeply(ended_of($run), [$status, lines($line)], $requirement);
        is($run->{out}, join(q{}, @texts), "$requirement: the report of each is printed");
    }
    my ($block) = UnixBench::Accept::VerdictFile::blocks(UnixBench::Base::Files::content($verdict));
    is($block->{state}, 'pass', 'the verdict file has one block for all');
    my $run = $test->run('report', @names, required('syscall>=900'), '--junit', '-');
    like($run->{out}, qr{\A<\?xml [^>]+>\n<testsuites [^>]+tests="4".*</testsuites>\n\z}s, 'so has JUnit one document');
    if (PseudoTerminal->new(80)) {
        local $test->{env}{TERM} = 'xterm';
        my $shown =
            started_on($test, 80, [0 .. 2], $^X, "$TestRun::HOME/Run", 'report', @names, required('syscall>=900'));
        is(ended($shown)->{status}, 0, 'on a terminal: exit status 0');
        my @parts = $shown->{terminal}->seen =~ /^(   BYTE|Index +1 copy|Run: PASS)/mg;
        is_deeply(
            \@parts,
            [('   BYTE', 'Index      1 copy') x 3, 'Run: PASS'],
            'each report has its block, and the verdict is the last'
        );
    }
    my %refused = (
        'they are printed alone'   => [[@names], 'report takes one result, not 3'],
        'other outputs are of one' =>
            [[@names, '--html', 'x', required('syscall>=1')], 'option --html writes one result, not 3'],
        'a run that is given twice' =>
            [[@names[0, 0], required('syscall>=1')], 'run 1 and run 1 are the same run: leave out one of them'],
        'a test that one of them does not have' =>
            [[@names, required('pipe>=1')], 'requirement "pipe>=1": the test "pipe" is not in run 1'],
    );
    for my $what (sort keys %refused) {
        my ($words, $why) = @{ $refused{$what} };
        my $run = $test->run('report', @$words);
        is_deeply([$run->{status}, $run->{out}, (split /\n/, $run->{err})[0]], [2, q{}, "Run: $why"], $what);
    }
};

subtest 'files that cannot be written' => sub {
    my $test = rated({ syscall => [(1000) x 3] });
    my $here = $test->place('test');
    my $fifo = "$here/fifo";
    system('mkfifo', $fifo) == 0 or die "mkfifo: $?\n";
    my %why = ("$here/none/x" => 'No such file or directory', $fifo => 'it is a pipe (FIFO); give a file');
    for my $path (sort keys %why) {
        for my $option (qw(--junit --verdict)) {
            my $run = $test->run(@USUAL, 'syscall', required('syscall>=1'), $option, $path);
            is_deeply([@$run{qw(status out err)}], [2, q{}, "Run: can't write $path: $why{$path}\n"], "$option $path");
        }
    }
    skip_without(machine => '/dev/full') if !-e '/dev/full';
    my $run = $test->run(@USUAL, 'syscall', required('syscall>=900'), '--json', '/dev/full');
    my @met = 'PASS syscall>=900 (1 copy): 1000.0 (LOW to HIGH)';
    is_deeply(
        ended_of($run),
        [1, lines(@met, "can't write /dev/full: No space left on device")],
        'a report on a full device: the verdict is printed'
    );
};

subtest 'verdicts on standard output' => sub {
    my $test = rated({ syscall => \@RATES });
    my $run  = $test->run(qw(--junit - -c 1 -i 3 syscall), required('syscall>=900'));
    is($run->{status}, 0, 'exit status 0');
    like(
        $run->{out},
        qr{\A<\?xml [^>]+>\n<testsuites [^>]+tests="2".*</testsuites>\n\z}s,
        'standard output has only the verdicts'
    );
    like($run->{err}, qr/^1 x System Call Overhead  1 2 3$/m, 'the progress is on standard error');
    like($run->{err}, qr/^\QRun: PASS syscall>=900\E/m,       'so are the verdicts');
    give_rates($test, syscall => \@RATES);
    my @words = ($^X, "$TestRun::HOME/Run", @USUAL, qw(--junit - syscall), required('syscall>=900'));
    $run = waited($test->started_by('/bin/sh', '-c', 'exec "$0" "$@" >&-', @words));
    is($run->{status}, 1, 'a closed standard output: exit status 1');
    like(
        $run->{err},
        qr/\ARun: can't write to standard output: it is closed\nRun: PASS [^\n]+\n\z/,
        'a closed standard output: one message and the verdict'
    );
};

done_testing();
