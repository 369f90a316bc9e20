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
    return { map { ($_->{copies} // q{}) => $_ } reverse @runs };
}

# Takes sides, each { label, summary }. The first one is compared with each of the others. Returns sentences about the
# runs that do not match.
sub unmatched {
    my ($first, @others) = @_;
    my %is_unmatched = map { $_ => 1 } map { _without_match($first, $_) } @others;
    return map { _unmatched($_, $first, @others) } sort { ($a || 0) <=> ($b || 0) } keys %is_unmatched;
}

sub _without_match {
    my (@pair)      = @_;
    my @runs        = map { $_->{summary}{runs} } @pair;
    my %is_compared = map { ($_->{copies} // q{}) => 1 } map { @$_ } matching(@runs);
    return grep { !$is_compared{$_} } map { $_->{copies} // q{} } map { @$_ } @runs;
}

sub _unmatched {
    my ($copies, $first, @others) = @_;
    my @with    = grep { _runs($copies,  $_) } $first, @others;
    my @without = grep { !_runs($copies, $_) } @others;
    return only($copies, @with) if $with[0] != $first || @with == 1;
    return _title($copies) . ': ' . _have(@without) . ' no such run';
}

# Takes a number of copies and the only sides that have such a run; returns a sentence.
sub only {
    my ($copies, @sides) = @_;
    return _title($copies) . ': only ' . _have(@sides) . ' such a run';
}

# Takes sides, each { label, summary }; returns sentences about runs that are ignored because an earlier run has the
# same number of copies.
sub repeated {
    my (@sides) = @_;
    my @sharing = map { [$_->[0], _with_several(@$_)] } sharing(@sides), [q{}, \@sides];
    return map { _repeated(@$_) } grep { @$_ > 1 } @sharing;
}

sub _with_several {
    my ($copies, $sides) = @_;
    return grep { _runs($copies, $_) > 1 } @$sides;
}

sub _repeated {
    my ($copies, @sides) = @_;
    return _title($copies) . ': ' . _have(@sides) . ' several such runs, of which only the first is used';
}

# Takes a side, { label, members => [sides] }; returns sentences about the runs that only some of its members have.
sub incomplete {
    my ($side)  = @_;
    my @members = @{ $side->{members} || [] };
    my @partial = grep { @{ $_->[1] } < @members } sharing(@members);
    return map { _title($_->[0]) . ": not every result of $side->{label} has such a run" } @partial;
}

# Takes sides; returns [copies, [the sides that have such a run]] for each known number of copies, in ascending order.
sub sharing {
    my (@sides) = @_;
    my %sides;
    for my $side (@sides) {
        push @{ $sides{$_} }, $side for grep { length } keys %{ _by_copies(@{ $side->{summary}{runs} }) };
    }
    return map { [$_, $sides{$_}] } sort { $a <=> $b } keys %sides;
}

sub _runs {
    my ($copies, $side) = @_;
    return grep { ($_->{copies} // q{}) eq $copies } @{ $side->{summary}{runs} };
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
