package UnixBench::Report::CpuFlags;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(flag_names);

my %NAME = (
    cxmmx   => 'Cyrix MMX',
    ht      => 'Hyper-Threading',
    ia64    => 'IA-64 processor',
    lm      => 'x86-64',
    mmx     => 'MMX',
    mmxext  => 'AMD MMX',
    pae     => 'Physical Address Ext',
    sep     => 'SYSENTER/SYSEXIT',
    svm     => 'AMD virtualization',
    syscall => 'SYSCALL/SYSRET',
    vmx     => 'Intel virtualization',
    xmm     => 'Streaming SIMD',
);

# Takes the kernel's flags of a CPU in any order, returns the names of those that have one, in the order
# of the flags.
sub flag_names {
    my (@flags) = @_;
    my %has     = map { $_ => 1 } @flags;
    return map { $NAME{$_} } grep { $has{$_} } sort keys %NAME;
}

1;
