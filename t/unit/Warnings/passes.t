use strict;
use warnings;

use Test::More;

use UnixBench::Warnings::Trust;

sub trend {
    return UnixBench::Warnings::Trust::trend(map { log } @_);
}

sub near { my ($is, $should, $name) = @_; return cmp_ok(abs($is - $should), '<', 1e-9, $name) }

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
