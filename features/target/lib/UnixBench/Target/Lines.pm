package UnixBench::Target::Lines;

# Finds the lines of logs of pgms/measure.sh in a text, which may have come over a console:
#
#   UB|MARK|NUMBER|LENGTH|KIND|...|CHECK|.
#
# The mark is that of one measurement, and LENGTH is the number of characters of KIND|... CHECK is the CRC of all text
# between "UB|" and itself, or this text once more. The text of a line may look like lines: a variable or a program
# may contain anything. So only the first one in a line of the file counts.

use strict;
use warnings;

use constant LINE_MAX => 16_384;    # bytes of a line

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

# Takes a reference to a text; returns the logs in it, by their first lines: { number => [kind, the rest of the line]
# } of the lines with a right check.
sub logs_in {
    my ($text) = @_;
    my ($from, @logs, %log_of) = (0);
    while (($from = index $$text, 'UB|', $from) >= 0) {
        my $begin = 1 + rindex $$text, "\n", $from;
        $from = index $$text, "\n", $from;
        $from = length $$text if $from < 0;
        my ($mark, $number, @line) = _line_in(substr $$text, $begin, $from - $begin) or next;
        push @logs, $log_of{$mark} = {} if !$log_of{$mark};
        $log_of{$mark}{$number} //= \@line;
    }
    return @logs;
}

sub _line_in {
    my ($line) = @_;
    $line =~ s/$SEQUENCE//g;
    $line =~ tr/\x00-\x09\x0b-\x1f\x7f//d;
    my ($mark, $number, $length, $kind) = $line =~ $BEGIN or return;
    my ($from, $text_at, $rest_at) = ($-[0] + length 'UB|', $-[4], $+[4] + 1);
    my $text_end = $text_at + $length;
    return if $length > LINE_MAX || $text_end > length $line;
    my $text    = substr $line, $from, $text_end - $from;
    my $end     = substr $line, $text_end;
    my ($check) = $end =~ /\A[|]([0-9]{1,10})[|][.]/;
    return if index($end, "|$text|.") != 0 && (!defined $check || crc($text) != $check);
    return ($mark, 0 + $number, $kind, substr $line, $rest_at, $text_end - $rest_at);
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
