# The verdict that a run writes, and what check says about it.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Alive                          qw(eventually);
use KnownRates                     qw(give_rates measure_into rated);
use LoadedRun;
use Needs       qw(skip_without);
use TestProgram qw(write_file);
use TestRun     qw(waited);
use UnixBench::Accept::VerdictFile;
use UnixBench::Base::Files;

# Disturbances by other processes do not change the verdicts.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

my @USUAL = qw(-q -c 1 -i 3 syscall);
my @RATES = (990, 1000, 1010);
my $FOUND = '1000.0 (LOW to HIGH)';
my $OLD   = UnixBench::Accept::VerdictFile::text(
    { host => 'old', state => 'pass', reason => 'old', ended => time, indexes => [] });

# Takes a place; returns the path of its verdict.
sub file { my ($test) = @_; return $test->place('verdict') }

# Takes a place; returns the only block of its verdict.
sub block {
    my ($test)  = @_;
    my ($block) = UnixBench::Accept::VerdictFile::blocks(UnixBench::Base::Files::content(file($test)));
    return $block;
}

# Takes a place and words; runs them with --verdict. Returns the exit status of the run, the state and the reason of the
# verdict, and the exit status of check. How wide an interval is depends on the machine.
sub judged {
    my ($test, @words) = @_;
    my $run = $test->run(@words, '--verdict', file($test));
    my ($state, $reason) = @{ block($test) }{qw(state reason)};
    $reason =~ s/[(]\K[\d.]+ to [\d.]+/LOW to HIGH/;
    return [$run->{status}, $state, $reason, $test->run('check', file($test))->{status}];
}

subtest 'the verdict and the exit status agree' => sub {
    my $open  = 'the limit is within the interval';
    my @cases = (
        ['syscall>=900',  0, 'pass',         '1 requirement is met',                            0],
        ['syscall>=1e3',  4, 'inconclusive', "syscall>=1e3 (1 copy): 1000.0; $open",            1],
        ['syscall>=1100', 3, 'fail',         "syscall>=1100 (1 copy): $FOUND; below the limit", 2],
    );
    for my $case (@cases) {
        my ($requirement, @expected) = @$case;
        my $test = rated({ syscall => \@RATES });
        is_deeply(judged($test, @USUAL, '--require', $requirement), \@expected, $requirement);
    }
    my $test = rated({ syscall => \@RATES }, programs => { pipe => 'exit3' });
    is_deeply(
        judged($test, @USUAL, 'pipe', '--require', 'syscall>=1'),
        [1, 'unknown', 'Pipe Throughput (1 copy): exit status 3 (pass 1, copy 1)', 3],
        'a test that failed tells nothing about the machine, although the requirement is met'
    );
    $test = rated({ syscall => \@RATES }, programs => { pipe => 'exit3' });
    is_deeply(
        judged($test, @USUAL, 'pipe', '--require', 'syscall>=1100'),
        [1, 'fail', "syscall>=1100 (1 copy): $FOUND; below the limit", 2],
        'a machine that was measured as too slow is too slow, whatever else failed'
    );
    $test = rated({ syscall => \@RATES }, programs => { pipe => 'segfault' });
    is_deeply(
        judged($test, @USUAL, 'pipe', '--require', 'syscall>=1'),
        [1, 'fail', 'Pipe Throughput (1 copy): killed by SIGSEGV (pass 1, copy 1)', 2],
        'a machine that was measured, and on which a program crashes, is broken'
    );
    for my $program (qw(exit3 segfault)) {
        $test = TestRun->new(programs => { syscall => $program });
        my $broken = judged($test, @USUAL, '--require', 'syscall>=1');
        is_deeply([@$broken[0, 1, 3]], [1, 'unknown', 3], "a machine that was not measured is unknown: $program");
    }
    $test = rated({ syscall => [1000, @RATES] });    # the first pass warms up
    my $quick = judged($test, qw(-q --quick -c 1 --max-time 0.1 --precision 0.0001 syscall --require syscall>=1));
    is_deeply([@$quick[0, 1, 3]], [4, 'inconclusive', 1], 'a quick run without the wanted precision is inconclusive');
    like($quick->[2], qr/precision/, 'the reason is the precision');
};

subtest 'the verdict replaces an older one as a whole' => sub {
    my $test = rated({ syscall => \@RATES });
    write_file(file($test), $OLD);
    link file($test), $test->place('older') or die "link: $!\n";
    my $before = time;
    $test->run(@USUAL, qw(--require syscall>=900 --verdict), file($test));
    my $block = block($test);
    is(UnixBench::Base::Files::content($test->place('older')), $OLD, 'the older file is not written to');
    is_deeply([glob $test->place('verdict*')], [file($test)], 'no temporary file is left');
    cmp_ok($block->{ended}, '>=', $before, 'the time is the end of the run')
        && cmp_ok($block->{ended}, '<=', time, 'the time is not later than now');
    $test->run(@USUAL, qw(--dry-run --require syscall>=900 --verdict), $test->place('none'));
    ok(!-e $test->place('none'), '--dry-run writes no verdict');
};

subtest 'standard output' => sub {
    my $test = rated({ syscall => \@RATES });
    my $run  = $test->run(@USUAL, qw(--require syscall>=900 --no-identity --verdict -));
    my @said = UnixBench::Accept::VerdictFile::blocks($run->{out});
    is_deeply(
        [map { @$_{qw(host state)} } @said],
        ['anonymous', 'pass'],
        'the verdict is the only text on standard output'
    );
};

subtest 'an existing result' => sub {
    my $test = rated({});
    my $page = measure_into($test, 'last', \@RATES);
    my $time = time - 1000;
    is_deeply(
        judged($test, 'report', $page, qw(--require syscall>=1100)),
        [3, 'fail', "syscall>=1100 (1 copy): $FOUND; below the limit", 2],
        'report judges an existing result'
    );
    my ($ended) = $test->data =~ /"ended":([0-9]+)/;
    is(block($test)->{ended}, $ended, 'the time is the end of the measured run');
};

subtest 'another file that cannot be written' => sub {
    skip_without(machine => '/dev/full') if !-e '/dev/full';
    my $test = rated({ syscall => \@RATES });
    is_deeply(
        judged($test, @USUAL, qw(--require syscall>=900 --json /dev/full)),
        [1, 'inconclusive', q{can't write /dev/full: No space left on device}, 1],
        'a run that failed does not pass'
    );
    give_rates($test, syscall => \@RATES);
    my $run = $test->run(@USUAL, qw(--require syscall>=900 --verdict /dev/full));
    is_deeply(
        [$run->{status}, $run->{err} =~ /(can't .*)/],
        [1,              q{can't write /dev/full: No space left on device}],
        'a verdict that cannot be written fails the run'
    );
};

# Takes a place and words; starts a run, sends it the signal in its third pass, and waits. Returns the name of the run.
sub ended_by {
    my ($signal, $test, @words) = @_;
    my $run = $test->started(@USUAL, @words);
    eventually(sub { $test->report('.journal') =~ /"pass".*"pass"/s });
    kill $signal => $run->{pid};
    waited($run);
    my ($name) = map { s/[.]journal\z//r } grep { /[.]journal\z/ } $test->reports;
    return $name;
}

subtest 'an interrupted run' => sub {
    my $test = rated({ syscall => [990, 1000] });
    write_file(file($test), $OLD);
    my $name  = ended_by(TERM => $test, qw(--require syscall>=900 --verdict), file($test));
    my $block = block($test);
    is($block->{state}, 'inconclusive', 'an interrupted run does not pass');
    like($block->{reason}, qr/interrupted/, 'the reason is the interruption');
    give_rates($test, syscall => [1010]);
    is_deeply(
        judged($test, '-q', '--resume', $name),
        [0, 'pass', '1 requirement is met', 0],
        'the requirements apply to the resumed run'
    );
};

subtest 'kill -9' => sub {
    my $test = rated({ syscall => [990, 1000] });
    write_file(file($test), $OLD);
    my $name = ended_by(KILL => $test, '--verdict', file($test), qw(--require syscall>=900));
    is(UnixBench::Base::Files::content(file($test)), $OLD, 'the older verdict stays, and its age tells');
};

subtest 'wrong usage' => sub {
    my $test = rated({ syscall => [990, 1000] });
    my $run  = $test->run(@USUAL, '--verdict', file($test));
    is_deeply(
        [@$run{qw(status err)}],
        [2, "Run: option --verdict needs --require\n"],
        'a verdict without requirements is refused'
    );
    my $name = ended_by(TERM => $test);
    $run = $test->run('-q', '--resume', $name, '--verdict', file($test));
    is($run->{status}, 1, 'a resumed run without requirements is refused');
    like(
        $run->{err},
        qr/^Run: option --verdict needs --require, which the interrupted run did not have$/m,
        'the reason names the interrupted run'
    );
    ok(!-e file($test), 'no file is made');
};

done_testing;
