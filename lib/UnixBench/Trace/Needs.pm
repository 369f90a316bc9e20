package UnixBench::Trace::Needs;

# What bpftrace needs of this machine, as far as that can be seen without starting it.

use strict;
use warnings;

use constant {
    TRACEFS          => '/sys/kernel/tracing',
    PROCESSES_OF_ALL => 'pid:[4026531836]',      # PROC_PID_INIT_INO in the kernel's proc_ns.h
};

# Takes root => UnixBench::Host::KernelFiles, has_program => function that tells whether a program is in PATH, and euid;
# returns why bpftrace can't be used, in words, or undef.
sub lacking {
    my (%with) = @_;
    my ($root, $has_program) = @with{qw(root has_program)};
    return 'bpftrace is not installed' if !$has_program->('bpftrace');
    return 'bpftrace needs root' if $with{euid};
    return 'bpftrace needs BTF, which this kernel has not: no /sys/kernel/btf/vmlinux'
        if !grep { $_ eq 'vmlinux' } $root->names('/sys/kernel/btf');
    return 'bpftrace needs tracefs, which this kernel has not' if !has_tracefs($root) && !_knows_tracefs($root);
    return 'bpftrace needs the process numbers of the host, and this container has its own'
        if ($root->target('/proc/self/ns/pid') // PROCESSES_OF_ALL) ne PROCESSES_OF_ALL;
    return;
}

# Takes the same root; returns whether tracefs is mounted.
sub has_tracefs {
    my ($root) = @_;
    return scalar grep { $_ eq 'events' } $root->names(TRACEFS);
}

sub _knows_tracefs {
    my ($root) = @_;
    return ($root->text('/proc/filesystems') // q{}) =~ /\btracefs$/m;
}

1;
