package UnixBench::Target::Lines;

# Finds the lines of logs of pgms/measure.sh in a text, which may have come over a console:
#
#   UB|MARK|NUMBER|LENGTH|KIND|...|CHECK|.
#
# The mark is that of one measurement, and LENGTH is the number of characters of KIND|... CHECK is the CRC of all text
# between "UB|" and itself, or this text once more. The text of a line may look like lines: a variable or a program may
# contain anything. So the search goes on behind a line that was right, and never inside one, also if it is damaged. Its
# time and memory are proportional to the length of the text.

use strict;
use warnings;

use constant {
    LINE_MAX => 16_384,    # bytes of a line
    BARS     => 3,         # "|" before a line: with that number, they are the rest of a damaged line
};

# The CRC of cksum(1), as POSIX.1-2017 describes it: its polynomial, and the largest value.
use constant { POLYNOMIAL => 0x04c11db7, ALL_BITS => 0xffff_ffff, TOP_BIT => 0x8000_0000 };
my @CRC_OF = map { _crc_of_byte($_) } 0 .. 255;

# A sequence that controls a terminal (ECMA-48), and other control characters that a console may add.
my $SEQUENCE = qr/\e(?:\[[0-?]*+[ -\/]*+[@-~]|\][^\a\e]*+(?:\a|\e\\)|[ -\/]*+[0-Z\\^-~])/;

my $MARK   = qr/[a-z][a-z0-9]{7,15}/;
my $NUMBER = qr/[1-9][0-9]{0,8}/;
my $BEGIN  = qr/UB[|]($MARK)[|]($NUMBER)[|]([1-9][0-9]{0,4})[|]([a-z]+)[|]/;

# Takes a reference to a text; returns whether a line of it begins like one of such a log.
sub looks_like_log {
    my ($text) = @_;
    return $$text =~ /^UB[|]$MARK[|]$NUMBER[|]/m ? 1 : 0;
}

# Takes a reference to a text; returns the logs in it, by their first lines:
#   lines    { number => [kind, the rest of the line] } of the lines with a right check
#   differs  { number => 1 } of the lines that are there with several texts
sub logs_in {
    my ($text) = @_;
    my ($from, $state) = (0, { logs => [], log_of => {} });
    while (($from = index $$text, 'UB|', $from) >= 0) {
        my $begin = 1 + rindex $$text, "\n", $from;
        $from = index $$text, "\n", $from;
        $from = length $$text if $from < 0;
        _add($state, @$_) for _lines_in(substr $$text, $begin, $from - $begin);
    }
    return @{ $state->{logs} };
}

# Adds a line to its log.
sub _add {
    my ($state, $mark, $number, @line) = @_;
    my $log = $state->{log_of}{$mark};
    if (!$log) {
        $log = $state->{log_of}{$mark} = { lines => {}, differs => {} };
        push @{ $state->{logs} }, $log;
    }
    $log->{differs}{$number} = 1 if $log->{lines}{$number} && "@line" ne "@{ $log->{lines}{$number} }";
    $log->{lines}{$number} ||= \@line;
    return;
}

# Takes a line of the file. Returns [mark, number, kind, rest] of each line of a log in it. The search ends at something
# that looks like a line, but is wrong: what follows may be its text.
sub _lines_in {
    my ($line) = @_;
    $line =~ s/$SEQUENCE//g;
    $line =~ tr/\x00-\x09\x0b-\x1f\x7f//d;
    my ($at, @found) = (0);
    while ($line =~ /$BEGIN/g) {
        my ($mark, $number, $length, $kind) = ($1, $2, $3, $4);
        my %start = (from => $-[0] + length 'UB|', text => $-[4], length => $length);
        last if substr($line, $at, $-[0] - $at) =~ tr/|// >= BARS;
        my $end = _end(\$line, \%start);
        my ($text_end, $line_end) = $end ? @$end : last;
        push @found, [$mark, 0 + $number, $kind, substr $line, $+[4] + 1, $text_end - $+[4] - 1];
        pos($line) = $at = $line_end;
    }
    return @found;
}

# Takes a reference to a line of the file, and where a line of a log begins in it. Returns [the end of its text, the
# end of its check], or nothing if the check is wrong.
sub _end {
    my ($line, $start) = @_;
    my $text_end = $start->{text} + $start->{length};
    return if $start->{length} > LINE_MAX || $text_end > length $$line;
    my $text = substr $$line, $start->{from}, $text_end - $start->{from};
    return [$text_end, $text_end + 2 * length('|') + length("$text.")]
        if substr($$line, $text_end, length("$text||.")) eq "|$text|.";
    my ($check) = substr($$line, $text_end, length '|4294967295|.') =~ /\A[|]([0-9]{1,10})[|][.]/ or return;
    return if crc($text) != $check;
    return [$text_end, $text_end + length "|$check|."];
}

# Takes a text of bytes; returns the CRC that cksum prints for it.
sub crc {
    my ($text) = @_;
    my $crc    = 0;
    my $length = length $text;
    my @more;
    for (; $length; $length >>= 8) { push @more, $length & 255 }
    $crc = ($crc << 8 & ALL_BITS) ^ $CRC_OF[$crc >> 24 ^ $_] for unpack('C*', $text), @more;
    return $crc ^ ALL_BITS;
}

sub _crc_of_byte {
    my ($byte) = @_;
    my $crc = $byte << 24;
    $crc = $crc & TOP_BIT ? ($crc << 1 & ALL_BITS) ^ POLYNOMIAL : $crc << 1 for 1 .. 8;
    return $crc;
}

1;
