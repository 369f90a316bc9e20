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
    ['rank a b c' => { command => 'rank', words => [qw(a b c)] }],
    ['rank -- -r' => { command => 'rank', words => ['-r'] }],
);
are_refused(
    ['--rank' => '--rank is now a command: ./Run rank'],
    (
        map { ["rank $_" => "rank has no option " . (split)[0] . ": leave it out; see ./Run help rank"] } '--force',
        '--json -', '-q'
    ),
);

done_testing;
