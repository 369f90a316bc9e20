package UnixBench::Report::Markdown::Interactivity;

# What interactive tests tell beside their scores, as Markdown.

use strict;
use warnings;

use UnixBench::Report::InteractivityWording qw(interactivity_sentences interactivity_tables marked);
use UnixBench::Report::Markdown::Blocks     qw(paragraph table);
use UnixBench::Report::Markdown::Text       qw(bold);
use UnixBench::Score::Interactivity         ();

# Takes a run; returns its tables and what they mean, or nothing without interactive tests.
sub section {
    my ($run)     = @_;
    my $known     = UnixBench::Score::Interactivity::of_run($run) or return;
    my $sentences = join q{ }, interactivity_sentences($known);
    return ((map { _table($_) } interactivity_tables($known)), paragraph($sentences));
}

sub _table {
    my ($table) = @_;
    my ($about, @headings) = @{ $table->{headings} };
    return (paragraph(bold($table->{title})),
        table([$about, map { "*$_" } @headings], map { [marked($_)] } @{ $table->{rows} }));
}

1;
