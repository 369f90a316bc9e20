package UnixBench::Report::Cell;

# Cells: values with a kind, in tables and in sentences. A number stays a number until a renderer prints its cell. This
# module alone decides how many digits a kind has, and which unit.
#
# A column of a table has one of these kinds for all its rows, or "word" (a short text of the program), "text" (of any
# origin and length), or "cells" (each row has a cell of its own kind).
#
# A medium says what the values have in common that one renderer prints: sign (that of half of an interval), is_whole
# (large values have no decimals), is_grouped (digits of large numbers are in groups of three), and blank (the one
# between a number and its unit).

use strict;
use warnings;

use Exporter 'import';

use POSIX qw(floor);

use UnixBench::Base::Text      qw(grouped short_number significant);
use UnixBench::Score::Estimate ();

our @EXPORT_OK = qw(cell cell_text is_number sentence);

use constant {
    LARGE         => 1000,     # a value from which on a decimal says nothing
    PRECISE       => 0.01,     # half of an interval, from which on three digits are shown
    EXACT         => 0.001,    # and from which on four, else five
    MEGA          => 1e6,
    GIGA          => 1e9,
    PERCENT_PLAIN => 10,       # percent from which on a decimal says little
    SMALL_RATIO   => 0.1,      # below this ratio, three decimals say little
    FINE          => 0.05,     # percent that one decimal would make 0,
    FINE_LEAST    => 0.001,    # and below which they are 0
    ROUNDING      => 1e-9,     # of a number that is computed
    KB_IN_MB      => 1024,
    MB_IN_GB      => 1024,
    MS_IN_S       => 1000,
    MHZ_IN_GHZ    => 1000,
};

# The kinds of numbers, each with a function that takes the value and the medium, and returns the text.
# The values of the kinds half, plus_minus, estimate, known, brief, vague, interval, ratios, difference, differences and
# changes are estimates, see UnixBench::Score::Estimate.
my %TEXT = (
    sign => sub { $_[1]{sign} },

    rate       => sub { _grouped(_rate(@_), $_[1]) },                                                # a score, an index
    estimate   => sub { join q{ }, _grouped(_rate($_[0]{value}, $_[1]), $_[1]), _plus_minus(@_) },
    known      => sub { _known(@_) },                                # with the digits that are known
    brief      => sub { join q{ }, _known(@_), _plus_minus(@_) },    # the same with its precision
    vague      => sub { _vague(@_) },                                # the interval in two digits
    interval   => sub { _range(\&_rate, @_) },
    half       => sub { _half(@_) },                                 # half of an interval: "2.6 %"
    plus_minus => sub { _plus_minus(@_) },                           # the same with its sign: "+-2.6 %"
    precision  => sub { $_[1]{sign} . _share(@_) },                  # a fraction of 1 in the same form
    tenths     => sub { _grouped(sprintf('%.1f', $_[0]), $_[1]) },    # as in the classic report
    digits     => sub { _grouped(significant($_[0], 3),  $_[1]) },    # three significant ones
    plain      => sub { short_number($_[0]) },
    round      => sub { my ($unit, $letter) = _mega($_[0]); short_number($_[0] / $unit) . $letter },   # a tick: "1.6 M"
    count      => sub { _grouped(_count($_[0]), $_[1]) },

    rough => sub { significant($_[0], 2) },
    least => sub { my ($unit, $letter) = _mega($_[0]); _grouped(_least($_[0] / $unit), $_[1]) . $letter },

    ratio       => sub { _ratio($_[0]) },
    ratios      => sub { _range(\&_ratio, @_) },
    thousandths => sub { sprintf '%.3f', $_[0] },
    times       => sub { sprintf '%.2f', $_[0] },
    ghz         => sub { sprintf '%.2f', $_[0] / MHZ_IN_GHZ },                                         # of MHz
    whole       => sub { sprintf '%.0f', $_[0] },

    percent       => sub { _unit(sprintf('%.1f', 100 * $_[0]), '%', $_[1]) },    # of a fraction of 1
    points        => sub { _unit(sprintf('%.1f', $_[0]), '%', $_[1]) },          # the same of a value in percent
    frames        => sub { _unit(_part_of_frames($_[0]), '%', $_[1]) },          # with two decimals, of one in percent
    whole_percent => sub { _unit(_whole(100 * $_[0]), '%', $_[1]) },
    change        => sub { _unit(sprintf('%+.1f', 100 * $_[0]) =~ s/\A-(?=0[.]0\z)/+/r, '%', $_[1]) },
    share         => sub { _share(@_) },                                         # the same with two significant digits
    limit         => sub { _unit(short_number(100 * $_[0]), '%', $_[1]) },       # the same with all its digits

    # How far a ratio is from 1. These kinds take the ratio with its interval, because both have the same digits.
    difference  => sub { _unit((_differences($_[0]))[0],                  '%', $_[1]) },    # "3.2 %"
    differences => sub { _unit(join(' to ', (_differences($_[0]))[1, 2]), '%', $_[1]) },    # "2.1 to 4.3 %"
    changes     => sub { _unit(join(' to ', _changes($_[0])),             '%', $_[1]) },    # "-2.1 to +1.3 %"

    overhead => sub { _overhead(@_) },    # seconds with a sign, in the unit that fits
    ms => sub { _grouped(significant(MS_IN_S * $_[0], 3),         $_[1]) },    # seconds as milliseconds, without a unit
    us => sub { _grouped(sprintf('%.15g', sprintf '%.2e', $_[0]), $_[1]) },
    memory => \&_memory,                                                       # kilobytes, in whole GB or MB
    mb     => sub { _grouped(significant($_[0] / KB_IN_MB, 3), $_[1]) },
);

# Takes a kind and a value; returns a cell, which is also a part of a text.
sub cell {
    my ($kind, $value) = @_;
    return { cell => $kind, value => $value };
}

# Takes a text in which {kind} stands for a cell of that kind, and {name} for a name; and their values. Returns the text
# with these cells.
sub sentence {
    my ($text, @values) = @_;
    my @parts = split /[{](\w+)[}]/, $text;    # in turns a text and a kind
    for my $kind (@parts[grep { $_ % 2 } 0 .. $#parts]) {
        $kind = $kind eq 'sign' ? cell($kind) : $kind eq 'name' ? shift @values : cell($kind, shift @values);
    }
    return \@parts;
}

# Takes a cell and a medium; returns the text. A cell without a value has an empty one.
sub cell_text {
    my ($cell, $medium) = @_;
    my ($kind, $value)  = @$cell{qw(cell value)};
    my $text = $TEXT{$kind} // die "unknown kind of cell: $kind\n";
    return defined $value || $kind eq 'sign' ? $text->($value, $medium) : q{};
}

# Takes the kind of a column; returns whether its values are numbers.
sub is_number {
    my ($kind) = @_;
    return $TEXT{$kind} || $kind eq 'cells' ? 1 : 0;
}

sub _grouped {
    my ($text, $medium) = @_;
    return $medium->{is_grouped} ? grouped($text) : $text;
}

sub _unit {
    my ($number, $unit, $medium) = @_;
    return $number . ($medium->{blank} // q{ }) . $unit;
}

sub _rate {
    my ($value, $medium) = @_;
    return sprintf $medium->{is_whole} && $value >= LARGE ? '%.0f' : '%.1f', $value;
}

sub _known {
    my ($estimate, $medium) = @_;
    my ($value, $half)      = ($estimate->{value}, UnixBench::Score::Estimate::half_width($estimate) // EXACT);
    my $digits = $half >= PRECISE ? 3 : $half >= EXACT ? 4 : 5;
    my ($unit, $letter) = _mega($value);
    return _grouped(_rounded($value / $unit, $digits), $medium) . $letter;
}

# Takes a value; returns its unit with the letter. Large ones are in millions (M) or in thousands of millions (G).
sub _mega {
    my ($value) = @_;
    return $value >= GIGA ? (GIGA, ' G') : $value >= MEGA ? (MEGA, ' M') : (1, q{});
}

# Takes an estimate of which little is known; returns its interval, such as "820 to 1000", or "about 900".
sub _vague {
    my ($estimate, $medium) = @_;
    my ($low, $value, $high) =
        map { _grouped(_rounded($_ // $estimate->{value}, 2), $medium) } @$estimate{qw(low value high)};
    return $low eq $high ? "about $value" : "$low to $high";
}

# Returns a number with zeros for all digits after these.
sub _rounded {
    my ($value, $digits) = @_;
    return significant(sprintf('%.*e', $digits - 1, $value), $digits);
}

# Returns a number in two significant digits, not above it.
sub _least {
    my ($number) = @_;
    my $unit = 10**(floor(log($number) / log 10 + ROUNDING) - 1);
    return significant($unit * floor($number / $unit + ROUNDING), 2);
}

sub _ratio {
    my ($ratio) = @_;
    return sprintf $ratio < SMALL_RATIO ? '%.3g' : '%.3f', $ratio;
}

# Takes the estimate of a ratio; returns in percent how far it is from 1, then the nearer and the farther end of its
# interval, if it has one. All have a decimal if the ends would be equal without it.
sub _differences {
    my ($ratio) = @_;
    my @ends    = sort { abs($a - 1) <=> abs($b - 1) } grep { defined } @$ratio{qw(low high)};
    my @texts   = map  { _difference($_) } $ratio->{value}, @ends;
    return @texts if !@ends || $texts[1] ne $texts[2] || $texts[1] < PERCENT_PLAIN;
    return map { sprintf '%.1f', 100 * abs $_ - 1 } $ratio->{value}, @ends;
}

sub _difference {
    my ($ratio) = @_;
    my $percent = 100 * abs $ratio - 1;
    return sprintf '%.1g', $percent if $percent < FINE && $percent >= FINE_LEAST;
    my $tenths = sprintf '%.1f', $percent;
    return $tenths < PERCENT_PLAIN ? $tenths : sprintf '%.0f', $percent;
}

sub _changes {
    my ($ratio) = @_;
    return map { ($_ < 1 ? q{-} : q{+}) . _difference($_) } @$ratio{qw(low high)};
}

sub _range {
    my ($form, $estimate, $medium) = @_;
    return defined $estimate->{low}
        ? join q{ to }, map { _grouped($form->($_, $medium), $medium) } @$estimate{qw(low high)}
        : q{};
}

# Half of an interval is a difference of logarithms, like a precision.
sub _half {
    my ($estimate, $medium) = @_;
    my $half = UnixBench::Score::Estimate::half_width($estimate) // return q{};
    return _unit(sprintf('%.*f', 100 * $half < PERCENT_PLAIN ? 1 : 0, 100 * $half), '%', $medium);
}

sub _plus_minus {
    my ($estimate, $medium) = @_;
    my $half = _half($estimate, $medium);
    return length $half ? $medium->{sign} . $half : ();
}

sub _count {
    my ($number) = @_;
    my $whole    = sprintf '%.15g', sprintf '%.0f', $number;
    return abs($number - $whole) <= ROUNDING * abs $number ? $whole : significant($number, 3);
}

sub _whole {
    my ($number) = @_;
    my $text     = sprintf '%.0f', $number;
    return $text eq '-0' ? '0' : $text;
}

sub _overhead {
    my ($seconds, $medium) = @_;
    my ($factor, $unit) =
        @{ (grep { abs $seconds * $_->[0] >= 1 } [1, 's'], [1e3, 'ms'], [1e6, 'us'])[0] // [1e9, 'ns'] };
    return _unit(($seconds < 0 ? q{-} : q{+}) . significant(abs $seconds * $factor, 2), $unit, $medium);
}

sub _memory {
    my ($kb, $medium) = @_;
    my $mb = $kb / KB_IN_MB;
    my ($number, $unit) = $mb <= MB_IN_GB / 2 ? ($mb, 'MB') : ($mb / MB_IN_GB, 'GB');
    return _unit(sprintf('%.0f', $number), $unit, $medium);
}

# Takes percent. Only exactly 100 and 0 are printed as "100.00" and "0.00".
sub _part_of_frames {
    my ($percent) = @_;
    my $text      = sprintf '%.2f', $percent;
    return '>99.99' if $text eq '100.00' && $percent < 100;
    return '<0.01' if $text eq '0.00'    && $percent > 0;
    return $text;
}

# Returns a fraction of 1 in percent, with two significant digits, or with more if its integer part has more.
sub _share {
    my ($part, $medium) = @_;
    my $text = sprintf '%.2g', 100 * $part;
    return _unit($text =~ /e[+]/ ? sprintf '%.0f', 100 * $part : $text, '%', $medium);
}

1;
