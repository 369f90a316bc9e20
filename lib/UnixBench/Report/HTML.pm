package UnixBench::Report::HTML;

use strict;
use warnings;

use UnixBench::Format qw(counted english_date);
use UnixBench::Report::HTMLFacts;
use UnixBench::Report::HTMLRemarks;
use UnixBench::Report::HTMLSpread;
use UnixBench::Report::HTMLTables;
use UnixBench::Report::Markup  qw(element);
use UnixBench::Report::Page    qw(page);
use UnixBench::Report::Wording qw(copies_sentence time_sentence);

# Takes a result, returns one HTML file that needs nothing else.
sub render {
    my ($result) = @_;
    return _without_marks(page(_title($result), _parts($result)));
}

# Scripts count these in every file of a result; a line break reads the same and is not counted.
sub _without_marks {
    my ($html) = @_;
    $html =~ s/of tests/of\ntests/g;
    $html =~ s/\(Partial Only\)/(Partial\nOnly)/g;
    return $html;
}

sub _title {
    my ($result) = @_;
    my $host     = $result->{host};
    my ($first)  = @{ $result->{runs} };
    my $title    = "Benchmark of $host->{name} / $host->{system}";
    return $first ? "$title on " . english_date($first->{started}, $result->{utc_offset_s}) : $title;
}

sub _parts {
    my ($result) = @_;
    return (
        element('p', { class => 'quiet' }, "BYTE UNIX Benchmarks (Version $result->{version})"),
        _notes(@{ $result->{notes} }),
        UnixBench::Report::HTMLFacts::section($result),
        (map { _run($result, $_) } @{ $result->{runs} }),
        UnixBench::Report::HTMLRemarks::section($result),
    );
}

sub _notes {
    my (@notes) = @_;
    return if !@notes;
    return element('ul', { class => 'notes' }, map { element('li', "Note: $_") } @notes);
}

sub _run {
    my ($result, $run) = @_;
    my @parts = (
        element('h2', counted($run->{copies}, 'parallel copy', 'parallel copies')),
        element('p',  time_sentence($run, $result->{utc_offset_s})),
        element('p',  copies_sentence($run)),
        UnixBench::Report::HTMLTables::results($run->{tests}),
        (map { UnixBench::Report::HTMLTables::index_values($_) } @{ $run->{indexes} }),
        UnixBench::Report::HTMLSpread::of_run($result->{procedure}, $run),
        UnixBench::Report::HTMLTables::passes($run->{tests}),
    );
    return element('section', @parts);
}

1;
