use strict;
use warnings;

use FindBin;
use Test::More;

# perlcritic with the rules of .perlcriticrc.
chdir "$FindBin::Bin/../.." or die "chdir: $!\n";
plan skip_all => 'perlcritic is not here' if system('perlcritic --version >/dev/null 2>&1') != 0;

my @found = grep { !/ source OK$/ } qx(perlcritic --profile .perlcriticrc Run lib 2>&1);
is(join('', @found), '', 'nothing to criticise');

done_testing;
