use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Needs qw(skip_without);

# The programs under gcc's checkers of memory and undefined behaviour; xt/sanitize alone does more.
my $said   = qx($^X xt/sanitize --brief 2>&1);
my $status = $?;

skip_without(tool => "gcc and its sanitizers ($1)") if $said =~ /^(.* not here)$/m;

is $status, 0, 'nothing is reported' or diag $said;
like $said, qr/^all +([1-9]\d*) +\1 +0$/m, 'every program has run';

done_testing;
