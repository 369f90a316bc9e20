use strict;
use warnings;

use Test::More;

use UnixBench::Base::Duration;

my %SECONDS = (
    '90'          => 90,
    '90s'         => 90,
    '0.5s'        => 0.5,
    '5m'          => 300,
    '1.5h'        => 5400,
    '7d'          => 604_800,
    '0.000000001' => 1e-9,
    '999999999d'  => 86_399_999_913_600,
);
is(UnixBench::Base::Duration::seconds($_), $SECONDS{$_}, "$_ is a duration") for sort keys %SECONDS;

for my $word (q{}, qw(0 0s 0.0d -1 +1 1e3 .5 1. 1w 1D s 1dd 1000000000), '1 d', "1d\n", ' 1', "1\x{0663}") {
    my @seconds = UnixBench::Base::Duration::seconds($word);
    is_deeply(\@seconds, [], 'not a duration: ' . ($word =~ s/[^ -~]/?/gr));
}

my @IN_WORDS = (
    0         => '0 seconds',
    0.9       => '0 seconds',
    1         => '1 second',
    59.9      => '59 seconds',
    60        => '1 minute',
    3599      => '59 minutes',
    3600      => '1 hour',
    86_399    => '23 hours',
    86_400    => '1 day',
    8_640_000 => '100 days',
);
while (my ($seconds, $words) = splice @IN_WORDS, 0, 2) {
    is(UnixBench::Base::Duration::in_words($seconds), $words, "$seconds s in words");
}

done_testing;
