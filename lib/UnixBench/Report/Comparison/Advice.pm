package UnixBench::Report::Comparison::Advice;

# How far a comparison reaches: sentences that procedures or other facts differ, how far results can be trusted, and how
# many runs could decide what is open; and the next step.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text                  qw(listed);
use UnixBench::Compare::Kind               ();
use UnixBench::Base::Value                 ();
use UnixBench::Report::Block               qw(at_most cell joined);
use UnixBench::Report::Comparison::Wording qw(are_states pair_title sums);
use UnixBench::Report::EndBlock            qw(trust_words);
use UnixBench::Report::Groups              qw(confounded);
use UnixBench::Report::Reference           qw(is_disturbed OF_LOAD);
use UnixBench::Report::Wording             qw(title_of);

our @EXPORT_OK = qw(first_lines forced next_step other_load runs_needed trust_of_sides);

use constant TRUSTS_MOST => 4;    # results that are named
use constant AGAIN       => 'measure each state again, in turns, and compare all runs: ./Run compare A1 A2 -- B1 B2';

# The levels of trust that a reader must know of.
my %IS_LIMITED = map { $_ => 1 } qw(poor fair);

# Takes a comparison; returns its first lines: that it was forced, that it has quick estimates and official results, and
# that its groups differ in other facts.
sub first_lines {
    my ($comparison) = @_;
    my @kinds        = map { [$_->{letter}, $_->{summary}{procedure}{kind} // q{}] } @{ $comparison->{sides} };
    my @quick        = map { $_->[0] } grep { $_->[1] eq 'quick' } @kinds;
    my $which        = listed(@quick) . (@quick == 1 ? ' is' : ' are');
    return (
        forced($comparison),
        (grep { $_->{is_mixed} } @{ $comparison->{pairs} })
        ? [
            "A quick estimate against an official result ($which quick): the interval is ",
            cell(limit => UnixBench::Compare::Kind::APART),
            ' wider, and never makes the exit status 3.'
            ]
        : (),
        $comparison->{groups} ? confounded($comparison->{groups}) : ()
    );
}

# Takes a comparison, or other data with obstacles; returns the first line if it was forced, or nothing.
sub forced {
    my ($of) = @_;
    my @obstacles = @{ $of->{obstacles} } or return;
    return 'The procedures differ (--force): ' . join('; ', @obstacles) . q{.};
}

# Takes sides; returns how far their results can be trusted that are poor or fair, if there are any: a sentence with the
# reasons of the first ones.
sub trust_of_sides {
    my (@sides) = @_;
    my @limited = sort { ($b->[1]{level} eq 'poor') <=> ($a->[1]{level} eq 'poor') } map { _limited($_) } @sides;
    my @texts   = at_most(
        TRUSTS_MOST,
        sub { "it is limited in $_[0] more" },
        map { ["in $_->[0] is ", trust_words($_->[1])] } @limited
    );
    return @texts ? ['Trust ', joined('; ', @texts), q{.}] : ();
}

# Takes a comparison; returns what the mark of other load means, if a verdict has it, else nothing.
sub other_load {
    my ($comparison) = @_;
    my @rows = map { (@{ $_->{tests} }, @{ $_->{indexes} }) } @{ $comparison->{pairs} };
    return (grep { is_disturbed($_) } @rows) ? OF_LOAD : ();
}

# Takes a side; returns [letter, trust] of each of its results that is poor or fair. Results of the same state have a
# number after the letter.
sub _limited {
    my ($side) = @_;
    my @members = @{ $side->{members} || [$side] };
    my @known;
    for my $number (1 .. @members) {
        my $summary = $members[$number - 1]{summary};
        my $trust   = { %{ $summary->{trust} || {} }, is_interrupted => $summary->{procedure}{interruption} ? 1 : 0 };
        push @known, [$side->{letter} . (@members > 1 ? $number : q{}), $trust]
            if $IS_LIMITED{ $trust->{level} // q{} };
    }
    return @known;
}

# Takes a comparison; returns sentences about the number of runs that can show the least difference that matters, for
# each decisive row that is inconclusive because of the scatter.
sub runs_needed {
    my ($comparison) = @_;
    my @pairs = @{ $comparison->{pairs} };
    my @texts;
    for my $pair (@pairs) {
        for my $row (grep { $_->{runs_needed} } @{ $pair->{decisive} }) {
            my $is_one = @{ $pair->{decisive} } == 1 && !defined $row->{name};
            my @about  = (@pairs > 1 ? pair_title($pair) : (), $is_one ? () : title_of($row));
            push @texts,
                [
                @about ? join(', ', @about) . ': to' : 'To',
                ' show a difference of ',
                cell(limit => $row->{min_effect}),
                " with this scatter, about $row->{runs_needed} runs of each side are needed."
                ];
        }
    }
    return @texts;
}

# Takes a comparison, and { key of a pair => whether the report has what a feature compares there }; returns the next
# step.
sub next_step {
    my ($comparison, $asked) = @_;
    my ($sides,      $pairs) = @$comparison{qw(sides pairs)};
    return 'stop the other load, and measure again' if grep { $_->[1]{load} } map { sums($_) } @$pairs;
    my @texts = map { ($_->{summary}{source} // q{}) eq 'UnixBench' ? () : $_->{letter} } @$sides;
    return 'measure ' . listed(@texts) . ' again, because a text report has no intervals' if @texts && @$sides == 2;
    return AGAIN if runs_needed($comparison);
    my $of = $comparison->{groups} ? {} : UnixBench::Base::Value::with('next_step');
    for my $key (grep { !$asked->{$_} } sort keys %$of) {
        my ($step) = $of->{$key}->next_step(map { $_->{$key} } @$pairs);
        return $step if defined $step;
    }
    return 'measure again with a longer --max-time: more rounds narrow the interval' if are_states($comparison);
    return 'add --html comparison.html for a page with all tests' if @$sides > 2 || grep { $_->{members} } @$sides;
    return AGAIN;
}

1;
