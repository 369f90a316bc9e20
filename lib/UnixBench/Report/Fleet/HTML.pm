package UnixBench::Report::Fleet::HTML;

use strict;
use warnings;

use UnixBench::Format                      qw(fixed);
use UnixBench::Report::Page                qw(headed list number page paragraph row table);
use UnixBench::Report::Comparison::Wording qw(forced);
use UnixBench::Report::Fleet::Wording      qw(
    copies_title count_of finding headline lacking legend machine_title measure_title unusual
);
use UnixBench::Report::Markup qw(element);

# Takes a fleet, see UnixBench::Fleet, that was not refused; returns it as one HTML file that needs nothing else.
sub render {
    my ($fleet) = @_;
    my @forced = grep { defined } forced($fleet);
    return page(
        headline($fleet),
        (map { element('p', { class => 'notes' }, $_) } @forced),
        (map { _machine($_) } @{ $fleet->{named} }),
        (map { _run($_) } @{ $fleet->{runs} }),
        headed('Not compared:', @{ $fleet->{omissions} }),
        paragraph(legend($fleet)),
    );
}

sub _machine {
    my ($machine) = @_;
    my @found = map { finding($_) } @{ $machine->{findings} };
    return (element('h2', machine_title($machine)), list(@found, unusual($machine)));
}

sub _run {
    my ($run)    = @_;
    my $title    = copies_title($run);
    my @headings = ('Test', '*Machines', '*Median', '*Slow', '*Fast', '*Noisy');
    return (
        element('h2', $title),
        table("Medians, $title", \@headings, [map { _row($_) } @{ $run->{measures} }]),
        list(lacking($run)),
    );
}

sub _row {
    my ($measure) = @_;
    my @counts = map { count_of($_, $measure) } qw(slow fast noisy);
    return row(measure_title($measure), map { number($_) } $measure->{count}, fixed($measure->{median}), @counts);
}

1;
