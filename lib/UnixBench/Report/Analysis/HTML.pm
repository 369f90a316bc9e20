package UnixBench::Report::Analysis::HTML;

# An analysis as a page. Fractions are MathML, which browsers lay out, and readers read aloud, as such.

use strict;
use warnings;

use UnixBench::Report::Analysis::Costs     qw(cost_formulas);
use UnixBench::Report::Analysis::Effects   qw(effect_formulas);
use UnixBench::Report::Analysis::Meters    qw(HEADINGS meter_rows);
use UnixBench::Report::Analysis::Wording   qw(analysis_title compared_sentence facts_of legend_sentences notices_of);
use UnixBench::Report::Comparison::Wording qw(forced);
use UnixBench::Report::Markup              qw(element trusted);
use UnixBench::Report::Page                qw(notices page paragraph quiet section);
use UnixBench::Report::PageTable           qw(number row table text);

use constant PADDED => 'padding: .2em';    # above and below the line of a fraction

# Takes an analysis, see UnixBench::Compare::Analysis, that was not refused; returns it as one HTML file that needs
# nothing else.
sub render {
    my ($analysis) = @_;
    my @effects    = effect_formulas($analysis);
    my @rows       = map { _meter(@$_) } meter_rows($analysis);
    return page(
        analysis_title($analysis),
        paragraph(compared_sentence($analysis)),
        notices((grep { defined } forced($analysis)), notices_of($analysis)),
        _cards(@effects),
        section(
            'The meters',
            table('A and B, and the one by the other', HEADINGS, \@rows),
            quiet(legend_sentences($analysis))
        ),
        section('The argument', map { _formula($_) } @effects, cost_formulas($analysis)),
        _sides($analysis),
    );
}

# The results of the argument, but for the product, which is to agree with one.
sub _cards {
    my (@formulas) = @_;
    my @found = grep { !defined $_->{left_out} } @formulas[0 .. $#formulas - 1];
    return @found ? element('ul', { class => 'cards' }, map { _card($_) } @found) : ();
}

sub _card {
    my ($formula) = @_;
    my $sure = length $formula->{interval} ? "95 % interval: $formula->{interval}" : 'Nothing tells how sure that is';
    return element(
        'li',
        { class => 'same' },
        element('div', { class => 'copies' }, $formula->{title}),
        element('p',   { class => 'found' },  $formula->{result}),
        element('p',   { class => 'sure' },   $sure),
    );
}

sub _meter {
    my ($label, @texts) = @_;
    return row($label, map { number($_) } @texts);
}

sub _sides {
    my ($analysis) = @_;
    my @rows = map { _side($_) } @{ $analysis->{sides} };
    return @rows ? section('What was compared', table('Sides', ['Side', 'File and result'], \@rows)) : ();
}

sub _side {
    my ($side) = @_;
    my @facts = facts_of($side) or return;
    return row($side->{letter}, text("$side->{label}: " . join '; ', @facts));
}

sub _formula {
    my ($formula) = @_;
    my $title = element('h3', $formula->{title});
    return ($title, quiet($formula->{left_out})) if defined $formula->{left_out};
    my @parts    = map { (_part($_), trusted(' = ')) } @{ $formula->{parts} };
    my @interval = length $formula->{interval} ? " (95 % interval $formula->{interval})" : ();
    my @name     = (trusted(' { '), join(q{ }, @{ $formula->{name} }), ' }');
    return (
        $title,
        element('p', @parts, element('strong', $formula->{result}), @interval, @name),
        paragraph(@{ $formula->{sentences} }),
        notices(@{ $formula->{notices} }),
    );
}

sub _part {
    my ($part) = @_;
    return $part if !ref $part;
    return element(
        'math',
        element(
            'mstyle',
            { displaystyle => 'true' },
            element('mfrac', map { element('mtext', { style => PADDED }, $_) } @$part)
        )
    );
}

1;
