package UnixBench::Report::Markdown::MultiUser;

# What a multi-user load told beside its score, as Markdown.

use strict;
use warnings;

use UnixBench::Report::Markdown::Blocks qw(paragraph table);
use UnixBench::Report::Markdown::Text   qw(bold fact);
use UnixBench::Report::MultiUserTables  qw(starred);
use UnixBench::Report::MultiUserWording qw(multiuser_blocks);
use UnixBench::Score::MultiUser         ();

# Takes the procedure and a run; returns what its load told, or nothing without a load.
sub section {
    my ($procedure, $run) = @_;
    my $known = UnixBench::Score::MultiUser::of_run($run) or return;
    return map { _block($_) } multiuser_blocks($procedure, $known);
}

sub _block {
    my ($block) = @_;
    my @texts   = (defined $block->{notice} ? bold($block->{notice}) : (), @{ $block->{sentences} });
    my $legend  = join q{ }, @{ $block->{legend} };
    return (
        paragraph(@texts),
        ($block->{table} ? _table($block->{table}) : ()),
        length $legend ? paragraph($legend) : ()
    );
}

sub _table {
    my ($table) = @_;
    my @rows = map { [_cells($table->{has_texts}, @$_)] } @{ $table->{rows} };
    return (paragraph(bold($table->{title})), table(starred($table), @rows));
}

sub _cells {
    my ($has_texts, @cells) = @_;
    return $has_texts ? map { fact($_) } @cells : @cells;
}

1;
