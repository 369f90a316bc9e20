use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(is_here);

# perlcritic with the rules of .perlcriticrc.
plan skip_all => 'perlcritic is not here' if !is_here('perlcritic');

my @found = grep { !/ source OK$/ } qx(perlcritic --profile .perlcriticrc Run lib 2>&1);
is(join('', @found), '', 'nothing to criticise');

done_testing;
