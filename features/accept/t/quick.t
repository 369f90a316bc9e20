# Requirements of quick runs, and of runs that measure several states.

use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib);
use InTurns ();
use LoadedRun;
use TerminalRun qw(ended started_on until_seen);
use TestRun;
use UnixBench::Base::JSON;

# Disturbances by other processes do not change the verdicts.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

# Takes sway => the relative difference between passes; returns a place whose program pipe counts the same in each pass.
sub place {
    my (%with) = @_;
    return TestRun->new(
        programs => { pipe => 'steady' },
        env      => { defined $with{sway} ? (UB_SWAY => $with{sway}) : () }
    );
}

sub result { my ($test) = @_; return UnixBench::Base::JSON::decode($test->report('.json')) }

subtest 'requirements of a quick run' => sub {
    my $test = place();
    is($test->run(qw(--quick -q -c 1 pipe --require pipe>=900))->{status},  0, 'a requirement that is met');
    is($test->run(qw(--quick -q -c 1 pipe --require pipe>=1100))->{status}, 3, 'a requirement that is not met');
    $test = place(sway => 0.12);
    my $run = $test->run(qw(--quick -q -c 1 --precision 20 pipe --require pipe>=830));
    is($run->{status}, 0, 'a requirement that is met after more rounds');
    cmp_ok(result($test)->{runs}[0]{rounds}, '>', 5, 'an undecided requirement adds rounds');
    $run = place(sway => 0.12)->run(qw(--quick -q -c 1 --max-time 0.1 pipe --require pipe>=830));
    is($run->{status}, 4, 'a requirement that is undecided at the end of the time');
    $run = place(sway => 0.3)->run(qw(--quick -q -c 1 --max-time 0.1 --precision 0.1 pipe --require pipe>=9999));
    is($run->{status}, 3, 'a failed requirement has precedence over a precision that is not reached');
};

subtest 'a precise quick run with an undecided requirement' => sub {
    my @words = qw(--quick -c 1 --precision 20 --max-time 60 pipe --require pipe>=830);
    my $test  = place(sway => 0.12);
    $test->{env} = { %{ $test->{env} }, TERM => 'xterm' };
    my $run = started_on($test, 80, [0 .. 2], @words);
    ok(until_seen($run, qr/round 6\b[^\r]*(?:at most|<=) [1-9][0-9] s left/), 'more rounds are planned');
    $run->{terminal}->type("\cC");
    is(ended($run)->{signal}, POSIX::SIGINT(), 'Ctrl-C ends the run');
};

subtest 'requirements are about the plain machine' => sub {
    my $test  = InTurns::place(sway => 0.001, env => { UB_COUNT => 1_000_000, UB_OUTPUT_FILE_NAME => 'turns' });
    my @under = map { ('--under', "env UB_COUNT=$_") } 900_000, 2_000_000;
    local $test->{cwd} = $test->place('results');
    my @required = map { ('--require', "syscall>=$_") } 950_000, 1_500_000;
    my $run      = $test->run(@under, qw(-q -c 1 --max-time 0.1 syscall), @required);
    is($run->{status}, 3, 'a run fails if the plain machine does not meet a requirement, although C does');
    my @verdicts = $run->{err} =~ /^Run: (PASS|FAIL) syscall/mg;
    is_deeply(\@verdicts, [qw(PASS FAIL)], 'each requirement has one verdict');
    $run = $test->run(qw(report turns --require syscall>=950000));
    is($run->{status}, 0, 'the plain machine meets it, although B does not') or diag $run->{said};
};

done_testing;
