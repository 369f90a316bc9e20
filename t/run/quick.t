use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive qw(eventually);
use LoadedRun;
use TestRun qw(waited);
use UnixBench::Base::JSONReader;
use UnixBench::Catalog;

# What else happens on this machine decides nothing.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad";

my %STEADY = map { $_ => 'steady' }
    map { $_->{command}[0] } map { UnixBench::Catalog::test($_) } UnixBench::Catalog::expand('index');

# A place with programs that count the same in each slice; sway: by which part they differ.
sub place {
    my (%with) = @_;
    my %env = (defined $with{sway} ? (UB_SWAY => $with{sway}) : (), %{ $with{env} || {} });
    return TestRun->new(programs => { %STEADY, %{ $with{programs} || {} } }, env => \%env);
}

sub result { my ($test) = @_; return UnixBench::Base::JSONReader::decode($test->report('.json')) }

# The tests of the rounds, in the order of the log.
sub order {
    my ($test) = @_;
    return join q{ }, map { s/ -- .*//r } $test->report('.log') =~ /^#{56}\n(.*)$/mg;
}

subtest 'an index' => sub {
    my $test = place();
    my $run  = $test->run(qw(--quick -c 1 --seed 1995));
    is($run->{status}, 0, 'status') or diag $run->{said};
    like($test->report(q{}), qr/^   Note: Quick run: estimate, not an official result$/m, 'the report says what it is');
    like($test->report(q{}), qr/^System Benchmarks Index Score +[0-9.]+$/m,               'and has an index');
    like($test->report(q{}), qr/^Pipe Throughput +1000[.]0 lps   [(]1[.]0 s, 5 samples[)]$/m, 'of five rounds');
    is($run->{out} =~ /round|seed/ ? 1 : 0, 0, 'progress is not on standard output');
    like(
        $run->{err},
        qr/\A1 copy: rounds of short passes, seed 1995, until the index is known to 1 %, at most 2 min\n/,
        'but on standard error, with the seed'
    );
    like($run->{err}, qr/^1 copy, round 5: index [0-9.]+ \+- 0 %; precise enough\n\z/m, 'up to what ends it');
    my $result = result($test);
    is_deeply(
        $result->{procedure},
        {
            kind        => 'quick',
            seed        => 1995,
            precision   => 0.01,
            max_time_s  => 120,
            time_factor => 0.001,
            work_factor => 1,
            multiuser   => undef,
            baseline    => 'official',
            (map { $_ => undef } qw(display load_change interruption)),
            (map { $_ => [] } qw(replacements resumptions)),
        },
        'how it was measured'
    );
    is($result->{runs}[0]{rounds}, 5, 'rounds');
    is_deeply([map { scalar @{ $_->{passes} } } @{ $result->{runs}[0]{tests} }], [(5) x 12], 'a slice in each');
    my $again = place();
    $again->run(qw(--quick -q -c 1 --seed 1995));
    is(order($again), order($test), 'the same order for the same seed');
    $again = place();
    $again->run(qw(--quick -q -c 1));
    isnt(order($again),                     order($test), 'another without one');
    isnt(result($again)->{procedure}{seed}, 1995,         'as its seed tells');
    is_deeply([$test->left], [], 'nothing is left');
};

subtest 'both numbers of copies' => sub {
    my $test = place();
    my $run  = $test->run(qw(--quick -c 1 -c 2 pipe));
    is($run->{status}, 0, 'status');
    is_deeply([map { $_->{rounds} } @{ result($test)->{runs} }], [5, 5], 'each has its rounds');
    like($test->report(q{}), qr/^Pipe Throughput +2000[.]0 lps/m, 'counts are added');
};

subtest 'a precision that is not reached' => sub {
    my $test = place(sway => 0.3);
    my $run  = $test->run(qw(--quick -c 1 --max-time 0.1 --seed 3 pipe syscall hanoi));
    is($run->{status}, 0, 'is no failure when nobody asked for it');
    like($run->{err}, qr/^1 copy, round 3: .*; the time is over\n/m,         'three rounds are made in any case');
    like($run->{err}, qr/^Run: .*\b3 rounds\b.*\b1 %/m,                      'it is said') or diag $run->{err};
    like($run->{err}, qr/^Run: .*(?:Pipe Throughput|System Call Overhead)/m, 'with what it was for');
    $run = $test->run(qw(--quick -q -c 1 --precision 0.5 --max-time 0.1 pipe));
    is($run->{status}, 4, 'another status when somebody did');
    $run = place(sway => 0.001)->run(qw(--quick -q -c 1 --precision 5 pipe));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'reached: nothing to say');
};

subtest 'what is required' => sub {
    my $test = place();
    is($test->run(qw(--quick -q -c 1 pipe --require pipe>=999))->{status},  0, 'met');
    is($test->run(qw(--quick -q -c 1 pipe --require pipe>=1001))->{status}, 3, 'not met');
    $test = place(sway => 0.004);
    my $run = $test->run(qw(--quick -q -c 1 --precision 5 pipe --require pipe>=996));
    is($run->{status}, 0, 'met in the end');
    cmp_ok(result($test)->{runs}[0]{rounds}, '>', 5, 'after more rounds than the precision takes');
    $run = place(sway => 0.004)->run(qw(--quick -q -c 1 --max-time 0.1 pipe --require pipe>=996));
    is($run->{status}, 4, 'open when the time is over');
    $run = place(sway => 0.004, programs => { syscall => 'segfault' })
        ->run(qw(--quick -q -c 1 --max-time 0.1 --precision 0.1 pipe syscall));
    is($run->{status}, 1, 'a test that failed counts more than a precision that was not reached');
    $run = place(sway => 0.3)->run(qw(--quick -q -c 1 --max-time 0.1 --precision 0.1 pipe --require pipe>=9999));
    is($run->{status}, 3, 'so does what is not met');
};

subtest 'a test that fails' => sub {
    my $test = place(programs => { syscall => 'segfault' });
    my $run  = $test->run(qw(--quick -q -c 1));
    is($run->{status}, 1, 'status');
    like($test->report(q{}), qr/^System Call Overhead +no measured results: killed by SIGSEGV/m, 'the reason');
    like($test->report(q{}), qr/^System Benchmarks Index Score +none, 1 test failed$/m,          'the others go on');
    my $json = result($test);
    my ($failed) = grep { $_->{name} eq 'syscall' } @{ $json->{runs}[0]{tests} };
    is(scalar @{ $failed->{passes} }, 1, 'it was not tried again');
};

subtest 'gone on with' => sub {
    my $test = place(sway => 0.2);
    my $run  = $test->started(qw(--quick -q -c 1 --seed 7 --max-time 4 pipe syscall context1));
    ok(eventually(sub { $test->report('.journal') =~ /"number":3/ }), 'amid its rounds');
    kill 'KILL', $run->{pid};
    waited($run);
    my ($name) = map { s/[.]journal\z//r } grep { /journal/ } $test->reports;
    my $resumed = $test->run('--resume', $name, '-q');
    is($resumed->{status}, 0, 'status') or diag $resumed->{said};
    my $result = result($test);
    is($result->{procedure}{seed}, 7,       'the same seed');
    is($result->{procedure}{kind}, 'quick', 'the same procedure');
    cmp_ok($result->{runs}[0]{rounds}, '>=', 3, 'rounds');
    is_deeply([map { $_->{number} } @{ $_->{passes} }], [1 .. $result->{runs}[0]{rounds}], "every slice of $_->{name}")
        for @{ $result->{runs}[0]{tests} };
    like($test->report(q{}), qr/^   Note: Quick run.*\n(?:.*\n)?   Note: resumed /m, 'both notes');
    is_deeply([$test->left], [], 'nothing is left');
};

subtest 'interrupted' => sub {
    my $test = place(sway => 0.2);
    my $run  = $test->started(qw(--quick -q -c 1 --max-time 9 pipe syscall));
    ok(eventually(sub { $test->report('.journal') =~ /"number":3/ }), 'amid its rounds');
    kill 'TERM', $run->{pid};
    my $ended = waited($run);
    is($ended->{signal}, 15, 'died of the signal');
    like($test->report(q{}), qr/^   Note: Quick run.*\n(?:.*\n)?   Note: interrupted by SIGTERM$/m, 'both notes');
    like($test->report(q{}), qr/^Pipe Throughput +[0-9.]+ lps/m, 'with what the slices tell');
};

subtest 'the plan' => sub {
    my $run = place(env => { UB_TIME_FACTOR => 1 })->run(qw(--quick --dry-run));
    like($run->{out},
        qr/^1 parallel copy of tests, rounds of 1[5-9] s until the index is known to 1 %, at most 2 min$/m, 'rounds');
    like($run->{out}, qr/^  shell8 .* 2 s$/m,         'slices');
    like($run->{out}, qr/^In all at most [24] min$/m, 'the time');
};

subtest 'wrong usage' => sub {
    for my $case (
        [[qw(--quick -i 3)],          'options --quick and -i do not go together'],
        [[qw(--seed 3 pipe)],         'option --seed is for --quick'],
        [[qw(--quick --precision 0)], 'option --precision needs a percentage above 0'],
        )
    {
        my ($words, $message) = @$case;
        my $run = place()->run(@$words);
        is($run->{status}, 2, "@$words");
        like($run->{err}, qr/\ARun: \Q$message\E/, 'the message says what is wrong');
    }
};

done_testing();
