use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../lib ../../../t/lib);
use UnixBench::Cpus::Measurement   ();
use UnixBench::Host::KernelFiles   ();

# Time that was taken, and what explains it.

# Takes [[begin, length], ...] in ms and further keys; returns a slice of 200 ms on one CPU.
sub slice {
    my ($pieces, %more) = @_;
    my @pieces = map { [0, map { $_ / 1000 } @$_] } @$pieces;
    return { seconds => 0.2, waited_s => 0, stolen_s => 0, throttled_s => 0, pieces => \@pieces, %more };
}

sub taken { return UnixBench::Cpus::Measurement::taken(@_) }

# Compares values with two digits.
sub is_taken {
    my ($taken, $expected, $name) = @_;
    my %rounded = map { $_ => defined $taken->{$_} ? sprintf '%.3g', $taken->{$_} : undef } keys %$expected;
    return is_deeply(\%rounded, $expected, $name);
}

is_taken(taken(slice([])), { share => 0, rest => 0, period_s => undef }, 'nothing is missing');
my %none = (stolen => 0, quota => 0, others => 0);
is_taken(taken((slice([[10, 4], [100, 6]])) x 7), { %none, share => 0.05, rest => 0.05 }, 'nothing explains pieces');
is_deeply(taken((slice([[10, 4], [100, 6]])) x 2)->{sizes}, [(0.004, 0.006) x 2], 'the sizes of all pieces');
for my $case (
    ['others',          { stolen_s    => 0.01,  waited_s => 0.006 }, { stolen => 0.05,  others => 0.03, rest => 0.02 }],
    ['a quota',         { throttled_s => 0.02,  waited_s => 0.02 },  { quota  => 0.1,   others => 0,    rest => 0 }],
    ['no more',         { stolen_s    => 5,     waited_s => 5 },     { stolen => 0.1,   others => 0,    rest => 0 }],
    ['what is unknown', { stolen_s    => undef, waited_s => undef }, { stolen => undef, others => undef, rest => 0.1 }],
    )
{
    my ($name, $of, $expected) = @$case;
    is_taken(taken(slice([[10, 20]], %$of)), { share => 0.1, %$expected }, "20 ms, explained by $name");
}
is_taken(taken((slice([[5, 75], [85, 75], [165, 30]])) x 7), { period_s => 0.08 },  'a period');
is_taken(taken((slice([[5, 5],  [20, 5],  [130, 5]])) x 7),  { period_s => undef }, 'no period');
my $two = { %{ slice([]) }, pieces => [[0, 0.01, 0.001], [1, 0.012, 0.001], [0, 0.06, 0.001], [1, 0.062, 0.001]] };
is_taken(taken(($two) x 3), { period_s => 0.05 }, 'the pieces of each CPU have their own period');

done_testing;
