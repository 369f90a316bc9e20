package UnixBench::Plan::Baseline;

# A parser for index.base, which has the scores of the machine with which all others are compared.

use strict;
use warnings;

use UnixBench::Base::Files ();
use UnixBench::Base::Text  qw(shown);

use constant LIMIT_MB => 1;

# The official scores and their units: those of "George", a SPARCstation 20-61, which has had the index 10.0 since 1995;
# the reference for graphics; and two further entries.
my %OFFICIAL = (
    'dhry2reg'         => [116700, 'lps'],
    'whetstone-double' => [55.0,   'MWIPS'],
    'execl'            => [43.0,   'lps'],
    'fstime'           => [3960,   'KBps'],
    'fsbuffer'         => [1655,   'KBps'],
    'fsdisk'           => [5800,   'KBps'],
    'pipe'             => [12440,  'lps'],
    'context1'         => [4000,   'lps'],
    'spawn'            => [126,    'lps'],
    'shell8'           => [6,      'lpm'],
    'shell1'           => [42.4,   'lpm'],
    'syscall'          => [15000,  'lps'],
    'ubgears'          => [33.4,   'fps'],
    (map { ("2d-$_" => [15, 'score']) } qw(rects ellipse aashapes text blit window)),
    'grep'    => [1,  'lpm'],
    'sysexec' => [25, 'lps'],
);

# Takes the directory of the programs; returns the parsed index.base. If it can't be read, returns an empty one, and the
# reason, one line without its end.
sub of_directory {
    my ($bindir) = @_;
    my $baseline = eval { parse(UnixBench::Base::Files::text_within("$bindir/index.base", sub { LIMIT_MB })) };
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
    my ($name, $seconds, $unit, undef, $score, $iterations) = map { s/\A\s+|\s+\z//gr } split /[|]/, $line, -1;
    die "expected test|seconds|unit|sum|score|iterations\n" if !defined $score;
    die "\"" . shown($name) . "\" is not a test\n" if $name !~ /\A[\w.-]+\z/;
    die 'the score of ' . shown($name) . ', "' . shown($score) . "\", is not a number above 0\n"
        if $score !~ /\A(?:[0-9]{1,18}(?:[.][0-9]{0,18})?|[.][0-9]{1,18})\z/ || $score <= 0;
    return ($name, { score => $score + 0, unit => $unit, seconds => $seconds, iterations => $iterations });
}

# Takes a parsed baseline. Returns whether it has exactly the official tests and scores.
sub is_official {
    my ($baseline) = @_;
    return 0 if keys %{$baseline} != keys %OFFICIAL;
    for my $name (keys %OFFICIAL) {
        my $entry = $baseline->{$name};
        return 0 if !$entry || !is_official_score($name, $entry->{score});
    }
    return 1;
}

# Takes the name of a test and its score in a baseline. Returns whether this is the official one. A test without an
# official score may have any.
sub is_official_score {
    my ($name, $score) = @_;
    my $official = $OFFICIAL{$name};
    return !$official || $score == $official->[0];
}

# Takes the name of a test; returns the unit of its official score, or undef without one.
sub unit_of { my ($name) = @_; return ($OFFICIAL{$name} || [])->[1] }

1;
