package UnixBench::Compare::Kind;

# Checks whether results are of one kind: measured in the same way, so that they show differences between machines.
# Finds their runs that are compared with each other, and those that are not.
#
# Quick estimates may be compared with official results, such as reports of UnixBench 5 and 6. All comparisons ask this
# module how. A quick estimate is never a reason for exit status 3 against an official result.

use strict;
use warnings;

use UnixBench::Base::Result    qw(parts tests_by_title);
use UnixBench::Base::Text      qw(copies_text listed);
use UnixBench::Features        ();
use UnixBench::Score::Estimate ();

# How far the values of both procedures may be apart on the same machine, as a part of 1. Measured in turns (see
# lab/settled.md), the indexes agreed within 1 %, and nine of twelve tests within 3 %. Two
# more have intervals that contain 1. Shell Scripts (8 concurrent) is known to be 5 % faster in short passes.
use constant APART => 0.03;

# The aspects: title, a function from a summary to a value or undef, and perhaps a function from the value to its text.
# Features have more.
my @PROCEDURE = ('procedure' => sub { $_[0]{procedure}{kind} });
my @ASPECTS   = (
    ['compiler flags'                    => sub { $_[0]{flags} }],
    ['length of passes (UB_TIME_FACTOR)' => sub { _number($_[0]{procedure}{time_factor}) }],
    ['MULTI_SH_WORK_FACTOR'              => sub { _number($_[0]{procedure}{work_factor}) }],
    ['display of the graphics tests'     => \&_display],
);

# Takes lists, each the same test or index in several runs. Returns [lists]: these or, if they are indexes and the two
# processes of context1 were in different places, indexes without this test. Chance chooses the place, which changes an
# index by up to a fifth.
sub in_one_place {
    my (@lists) = @_;
    my %places = map { $_->{place} => 1 } grep { defined $_->{place} } map { @$_ } @lists;
    return \@lists if keys %places < 2;
    return [map { [map { _without_place($_) } @$_] } @lists];
}

sub _without_place {
    my ($index) = @_;
    my $part    = $index->{without_place} // return $index;
    my $times   = sub { $_[0] && UnixBench::Score::Estimate::multiple($_[0], $part) };
    my ($quiet, $bounds) = @$index{qw(quiet bounds)};
    return {
        %$index,
        index    => $index->{index} * $part,
        estimate => $times->($index->{estimate}),
        quiet    => $quiet  && { %$quiet,  estimate => $times->($quiet->{estimate}) },
        bounds   => $bounds && { %$bounds, floor    => $times->($bounds->{floor}) },
    };
}

# Takes sides, each { label, summary }, or [sides] that are results of one state. Returns the reasons why they are not
# of one kind, each a sentence such as "compiler flags: -O3 in A, -O2 in B". An unknown value is not a reason. A quick
# estimate may be compared with an official result, but both can't be one state.
sub obstacles {
    my (@given) = @_;
    my @states  = grep { ref eq 'ARRAY' } @given;
    my @sides   = map  { ref eq 'ARRAY' ? @$_ : $_ } @given;
    return (
        (map { obstacle(\@PROCEDURE, @$_) } @states),
        (map { obstacle($_,          @sides) } @ASPECTS, _aspects_of_features(@sides)),
        _other_baselines(@sides),
        _spoilt(@sides)
    );
}

sub _spoilt {
    my (@sides) = @_;
    my @turns   = map { $_->{summary}{procedure}{turns} || {} } @sides;
    my %spoilt  = map { ($_->{spoilt} // q{}) => 1 } @turns;
    my ($why)   = keys %spoilt;
    return @sides > 1 && keys %spoilt == 1 && length $why ? "the first state changed: $why" : ();
}

sub _aspects_of_features {
    my (@sides) = @_;
    my %parts   = map { %{ parts($_->{summary}) } } @sides;
    my $of      = UnixBench::Features::having(of_comparisons => aspects => \%parts);
    return map { $of->{$_}->aspects } sort keys %$of;
}

# Takes the procedures of two or more results, "quick", "official" or undef; returns whether only some of them are
# quick.
sub are_mixed {
    my (@kinds) = @_;
    my $quick = grep { ($_ // q{}) eq 'quick' } @kinds;
    return $quick && $quick < @kinds ? 1 : 0;
}

# Takes the estimate of the ratio of a quick estimate and an official result, or the other way round. Returns it with an
# interval that also has the difference between the procedures.
sub widened {
    my ($ratio) = @_;
    return $ratio if !defined $ratio->{low};
    return { %$ratio, low => $ratio->{low} / (1 + APART), high => $ratio->{high} * (1 + APART) };
}

sub _display {
    my ($summary) = @_;
    my @tests     = map { @{ $_->{tests} } } @{ $summary->{runs} };
    return if !grep { ($_->{status} // q{}) eq 'measured' && ($_->{category} // q{}) =~ /\A(?:2d|3d)\z/ } @tests;
    return $summary->{procedure}{display};
}

# Takes an aspect, see above, and sides; returns a sentence if their known values differ, or nothing.
sub obstacle {
    my ($aspect, @sides) = @_;
    my ($what, $value, $shown) = @$aspect;
    my @known = map { [$_->{label}, $value->($_->{summary})] } @sides;
    return _difference($what, $shown, grep { defined $_->[1] } @known);
}

# Takes a title, a function from a value to a text or undef, and pairs [label, value]. Returns a sentence, or nothing if
# all values are equal.
sub _difference {
    my ($what, $shown, @pairs) = @_;
    my (%labels, @values);
    for my $pair (@pairs) {
        my ($label, $value) = @$pair;
        push @values,              $value if !$labels{$value};
        push @{ $labels{$value} }, $label;
    }
    return if @values < 2;
    my @texts = map { !length $_ ? 'none' : $shown ? $shown->($_) : $_ } @values;
    return "$what: " . join ', ', map { "$texts[$_] in " . listed(@{ $labels{ $values[$_] } }) } 0 .. $#values;
}

# Returns a sentence on the first baseline that differs, or nothing. Usually many differ together.
sub _other_baselines {
    my (@sides) = @_;
    my %baselines;
    for my $side (@sides) {
        my %own = map { $_->{name} => $_ } map { @{ $_->{tests} } } @{ $side->{summary}{runs} };
        for my $test (grep { defined $_->{baseline} } values %own) {
            my $of = $baselines{ $test->{name} } ||= { title => $test->{title}, pairs => [] };
            push @{ $of->{pairs} }, [$side->{label}, _number($test->{baseline})];
        }
    }
    my ($first) =
        map { _difference("baseline of $_->{title}", undef, @{ $_->{pairs} }) } tests_by_title([values %baselines]);
    return $first // ();
}

sub _number {
    my ($number) = @_;
    return defined $number ? $number + 0 : undef;
}

# Takes [runs] of two sides; returns [run, run] for each number of copies that both have. If each side has only one run,
# these two are compared in any case. An unknown number, undef, is taken as a number of its own. If several runs of a
# list have the same number, the first one is used.
sub matching {
    my ($of_first, $of_second) = @_;
    my ($first, $second) = map { +{ map { _copies($_) => $_ } reverse @$_ } } $of_first, $of_second;
    my @matching =
        map { [$first->{$_}, $second->{$_}] } grep { $second->{$_} } sort { ($a || 0) <=> ($b || 0) } keys %$first;
    return [$of_first->[0], $of_second->[0]] if !@matching && @$of_first == 1 && @$of_second == 1;
    return @matching;
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
    for my $result (@results) {
        my $has = grep { _copies($_) eq $copies } @{ $result->{summary}{runs} };
        push @{ $has ? \@with : \@without }, $result;
    }
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

sub _title {
    my ($copies) = @_;
    return copies_text(length $copies ? $copies : undef);
}

sub _have {
    my (@sides) = @_;
    return listed(map { $_->{label} } @sides) . (@sides == 1 ? ' has' : ' have');
}

1;
