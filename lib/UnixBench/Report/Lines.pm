package UnixBench::Report::Lines;

# Text as lines: printable, folded, in columns.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Format qw(clean defused);

our @EXPORT_OK = qw(aligned folded plain);

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

# Takes a text and perhaps its indentation; returns it as plain lines of at most 100 columns. Lines are broken at
# blanks, and within a word only if it is longer than a line. Lines after the first are indented by two more columns. An
# empty text has no lines.
sub folded {
    my ($text, $indent) = @_;
    $indent ||= 0;
    my $more  = WIDTH - $indent - HANGING - 1;
    my @parts = plain($text) =~ /\G *([^ ](?:.{0,$more}(?![^ ])|.{$more}))/gs;
    $_ = q{ } x HANGING . $_ for @parts[1 .. $#parts];
    return map { q{ } x $indent . s/ +\z//r } @parts;
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
