package UnixBench::Report::Markdown::MultiUser;

# What a multi-user load told beside its score, as Markdown.

use strict;
use warnings;

use UnixBench::MultiUser                ();
use UnixBench::Report::Markdown::Blocks qw(paragraph table);
use UnixBench::Report::Markdown::Text   qw(bold fact);
use UnixBench::Report::MultiUserWording qw(multiuser_blocks);

# Takes the procedure and a run; returns what its load told, or nothing without a load.
sub section {
    my ($procedure, $run) = @_;
    my $known = UnixBench::MultiUser::of_run($run) or return;
    return map { _block($_) } multiuser_blocks($procedure, $known);
}

sub _block {
    my ($block) = @_;
    my @texts   = (defined $block->{notice} ? bold($block->{notice}) : (), @{ $block->{sentences} });
    my $legend  = join q{ }, @{ $block->{legend} };
    return (paragraph(@texts), ($block->{table} ? _table($block) : ()), length $legend ? paragraph($legend) : ());
}

sub _table {
    my ($block) = @_;
    my ($title, $headings, $rows) = @{ $block->{table} }{qw(title headings rows)};
    my ($about, @others) = @$headings;
    my $has_texts = $block->{name} eq 'incidents';
    my @headings  = ($about, $has_texts ? @others : map { "*$_" } @others);
    return (paragraph(bold($title)), table(\@headings, map { [_cells($has_texts, @$_)] } @$rows));
}

sub _cells {
    my ($has_texts, @cells) = @_;
    return $has_texts ? map { fact($_) } @cells : @cells;
}

1;
