package UnixBench::Report::Fleet::HTML;

# A fleet as a page: first who stands out, then test by test, then how that is judged.

use strict;
use warnings;

use UnixBench::Report::Comparison::Wording qw(forced);
use UnixBench::Report::Fleet::Cards        ();
use UnixBench::Report::Fleet::Chart        ();
use UnixBench::Report::Fleet::Wording      qw(copies_title headline lacking legend);
use UnixBench::Report::Page                qw(headed list notices page quiet section);

# Takes a fleet, see UnixBench::Compare::Fleet, that was not refused; returns it as one HTML file that needs nothing
# else.
sub render {
    my ($fleet) = @_;
    return page(
        headline($fleet),
        notices(grep { defined } forced($fleet)),
        UnixBench::Report::Fleet::Cards::cards($fleet),
        (map { _run($_) } @{ $fleet->{runs} }),
        section('What is compared, and how', headed('Not compared:', @{ $fleet->{omissions} }), quiet(legend($fleet))),
    );
}

sub _run {
    my ($run) = @_;
    return section(copies_title($run), UnixBench::Report::Fleet::Chart::of_run($run), list(lacking($run)));
}

1;
