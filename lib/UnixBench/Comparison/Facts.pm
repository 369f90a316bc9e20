package UnixBench::Comparison::Facts;

# In what machines differ that may explain why their scores do.

use strict;
use warnings;

use List::Util ();

# Takes summaries; returns { label, texts } of each fact that is not the same for all, a text for each summary in
# their order, undef where it is not known. A fact that a machine lacks is a difference; one that a text report has no
# place for is none.
sub differences {
    my (@summaries) = @_;
    my @differing   = grep { _differs($_, @summaries) } _labels(@summaries);
    return map { +{ label => $_, texts => _texts($_, @summaries) } } @differing;
}

sub _texts {
    my ($label, @summaries) = @_;
    return [map { $_->{facts}{$label} } @summaries];
}

sub _differs {
    my ($label, @summaries) = @_;
    my @telling = grep { defined $_->{facts}{$label} || $_->{source} ne 'text report' } @summaries;
    my %text    = map  { ($_->{facts}{$label} // q{}) => 1 } @telling;
    return keys %text > 1;
}

sub _labels {
    my (@summaries) = @_;
    my %seen        = map { $_ => 1 } map { keys %{ $_->{facts} } } @summaries;
    my @labels      = sort keys %seen;
    return @labels;
}

# Takes summaries; returns { label => text } of the facts that more than half of them share.
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

# Takes a summary and what is usual; returns { label, text, usual } of each fact that is otherwise here.
sub unusual {
    my ($summary, $usual) = @_;
    my $facts  = $summary->{facts};
    my @labels = grep { defined $facts->{$_} && $facts->{$_} ne $usual->{$_} } sort keys %$usual;
    return map { +{ label => $_, text => $facts->{$_}, usual => $usual->{$_} } } @labels;
}

1;
