use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Alive                          qw(is_alive);
use HostTree                       qw(host_tree);
use UnixBench::Base::Clock;
use UnixBench::Base::Files;
use UnixBench::Host::KernelFiles;
use UnixBench::Process::Process;
use UnixBench::Observe::Tracer;

my $SUMS = "$FindBin::Bin/data/syscalls/syscall-mix.json";

# Files of a machine on which bpftrace can be used, and of one on which it can't.
my $able = UnixBench::Host::KernelFiles->new(
    root => host_tree('/sys/kernel/btf/vmlinux' => 'BTF', '/sys/kernel/tracing/events/header_page' => 'x'));
my $unable = UnixBench::Host::KernelFiles->new(root => host_tree('/proc/filesystems' => "nodev\tsysfs\n"));

# Takes a function and options. Calls the function with what Tracer::find found among fake tracers, and with a process.
#   plays           what the fake bpftrace does
#   strace          whether strace is installed
#   files, start_s  arguments of find
# Tests that no process is left. Returns the value of the function, or its error.
sub with_tracer {
    my ($test, %with) = @_;
    my $place   = File::Temp->newdir;
    my $clock   = UnixBench::Base::Clock->new;
    my $process = UnixBench::Process::Process->new(clock => $clock);
    my %played  = (BPFTRACE_PLAYS => $with{plays}, BPFTRACE_STARTS => "$place/starts", BPFTRACE_SUMS => $SUMS);
    local @ENV{ 'PATH', keys %played } = ("$FindBin::Bin/bin/tracers:$ENV{PATH}", values %played);
    mkdir "$place/tracer";
    my $found = UnixBench::Observe::Tracer::find(
        process     => $process,
        clock       => $clock,
        dir         => "$place/tracer",
        has_program => sub { $_[0] eq 'bpftrace' || $with{strace} },
        files       => $with{files} || $able,
        euid        => 0,
        start_s     => $with{start_s} // 20,
    );
    my $said = eval { $test->($found, $process) } // $@;
    $found->{tracer}->give_up if $found->{tracer};
    my @pids = (UnixBench::Base::Files::content("$place/starts") // q{}) =~ /^([0-9]+) /mg;
    is_deeply([grep { is_alive($_) } @pids], [], 'no tracer is left');
    is_deeply([keys %{ $process->_groups }], [], 'no other process is left');
    $process->release;
    return $said;
}

# Takes what find has found, and a process; attaches the tracer for 0.2 s and returns what it has counted.
sub followed {
    my ($found, $process) = @_;
    $found->{tracer}->attach(processes => 1);
    $process->pause(0.2);
    return $found->{tracer}->detach;
}

subtest 'bpftrace is used if it works' => sub {
    my $traced = with_tracer(\&followed, plays => 'good');
    my %count  = map { $_->{name} => $_->{count} } @{ $traced->{calls} };
    is_deeply([@count{qw(getpid getuid)}], [1000, 1000], 'the counts of bpftrace are returned');
    is(with_tracer(sub { $_[0]{why_not} // 'none' }, plays => 'good'), 'none', 'there is no reason against it');
};

subtest 'a missing tracer has its reason' => sub {
    my $why_not = sub { $_[0]{why_not} };
    is(
        with_tracer($why_not, plays => 'refused'),
        'bpftrace: tracepoint not found: raw_syscalls:sys_enter; strace is not installed',
        'bpftrace gives the reason'
    );
    is(
        with_tracer($why_not, files => $unable),
        'bpftrace needs BTF, which this kernel does not have: no /sys/kernel/btf/vmlinux; strace is not installed',
        'the kernel is the reason'
    );
};

subtest 'bpftrace may fail in a pass' => sub {
    my %why = (
        'good killed'  => 'bpftrace: killed by SIGKILL',
        'good failed'  => 'bpftrace: Error looking up elem: -1',
        'good empty'   => 'bpftrace printed nothing',
        'good mute'    => 'bpftrace: it takes too long',
        'good refused' => 'bpftrace: tracepoint not found: raw_syscalls:sys_enter',
    );
    is(with_tracer(\&followed, plays => $_, start_s => 1), "$why{$_}\n", "the error of a bpftrace that is $_")
        for sort keys %why;
};

subtest 'strace is used if bpftrace does not work' => sub {
    my $place = File::Temp->newdir;
    my $name  = sub { "$_[0]{why_not}: " . ($_[0]{tracer} ? $_[0]{tracer}->name : 'none') };
    local $ENV{PATH} = "$FindBin::Bin/bin/tracers/strace-good:$ENV{PATH}";
    is(
        with_tracer($name, plays => 'refused', strace => 1),
        'bpftrace: tracepoint not found: raw_syscalls:sys_enter: strace',
        'the reason against bpftrace is given'
    );
    local $ENV{PATH} = "$FindBin::Bin/bin/tracers/strace-refused:$ENV{PATH}";
    is(
        with_tracer(sub { $_[0]{why_not} }, plays => 'refused', strace => 1),
        'bpftrace: tracepoint not found: raw_syscalls:sys_enter; '
            . 'strace: ptrace(PTRACE_TRACEME): Operation not permitted',
        'both reasons are given'
    );
};

done_testing;
