use strict;
use warnings;

use Test::More;

use UnixBench::Warnings::Passes;

sub first_behind {
    return UnixBench::Warnings::Passes::first_behind(map { log } @_);
}

sub trend {
    return UnixBench::Warnings::Passes::trend(map { log } @_);
}

sub near { my ($is, $should, $name) = @_; return cmp_ok(abs($is - $should), '<', 1e-9, $name) }

my @EVEN = (1000, 1010, 990, 1005, 995);

subtest 'a slow first pass is found' => sub {
    near(first_behind(50, (100) x 4), log 2, 'a first pass half as fast as the others, which are equal');
    is(first_behind(50,  (100) x 3), undef, 'too few other passes');
    is(first_behind(200, (100) x 9), undef, 'a fast first pass is not slow');
    is(first_behind(98,  (100) x 9), undef, 'a first pass 2 % slower is not reported');
    is(first_behind(960, @EVEN),     undef, 'a slow first pass that may be chance');
    ok(first_behind(900, @EVEN), 'a slow first pass that is not chance');

    # The limit, by Python's statistics: stdev(log) sqrt(1 + 1/5) t(0.999, 4) = 0.0079060 * 1.0954 * 7.1732 = 0.06212.
    my $mean = exp UnixBench::Score::Stats::mean(map { log } @EVEN);
    is(first_behind($mean * exp -0.0619, @EVEN), undef, 'a first pass within the limit');
    near(first_behind($mean * exp -0.0624, @EVEN), 0.0624, 'a first pass beyond the limit');
};

subtest 'a trend is found' => sub {
    near(trend(map { exp } map { 0.01 * $_ } 0 .. 9),  0.09,  'rates rise by 1 % from pass to pass');
    near(trend(map { exp } map { -0.02 * $_ } 0 .. 4), -0.08, 'rates fall');
    is(trend((100) x 9),                                  undef, 'equal rates have no trend');
    is(trend(map { exp } map { 0.1 * $_ } 0 .. 3),        undef, 'too few passes have no trend');
    is(trend(map { exp } map { 0.003 * $_ } 0 .. 9),      undef, 'a rise of 2.7 % in all is not reported');
    is(trend(map { 100 + 3 * $_ + 8 * ($_ % 2) } 0 .. 5), undef, 'a rise that may be chance');

    # Ten logarithms 0.01 x, plus and minus 0.01 in turn, have the slope 0.0093939 with a standard error of 0.0012121.
    # So t is 7.75, above the limit of 5.04.
    near(
        trend(map { exp } map { 0.01 * $_ + ($_ % 2 ? -0.01 : 0.01) } 0 .. 9),
        9 * 0.00939393939393939,
        'a rise that is not chance'
    );
};

done_testing;
