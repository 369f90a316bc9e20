package UnixBench::Host::Conditions;

# The conditions under which a run measures: what changed between the parts of a run. Facts that decide the numbers must
# be the same in all parts; those that only may matter are a warning.

use strict;
use warnings;

use UnixBench::Host::FactList ();

# Takes the heads of two results, the earlier one first, and perhaps [changes] that are known already: they have come
# after the earlier one. Returns what has changed since then, each { fact, meaning, was, is }: the key of the fact, and
# its texts, undef for none. What could not be looked at then or now has not changed.
sub changes {
    my ($then, $now, $known) = @_;
    my ($was, $is) = map { _texts($_) } $then, $now;
    my @unread = map { @{ UnixBench::Host::FactList::unread_of($_) } } $then, $now;
    $was->{ $_->{fact} } = $_->{is} for @{ $known || [] };
    my %keys = (%$was, %$is);
    my @changes;
    for my $key (sort keys %keys) {
        next if UnixBench::Host::FactList::is_unread($key, \@unread);
        my ($before, $after) = map { $_->{$key} // UnixBench::Host::FactList::usual_of($key) } $was, $is;
        next if ($before // q{}) eq ($after // q{});
        my $meaning = UnixBench::Host::FactList::meaning($key);
        push @changes, { fact => $key, meaning => $meaning, was => $before, is => $after };
    }
    return @changes;
}

# Takes such a change; returns it in words.
sub in_words {
    my ($change) = @_;
    my ($was, $is) = map { $_ // 'none' } @$change{qw(was is)};
    return UnixBench::Host::FactList::name_of($change->{fact}) . " was $was, is $is";
}

# Returns { key => text } of all facts that decide or matter.
sub _texts {
    my ($result) = @_;
    my @facts =
        grep { UnixBench::Host::FactList::meaning($_->{key}) ne 'free' } UnixBench::Host::FactList::conditions($result);
    return { map { $_->{key} => $_->{text} } @facts };
}

1;
