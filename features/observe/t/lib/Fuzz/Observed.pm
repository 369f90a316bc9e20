package Fuzz::Observed;

# Results with observed calls, for Fuzz::Result.

use strict;
use warnings;

use Fixture  qw(measured result run);
use Observed qw(by_strace observed observed_run observing unobserved with_rows);

# Takes the tests of a run of two copies: pipe, and others without a score. Returns results.
sub results {
    my (@tests)  = @_;
    my $pipe     = with_rows(by_strace(observed('pipe', 2)), 2);
    my %observed = (pipe => $pipe, spawn => unobserved('bpftrace', 'gone'), ubgears => undef);
    return (
        result([observed_run(run(2, @tests), %observed)],         observing => observing('strace', 'no root')),
        result([observed_run(run(1, measured('syscall', 1, 9)))], observing => observing('bpftrace')),
    );
}

# Returns the names of keys.
sub words { return qw(slowdown loops calls rows top from_ns returned total_ns max_ns) }

1;
