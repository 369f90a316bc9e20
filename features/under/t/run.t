# ./Run --under COMMAND: what is refused, what commands do to tests, and how a run ends by Ctrl-C and kill -9.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib);
use InTurns                        qw(is_refused order place ratio_of result_of test_of wrapper);
use LoadedRun                      qw(eventually waited);
use UnixBench::Base::Files;

# Disturbances by other processes do not change the results.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

subtest 'wrong usage' => sub {
    my $test = place();
    my @env  = (qw(--under env));
    my @case = (
        ['a missing program', 'there is no program nosuchwrapper$',   qw(--under), 'nosuchwrapper -x'],
        ['an unclosed quote', q{a quote is not closed in "sh -c 'x"}, '--under',   q{sh -c 'x}],
        ['an empty command',  'needs a command, not ""',              '--under',   q{}],
        ['six commands',      'can be given 5 times at most', (@env) x 6],
        ['with -i',           'options --under and -i contradict each other', @env, qw(-i 3)],
    );
    for my $case (@case) {
        my ($name, $message, @words) = @$case;
        is_refused($name, $test, qr/$message/, @words, 'pipe');
    }
};

subtest 'commands under which no test works' => sub {
    my $test  = place();
    my $lines = qq(printf '\\001\\377 junk\\nCOUNT|x\\n' >&2\nexec "\$@");
    my %under = (
        'false'      => ['false',                                         'exit status 1'],
        'SIGKILL'    => [q{sh -c 'kill -9 $$'},                           'killed by SIGKILL'],
        'env -i'     => ['env -i',                                        'UB_TIME is missing in its environment: '],
        'garbage'    => [wrapper($test, 'garbage', $lines),               'expected COUNT[^\\n]*: "COUNT[|]x"'],
        'no program' => [wrapper($test, 'without', 'exec nosuchprogram'), '[^\\n]*nosuchprogram'],
    );
    for my $name (sort keys %under) {
        my ($command, $why) = @{ $under{$name} };
        my $message = qr/option --under: no test works under \Q$command\E: $why/;
        is_refused($name, $test, $message, '--under', $command, qw(-c 1 pipe syscall));
    }
    my $second = qr/no test works under false: exit status 1/;
    is_refused('the second of two', $test, $second, qw(--under env --under false -c 1 pipe));
    my $hangs = wrapper($test, 'hangs', 'exec sleep 1000');
    my $late  = qr/under \Q$hangs\E: out of time: not done after 2 s/;
    is_refused('a command that hangs', $test, $late, '--under', $hangs, qw(-c 1 --timeout 2 pipe syscall));
};

subtest 'a command that breaks one test' => sub {
    my $test  = place();
    my $lines = qq([ "\$1" = pipe ] && { echo 'no pipe here' >&2; exit 9; }\nshift\nexec "\$@");
    my $under = wrapper($test, 'breaks', $lines) . ' {test}';
    my $run   = $test->run('--under', $under, qw(-q -c 1 --max-time 0.1 pipe syscall context1));
    is($run->{status}, 1, 'exit status 1, as for a failed test');
    is($run->{err}, qq(Run: "Pipe Throughput" in B: no pipe here (pass 1, copy 1); aborting this test\n), 'one line');
    is(test_of($test, A => 'pipe')->{status}, 'measured', 'the test is measured in the other state');
    my $failed = test_of($test, B => 'pipe');
    is_deeply([@$failed{qw(status reason)}], ['failed', 'no pipe here (pass 1, copy 1)'], 'it failed there');
    is(ratio_of($test, 'Pipe Throughput', 'B'),          undef, 'it has no ratio');
    is(ratio_of($test, $_,                'B')->{value}, 1,     "$_ has a ratio")
        for 'System Call Overhead', 'Pipe-based Context Switching';
    is(ratio_of($test, 'mean', 'B')->{value}, 1, 'and so has the mean of the tests');
    like($run->{out}, qr/^Not compared:\n   Pipe Throughput: no pipe here /m, 'the table has the reason');
    like($run->{out}, qr/^System Benchmarks Index Score [^\n]* 1[.]1$/m,      'the plain machine has its index');
};

subtest 'a command that says something' => sub {
    my $test  = place();
    my $lines = qq(echo 'WARNING: no network' >&2\nexec "\$@");
    my $run   = $test->run('--under', wrapper($test, 'warns', $lines), qw(-q -c 1 --max-time 0.1 pipe));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a text on standard error does no harm');
    like($test->text('turns-b.log'), qr/WARNING: no network/,                        'the log of the state has it');
    like($run->{out},                qr/^B: under .*it said: WARNING: no network/ms, 'below the plain machine');
    ok((grep { $_ eq 'this command said: WARNING: no network' } @{ result_of($test, 'B')->{notes} }), 'its notes');
};

# Returns the seconds that a test was asked for in a state.
sub asked { my ($test, $letter) = @_; return test_of($test, $letter, 'pipe')->{command}[1] }

subtest 'a command that closes descriptors' => sub {
    my $test  = place(env => { UB_TIME_FACTOR => 0.1 });
    my $lines = q(exec perl -MPOSIX -e 'POSIX::close($_) for 3 .. 99; exec @ARGV' "$@");
    my $run   = $test->run('--under', wrapper($test, 'closes', $lines), qw(-q -c 1 --max-time 1 pipe));
    is_deeply([@$run{qw(status)}], [0], 'the run succeeds') or diag $run->{said};
    my ($plain, $other) = map { [map { $_->{copies}[0]{gated} } @{ test_of($test, $_, 'pipe')->{passes} }] } qw(A B);
    is_deeply([map { +{ map { $_ => 1 } @$_ } } $plain, $other], [{ 1 => 1 }, { 0 => 1 }], 'the gate');
    is_deeply([map { asked($test, $_) } qw(A B)], [0.03, 0.2], 'their passes are 2 s long, multiplied by the factor');
    is(ratio_of($test, 'Pipe Throughput', 'B')->{value}, 1, 'the time that they report counts');
    like($run->{out}, qr/^B: under [^\n]*[(]its\s+copies\s+start\s+without\s+the\s+gate[)]$/m, 'the report says so');
    ok((grep { /\Athis command closes the start gate/ } @{ result_of($test, 'B')->{notes} }), 'and so does a note');
};

subtest 'a command that hangs in one test' => sub {
    my $test  = place();
    my $under = wrapper($test, 'hangs', qq([ "\$1" = pipe ] && exec sleep 1000\nshift\nexec "\$@")) . ' {test}';
    my $run   = $test->run('--under', $under, qw(-q -c 1 --max-time 0.1 --timeout 4 syscall pipe));
    is($run->{status}, 1, 'exit status 1');
    is(test_of($test, B => 'pipe')->{reason}, 'out of time: not done after 4 s (warm-up)', 'the test ran out of time');
    is(test_of($test, A => 'pipe')->{status}, 'measured',                                  'in that state only');
    is(test_of($test, B => 'syscall')->{status}, 'measured',                               'and only that test');
};

subtest 'the words of a command' => sub {
    my $test  = place();
    my $lines = qq(for word; do echo "\$word"; done > "$test->{place}/words"\nshift 7\nexec "\$@");
    my $words =
        wrapper($test, 'words', $lines) . q( '{home}' {scratch} a\ "b c" "{test}/{test}" '{other}' '$HOME' {tmp}:{tmp});
    my $run = $test->run('--under', $words, qw(-q -c 1 --max-time 0.1 pipe));
    is_deeply([@$run{qw(status err)}], [0, $run->{err}], 'the run succeeds') or diag $run->{said};
    my @words = split /\n/, UnixBench::Base::Files::content($test->place('words'));
    is($words[0], $TestRun::HOME, '{home} is the directory of the suite');
    like($words[1], qr{\A\Q$test->{place}\E/tmp/[^/]+/[^/]+\z}, '{scratch} is a directory of the copy');
    is_deeply([@words[2 .. 5]], ['a b c', 'pipe/pipe', '{other}', '$HOME'], '{test} is the test; other words remain');
    is($words[6], join(q{:}, ($test->place('tmp')) x 2), '{tmp} is the directory of the file tests');
    is($words[7], $test->place('bin', 'pipe'),           'the command of the copy follows');
};

# How ./Run --under ends by Ctrl-C and kill -9, and how it is resumed.

# Four rounds are always made. With two states and three tests, a round has six passes.
use constant { INTERRUPTED => 2, ROUNDS => 4, PASSES => 18 };

my @TESTS = qw(syscall pipe context1);
my @WORDS = (qw(-q -c 1 -c 2 --seed 1995 --under env --max-time), 2);

# Returns a place for runs that reach no precision.
sub endless { return place(sway => 0.3, own_group => 1) }

# Takes a place and a number; waits until the journal of the run has a pass of that round, and returns the order of its
# passes.
sub order_in_round {
    my ($test, $number) = @_;
    my $journal;
    ok(eventually(sub { ($journal = $test->report('.journal')) =~ /"number":$number,/ }), "round $number has begun");
    return order($journal);
}

# The order of the passes in the first rounds of an uninterrupted run with the same seed.
my @ORDER = do {
    my $test  = endless();
    my $run   = $test->started(@WORDS, @TESTS);
    my @order = order_in_round($test, ROUNDS);
    kill KILL => $run->{pid};
    waited($run);
    $test->is_clean;
    @order[0 .. PASSES - 1];
};
my %count;
$count{$_}++ for @ORDER;
is_deeply(\%count, { map { ("0 $_" => PASSES / 6, "1 $_" => PASSES / 6) } @TESTS }, 'whole rounds');

for my $signal (qw(INT KILL)) {
    subtest "SIG$signal" => sub {
        my $test = endless();
        my $run  = $test->started(@WORDS, @TESTS);
        order_in_round($test, INTERRUPTED);
        kill $signal => $run->{pid};
        my $ended = waited($run);
        is($ended->{signal}, $signal eq 'INT' ? 2 : 9, 'the run ends by the signal');
        $test->is_clean;
        my $again = $test->started(qw(-q --resume turns));
        my @after = order_in_round($test, ROUNDS);
        is_deeply([@after[0 .. PASSES - 1]], \@ORDER, 'a resumed run continues in the same order');
        my $resumed = waited($again);
        is($resumed->{status}, 0, 'it is complete') or diag $resumed->{said};
        $test->is_clean;
        is_complete($test);
    };
}

# Takes a place; tests that its result is complete.
sub is_complete {
    my ($test) = @_;
    is_deeply([$test->reports], [qw(turns turns-b.html turns-b.log turns.html turns.log)], 'all reports');
    for my $letter (qw(A B)) {
        my $result = result_of($test, $letter);
        is(scalar @{ $result->{procedure}{resumptions} }, 1,     "$letter was resumed");
        is($result->{procedure}{interruption},            undef, "$letter is not interrupted any more");
        is_deeply([map { $_->{copies} } @{ $result->{runs} }], [1, 2], "$letter has all numbers of copies");
        for my $run (@{ $result->{runs} }) {
            my @numbers = map {
                join q{ },
                    map { $_->{number} }
                    @{ $_->{passes} }
            } @{ $run->{tests} };
            my @wrong = grep { $_ ne join q{ }, 1 .. $run->{rounds} } map { s/ $run->{rounds}\K .*//r } @numbers;
            is_deeply(\@wrong, [], "$letter, $run->{copies}: each test has a pass in each round");
        }
    }
    is_deeply([map { $_->{copies} } @{ result_of($test, 'A')->{experiment}{tables} }], [1, 2], 'the ratios are there');
    return;
}

done_testing;
