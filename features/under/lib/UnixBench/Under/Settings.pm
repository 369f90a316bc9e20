package UnixBench::Under::Settings;

# The settings of the kernel: the files of sysctl that users may write, and those in /sys that decide how fast programs
# run. Counters, which only the kernel writes, are left out.

use strict;
use warnings;

use constant {
    BYTES_MOST => 4096,
    PLACES     => [
        '/proc/sys',
        (map { "/sys/devices/system/cpu/$_" } qw(amd_pstate cpufreq cpuidle intel_pstate)),
        (map { "/sys/kernel/$_" }             qw(debug/x86 mm)),
        '/sys/module/kvm/parameters',
    ],
};

# What moves by itself, or starts something when it is read; interfaces come and go, and routers set their values.
my $OF_KERNEL = qr{(?:(?:msg|sem|shm)_next_id|ns_last_pid|perf_event_max_sample_rate|tainted)\z};
my $DOMAINS   = qr{sched_domain/.*/max_newidle_lb_cost\z};
my $OF_NET    = qr{ipv[46]/(?:conf|neigh)/(?!(?:all|default)(?:/|\z))};
my $OF_SYSCTL = qr{fs/binfmt_misc\z|kernel/(?:$OF_KERNEL|$DOMAINS)|net/$OF_NET|vm/(?:drop_caches|stat_refresh)\z};
my $MOVES     = qr{\A/(?:proc/sys/(?:$OF_SYSCTL)|sys/kernel/mm/(?:damon|page_idle)\z)};

# Takes perhaps a directory that stands for the root of all files. Returns { name => text }, such as "vm.swappiness" =>
# "60", or "/sys/kernel/mm/ksm/run" => "0".
sub all {
    my ($root) = @_;
    $root //= q{};
    my %settings;
    my @left = @{ PLACES() };
    while (defined(my $place = shift @left)) {
        my $path = "$root$place";
        next if $place =~ $MOVES || -l $path;
        if (opendir my $directory, $path) {
            push @left, map { "$place/$_" } grep { !/\A[.]/ } readdir $directory;
            next;
        }
        my $mode = (stat $path)[2] // 0;
        next if !($mode & 0444) || !($mode & 0222) || !open my $file, '<', $path;
        my $got = sysread $file, my $text, BYTES_MOST;
        close $file;
        next if !defined $got;
        my $name     = $place =~ m{\A/proc/sys/}s ? substr($place, length '/proc/sys/') =~ tr{/}{.}r : $place;
        my ($chosen) = $name eq $place ? $text =~ /\[(.+)\]/ : ();    # the chosen word of several
        $settings{$name} = join q{ }, split q{ }, $chosen // $text;
    }
    return \%settings;
}

1;
