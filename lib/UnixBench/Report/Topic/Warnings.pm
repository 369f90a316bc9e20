package UnixBench::Report::Topic::Warnings;

# The topic of warnings: how far the numbers can be trusted.

use strict;
use warnings;

use UnixBench::Warnings::Wording qw(ADVICE TRUST WHY);
use UnixBench::Report::Block     qw(explained group heading in_brief in_detail in_full list paragraphs section strong);

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
    return group(paragraphs(@{ $warning->{seen} }),
        explained(WHY . " $warning->{why}", ADVICE . " $warning->{advice}"));
}

sub _item {
    my ($warning) = @_;
    return ["@{ $warning->{seen} } ", strong(ADVICE), " $warning->{advice}"];
}

1;
