use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

need_compiler();

my $program   = driver('calibration', qw(calibration limits proc random));
my $REFERENCE = 4_214_517;

sub calibrated {
    return map { split } said_by($program, @_);
}

# Loops per ms, the disturbance of the CPU, the least and most loops that may be found, whether it is unsteady.
my @MACHINES = (
    [4_000_000, 'steady',    3_999_999,  4_000_001,  0],
    [0.01,      'steady',    1,          1,          0],
    [4_000_000, 'ramp',      3_999_999,  4_000_001,  0],    # slow while it warms up
    [4_000_000, 'spikes',    3_999_999,  4_000_001,  0],    # each third batch twice as slow
    [4_000_000, 'shared',    3_999_999,  4_000_001,  1],    # three of five batches slower by half
    [4_000_000, 'stands',    $REFERENCE, $REFERENCE, 1],
    [4_000_000, 'backwards', $REFERENCE, $REFERENCE, 1],
);

for my $case (@MACHINES) {
    my ($speed, $what, $least, $most, $is_unsteady) = @$case;
    my %found = calibrated($speed, $what);
    my $name  = "$speed loops per ms, $what";
    ok($found{loops} >= $least && $found{loops} <= $most, "$name: $found{loops} loops are in the expected range");
    is($found{unsteady}, $is_unsteady, "$name: whether the calibration is unsteady");
    is(
        $found{spread} < 0   ? 'unknown' : $found{spread} > 0.05 ? 'wide' : 'narrow',
        $least == $REFERENCE ? 'unknown' : $is_unsteady          ? 'wide' : 'narrow',
        "$name: the spread, $found{spread}, is of the expected kind"
    );
    cmp_ok($found{burns}, '<=', 2000 + 5 * 21, "$name: the number of batches is bounded");
    cmp_ok($found{most},  '<=', 1_000_000_000, "$name: the size of batches is bounded");
}

my %steady = calibrated(4_000_000, 'steady');
is($steady{batch_ms}, '10.000', 'a batch takes 10 ms');
cmp_ok($steady{ms}, '>=', 300 + 21 * 10, 'batches begin after 300 ms of warm-up');

done_testing;
