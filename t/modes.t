use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use QuickRun qw(known);
use UnixBench::Stats::Modes;

for my $known (known('modes')) {
    my $modes    = UnixBench::Stats::Modes::of(@{ $known->{rates} });
    my @is       = map { @$_{qw(rate share)} } @{ $modes          || [] };
    my @expected = map { @$_{qw(rate share)} } @{ $known->{modes} || [] };
    is(scalar @is, scalar @expected, "$known->{name}: " . (@expected ? 'two' : 'one')) or next;
    my @off = grep { abs($is[$_] / $expected[$_] - 1) > 1e-9 } 0 .. $#is;
    is("@is[@off]", q{}, "$known->{name}: rates and shares");
}

done_testing;
