use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use LoadedRun;
use UnixBench::Base::JSON;

# Whole runs of the interactive tests, with a fake of interbench that prints its output at once.

sub place_for {
    my (%env) = @_;
    return TestRun->new(
        programs => { interbench    => "$FindBin::Bin/bin/like-interbench", syscall => 'count' },
        env      => { UB_OUTPUT_CSV => 'true', UB_OUTPUT_JSON => 'true', UB_TIME_FACTOR => 0.2, %env },
    );
}

# Returns the interactivity in the JSON of a place.
sub told { my ($test) = @_; return UnixBench::Base::JSON::decode($test->report('.json'))->{runs}[0]{interactivity} }

subtest 'both tests' => sub {
    my $test = place_for();
    my $run  = $test->run(qw(-q -i 2 interactive));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'both tests are measured');
    my $report = $test->report(q{});
    is(scalar(() = $report =~ /^Benchmark Run: /mg), 1, 'both tests are in one run');
    like($report, qr/^Interactive Capacity +541[.]9 fps   \(0[.]6 s, 2 samples\)$/m,      'text: the capacity');
    like($report, qr/^Interactive Response +812[.]5 wps   \(4[.]0 s, 2 samples\)\n\n\z/m, 'text: no index');
    my @csv = split /\n/, $test->report('.csv');
    is_deeply(\@csv, ['Concurrency,Interactive Capacity,Interactive Response', '1,541.9,812.5'], 'CSV: both scores');
    like($test->report('.log'),  qr/^# cell[.]Hack[.]Probe0: 1000$/m, 'log: the output of the program');
    like($test->report('.html'), qr/<caption>Interactivity: staleness, p99 of passes/, 'HTML: a table');
    is_deeply([map { $_->{passes} } @{ told($test)->{cells} }], [(2) x 16], 'JSON: each task under each load, twice');
    is(scalar @{ told($test)->{trials} }, 8, 'JSON: the trials');
};

subtest 'without its program' => sub {
    my $test = TestRun->new;
    is($test->run(qw(-q interactive-capacity))->{status}, 1, 'a test that was asked for is skipped: exit status 1');
    my $why = 'no measured results: skipped: there is no program interbench; make shows why it is not built';
    like($test->report(q{}), qr/^Interactive Capacity +$why$/m, 'the report says why');
};

my %FAILURES = (
    'the program fails'   => [{ LIKE_INTERBENCH => 'error' }, 'Hack ended: killed by SIGSEGV'],
    'passes of no second' => [
        { UB_TIME_FACTOR => 0.1 },
        'Probe had 500 frames under Burn, and its 99th percentile needs 1000: 0.5 s are too short'
    ],
);

for my $what (sort keys %FAILURES) {
    my ($env, $why) = @{ $FAILURES{$what} };
    my $test = place_for(%$env);
    my $run  = $test->run(qw(-q interactive-response));
    my $line = qq{Run: "Interactive Response": $why (pass 1, copy 1); aborting this test\n};
    is_deeply([@$run{qw(status err)}, told($test)], [1, $line, undef], "$what: exit status 1, and one line");
}

subtest 'the program prints malformed lines' => sub {
    my $test = place_for(LIKE_INTERBENCH => 'malformed');
    my $run  = $test->run(qw(-q --details interactive));
    is_deeply([@$run{qw(status err)}],                                 [0,  q{}], 'both tests are measured');
    is_deeply([map { scalar @$_ } @{ told($test) }{qw(cells trials)}], [12, 0],   'the JSON has what was understood');
};

done_testing;
