# Tests that a quick run has at least three rounds, that no further short pass would end after --max-time, and that a
# limit in which eight rounds do not fit is refused at once.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use FakeProcess;
use Fixture qw(counted);
use TestRun;
use UnixBench::Measure::Runner;
use UnixBench::Plan;
use UnixBench::Score::StopRule;

# Takes the name of a test; returns the keys of its lane in the only state.
sub of { my ($name) = @_; return (lane => $name, state => 0) }

# Takes the maximum time, the number of copies, the seconds that the short passes take in turn, and the seconds that
# went by before. Makes a quick run of three tests, whose short passes are planned as 1 s each. Returns the run and the
# seconds of all.
sub made {
    my ($limit_s, $copies, $lengths_s, $before_s) = @_;
    my $process = FakeProcess->new;
    my $began_s = $process->{now_s};
    my $slices  = 0;
    $process->{now_s} += $before_s;
    my %name =
        map { $_ => { name => $_, title => uc $_, category => 'system', command => [$_], pass_s => 1, of($_) } }
        qw(a b c);
    my $runner = UnixBench::Measure::Runner->new(
        process   => $process,
        clock     => $process,
        cpu_count => 2,
        began_s   => $began_s,
        rule      => UnixBench::Score::StopRule->new(precision => 1e-9, max_time_s => $limit_s),
        indexes   => sub { [] },
        one_pass  => sub {
            $process->{now_s} += $lengths_s->[$slices++ % @$lengths_s];
            return map { { elapsed_s => 1, counted($slices, 1, 'lps', 1) } } 1 .. $copies;
        },
        is_draining => sub { return },
        on          => {},
    );
    my %plan = (
        copies   => [$copies],
        settle_s => [],
        rest_s   => 1,
        states   => [{}],
        tests    => [@name{qw(a b c)}],
        quick    => { seed => 1 }
    );
    my ($run) = $runner->run(\%plan);
    return ($run, $process->{now_s} - $began_s);
}

# [name, maximum time, copies, seconds of the short passes in turn, seconds before, rounds that are made, whether the
# run ends in time].
#<<< a table
my @CASES = (
    ['as planned',                    20, 1,   [1.1],              0, 5, 1],
    ['passes take twice as long',     20, 1,   [2.2],              0, 3, 0],
    ['a slow start',                  20, 1,   [1.1],              6, 3, 1],
    ['one pass takes long',           20, 1,   [1, 1, 9, 1],       0, 3, 0],
    ['many copies',                   20, 301, [1.1],              0, 4, 1],
);
#>>>

for my $row (@CASES) {
    my ($name, $limit_s, $copies, $lengths_s, $before_s, $rounds, $is_in_time) = @$row;
    my ($run, $took_s) = made($limit_s, $copies, $lengths_s, $before_s);
    my $most_s = $limit_s - UnixBench::Plan::reserve_s($copies);
    cmp_ok($took_s, $is_in_time ? '<=' : '>', $most_s, "$name: whether the run ends in time, with a reserve");
    is($run->{rounds},            $rounds, "$name: number of whole rounds");
    is(scalar @{ $run->{tests} }, 3,       "$name: every test is in the run");
    my @few = grep { @{ $_->{passes} } < 3 } @{ $run->{tests} };
    is_deeply(\@few, [], "$name: every test has at least three passes");
}

subtest 'after three rounds, no short pass begins that would take longer than the time left' => sub {
    srand 1995;
    for (1 .. 200) {
        my $longest_s = 1.1 + rand 3;
        my $limit_s   = 5 + rand 40;
        my ($run, $took_s) = made($limit_s, 1, [map { $longest_s * (0.5 + rand 0.5) } 1 .. 50], 0);
        cmp_ok($run->{rounds}, '>=', 3, 'there are at least three rounds') or return;
        next if $run->{rounds} == 3;
        cmp_ok($took_s, '<=', $limit_s, 'the run ends in time') or return;
    }
};

# [number of tests with short passes of a second, copies, states, seconds of the warm-up pass, least maximum time]. That
# time is 1 s of rest, eight rounds of passes that take 1.1 * 1.02 s (with two copies 1.1 * 1.025 s), and 2 s in reserve
# (with two copies 2.01 s). Three states have six orders, so eight rounds allow them; five states have ten.
#<<< a table
my @LEAST = (
    [1,  1, 1, undef, 1 + 8 * 1.122 + 2],
    [12, 2, 1, undef, 1 + 8 * 12 * 1.1275 + 2.01],
    [12, 1, 1, 0.1,   1 + 12 * 0.132 + 8 * 12 * 1.122 + 2],
    [1,  1, 3, 0.1,   1 + 3 * 0.132 + 3 * 8 * 1.122 + 2],
    [1,  1, 5, 0.1,   1 + 5 * 0.132 + 5 * 10 * 1.122 + 2],
);
#>>>
for my $row (@LEAST) {
    my ($count, $copies, $states, $warm_s, $least_s) = @$row;
    my @warm = defined $warm_s ? (warm_up => { pass_s => $warm_s }) : ();
    my %plan = (
        copies => [1, $copies],
        rest_s => 1,
        states => [({}) x $states],
        tests  => [map { { name => $_, of($_), pass_s => 1, @warm } } 1 .. $count]
    );
    my $planned_s = UnixBench::Plan::least_s(\%plan);
    is(
        sprintf('%.4f', $planned_s),
        sprintf('%.4f', $least_s),
        "least time for $count tests, $copies copies, $states states" . (@warm ? ', with a warm-up' : q{})
    );
}

subtest 'a maximum time that is too short is refused' => sub {
    my $refused =
        qr/\ARun: option --max-time: (\S+ \S+) is too short for 8 rounds of these tests; use --max-time (\d+)s/;
    #<<< a table
    for my $words ([qw(-c 1 -c 2 --max-time 40s)], [qw(-c 1 --max-time 1 pipe)]) {
        #>>>
        my $test = TestRun->new(env => { UB_TIME_FACTOR => 1 });
        my $run  = $test->run('-q', '--quick', @$words);
        is($run->{status}, 2, "@$words: the exit status is 2");
        like($run->{err}, $refused, "@$words: the error has the least time that is enough");
        is_deeply([$test->reports], [], "@$words: no report is made");
        my ($least)  = $run->{err} =~ /(\d+)s or more$/m;
        my ($option) = grep { $words->[$_] eq '--max-time' } 0 .. $#$words;
        my @enough   = @$words;
        $enough[$option + 1] = $least;
        is($test->run('--dry-run', '--quick', @enough)->{status}, 0, "@enough: this time is accepted");
    }
};

done_testing;
