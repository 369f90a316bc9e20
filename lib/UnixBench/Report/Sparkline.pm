package UnixBench::Report::Sparkline;

# Sparklines: levels as a text, with one character for each.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(max min);

our @EXPORT_OK = qw(in_ascii in_blocks);

use constant { GAP => q{ }, DOUBTFUL => '?' };

# The characters of levels, from the lowest to the highest: in ASCII, and as bytes of UTF-8 (U+2581 to U+2588).
my @ASCII  = split //, '_.:-=+*#';
my @BLOCKS = map { "\xe2\x96" . chr } 0x81 .. 0x88;

my %BLOCK_OF = map { $ASCII[$_] => $BLOCKS[$_] } 0 .. $#ASCII;

# Takes levels: fractions of 1, undef (a gap) or "?" (shown, but not evidence). Returns the sparkline in ASCII.
sub in_ascii {
    my (@levels) = @_;
    return join q{}, map { !defined ? GAP : $_ eq DOUBTFUL ? DOUBTFUL : $ASCII[_nearest($_)] } @levels;
}

# Takes a sparkline in ASCII; returns it in UTF-8, with blocks that are as high as their levels.
sub in_blocks {
    my ($ascii) = @_;
    return join q{}, map { $BLOCK_OF{$_} // $_ } split //, $ascii;
}

# Returns the number of the character that is nearest to a level.
sub _nearest {
    my ($level) = @_;
    return int $#ASCII * max(0, min(1, $level)) + 0.5;
}

1;
