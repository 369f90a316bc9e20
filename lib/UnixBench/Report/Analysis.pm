package UnixBench::Report::Analysis;

# The report of an analysis: what is compared, the meters, and then the argument.

use strict;
use warnings;

use UnixBench::Report::Analysis::Costs   qw(cost_formulas);
use UnixBench::Report::Analysis::Effects qw(effect_formulas);
use UnixBench::Report::Analysis::Meters  qw(meter_table);
use UnixBench::Report::Analysis::Wording qw(analysis_title compared_sentence facts_of legend_sentences notices_of);
use UnixBench::Report::Block             qw(
    card cards document formula in_brief in_detail in_full list name not_in_full notices paragraphs quiet row said section
    strong table
);
use UnixBench::Report::Comparison::Wording qw(forced);

# Takes an analysis, see UnixBench::Compare::Analysis, that was not refused; returns its report.
sub report_of {
    my ($analysis) = @_;
    my @effects    = effect_formulas($analysis);
    my @sides      = @{ $analysis->{sides} };
    my @forced     = grep { defined } forced($analysis);
    my @legend     = quiet(legend_sentences($analysis));
    return document(
        { title => analysis_title($analysis), is_folded => 1 },
        in_detail(list(undef, @forced)),
        in_brief(notices(@forced)),
        paragraphs(compared_sentence($analysis)),
        in_full(notices(@forced, notices_of($analysis)), cards(_cards(@effects))),
        not_in_full(notices(notices_of($analysis))),
        in_detail(map { list("$_->{letter}: $_->{label}", facts_of($_)) } @sides),
        in_brief(list(undef, map { _side($_) } @sides)),
        section('The meters',   meter_table($analysis), in_full(@legend)),
        section('The argument', map { formula(%$_) } @effects, cost_formulas($analysis)),
        not_in_full(@legend),
        in_full(_sides(@sides)),
    );
}

# The results of the argument, but for the product, which is to agree with one.
sub _cards {
    my (@formulas) = @_;
    return map { _card($_) } grep { !defined $_->{left_out} } @formulas[0 .. $#formulas - 1];
}

sub _card {
    my ($formula) = @_;
    my $sure = length $formula->{interval} ? "95 % interval: $formula->{interval}" : 'Nothing tells how sure that is';
    my @blocks = (said('words', $formula->{result}), said('sure', $sure));
    return card(title => $formula->{title}, class => 'same', blocks => \@blocks);
}

sub _side {
    my ($side) = @_;
    my @facts = facts_of($side) or return;
    return [strong("$side->{letter}:"), q{ }, name($side->{label}), ', ' . join '; ', @facts];
}

sub _sides {
    my (@sides) = @_;
    my @rows    = map { _row($_) } @sides or return;
    my @columns = (word => 'Side', text => 'File and result');
    return section('What was compared', table(caption => 'Sides', columns => \@columns, rows => \@rows));
}

sub _row {
    my ($side) = @_;
    my @facts = facts_of($side) or return;
    return row($side->{letter}, ["$side->{label}: " . join '; ', @facts]);
}

1;
