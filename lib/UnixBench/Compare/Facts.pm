package UnixBench::Compare::Facts;

# Differences between machines that may explain differences between their scores.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Format   qw(listed);
use UnixBench::Host::FactText ();

use constant NAMED_MOST => 6;

# Takes summaries; returns { label, texts } of each fact that is not the same for all, a text for each summary in their
# order, undef if it is unknown. A fact that a machine does not have is a difference, unless its summary is from a text
# report, which has no place for it, or the fact is of tests that it did not run. other_files() compares the measured
# files.
sub differences {
    my (@summaries) = @_;
    my @differing   = grep { !_is_file($_) && _differs($_, @summaries) } _labels(@summaries);
    return map { +{ label => $_, texts => _texts($_, @summaries) } } @differing;
}

# Takes summaries; returns which of the measured programs and inputs differ, in sentences. A file that only some have is
# of a test that the others did not run, and not a difference.
sub other_files {
    my (@summaries) = @_;
    return _files('that differ', grep { _is_file($_) && _differs($_, @summaries) } _labels(@summaries));
}

# Takes sides, each { label, summary }; returns, in sentences, what is unknown about them, so that they can't be
# compared in that: text reports have no place for most facts.
sub unknown {
    my (@sides)  = @_;
    my @labels   = grep { !_is_file($_) } _labels(map { $_->{summary} } @sides);
    my @nameless = grep { !%{ $_->{summary}{facts} } } @sides;
    my @sentences;
    push @sentences, 'Nothing is known of the machine of ' . listed(map { $_->{label} } @nameless) . '.' if @nameless;
    for my $side (grep { %{ $_->{summary}{facts} } && $_->{summary}{source} eq 'text report' } @sides) {
        my @unknown = grep { !defined $side->{summary}{facts}{$_} } @labels or next;
        my @named   = splice @unknown, 0, NAMED_MOST;
        push @sentences, "Not known of $side->{label}: " . join(', ', @named, @unknown ? @unknown . ' more' : ()) . '.';
    }
    return @sentences;
}

sub _is_file {
    my ($label) = @_;
    return scalar UnixBench::Host::FactText::measured_file($label);
}

# Returns whether a fact is known only where certain tests were run.
sub _is_of_tests {
    my ($label) = @_;
    return _is_file($label) || UnixBench::Host::FactText::described_program($label);
}

# Takes words for the files, and their labels; returns sentences.
sub _files {
    my ($which, @labels) = @_;
    my %names;
    for my $label (@labels) {
        my ($kind, $name) = UnixBench::Host::FactText::measured_file($label);
        push @{ $names{$kind} }, $name;
    }
    return map { "${_}s $which: " . join ', ', @{ $names{$_} } } reverse sort keys %names;
}

sub _texts {
    my ($label, @summaries) = @_;
    return [map { $_->{facts}{$label} } @summaries];
}

sub _differs {
    my ($label, @summaries) = @_;
    my @telling = grep { defined $_->{facts}{$label} || $_->{source} ne 'text report' } @summaries;
    return if _is_of_tests($label) && grep { !defined $_->{facts}{$label} } @telling;
    my %text = map { ($_->{facts}{$label} // q{}) => 1 } @telling;
    return keys %text > 1;
}

sub _labels {
    my (@summaries) = @_;
    my %seen        = map { $_ => 1 } map { keys %{ $_->{facts} } } @summaries;
    my @labels      = sort keys %seen;
    return @labels;
}

# Takes summaries; returns { label => text } of the facts that are the same for more than half of them.
sub usual {
    my (@summaries) = @_;
    my %usual;
    for my $label (_labels(@summaries)) {
        my %count;
        $count{$_}++ for grep { defined } map { $_->{facts}{$label} } @summaries;
        my $most = List::Util::first { $count{$_} > @summaries / 2 } keys %count;
        $usual{$label} = $most if defined $most;
    }
    return \%usual;
}

# Takes a summary and the usual facts; returns { label, text, usual } of each fact that differs from them.
# unusual_files() compares the measured files.
sub unusual {
    my ($summary, $usual) = @_;
    my @labels = grep { !_is_file($_) } _unusual($summary, $usual);
    return map { +{ label => $_, text => $summary->{facts}{$_}, usual => $usual->{$_} } } @labels;
}

# Takes the same; returns which of the measured programs and inputs differ from the usual ones, in sentences.
sub unusual_files {
    my ($summary, $usual) = @_;
    return _files('that differ from most', grep { _is_file($_) } _unusual($summary, $usual));
}

sub _unusual {
    my ($summary, $usual) = @_;
    my $facts = $summary->{facts};
    return grep { defined $facts->{$_} && $facts->{$_} ne $usual->{$_} } sort keys %$usual;
}

1;
