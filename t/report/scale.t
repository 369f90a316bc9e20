use strict;
use warnings;

use List::Util qw(max min);
use Test::More;

use UnixBench::Report::HTML::Scale;

sub scale { return UnixBench::Report::HTML::Scale::logarithmic(@_) }
sub place { return UnixBench::Report::HTML::Scale::place(@_) }

# Values => the ticks of their scale.
my %TICKS_OF = (
    '331 6720'     => '500 1000 2000 5000',
    '163 21756'    => '300 1000 3000 10000',
    '20 1e9'       => '100 10000 1000000 100000000',
    '0.97 1.04'    => '0.98 1 1.02 1.04',
    '9.9 10.1'     => '9.9 9.95 10 10.05 10.1',
    '1 4'          => '1 1.5 2 2.5 3 3.5 4',
    '1609.2'       => '1600 1610 1620',
    '1e-290 1e290' => '1e-260 1e-130 1 1e+130 1e+260',
);

for my $values (sort keys %TICKS_OF) {
    is("@{ scale(split q{ }, $values)->{ticks} }", $TICKS_OF{$values}, "ticks for $values");
}

subtest 'random values' => sub {
    srand 7;
    my @broken;
    for (1 .. 2000) {
        my $decades = 10**(rand(6) - 4);
        my @values  = map { 10**(rand($decades) - $decades / 2) } 1 .. 2 + rand 5;
        my $scale   = scale(@values);
        my @ticks   = @{ $scale->{ticks} };
        my @places  = map { place($scale, $_) } sort { $a <=> $b } @values, @ticks;
        push @broken, "@values: @ticks" if @ticks < 2 || @ticks > 8 || min(@places) < 5.99 || max(@places) > 94.01;
    }
    is_deeply(\@broken, [], 'random values have ticks and are within the picture');
};

subtest 'ticks above each other' => sub {
    srand 11;
    my @broken;
    for (1 .. 2000) {
        my $low   = 10**(rand(9) - 1);
        my $scale = UnixBench::Report::HTML::Scale::upward($low, $low * (1.1 + rand(0.15)**(rand(4) - 2)));
        my @ticks = @{ $scale->{ticks} };
        my @parts = map { UnixBench::Report::HTML::Scale::part($scale, $_) } @ticks;
        push @broken, "@$scale{qw(low high)}: @ticks"
            if @ticks < 2 || grep { $parts[$_] - $parts[$_ - 1] < 0.16 } 1 .. $#parts;
    }
    is_deeply(\@broken, [], 'there are at least two, with room for a line of text');
    is("@{ UnixBench::Report::HTML::Scale::upward(52, 146)->{ticks} }", '60 90 120', 'also between two powers of ten');
};

subtest 'positions' => sub {
    my $scale = scale(10, 1000);
    is(sprintf('%.6f', place($scale, $_->[0])), sprintf('%.6f', $_->[1]), "position of $_->[0]")
        for [10, 6], [100, 50], [1000, 94], [10 * sqrt 10, 28];
};

done_testing;
