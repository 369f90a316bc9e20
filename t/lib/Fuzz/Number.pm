package Fuzz::Number;

# A second parser of decimal numbers, without patterns and without Perl's own conversion.

use strict;
use warnings;

# Takes a text and the largest number of digits of its whole part, fraction and exponent; returns its value, or undef if
# it is not such a number. A part with 0 digits must be absent.
sub value {
    my ($text, $whole_max, $fraction_max, $exponent_max) = @_;
    my ($whole, $rest) = _digits($text);
    return if !length $whole || length $whole > $whole_max;
    my ($fraction, $exponent, $sign) = ('', '', 1);
    if ($fraction_max && substr($rest, 0, 1) eq '.') {
        ($fraction, $rest) = _digits(substr $rest, 1);
        return if length $fraction > $fraction_max;
    }
    if ($exponent_max && lc substr($rest, 0, 1) eq 'e') {
        $rest = substr $rest, 1;
        my $first = substr $rest, 0, 1;
        $sign = -1 if $first eq '-';
        $rest = substr $rest, 1 if $first eq '-' || $first eq '+';
        ($exponent, $rest) = _digits($rest);
        return if !length $exponent || length $exponent > $exponent_max;
    }
    return if length $rest;
    my $scale = $sign * _sum($exponent) - length $fraction;
    my $half  = int $scale / 2;
    return _sum("$whole$fraction") * 10**$half * 10**($scale - $half);
}

# Takes two numbers; returns whether they are equal except for rounding.
sub is_near {
    my ($one, $other) = @_;
    return abs($one - $other) <= 1e-9 * (abs $one + abs $other);
}

# Returns the digits at the beginning of a text, and the rest of it.
sub _digits {
    my ($text) = @_;
    my $length = 0;
    $length++ while $length < length $text && index('0123456789', substr $text, $length, 1) >= 0;
    return (substr($text, 0, $length), substr $text, $length);
}

sub _sum {
    my ($digits) = @_;
    my $sum = 0.0;
    $sum = $sum * 10 + ord($_) - ord '0' for split //, $digits;
    return $sum;
}

1;
