package FaultTable;

# Tables in documents whose rows name the tests that prove them.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use Tree qw(text_of);

our @EXPORT_OK = qw(is_there rows);

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
    like(text_of($file),                                qr/["'](?:[^"'\n]* )?\Q$name\E/, "$file has \"$name\"");
    like(text_of($file) . text_of('t/lib/Failures.pm'), qr/[[\s'"]\Q$case\E\b/, "$file or Failures.pm has \"$case\"")
        if length($case // q{});
    return;
}

1;
