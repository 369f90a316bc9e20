# States that a run measured in turns are compared by pairs.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use StatesInTurns qw(states_in_turns);
use UnixBench::Compare::Comparison;
use UnixBench::Store::Summary;

subtest 'results of different runs are not compared by pairs' => sub {
    my @sides = map { { label => $_, loads => [] } } qw(a b);
    my $ratio = sub {
        my (%other) = @_;
        my @summaries = map { UnixBench::Store::Summary::of($_) } states_in_turns(['env'], tests => ['pipe']);
        $summaries[1] = { %{ $summaries[1] }, %other };
        my @both = map {
            { %{ $sides[$_] }, summary => $summaries[$_] }
        } 0, 1;
        return UnixBench::Compare::Comparison::of(\@both)->{pairs}[0]{tests}[0]{turns};
    };
    ok($ratio->(), 'states of the same run are');
    is($ratio->(started => 5), undef, 'another run has another start');
};

done_testing();
