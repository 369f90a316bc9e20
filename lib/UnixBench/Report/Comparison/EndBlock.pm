package UnixBench::Report::Comparison::EndBlock;

# The block at the end of a comparison on a terminal: the verdicts, the tests that differ most, how far each result can
# be trusted, and the next step.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text                  qw(listed);
use UnixBench::Features                    qw(loaded);
use UnixBench::Report::Block               qw(cell);
use UnixBench::Report::Comparison::Advice  qw(runs_needed trusts_of);
use UnixBench::Report::Comparison::Wording qw(copies_of distance findings sums);
use UnixBench::Report::EndBlock            qw(trust_words);
use UnixBench::Report::Reference           qw(is_around verdict_text);

our @EXPORT_OK = qw(block_of);

use constant { TESTS_MOST => 3, VERDICTS_MOST => 8 };

# What features compare of pairs: { key => module }.
my $OF_PAIRS = UnixBench::Features::merged('of_pairs');

# Takes a comparison, see UnixBench::Compare::Comparison, and perhaps { key of a pair => whether the report has what a
# feature compares there }. Returns the entries of its block, see UnixBench::Report::Plain::entry_lines.
sub block_of {
    my ($comparison, $asked) = @_;
    my @pairs = @{ $comparison->{pairs} };
    my @trust = map { _trust(@$_) } trusts_of(@{ $comparison->{sides} });
    return (
        [Verdict => _verdicts(@pairs)],
        _tests($comparison->{min_effect}, @pairs),
        (@trust ? [Trust => @trust] : ()),
        [Next => _next($comparison, $asked, map { $_->[1] } map { sums($_) } @pairs)],
    );
}

# Returns the verdicts on all pairs. The report begins with them, so that many are not repeated.
sub _verdicts {
    my (@pairs) = @_;
    my @texts   = map { { text => $_ } } findings(@pairs);
    my @more    = splice @texts, @texts > VERDICTS_MOST ? VERDICTS_MOST - 1 : scalar @texts;
    return (@texts, @more ? { text => @more . ' more at the top' } : ());
}

# Returns the entry of the tests with the largest differences. With a single test, the verdict is about it.
sub _tests {
    my ($min_effect, @pairs) = @_;
    my @tests;
    for my $pair (@pairs) {
        push @tests, map { [$_, $pair] } @{ $pair->{tests} };
    }
    return if @tests < 2;
    my @different = sort { distance($b->[0]) <=> distance($a->[0]) || $a->[0]{title} cmp $b->[0]{title} }
        grep { !is_around($_->[0]{verdict}) } @tests;
    my $equal = grep { $_->[0]{verdict} eq 'equal' } @tests;
    my $what  = $equal == @tests ? "all $equal are" : "none differs for sure, and $equal of " . @tests . ' are';
    return [Tests => ["$what equal within ", cell(limit => $min_effect)]] if !@different;
    my $last = @different < TESTS_MOST ? $#different : TESTS_MOST - 1;
    return [Tests => map { _test(@$_, @pairs) } @different[0 .. $last]];
}

# Takes a row, its pair of runs, and all pairs; returns the title of the test, what tells the pair apart, and the
# verdict.
sub _test {
    my ($row, $pair, @pairs) = @_;
    my @names = (sub { $_[0]{sides}[1]{letter} }, \&copies_of);
    my @which = map { $_->($pair) } grep { _differs($_, @pairs) } @names;
    return { text => [join(', ', $row->{title}, @which) . ': ', verdict_text($row, $pair)] };
}

sub _differs {
    my ($name, @pairs) = @_;
    my %seen = map { $name->($_) => 1 } @pairs;
    return keys %seen > 1;
}

sub _trust {
    my ($letter, $trust) = @_;
    return { level => $trust->{level}, text => ["$letter ", trust_words($trust)] };
}

# Takes a comparison, what the report has of features, and the rows of its indexes; returns the next steps.
sub _next {
    my ($comparison, $asked, @rows) = @_;
    my $sides  = $comparison->{sides};
    my @loaded = grep { _is_loaded($_, @rows) } 0, 1;
    return 'stop the other load, and measure ' . listed(map { $sides->[$_]{letter} } @loaded) . ' again' if @loaded;
    my @texts = grep { ($_->{summary}{source} // q{}) ne 'UnixBench' } @$sides;
    return 'measure ' . listed(map { $_->{letter} } @texts) . ' again, because a text report has no intervals'
        if @texts;
    my @needed = map { { text => $_ } } runs_needed($comparison);
    return @needed if @needed;
    my ($step) = map { _step_of_feature($comparison, $_) } grep { !$asked->{$_} } sort keys %$OF_PAIRS;
    return $step if defined $step;
    return 'add --html comparison.html for a page with all runs' if grep { $_->{members} } @$sides;
    return 'measure each group again, in turns' if $comparison->{groups};
    return 'measure each state again, in turns, and compare all runs: ./Run compare A1 A2 -- B1 B2';
}

# Takes a comparison and a key of its pairs; returns the next step that the feature knows, or nothing. A table of groups
# has nothing of pairs.
sub _step_of_feature {
    my ($comparison, $key) = @_;
    return if $comparison->{groups};
    return loaded($OF_PAIRS->{$key})->can('next_step')->(map { $_->{$key} } @{ $comparison->{pairs} });
}

# Takes the number of a side, and rows; returns whether other load on that side leaves a row open.
sub _is_loaded {
    my ($side, @rows) = @_;
    return grep { $_->{badly} } map { @{ $_->{load}[$side] } } grep { $_->{load} } @rows;
}

1;
