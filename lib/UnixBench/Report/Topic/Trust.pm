package UnixBench::Report::Topic::Trust;

# The topic of trust: which tests of a run were disturbed, in how many passes, and how badly; and the warnings, how far
# the numbers can be trusted.

use strict;
use warnings;

use UnixBench::Noise::Causes ();
use UnixBench::Report::Block qw(
    cell column explained group heading in_brief in_detail in_full list paragraphs row section strong table
);
use UnixBench::Warnings::Causes  qw(amount cause_title load_in_brief OTHER_LOAD);
use UnixBench::Warnings::Wording qw(ADVICE TRUST WHY);

my @COLUMNS = (
    column('Disturbed', title  => 'word'),
    column('by',        by     => 'word'),
    column('passes',    passes => 'cells'),
    column('worst',     worst  => 'cells'),
    column(q{},         level  => 'cells'),
);

# Takes a view and a run; returns a table with a row for each test and cause. All other load is one cause. A cause that
# applies to the whole run is left out: there is a warning about it.
sub of_run {
    my ($view, $run) = @_;
    my @rows = map { _row($_) }
        grep { !defined $_->{cause} || !UnixBench::Noise::Causes::has($_->{cause}, 'is_whole') }
        $view->disturbances($run);
    return @rows ? in_detail(table(columns => \@COLUMNS, rows => \@rows)) : ();
}

sub _row {
    my ($found) = @_;
    my ($cause, $passes, $badly) = @$found{qw(cause passes badly)};
    my $slightly = $passes - $badly;
    my %values   = (
        by     => defined $cause ? cause_title($cause) : OTHER_LOAD,
        passes => ["$passes of $found->{of}"],
        worst  => [defined $cause ? amount($cause, $found->{worst}) : load_in_brief($found)],
        level  => !$slightly ? undef : [$badly ? "$slightly slightly" : 'slightly'],
    );
    return row($found->{title}, \%values);
}

# Takes a view; returns its warnings, or nothing without warnings. Those with the same reason and advice form one group.
sub of_result {
    my ($view)   = @_;
    my @warnings = $view->gathered_warnings or return;
    my @groups   = map { _group($_) } @warnings;
    return (
        in_full(section(TRUST, @groups)),
        in_detail($view->runs ? (heading(TRUST), @groups) : ()),
        in_brief(heading(TRUST), list(undef, map { _item($_) } @warnings)),
    );
}

sub _group {
    my ($warning) = @_;
    return group(paragraphs(map { _signed($_) } @{ $warning->{seen} }),
        explained(WHY . " $warning->{why}", ADVICE . " $warning->{advice}"));
}

# Takes a string; returns it as a text, in which "+-" has the form of its medium.
sub _signed {
    my ($string) = @_;
    my ($first, @others) = split /[+]-(?=[0-9])/, $string;
    return [$first, map { (cell('sign'), $_) } @others];
}

sub _item {
    my ($warning) = @_;
    return [_signed("@{ $warning->{seen} } "), strong(ADVICE), " $warning->{advice}"];
}

1;
