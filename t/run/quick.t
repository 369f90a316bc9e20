use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use LoadedRun qw(eventually waited);
use UnixBench::Base::JSON;
use UnixBench::Catalog;

# Disturbances by other processes do not change the results.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";

my @INDEX  = UnixBench::Catalog::expand('index');
my %STEADY = map { $_ => 'steady' } map { UnixBench::Catalog::test($_)->{command}[0] } @INDEX;

# Returns a place with programs that count the same in each short pass. sway: the relative difference between passes.
sub place {
    my (%with) = @_;
    my %env = (defined $with{sway} ? (UB_SWAY => $with{sway}) : (), %{ $with{env} || {} });
    return TestRun->new(programs => { %STEADY, %{ $with{programs} || {} } }, env => \%env);
}

sub result { my ($test) = @_; return UnixBench::Base::JSON::decode($test->report('.json')) }

subtest 'an index' => sub {
    my $test = place();
    my $run  = $test->run(qw(--quick -c 1 --seed 1995 --max-time 0.1));
    is($run->{status}, 0, 'exit status 0') or diag $run->{said};
    my $report = $test->report(q{});
    like($report, qr/^   Note: Quick run: estimate, not an official result$/m,     'the report says that');
    like($report, qr/^System Benchmarks Index Score +[0-9.]+$/m,                   'the report has an index');
    like($report, qr/^Pipe Throughput +1000[.]0 lps   [(]1[.]0 s, 3 samples[)]$/m, 'the score is from three rounds');
    is($run->{out} =~ /round|seed/ ? 1 : 0, 0, 'progress is not on standard output');
    like($run->{err}, qr/\A1 copy: rounds of short passes, seed 1995, until \+-2 %, at most [0-9.]+ s\n/, 'the seed');
    like($run->{err}, qr/^1 copy, round 3: index [0-9.]+ \+-0 %; time limit reached$/m, 'the reason for stopping');
    my $result    = result($test);
    my %procedure = (kind => 'quick', seed => 1995, precision => 0.02, max_time_s => 0.1);
    is_deeply({ map { $_ => $result->{procedure}{$_} } keys %procedure }, \%procedure, 'the JSON has the procedure');
    my @passes = map { scalar @{ $_->{passes} } } @{ $result->{runs}[0]{tests} };
    is_deeply(\@passes,      [(3) x @INDEX], 'each test has a short pass in each round');
    is_deeply([$test->left], [],             'no scratch file is left');
};

subtest 'a precision that is not reached' => sub {
    my $test = place(sway => 0.3);
    my $run  = $test->run(qw(--quick -c 1 --max-time 0.1 --seed 3 pipe syscall hanoi));
    is($run->{status}, 0, 'a default precision that is not reached is not a failure');
    like($run->{err}, qr/^1 copy, round 3: .*; time limit reached\n/m, 'three rounds are always made');
    like($run->{err}, qr/^Run: .*\b3 rounds\b.*\b2 %/m,                'a precision that is not reached is reported')
        or diag $run->{err};
    $run = $test->run(qw(--quick -q -c 1 --max-time 0.1 --seed 3 pipe syscall hanoi));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'with -q, standard error has nothing: cron would send it');
    $run = $test->run(qw(--quick -q -c 1 --precision 0.5 --max-time 0.1 pipe));
    is($run->{status}, 4, 'a requested precision that is not reached: exit status 4');
    like($run->{err}, qr/^Run: .*precision after/, 'whose reason is printed, also with -q');
};

subtest 'a test that fails' => sub {
    my $test = place(programs => { syscall => 'segfault' });
    my $run  = $test->run(qw(--quick -q -c 1 --max-time 0.1));
    is($run->{status}, 1, 'a failed test: exit status 1');
    like($test->report(q{}), qr/^System Call Overhead +no measured results: killed by SIGSEGV/m, 'the reason');
    like($test->report(q{}), qr/^System Benchmarks Index Score +none [(]incomplete[)]$/m,        'the index, too');
    my $json = result($test);
    my ($failed) = grep { $_->{name} eq 'syscall' } @{ $json->{runs}[0]{tests} };
    is(scalar @{ $failed->{passes} }, 0, 'a test that is killed in the warm-up is not tried again');
};

subtest 'a killed quick run is resumed' => sub {
    my $test = place(sway => 0.2);
    my $run  = $test->started(qw(--quick -q -c 1 --seed 7 --max-time 4 pipe syscall context1));
    ok(eventually(sub { $test->report('.journal') =~ /"number":3/ }), 'the run has made three rounds');
    kill 'KILL', $run->{pid};
    waited($run);
    my ($name) = map { s/[.]journal\z//r } grep { /journal/ } $test->reports;
    my $resumed = $test->run('--resume', $name, '-q');
    is($resumed->{status}, 0, 'the resumed run succeeds') or diag $resumed->{said};
    my $result = result($test);
    is($result->{procedure}{seed}, 7,       'the resumed run has the same seed');
    is($result->{procedure}{kind}, 'quick', 'the resumed run has the same procedure');
    my ($rounds, $tests) = @{ $result->{runs}[0] }{qw(rounds tests)};
    cmp_ok($rounds, '>=', 3, 'the resumed run has at least three rounds');
    my %has_more = map { $_->{name} => 1 } grep { @{ $_->{passes} } > $rounds } @$tests;
    is_deeply(
        [map { $_->{number} } @{ $_->{passes} }],
        [1 .. $rounds + ($has_more{ $_->{name} } // 0)],
        "the resumed run has every short pass of $_->{name}"
    ) for @$tests;
    cmp_ok(scalar keys %has_more, '<', @$tests, 'only some tests have a pass of a round that the time limit has cut');
    like($test->report(q{}), qr/^   Note: Quick run.*\n(?:.*\n)?   Note: resumed$/m, 'the report has both notes');
    ok(eventually(sub { !$test->left }), 'no scratch file is left');
};

done_testing();
