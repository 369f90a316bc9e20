package UnixBench::Report::HTML::Interactivity;

# What interactive tests tell beside their scores, as parts of a page.

use strict;
use warnings;

use UnixBench::Report::InteractivityWording qw(interactivity_sentences interactivity_tables);
use UnixBench::Report::Page                 qw(quiet);
use UnixBench::Report::PageTable            qw(badge number row table);
use UnixBench::Score::Interactivity         ();

# Takes a run; returns its tables and what they mean, or nothing without interactive tests.
sub parts {
    my ($run) = @_;
    my $known = UnixBench::Score::Interactivity::of_run($run) or return;
    return ((map { _table($_) } interactivity_tables($known)), quiet(interactivity_sentences($known)));
}

sub _table {
    my ($table) = @_;
    my ($about, @headings) = @{ $table->{headings} };
    return table($table->{title}, [$about, map { "*$_" } @headings], [map { _row($_) } @{ $table->{rows} }]);
}

sub _row {
    my ($row) = @_;
    my ($name, @numbers) = @{ $row->{texts} };
    return row($row->{is_noisy} ? [$name, badge('noisy')] : $name, map { number($_) } @numbers);
}

1;
