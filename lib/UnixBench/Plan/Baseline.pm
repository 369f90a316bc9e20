package UnixBench::Plan::Baseline;

# A parser for index.base, which has the scores of the machine with which all others are compared.

use strict;
use warnings;

use UnixBench::Base::Files ();
use UnixBench::Base::Text  qw(shown);

use constant LIMIT_MB => 1;

# The official scores: those of "George", a SPARCstation 20-61, which has had the index 10.0 since 1995; the reference
# for graphics; and two further entries.
my %OFFICIAL_SCORE = (
    'dhry2reg'         => 116700,
    'whetstone-double' => 55.0,
    'execl'            => 43.0,
    'fstime'           => 3960,
    'fsbuffer'         => 1655,
    'fsdisk'           => 5800,
    'pipe'             => 12440,
    'context1'         => 4000,
    'spawn'            => 126,
    'shell8'           => 6,
    'shell1'           => 42.4,
    'syscall'          => 15000,
    'ubgears'          => 33.4,
    (map { ("2d-$_" => 15) } qw(rects ellipse aashapes text blit window)),
    'grep'    => 1,
    'sysexec' => 25,
);

# Takes the directory of the programs; returns the parsed index.base. If it can't be read, returns an empty one, and the
# reason, one line without its end.
sub of_directory {
    my ($bindir) = @_;
    my $baseline = eval {
        parse(UnixBench::Base::Files::text_within("$bindir/index.base", sub { LIMIT_MB }));
    };
    return $baseline || ({}, $@ =~ s/\n\z//r);
}

# Takes the text of index.base. Returns { NAME => { score, unit, seconds, iterations } }; a later line replaces an
# earlier one of the same name. Dies with "index.base line N: ..." on a broken line.
sub parse {
    my ($text) = @_;
    my (%baseline, $number);
    for my $line (split /\n/, $text) {
        $number++;
        $line =~ s/#.*|\r\z//;
        next if $line !~ /\S/;
        my ($name, $entry) = eval { _entry($line) };
        die "index.base line $number: $@" if !$entry;
        $baseline{$name} = $entry;
    }
    return \%baseline;
}

sub _entry {
    my ($line) = @_;
    my ($name, $seconds, $unit, undef, $score, $iterations) = map { _trimmed($_) } split /[|]/, $line, -1;
    die "expected test|seconds|unit|sum|score|iterations\n" if !defined $score;
    die "\"" . shown($name) . "\" is not a test\n" if $name !~ /\A[\w.-]+\z/;
    die 'the score of ' . shown($name) . ', "' . shown($score) . "\", is not a number above 0\n"
        if $score !~ /\A(?:[0-9]{1,18}(?:[.][0-9]{0,18})?|[.][0-9]{1,18})\z/ || $score <= 0;
    return ($name, { score => $score + 0, unit => $unit, seconds => $seconds, iterations => $iterations });
}

sub _trimmed {
    my ($text) = @_;
    $text =~ s/\A\s+|\s+\z//g;
    return $text;
}

# Takes a parsed baseline. Returns whether it has exactly the official tests and scores.
sub is_official {
    my ($baseline) = @_;
    return 0 if keys %{$baseline} != keys %OFFICIAL_SCORE;
    for my $name (keys %OFFICIAL_SCORE) {
        my $entry = $baseline->{$name};
        return 0 if !$entry || $entry->{score} != $OFFICIAL_SCORE{$name};
    }
    return 1;
}

# Takes the name of a test and its score in a baseline. Returns whether this is the official one. A test without an
# official score may have any.
sub is_official_score {
    my ($name, $score) = @_;
    my $official = $OFFICIAL_SCORE{$name};
    return !defined $official || $score == $official;
}

1;
