package UnixBench::Report::Comparison::HTML;

# A comparison as a page: first what was found, then test by test, then what was compared.

use strict;
use warnings;

use UnixBench::Base::Format                   qw(fixed);
use UnixBench::Report::Comparison::Cards      ();
use UnixBench::Report::Comparison::RatioChart ();
use UnixBench::Report::Comparison::Wording    qw(
    alike difference_words findings forced interval legend not_compared pair_title ratio_text side_facts sums_below
);
use UnixBench::Report::Page          qw(headed notices page paragraph quiet section);
use UnixBench::Report::PageTable     qw(PLUS_MINUS cell number row table text wide_row word);
use UnixBench::Report::SpreadWording qw(half_width);

# Takes a comparison, see UnixBench::Compare::Comparison, that was not refused; returns it as one HTML file that needs
# nothing else.
sub render {
    my ($comparison) = @_;
    my @pairs = @{ $comparison->{pairs} };
    return page(
        'Comparison of ' . join(' and ', map { $_->{label} } @{ $comparison->{sides} }),
        notices(grep { defined } forced($comparison)),
        UnixBench::Report::Comparison::Cards::cards($comparison),
        (map { _pair($pairs[$_], $_, $comparison->{min_effect}) } 0 .. $#pairs),
        section('What differs between the machines', _differences($comparison)),
        section('What was compared',                 _compared($comparison)),
    );
}

sub _pair {
    my ($pair, $place, $min_effect) = @_;
    return section(
        { id => "pair-$place" },
        pair_title($pair),
        paragraph(findings({ pairs => [$pair], min_effect => $min_effect })),
        _tests($pair, $min_effect),
        headed('Not compared:', not_compared($pair)),
    );
}

sub _tests {
    my ($pair, $min_effect) = @_;
    return quiet('They have no measured test in common.') if !@{ $pair->{tests} };
    return (UnixBench::Report::Comparison::RatioChart::of_pair($pair, $min_effect), _scores($pair));
}

sub _scores {
    my ($pair) = @_;
    my ($first, $second) = map { $_->{letter} } @{ $pair->{sides} };
    my @headings = (
        'Test',            "*$first",        q{*} . PLUS_MINUS, "*$second", q{*} . PLUS_MINUS, 'Unit',
        "*$second/$first", '*95 % interval', 'Difference'
    );
    my @rows = map { row($_->{title}, _values($_), _ratio($_)) } @{ $pair->{tests} };
    my @foot = map { _sum(scalar @headings, @$_) } sums_below($pair);
    return table('Scores', \@headings, \@rows, @foot);
}

# A mean of tests has no values of its own.
sub _sum {
    my ($columns, $title, $row) = @_;
    my @ratio = _ratio($row);
    return $row->{values} ? row($title, _values($row), @ratio) : wide_row($columns - @ratio, $title, @ratio);
}

sub _values {
    my ($row) = @_;
    my @numbers = map { (fixed($_->{value}), half_width($_)) } @{ $row->{values} };
    return ((map { number($_) } @numbers), _unit($row->{unit}));
}

# Ours are short; others may have any length.
sub _unit {
    my ($unit) = @_;
    return defined $unit && $unit =~ /\A\w{1,6}\z/ ? word($unit) : cell($unit);
}

sub _ratio {
    my ($row) = @_;
    my $ratio = $row->{ratio};
    return (number(ratio_text($ratio->{value})), number(interval($ratio)), word(difference_words($row)));
}

sub _differences {
    my ($comparison) = @_;
    my @letters      = map { $_->{letter} } @{ $comparison->{sides} };
    my @rows         = map { _difference($_) } @{ $comparison->{differences} };
    my @files        = @{ $comparison->{other_files} };
    return quiet(alike($comparison)) if !@rows && !@files;
    return ((@rows ? table('The machines differ', ['Fact', @letters], \@rows) : ()),
        quiet(@files, @{ $comparison->{unknown} }));
}

sub _difference {
    my ($difference) = @_;
    return row($difference->{label}, map { text($_ // 'unknown') } @{ $difference->{texts} });
}

# Of the legend, the marks are those of texts.
sub _compared {
    my ($comparison) = @_;
    my (undef, @about_scores) = legend($comparison);
    return (
        table('Sides', ['Side', 'File and result'], [map { _side($_) } @{ $comparison->{sides} }]),
        headed('Not compared:', @{ $comparison->{omissions} }),
        quiet(PLUS_MINUS . ' is half of the 95 % interval.', @about_scores),
    );
}

sub _side {
    my ($side) = @_;
    my @notes = map { "Note: $_" } @{ $side->{summary}{notes} };
    return row($side->{letter}, text("$side->{label}: " . join '; ', side_facts($side), @notes));
}

1;
