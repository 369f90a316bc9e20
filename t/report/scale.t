# The scales of charts, also of time.

use strict;
use warnings;

use List::Util qw(max min);
use Test::More;

use UnixBench::Report::HTML::Chart qw(dates logarithmic part place tick_text upward);

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
is("@{ logarithmic(split q{ }, $_)->{ticks} }", $TICKS_OF{$_}, "ticks for $_") for sort keys %TICKS_OF;
is("@{ upward(52, 146)->{ticks} }",             '60 90 120',   'ticks above each other');

subtest 'random values' => sub {
    srand 7;
    my @broken;
    for (1 .. 2000) {
        my $decades = 10**(rand(6) - 4);
        my @values  = map { 10**(rand($decades) - $decades / 2) } 1 .. 2 + rand 5;
        my $scale   = logarithmic(@values);
        my @ticks   = @{ $scale->{ticks} };
        my @places  = map { place($scale, $_) } sort { $a <=> $b } @values, @ticks;
        push @broken, "@values: @ticks" if @ticks < 2 || @ticks > 8 || min(@places) < 5.99 || max(@places) > 94.01;
        my $up    = upward(@values);
        my @parts = map { part($up, $_) } @{ $up->{ticks} };
        push @broken, "@values: @{ $up->{ticks} }"
            if @parts < 2 || grep { $parts[$_] - $parts[$_ - 1] < 0.16 } 1 .. $#parts;
    }
    is_deeply(\@broken, [], 'there are at least two ticks, with room for their texts');
};

my $hundred = logarithmic(10, 1000);
is(sprintf('%.6f', place($hundred, $_->[0])), sprintf('%.6f', $_->[1]), "position of $_->[0]")
    for [10, 6], [100, 50], [1000, 94], [10 * sqrt 10, 28];

# Days from 2026-11-20, and the texts of the ticks.
my %DATES = (
    '0 0'      => '23:58 00:00 00:01',
    '0.5 0.54' => '12:05 12:28 12:48',
    '0 6'      => '11-20 11-23 11-25',
    '-365 0'   => '2025-12 2026-05 2026-09',
);
for my $days (sort keys %DATES) {
    my $scale = dates(map { 1_795_132_800 + 86_400 * $_ } split q{ }, $days);
    is(join(q{ }, map { tick_text($scale, $_) } @{ $scale->{ticks} }), $DATES{$days}, "dates for the days $days");
}

done_testing;
