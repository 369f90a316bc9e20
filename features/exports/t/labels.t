# The labels of results in an export.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../t/lib);
use Fixture qw(host measured result run);
use UnixBench::Report::Formats;
use UnixBench::Store::Summary;

# Takes labels; returns a result.
sub labelled { return result([run(1, measured('pipe', 1, 1000, 1010, 990))], labels => $_[0]) }

my @results =
    map { { host => $_->{host}{name}, summary => UnixBench::Store::Summary::of($_) } }
    labelled({ round => "2\e[31m", name => '=1+1' }),
    { %{ labelled({ state => 'new' }) }, host => host(name => 'web') };
my ($head, @rows) = split /\n/, UnixBench::Report::Formats::of_results('export csv', @results);
like($head,    qr/,status,repeat,repeat_known,label_name,label_round,label_state\z/, 'each label has a column');
like($rows[0], qr/,measured,0[.]035,0,'=1[+]1,2\\x1b\[31m,\z/, 'a formula or a control character is harmless');
like($rows[1], qr/,measured,0[.]035,0,,,new\z/,                'a label that a result lacks is empty');

done_testing;
