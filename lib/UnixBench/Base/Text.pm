package UnixBench::Base::Text;

# Texts and numbers as people read them. Texts are safe to print on a terminal, cut, joined, wrapped and put in columns;
# the known name is found that a misspelt one is most similar to. Here are also the patterns of numbers that programs
# and the kernel report.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

our @EXPORT_OK = qw(
    $INVISIBLE $MULTIBYTE DECIMAL NATURAL aligned beginning clean copies_text counted cut defused disarmed
    fitted fixed folded full_precision grouped hanging listed nearest percent plain plus_minus short_number
    shorter shown significant unique wrapped
);

use constant { SHOWN_MAX => 60, ODD_MAX => 30, ESCAPED_MAX => 120, LISTED_MAX => 3 };
use constant { SIMILAR_MAX => 40, CHARACTERS_FOR_EACH_ERROR => 3 };
use constant DOTS => '...';

# A character of UTF-8 that is not ASCII, as bytes; Unicode 15, table 3-7.
our $MULTIBYTE = qr{
      [\xc2-\xdf] [\x80-\xbf]
    | (?! \xe0 [\x80-\x9f] | \xed [\xa0-\xbf]) [\xe0-\xef] [\x80-\xbf]{2}
    | (?! \xf0 [\x80-\x8f] | \xf4 [\x90-\xbf]) [\xf0-\xf4] [\x80-\xbf]{3}
}x;

# Characters that no output contains: control characters, invisible and direction-changing characters, line separators,
# noncharacters. Output as text has an escape that people read instead, and JSON one of its own.
our $INVISIBLE = do {
    my $ranges = '\x{00}-\x{1f}\x{7f}-\x{9f}\x{ad}\x{61c}\x{180e}\x{200b}-\x{200f}\x{2028}-\x{202e}'
        . '\x{2060}-\x{206f}\x{feff}\x{fff9}-\x{fffb}\x{fdd0}-\x{fdef}\x{e0000}-\x{e007f}';
    my $noncharacters = join '', map { sprintf '\x{%xfffe}\x{%xffff}', $_, $_ } 0 .. 16;
    qr/[$ranges$noncharacters]/;
};

my %SHORT_NAME = ("\t" => '\t', "\n" => '\n', "\r" => '\r');

# Takes bytes (or characters, or undef). Returns one line of valid UTF-8 without trailing blanks. Every invisible
# character is written as an escape.
sub clean {
    my ($text) = @_;
    return '' if !defined $text;
    utf8::encode($text) if utf8::is_utf8($text);
    if ($text =~ /[^\x20-\x7e]/) {
        $text =~ s{((?:[\x00-\x7f]|$MULTIBYTE){1,1000})|(.)}
                  {defined $1 ? _visible($1) : sprintf '\\x%02x', ord $2}gesx;
    }
    $text =~ s/[ ]+\z//;
    return $text;
}

# Takes bytes (or characters, or undef). Returns the part of them that a message quotes, cleaned: at most the first 60
# bytes, or the first 30 if most of them have to be escaped.
sub shown {
    my ($text) = @_;
    $text = '' if !defined $text;
    utf8::encode($text) if utf8::is_utf8($text);
    my $whole = length $text <= SHOWN_MAX ? clean($text) : undef;
    return $whole if defined $whole && length $whole <= ESCAPED_MAX;
    my @starts = map { clean(beginning(substr $text, 0, $_)) } SHOWN_MAX, ODD_MAX;
    return (length $starts[0] <= ESCAPED_MAX ? $starts[0] : $starts[1]) . '...';
}

# Takes a text as clean() does, and a number of bytes. Returns the cleaned text, cut to that length. The dots are in the
# middle, because the start and the end of a path both matter.
sub cut {
    my ($text, $most) = @_;
    my $whole = clean($text);
    return $whole if length $whole <= $most;
    my $half  = int(($most - length DOTS) / 2);
    my $start = beginning(substr $whole, 0, $half);
    my $end   = substr($whole, -$half) =~ s/\A[\x80-\xbf]+//r;
    return $start . DOTS . $end;
}

# Takes a number of bytes, and forms of a text, the fullest first; returns the first one that is short enough, or the
# last one without its last clauses, in parentheses or after a comma; it is cut if that does not help.
sub fitted {
    my ($most, @forms) = @_;
    my ($short) = grep { length $_ <= $most } map { clean($_) } @forms;
    return $short if defined $short;
    my $last    = $forms[-1] // q{};
    my $clauses = clean($last);
    1 while length $clauses > $most && $clauses =~ s/(?<=.)(?: [(][^()]*[)]|, [^,()]*)\z//;
    return cut(length $clauses > $most ? $last : $clauses, $most);
}

# Takes a text; returns it, and the same with fewer and fewer of its phrases.
sub shorter {
    my ($text)  = @_;
    my @phrases = split /; /, $text;
    return map { join '; ', @phrases[0 .. $_] } reverse 0 .. $#phrases;
}

# Takes bytes that may end within a character of UTF-8. Returns them without that last, incomplete character.
sub beginning {
    my ($bytes) = @_;
    return $bytes =~ s/[\xc0-\xff][\x80-\xbf]*\z//r;
}

# Takes bytes (or characters). Returns them with every invisible character, except newline and tab, written as an
# escape, so that they cannot control a terminal.
sub disarmed {
    my ($text) = @_;
    utf8::encode($text) if utf8::is_utf8($text);
    return $text if $text !~ /[^\x09\x0a\x20-\x7e]/;
    $text =~ s{((?:[\x00-\x7f]|$MULTIBYTE){1,1000})|([\x80-\x9f])}
              {defined $1 ? _visible($1, qr/[\t\n]/) : sprintf '\\x%02x', ord $2}gex;
    return $text;
}

# Takes UTF-8, and perhaps a pattern for the invisible characters that stay.
sub _visible {
    my ($utf8, $stays) = @_;
    $stays ||= qr/(?!)/;
    utf8::decode($utf8);
    $utf8 =~ s/(?!$stays)($INVISIBLE)/_escape($1)/ge;
    utf8::encode($utf8);
    return $utf8;
}

sub _escape {
    my ($character) = @_;
    return $SHORT_NAME{$character} if $SHORT_NAME{$character};
    return sprintf ord $character < 0x80 ? '\x%02x' : '\x{%x}', ord $character;
}

# Takes a text, and phrases that scripts search reports for. Returns the text with the last character of each such
# phrase written as an escape.
sub defused {
    my ($text, @phrases) = @_;
    for my $phrase (@phrases) {
        my $harmless = substr($phrase, 0, -1) . sprintf '\\x%02x', ord substr $phrase, -1;
        $text =~ s/\Q$phrase\E/$harmless/g;
    }
    return $text;
}

# Takes a number and the words for one and for several things. Returns "1 copy" or "4 copies".
sub counted {
    my ($number, $one, $several) = @_;
    return "$number " . ($number == 1 ? $one : $several);
}

# Takes a number of copies, or undef if a text report does not say it; returns it in words.
sub copies_text {
    my ($copies) = @_;
    return defined $copies ? counted($copies, 'copy', 'copies') : 'unknown number of copies';
}

# Takes texts; returns each different one once, in the order of appearance.
sub unique {
    my (@texts) = @_;
    my %seen;
    return grep { !$seen{$_}++ } @texts;
}

# Takes names. Returns them as part of a sentence: "none", "A", "A and B", "A, B and C". If there are more than three
# names, it returns the first three and the number of the others: "A, B, C and 2 others".
sub listed {
    my (@names) = @_;
    my @others  = splice @names, @names > LISTED_MAX ? LISTED_MAX : @names;
    push @names, counted(scalar @others, 'other', 'others') if @others;
    my $last = pop @names // return 'none';
    return @names ? join(', ', @names) . " and $last" : $last;
}

# Takes a misspelt name and the known ones; returns the only one that begins with it, or else the most similar of these,
# the first of several, or undef if none is. One letter in three may differ, in a short name one letter, but not all
# letters. The difference is Damerau's (1964): letters that are added, removed, replaced, exchanged with the next one.
sub nearest {
    my ($wrong, @known) = @_;
    return if length $wrong > SIMILAR_MAX || !@known;
    my @longer = length $wrong >= CHARACTERS_FOR_EACH_ERROR ? grep { /\A\Q$wrong\E/i } unique(@known) : ();
    return $longer[0] if @longer == 1;
    my @distances  = map { _distance(lc $wrong, lc $_) } @known;
    my ($best)     = sort { $distances[$a] <=> $distances[$b] || $a <=> $b } 0 .. $#known;
    my $most       = List::Util::max(1, length($wrong) / CHARACTERS_FOR_EACH_ERROR);
    my $is_similar = $distances[$best] <= $most && $distances[$best] < length $wrong;
    return $is_similar ? $known[$best] : undef;
}

sub _distance {
    my ($from, $to) = @_;
    my @from = split //, $from;
    my @to   = split //, $to;
    my ($before, $row) = (undef, [0 .. @to]);
    for my $i (0 .. $#from) {
        my @next = ($i + 1);
        for my $j (0 .. $#to) {
            my $replaced = $row->[$j] + ($from[$i] eq $to[$j] ? 0 : 1);
            $next[$j + 1] = List::Util::min($row->[$j + 1] + 1, $next[$j] + 1, $replaced);
            next if !$before || !$j || $from[$i] ne $to[$j - 1] || $from[$i - 1] ne $to[$j];
            $next[$j + 1] = List::Util::min($next[$j + 1], $before->[$j - 1] + 1);
        }
        ($before, $row) = ($row, \@next);
    }
    return $row->[-1];
}

# Digits, and digits with a fraction, without a sign or an exponent. A longer number may not be exact.
use constant NATURAL => qr/\A[0-9]{1,15}\z/;
use constant DECIMAL => qr/\A[0-9]{1,15}(?:[.][0-9]{1,12})?\z/;

use constant MANY  => 1e6;
use constant PLAIN => [-5, 14];    # exponents of ten between which numbers are written without an exponent

# Takes a number. Returns it with one decimal.
sub fixed {
    my ($value) = @_;
    return sprintf '%.1f', $value;
}

# Takes a number. Returns it in a few characters, such as "0.98", "5000" or "1e7".
sub short_number {
    my ($value) = @_;
    my $text    = sprintf $value < MANY ? '%.6g' : '%.3g', $value;
    return $text =~ s/e[+]?(-?)0*/e$1/r;
}

# Takes a number, at least 0, and a number of significant digits. Returns the number rounded to these digits, without an
# exponent from 1e-5 to 1e14.
sub significant {
    my ($value, $digits) = @_;
    return '0' if $value == 0;
    my ($exponent) = sprintf('%.*e', $digits - 1, $value) =~ /e([-+][0-9]+)\z/;
    return sprintf '%.*g', $digits, $value if $exponent < PLAIN->[0] || $exponent > PLAIN->[1];
    my $decimals = $digits - 1 - $exponent;
    return sprintf '%.*f', $decimals > 0 ? $decimals : 0, $value;
}

# Takes a number. Returns it with 15 significant digits.
sub full_precision {
    my ($value) = @_;
    return sprintf '%.15g', $value;
}

# Takes a fraction of 1 and a number of significant digits, by default 2. Returns it as text in percent.
sub percent {
    my ($part, $digits) = @_;
    $digits ||= 2;
    my $percent = 100 * $part;
    my $text    = sprintf "%.${digits}g", $percent;
    return ($text =~ /e\+/ ? sprintf '%.0f', $percent : $text) . ' %';
}

# Takes a text in percent, or an empty one. Returns it as half of an interval, such as "+-1.4 %", or the empty text.
sub plus_minus {
    my ($text) = @_;
    return length $text ? "+-$text" : q{};
}

# Returns a text in which the digits of large numbers are in groups of three: 48,194,208.
sub grouped {
    my ($text) = @_;
    return $text =~ s{(?<![\w.])([0-9]{5,})(?!\w)}{scalar reverse join q{,}, reverse($1) =~ /([0-9]{1,3})/g}ger;
}

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
