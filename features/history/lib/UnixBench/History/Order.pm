package UnixBench::History::Order;

# The order of results in time. A clock may have been wrong: a board without a battery begins in 1970, and a virtual
# machine on the day when its image was made. Results with such a date are placed by the numbers in the names of their
# files.

use strict;
use warnings;

use UnixBench::Store::Summary qw(has_date);

use constant BESIDE => 0.001;    # seconds between a result and one that is placed beside it

# Takes [results], each { path, outline }, and the present time. Returns
#   [results in their order], each with started (where it stands on a time axis) and is_dated (whether that is its date)
#   [results that can't be placed]
# A result without a date that can be true stands beside those whose names have the numbers next to its own. If no
# result has such a date, the numbers decide.
sub in_order {
    my ($results, $now) = @_;
    my (@dated, @others);
    push @{ has_date($_->{outline}, $now) ? \@dated : \@others }, $_ for @$results;
    my @placed = map { +{ %$_, started => $_->{outline}{started}, is_dated => 1 } } @dated;
    my ($more, $lost) = @dated ? _beside(\@dated, @others) : _by_number(@others);
    my @order = sort { $a->{started} <=> $b->{started} || $a->{path} cmp $b->{path} } @placed, @$more;
    return (\@order, $lost);
}

# Takes results with dates, and others; returns [those of the others that have a place], and [the rest].
sub _beside {
    my ($dated, @others) = @_;
    my (%of, %count, @placed, @lost);
    push @{ $of{ _stem($_) } }, $_ for @$dated;
    for my $other (sort { _number($a) <=> _number($b) } @others) {
        my $number   = _number($other);
        my @known    = sort         { _number($a) <=> _number($b) } @{ $of{ _stem($other) } || [] };
        my ($before) = reverse grep { _number($_) < $number } @known;
        my ($behind) = grep         { _number($_) > $number } @known;
        my $is_wrong = $before && $behind && $before->{outline}{started} > $behind->{outline}{started};
        if ($is_wrong || !$before && !$behind) { push @lost, $other; next }
        my $started = $before ? $before->{outline}{started} : $behind->{outline}{started} - 1;
        push @placed, { %$other, started => $started + BESIDE * ++$count{$started}, is_dated => 0 };
    }
    return (\@placed, \@lost);
}

# Returns [the results in the order of their numbers], of the most whose names are alike, and [the rest].
sub _by_number {
    my (@results) = @_;
    my (%of, $place);
    push @{ $of{ _stem($_) } }, $_ for grep { _number($_) >= 0 } @results;
    my ($most)  = sort { @{ $of{$b} } <=> @{ $of{$a} } || $a cmp $b } keys %of;
    my @order   = defined $most ? sort { _number($a) <=> _number($b) } @{ $of{$most} } : ();
    my %is_kept = map { $_ => 1 } @order;
    return ([map { +{ %$_, started => ++$place, is_dated => 0 } } @order], [grep { !$is_kept{$_} } @results]);
}

# Returns the path of a result without the last number in its name, which is the same for neighbours.
sub _stem { my ($result) = @_; return (_parts($result))[0] }

# Returns the last number in the name of a result, -1 if it has none.
sub _number { my ($result) = @_; return (_parts($result))[1] }

sub _parts {
    my ($result) = @_;
    my $name     = $result->{path} =~ s{[.][A-Za-z]+\z}{}r;
    return $name =~ m{\A(.*?)([0-9]{1,15})([^0-9/]*)\z}s ? ("$1\0$3", $2) : ($result->{path}, -1);
}

1;
