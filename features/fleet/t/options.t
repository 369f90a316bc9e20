# The command fleet on the command line.

use strict;
use warnings;

use Cwd ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../../t/lib";
use CommandLines qw(are_accepted are_refused);

my $HERE = Cwd::getcwd();

are_accepted(
    ['fleet list.csv' => { command => 'fleet', words => ['list.csv'] }],
    ['fleet a b'      => { command => 'fleet', words => [qw(a b)] }],
    [
        'fleet a --json - --force --verdict v' =>
            { command => 'fleet', words => ['a'], json => q{-}, force => 1, verdict => "$HERE/v" },
    ],
);
are_refused(
    ['fleet'   => 'fleet needs a list or results: ./Run fleet LIST'],
    ['--fleet' => '--fleet is now a command: ./Run fleet LIST'],
    (
        map { ["fleet a $_" => "fleet has no option " . (split)[0] . ": leave it out; see ./Run help fleet"] } '-v',
        '-c 2', '--quick', '--details', '--setup', '--no-identity'
    ),
);

done_testing;
