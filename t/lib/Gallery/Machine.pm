package Gallery::Machine;

# Machines about which every fact is known.

use strict;
use warnings;

use Exporter 'import';

use Fixture qw(host);

our @EXPORT_OK = qw(facts large_host);

my @FLAGS = qw(
    fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr sse sse2 ht syscall nx
    mmxext fxsr_opt pdpe1gb rdtscp lm constant_tsc rep_good nopl svm avx avx2 avx512f
);

# Takes a number of CPUs; returns a host with that number of CPUs, of two models.
sub large_host {
    my ($count) = @_;
    my %fast    = (model => 'AMD EPYC 9754 128-Core Processor',              bogomips => '4493.2', flags => \@FLAGS);
    my %slow    = (model => 'Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz', bogomips => '5400.0', flags => \@FLAGS);
    my @cpus    = map { { id => $_, $_ % 64 < 48 ? %fast : %slow } } 0 .. $count - 1;
    return host(name => "node-$count.cluster", cpus => \@cpus, graphics => 'NVIDIA H200/PCIe/SSE2');
}

# Returns facts about a machine; none is missing.
sub facts {
    return {
        kernel         => _kernel(),
        cpu            => _cpu(),
        memory         => _memory(),
        cgroup         => { cpus => 3.5, cpuset => '0-3,8-11', memory_kb => 8e6, processes => 4096 },
        virtualization => { hypervisor => 'kvm', container => 'docker' },
        scratch        => _scratch(),
        tools          => _tools(),
        programs       => { map { $_ => sprintf('%08x', 7919 * length) x 8 } qw(dhry2reg pipe spawn syscall) },
        load           => [0.82, 0.4, 0.1],
        suite          => { git_revision => '0123456789ab' x 3 . 'cdef' },
    };
}

sub _kernel {
    my %mitigations = (
        spectre_v2 => 'Mitigation: Retpolines; IBPB: conditional; STIBP: disabled; RSB filling; BHI: Retpoline',
        meltdown   => 'Not affected',
        spec_rstack_overflow => 'Vulnerable: Safe RET, no microcode',
    );
    return {
        command_line =>
            'BOOT_IMAGE=/boot/vmlinuz-6.18.44 root=UUID=0a1b2c3d-0000-4000-8000-0123456789ab ro quiet nosmt',
        preemption   => 'dynamic',
        clock_source => 'kvm-clock',
        hz           => 250,
        mitigations  => \%mitigations,
        debug        => [qw(PROVE_LOCKING KASAN)],
    };
}

sub _cpu {
    my @caches = (['Data', 1, 32, 64], ['Instruction', 1, 32, 64], ['Unified', 2, 1024, 64], ['Unified', 3, 32_768, 8]);
    return {
        models     => [{ model => 'AMD EPYC 9754 128-Core Processor', count => 96 }, { model => undef, count => 32 }],
        sockets    => 2,
        cores      => 64,
        threads    => 128,
        numa_nodes => 2,
        smt        => 'on',
        microcode  => '0xaa00215',
        governor   => 'powersave',
        driver     => 'acpi-cpufreq',
        turbo      => 'on',
        caches     => [map { my %c; @c{qw(type level size_kb count)} = @$_; \%c } @caches],
        frequency  => { min_mhz => 400, max_mhz => 3100.5 },
    };
}

sub _memory {
    my %huge = (transparent => 'madvise', count => 512, size_kb => 2048);
    return { total_kb => 24_684_092, swap_kb => 8_388_608, huge_pages => \%huge };
}

sub _scratch {
    return {
        file_system   => 'tmpfs',
        device        => '/dev/mapper/vg0-scratch--with--a--rather--long--name',
        mount_point   => '/srv/scratch disk',
        mount_options =>
            'rw,nosuid,nodev,noatime,size=12342044k,nr_inodes=3085511,inode64,discard=async,space_cache=v2',
    };
}

sub _tools {
    return {
        sh   => 'dash 0.5.12-2',
        sort => 'sort (GNU coreutils) 9.1',
        grep => 'grep (GNU grep) 3.8',
        libc => 'glibc 2.36 (Debian GLIBC 2.36-9+deb12u14)',
        perl => 'perl 5.36.0',
    };
}

1;
