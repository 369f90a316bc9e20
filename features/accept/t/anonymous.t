# A criterion without names, for --no-identity.

use strict;
use warnings;

use Test::More;

use FindBin;
use lib "$FindBin::Bin/../lib";
use UnixBench::Accept::Judge;

my @by        = ({ name  => '/home/zaphod/hog', passes => 2 }, { passes => 1, cpus => 1 });
my $load      = [{ cause => 'others',           by     => \@by }, { cause => 'waiting', by => [$by[0]] }];
my $criterion = { text => 'pipe>=1*/home/zaphod/old', file => '/home/zaphod/old', base => { other_load => $load } };
my $shown     = UnixBench::Accept::Judge::anonymous($criterion);
is_deeply([@$shown{qw(text file)}], ['pipe>=1*REFERENCE', 'REFERENCE'], 'the file has no name');
is_deeply(
    $shown->{base}{other_load},
    [{ cause => 'others', by => [$by[1]] }, { cause => 'waiting' }],
    'the other load of its result has no names'
);
is($load->[1]{by}[0]{name}, '/home/zaphod/hog', 'the criterion itself does not change');

done_testing;
