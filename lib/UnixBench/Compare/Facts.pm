package UnixBench::Compare::Facts;

# Differences between machines that may explain differences between their scores.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text     qw(listed);
use UnixBench::Host::FactList ();

our @EXPORT_OK = qw(fact_apart);

use constant NAMED_MOST => 6;

# The kinds of facts: the key of a summary or of its files, see UnixBench::Summary; whether a fact is known only
# if certain tests were run; and of files, the words for one and for several.
my @FACTS = ({ key => 'facts' }, { key => 'program_facts', is_of_tests => 1 });
my @FILES = (
    { key => 'programs', is_of_tests => 1, one => 'Program', several => 'Programs' },
    { key => 'inputs',   is_of_tests => 1, one => 'Input',   several => 'Inputs' },
);

# Takes summaries; returns { key, label, texts } for each fact that differs: a text for each summary, or undef if it is
# unknown. A fact that one machine does not have is a difference, with two exceptions. What could not be looked at is
# unknown, as most facts of a text report. A fact about a test is missing if the test was not run. For the measured
# files see other_files().
sub differences {
    my (@summaries) = @_;
    my @distinct    = _distinct(@summaries);
    my @differing   = grep { _differs($_, @distinct) } _named(\@FACTS, @distinct);
    return map { +{ key => $_->{key}, label => $_->{label}, texts => _texts($_, @summaries) } } @differing;
}

# Takes two summaries; returns { key, label, first, second } for each of these facts.
sub apart {
    my (@summaries) = @_;
    return map { fact_apart(@$_{qw(key label)}, @{ $_->{texts} }) } differences(@summaries);
}

# Takes the key and the label of a fact, and the texts on both sides; returns { key, label, first, second }.
sub fact_apart {
    my ($key, $label, @texts) = @_;
    return { key => $key, label => $label, first => $texts[0], second => $texts[1] };
}

# Takes summaries; returns sentences about the measured programs and input files that differ. A file
# that only some have is not a difference: it belongs to a test that the others did not run.
sub other_files {
    my (@summaries) = @_;
    my @distinct = _distinct(@summaries);
    return _files(grep { _differs($_, @distinct) } _named(\@FILES, @distinct));
}

# Takes a side, { label, members => [sides] }; returns a sentence about the facts and files that differ between its
# members, or nothing.
sub within {
    my ($side)    = @_;
    my @summaries = _distinct(map { $_->{summary} } @{ $side->{members} || [] });
    my @differing = grep { _differs($_, @summaries) } _named([@FACTS, @FILES], @summaries) or return;
    my @labels    = map  { $_->{label} } @differing;
    my @named     = splice @labels, 0, NAMED_MOST;
    my @more      = @labels ? @labels . ' more' : ();
    return "The results of $side->{label} differ from each other: " . join(', ', @named, @more) . q{.};
}

# Takes summaries; returns one for each set of facts. Most results of a machine have the same facts.
sub _distinct {
    my (@summaries) = @_;
    my (%seen, @distinct);
    for my $summary (@summaries) {
        my @facts = map { (q{}, _in_words(_of_kind($_, $summary))) } @FACTS, @FILES;
        my @known = (@$summary{qw(has_passes system)}, join q{ }, @{ $summary->{facts_unread} || [] });
        my $key   = join "\0", map { $_ // q{} } @known, @facts;
        push @distinct, $summary if !$seen{$key}++;
    }
    return @distinct;
}

sub _in_words {
    my ($text_of) = @_;
    return map { "$_=" . ($text_of->{$_} // q{}) } sort keys %$text_of;
}

# Takes sides, each { label, summary }; returns a sentence about those of whose machines no fact is known: their facts
# can't be compared.
sub unknown {
    my (@sides) = @_;
    my @nameless = grep { !_named([@FACTS, @FILES], $_->{summary}) } @sides or return;
    return 'Nothing is known about the machine of ' . listed(map { $_->{label} } @nameless) . '.';
}

sub _files {
    my (@files) = @_;
    my %names;
    push @{ $names{ $_->{kind}{key} } }, $_->{key} for @files;
    return
        map { "$_->{several} that differ: " . join ', ', @{ $names{ $_->{key} } } } grep { $names{ $_->{key} } } @FILES;
}

sub _named {
    my ($kinds, @summaries) = @_;
    my @facts;
    for my $kind (@$kinds) {
        my %keys = map { $_ => 1 } map { keys %{ _of_kind($kind, $_) } } @summaries;
        for my $key (keys %keys) {
            my $label = $kind->{one} ? "$kind->{one} $key" : UnixBench::Host::FactList::label_of($key);
            push @facts, { kind => $kind, key => $key, label => $label };
        }
    }
    @facts = sort { $a->{label} cmp $b->{label} || $a->{key} cmp $b->{key} } @facts;
    return @facts;
}

sub _of_kind {
    my ($kind, $summary) = @_;
    return ($kind->{one} ? $summary->{files} : $summary)->{ $kind->{key} } || {};
}

# Returns the text of a fact in a summary, undef if it is unknown. A result from Linux does not have facts that are as
# usual.
sub _text {
    my ($fact, $summary) = @_;
    my $text = _of_kind($fact->{kind}, $summary)->{ $fact->{key} };
    return $text if defined $text || ($summary->{system} // q{}) !~ /Linux/;
    return UnixBench::Host::FactList::usual_of($fact->{key}, $summary->{facts_unread});
}

# Returns whether a summary can't tell a fact: a text report has no place for most, and some could not be looked at.
sub _is_silent {
    my ($fact, $summary) = @_;
    return !defined _text($fact, $summary)
        && UnixBench::Host::FactList::is_unread($fact->{key}, $summary->{facts_unread});
}

sub _texts {
    my ($fact, @summaries) = @_;
    return [map { scalar _text($fact, $_) } @summaries];
}

sub _differs {
    my ($fact, @summaries) = @_;
    my @comparable = grep { !_is_silent($fact, $_) } @summaries;
    return if $fact->{kind}{is_of_tests} && grep { !defined _text($fact, $_) } @comparable;
    my %text = map { (_text($fact, $_) // q{}) => 1 } @comparable;
    return keys %text > 1;
}

1;
