use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use UnixBench::Process::Writer;

open my $null, '<', '/dev/null' or die "/dev/null: $!\n";
my %expected = (q{} => 80, 132 => 132, 0 => 80, '0132' => 132, -5 => 80, x => 80, 99_999 => 80);
is(UnixBench::Process::Writer::columns($null, { COLUMNS => $_ }), $expected{$_}, "no window size, COLUMNS is \"$_\"")
    for sort keys %expected;
is(UnixBench::Process::Writer::columns($null, {}), 80, 'without COLUMNS there are 80 columns');

done_testing();
