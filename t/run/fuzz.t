use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fuzz ();

# A short form of lab/fuzz, which takes any number of inputs: every parser handles any input.
use constant { SEED => 1995, INPUTS => 5_000 };

for my $share (Fuzz::shares(INPUTS)) {
    my ($target, $inputs) = @$share;
    my $done = Fuzz::run($target, SEED, $inputs);
    is(join('', @{ $done->{violations} }), '', "$target: no violation in $inputs inputs, seed @{[SEED]}");
    cmp_ok($done->{accepted}, '>', $inputs / 50, "$target: more than 2 % of the inputs are accepted");
}

done_testing;
