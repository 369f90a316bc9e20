# The simulation of states in turns, with few experiments; and a wrong word for the trial of commands.

use strict;
use warnings;

use FindBin;
use Test::More;

my $said   = qx($^X '$FindBin::Bin/../lab/turns' 10 2>&1);
my $status = $? >> 8;
my @faults = $said =~ /^FAULT: (.*)$/mg;
is($status, @faults ? 1 : 0, 'the exit status tells whether there is a fault');
like($said, qr/^No fault[.]$/m, 'the last line, too') if !@faults;
my $percent   = qr/\d+[.]\d+ %/;
my @intervals = $said =~ /^([|] [^|]+ [|] [234] [|] \d+ of \d+ (?:[|] $percent ){3}[|] (?:$percent)? [|])$/mg;
is(scalar @intervals, 20, 'the rows of the first table');
is(scalar(my @verdicts = $said =~ /^([|] [^|]+ [|] 12? [|] [16]0 [|] [\d.]+ (?:[|] $percent ){4}[|])$/mg),
    28, 'the rows of the second table');
my ($index, $apart) = $intervals[3] =~ /30 of 30 [|] (\S+) %.* (\S+) % [|]\z/;
cmp_ok($index, '>=', 50, 'the interval holds the ratio in most experiments') or diag $said;
cmp_ok($apart, '<',  50, 'that of a run of A and then one of B does not')    or diag $said;

$said = qx($^X '$FindBin::Bin/../lab/under' nowhere 2>&1);
is($? >> 8, 2, 'an unknown command has exit status 2');
like($said, qr/\Aunder: unknown case "nowhere"; there are: .*\n\z/, 'and one line');

done_testing;
