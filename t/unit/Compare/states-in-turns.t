# States that a run measured in turns are compared by pairs.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Comparisons   qw(found);
use Fixture       qw(tag);
use StatesInTurns qw(states_in_turns);
use UnixBench::Compare::Comparison;
use UnixBench::Report::Comparison::Wording qw(trust_of_sides);
use UnixBench::Summary;

subtest 'results of different runs are not compared by pairs' => sub {
    my @sides = map { { label => $_, loads => [] } } qw(a b);
    my $ratio = sub {
        my (%other) = @_;
        my @summaries = map { UnixBench::Summary::of($_) } states_in_turns(['env'], tests => ['pipe']);
        $summaries[1] = { %{ $summaries[1] }, %other };
        my @both = map {
            { %{ $sides[$_] }, summary => $summaries[$_] }
        } 0, 1;
        return UnixBench::Compare::Comparison::of(\@both)->{pairs}[0]{tests}[0]{turns};
    };
    ok($ratio->(), 'states of the same run are');
    is($ratio->(started => 5), undef, 'another run has another start');
};

# Takes the factor of a second state beside other load, and names of tests; returns the comparison of both states. The
# copies of both ran for 40 % of the time.
sub beside_load {
    my ($factor, @tests) = @_;
    my @results = states_in_turns(['env'], factors => [$factor], tests => \@tests);
    for my $pass (map { @{ $_->{passes} } } map { @{ $_->{runs}[0]{tests} } } @results) {
        my $span_s = $pass->{copies}[0]{elapsed_s};
        $pass->{tags} = [tag(others => disturbed => 1.6)];
        $pass->{used} = { span_s => $span_s, user_s => 0.4 * $span_s, kernel_s => 0 };
    }
    my @sides = map { { label => $_, loads => [], summary => UnixBench::Summary::of(shift @results) } } qw(a b);
    return UnixBench::Compare::Comparison::of(\@sides);
}

subtest 'a state has one number in its report and in the table' => sub {
    my @results = states_in_turns(['env'], factors => [0.9], tests => ['pipe']);
    my @passes  = @{ $results[0]{runs}[0]{tests}[0]{passes} };
    for my $pass (@passes[0, 1]) {
        $pass->{tags} = [tag(others => disturbed => 1.6)];
        $pass->{count} /= 2;
    }
    my @sides      = map { { label => $_, loads => [], summary => UnixBench::Summary::of(shift @results) } } qw(a b);
    my $comparison = UnixBench::Compare::Comparison::of(\@sides);
    my ($row)      = @{ $comparison->{pairs}[0]{tests} };
    is_deeply(
        [trust_of_sides($comparison)],
        ["The ratio is that of $row->{turns}{rounds} of $row->{turns}{of} rounds: other load disturbed the others."],
        'the trust is that in the ratio'
    );
    my $value = $sides[0]{summary}{runs}[0]{tests}[0]{estimate}{value};
    is($row->{values}[0]{value}, $value, 'that of all passes');
    ok($row->{turns}{rounds} < $row->{turns}{of}, 'while quiet rounds decide the ratio');
};

subtest 'a state that is slower than other load can explain' => sub {
    my $comparison = beside_load(1 / 65, qw(dhry2reg pipe));
    my ($index) = @{ $comparison->{pairs}[0]{indexes} };
    is($index->{verdict}, 'slower', 'a factor of 65 is slower');
    my ($first) = found($comparison);
    like($first, qr/ at least 10 times slower than A [(]vm[)]\z/, 'in words');
    is(beside_load(1 / 5, qw(dhry2reg pipe))->{pairs}[0]{indexes}[0]{verdict}, 'inconclusive', 'a factor of 5 is open');
    is(beside_load(65,    qw(dhry2reg pipe))->{pairs}[0]{indexes}[0]{verdict}, 'faster', 'a factor of 65 is faster');
    my ($mixed) = @{ beside_load(1 / 65, qw(pipe context1))->{pairs} };
    is($mixed->{indexes}[0]{verdict}, 'slower', 'an index is slower with and without a test that other load can raise');
    my ($raised) = grep { $_->{name} eq 'context1' } @{ $mixed->{tests} };
    is($raised->{verdict}, 'inconclusive', 'that test is open');
};

done_testing();
