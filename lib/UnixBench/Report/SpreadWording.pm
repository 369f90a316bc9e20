package UnixBench::Report::SpreadWording;

# The words in which reports say how sure numbers are.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format    qw(counted fixed);
use UnixBench::Score::Estimate ();
use UnixBench::Score::Spread   ();

our @EXPORT_OK = qw(
    LEGEND ends half_width interval passes_sentence percent_of quick_sentence repeated_sentence undisturbed_sentence
);

use constant {
    PERCENT_PLAIN => 10,    # percent from which on a decimal says little
    LEGEND        => 'Scores are of all passes, none left out. +-: half of the 95 % interval; cv: coefficient of '
        . 'variation; lowest, highest: passes against the score.',
};

# Takes an estimate, returns its interval in numbers, or an empty text.
sub interval {
    my ($estimate) = @_;
    return defined $estimate->{low} ? join ' to ', map { fixed($_) } @$estimate{qw(low high)} : q{};
}

# Takes an estimate, returns half of its interval in percent, as a difference of logarithms, which is what a precision
# is, or an empty text.
sub half_width {
    my ($estimate) = @_;
    my $half       = UnixBench::Score::Estimate::half_width($estimate) // return q{};
    my $percent    = 100 * $half;
    return sprintf $percent < PERCENT_PLAIN ? '%.1f%%' : '%.0f%%', $percent;
}

# Takes a part of 1, perhaps undef; returns it in percent, or an empty text.
sub percent_of {
    my ($part) = @_;
    return defined $part ? sprintf '%.1f%%', 100 * $part : q{};
}

# Takes a spread, see UnixBench::Score::Spread; returns how far its lowest and highest rate lie from its estimate, such
# as "-1.2%" and "+0.8%", or two empty texts for a single pass.
sub ends {
    my ($spread) = @_;
    return (q{}, q{}) if $spread->{passes} < 2;
    return map { sprintf '%+.1f%%', 100 * ($_ / $spread->{estimate}{value} - 1) } @$spread{qw(min max)};
}

# Takes the procedure and a run; returns what a quick run was, in a sentence, or nothing for an official one. How far
# it is from what was wanted is a remark.
sub quick_sentence {
    my ($procedure, $run) = @_;
    return if !defined $run->{rounds};
    my $seed = defined $procedure->{seed} ? " in random order (seed $procedure->{seed})" : q{};
    return 'Quick run, an estimate: ' . counted($run->{rounds}, 'round', 'rounds') . "$seed.";
}

# Takes a run; returns of which passes the scores with intervals are, in a sentence.
sub passes_sentence {
    my ($run) = @_;
    my $variation = 'Variation is the coefficient of variation.';
    return $variation if defined $run->{rounds};
    return 'The classic scores and index leave out the worst third of the passes, the untrimmed ones none; the '
        . "interval is of the latter. $variation";
}

# Takes a run; returns what its undisturbed index is, in a sentence, or nothing where there is none.
sub undisturbed_sentence {
    my ($run) = @_;
    return if !grep { UnixBench::Score::Spread::of_index($_, $run)->{undisturbed} } @{ $run->{indexes} };
    return 'Undisturbed: the index without the passes that something disturbed. All else is as delivered, with them.';
}

# Takes a run; returns how many slices were repeated, in a sentence, or nothing when none were.
sub repeated_sentence {
    my ($run) = @_;
    my $repeated = map { @{ $_->{set_aside} || [] } } map { @{ $_->{passes} } } @{ $run->{tests} };
    return if !$repeated;
    my $were = $repeated == 1 ? 'was' : 'were';
    return counted($repeated, 'slice', 'slices') . " $were disturbed, made again, and counted nowhere.";
}

1;
