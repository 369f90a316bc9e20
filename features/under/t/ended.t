# How ./Run --under ends by Ctrl-C and kill -9, and how it is resumed.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib);
use Alive                          qw(eventually of_environment);
use InTurns                        qw(order place result_of);
use LoadedRun;
use TestRun qw(waited);

# Disturbances by other processes do not change the results.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

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

# Takes a place; tests that no process and no scratch file is left there.
sub nothing_is_left {
    my ($test) = @_;
    ok(eventually(sub { !of_environment($test->place('test')) }), 'no process of the run is left');
    return ok(eventually(sub { !$test->left }), 'the scratch directory is empty');
}

# The order of the passes in the first rounds of an uninterrupted run with the same seed.
my @ORDER = do {
    my $test  = endless();
    my $run   = $test->started(@WORDS, @TESTS);
    my @order = order_in_round($test, ROUNDS);
    kill KILL => $run->{pid};
    waited($run);
    nothing_is_left($test);
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
        nothing_is_left($test);
        my $again = $test->started(qw(-q --resume turns));
        my @after = order_in_round($test, ROUNDS);
        is_deeply([@after[0 .. PASSES - 1]], \@ORDER, 'a resumed run continues in the same order');
        my $resumed = waited($again);
        is($resumed->{status}, 0, 'it is complete') or diag $resumed->{said};
        nothing_is_left($test);
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

done_testing();
