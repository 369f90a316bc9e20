# Tests of damaged text reports, as t/unit/Store/classic-changed.t has a few of them.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use ChangedTexts qw(lies_in);

use constant { FIRST => 101, LAST => 1100 };

for my $seed (FIRST .. LAST) {
    my ($lies, $text) = lies_in($seed);
    is_deeply($lies, [], "change $seed: nothing is wrong") or diag($text);
}

done_testing;
