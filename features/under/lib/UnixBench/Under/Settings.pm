package UnixBench::Under::Settings;

# The settings of the kernel, as sysctl shows them. What the kernel itself changes is not among them: counters, and what
# was written to start something.

use strict;
use warnings;

use constant { BYTES_MOST => 4096, PLACES => [qw(fs kernel net/core vm)] };

my $OF_KERNEL = qr/random|ns_last_pid|tainted|pty[.]nr|perf_event_max_sample_rate|(?:msg|sem|shm)_next_id|acct/;
my $OF_FILES  = qr/(?:aio|file)-nr|dentry-state|inode-(?:nr|state)|quota|binfmt_misc/;
my $NONE      = qr/\A(?:kernel[.](?:$OF_KERNEL)|fs[.](?:$OF_FILES)|vm[.](?:stat_refresh|drop_caches|compact_memory))/;

# Takes perhaps the directory of all settings. Returns { name => text }, such as "vm.swappiness" => "60".
sub all {
    my ($root) = @_;
    my %settings;
    my @left = @{ PLACES() };
    while (defined(my $place = shift @left)) {
        my $path = ($root // '/proc/sys') . "/$place";
        my $name = $place =~ tr{/}{.}r;
        next if $name =~ $NONE || -l $path;
        if (opendir my $directory, $path) {
            push @left, map { "$place/$_" } grep { !/\A[.]/ } readdir $directory;
            next;
        }
        next if !(((stat $path)[2] // 0) & 0444) || !open my $file, '<', $path;
        my $got = sysread $file, my $text, BYTES_MOST;
        close $file;
        $settings{$name} = join q{ }, split q{ }, $text if defined $got;
    }
    return \%settings;
}

1;
