use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use QuickRun qw(known);
use UnixBench::Score::Spread;

for my $known (known('modes')) {
    my $modes    = UnixBench::Score::Spread::modes($known->{rates});
    my @is       = map { @$_{qw(rate share)} } @{ $modes          || [] };
    my @expected = map { @$_{qw(rate share)} } @{ $known->{modes} || [] };
    is(scalar @is, scalar @expected, "$known->{name}: " . (@expected ? 'two modes' : 'one mode')) or next;
    my @off = grep { abs($is[$_] / $expected[$_] - 1) > 1e-9 } 0 .. $#is;
    is("@is[@off]", q{}, "$known->{name}: rates and shares of the modes");
}

# Round trips a second of pgms/context1 -p same and -p apart, on a virtual machine with two CPUs. The short passes of
# half a second alternated.
my @SAME = qw(
    245182 243038 247158 241150 235720 236380 240074 237988 240284 241080
);
my @APART = qw(
    21698 23270 21784 21852 22014 21942 23078 22204 23986 22740
);

subtest 'recorded context switching has two modes' => sub {
    is(UnixBench::Score::Spread::modes($_), undef, 'each way alone has one mode') for \@SAME, \@APART;
    my ($slow, $fast) = @{ UnixBench::Score::Spread::modes([@SAME[0 .. 6], @APART[0 .. 2]]) };
    is_deeply([map { $_->{share} } $slow, $fast], [0.3, 0.7], 'a mixture has two modes with their shares');
    cmp_ok($fast->{rate}, '>', 5 * $slow->{rate}, 'the modes differ by a factor of more than 5');
    is(UnixBench::Score::Spread::modes([@SAME, $APART[0]]), undef, 'a single short pass is not a mode');
};

done_testing;
