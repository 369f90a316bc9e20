use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use FaultTable qw(is_there rows);
use Tree       qw(text_of);

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
