package UnixBench::Base::Format;

# Texts, numbers and times in the form that people read, safe to print on a terminal.

use strict;
use warnings;

use Config qw(%Config);
use Exporter 'import';

our @EXPORT_OK =
    qw(clean clock_time counted cut defused disarmed english_date fixed full_precision grouped iso_time listed
    percent percent_fixed plus_minus right_edge shown short_number significant $MULTIBYTE);

use constant { SHOWN_MAX => 60, ODD_MAX => 30, ESCAPED_MAX => 120, LISTED_MAX => 3, MANY => 1e6 };
use constant DOTS  => '...';
use constant PLAIN => [-5, 14];    # exponents of ten between which numbers are written without an exponent

my @DAYS   = qw(Sun Mon Tue Wed Thu Fri Sat);
my @MONTHS = qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec);

# A character of UTF-8 that is not ASCII, as bytes; Unicode 15, table 3-7.
our $MULTIBYTE = qr{
      [\xc2-\xdf] [\x80-\xbf]
    | (?! \xe0 [\x80-\x9f] | \xed [\xa0-\xbf]) [\xe0-\xef] [\x80-\xbf]{2}
    | (?! \xf0 [\x80-\x8f] | \xf4 [\x90-\xbf]) [\xf0-\xf4] [\x80-\xbf]{3}
}x;

# Control characters, invisible and direction-changing characters, line separators, noncharacters.
my $INVISIBLE = do {
    my $ranges = '\x{00}-\x{1f}\x{7f}-\x{9f}\x{ad}\x{61c}\x{180e}\x{200b}-\x{200f}\x{2028}-\x{202e}'
        . '\x{2060}-\x{206f}\x{feff}\x{fff9}-\x{fffb}\x{fdd0}-\x{fdef}\x{e0000}-\x{e007f}';
    my $noncharacters = join '', map { sprintf '\x{%xfffe}\x{%xffff}', $_, $_ } 0 .. 16;
    qr/[$ranges$noncharacters]/;
};

my @SIGNALS = split q{ }, $Config{sig_name};

my %SHORT_NAME = ("\t" => '\t', "\n" => '\n', "\r" => '\r');

# Takes a wait status. Returns how the process ended: "killed by SIGSEGV", "exit status 3", or undef for success.
sub ending {
    my ($status) = @_;
    my ($signal, $exit) = ($status & 127, $status >> 8);
    return 'killed by SIG' . ($SIGNALS[$signal] || $signal) if $signal;
    return $exit ? "exit status $exit" : undef;
}

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
    my @starts = map { clean(substr($text, 0, $_) =~ s/[\xc0-\xff][\x80-\xbf]*\z//r) } SHOWN_MAX, ODD_MAX;
    return (length $starts[0] <= ESCAPED_MAX ? $starts[0] : $starts[1]) . '...';
}

# Takes a text as clean() does, and a number of bytes. Returns the cleaned text, cut to that length. The dots are in the
# middle, because the start and the end of a path both matter.
sub cut {
    my ($text, $most) = @_;
    my $whole = clean($text);
    return $whole if length $whole <= $most;
    my $half  = int(($most - length DOTS) / 2);
    my $start = substr($whole, 0, $half) =~ s/[\xc0-\xff][\x80-\xbf]*\z//r;
    my $end   = substr($whole, -$half) =~ s/\A[\x80-\xbf]+//r;
    return $start . DOTS . $end;
}

# Takes bytes (or characters). Returns them with every control character, except newline and tab, written as an escape,
# so that they cannot control a terminal.
sub disarmed {
    my ($text) = @_;
    utf8::encode($text) if utf8::is_utf8($text);
    return $text if $text !~ /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
    $text =~ s{\xc2([\x80-\x9f])|($MULTIBYTE)|([\x00-\x08\x0b-\x1f\x7f-\x9f])}
              {defined $2 ? $2 : sprintf defined $1 ? '\\x{%x}' : '\\x%02x', ord($1 // $3)}gex;
    return $text;
}

sub _visible {
    my ($utf8) = @_;
    utf8::decode($utf8);
    $utf8 =~ s/($INVISIBLE)/_escape($1)/ge;
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

# Takes a line, a text and a column. Returns the line with the text appended so that it ends in that column. At least
# two blanks separate them, even if the text then ends further right.
sub right_edge {
    my ($line, $text, $column) = @_;
    my $blanks = $column - length($line) - length $text;
    return $line . ' ' x ($blanks < 2 ? 2 : $blanks) . $text;
}

# Takes a time, and the offset of a time zone from UTC, both in seconds. Returns the date in that zone in English, such
# as "Fri Nov 20 2026".
sub english_date {
    my ($time, $utc_offset_s) = @_;
    my ($day, $month, $year, $weekday) = (gmtime $time + $utc_offset_s)[3 .. 6];
    return sprintf '%s %s %02d %d', $DAYS[$weekday], $MONTHS[$month], $day, $year + 1900;
}

# Takes the same. Returns the time of day in that zone, such as "02:12:30".
sub clock_time {
    my ($time, $utc_offset_s) = @_;
    return sprintf '%02d:%02d:%02d', (gmtime $time + $utc_offset_s)[2, 1, 0];
}

# Takes the same. Returns the date and the time, such as "2026-11-20T02:12:30+00:00" (ISO 8601).
sub iso_time {
    my ($time, $utc_offset_s) = @_;
    my ($second, $minute, $hour, $day, $month, $year) = gmtime $time + $utc_offset_s;
    my $ahead_min = abs $utc_offset_s / 60;
    return sprintf '%d-%02d-%02dT%02d:%02d:%02d%s%02d:%02d', $year + 1900, $month + 1, $day, $hour, $minute, $second,
        $utc_offset_s < 0 ? q{-} : q{+}, int $ahead_min / 60, $ahead_min % 60;
}

# Takes a number and the words for one and for several things. Returns "1 copy" or "4 copies".
sub counted {
    my ($number, $one, $several) = @_;
    return "$number " . ($number == 1 ? $one : $several);
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

# Takes a fraction of 1 and a number of significant digits, by default 2. Returns it as text in percent.
sub percent {
    my ($part, $digits) = @_;
    $digits ||= 2;
    my $percent = 100 * $part;
    my $text    = sprintf "%.${digits}g", $percent;
    return ($text =~ /e\+/ ? sprintf '%.0f', $percent : $text) . ' %';
}

# Takes a fraction of 1, a number of decimals, and perhaps "+" for a sign in any case. Returns it as text in percent
# with that many decimals, such as "1.4 %".
sub percent_fixed {
    my ($part, $decimals, $sign) = @_;
    return sprintf q{%} . ($sign // q{}) . '.*f %%', $decimals, 100 * $part;
}

# Takes a text in percent, or an empty one. Returns it as half of an interval, such as "+-1.4 %", or the empty text.
sub plus_minus {
    my ($text) = @_;
    return length $text ? "+-$text" : q{};
}

# Returns a text in which the digits of large numbers are in groups of three: 48,194,208.
sub grouped {
    my ($text) = @_;
    return $text =~ s{(?<![\w.])([0-9]{5,})(?!\w)}{_thousands($1)}ger;
}

sub _thousands {
    my ($digits) = @_;
    return scalar reverse join q{,}, reverse($digits) =~ /([0-9]{1,3})/g;
}

1;
