# What rounds that are spread over time show about how much runs vary, with made-up rounds.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../lab/lib ../../../t/lib);
use Fixture                        qw(@INDEX measured rendered result run);
use MadeUp                         qw(normal);
use Place                          qw(place write_file);
use UnixBench::Features            ();
use UnixBench::Over::Variation;
use UnixBench::Store::EarlierRuns;
use UnixBench::Summary;

use constant { START => 1_795_140_750, ROUNDS => 240, SLOT => 360, DAY => 86_400 };

# All tests of the index: a partial one is not compared with others.
my @TESTS = @INDEX;

# Takes the deviations of independent noise, and of noise that all tests have in common for a number of rounds, and
# perhaps a factor of all rates. Returns the result of a day.
sub day {
    my ($alone, $common, $rounds, $factor) = @_;
    my @common;
    push @common, ($common * normal()) x $rounds while @common < ROUNDS;
    my @tests = map {
        spread_test($_, map { ($factor // 1) * exp($common[$_] + $alone * normal()) } 0 .. ROUNDS - 1)
    } @TESTS;
    my $run    = { %{ run(1, @tests) }, started => START, ended => START + DAY, rounds => ROUNDS };
    my $result = result([$run]);
    $result->{procedure} = { %{ $result->{procedure} }, kind => 'quick', over => { over_s => DAY, rounds => ROUNDS } };
    return $result;
}

# Takes the name of a test and factors; returns the test with a pass in each round.
sub spread_test {
    my ($name, @factors) = @_;
    my $test = measured($name, 1, map { int 1_000_000 * $_ } @factors);
    @$_{qw(began time_s)} = (START + SLOT * $_->{number}, 1) for @{ $test->{passes} };
    return $test;
}

# Takes a result and what it shows; returns the standard deviation of an index or test from run to run.
sub deviation {
    my ($result, $what) = @_;
    my ($shown) = grep { "$_->{kind} $_->{name}" eq $what } UnixBench::Over::Variation->variations($result);
    my $beyond = $shown->{squares} / ($shown->{runs} - 1) - $shown->{within};
    return $beyond > 0 ? sqrt $beyond : 0;
}

srand 20_261_127;

subtest 'noise that a run averages, and noise that lasts' => sub {
    my $short = day(0.03, 0, 1);
    cmp_ok(deviation($short, "test $_"), '<', 0.015, "$_ hardly varies from run to run") for @TESTS;
    for my $rounds (1, 20) {
        my $day = day(0.02, 0.03, $rounds);
        my $of  = deviation($day, 'test pipe');
        cmp_ok(abs($of / 0.03 - 1), '<', 0.5, "a deviation of 3 % for $rounds rounds is found: $of");
    }
};

# Takes a result and a directory of results; returns the result with what that shows.
sub with_earlier {
    my ($result, $directory) = @_;
    my ($shown) = UnixBench::Store::EarlierRuns::of($directory, sub { return }, $result);
    return { %$result, earlier => $shown };
}

# Takes the same; returns the repeat of its index.
sub repeat_of { return UnixBench::Summary::of(with_earlier(@_))->{runs}[0]{indexes}[0]{repeat} }

subtest 'what a day shows' => sub {
    my $place = place();
    my $day   = day(0.01, 0.02, 1);
    is(repeat_of($day, $place)->{assumed}, 'days', 'a day does not know the next one');
    my @tests = map { measured($_, 1, 1_000_000, 1_001_000, 1_002_000) } @TESTS;
    my $later = result([{ %{ run(1, @tests) }, started => START + 2 * DAY, rounds => 3 }]);
    $later->{procedure} = { %{ $later->{procedure} }, kind => 'quick' };
    is(repeat_of($later, $place)->{over_s}, undef, 'another run knows nothing');
    write_file("$place/day.html", rendered(html => with_earlier($day, $place)));
    is_deeply([@{ repeat_of($later, $place) }{qw(known over_s)}], [0, DAY], 'unless the day is in the directory');
    $later->{host} = { %{ $later->{host} }, name => 'another' };
    is(repeat_of($later, $place)->{over_s}, undef, 'a day of another machine tells nothing');

    for my $run (@{ $day->{runs} }) {
        splice @{ $_->{passes} }, ROUNDS / 2 for @{ $run->{tests} };
        $run->{rounds} = ROUNDS / 2;
    }
    is(repeat_of($day, place())->{over_s}, DAY / 2, 'half a day is half a day');
};

done_testing;
