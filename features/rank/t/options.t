# The command rank on the command line.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../../t/lib";
use CommandLines qw(are_accepted are_refused);

are_accepted(
    ['rank'       => { command => 'rank', words => [] }],
    ['rank a'     => { command => 'rank', words => ['a'] }],
    ['rank -- -r' => { command => 'rank', words => ['-r'] }],
);
are_refused(
    ['rank a b c' => 'rank takes one result, not 3'],
    ['--rank'     => '--rank is now a command: ./Run rank'],
    (
        map { ["rank $_" => "rank has no option " . (split)[0] . ": leave it out; see ./Run help rank"] } '--force',
        '--html -', '-q'
    ),
);

done_testing;
