package UnixBench::Compare::Comparison;

# Results against the first of them, count of copies by count of copies.

use strict;
use warnings;

use UnixBench::Base::Format   qw(counted);
use UnixBench::Compare::Facts ();
use UnixBench::Compare::Kind  ();
use UnixBench::Compare::Pair  ();
use UnixBench::Compare::Runs  ();

# Takes sides, two or more, each { label (its file), summary }; min_effect, the part of a value below which a difference
# does not matter; is_forced, whether sides of different kinds are compared all the same. Returns
#   sides        [{ letter => "A", label, summary }, ...],
#   obstacles    [why they are not of one kind, in sentences],
#   refusals     [why nothing was compared, in sentences]: empty, or all that follows is,
#   omissions    [which runs are not compared, in sentences],
#   differences  [{ label, texts => [a text or undef for each side] }, ...] between the machines,
#   other_files  [which measured programs, scripts and input files differ, in sentences],
#   unknown      [what is not known of the machines, in sentences],
#   pairs        [{ sides => [first, second], runs => [run, run], is_same_count, as in Comparison::Pair }, ...],
#   is_worse     whether at any count that both have an index is worse.
sub of {
    my ($given, %with) = @_;
    my $letter     = 'A';
    my @sides      = map { +{ %$_, letter => $letter++ } } @$given;
    my @lettered   = map { +{ %$_, label  => $_->{letter} } } @sides;
    my @obstacles  = UnixBench::Compare::Kind::obstacles(@lettered);
    my %comparison = (sides => \@sides, obstacles => \@obstacles, min_effect => $with{min_effect});
    return { %comparison, _refused(@obstacles) } if @obstacles && !$with{is_forced};
    my ($first, @others) = @sides;
    my @pairs    = map { [_pairs($first, $_, $with{min_effect})] } @others;
    my @refusals = map { _refusal($first, $others[$_], @{ $pairs[$_] }) } 0 .. $#others;
    return { %comparison, _refused(@refusals) } if @refusals;
    @pairs = map { @$_ } @pairs;
    return {
        %comparison, _beside_the_pairs(@lettered),
        refusals => [],
        pairs    => \@pairs,
        is_worse => scalar(grep { _is_worse($_) } @pairs) ? 1 : 0,
    };
}

sub _beside_the_pairs {
    my (@sides)   = @_;
    my @omissions = (UnixBench::Compare::Runs::unmatched(@sides), UnixBench::Compare::Runs::repeated(@sides));
    my @summaries = map { $_->{summary} } @sides;
    return (
        omissions   => \@omissions,
        differences => [UnixBench::Compare::Facts::differences(@summaries)],
        other_files => [UnixBench::Compare::Facts::other_files(@summaries)],
        unknown     => [UnixBench::Compare::Facts::unknown(@sides)],
    );
}

sub _refused {
    my (@refusals) = @_;
    return (
        refusals => \@refusals,
        is_worse => 0,
        map { $_ => [] } qw(omissions differences other_files unknown pairs)
    );
}

sub _is_worse {
    my ($pair) = @_;
    return $pair->{is_same_count} && grep { ($_->{verdict} // q{}) eq 'worse' } @{ $pair->{indexes} };
}

# A side against the first, for each matching pair of their runs.
sub _pairs {
    my ($first, $second, $min_effect) = @_;
    my $is_quick = grep { ($_->{summary}{procedure}{kind} // q{}) eq 'quick' } $first, $second;
    my %with     = (min_effect => $min_effect, is_quick => $is_quick);
    my @matching = UnixBench::Compare::Runs::matching(map { $_->{summary}{runs} } $first, $second);
    return map { +{ sides => [$first, $second], %{ _pair($_, %with) } } } @matching;
}

sub _pair {
    my ($runs, %with) = @_;
    my $is_same_count = $runs->[0]{copies} == $runs->[1]{copies} ? 1 : 0;
    return { runs => $runs, is_same_count => $is_same_count, %{ UnixBench::Compare::Pair::of(@$runs, %with) } };
}

# Why there is nothing to compare between two sides, if so.
sub _refusal {
    my ($first, $second, @pairs) = @_;
    return 'no number of copies in common: ' . join ', ', map { _counts($_) } $first, $second if !@pairs;
    return if grep { @{ $_->{tests} } } @pairs;
    return "no test was measured both in $first->{letter} and in $second->{letter}";
}

sub _counts {
    my ($side) = @_;
    my @counts = map { counted($_->{copies}, 'copy', 'copies') } @{ $side->{summary}{runs} };
    return "$side->{letter} has " . (@counts ? join ' and ', @counts : 'no run');
}

1;
