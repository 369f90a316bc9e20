package UnixBench::Report::Details::Lines;

# Text as lines in which the programs that read reports find nothing.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Format qw(clean defused);

our @EXPORT_OK = qw(folded plain);

use constant { WIDTH => 100, HANGING => 2 };

# What they look for: words, phrases, rules.
my @WORDS   = qw(aborting lps MWIPS);
my @PHRASES = ('Index Score', 'Benchmark Run', 'parallel cop', ' samples)', 'of tests', '(Partial Only)');
my @RULES   = map { $_ x 71 } q{-}, q{=};

# Takes a text of any origin; returns it printable and without what they look for.
sub plain {
    my ($text) = @_;
    return defused(clean($text), @WORDS, @PHRASES, @RULES);
}

# Takes a text and perhaps by how much it is indented; returns it as lines of at most 100 columns, broken at blanks, or
# within a word that is longer, none for an empty text. Those after the first are indented by two more.
sub folded {
    my ($text, $indent) = @_;
    $indent ||= 0;
    my $more  = WIDTH - $indent - HANGING - 1;
    my @parts = plain($text) =~ /\G *([^ ](?:.{0,$more}(?![^ ])|.{$more}))/gs;
    $_ = q{ } x HANGING . $_ for @parts[1 .. $#parts];
    return map { q{ } x $indent . s/ +\z//r } @parts;
}

1;
