# ./Run --over: the whole program, with short passes.

use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib);
use InTurns                        qw(place);
use LateModules                    qw(loads_nothing_late);
use LoadedRun                      qw(eventually waited);
use UnixBench::Base::JSON          ();

# Disturbances by other processes do not change the results.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

my %OFFICIAL = (env => { UB_TIME_FACTOR => 1 });

# Takes a place and a number; waits until the journal has a pass of that round.
sub has_round {
    my ($test, $number) = @_;
    return ok(eventually(sub { $test->report('.journal') =~ /"number":$number,/ }), "round $number has begun");
}

subtest 'wrong usage' => sub {
    my $run = place(%OFFICIAL)->run(qw(--over 10m));
    is($run->{status}, 2, 'exit status 2');
    like($run->{err}, qr/\ARun: option --over: 10 min is too short for 48 rounds[^\n]*\n\z/, 'one line');
};

loads_nothing_late('a run over time', {}, qw(-q --over 4s syscall --require syscall:p5>=1));

subtest 'the plan' => sub {
    my $run    = place(%OFFICIAL)->run(qw(--over 24h --dry-run pipe));
    my $rounds = qr/^1 parallel copy of tests, 1000 rounds of 0[.]3 s spread over 24 h, one every 86 s, /m;
    like($run->{out}, $rounds,                                'it has the rounds');
    like($run->{out}, qr/which use about 0[.]4 % of a CPU$/m, 'and what they use');
};

subtest 'a run, killed, interrupted and resumed' => sub {
    my $began = time;

    # Slots of 0.12 s. Each of the first two runs waits in a later pass, if it comes that far before it is ended.
    my %env  = (UB_TIME_FACTOR => 0.002, TZ => 'AAA0', UB_HOLD_AT => 10);
    my $test = place(own_group => 1, programs => { pipe => 'hold' }, env => \%env);
    $test->{env}{UB_HOLD} = $test->place('test');
    my $run = $test->started(qw(--over 6s pipe));
    has_round($test, 5);
    kill KILL => $run->{pid};
    waited($run);
    ok(eventually(sub { !$test->left }), 'after kill -9, nothing is left');
    my $summer = time + 1;
    $test->{env}{TZ} = 'AAA0BBB,' . (POSIX::strftime('%j/%H:%M:%S', gmtime $summer) =~ s/\A0*(\d+)/$1 - 1/er) . ',366';
    $test->{env}{UB_HOLD_AT} = 25;
    $run = $test->started(qw(--resume turns));
    has_round($test, 10);
    kill INT => $run->{pid};
    is(waited($run)->{signal}, 2, 'Ctrl-C ends it');
    $test->{env}{UB_HOLD_AT} = q{};
    $run = $test->run(qw(--resume turns));
    is($run->{status}, 0, 'a resumed run ends') or diag $run->{said};
    cmp_ok(time - $began, '>=', 5, 'it took its time');
    my $result = UnixBench::Base::JSON::decode($test->data);
    my $of     = $result->{runs}[0];
    is($of->{rounds}, 50, 'it has all rounds');
    my @rounds = @{ $of->{over}{rounds} };
    is(scalar @rounds, 50, 'each is known');
    is_deeply($result->{clock_changes}, [{ at => $summer, utc_offset_s => 3600 }], 'the clocks were set');
    my @at = map { $_->{at} } @rounds;
    is_deeply([sort { $a <=> $b } @at], \@at, 'they are in the order of time');
    like($run->{err}, qr/round 50: .*; the time is over$/m, 'the last line says why it ended');
    my $text = $test->run(report => '--markdown', q{-}, $test->place(results => 'turns.html'))->{out};
    like($text, qr/^Over       50 rounds, 90 % of them from \d/m, 'the report has the figures');
};

done_testing;
