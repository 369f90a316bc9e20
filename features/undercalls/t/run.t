# ./Run --observe syscalls --under COMMAND.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../observe/t/lib ../../../t/lib);
use InPath                         qw(path_of);
use InTurns                        ();
use Needs                          qw(need_built skip_without);
use ObservedRun                    qw(@PARTS have_enough_loops path_without real_run why_not_strace);

need_built('pipe');
my $why_not = why_not_strace();
skip_without(@$why_not) if $why_not;

# Takes a command; measures pipe with strace on the plain machine and under it, until both have enough loops. Returns
# the place and the ended run.
sub observed {
    my ($command) = @_;
    my ($test, $run);
    for my $part (@PARTS) {
        $test              = real_run(UB_OUTPUT_FILE_NAME => 'turns', UB_TIME_FACTOR => $part);
        $test->{env}{PATH} = path_without($test, 'bpftrace');
        $run               = $test->run(qw(-q -c 1 --max-time 2s --observe syscalls --under), $command, 'pipe');
        last if have_enough_loops(map { InTurns::test_of($test, $_ => 'pipe') } qw(A B));
    }
    return ($test, $run);
}

# Takes a place, the letter of a state, and the name of a call; returns how often pipe made it in its loop.
sub per_loop {
    my ($test, $letter, $name) = @_;
    my $observed = InTurns::test_of($test, $letter => 'pipe')->{observed};
    my ($call) = grep { $_->{name} eq $name } @{ $observed->{calls} };
    return $call && $call->{count} / $observed->{loops};
}

subtest 'the calls of both states' => sub {
    my ($test, $run) = observed('nice -n 1');
    is($run->{status}, 0, 'exit status 0') or diag $run->{said};
    for my $letter (qw(A B)) {
        cmp_ok(abs(per_loop($test, $letter, 'write') - 1), '<', 0.1, "$letter: write is made once in each loop");
    }
    ok(!per_loop($test, A => 'setpriority'), 'A does not make the call of nice');
    ok(per_loop($test,  B => 'setpriority'), 'and B does');
    like($run->{out}, qr/^Call +A per loop +B per loop +A mean ns +B mean ns\nwrite|read /m, 'one table has both');
    like(
        $run->{out},
        qr/^1 copy: ratios to A\n.*\n\n1 copy: system calls of Pipe Throughput\n/ms,
        'it follows the ratios'
    );
    is_deeply([map { InTurns::result_of($test, $_)->{observing}{tracer} } qw(A B)],
        [qw(strace strace)], 'both results name the tracer');
    is(scalar @{ InTurns::result_of($test, 'A')->{state_calls}[0]{tests}[0]{calls}[0]{states} },
        2, 'the result of A has the calls of both');
    is(InTurns::result_of($test, 'B')->{state_calls},                  undef, 'that of B has its own alone');
    is($test->run(qw(report turns -q))->{out} =~ /B per loop/ ? 1 : 0, 1,     'the report of the result has the table');
};

subtest 'a command under which nothing is traced' => sub {
    my $test = real_run(UB_OUTPUT_FILE_NAME => 'turns');
    my $lines =
        qq([ "\$(sed -n 's/^TracerPid:\t//p' /proc/\$\$/status)" = 0 ] || { echo 'traced' >&2; exit 9; }\nexec "\$@");
    $test->{env}{PATH} = path_without($test, 'bpftrace');
    my $run = $test->run(qw(-q -c 1 --max-time 2s --observe syscalls --under),
        InTurns::wrapper($test, 'untraced', $lines), 'pipe');
    is($run->{status}, 1, 'exit status 1');
    like(
        $run->{err},
        qr/^Run: "Pipe Throughput" in B: system calls were not observed: traced/m,
        'the message names the state'
    );
    ok(InTurns::ratio_of($test, 'Pipe Throughput', 'B'), 'the ratio is there');
};

done_testing;
