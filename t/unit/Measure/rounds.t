use strict;
use warnings;

use FindBin;
use Test::More;

use UnixBench::Base::Clock;
use UnixBench::Measure::Rounds;

my @NAMES = 'a' .. 'l';

# Takes the name of a test and a state; returns the lane.
sub lane { my ($name, $state) = @_; return { name => $name, state => $state // 0, lane => "$name$state" } }

my @LANES = map { lane($_, 0) } @NAMES;

sub names {
    return map { $_->{name} } @_;
}

sub rounds {
    my ($order, $count) = @_;
    return map { join q{}, names($order->begin_round(@LANES)) } 1 .. $count;
}

sub order {
    my ($seed, $run, @lanes) = @_;
    my $clock = UnixBench::Base::Clock->new;
    return UnixBench::Measure::Rounds->new(
        clock => $clock,
        lanes => @lanes ? \@lanes : \@LANES,
        seed  => $seed,
        run   => $run
    );
}

my @rounds = rounds(order(7, 0), 200);
is(join(q{}, sort split //, $_), join(q{}, @NAMES), "each test is in a round once: $_") for @rounds[0 .. 3];
is_deeply([rounds(order(7, 0), 200)], \@rounds, 'the same seed has the same rounds');
my %seen = map { $_ => 1 } @rounds, rounds(order(8, 0), 200), rounds(order(7, 2), 200),
    rounds(order(999_999_999, 0), 200);
is(keys %seen, 800, 'rounds, seeds and runs have different orders');

# In 6,000 rounds, each of 12 letters should be in each of 12 places 500 times. Chi-square with 121 degrees of freedom
# is above 200 once in 100,000.
my @count;
for my $round (rounds(order(1995, 0), 6000)) {
    my $place = 0;
    $count[$place++]{$_}++ for split //, $round;
}
my $chi_square = 0;
$chi_square += ($_ - 500)**2 / 500 for map {
    my $at = $_;
    map { $at->{$_} || 0 } @NAMES
} @count;
cmp_ok($chi_square, '<', 200, 'each letter is about as often in each place');
cmp_ok($chi_square, '>', 60,  'the places are not too regular');

is_deeply([order(1, 0)->begin_round],                   [],    'a round of no test');
is_deeply([names(order(1, 0)->begin_round($LANES[7]))], ['h'], 'a round of one test');

# The check that Park and Miller have published: seed 1 gives 1043618065 after 10,000 numbers.
my $plain = bless { random => 1 }, 'UnixBench::Measure::Rounds';
$plain->_next for 1 .. 10_000;
is($plain->{random}, 1_043_618_065, 'the generator is the published one');

subtest 'the moments of rounds are those of a time of day that is not set' => sub {
    my $clock  = bless { now_s => 7100, set_s => 0 }, 'StandingClock';
    my $rounds = UnixBench::Measure::Rounds->new(clock => $clock, lanes => \@LANES, seed => 7, run => 0);
    @$clock{qw(now_s set_s)} = (7200, -3600);
    is($rounds->wall_s, 7200, 'an hour back');
};

# The clock stands still between these steps.
subtest 'the seconds of short passes are those of the lanes of the round' => sub {
    my $clock  = bless { now_s => 0, set_s => 0 }, 'StandingClock';
    my @short  = map { { %{ lane($_, 0) }, pass_s => 0.48 } } qw(a b);
    my $rounds = UnixBench::Measure::Rounds->new(clock => $clock, lanes => \@short, seed => 1, run => 0);
    my @longer = ({ %{ $short[0] }, pass_s => 1.98 }, $short[1]);
    $rounds->begin_round(@longer);
    my $ended = $rounds->begin_short_pass($longer[0]);
    $clock->{now_s} += 3;
    $ended->();

    # Planned were 2 s, so passes take half as long again: 0.75 s for the other test.
    cmp_ok(abs($rounds->short_passes_s($longer[1]) - 0.75), '<', 1e-9, 'a lane without passes');
    cmp_ok(abs($rounds->short_passes_s(@longer) - 3.75),    '<', 1e-9, 'and one with a pass');
};

{

    package StandingClock;
    sub monotonic_s  { return $_[0]{now_s} }
    sub wall_s       { return $_[0]{now_s} + $_[0]{set_s} }
    sub wall_ahead_s { return $_[0]{set_s} }
}

done_testing();
