use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use QuickRun qw(has_known_estimate in_rounds known);
use UnixBench::Score::Estimate;
use UnixBench::Score::Score;

# The rate of each slice of a test, by round.
sub by_round {
    my ($test) = @_;
    return { map { $_->{number} => UnixBench::Score::Score::rate($_) } @{ $test->{passes} } };
}

# What is known of an index, given the rates of its tests in rounds 1, 2 and so on; undef where there is no slice.
sub index_of {
    my (@tests) = @_;
    return UnixBench::Score::Estimate::of_index_in_rounds(100, map { in_turn(@$_) } @tests);
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
    is($is->{value}, $test->{score}, 'its value is the very score');
}

for my $known (known('indexes')) {
    my @tests = map { by_round(in_rounds('pipe', @{ $_->{slices} })) } @{ $known->{tests} };
    my $is    = UnixBench::Score::Estimate::of_index_in_rounds($known->{estimate}{value}, @tests);
    has_known_estimate($is, $known->{estimate}, "an index: $known->{name}");
}

subtest 'which is the wider interval' => sub {
    my $together = index_of([10, 11, 12, 13, 14], [20, 22, 24, 26, 28]);
    is($together->{df}, 4, 'of rounds that are disturbed as a whole: that over rounds');
    my $against = index_of([10, 11, 12, 13, 14], [28, 26, 24, 22, 20]);
    cmp_ok($against->{df}, '>', 4, 'of tests that make up for each other: that over tests');
    my $torn = index_of([10, 11, 12, 13, 14], [20, undef, undef, undef, 28]);
    is($torn->{df}, 1, 'of two rounds that are whole: that over them');
    my $once = index_of([10, 11, undef], [28, undef, 29]);
    cmp_ok($once->{df}, '<', 2, 'of one: that over tests');
};

subtest 'nothing is known' => sub {
    my @unknown = (100, (undef) x 4);
    my @keys    = qw(value low high log_se df);
    is_deeply([@{ index_of([10], [20]) }{@keys}], \@unknown, 'of one round');
    is_deeply([@{ index_of([10, 11],    [20]) }{@keys}],        \@unknown, 'where a test has one slice');
    is_deeply([@{ index_of([10, undef], [undef, 20]) }{@keys}], \@unknown, 'where no round is whole, and no test');
    is_deeply([@{ UnixBench::Score::Estimate::of_rounds(100, 99) }{@keys}], \@unknown, 'of one slice of a test');
};

subtest 'no spread at all' => sub {
    for my $value (map { 1 / $_ } 1 .. 200) {
        my $is = UnixBench::Score::Estimate::of_rounds($value, 8, 8, 8);
        next if $is->{low} <= $value && $value <= $is->{high};
        fail("$value is outside its interval");
    }
    is_deeply([@{ index_of([8, 8], [9, 9]) }{qw(value low high log_se df)}], [100, 100, 100, 0, 1], 'an index');
};

done_testing;
