use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(text);

# The tables of faults and of the defects of interbench 0.31: every row names a test that is there, `FILE`: NAME or
# `FILE`: NAME: CASE. Of a name that is made while the test runs the constant part stands there.

my @faults = rows('t/run/README.md', '# Faults', qr/fault/);
cmp_ok(scalar @faults, '>=', 40, 'at least forty faults');
for my $row (@faults) {
    my (undef, $fault, $seen, $status, $proof) = @$row;
    like($status, qr/\A(?:[0-4]|the signal)\z/, "$fault: $seen, exit status");
    is_there($fault, $proof, qr/([^:]+)(?:: (.+))?/);
}

my @defects = rows('t/interbench/README.md', '## Defects of interbench 0.31', qr/no[.]/);
is(join(q{ }, map { $_->[1] } @defects), join(q{ }, map { "D$_" } 1 .. 41), 'all defects');
is_there($_->[1], $_->[4], qr/(.+)()/) for @defects;

done_testing;

# The rows of the table below a heading of a document, without the head of the table.
sub rows {
    my ($document, $heading, $first) = @_;
    my ($text) = text($document) =~ /^\Q$heading\E\n(.*?)(?:^## |\z)/ms or die "$document has no $heading\n";
    return map { [split /\s*(?<!\\)[|]\s*/] } grep { /^[|] (?!$first [|]|-)/ } split /\n/, $text;
}

sub is_there {
    my ($what, $proof, $form) = @_;
    my ($file, $name,  $case) = ($proof // q{}) =~ /\A`(t\/[\w\/-]+[.]t)`: $form\z/;
    return if !ok(defined $file && -e $file, "$what: a test");
    like(text($file),                             qr/["'](?:[^"'\n]* )?\Q$name\E/, "$file has \"$name\"");
    like(text($file) . text('t/lib/Failures.pm'), qr/[[\s'"]\Q$case\E\b/, "and \"$case\"") if length($case // q{});
    return;
}
