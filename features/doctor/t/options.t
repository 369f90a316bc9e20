# The command doctor on the command line. It also takes the options of a run.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../../t/lib";
use CommandLines qw(are_accepted are_refused);
use UnixBench::Catalog;

my @INDEX = (asked => ['index'], tests => [UnixBench::Catalog::expand('index')]);
are_accepted(
    ['doctor --strict' => { command => 'doctor', strict => 1, @INDEX }],
    [
        'doctor --strict -c 8 --quick pipe' =>
            { command => 'doctor', asked => ['pipe'], tests => ['pipe'], strict => 1, copies => [8], quick => 1 }
    ],
);
are_refused(
    ['--doctor'             => '--doctor is now a command: ./Run doctor'],
    ['--strict pipe'        => 'option --strict belongs to ./Run doctor: see ./Run help doctor'],
    ['--json x doctor pipe' => 'doctor has no option --json: leave it out; see ./Run help doctor'],
);

done_testing;
