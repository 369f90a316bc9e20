use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(failed measured result run);
use QuickRun qw(has_known_estimate in_rounds known run_of_rounds);
use Rendered qw(rendered);
use UnixBench::Base::Files;
use UnixBench::Score::Spread;
use UnixBench::Store::ResultFile;

sub near {
    my ($is, $should, $name) = @_;
    return cmp_ok(abs($is - $should), '<=', 1e-9 * $should, "$name is $should");
}

# Counts of one copy in passes of 30 s, each some microseconds longer than the one before: see Fixture.
my @COUNTS = (3030, 2985, 3097.5, 2940, 3015);
my $TEST   = measured('spawn', 1, @COUNTS);
my @RATES  = map { $COUNTS[$_] / $TEST->{passes}[$_]{time_s} } 0 .. $#COUNTS;
my $SPREAD = UnixBench::Score::Spread::of_test($TEST);

is($SPREAD->{passes}, 5, 'all passes are included, also the third that the score leaves out');
near($SPREAD->{median}, $RATES[4], 'median');
near($SPREAD->{min},    $RATES[3], 'minimum');
near($SPREAD->{max},    $RATES[2], 'maximum');

# By NumPy 2, from the counts divided by 30: mean 100.45, standard deviation 1.9397164741270823.
cmp_ok(abs($SPREAD->{mean} - 100.45),      '<', 0.02,  'mean');
cmp_ok(abs($SPREAD->{sd} - 1.93971647413), '<', 0.002, 'standard deviation');
near($SPREAD->{cv}, $SPREAD->{sd} / $SPREAD->{mean}, 'coefficient of variation');
cmp_ok(
    $TEST->{score}, '>',
    $SPREAD->{estimate}{value},
    'the score, which leaves out the third of the passes with the lowest counts, is higher'
);

is(UnixBench::Score::Spread::of_test(failed('spawn', 'killed by SIGSEGV', 3030)), undef, 'a failed test has no spread');

my $one = UnixBench::Score::Spread::of_test(measured('spawn', 1, 3030));
is_deeply(
    [@$one{qw(passes sd cv)}, $one->{estimate}{low}],
    [1, undef, undef, undef],
    'one pass has no deviation and no interval'
);
near($one->{$_}, $one->{mean}, $_) for qw(min max median);

subtest 'an index has an estimate' => sub {
    my @tests   = ($TEST, measured('pipe', 1, 1e7, 1.01e7, 0.99e7));
    my $run     = run(1, @tests);
    my ($index) = @{ $run->{indexes} };
    my %spread  = map { $_->{name} => UnixBench::Score::Spread::of_test($_) } @tests;
    my $is      = UnixBench::Score::Spread::of_index($index, $run)->{estimate};
    my @values  = map { $spread{$_}{estimate}{value} } qw(spawn pipe);
    near($is->{value}, 10 * sqrt($values[0] / 126 * $values[1] / 12_440), 'the value');
    my @errors = map { $spread{$_}{estimate}{log_se} } qw(spawn pipe);
    near($is->{log_se}, sqrt($errors[0]**2 + $errors[1]**2) / 2, 'the standard error');
};

subtest 'a test may have two modes' => sub {
    my @counts = map { 1e6 * $_ } 10.1, 20, 10, 20.2, 9.9, 20.1, 10, 10.1;
    my $modes  = UnixBench::Score::Spread::of_test(measured('context1', 1, @counts))->{modes};
    is_deeply([map { $_->{share} } @$modes], [0.625, 0.375], 'five of eight passes are in the slower mode');
    cmp_ok($modes->[0]{rate}, '<', $modes->[1]{rate}, 'the slower mode comes first');
    is(UnixBench::Score::Spread::of_test(in_rounds('context1', @counts), 8)->{modes}[0]{share},
        0.625, 'a quick run has the same modes');
    is(UnixBench::Score::Spread::of_test(measured('context1', 1, @counts[0 .. 6]))->{modes},
        undef, 'seven passes are too few');
    my $loaded = sub {
        my ($level, @numbers) = @_;
        my $test = measured('context1', 1, @counts);
        $test->{passes}[$_]{tags} = [{ cause => 'load', value => 0.5, level => $level }] for @numbers;
        return UnixBench::Score::Spread::of_test($test)->{modes};
    };
    is($loaded->('disturbed', 1),                undef, 'other load may explain a mode with two undisturbed passes');
    is($loaded->('disturbed', 0, 2, 4),          undef, 'so it may with the slower one');
    is(scalar @{ $loaded->('disturbed', 0, 2) }, 2,     'three undisturbed passes in each mode are enough');
    is(scalar @{ $loaded->('slight', 0 .. 7) },  2,     'slight disturbances do not count');
    is($SPREAD->{modes},                         undef, 'a test with one mode has no modes');
};

subtest 'a quick run has a spread' => sub {
    my @slices = ({ count => 1000, time_s => 1 }, { count => 3030, time_s => 3 }, { count => 980, time_s => 1 });
    my $test   = in_rounds('pipe', @slices);
    my $spread = UnixBench::Score::Spread::of_run(run_of_rounds($test))->{pipe};
    near($spread->{estimate}{value}, 5010 / 5, 'all counts divided by all times');
    is($spread->{estimate}{df}, 2, 'the degrees of freedom are the rounds minus one');
    near($spread->{mean}, 2990 / 3, 'the mean of the rates');
};

my @NAMES = qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn syscall shell1 shell8);
for my $known (known('indexes')) {
    my @known_tests = @{ $known->{tests} };
    my @tests       = map { in_rounds($NAMES[$_], @{ $known_tests[$_]{slices} }) } 0 .. $#known_tests;
    my @rows        = map { +{ name => $NAMES[$_], baseline => $known_tests[$_]{baseline} } } 0 .. $#known_tests;
    push @rows, { name => 'hanoi', baseline => undef };
    my $is = UnixBench::Score::Spread::of_index({ rows => \@rows }, run_of_rounds(@tests, in_rounds('hanoi', 1 .. 5)));
    has_known_estimate($is->{estimate}, $known->{estimate}, "an index: $known->{name}");
}

# Takes a level and a count; returns a short pass with a disturbance of that level.
sub tagged {
    my ($level, $count) = @_;
    return { count => $count, tags => [{ cause => 'others', level => $level, value => 0.5 }] };
}

my $DISTURBED = in_rounds('pipe', 1000, tagged(disturbed => 700), 1010, tagged(note => 990));
my $LEFT      = in_rounds(
    'pipe',
    { number => 1, count => 1000 },
    map { +{ number => $_->[0], count => $_->[1] } } [3, 1010],
    [4, 990]
);
my $QUIET = in_rounds('spawn', 100, 101, 99, 102);
my $LOST  = in_rounds('pipe',  tagged(disturbed => 700), tagged(disturbed => 710));

# Takes tests; returns the spread of the only index of their run.
sub index_of {
    my (@tests) = @_;
    my $run = run_of_rounds(@tests);
    return UnixBench::Score::Spread::of_index($run->{indexes}[0], $run);
}

subtest 'undisturbed is the estimate without disturbed passes' => sub {
    my $of = sub { UnixBench::Score::Spread::of_test($_[0], 4) };
    is_deeply($of->($DISTURBED)->{undisturbed}, $of->($LEFT)->{estimate}, 'disturbed passes are left out');
    isnt($of->($DISTURBED)->{estimate}{value}, $of->($LEFT)->{estimate}{value}, 'the estimate has all passes');
    is($of->($QUIET)->{undisturbed}, undef, 'there is none without disturbed passes');
    is($of->($LOST)->{undisturbed},  undef, 'there is none without undisturbed passes');
    is_deeply(index_of($DISTURBED, $QUIET)->{undisturbed}, index_of($LEFT, $QUIET)->{estimate}, 'an index has it, too');
    is(index_of($LEFT, $QUIET)->{undisturbed}, undef, 'an index that nothing disturbed has none');
    is(index_of($LOST, $QUIET)->{undisturbed}, undef, 'an index with a test that was always disturbed has none');
    my $official = measured('spawn', 1, 3000, 2500, 3030);
    $official->{passes}[1]{tags} = tagged('disturbed')->{tags};
    my $two   = UnixBench::Score::Spread::of_test($official)->{undisturbed};
    my @rates = map { UnixBench::Score::Score::rate($_) } @{ $official->{passes} }[0, 2];
    near($two->{value}, sqrt($rates[0] * $rates[1]), 'for an official run, the geometric mean of the other passes');
};

subtest 'a result file has the spread' => sub {
    my $context1 = in_rounds('context1', 100, 200, 101, 202);
    my $result = result([run_of_rounds($DISTURBED, $QUIET, $context1)], procedure => { kind => 'quick', seed => 1995 });
    my $place  = File::Temp->newdir;
    my $path   = "$place/x.json";
    UnixBench::Base::Files::write_whole($path, rendered(json => $result));
    my $json = UnixBench::Base::Files::content($path);
    my ($run) = @{ UnixBench::Store::ResultFile::document(\$json)->{runs} };
    my ($tests, $index) = ($run->{tests}, $run->{indexes}[0]);
    is($run->{rounds}, 4, 'the number of rounds');
    is_deeply(
        $tests->[0]{spread},
        UnixBench::Score::Spread::of_test($DISTURBED, 4),
        'the spread with the undisturbed estimate'
    );
    is_deeply($tests->[2]{spread}{modes}, UnixBench::Score::Spread::of_test($context1, 4)->{modes}, 'the modes');
    is_deeply(
        [@$index{qw(estimate undisturbed)}],
        [@{ index_of($DISTURBED, $QUIET, $context1) }{qw(estimate undisturbed)}],
        'the estimates of an index'
    );
    is_deeply(UnixBench::Store::ResultFile::summary($path)->{runs}[0]{indexes}[0]{estimate},
        $index->{estimate}, 'the estimate is in the summary');
};

done_testing;
