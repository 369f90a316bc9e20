use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use QuickRun qw(has_known_estimate in_rounds known);
use UnixBench::Score::Estimate;
use UnixBench::Score::Score;

# Takes a test; returns the rate of each of its short passes, by round.
sub by_round {
    my ($test) = @_;
    return { map { $_->{number} => UnixBench::Score::Score::rate($_) } @{ $test->{passes} } };
}

# Takes the rates of each test in rounds 1, 2 and so on, undef without a short pass; returns the estimate of the index.
sub index_of {
    my (@tests) = @_;
    return UnixBench::Score::Estimate::of_index_at(0.95, 100, map { in_turn(@$_) } @tests);
}

sub in_turn {
    my (@rates) = @_;
    return { map { $_ + 1 => $rates[$_] } grep { defined $rates[$_] } 0 .. $#rates };
}

for my $known (known('scores')) {
    my $test  = in_rounds('pipe', @{ $known->{slices} });
    my @rates = map { UnixBench::Score::Score::rate($_) } @{ $test->{passes} };
    my $is    = UnixBench::Score::Estimate::of_rounds($test->{score}, @rates);
    has_known_estimate($is, $known->{estimate}, 'a test in ' . @rates . ' rounds');
    is($is->{value}, $test->{score}, 'the value of the estimate is exactly the score');
}

for my $known (known('indexes')) {
    my @tests = map { by_round(in_rounds('pipe', @{ $_->{slices} })) } @{ $known->{tests} };
    my $is    = UnixBench::Score::Estimate::of_index_at(0.95, $known->{estimate}{value}, @tests);
    has_known_estimate($is, $known->{estimate}, "an index: $known->{name}");
}

subtest 'an index has the wider of two intervals' => sub {
    my $together = index_of([10, 11, 12, 13, 14], [20, 22, 24, 26, 28]);
    is($together->{df}, 4, 'rounds that are disturbed as a whole: the interval over rounds');
    my $against = index_of([10, 11, 12, 13, 14], [28, 26, 24, 22, 20]);
    cmp_ok($against->{df}, '>', 4, 'tests that make up for each other: the interval over tests');
    my $torn = index_of([10, 11, 12, 13, 14], [20, undef, undef, undef, 28]);
    is($torn->{df}, 1, 'two complete rounds: the interval over rounds');
    my $once = index_of([10, 11, undef], [28, undef, 29]);
    cmp_ok($once->{df}, '<', 2, 'one complete round: the interval over tests');
};

subtest 'the interval is unknown with too few short passes' => sub {
    my @unknown = (100, (undef) x 4);
    my @keys    = qw(value low high log_se df);
    is_deeply([@{ index_of([10], [20]) }{@keys}], \@unknown, 'an index in one round');
    is_deeply([@{ index_of([10, 11], [20]) }{@keys}], \@unknown, 'an index with a test that has one short pass');
    is_deeply([@{ index_of([10, undef], [undef, 20]) }{@keys}],
        \@unknown, 'an index without a complete round and without a test that has two short passes');
    is_deeply([@{ UnixBench::Score::Estimate::of_rounds(100, 99) }{@keys}], \@unknown, 'a test with one short pass');
};

subtest 'equal rates have an interval of no width' => sub {
    for my $value (map { 1 / $_ } 1 .. 200) {
        my $is = UnixBench::Score::Estimate::of_rounds($value, 8, 8, 8);
        next if $is->{low} <= $value && $value <= $is->{high};
        fail("$value is outside its interval");
    }
    is_deeply(
        [@{ index_of([8, 8], [9, 9]) }{qw(value low high log_se df)}],
        [100, 100, 100, 0, 1],
        'an index of equal rates'
    );
};

done_testing;
