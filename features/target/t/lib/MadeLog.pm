package MadeLog;

# Makes logs of measure.sh with right numbers and checks.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Target::Lines ();

our @EXPORT_OK = qw(doubled lines_of log_of raw_line);

use constant MARK => 'm0123456789ab';

# Takes the text of a log; returns its lines, "KIND|...". The number of the first line of a pass, and that of the last
# line, become "*".
sub lines_of {
    my ($text) = @_;
    my @lines = $text =~ /^UB[|]\w+[|][0-9]+[|][0-9]+[|](.*)[|][0-9]+[|][.]$/gm;
    return map { s/\A(?:done|end)[|](?:.*[|])?\K[0-9]+\z/*/r } @lines;
}

# Takes lines as lines_of() returns them; returns the text of the log.
sub log_of {
    my (@lines) = @_;
    my ($number, $first, $text) = (0, 0, q{});
    for my $given (@lines) {
        my $line = $given;
        $number++;
        $first = $number if $line =~ /\Apass[|]/;
        $line =~ s/\Adone[|].*[|]\K[*]\z/$first/;
        $line =~ s/\Aend[|]\K[*]\z/$number/;
        $text .= raw_line($number, $line);
    }
    return $text;
}

# Takes the text of a log; returns it as measure.sh prints it where there is no cksum.
sub doubled {
    my ($text) = @_;
    return $text =~ s/^UB[|](.*)[|][0-9]+[|][.]$/UB|$1|$1|./gmr;
}

# Takes a number, a text and perhaps the mark of the log; returns the line with its check.
sub raw_line {
    my ($number, $line, $mark) = @_;
    my $checked = join q{|}, $mark // MARK, $number, length $line, $line;
    return "UB|$checked|" . UnixBench::Target::Lines::crc($checked) . "|.\n";
}

1;
