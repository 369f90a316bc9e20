package UnixBench::Report::Comparison::HTML;

use strict;
use warnings;

use UnixBench::Format                      qw(fixed);
use UnixBench::Report::Page                qw(cell headed list number page paragraph row table text);
use UnixBench::Report::Comparison::Wording qw(
    ALIKE copies_title findings forced index_title interval legend not_compared ratio_text side_facts
);
use UnixBench::Report::Markup        qw(element);
use UnixBench::Report::SpreadWording qw(half_width);

my %WORD = (same => 'no difference shown', unknown => 'not known', worse => 'worse', better => 'better');

# Takes a comparison, see UnixBench::Comparison, that was not refused; returns it as one HTML file that needs nothing
# else.
sub render {
    my ($comparison) = @_;
    my @sides        = @{ $comparison->{sides} };
    my @forced       = grep { defined } forced($comparison);
    return page(
        'Comparison of ' . join(' and ', map { $_->{label} } @sides),
        (map { element('p', { class => 'notes' }, $_) } @forced),
        list(findings($comparison)),
        headed('Not compared:', @{ $comparison->{omissions} }),
        table('Compared', ['Side', 'File', 'Result', 'Notes'], [map { _side($_) } @sides]),
        _differences($comparison),
        (map { _pair($_) } @{ $comparison->{pairs} }),
        paragraph(legend($comparison)),
    );
}

sub _side {
    my ($side) = @_;
    my $notes  = join '; ', @{ $side->{summary}{notes} };
    return row($side->{letter}, text($side->{label}), text(side_facts($side)), text($notes));
}

sub _differences {
    my ($comparison) = @_;
    my @letters      = map { $_->{letter} } @{ $comparison->{sides} };
    my @rows         = map { _difference($_) } @{ $comparison->{differences} };
    my @files        = @{ $comparison->{other_files} };
    return paragraph(ALIKE) if !@rows && !@files;
    return ((@rows ? table('The machines differ', ['Fact', @letters], \@rows) : ()), paragraph(@files));
}

sub _difference {
    my ($difference) = @_;
    return row($difference->{label}, map { text($_ // 'unknown') } @{ $difference->{texts} });
}

sub _pair {
    my ($pair) = @_;
    my ($first, $second) = map { $_->{letter} } @{ $pair->{sides} };
    my @headings =
        ('Test', 'Unit', "*$first", '*+-', "*$second", '*+-', "*$second/$first", '*95 % interval', 'Verdict');
    my @rows = map { _row($_->{title}, $_) } @{ $pair->{tests} };
    push @rows, map { _row(index_title($_), $_) } grep { $_->{ratio} } @{ $pair->{indexes} };
    push @rows, _row('Geometric mean of the tests', $pair->{mean}) if $pair->{mean};
    my $title = copies_title($pair);
    return (
        element('h2', "$second against $first, $title"),
        table("Scores, $title", \@headings, \@rows),
        headed('Not compared:', not_compared($pair)),
    );
}

sub _row {
    my ($title, $row) = @_;
    my @values  = map { (fixed($_->{value}), half_width($_)) } @{ $row->{values} || [] };
    my @numbers = (@values, (q{}) x (4 - @values), ratio_text($row->{ratio}{value}), interval($row->{ratio}));
    return row($title, cell($row->{unit}), (map { number($_) } @numbers), cell($WORD{ $row->{verdict} }));
}

1;
