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

my @WORDS = qw(-c 1 -i 3 syscall hanoi);

# Returns a place in which those words give known rates.
sub place {
    my (%with) = @_;
    return rated({ syscall => [(1000) x 3], hanoi => [7] }, %with);
}

subtest 'a report on standard output' => sub {
    for my $words ([], ['-q'], ['-v']) {
        my $test = place();
        my $run  = $test->run(qw(--json -), @$words, @WORDS);
        is($run->{status}, 0,                      "exit status 0: @$words");
        is($run->{out},    $test->report('.json'), "standard output has only the report, as in the file: @$words");
        is(
            $run->{err} =~ /^1 x System Call Overhead/m ? 1 : 0,
            "@$words" eq '-q'                           ? 0 : 1,
            "progress is on standard error, except with -q: @$words"
        );
        like($test->report(q{}), qr/^System Call Overhead +1000[.]0 lps/m, "the text is written as usual: @$words");
    }
    my $test = place();
    my $run  = $test->run(qw(--html -), @WORDS);
    is($run->{out}, $test->report('.html'), '--html -: the same as in the file');
};

subtest 'a report on standard output of a fresh machine' => sub {
    skip_without(machine => 'root') if $> != 0;
    my $machine = FreshMachine->new(programs => ['apt-get']);
    my $run     = $machine->run(qw(--setup --json - -i 1 -c 1 pipe));
    is($run->{status}, 0, 'a run with --setup succeeds');
    like($run->{out}, qr/\A[{].*[}]\n\z/s, 'standard output has only the report') or diag $run->{said};
    is(scalar(grep { /\b(?:apt-get|make) / } @{ $run->{asked} }), 3, 'packages were installed and programs were built');
};

subtest 'closed and full standard output' => sub {
    for my $words (['--json', q{-}], ['--html', q{-}]) {
        my $test = place();
        my @run  = ($^X, "$TestRun::HOME/Run", '-q', @$words, @WORDS);
        my $run  = waited($test->started_by('/bin/sh', '-c', 'exec "$0" "$@" >&-', @run));
        is($run->{status}, 1, "@$words with closed standard output: exit status 1");
        like(
            $run->{err},
            qr/\ARun: can't write to standard output: it is closed\n\z/,
            "@$words with closed standard output: one message"
        );
        next if !-e '/dev/full';
        give_rates($test, syscall => [(1000) x 3], hanoi => [7]);
        $run = waited($test->started_by('/bin/sh', '-c', 'exec "$0" "$@" >/dev/full', @run));
        is($run->{status}, 1, "@$words with full standard output: exit status 1");
        like(
            $run->{err},
            qr/\ARun: can't write to standard output: No space left on device\n\z/,
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
        ['--help'], ['-h'], ['--version'], ['--list'], [qw(explain pipe)], [qw(--dry-run pipe)],
        ['report',  $files[0]],
        ['compare', @files]
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
    my $run  = $test->run(qw(--dry-run --json -), @WORDS);
    is_deeply([@$run{qw(status err)}], [0, q{}], '--dry-run --json - succeeds');
    like($run->{out}, qr/^1 parallel copy of tests, .*^In all about /ms, '--dry-run --json - prints the plan');
};

done_testing();
