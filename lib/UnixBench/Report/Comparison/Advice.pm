package UnixBench::Report::Comparison::Advice;

# The sentences about how far a comparison reaches: that procedures or other facts differ, how far results can be
# trusted, and how many runs could decide what is open.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text                  qw(listed);
use UnixBench::Compare::Kind               ();
use UnixBench::Compare::Repeated           ();
use UnixBench::Report::Block               qw(cell joined);
use UnixBench::Report::Comparison::Wording qw(forced pair_title);
use UnixBench::Report::EndBlock            qw(trust_words);
use UnixBench::Report::Groups              qw(confounded);
use UnixBench::Report::Wording             qw(title_of);

our @EXPORT_OK = qw(first_lines limited_trust runs_needed trust_of_sides trusts_of);

use constant TRUSTS_MOST => 8;    # results of which each is named

# The levels of trust that a reader must know of.
my %IS_LIMITED = map { $_ => 1 } qw(poor fair);

use constant {
    ONE    => 'A quick estimate against an official result',
    MIXED  => 'Quick estimates against official results',
    REPEAT => 'Repeat both sides, in turns: ./Run compare A1 A2 -- B1 B2',
    GROUPS => 'Repeat all groups, in turns',
    FOUR   => '. Four runs of each side show how many are needed.',
};

# Takes a comparison; returns its first lines: that it was forced, that it has quick estimates and official results, and
# that its groups differ in other facts.
sub first_lines {
    my ($comparison) = @_;
    my $is_mixed = grep { $_->{is_mixed} } @{ $comparison->{pairs} };
    my ($before, $after) = $is_mixed ? _mixed(@{ $comparison->{sides} }) : ();
    my $apart = cell(limit => UnixBench::Compare::Kind::APART);
    return (
        forced($comparison),
        defined $before       ? [$before, $apart, $after]         : (),
        $comparison->{groups} ? confounded($comparison->{groups}) : ()
    );
}

# Returns a sentence in two parts. Between them is how far the procedures may be apart.
sub _mixed {
    my (@sides) = @_;
    my @quick   = map { $_->{letter} } grep { ($_->{summary}{procedure}{kind} // q{}) eq 'quick' } @sides;
    my $which   = '(' . listed(@quick) . (@quick == 1 ? ' is' : ' are') . ' quick)';
    return (ONE . " $which: intervals are ",         ' wider, and the exit status is never 3.') if @sides == 2;
    return (MIXED . " $which: their intervals are ", ' wider, and they never make the exit status 3.');
}

# Takes sides; returns how far each of their results can be trusted, if one of them is fair or poor, else nothing.
sub trust_of_sides {
    my (@sides) = @_;
    my @known = trusts_of(@sides);
    return if !grep { $IS_LIMITED{ $_->[1]{level} } } @known;
    return ['Trust: ', joined('; ', map { ["$_->[0] ", trust_words($_->[1])] } @known)];
}

# Takes sides; returns [letter, trust] of each of their results, as far as it is known, see UnixBench::Warnings::Trust.
# Results of the same state have a number after the letter. If there are more than eight results, returns only those
# that are fair or poor.
sub trusts_of {
    my (@sides) = @_;
    my @known;
    for my $side (@sides) {
        my @members = @{ $side->{members} || [$side] };
        for my $number (1 .. @members) {
            my $summary = $members[$number - 1]{summary};
            my $trust   = $summary->{trust} or next;
            my $letter  = $side->{letter} . (@members > 1 ? $number : q{});
            push @known, [$letter, { %$trust, is_interrupted => $summary->{procedure}{interruption} ? 1 : 0 }];
        }
    }
    return @known > TRUSTS_MOST ? grep { $IS_LIMITED{ $_->[1]{level} } } @known : @known;
}

# Takes a side; returns the lowest trust of its results, if the reader must know of it, or undef.
sub limited_trust {
    my ($side) = @_;
    my %has = map { ($_->{summary}{trust} || {})->{level} // q{} => 1 } @{ $side->{members} || [$side] };
    return (grep { $has{$_} } qw(poor fair))[0];
}

# Takes a comparison; returns sentences about the number of runs that can show the least difference that matters, for
# each decisive row that is inconclusive because of the scatter.
sub runs_needed {
    my ($comparison) = @_;
    my @pairs = grep { !$_->{is_mixed} } @{ $comparison->{pairs} };
    my (@texts, $is_unknown);
    for my $pair (@pairs) {
        my @rows =
            grep { $_->{verdict} eq 'inconclusive' && !$_->{load} && $_->{min_effect} > 0 } @{ $pair->{decisive} };
        $is_unknown ||= grep { !$_->{runs_needed} } @rows;
        for my $row (grep { $_->{runs_needed} } @rows) {
            my $is_one = @{ $pair->{decisive} } == 1 && !defined $row->{name};
            my @about  = (@pairs > 1 ? pair_title($pair) : (), $is_one ? () : title_of($row));
            push @texts, [@about ? join(', ', @about) . ': to' : 'To', _needed($row)];
        }
    }
    return (@texts, $is_unknown ? ($comparison->{groups} ? GROUPS : REPEAT) . FOUR : ());
}

# Takes a row; returns the end of its sentence. A ratio near the limit may stay inconclusive with any number of runs.
sub _needed {
    my ($row)     = @_;
    my %needed    = %{ $row->{runs_needed} };
    my $most      = UnixBench::Compare::Repeated::RUNS_MOST;
    my $is_enough = !grep { $_ < $needed{most} } @{ $row->{runs} };
    my $number =
          $needed{least} >= $most         ? "$most runs or more"
        : $needed{most} >= $most          ? "$needed{least} to more than $most runs"
        : $needed{least} == $needed{most} ? "$needed{least} runs"
        :                                   "$needed{least} to $needed{most} runs";
    return [
        ' show a difference of ',
        cell(limit => $row->{min_effect}),
        " with this scatter, about $number of each side are needed",
        $is_enough ? '. Each side has as many: the ratio is near the limit.' : q{.},
    ];
}

1;
