package Fuzz::Host;

# Fuzzing of the parsers of /proc, /sys and control groups. An input is the files, separated by NUL bytes.

use strict;
use warnings;

use Fuzz::Files             ();
use UnixBench::Host::Linux  ();
use UnixBench::Host::Mounts ();

my @FILES = map { "/$_" } qw(
    proc/self/cgroup proc/self/mountinfo proc/self/status proc/self/limits proc/meminfo proc/uptime proc/loadavg
    sys/devices/system/cpu/online sys/fs/cgroup/a/cpu.max sys/fs/cgroup/a/pids.max sys/fs/cgroup/a/pids.current
    sys/fs/cgroup/a/memory.max sys/fs/cgroup/a/cpuset.cpus.effective sys/fs/cgroup/cpu/cpu.cfs_quota_us
    sys/fs/cgroup/cpu/cpu.cfs_period_us sys/fs/cgroup/cpu/cpuset.cpus proc/self/uid_map proc/sys/kernel/pid_max
    proc/sys/kernel/threads-max proc/12/status sys/fs/cgroup/a/memory.current sys/fs/cgroup/a/memory.stat
);

sub samples {
    my $limits = "Limit    Soft Limit  Hard Limit  Units\nMax processes  96365  96365  processes\n"
        . "Max open files  1024  524288  files\n";
    my $status = "Name:\tperl\nUid:\t1\t1\t1\t1\nThreads:\t2\nCapEff:\t0000000000000000\nCpus_allowed_list:\t0-3\n";
    my $v1     = "29 1 0:26 /d /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuset\n";
    my $v2     = "30 1 0:27 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n";
    my @rest   = ("MemAvailable:   16000000 kB\n", "123456.78 3.4\n", "0.02 0.03 0.00 1/99 7\n", "0-3,5\n");
    my @group  = ("250000 100000\n", "60\n", "7\n", "1073741824\n", "0-2\n", "150000\n", "100000\n", "0,2\n");
    push @group, "0 0 4294967295\n", "32768\n", "62000\n", $status, "4096\n", "anon 1\ninactive_file 4096\n";
    return (
        join("\0", "0::/a\n",                             $v2,      $status, $limits, @rest, @group),
        join("\0", "4:cpu,cpuset:/d\n1:name=systemd:/\n", "$v1$v2", $status, $limits, @rest, @group),
        join("\0", "0::/a\n", $v2, $status =~ s/0-3/1/r, '', '', '', '', '0', "max 100000\n", "max\n", "\n", "max\n"),
    );
}

sub words { return ("\0", "\0", "\n", qw(0 1 0-1 - max / .. /a 0::/ cgroup cgroup2 \040 \777), q{,}, q{ }, ' - ') }

sub refusal { return qr/\A\z/ }

sub check {
    my (undef, $input) = @_;
    $input =~ s/([0-9]{5})[0-9]+(?=[,\s]|\z)/$1/g if $input =~ /[0-9]-[0-9]{6}/;
    my $files = Fuzz::Files->new(@FILES)->show(split /\0/, $input, -1);
    my $linux = UnixBench::Host::Linux->new(files => $files);
    my $cpus  = $linux->usable_cpus;
    die "$cpus CPUs\n" if defined $cpus && $cpus !~ /\A[1-9][0-9]{0,6}\z/;
    my $quota = $linux->quota;
    die "a quota of $quota\n" if defined $quota && !($quota > 0 && $quota < 1e18);
    _check_numbers($linux->limits);
    UnixBench::Host::Mounts->new(files => $files)->is_in_memory(5);
    my $uptime = $linux->uptime(0);
    die "uptime $uptime\n" if defined $uptime && $uptime =~ /\n/;
    return;
}

# Dies if a number in the data is infinite or NaN.
sub _check_numbers {
    my ($data) = @_;
    for my $name (grep { defined $data->{$_} } sort keys %$data) {
        my $value = $data->{$name};
        if   (ref $value) { _check_numbers($value) }
        else              { die "$name is $value\n" if !(abs $value < 9**9**9) }
    }
    return;
}

1;
