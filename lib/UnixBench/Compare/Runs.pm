package UnixBench::Compare::Runs;

# Finds the runs of several results that are compared with each other, and those that are not.

use strict;
use warnings;

use UnixBench::Base::Text qw(copies_text listed);

# Takes [runs] of two sides; returns [run, run] for each number of copies that both have. If each side has only one run,
# these two are compared in any case. An unknown number, undef, is taken as a number of its own.
sub matching {
    my ($of_first, $of_second) = @_;
    my ($first, $second) = map { _by_copies(@$_) } $of_first, $of_second;
    my @matching =
        map { [$first->{$_}, $second->{$_}] } grep { $second->{$_} } sort { ($a || 0) <=> ($b || 0) } keys %$first;
    return [$of_first->[0], $of_second->[0]] if !@matching && @$of_first == 1 && @$of_second == 1;
    return @matching;
}

# Returns { number of copies => run }. If several runs have the same number, the first one is used.
sub _by_copies {
    my (@runs) = @_;
    return { map { _copies($_) => $_ } reverse @runs };
}

# Takes sides, each { label, summary, members => [results, in the same form] }. The first one is compared with each of
# the others. Returns sentences about the runs that are not compared, because not all results have them.
sub unmatched {
    my ($first, @others) = @_;
    my %is_unmatched = map { $_ => 1 } map { _without_match($first, $_) } @others;
    my @results      = map { @{ $_->{members} } } $first, @others;
    return map { _unmatched($_, @results) } sort { ($a || 0) <=> ($b || 0) } keys %is_unmatched;
}

sub _without_match {
    my (@pair)      = @_;
    my @matching    = matching(map { $_->{summary}{runs} } @pair);
    my %is_compared = map { _copies($_) => 1 } map { @$_ } @matching;
    return grep { !$is_compared{$_} }
        map { _copies($_) } map { @{ $_->{summary}{runs} } } map { @{ $_->{members} } } @pair;
}

sub _copies { my ($run) = @_; return $run->{copies} // q{} }

sub _unmatched {
    my ($copies, @results) = @_;
    my (@with, @without);
    push @{ _runs($copies, $_) ? \@with : \@without }, $_ for @results;
    my $which = @with > @without ? _have(@without) . ' no such' : 'only ' . _have(@with) . ' such a';
    return _title($copies) . ": $which run";
}

# Takes sides, each { label, summary }; returns sentences about runs that are ignored because an earlier run has the
# same number of copies.
sub repeated {
    my (@sides) = @_;
    my %sides;
    for my $side (@sides) {
        my %count;
        $count{ _copies($_) }++ for @{ $side->{summary}{runs} };
        push @{ $sides{$_} }, $side for grep { $count{$_} > 1 } keys %count;
    }
    return map { _title($_) . ': ' . _have(@{ $sides{$_} }) . ' several such runs, of which only the first is used' }
        sort { ($a || 0) <=> ($b || 0) } keys %sides;
}

sub _runs {
    my ($copies, $side) = @_;
    return grep { _copies($_) eq $copies } @{ $side->{summary}{runs} };
}

sub _title {
    my ($copies) = @_;
    return copies_text(length $copies ? $copies : undef);
}

sub _have {
    my (@sides) = @_;
    return listed(map { $_->{label} } @sides) . (@sides == 1 ? ' has' : ' have');
}

1;
