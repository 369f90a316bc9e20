package UnixBench::Report::Details::Gain;

# What several copies gain over fewer, as lines.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Report::Columns        qw(aligned);
use UnixBench::Report::Details::Lines qw(folded plain);
use UnixBench::Report::GainWording    qw(gain_sentences gain_tables);

our @EXPORT_OK = qw(gain_blocks);

use constant COLUMNS_MOST => 5;    # of numbers, for which there is room beside a title

# Takes a gain, see UnixBench::Score::Scaling, or undef; returns its tables and what they mean, each a list of lines, or
# nothing.
sub gain_blocks {
    my ($gain) = @_;
    return if !$gain;
    return ((map { _tables($_) } gain_tables($gain)), [map { folded($_) } gain_sentences($gain)]);
}

# A table, or, where it is too wide, several.
sub _tables {
    my ($table) = @_;
    my @rows    = ([$table->{title}, @{ $table->{headings} }], @{ $table->{rows} }, @{ $table->{sums} });
    my @columns = 1 .. @{ $table->{headings} };
    my @blocks;
    while (my @some = splice @columns, 0, COLUMNS_MOST) {
        push @blocks, [aligned(map { [plain($_->[0]), @$_[@some]] } @rows)];
    }
    return @blocks;
}

1;
