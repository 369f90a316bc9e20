package UnixBench::Why::Topic;

# The topic why: why several copies do not do as many times the work of the fewest. A page has it as a fold; a terminal
# and a ticket have it if the user asks for it.

use strict;
use warnings;

use UnixBench::Report::Block   qw(document fold heading in_full paragraphs);
use UnixBench::Report::Wording qw(copies_title);
use UnixBench::Why::Blocks     qw(why_blocks);

use constant NOTHING =>
    'The result has only one number of copies. Compare it with another one: ./Run compare A B --why';

# Takes a view; returns the section, or nothing if there is only one number of copies, or if no factor is known.
sub of_result {
    my ($view) = @_;
    my @known = grep { @{ $_->{tests} } } @{ $view->of_result('why') };
    return in_full(map { fold(_title($_), why_blocks($_)) } @known);
}

# Takes a view; returns a report of the same, to be printed below the classic report.
sub report_of {
    my ($view) = @_;
    my @why = @{ $view->of_result('why') };
    return document(
        { title => 'Why several copies do less each' },
        @why ? map { (heading(_title($_)), why_blocks($_)) } @why : paragraphs(NOTHING),
    );
}

sub _title {
    my ($why) = @_;
    my ($fewest, $more) = map { copies_title($_) } @{ $why->{copies} };
    return "Why: each of $more against " . ($why->{copies}[0] == 1 ? $fewest : "each of $fewest");
}

1;
