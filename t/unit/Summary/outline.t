# Tests of the outline of a result: UnixBench::Summary::Outline.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Machines qw(classic summary);
use UnixBench::Summary::Outline;

subtest 'the outline of a summary' => sub {
    my $summary = summary(
        runs      => { 1    => { pipe => [100, 100], spawn => 'failed: no' }, 2    => { pipe => [150, 150] } },
        procedure => { kind => 'quick',                                       seed => 7 }
    );
    my $outline = UnixBench::Summary::Outline::of($summary);
    is_deeply(
        [map { sprintf '%s %s', $_, $outline->{values}{$_} // 'none' } sort keys %{ $outline->{values} }],
        ['1 test pipe 100', '1 test spawn none', '2 test pipe 150'],
        'has the values of all numbers of copies'
    );
    my $other = UnixBench::Summary::Outline::of({ %$summary, procedure => { kind => 'quick', seed => 8 } });
    is($other->{procedure}, $outline->{procedure}, 'has the same procedure whatever the order of tests');
    my $slow = UnixBench::Summary::Outline::of({ %$summary, procedure => { kind => 'quick', time_factor => 2 } });
    isnt($slow->{procedure}, $outline->{procedure}, 'has another procedure if passes are longer');
    my $classic = UnixBench::Summary::Outline::of(classic($summary));
    is_deeply($classic->{values}, $outline->{values}, 'has the scores of a text report');
};

done_testing;
