package UnixBench::Report::Markdown::Gain;

# What several copies gain over fewer, as Markdown.

use strict;
use warnings;

use UnixBench::Report::GainWording      qw(gain_sentences gain_tables);
use UnixBench::Report::Markdown::Blocks qw(heading paragraph table);
use UnixBench::Score::Scaling           ();

# Takes a result; returns the section, or nothing where no test was measured with two numbers of copies.
sub section {
    my ($result)  = @_;
    my $gain      = UnixBench::Score::Scaling::of($result) or return;
    my $sentences = join q{ }, gain_sentences($gain);
    return (heading(3, 'Gain from several copies'), (map { _table($_) } gain_tables($gain)), paragraph($sentences));
}

sub _table {
    my ($table) = @_;
    my @headings = ($table->{title}, map { "*$_" } @{ $table->{headings} });
    return table(\@headings, map { @{ $table->{$_} } } qw(rows sums));
}

1;
