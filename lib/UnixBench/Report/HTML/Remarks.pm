package UnixBench::Report::HTML::Remarks;

use strict;
use warnings;

use UnixBench::Remarks::Remarks ();
use UnixBench::Remarks::Wording qw(ADVICE TRUST WHY gathered);
use UnixBench::Report::Markup   qw(element);
use UnixBench::Report::Page     qw(paragraph quiet);

# Takes a result; returns the section about how far its numbers can be trusted, or nothing when there is nothing to say.
sub section {
    my ($result) = @_;
    my @groups = gathered(UnixBench::Remarks::Remarks::of($result)) or return;
    return UnixBench::Report::Page::section(TRUST, map { _group($_) } @groups);
}

sub _group {
    my ($group) = @_;
    my @said = (WHY . " $group->{why}", ADVICE . " $group->{advice}");
    return element('div', { class => 'remark' }, paragraph(@{ $group->{seen} }), quiet(@said));
}

1;
