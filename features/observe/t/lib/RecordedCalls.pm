package RecordedCalls;

# Recorded output of tracers for programs of the suite: bpftrace 0.17 and strace 6.1 on Linux 6.18, x86_64.

use strict;
use warnings;

use Exporter 'import';
use File::Basename ();

use Place qw(text_of);

our @EXPORT_OK = qw(call found named recorded refusal seconds traces);

my $DATA = File::Basename::dirname(__FILE__) . '/../data';

my %NAME = (
    0   => 'read',
    1   => 'write',
    3   => 'close',
    9   => 'mmap',
    10  => 'mprotect',
    11  => 'munmap',
    12  => 'brk',
    13  => 'rt_sigaction',
    14  => 'rt_sigprocmask',
    15  => 'rt_sigreturn',
    17  => 'pread64',
    21  => 'access',
    32  => 'dup',
    39  => 'getpid',
    56  => 'clone',
    59  => 'execve',
    61  => 'wait4',
    95  => 'umask',
    102 => 'getuid',
    104 => 'getgid',
    107 => 'geteuid',
    108 => 'getegid',
    110 => 'getppid',
    130 => 'rt_sigsuspend',
    158 => 'arch_prctl',
    218 => 'set_tid_address',
    231 => 'exit_group',
    257 => 'openat',
    262 => 'newfstatat',
    273 => 'set_robust_list',
    293 => 'pipe2',
    302 => 'prlimit64',
    318 => 'getrandom',
);

# Takes the name of a file; returns its content.
sub recorded {
    my ($name) = @_;
    return text_of("$DATA/syscalls/$name");
}

# Returns the output of strace for "spawn -n 4", { process => text }.
sub traces {
    return { map { $_ => recorded("strace/t.$_") } 18_800 .. 18_804 };
}

# Takes the number of a call; returns its name. It is undef for 334, rseq, which is too new for older compilers.
sub named {
    my ($number) = @_;
    return $NAME{$number};
}

# Takes ns of the monotonic clock; returns seconds since 1970. That clock showed 23,217 s at 1,000,000 s after 1970.
sub seconds {
    my ($monotonic_ns) = @_;
    return 1_000_000 + ($monotonic_ns - 23_217 * 1e9) / 1e9;
}

# Takes sums and a name; returns the call of that name.
sub call {
    my ($sums, $name) = @_;
    my ($call) = grep { $_->{name} eq $name } @{ $sums->{calls} };
    return $call;
}

# Takes the numbers of a call and its delays, each [from_ns, count]; returns it as it is in sums.
sub found {
    my ($name, $count, $returned, $total_ns, $max_ns, @delays) = @_;
    return {
        name     => $name,
        count    => $count,
        returned => $returned,
        total_ns => $total_ns,
        max_ns   => $max_ns,
        delays   => @delays ? [map { +{ from_ns => $_->[0], count => $_->[1] } } @delays] : undef,
    };
}

# Takes a function; returns its error message without the line end, or undef if it did not die. Other than one printable
# line, the message is marked "no line".
sub refusal {
    my ($try) = @_;
    return if eval { $try->(); 1 };
    my $why = $@;
    return $why =~ /\A[\x20-\x7e]{1,300}\n\z/ ? $why =~ s/\n\z//r : "no line: $why";
}

1;
