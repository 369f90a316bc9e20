# The table of the defects of interbench 0.31: each row names a test that exists.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lint/lib ../../../t/lib);
use FaultTable qw(is_there rows);

my @defects = rows('features/interactive/src/t/README.md', '## Defects of interbench 0.31', qr/no[.]/);
is(join(q{ }, map { $_->[1] } @defects), join(q{ }, map { "D$_" } 1 .. 41), 'the table has all 41 defects');
is_there($_->[1], $_->[4], qr/(.+)()/) for @defects;

done_testing;
