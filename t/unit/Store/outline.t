# Tests of the outline of a result, as a history needs it: UnixBench::Store::Outline.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Cases    qw(cases);
use Machines qw(classic summary);
use UnixBench::Base::JSON;
use UnixBench::Report::JSON;
use UnixBench::Report::View;
use UnixBench::Store::Outline;

subtest 'the outline of a summary' => sub {
    my $summary = summary(
        runs      => { 1    => { pipe => [100, 100], spawn => 'failed: no' }, 2    => { pipe => [150, 150] } },
        procedure => { kind => 'quick',                                       seed => 7 }
    );
    my $outline = UnixBench::Store::Outline::of($summary);
    is_deeply(
        [map { sprintf '%s %s', $_, $outline->{values}{$_} // 'none' } sort keys %{ $outline->{values} }],
        ['1 test pipe 100', '1 test spawn none', '2 test pipe 150'],
        'has the values of all numbers of copies'
    );
    is($outline->{is_quick}, 1, 'tells a quick run');
    my $other = UnixBench::Store::Outline::of({ %$summary, procedure => { kind => 'quick', seed => 8 } });
    is($other->{procedure}, $outline->{procedure}, 'has the same procedure whatever the order of tests');
    my $slow = UnixBench::Store::Outline::of({ %$summary, procedure => { kind => 'quick', time_factor => 2 } });
    isnt($slow->{procedure}, $outline->{procedure}, 'has another procedure if passes are longer');
    my $classic = UnixBench::Store::Outline::of(classic($summary));
    is_deeply($classic->{values}, $outline->{values}, 'has the scores of a text report');
};

# The text that a file has.
subtest 'the outline of JSON' => sub {
    for my $case (grep { @{ $_->{result}{runs} } } cases()) {
        my $text    = UnixBench::Report::JSON::summary(UnixBench::Report::View->new(result => $case->{result}));
        my ($json)  = $text =~ /"summary":(.*),\n/ or die "no summary in $case->{name}\n";
        my $outline = eval { UnixBench::Store::Outline::of_json($json) } // $@;
        my $known   = UnixBench::Store::Outline::of(UnixBench::Base::JSON::decode($json));
        is_deeply($outline, $known, "$case->{name}: is that of its summary");
    }
};

subtest 'JSON of others' => sub {
    for my $json ('{}', '[]', q{}, '{"facts":{},"files":{},"flags":null,"runs":[],"source":"UnixBench","started":1}') {
        is(eval { UnixBench::Store::Outline::of_json($json); 1 }, undef, "is refused: $json");
    }
};

done_testing;
