package UnixBench::Report::Lines;

# Text as lines: printable, wrapped, in columns.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Text qw(clean defused);

our @EXPORT_OK = qw(aligned folded hanging plain wrapped);

use constant { WIDTH => 100, HANGING => 2 };

# Words, phrases and rules that scripts search for in reports.
my @WORDS   = qw(aborting lps MWIPS);
my @PHRASES = ('Index Score', 'Benchmark Run', 'parallel cop', ' samples)', 'of tests', '(Partial Only)');
my @RULES   = map { $_ x 71 } q{-}, q{=};

# Takes a text of any origin; returns it printable and without these words, phrases and rules.
sub plain {
    my ($text) = @_;
    return defused(clean($text), @WORDS, @PHRASES, @RULES);
}

# Takes a text, a number of columns, and perhaps whether longer words stay whole; returns the text as lines that are not
# wider. Lines are broken at blanks, but not before a percent sign, and within a word only if it is longer than a line.
# An empty text has no lines.
sub wrapped {
    my ($text, $columns, $is_word_whole) = @_;
    my $more = List::Util::max(0, $columns - 1);
    my $long = $is_word_whole ? '[^ ]*' : ".{$more}";
    return map { s/ +\z//r } $text =~ /\G *([^ ](?:.{0,$more}(?![^ ]| %)|$long))/gs;
}

# Takes a text, a number of columns, an indentation, and perhaps whether longer words stay whole; returns the text as
# indented lines, those after the first by two more columns.
sub hanging {
    my ($text, $columns, $indent, @how) = @_;
    my @lines = wrapped($text, $columns - $indent - HANGING, @how);
    $_ = q{ } x HANGING . $_ for @lines[1 .. $#lines];
    return map { q{ } x $indent . $_ } @lines;
}

# Takes a text, perhaps its indentation, and perhaps the width of a terminal; returns it as printable lines of at most
# 100 columns, or of that width if it is smaller.
sub folded {
    my ($text, $indent, $width) = @_;
    return hanging(clean($text), List::Util::min(WIDTH, $width // WIDTH), $indent || 0);
}

# Takes rows, each a list of texts or undef; returns them as lines. The first column is aligned to the left, all others
# to the right.
sub aligned {
    my (@rows) = @_;
    my @widths;
    for my $row (@rows) {
        $widths[$_] = List::Util::max($widths[$_] // 0, length($row->[$_] // q{})) for 0 .. $#$row;
    }
    return map { _line($_, @widths) } @rows;
}

sub _line {
    my ($row,   @widths) = @_;
    my ($first, @others) = map { $_ // q{} } @$row;
    my $line = sprintf '%-*s', shift @widths, $first;
    $line .= sprintf '  %*s', $widths[$_], $others[$_] for 0 .. $#others;
    return $line =~ s/ +\z//r;
}

1;
