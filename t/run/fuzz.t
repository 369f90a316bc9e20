use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fuzz ();

# A short form of lab/fuzz, which takes any number of inputs: every parser handles any input.
use constant { SEED => 1995, INPUTS => 5_000 };

for my $target (sort keys %Fuzz::TARGETS) {
    my $done = Fuzz::tried($target, SEED, INPUTS);
    is(join('', @{ $done->{violations} }), '', "$target: no violation in $done->{inputs} inputs, seed @{[SEED]}");
    cmp_ok($done->{accepted}, '>', $done->{inputs} / 50, "$target: more than 2 % of the inputs are accepted");
}

done_testing;
