package Fuzz::Baseline;

# Fuzzing of the parser of index.base, compared with a second parser.

use strict;
use warnings;

use Fuzz                      qw(attempt);
use Fuzz::Number              ();
use UnixBench::Plan::Baseline ();

sub samples {
    return (
        "# George\ndhry2reg|10|lps|116700|116700|2\nwhetstone-double|10|MWIPS|55.0|55.0|2\n",
        "pipe|10|lps|12440|12440|2 # comment\r\n\r\nshell1|60|lpm|42.4|42.4|1\r\n",
        "  a.b_c-d | 1 |lps| | .5 |\n\n\t\n#\n",
        "a|1|lps|1|1\na|1|lps|2|2|1\n2d-rects|3|score|15|15|1",
        '',
    );
}

sub words {
    return (qw(pipe dhry2reg 2d-text lps 12440 55.0 .5 0 -1 1e5 | | | | | a|1|l|1|1|1),
        '#', "\n", "\n", "\r\n", "\t", q{ });
}

sub refusal { return qr/\Aindex[.]base line [1-9][0-9]*: [^\n]+\n\z/ }

sub check {
    my (undef,     $input)   = @_;
    my ($baseline, $message) = attempt(sub { UnixBench::Plan::Baseline::parse($input) });
    my ($expected, $broken)  = _expected($input);
    my $refused = defined $message && $message =~ /line ([0-9]+):/ ? $1 : 0;
    die "line $refused is broken, not $broken\n" if $refused != $broken;
    return $message if defined $message;
    die 'names: ' . join(' ', sort keys %$baseline) . "\n"
        if join("\n", sort keys %$baseline) ne join "\n", sort keys %$expected;
    for my $name (keys %$expected) {
        my $score = $baseline->{$name}{score};
        die "$name has $score, not $expected->{$name}\n"
            if !($score > 0 && $score < 1e19) || !Fuzz::Number::is_near($score, $expected->{$name});
    }
    UnixBench::Plan::Baseline::is_official($baseline);
    return;
}

# Returns { name => score }, and the number of the first broken line, or 0.
sub _expected {
    my ($input) = @_;
    my ($number, %scores) = 0;
    for my $line (split /\n/, $input) {
        $number++;
        my $comment = index $line, '#';
        $line = substr $line, 0, $comment if $comment >= 0;
        next if !length _trimmed($line);
        my @fields = map { _trimmed($_) } split /[|]/, $line, -1;
        return (\%scores, $number) if @fields < 5 || !length $fields[0] || ($fields[0] =~ tr/A-Za-z0-9_.-//c);
        my $score = _score($fields[4]);
        return (\%scores, $number) if !$score;
        $scores{ $fields[0] } = $score;
    }
    return (\%scores, 0);
}

sub _score {
    my ($text) = @_;
    $text = "0$text" if substr($text, 0, 1) eq '.' && length $text > 1;
    return Fuzz::Number::value($text, 18, 18, 0);
}

sub _trimmed {
    my ($text) = @_;
    substr $text, 0, 1, '' while length $text && index(" \t\r\f\x0b", substr $text, 0, 1) >= 0;
    chop $text while length $text && index(" \t\r\f\x0b", substr $text, -1) >= 0;
    return $text;
}

1;
