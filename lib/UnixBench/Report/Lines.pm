package UnixBench::Report::Lines;

# Text as lines: printable, folded, in columns.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

use UnixBench::Base::Format qw(clean defused);

our @EXPORT_OK = qw(aligned folded plain);

use constant { WIDTH => 100, HANGING => 2 };

# What the programs that read reports look for: words, phrases, rules.
my @WORDS   = qw(aborting lps MWIPS);
my @PHRASES = ('Index Score', 'Benchmark Run', 'parallel cop', ' samples)', 'of tests', '(Partial Only)');
my @RULES   = map { $_ x 71 } q{-}, q{=};

# Takes a text of any origin; returns it printable and without what the programs that read reports look for.
sub plain {
    my ($text) = @_;
    return defused(clean($text), @WORDS, @PHRASES, @RULES);
}

# Takes a text and perhaps by how much it is indented; returns it, plain, as lines of at most 100 columns, broken at
# blanks, or within a word that is longer, none for an empty text. Those after the first are indented by two more.
sub folded {
    my ($text, $indent) = @_;
    $indent ||= 0;
    my $more  = WIDTH - $indent - HANGING - 1;
    my @parts = plain($text) =~ /\G *([^ ](?:.{0,$more}(?![^ ])|.{$more}))/gs;
    $_ = q{ } x HANGING . $_ for @parts[1 .. $#parts];
    return map { q{ } x $indent . s/ +\z//r } @parts;
}

# Takes rows, each a list of texts, some perhaps undef; returns them as lines of columns, the first of which begin, and
# the others end, at the same place.
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
