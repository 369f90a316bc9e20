package UnixBench::Report::Fleet::Cards;

# The machines of a fleet that stand out, first thing seen: how, and what else is unusual about them.

use strict;
use warnings;

use UnixBench::Report::Fleet::Wording qw(finding kinds_of machine_title unusual);
use UnixBench::Report::Markup         qw(element);
use UnixBench::Report::Page           qw(folded paragraph quiet);

use constant SHOWN_MOST => 4;    # findings; where it is all tests, the indexes tell

# Takes a fleet; returns a card for each machine that stands out, or nothing when none does.
sub cards {
    my ($fleet) = @_;
    my @named = @{ $fleet->{named} } or return;
    return element('ul', { class => 'cards' }, map { _card($_) } @named);
}

sub _card {
    my ($machine) = @_;
    my @kinds     = kinds_of($machine);
    my @found     = map { finding($_) } _indexes_first(@{ $machine->{findings} });
    s/\A\w+: // for @kinds > 1 ? () : @found;
    my @shown = splice @found, 0, @found > SHOWN_MOST + 1 ? SHOWN_MOST : @found;
    return element(
        'li',
        { class => $kinds[0] },
        element('div', { class => 'copies' }, machine_title($machine)),
        element('p',   { class => 'found' },  join ', ', @kinds),
        paragraph(@shown),
        folded(scalar @found . ' more findings', paragraph(@found)),
        quiet(unusual($machine))
    );
}

sub _indexes_first {
    my (@findings) = @_;
    return ((grep { $_->{kind} eq 'index' } @findings), grep { $_->{kind} ne 'index' } @findings);
}

1;
