package OtherWords;

# Replaces the words of notes, warnings and comparisons, to see that they decide nothing.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use UnixBench::Report::Comparison::Wording;
use UnixBench::Report::Notes;
use UnixBench::Report::Reference;
use UnixBench::Warnings::Causes;
use UnixBench::Warnings::Wording;

our @EXPORT_OK = qw(@OTHER_WORDS functions with_other_words);

# The words that replace each sentence: nonsense, and a text that looks like a fact.
our @OTHER_WORDS =
    ('Zzz.', 'changed procedure: index.base is edited; Quick run: virtual display (Xvfb), interrupted by SIGINT');

# The subs that make the words of comparisons.
my @WORDS_OF_COMPARISONS = qw(
    verdict_in_brief copies_of findings heading_of legend machines_are_equal not_compared pair_title side_facts
);

# The subs that make the words of verdicts.
my @WORDS_OF_VERDICTS = qw(
    marks_legend short_verdict verdict_interval verdict_numbers verdict_text verdict_than verdict_words
);

# Takes words and a function. Calls the function while all functions that make sentences return these words instead,
# wherever they were imported to. Returns the values of the function.
sub with_other_words {
    my ($words, $do) = @_;
    my @names = (
        (map { "UnixBench::Report::Notes::$_" } qw(of of_kind of_changes)),
        (map { "UnixBench::Warnings::Wording::$_" } 'of', grep { /[a-z]/ } @UnixBench::Warnings::Wording::EXPORT_OK),
        (
            map  { "UnixBench::Warnings::Causes::$_" } qw(of together),
            grep { /[a-z]/ } @UnixBench::Warnings::Causes::EXPORT_OK
        ),
        (map { "UnixBench::Report::Comparison::Wording::$_" } @WORDS_OF_COMPARISONS),
        (map { "UnixBench::Report::Reference::$_" } @WORDS_OF_VERDICTS),
    );
    my %is_word = map  { \&{$_} => 1 } @names;
    my @places  = grep { $is_word{ \&{$_} } } functions('UnixBench::');
    my %was     = map  { $_ => \&{$_} } @places;
    my $of      = sub {
        return { map { $_ => $words } qw(seen why advice) };
    };
    cmp_ok(scalar @places, '>', scalar @names, 'words are replaced wherever they were imported to');
    no warnings 'redefine';
    no strict 'refs';    ## no critic (ProhibitNoStrict, ProhibitProlongedStrictureOverride)
    *{$_} = /(?:Wording|Causes)::of\z/ ? $of : sub { $words }
        for @places;
    my @done    = eval { $do->() };
    my $why_not = $@;
    *{$_} = $was{$_} for @places;
    die $why_not if $why_not;
    return @done;
}

# Takes the name of a package, with :: at its end; returns the full names of all functions in it and below it.
sub functions {
    my ($package) = @_;
    no strict 'refs';    ## no critic (ProhibitNoStrict)
    my @names = sort keys %{$package};
    return ((grep { defined &{$_} } map { "$package$_" } grep { !/::\z/ } @names),
        map { functions("$package$_") } grep { /::\z/ } @names);
}

1;
