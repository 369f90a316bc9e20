use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture  qw(@INDEX failed measured run);
use QuickRun qw(has_known_estimate in_rounds known run_of_rounds);
use UnixBench::Score::Spread;

sub near {
    my ($is, $should, $name) = @_;
    return cmp_ok(abs($is - $should), '<=', 1e-9 * $should, "$name is $should");
}

# Counts of one copy in passes of 30 s, each some microseconds longer than the one before: see Fixture.
my @COUNTS = (3030, 2985, 3097.5, 2940, 3015);
my $TEST   = measured('spawn', 1, @COUNTS);
my $SPREAD = UnixBench::Score::Spread::of_test($TEST);

is($SPREAD->{passes}, 5, 'all passes are included, also the third that the score leaves out');

# By NumPy 2, from the counts divided by 30: mean 100.45, standard deviation 1.9397164741270823.
cmp_ok(abs($SPREAD->{cv} - 1.93971647413 / 100.45), '<', 0.00002, 'coefficient of variation');
cmp_ok($TEST->{score}, '>', $SPREAD->{estimate}{value},           'the score leaves out a third of the passes');

is(UnixBench::Score::Spread::of_test(failed('spawn', 'killed by SIGSEGV', 3030)), undef, 'a failed test has no spread');

my $one = UnixBench::Score::Spread::of_test(measured('spawn', 1, 3030));
is_deeply([@$one{qw(passes cv)}, $one->{estimate}{low}], [1, undef, undef], 'one pass has no interval');

subtest 'an index has an estimate' => sub {
    my @tests   = ($TEST, measured('pipe', 1, 1e7, 1.01e7, 0.99e7));
    my $run     = run(1, @tests);
    my ($index) = @{ $run->{indexes} };
    my %spread  = map { $_->{name} => UnixBench::Score::Spread::of_test($_) } @tests;
    my $is      = UnixBench::Score::Spread::of_index($index, $run);
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
};

for my $known (known('indexes')) {
    my @known_tests = @{ $known->{tests} };
    my @tests       = map { in_rounds($INDEX[$_], @{ $known_tests[$_]{slices} }) } 0 .. $#known_tests;
    my @rows        = map { +{ name => $INDEX[$_], baseline => $known_tests[$_]{baseline} } } 0 .. $#known_tests;
    push @rows, { name => 'hanoi', baseline => undef };
    my $is = UnixBench::Score::Spread::of_index({ rows => \@rows }, run_of_rounds(@tests, in_rounds('hanoi', 1 .. 5)));
    has_known_estimate($is, $known->{estimate}, "an index: $known->{name}");
}

for my $known (known('modes')) {
    my $modes    = UnixBench::Score::Spread::modes($known->{rates});
    my @is       = map { @$_{qw(rate share)} } @{ $modes          || [] };
    my @expected = map { @$_{qw(rate share)} } @{ $known->{modes} || [] };
    is(scalar @is, scalar @expected, "$known->{name}: " . (@expected ? 'two modes' : 'one mode')) or next;
    my @off = grep { abs($is[$_] / $expected[$_] - 1) > 1e-9 } 0 .. $#is;
    is("@is[@off]", q{}, "$known->{name}: rates and shares of the modes");
}

done_testing;
