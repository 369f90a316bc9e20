use strict;
use warnings;

use File::Path qw(make_path);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use HostTree qw(host_tree);
use UnixBench::Host::KernelFiles;
use UnixBench::Observe::Bpftrace;

my $BTF          = '/sys/kernel/btf/vmlinux';
my $FILE_SYSTEMS = '/proc/filesystems';
my $PROCESSES    = '/proc/self/ns/pid';
my $EVENT        = '/sys/kernel/tracing/events/header_page';
my %FILES        = ($BTF => 'BTF', $FILE_SYSTEMS => "nodev\tsysfs\nnodev\ttracefs\n\text4\n", '/proc/self/stat' => q{});

# Takes files that differ, undef for a missing one, and properties of the machine (processes: its PID namespace).
# Returns why bpftrace can't be used there, or undef.
sub lacking {
    my ($files, %with) = @_;
    my %all  = (%FILES, %$files);
    my $tree = host_tree(map { defined $all{$_} ? ($_ => $all{$_}) : () } keys %all);
    make_path("$tree/proc/self/ns");
    symlink $with{processes} // 'pid:[4026531836]', "$tree$PROCESSES" or die "symlink: $!\n";
    return UnixBench::Observe::Bpftrace::lacking(
        files       => UnixBench::Host::KernelFiles->new(root => $tree),
        has_program => sub { $_[0] eq 'bpftrace' && !$with{is_missing} },
        euid        => $with{euid} // 0,
    );
}

is(lacking({}),                                        undef,                       'a machine that has everything');
is(lacking({ $EVENT => 'x', $FILE_SYSTEMS => undef }), undef,                       'a tracefs that is mounted');
is(lacking({}, is_missing => 1),                       'bpftrace is not installed', 'bpftrace is not installed');
is(lacking({}, euid => 1000),                          'bpftrace needs root',       'the user is not root');
is(
    lacking({ $BTF => undef }),
    'bpftrace needs BTF, which this kernel does not have: no /sys/kernel/btf/vmlinux',
    'a kernel without BTF'
);
is(
    lacking({ $FILE_SYSTEMS => "nodev\tsysfs\n\tnotracefs\n" }),
    'bpftrace needs tracefs, which this kernel does not have',
    'a kernel without tracefs'
);
is(
    lacking({}, processes => 'pid:[4026532177]'),
    'bpftrace needs the process numbers of the host, and this container has its own',
    'a container with its own process numbers'
);

done_testing;
