package UnixBench::Report::Fleet;

# The report of a fleet: who stands out, then test by test, then how that is judged.

use strict;
use warnings;

use UnixBench::Base::Format  qw(fixed);
use UnixBench::Report::Block qw(
    card cards document fold group in_brief in_detail in_full list not_in_detail not_in_full notices paragraphs quiet
    row said section table
);
use UnixBench::Report::Comparison::Wording qw(forced);
use UnixBench::Report::Fleet::Chart        qw(fleet_chart);
use UnixBench::Report::Fleet::Wording      qw(
    count_of finding headline kinds_of lacking legend machine_title measure_title unusual
);
use UnixBench::Report::Wording qw(copies_title);

use constant SHOWN_MOST => 4;    # findings in a card; where it is all tests, the indexes tell

# Takes a fleet, see UnixBench::Compare::Fleet, that was not refused; returns its report.
sub report_of {
    my ($fleet) = @_;
    my @about = (list('Not compared:', @{ $fleet->{omissions} }), quiet(legend($fleet)));
    return document(
        headline($fleet),
        notices(grep { defined } forced($fleet)),
        in_detail(paragraphs(headline($fleet))),
        in_full(
            sub {
                cards(map { _card($_) } @{ $fleet->{named} });
            }
        ),
        not_in_full(map { _machine($_) } @{ $fleet->{named} }),
        (map { _run($_) } @{ $fleet->{runs} }),
        not_in_full(@about),
        in_full(section('What is compared, and how', @about)),
    );
}

# A machine that stands out: how, and what else is unusual about it.
sub _machine {
    my ($machine) = @_;
    my $title     = machine_title($machine);
    my @found     = ((map { finding($_) } @{ $machine->{findings} }), unusual($machine));
    return (in_detail(list($title, @found)), in_brief(section($title, list(undef, @found))));
}

sub _card {
    my ($machine) = @_;
    my @kinds     = kinds_of($machine);
    my @found     = map { finding($_) } _indexes_first(@{ $machine->{findings} });
    s/\A\w+: // for @kinds > 1 ? () : @found;
    my @shown  = splice @found, 0, @found > SHOWN_MOST + 1 ? SHOWN_MOST : @found;
    my @more   = fold(scalar @found . ' more findings', paragraphs(@found));
    my @blocks = (said('words', join ', ', @kinds), paragraphs(@shown), @more, quiet(unusual($machine)));
    return card(title => machine_title($machine), class => $kinds[0], blocks => \@blocks);
}

sub _indexes_first {
    my (@findings) = @_;
    return ((grep { $_->{kind} eq 'index' } @findings), grep { $_->{kind} ne 'index' } @findings);
}

# A run, and what some machines lack of it.
sub _run {
    my ($run)   = @_;
    my $title   = copies_title($run->{copies});
    my @lacking = lacking($run);
    return section(
        $title,
        in_full(sub { fleet_chart($run) }),
        in_brief(_table($run, qw(Test Machines Median Slow Fast Noisy))),
        in_detail(group(_table($run, $title, qw(machines median slow fast noisy)), paragraphs(@lacking))),
        not_in_detail(list(undef, @lacking)),
    );
}

sub _table {
    my ($run, $first, @headings) = @_;
    my @rows = map { _row($_) } @{ $run->{measures} };
    return table(columns => [word => $first, map { (number => $_) } @headings], rows => \@rows);
}

sub _row {
    my ($measure) = @_;
    my @counts = map { count_of($_, $measure) || q{} } qw(slow fast noisy);
    return row(measure_title($measure), [$measure->{count}, fixed($measure->{median}), @counts]);
}

1;
