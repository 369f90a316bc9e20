use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Fixture qw(failed measured run);
use UnixBench::Spread;

sub near {
    my ($is, $should, $name) = @_;
    return cmp_ok(abs($is - $should), '<=', 1e-9 * $should, "$name is $should");
}

# What one copy counted in 30 s each, one after the other some microseconds longer: see Fixture.
my @COUNTS = (3030, 2985, 3097.5, 2940, 3015);
my $TEST   = measured('spawn', 1, @COUNTS);
my @RATES  = map { $COUNTS[$_] / $TEST->{passes}[$_]{time_s} } 0 .. $#COUNTS;
my $SPREAD = UnixBench::Spread::of_test($TEST);

is($SPREAD->{passes}, 5, 'all passes, also the third that the score leaves out');
near($SPREAD->{median}, $RATES[4], 'median');
near($SPREAD->{min},    $RATES[3], 'minimum');
near($SPREAD->{max},    $RATES[2], 'maximum');

# By NumPy 2, of the counts divided by 30: mean 100.45, standard deviation 1.9397164741270823.
cmp_ok(abs($SPREAD->{mean} - 100.45),      '<', 0.02,  'mean');
cmp_ok(abs($SPREAD->{sd} - 1.93971647413), '<', 0.002, 'standard deviation');
near($SPREAD->{cv}, $SPREAD->{sd} / $SPREAD->{mean}, 'coefficient of variation');
cmp_ok($TEST->{score}, '>', $SPREAD->{estimate}{value}, 'the score, without the worst third, is the higher');

is(UnixBench::Spread::of_test(failed('spawn', 'killed by SIGSEGV', 3030)), undef, 'none of a test that failed');

my $one = UnixBench::Spread::of_test(measured('spawn', 1, 3030));
is_deeply([@$one{qw(passes sd cv)}, $one->{estimate}{low}], [1, undef, undef, undef], 'of one pass');
near($one->{$_}, $one->{mean}, $_) for qw(min max median);

subtest 'an index' => sub {
    my @tests   = ($TEST, measured('pipe', 1, 1e7, 1.01e7, 0.99e7));
    my $run     = run(1, @tests);
    my ($index) = @{ $run->{indexes} };
    my %spread  = map { $_->{name} => UnixBench::Spread::of_test($_) } @tests;
    my $is      = UnixBench::Spread::of_index($index, \%spread);
    my @values  = map { $spread{$_}{estimate}{value} } qw(spawn pipe);
    near($is->{value}, 10 * sqrt($values[0] / 126 * $values[1] / 12_440), 'its value');
    my @errors = map { $spread{$_}{estimate}{log_se} } qw(spawn pipe);
    near($is->{log_se}, sqrt($errors[0]**2 + $errors[1]**2) / 2, 'its standard error');
};

done_testing;
