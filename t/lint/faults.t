use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(text_of);

# Takes the path of a document, a heading, and a pattern for the first cell of the table's head; returns the rows of the
# table below that heading.
sub rows {
    my ($document, $heading, $first) = @_;
    my ($text) = text_of($document) =~ /^\Q$heading\E\n(.*?)(?:^## |\z)/ms or die "$document has no $heading\n";
    return map { [split /\s*(?<!\\)[|]\s*/] } grep { /^[|] (?!$first [|]|-)/ } split /\n/, $text;
}

# Takes what a row is about, the cell that names its test, and a pattern for what follows the file: a name, and perhaps
# a case. Tests that they exist.
sub is_there {
    my ($what, $proof, $form) = @_;
    my ($file, $name,  $case) = ($proof // q{}) =~ /\A`([\w\/-]+[.]t)`: $form\z/;
    return if !ok(defined $file && -e $file, "$what: the row names a file");
    like(text_of($file), qr/["'](?:[^"'\n]* )?\Q$name\E/, "$file has \"$name\"");
    like(text_of($file), qr/[[\s'"]\Q$case\E\b/,          "$file has \"$case\"")
        if length($case // q{});
    return;
}

# Checks the tables of faults: every row names an existing test, as `FILE`: NAME or `FILE`: NAME: CASE. If a name is
# built while the test runs, the row has its constant part.

my @faults = rows('t/run/README.md', '# Faults', qr/fault/);
push @faults,
    map { rows($_, '## Faults', qr/fault/) } grep { text_of($_) =~ /^## Faults$/m } glob 'features/*/README.md';
cmp_ok(scalar @faults, '>=', 40, 'the table has at least forty faults');
for my $row (@faults) {
    my (undef, $fault, $seen, $status, $proof) = @$row;
    like($status, qr/\A(?:[0-4]|12[58]|the signal)\z/, "$fault: the exit status is from 0 to 4 or \"the signal\"");
    is_there($fault, $proof, qr/([^:]+)(?:: (.+))?/);
}

done_testing;
