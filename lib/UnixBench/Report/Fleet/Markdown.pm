package UnixBench::Report::Fleet::Markdown;

use strict;
use warnings;

use UnixBench::Base::Format                qw(fixed);
use UnixBench::Report::Comparison::Wording qw(forced);
use UnixBench::Report::Fleet::Wording      qw(
    copies_title count_of finding headline lacking legend machine_title measure_title unusual
);
use UnixBench::Report::Markdown::Blocks qw(document headed heading list paragraph quote table);

# Takes a fleet, see UnixBench::Compare::Fleet, that was not refused; returns it as Markdown: who stands out first.
sub render {
    my ($fleet) = @_;
    my $legend  = join q{ }, legend($fleet);
    return document(
        heading(2, headline($fleet)),
        quote(grep { defined } forced($fleet)),
        (map { _machine($_) } @{ $fleet->{named} }),
        (map { _run($_) } @{ $fleet->{runs} }),
        headed('Not compared:', @{ $fleet->{omissions} }),
        paragraph($legend),
    );
}

sub _machine {
    my ($machine) = @_;
    my @found = map { finding($_) } @{ $machine->{findings} };
    return (heading(3, machine_title($machine)), list(@found, unusual($machine)));
}

sub _run {
    my ($run) = @_;
    my @headings = ('Test', '*Machines', '*Median', '*Slow', '*Fast', '*Noisy');
    return (
        heading(3, copies_title($run)),
        table(\@headings, map { _row($_) } @{ $run->{measures} }),
        list(lacking($run)),
    );
}

sub _row {
    my ($measure) = @_;
    my @counts = map { count_of($_, $measure) || q{} } qw(slow fast noisy);
    return [measure_title($measure), $measure->{count}, fixed($measure->{median}), @counts];
}

1;
