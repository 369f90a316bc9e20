package UnixBench::Report::HTML::Gain;

# What several copies gain over fewer, as a section of the page.

use strict;
use warnings;

use UnixBench::Report::GainChart   ();
use UnixBench::Report::GainWording qw(gain_sentences gain_tables);
use UnixBench::Report::Page        qw(quiet);
use UnixBench::Report::PageTable   qw(number row table);

# Takes a gain, see UnixBench::Score::Scaling, or undef; returns the section, or nothing for undef.
sub section {
    my ($gain) = @_;
    return if !$gain;
    return UnixBench::Report::Page::section(
        'Gain from several copies',
        UnixBench::Report::GainChart::of_gain($gain),
        (map { _table($_) } gain_tables($gain)),
        quiet(gain_sentences($gain)),
    );
}

sub _table {
    my ($table) = @_;
    my ($rows, $sums) = map {
        [map { _row(@$_) } @$_]
    } @$table{qw(rows sums)};
    return table($table->{title}, ['Test', map { "*$_" } @{ $table->{headings} }], $rows, @$sums);
}

sub _row {
    my ($title, @numbers) = @_;
    return row($title, map { number($_) } @numbers);
}

1;
