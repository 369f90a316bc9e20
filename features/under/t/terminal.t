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
use UnixBench::Features ();

skip_without(machine => 'terminals') if !PseudoTerminal->new(80);

# Disturbances by other processes do not change the results.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

my ($shown) = shown(place(), { TERM => 'xterm' }, qw(--under env -c 1 pipe));
my ($block) = $shown =~ /^(Ratio .*)\z/ms;
like($block // $shown, qr/^Page /m, 'the block has the page');
my @why  = map { "--$_" } sort keys %{ UnixBench::Features::merged('of_pairs') };
my @next = $shown =~ /^Next +(.*?)\s*$/mg;
is_deeply(\@next, [@why ? "./Run compare turns turns-b @why" : ()], 'and the command that names the cause');

done_testing;
