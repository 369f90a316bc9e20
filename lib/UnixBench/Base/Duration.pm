package UnixBench::Base::Duration;

# Durations as users write them, such as 90, 90s, 5m, 1h or 7d, and as they read them.

use strict;
use warnings;

my @UNITS      = ([d => 86_400, 'day'], [h => 3600, 'hour'], [m => 60, 'minute'], [s => 1, 'second']);
my %SECONDS_OF = (q{} => 1, map { $_->[0] => $_->[1] } @UNITS);

# Takes a word: a number, with s, m, h or d as an optional unit. Returns the seconds, or nothing if the word is not a
# duration above 0.
sub seconds {
    my ($word) = @_;
    my ($number, $unit) = $word =~ /\A([0-9]{1,9}(?:[.][0-9]{1,9})?)([smhd]?)\z/ or return;
    my $seconds = $number * $SECONDS_OF{$unit};
    return $seconds > 0 ? $seconds : ();
}

# Takes seconds, at least 0. Returns them in words, in whole ones of the largest unit, rounded down: "1 hour", "3 days".
sub in_words {
    my ($seconds) = @_;
    my ($unit)    = grep { $seconds >= $_->[1] } @UNITS;
    my (undef, $size, $name) = @{ $unit || $UNITS[-1] };
    my $number = int $seconds / $size;
    return "$number $name" . ($number == 1 ? q{} : 's');
}

1;
