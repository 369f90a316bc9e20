package UnixBench::Report::Details::Wording;

# The words in which text and page say how sure the numbers of a run are.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Format   qw(counted fixed listed percent);
use UnixBench::StopRule ();

our @EXPORT_OK = qw(LEGEND ends interval percent_of quick_sentence repeated_sentence);

use constant LEGEND => 'Scores are of all passes, none left out. +-: half of the 95 % interval; cv: coefficient of '
    . 'variation; lowest, highest: passes against the score.';

# Takes an estimate, returns its interval in numbers, or an empty text.
sub interval {
    my ($estimate) = @_;
    return defined $estimate->{low} ? join ' to ', map { fixed($_) } @$estimate{qw(low high)} : q{};
}

# Takes a part of 1, perhaps undef; returns it in percent, or an empty text.
sub percent_of {
    my ($part) = @_;
    return defined $part ? sprintf '%.1f%%', 100 * $part : q{};
}

# Takes a spread, see UnixBench::Spread; returns how far its lowest and highest rate lie from its estimate, such as
# "-1.2%" and "+0.8%", or two empty texts for a single pass.
sub ends {
    my ($spread) = @_;
    return (q{}, q{}) if $spread->{passes} < 2;
    return map { sprintf '%+.1f%%', 100 * ($_ / $spread->{estimate}{value} - 1) } @$spread{qw(min max)};
}

# Takes the procedure and a run; returns what there is to know of a quick run, in a sentence, or nothing for an official
# one.
sub quick_sentence {
    my ($procedure, $run) = @_;
    return if !defined $run->{rounds};
    my $seed   = defined $procedure->{seed} ? " in random order (seed $procedure->{seed})" : q{};
    my $rounds = counted($run->{rounds}, 'round', 'rounds') . $seed;
    return "Quick run, an estimate: $rounds. " . _precision($procedure->{precision}, $run);
}

sub _precision {
    my ($wanted,     $run)    = @_;
    my ($half_width, $costly) = @{ UnixBench::StopRule::precision_of($run) }{qw(half_width costly)};
    return 'How precise it is, is not known.' if !defined $half_width;
    my %title = map { $_->{name} => $_->{title} } @{ $run->{tests} };
    my $cost  = @$costly && keys %title > 1 ? '; mostly for ' . listed(map { $title{$_} } @$costly) : q{};
    return 'Precision ' . percent($half_width) . _against($half_width, $wanted) . "$cost.";
}

sub _against {
    my ($half_width, $wanted) = @_;
    return q{} if !defined $wanted;
    return ', ' . percent($wanted) . ' was wanted and is ' . ($half_width <= $wanted ? 'reached' : 'not reached');
}

# Takes a run; returns how many slices were repeated, in a sentence, or nothing when none were.
sub repeated_sentence {
    my ($run) = @_;
    my $repeated = map { @{ $_->{set_aside} || [] } } map { @{ $_->{passes} } } @{ $run->{tests} };
    return if !$repeated;
    return 'Repeated, as they were disturbed, and counted nowhere: ' . counted($repeated, 'slice', 'slices') . q{.};
}

1;
