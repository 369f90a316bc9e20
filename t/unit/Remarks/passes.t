use strict;
use warnings;

use Test::More;

use UnixBench::Remarks::Passes;

sub first_behind {
    return UnixBench::Remarks::Passes::first_behind(map { log } @_);
}

sub trend {
    return UnixBench::Remarks::Passes::trend(map { log } @_);
}

sub near { my ($is, $should, $name) = @_; return cmp_ok(abs($is - $should), '<', 1e-9, $name) }

my @EVEN = (1000, 1010, 990, 1005, 995);

subtest 'the first pass' => sub {
    near(first_behind(50, (100) x 4), log 2, 'half as fast as the others, which are all alike');
    is(first_behind(50,  (100) x 3), undef, 'too few others to tell');
    is(first_behind(200, (100) x 9), undef, 'faster is not slower');
    is(first_behind(98,  (100) x 9), undef, '2 % are not worth a word');
    is(first_behind(960, @EVEN),     undef, 'so low may be by chance');
    ok(first_behind(900, @EVEN), 'so low is not');

    # The limit, by Python's statistics: stdev(log) sqrt(1 + 1/5) t(0.999, 4) = 0.0079060 * 1.0954 * 7.1732 = 0.06212.
    my $mean = exp UnixBench::Score::Stats::mean(map { log } @EVEN);
    is(first_behind($mean * exp -0.0619, @EVEN), undef, 'within the limit');
    near(first_behind($mean * exp -0.0624, @EVEN), 0.0624, 'beyond it');
};

subtest 'a trend' => sub {
    near(trend(map { exp } map { 0.01 * $_ } 0 .. 9),  0.09,  'rises by a hundredth from one to the next');
    near(trend(map { exp } map { -0.02 * $_ } 0 .. 4), -0.08, 'falls');
    is(trend((100) x 9),                                  undef, 'none');
    is(trend(map { exp } map { 0.1 * $_ } 0 .. 3),        undef, 'of too few');
    is(trend(map { exp } map { 0.003 * $_ } 0 .. 9),      undef, '2.7 % in all are not worth a word');
    is(trend(map { 100 + 3 * $_ + 8 * ($_ % 2) } 0 .. 5), undef, 'a rise that may be by chance');

    # Of the logarithms 0.01 x, plus and minus 0.01 in turn, ten of them: slope 0.0093939, standard error 0.0012121,
    # so t = 7.75, where 5.04 is the limit.
    near(
        trend(map { exp } map { 0.01 * $_ + ($_ % 2 ? -0.01 : 0.01) } 0 .. 9),
        9 * 0.00939393939393939,
        'one that is not'
    );
};

done_testing;
