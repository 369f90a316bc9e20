package UnixBench::Report::Analysis::Markdown;

use strict;
use warnings;

use UnixBench::Report::Analysis::Costs     qw(cost_formulas);
use UnixBench::Report::Analysis::Effects   qw(effect_formulas);
use UnixBench::Report::Analysis::Meters    qw(HEADINGS meter_rows);
use UnixBench::Report::Analysis::Wording   qw(analysis_title compared_sentence facts_of legend_sentences notices_of);
use UnixBench::Report::Comparison::Wording qw(forced);
use UnixBench::Report::Markdown::Blocks    qw(document heading list paragraph quote table);
use UnixBench::Report::Markdown::Text      qw(bold fact inline trusted);

# Takes an analysis, see UnixBench::Compare::Analysis, that was not refused; returns it as Markdown: what is compared,
# the meters, and then the argument.
sub render {
    my ($analysis) = @_;
    return document(
        heading(2, analysis_title($analysis)),
        quote(grep { defined } forced($analysis)),
        paragraph(compared_sentence($analysis)),
        quote(notices_of($analysis)),
        list(map { _side($_) } @{ $analysis->{sides} }),
        heading(3, 'The meters'),
        table(HEADINGS, map { [fact($_->[0]), @$_[1 .. $#$_]] } meter_rows($analysis)),
        heading(3, 'The argument'),
        (map { _formula($_) } effect_formulas($analysis), cost_formulas($analysis)),
        paragraph(join q{ }, legend_sentences($analysis)),
    );
}

sub _side {
    my ($side) = @_;
    my @facts = facts_of($side) or return;
    return inline(bold("$side->{letter}:"), trusted(q{ }), fact($side->{label}), join q{}, ', ', join '; ', @facts);
}

sub _formula {
    my ($formula) = @_;
    return paragraph($formula->{left_out}) if defined $formula->{left_out};
    my @parts    = map { (_part($_), trusted(' = ')) } @{ $formula->{parts} };
    my @interval = length $formula->{interval} ? " (95 % interval $formula->{interval})" : ();
    my @name     = (trusted(' { '), join(q{ }, @{ $formula->{name} }), trusted(' }'));
    return (
        paragraph(inline(@parts, bold($formula->{result}), @interval, @name)),
        paragraph(join q{ }, @{ $formula->{sentences} }),
        quote(@{ $formula->{notices} }),
    );
}

# A fraction of fractions needs parentheses.
sub _part {
    my ($part) = @_;
    return inline($part) if !ref $part;
    my ($above, $below) = map { inline(m{ [/x] } ? "($_)" : $_) } @$part;
    return inline($above, trusted(' / '), $below);
}

1;
