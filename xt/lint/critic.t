use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(is_here);

# perlcritic with the rules of .perlcriticrc. gfx-x11 begins as a shell script.
plan skip_all => 'perlcritic is not here' if !is_here('perlcritic');

my $critic = 'perlcritic --profile .perlcriticrc';
my @said   = (qx($critic Run lib 2>&1), qx(sed -n '/^#!perl/,\$p' pgms/gfx-x11 | $critic 2>&1));
is(join('', grep { !/\bsource OK$/ } @said), '', 'nothing to criticise');

done_testing;
