use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Tree qw(text);

# DESIGN's table of faults: every row names a test that is there, `FILE`: NAME or `FILE`: NAME: CASE. Of a name that is
# made while the test runs the constant part stands there.

my ($table) = text('DESIGN.md') =~ /^## Faults\n(.*?)(?:^## |\z)/ms or die "DESIGN.md has no faults\n";
my @rows    = map { [split /\s*(?<!\\)[|]\s*/] } grep { /^[|] (?!fault [|])/ } split /\n/, $table;
cmp_ok(scalar @rows, '>=', 40, 'at least forty faults');

for my $row (@rows) {
    my (undef, $fault, $seen, $status, $proof) = @$row;
    like($status, qr/\A(?:[0-4]|the signal)\z/, "$fault: $seen, exit status");
    my ($file, $name, $case) = ($proof // q{}) =~ /\A`(t\/[\w-]+[.]t)`: ([^:]+)(?:: (.+))?\z/;
    next if !ok(defined $file && -e $file, "$fault: a test");
    like(text($file),                             qr/["'](?:[^"'\n]* )?\Q$name\E/, "$file has \"$name\"");
    like(text($file) . text('t/lib/Failures.pm'), qr/[[\s'"]\Q$case\E\b/,          "and \"$case\"") if defined $case;
}

done_testing;
