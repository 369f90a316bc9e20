package UnixBench::Report::Details::Interactivity;

# What interactive tests tell beside their scores, as lines.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Report::Columns              qw(aligned);
use UnixBench::Report::Details::Lines       qw(folded plain);
use UnixBench::Report::InteractivityWording qw(interactivity_sentences interactivity_tables marked);
use UnixBench::Score::Interactivity         ();

our @EXPORT_OK = qw(interactivity_blocks);

# Takes a run; returns its tables and what they mean, each a list of lines, or nothing without interactive tests.
sub interactivity_blocks {
    my ($run) = @_;
    my $known = UnixBench::Score::Interactivity::of_run($run) or return;
    return ((map { _table($_) } interactivity_tables($known)), [map { folded($_) } interactivity_sentences($known)]);
}

sub _table {
    my ($table) = @_;
    return [$table->{title}, aligned($table->{headings}, map { _row($_) } @{ $table->{rows} })];
}

sub _row {
    my ($row) = @_;
    my ($name, @numbers) = marked($row);
    return [plain($name), @numbers];
}

1;
