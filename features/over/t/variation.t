# What rounds that are spread over time show about how much runs vary, with made-up rounds.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../lab/lib ../../../t/lib);
use Fixture                        qw(@INDEX measured result run);
use Normal                         qw(normal);
use Place                          qw(write_file);
use Rendered                       qw(rendered);
use UnixBench::Compare::Rows       ();
use UnixBench::Features            ();
use UnixBench::Over::Variation;
use UnixBench::Report::EndBlock;
use UnixBench::Report::Plain qw(in_plain);
use UnixBench::Report::View;
use UnixBench::Score::Repeat ();
use UnixBench::Store::EarlierRuns;
use UnixBench::Store::Summary;

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

# Takes a result and a directory of results; returns the line about its next run.
sub repeat_of {
    my ($result, $directory) = @_;
    my ($shown) = UnixBench::Store::EarlierRuns::of($directory, sub { return }, $result);
    my $known   = { %$result, earlier => $shown };
    my $view    = UnixBench::Report::View->new(result => $known);
    my ($words) = UnixBench::Report::EndBlock::repeat_texts($view);
    return ($known, in_plain($words));
}

subtest 'reports' => sub {
    my $place = File::Temp->newdir;
    my ($day, $words) = repeat_of(day(0.01, 0.02, 1), $place);
    is($words, 'the next 24 h by --over within +-2 % (from day to day assumed)', 'a day does not know the next one');
    my @tests = map { measured($_, 1, 1_000_000, 1_001_000, 1_002_000) } @TESTS;
    my $later = result([{ %{ run(1, @tests) }, started => START + 2 * DAY, rounds => 3 }]);
    $later->{procedure} = { %{ $later->{procedure} }, kind => 'quick' };
    like((repeat_of($later, $place))[1], qr/[(]assumed /, 'another run knows nothing');
    write_file("$place/day.html", rendered(html => $day));
    like((repeat_of($later, $place))[1], qr/[(]24 h by --over since /, 'unless the day is in the directory');
    my $cut = day(0.01, 0.02, 1);

    for my $run (@{ $cut->{runs} }) {
        splice @{ $_->{passes} }, ROUNDS / 2 for @{ $run->{tests} };
        $run->{rounds} = ROUNDS / 2;
    }
    like((repeat_of($cut, File::Temp->newdir))[1], qr/^the next 12 h by --over within /, 'half a day is half a day');
    my ($known) = repeat_of($later, $place);
    my ($before, $now) =
        map { UnixBench::Store::Summary::of($_)->{runs}[0]{indexes}[0]{repeat} } $later, $known;
    is($before->{known}, 0,   'the deviation of the index was assumed');
    is($now->{over_s},   DAY, 'now it is that of the day');
    $later->{host} = { %{ $later->{host} }, name => 'another' };
    like((repeat_of($later, $place))[1], qr/[(]assumed /, 'a day of another machine tells nothing');
};

done_testing;
