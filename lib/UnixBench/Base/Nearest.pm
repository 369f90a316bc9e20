package UnixBench::Base::Nearest;

# Finds the known name that a misspelt one is most similar to.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

our @EXPORT_OK = qw(nearest);

use constant { LENGTH_MOST => 40, CHARACTERS_FOR_EACH_ERROR => 3 };

# Takes a misspelt name and the known ones; returns the most similar of these, the first of several, or undef if none is
# similar. One letter in three may differ, in a short name one letter, but not all letters. The difference is
# Levenshtein's (1966): letters that are added, removed or replaced.
sub nearest {
    my ($wrong, @known) = @_;
    return if length $wrong > LENGTH_MOST || !@known;
    my @distances  = map { _distance(lc $wrong, lc $_) } @known;
    my ($best)     = sort { $distances[$a] <=> $distances[$b] || $a <=> $b } 0 .. $#known;
    my $most       = List::Util::max(1, length($wrong) / CHARACTERS_FOR_EACH_ERROR);
    my $is_similar = $distances[$best] <= $most && $distances[$best] < length $wrong;
    return $is_similar ? $known[$best] : undef;
}

sub _distance {
    my ($from, $to) = @_;
    my @row = (0 .. length $to);
    for my $i (1 .. length $from) {
        my @next = ($i);
        for my $j (1 .. length $to) {
            my $same = substr($from, $i - 1, 1) eq substr($to, $j - 1, 1);
            $next[$j] = List::Util::min($row[$j] + 1, $next[$j - 1] + 1, $row[$j - 1] + ($same ? 0 : 1));
        }
        @row = @next;
    }
    return $row[-1];
}

1;
