package UnixBench::Compare::Facts;

# Differences between machines that may explain differences between their scores.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Text     qw(listed);
use UnixBench::Host::FactList ();

use constant NAMED_MOST => 6;

# The kinds of files, see UnixBench::Host::FactList, with their plural.
my @FILES = ([Program => 'Programs'], [Input => 'Inputs'], [Tool => 'Tools'], [Library => 'Libraries']);

# Takes summaries; returns { label, texts } for each fact that differs: a text for each summary, or undef if it is
# unknown. A fact that one machine does not have is a difference, with two exceptions. A text report has no place for
# most facts, and a fact about a test is missing if the test was not run. For the measured files see other_files().
sub differences {
    my (@summaries) = @_;
    my @differing   = grep { !_is_file($_) && _differs($_, @summaries) } _labels(@summaries);
    return map { +{ label => $_, texts => _texts($_, @summaries) } } @differing;
}

# Takes summaries; returns sentences about the measured programs, input files, tools and libraries that differ. A file
# that only some have is not a difference: it belongs to a test that the others did not run.
sub other_files {
    my (@summaries) = @_;
    return _files('that differ', grep { _is_file($_) && _differs($_, @summaries) } _labels(@summaries));
}

# Takes a side, { label, members => [sides] }; returns a sentence about the facts and files that differ between its
# members, or nothing.
sub within {
    my ($side)    = @_;
    my @summaries = map  { $_->{summary} } @{ $side->{members} || [] };
    my @differing = grep { _differs($_, @summaries) } _labels(@summaries) or return;
    return "The results of $side->{label} differ from each other: " . _first_of(@differing) . q{.};
}

# Takes labels; returns the first six of them and the number of the others.
sub _first_of {
    my (@labels) = @_;
    my @named    = splice @labels, 0, NAMED_MOST;
    return join ', ', @named, @labels ? @labels . ' more' : ();
}

# Takes sides, each { label, summary }; returns sentences about facts that are unknown, so they can't be compared. Text
# reports have no place for most facts.
sub unknown {
    my (@sides)  = @_;
    my @labels   = grep { !_is_file($_) } _labels(map { $_->{summary} } @sides);
    my @nameless = grep { !%{ $_->{summary}{facts} } } @sides;
    my @sentences;
    push @sentences, 'Nothing is known about the machine of ' . listed(map { $_->{label} } @nameless) . '.'
        if @nameless;
    for my $side (grep { %{ $_->{summary}{facts} } && $_->{summary}{source} eq 'text report' } @sides) {
        my @unknown = grep { !defined $side->{summary}{facts}{$_} } @labels or next;
        push @sentences, "Unknown for $side->{label}: " . _first_of(@unknown) . q{.};
    }
    return @sentences;
}

sub _is_file {
    my ($label) = @_;
    return scalar UnixBench::Host::FactList::measured_file($label);
}

# Returns whether a fact is known only if certain tests were run.
sub _is_of_tests {
    my ($label) = @_;
    return _is_file($label) || UnixBench::Host::FactList::described_program($label);
}

# Takes words for the difference, and the labels of files; returns a sentence for each kind of file.
sub _files {
    my ($which, @labels) = @_;
    my %names;
    for my $label (@labels) {
        my ($kind, $name) = UnixBench::Host::FactList::measured_file($label);
        push @{ $names{$kind} }, $name;
    }
    return map { "$_->[1] $which: " . join ', ', @{ $names{ $_->[0] } } } grep { $names{ $_->[0] } } @FILES;
}

sub _texts {
    my ($label, @summaries) = @_;
    return [map { $_->{facts}{$label} } @summaries];
}

sub _differs {
    my ($label, @summaries) = @_;
    my @comparable = grep { defined $_->{facts}{$label} || $_->{source} ne 'text report' } @summaries;
    return if _is_of_tests($label) && grep { !defined $_->{facts}{$label} } @comparable;
    my %text = map { ($_->{facts}{$label} // q{}) => 1 } @comparable;
    return keys %text > 1;
}

sub _labels {
    my (@summaries) = @_;
    my %seen        = map { $_ => 1 } map { keys %{ $_->{facts} } } @summaries;
    my @labels      = sort keys %seen;
    return @labels;
}

# Takes summaries; returns { label => text } for the facts that are the same in more than half of them. The text is
# undef if more than half do not have the fact, such as a limit.
sub usual {
    my (@summaries) = @_;
    my $is_most     = sub { $_[0] > @summaries / 2 };
    my @whole       = grep { $_->{source} ne 'text report' } @summaries;
    my %usual;
    for my $label (_labels(@summaries)) {
        my %count;
        $count{$_}++ for grep { defined } map { $_->{facts}{$label} } @summaries;
        my $most    = List::Util::first { $is_most->($count{$_}) } keys %count;
        my $without = grep { !defined $_->{facts}{$label} } @whole;
        $usual{$label} = $most if defined $most || $is_most->($without) && !_is_of_tests($label);
    }
    return \%usual;
}

# Takes a summary and what usual() returned; returns { label, text, usual } for each fact that differs from the usual
# one; usual is undef if most do not have it. For the measured files see unusual_files().
sub unusual {
    my ($summary, $usual) = @_;
    my @labels = grep { !_is_file($_) } _unusual($summary, $usual);
    return map { +{ label => $_, text => $summary->{facts}{$_}, usual => $usual->{$_} } } @labels;
}

# Takes the same; returns sentences about the measured programs and input files that differ from the usual ones.
sub unusual_files {
    my ($summary, $usual) = @_;
    return _files('that differ from most', grep { _is_file($_) } _unusual($summary, $usual));
}

sub _unusual {
    my ($summary, $usual) = @_;
    my $facts = $summary->{facts};
    return grep { defined $facts->{$_} && $facts->{$_} ne ($usual->{$_} // q{}) } sort keys %$usual;
}

1;
