package UnixBench::Report::Topic::Remarks;

# The topic of warnings: how far the numbers can be trusted.

use strict;
use warnings;

use UnixBench::Remarks::Wording qw(ADVICE TRUST WHY);
use UnixBench::Report::Block    qw(explained group heading in_brief in_detail in_full list paragraphs section strong);

use constant PLACE => 95;

# Takes a view; returns its warnings, or nothing without warnings. Those with the same reason and advice form one group.
sub of_result {
    my ($view)  = @_;
    my @remarks = $view->gathered_remarks or return;
    my @groups  = map { _group($_) } @remarks;
    return (
        in_full(section(TRUST, @groups)),
        in_detail($view->runs ? (heading(TRUST), @groups) : ()),
        in_brief(heading(TRUST), list(undef, map { _item($_) } @remarks)),
    );
}

sub _group {
    my ($remark) = @_;
    return group(paragraphs(@{ $remark->{seen} }), explained(WHY . " $remark->{why}", ADVICE . " $remark->{advice}"));
}

sub _item {
    my ($remark) = @_;
    return ["@{ $remark->{seen} } ", strong(ADVICE), " $remark->{advice}"];
}

1;
