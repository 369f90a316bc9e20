package UnixBench::Report::Analysis::Numbers;

# How an analysis writes its numbers.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format qw(significant);

our @EXPORT_OK = qw(amount direction interval_text inverse money ratio_text);

use constant {
    SURE     => 3,         # digits of what has an interval,
    UNSURE   => 2,         # and of what has none
    MEASURED => 4,
    CENT     => 0.995,     # below that, two decimals of a price say little
    SAME     => 0.0005,    # of two numbers that nobody would call different
};

# Takes the value of a meter, and whether it is exact, as what was typed in; returns it so, or with four digits that
# count.
sub amount {
    my ($value, $is_exact) = @_;
    return $is_exact ? sprintf '%.12g', $value : significant($value, MEASURED);
}

# Takes an amount of money, in any currency; returns it with two decimals, or what counts of less than one.
sub money {
    my ($value) = @_;
    return $value == 0 || $value >= CENT ? sprintf '%.2f', $value : significant($value, SURE);
}

# Takes a ratio as an estimate, and whether it has three digits in any case; returns it with as many as are known: two,
# as in the analysis of 1973, or three where it has an interval, or two would make it 1.
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

# Takes a ratio as an estimate, returns that of the other way round.
sub inverse {
    my ($ratio) = @_;
    my %ends = defined $ratio->{low} ? (low => 1 / $ratio->{high}, high => 1 / $ratio->{low}) : ();
    return { %$ratio, value => 1 / $ratio->{value}, %ends };
}

# Takes a ratio as an estimate; returns "more" or "less" when that is shown, or, where nothing tells how sure it is,
# when it is so; "same" for all else.
sub direction {
    my ($ratio) = @_;
    my ($low, $high) = defined $ratio->{low} ? @$ratio{qw(low high)} : ($ratio->{value} - SAME, $ratio->{value} + SAME);
    return $low > 1 ? 'more' : $high < 1 ? 'less' : 'same';
}

1;
