package UnixBench::Compare::Decision;

# Which rows of a comparison decide its exit status, and what they decide.
#
# A word of --fail-on is { name, tests }: tests has the names of the tests that it stands for, and is undef for the
# indexes. Without --fail-on the indexes decide. Only pairs of runs with the same number of copies do. A quick estimate
# is never slower than an official result in this sense, see UnixBench::Score::Procedure.

use strict;
use warnings;

use UnixBench::Base::Text qw(copies_text);

# Takes a pair of runs, see UnixBench::Compare::Comparison, and [words of --fail-on] or undef. Returns the rows that
# were compared and decide. Without --fail-on and without an index, that is the mean of the tests.
sub rows {
    my ($pair, $words) = @_;
    return map { _named($pair, $_) } @$words if $words;
    my @indexes = _named($pair, {});
    return @indexes ? @indexes : grep { $_ } $pair->{mean};
}

sub _named {
    my ($pair, $word) = @_;
    return grep { $_->{ratio} } @{ $pair->{indexes} } if !$word->{tests};
    my %is_named = map { $_ => 1 } @{ $word->{tests} };
    return grep { $is_named{ $_->{name} } } @{ $pair->{tests} };
}

# Takes a pair with its decisive rows; returns whether other load leaves one of them open.
sub is_open {
    my ($pair) = @_;
    return $pair->{is_same_count} && grep { $_->{load} } @{ $pair->{decisive} };
}

# Takes the same; returns whether one of them is slower. The mean of the tests never is.
sub is_worse {
    my ($pair) = @_;
    return if !$pair->{is_same_count} || $pair->{is_mixed};
    return grep { ($_->{category} || $_->{name}) && $_->{verdict} eq 'slower' } @{ $pair->{decisive} };
}

# Takes [words of --fail-on] or undef, and for each side but the first [its pairs with the first]. Returns sentences
# about words that can't decide: the caller must not report success.
sub undecided {
    my ($words, @sides) = @_;
    my @sentences;
    for my $word (@{ $words || [] }) {
        my ($why) = grep { defined } map { _why_undecided($word, @$_) } @sides;
        push @sentences, "option --fail-on $word->{name}: $why" if defined $why;
    }
    return @sentences;
}

# Takes a word, and the pairs of a side; returns why it can't decide, or undef.
sub _why_undecided {
    my ($word, @pairs) = @_;
    my $letter = $pairs[0]{sides}[1]{letter};
    my ($lost) = grep { _is_on_one_side($_, $word) && !_named($_, $word) } @pairs;
    return "nothing with this name was compared in $letter" . _copies($lost, @pairs)
        if $lost || !grep { _named($_, $word) } @pairs;
    my @same = grep { $_->{is_same_count} } @pairs;
    return "the numbers of copies of $letter differ from those of $pairs[0]{sides}[0]{letter}" if !@same;
    return "$letter is compared as a quick estimate with an official result, which never fails" if $same[0]{is_mixed};
    my @known = grep { $_->{verdict} ne 'unknown' } map { _named($_, $word) } @same;
    return @known ? undef : "without an interval nothing is decided about $letter";
}

# Takes a pair and a word; returns whether only one of its sides has something of that name.
sub _is_on_one_side {
    my ($pair, $word) = @_;
    return scalar grep { defined $_->{why_not} } @{ $pair->{indexes} } if !$word->{tests};
    my %is_named = map  { $_ => 1 } @{ $word->{tests} };
    my @lacking  = grep { $is_named{ $_->{name} } } @{ $pair->{lacking} };
    return scalar grep { defined $_->{reasons}[0] xor defined $_->{reasons}[1] } @lacking;
}

sub _copies {
    my ($pair, @pairs) = @_;
    return $pair && @pairs > 1 ? ', ' . copies_text($pair->{runs}[1]{copies}) : q{};
}

1;
