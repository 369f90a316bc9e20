package ChildrenUsage;

# What the children of this process have used that have ended and were waited for, with their own children: getrusage(2)
# of Linux, which Perl has no function for.

use strict;
use warnings;

use Config qw(%Config);
use Exporter 'import';

our @EXPORT_OK = qw(children_usage);

use constant { CHILDREN => -1, LONGS => 18, US_IN_S => 1e6 };

# The number of the system call, which differs between architectures.
my @CALLS = (
    [qr/\Ax86_64(?!.*x32)/                            => 98],
    [qr/\A(?:aarch64|riscv(?:32|64)|loongarch)/       => 165],
    [qr/\A(?:i[3-6]86|arm|s390x?\b|m68k|powerpc|ppc)/ => 77],
);
my ($CALL) = map { $_->[1] } grep { $^O eq 'linux' && $Config{archname} =~ $_->[0] } @CALLS;

# Returns { cpu_us, faults, switches, forced }: CPU time in microseconds, minor page faults, voluntary and other context
# switches. Returns undef on a system whose call is not known.
sub children_usage {
    return if !$CALL;
    my $usage = pack 'l!' . LONGS, (0) x LONGS;
    syscall($CALL, CHILDREN, $usage) == 0 or die "getrusage: $!\n";
    my ($user_s, $user_us, $kernel_s, $kernel_us, @counts) = unpack 'l!' . LONGS, $usage;
    my ($faults, $switches, $forced) = @counts[4, -2, -1];
    my $cpu_us = ($user_s + $kernel_s) * US_IN_S + $user_us + $kernel_us;
    return { cpu_us => $cpu_us, faults => $faults, switches => $switches, forced => $forced };
}

1;
