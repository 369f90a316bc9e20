package UnixBench::Report::Analysis::Text;

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Format                qw(clean);
use UnixBench::Report::Analysis::Costs     qw(cost_formulas);
use UnixBench::Report::Analysis::Effects   qw(effect_formulas);
use UnixBench::Report::Analysis::Meters    qw(HEADINGS meter_rows);
use UnixBench::Report::Analysis::Wording   qw(compared_sentence facts_of legend_sentences notices_of);
use UnixBench::Report::Columns             qw(aligned headed text_of);
use UnixBench::Report::Comparison::Wording qw(forced);
use UnixBench::Report::Details::Lines      qw(folded);

use constant { INDENT => q{ } x 3, BETWEEN => '  =  ' };

# Takes an analysis, see UnixBench::Compare::Analysis, that was not refused; returns it as text: what is compared, the
# meters, and then the argument.
sub render {
    my ($analysis) = @_;
    my @heads = map { s/\A[*]//r } @{ +HEADINGS };
    return text_of(
        [grep { defined } forced($analysis)],
        [folded(compared_sentence($analysis))],
        [map { folded($_) } notices_of($analysis)],
        (map { _side($_) } @{ $analysis->{sides} }),
        [
            aligned(
                \@heads,
                map {
                    [map { clean($_) } @$_]
                } meter_rows($analysis)
            )
        ],
        (map { [_formula($_)] } effect_formulas($analysis), cost_formulas($analysis)),
        [map { folded($_) } legend_sentences($analysis)],
    );
}

sub _side {
    my ($side) = @_;
    return [headed("$side->{letter}: $side->{label}", facts_of($side))];
}

sub _formula {
    my ($formula) = @_;
    return folded($formula->{left_out}) if defined $formula->{left_out};
    my @name   = _braced(@{ $formula->{name} });
    my @blocks = map { (_drawn($_), BETWEEN) } @{ $formula->{parts} };
    my $result = $formula->{result} . (length $formula->{interval} ? " (95 %: $formula->{interval})" : q{});
    my @lines  = _beside(@blocks, $result, INDENT, \@name);
    return (
        "$formula->{title}:",
        (map { INDENT . $_ } grep { /\S/ } @lines),
        (map { folded($_) } @{ $formula->{sentences} }, map { "Note: $_" } @{ $formula->{notices} }),
    );
}

# A fraction as its three lines.
sub _drawn {
    my ($part) = @_;
    return $part if !ref $part;
    my @texts = map { clean($_) } @$part;
    return [$texts[0], q{-} x List::Util::max(map { _width($_) } @texts), $texts[1]];
}

sub _braced {
    my (@name) = @_;
    my $width  = List::Util::max(map { _width($_) } @name);
    my @braced = map { '{ ' . $_ . q{ } x ($width - _width($_)) . ' }' } @name;
    return @braced > 1 ? @braced : (q{}, @braced, q{});
}

# Blocks of three lines side by side; one line alone is in the middle.
sub _beside {
    my (@blocks) = @_;
    my @lines = (q{}) x 3;
    for my $block (map { ref $_ ? $_ : [q{}, $_, q{}] } @blocks) {
        my $width = List::Util::max(map { _width($_) } @$block);
        $lines[$_] .= _centred($block->[$_], $width) for 0 .. 2;
    }
    return map { s/ +\z//r } @lines;
}

sub _centred {
    my ($text, $width) = @_;
    my $blanks = $width - _width($text);
    return q{ } x int($blanks / 2) . $text . q{ } x ($blanks - int $blanks / 2);
}

# In characters.
sub _width {
    my ($text) = @_;
    utf8::decode(my $characters = $text);
    return length $characters;
}

1;
