# The end of a run under commands on a terminal.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib);
use InTurns                        qw(place);
use LastScreen                     qw(shown);
use LoadedRun;
use Needs qw(skip_without);
use PseudoTerminal;

skip_without(machine => 'terminals') if !PseudoTerminal->new(80);

# Disturbances by other processes do not change the results.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

my ($shown) = shown(place(), { TERM => 'xterm' }, qw(--under env -c 1 pipe));
my ($block) = $shown =~ /^(Ratio .*)\z/ms;
like($block // $shown, qr/^Page /m, 'the block has the page');
unlike($shown, qr/^Next |Odd number/m, 'and no next step');

done_testing;
