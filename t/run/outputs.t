use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use FreshMachine;
use KnownRates qw(give_rates rated);
use LoadedRun;
use Needs   qw(skip_without);
use TestRun qw(waited);
use UnixBench::Base::Files;

# Without disturbances by other processes, which would make requirements inconclusive.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";

my @WORDS = (qw(-c 1 -i 3 syscall hanoi --require), 'syscall>=900');
my $TAP   = <<'END';
TAP version 13
1..3
# changed procedure: passes and pauses shortened to 0.001 of their length
ok 1 - System Call Overhead, 1 copy
# 1000.0 lps
ok 2 - Recursion Test -- Tower of Hanoi, 1 copy
# 7 lps
ok 3 - syscall>=900, 1 copy
# 1000.0 over all passes, 95 % interval 1000.0 to 1000.0
END

# Returns a place in which those words give that TAP.
sub place {
    my (%with) = @_;
    return rated({ syscall => [(1000) x 3], hanoi => [7] }, %with);
}

subtest '--tap' => sub {
    for my $words ([], ['-q'], ['-v']) {
        my $test = place();
        my $run  = $test->run('--tap', @$words, @WORDS);
        is_deeply([@$run{qw(status out)}], [0, $TAP], "standard output has only TAP, --tap @$words");
        like($run->{err}, qr/^Run: PASS syscall>=900/m, "verdicts are on standard error, --tap @$words");
        is(
            $run->{err} =~ /^1 x System Call Overhead/m ? 1 : 0,
            "@$words" eq '-q'                           ? 0 : 1,
            "progress is on standard error, except with -q: --tap @$words"
        );
        like(
            $test->report(q{}),
            qr/^System Call Overhead +1000[.]0 lps/m,
            "the report is written as usual, --tap @$words"
        );
    }
};

subtest '--tap on a fresh machine' => sub {
    skip_without(machine => 'root') if $> != 0;
    my $machine = FreshMachine->new(programs => ['apt-get']);
    my $run     = $machine->run(qw(--setup --tap -i 1 -c 1 pipe));
    is($run->{status}, 0, 'a run with --setup and --tap succeeds');
    like($run->{out}, qr/\ATAP version 13\n1[.][.]1\nok 1 - [^\n]+\n# [^\n]+\n\z/, 'standard output has only TAP')
        or diag $run->{said};
    is(scalar(grep { /\b(?:apt-get|make) / } @{ $run->{asked} }), 3, 'packages were installed and programs were built');
};

subtest 'prove' => sub {
    my $test = place();
    my $script =
        $test->write('test', 'benchmark', qq{exec "$^X" "$TestRun::HOME/Run" --tap @WORDS[0 .. 6] '$WORDS[7]'\n});
    my $run = waited($test->started_by('prove', '--exec', '/bin/sh', $script));
    is($run->{status}, 0, 'prove succeeds');
    like($run->{out}, qr/^Files=1, Tests=3, .*\nResult: PASS\n\z/m, 'prove counts all tests');
    give_rates($test, syscall => [(800) x 3], hanoi => [7]);
    $run = waited($test->started_by('prove', '--exec', '/bin/sh', $script));
    like($run->{out}, qr/Failed test: +3\n  Non-zero exit status: 3$/m, 'prove reports a failed requirement');
};

subtest 'reports on standard output' => sub {
    for my $kind (qw(json html junit)) {
        my $test = place();
        my $run  = $test->run("--$kind", q{-}, @WORDS);
        is($run->{status}, 0, "--$kind -");
        like($run->{err}, qr/^1 x System Call Overhead  1 2 3$/m, "--$kind -: the progress is on standard error");
        is($run->{out}, $test->report(".$kind"), "--$kind -: the same as in the file") if $kind ne 'junit';
        like(
            $run->{out},
            qr{\A<\?xml [^>]+>\n<testsuites [^>]+tests="3".*</testsuites>\n\z}s,
            "--$kind -: only the verdicts"
        ) if $kind eq 'junit';
    }
};

subtest 'closed and full standard output' => sub {
    for my $words (['--tap'], ['--json', q{-}], ['--html', q{-}], ['--junit', q{-}]) {
        my $test = place();
        my @run  = ($^X, "$TestRun::HOME/Run", '-q', @$words, @WORDS);
        my $run  = waited($test->started_by('/bin/sh', '-c', 'exec "$0" "$@" >&-', @run));
        is($run->{status}, 1, "@$words with closed standard output: exit status 1");
        like(
            $run->{err},
            qr/\ARun: can't write to standard output: it is closed\nRun: PASS [^\n]+\n\z/,
            "@$words with closed standard output: one message"
        );
        next if !-e '/dev/full';
        give_rates($test, syscall => [(1000) x 3], hanoi => [7]);
        $run = waited($test->started_by('/bin/sh', '-c', 'exec "$0" "$@" >/dev/full', @run));
        is($run->{status}, 1, "@$words with full standard output: exit status 1");
        like(
            $run->{err},
            qr/\ARun: can't write to standard output: No space left on device\nRun: PASS [^\n]+\n\z/,
            "@$words with full standard output: one message"
        );
    }
};

subtest 'each command with closed standard output' => sub {
    my $test   = TestRun->new;
    my $result = "$FindBin::Bin/../golden/report/json/partial.json";
    $test->write('test', $_, UnixBench::Base::Files::content($result)) for qw(a.json b.json);
    my @files = map { $test->place('test', "$_.json") } qw(a b);
    for my $words (
        ['--help'],          ['-h'],     ['--version'],        ['--list'],
        [qw(explain pipe)],  ['doctor'], [qw(--dry-run pipe)], ['report', $files[0]],
        ['compare', @files], ['rank']
        )
    {
        my @run = ($^X, "$TestRun::HOME/Run", @$words);
        my $run = waited($test->started_by('/bin/sh', '-c', 'exec "$0" "$@" >&-', @run));
        is($run->{status}, 1, "@$words: exit status 1");
        is(
            $run->{err} =~ s/^Run: also written: .*\n//mgr,
            "Run: can't write to standard output: it is closed\n",
            "@$words: one message"
        );
    }
};

subtest '--dry-run with outputs' => sub {
    my $test = TestRun->new;
    for my $words (['--tap'], ['--json', q{-}]) {
        my $run = $test->run('--dry-run', @$words, @WORDS);
        is_deeply([@$run{qw(status err)}], [0, q{}], "--dry-run @$words succeeds");
        like($run->{out}, qr/^1 parallel copy of tests, .*^In all about /ms, "--dry-run @$words prints the plan");
    }
};

done_testing();
