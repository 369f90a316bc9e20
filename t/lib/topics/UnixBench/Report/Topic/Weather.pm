package UnixBench::Report::Topic::Weather;

# The weather during the run: a minimal topic with made-up numbers, for the test of topics.

use strict;
use warnings;

use UnixBench::Report::Block qw(
    column paragraphs row section table
);
use UnixBench::Report::Chart qw(bar grid picture);
use UnixBench::Report::Cell  qw(cell);

my ($WHEN, @NUMBERS) = (column(When => title => 'word'), column(Degrees => degrees => 'count'));
my @WATER = (column(What => title => 'word'), column(Much => mm => 'tenths'), column(Unit => unit => 'word'));

# Takes a view and a run; returns a table of temperatures, with a picture of each.
sub of_run {
    my ($view, $run) = @_;
    my $picture = picture('degrees', [1, 12], 26);
    my @rows    = map { _hour($_, 10 + $_) } 1, 2;
    return table(title => 'Weather: degrees', columns => [$WHEN, $picture, @NUMBERS], rows => \@rows);
}

sub _hour {
    my ($hour, $degrees) = @_;
    my @shapes = (grid(), bar('bar strong', 1, $degrees, 7, 12));
    my $words  = [cell(count => $degrees), ' degrees'];
    return row("Hour $hour", { degrees => $degrees }, shapes => \@shapes, words => $words);
}

# Takes a view; returns a section with a table of rain and snow.
sub of_result {
    my ($view) = @_;
    my @rows   = (row('Rain', { mm => 0.3, unit => 'mm' }), row('Snow', undef, reason => 'there was none'));
    my $table  = table(title => 'Weather: water', columns => \@WATER, rows => \@rows);
    return section('The weather', paragraphs('It was mild.'), $table);
}

1;
