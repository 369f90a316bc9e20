package UnixBench::Report::Analysis::Numbers;

# The numbers of an analysis as text.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format qw(significant);

our @EXPORT_OK = qw(amount direction interval_text inverse money ratio_text);

use constant {
    SURE     => 3,         # digits of a number with an interval
    UNSURE   => 2,         # digits of a number without an interval
    MEASURED => 4,
    CENT     => 0.995,     # smaller prices are printed with SURE digits
    SAME     => 0.0005,    # a smaller difference between two numbers is ignored
};

# Takes the value of a meter and whether it is exact (for example, typed in). Returns it with all its digits if it is
# exact, else with four significant digits.
sub amount {
    my ($value, $is_exact) = @_;
    return $is_exact ? sprintf '%.12g', $value : significant($value, MEASURED);
}

# Takes an amount of money in any currency; returns it with two decimals. If it is below one, returns three significant
# digits.
sub money {
    my ($value) = @_;
    return $value == 0 || $value >= CENT ? sprintf '%.2f', $value : significant($value, SURE);
}

# Takes a ratio as an estimate, and whether it has three digits in any case. Returns it with two significant digits, as
# in the analysis of 1973. It has three if it has an interval, or if two would make it 1.
sub ratio_text {
    my ($ratio, $is_fine) = @_;
    my $text    = significant($ratio->{value}, UNSURE);
    my $is_sure = $is_fine || defined $ratio->{low} || $text eq '1.0' && abs($ratio->{value} - 1) >= SAME;
    return $is_sure ? significant($ratio->{value}, SURE) : $text;
}

# Takes a ratio as an estimate; returns its interval, "2.81 to 2.99", or an empty text.
sub interval_text {
    my ($ratio) = @_;
    return q{} if !defined $ratio->{low};
    return join ' to ', map { significant($_, SURE) } @$ratio{qw(low high)};
}

# Takes a ratio as an estimate; returns its inverse.
sub inverse {
    my ($ratio) = @_;
    my %ends = defined $ratio->{low} ? (low => 1 / $ratio->{high}, high => 1 / $ratio->{low}) : ();
    return { %$ratio, value => 1 / $ratio->{value}, %ends };
}

# Takes a ratio as an estimate; returns "more" if its interval is above 1, "less" if it is below 1, else "same". A ratio
# without an interval is "same" if it differs from 1 by at most 0.0005.
sub direction {
    my ($ratio) = @_;
    my ($low, $high) = defined $ratio->{low} ? @$ratio{qw(low high)} : ($ratio->{value} - SAME, $ratio->{value} + SAME);
    return $low > 1 ? 'more' : $high < 1 ? 'less' : 'same';
}

1;
