package UnixBench::Report::Comparison::Markdown;

use strict;
use warnings;

use UnixBench::Base::Format                qw(fixed);
use UnixBench::Report::Comparison::Wording qw(
    alike difference_words findings forced interval legend not_compared pair_title ratio_text side_facts sums_below
);
use UnixBench::Report::Markdown::Blocks qw(document headed heading list paragraph quote table);
use UnixBench::Report::Markdown::Text   qw(bold fact inline trusted);
use UnixBench::Report::SpreadWording    qw(half_width);

# Takes a comparison, see UnixBench::Compare::Comparison, that was not refused; returns it as Markdown: what was found
# first, and then why.
sub render {
    my ($comparison) = @_;
    my @sides = @{ $comparison->{sides} };
    my (undef, @about_scores) = legend($comparison);    # its marks are those of texts
    return document(
        heading(2, 'Comparison of ' . join ' and ', map { $_->{label} } @sides),
        quote(grep { defined } forced($comparison)),
        list(findings($comparison)),
        headed('Not compared:', @{ $comparison->{omissions} }),
        headed('Compared:',     map { _side($_) } @sides),
        _differences($comparison),
        (map { _pair($_) } @{ $comparison->{pairs} }),
        paragraph("+- is half of the 95 % interval. @about_scores"),
    );
}

sub _side {
    my ($side) = @_;
    my @notes = map { "; Note: $_" } @{ $side->{summary}{notes} };
    return inline(bold("$side->{letter}:"), trusted(q{ }), fact($side->{label}), join q{}, ', ', side_facts($side),
        @notes);
}

sub _differences {
    my ($comparison) = @_;
    my @headings     = ('The machines differ', map { $_->{letter} } @{ $comparison->{sides} });
    my @rows         = map { _difference($_) } @{ $comparison->{differences} };
    my @files        = @{ $comparison->{other_files} };
    return paragraph(alike($comparison)) if !@rows && !@files;
    return ((@rows ? table(\@headings, @rows) : ()), paragraph(@files, @{ $comparison->{unknown} }));
}

sub _difference {
    my ($difference) = @_;
    return [fact($difference->{label}), map { fact($_ // 'unknown') } @{ $difference->{texts} }];
}

# The table of a pair, and what is not in it.
sub _pair {
    my ($pair) = @_;
    my ($first, $second) = map { $_->{letter} } @{ $pair->{sides} };
    my @headings = ('Test', "*$first", '*+-', "*$second", '*+-', "*$second/$first", '*95 % interval', 'Difference');
    my @rows     = map { _row($_->{title}, $_) } @{ $pair->{tests} };
    push @rows, map { _row(@$_) } sums_below($pair);
    return (
        heading(3, pair_title($pair)),
        (@rows ? table(\@headings, @rows) : ()),
        headed('Not compared:', not_compared($pair)),
    );
}

sub _row {
    my ($title, $row) = @_;
    my @values = map { (fixed($_->{value}), half_width($_)) } @{ $row->{values} || [] };
    my $ratio  = $row->{ratio};
    return [$title, @values[0 .. 3], ratio_text($ratio->{value}), interval($ratio), difference_words($row)];
}

1;
