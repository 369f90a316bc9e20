package UnixBench::Base::Number;

# Numbers as people read them, and the patterns of numbers that programs and the kernel report.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(DECIMAL NATURAL fixed full_precision grouped percent plus_minus short_number significant);

# Digits, and digits with a fraction, without a sign or an exponent. A longer number may not be exact.
use constant NATURAL => qr/\A[0-9]{1,15}\z/;
use constant DECIMAL => qr/\A[0-9]{1,15}(?:[.][0-9]{1,12})?\z/;

use constant MANY  => 1e6;
use constant PLAIN => [-5, 14];    # exponents of ten between which numbers are written without an exponent

# Takes a number. Returns it with one decimal.
sub fixed {
    my ($value) = @_;
    return sprintf '%.1f', $value;
}

# Takes a number. Returns it in a few characters, such as "0.98", "5000" or "1e7".
sub short_number {
    my ($value) = @_;
    my $text    = sprintf $value < MANY ? '%.6g' : '%.3g', $value;
    return $text =~ s/e[+]?(-?)0*/e$1/r;
}

# Takes a number, at least 0, and a number of significant digits. Returns the number rounded to these digits, without an
# exponent from 1e-5 to 1e14.
sub significant {
    my ($value, $digits) = @_;
    return '0' if $value == 0;
    my ($exponent) = sprintf('%.*e', $digits - 1, $value) =~ /e([-+][0-9]+)\z/;
    return sprintf '%.*g', $digits, $value if $exponent < PLAIN->[0] || $exponent > PLAIN->[1];
    my $decimals = $digits - 1 - $exponent;
    return sprintf '%.*f', $decimals > 0 ? $decimals : 0, $value;
}

# Takes a number. Returns it with 15 significant digits.
sub full_precision {
    my ($value) = @_;
    return sprintf '%.15g', $value;
}

# Takes a fraction of 1 and a number of significant digits, by default 2. Returns it as text in percent.
sub percent {
    my ($part, $digits) = @_;
    $digits ||= 2;
    my $percent = 100 * $part;
    my $text    = sprintf "%.${digits}g", $percent;
    return ($text =~ /e\+/ ? sprintf '%.0f', $percent : $text) . ' %';
}

# Takes a text in percent, or an empty one. Returns it as half of an interval, such as "+-1.4 %", or the empty text.
sub plus_minus {
    my ($text) = @_;
    return length $text ? "+-$text" : q{};
}

# Returns a text in which the digits of large numbers are in groups of three: 48,194,208.
sub grouped {
    my ($text) = @_;
    return $text =~ s{(?<![\w.])([0-9]{5,})(?!\w)}{_thousands($1)}ger;
}

sub _thousands {
    my ($digits) = @_;
    return scalar reverse join q{,}, reverse($digits) =~ /([0-9]{1,3})/g;
}

1;
