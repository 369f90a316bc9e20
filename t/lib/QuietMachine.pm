package QuietMachine;

# An invented machine with two CPUs: the tree of its /proc and /sys, and its clock. During a pass of ten seconds the
# suite uses half of its CPU time; nothing else happens unless a test changes a file.

use strict;
use warnings;

use Exporter 'import';
use File::Basename qw(dirname);
use File::Path     qw(make_path);

use HostTree qw(host_tree);

use Place qw(write_file);
use UnixBench::Host::KernelFiles;
use UnixBench::Noise::Watch;

our @EXPORT_OK = qw(every_number_is everything_is faults_of pressure stat_of thermal vmstat_of);

my $CPU  = '/sys/devices/system/cpu';
my @TIME = (
    [user       => 40_000],
    [nice       => 100],
    [system     => 9000],
    [idle       => 90_000],
    [iowait     => 70],
    [irq        => 0],
    [softirq    => 8],
    [steal      => 1000],
    [guest      => 0],
    [guest_nice => 0]
);
my @PASS   = (user => 1000, idle => 1000);
my $MOUNTS = "31 23 0:28 / /v1 rw - cgroup cgroup rw,cpuacct,cpu\n32 23 0:29 / /v2 rw - cgroup2 x rw\n";

# The files before the pass, { path => text }.
my %FILES = (
    '/proc/stat'           => stat_of(),
    '/proc/vmstat'         => vmstat_of(),
    '/proc/self/stat'      => faults_of(10, 20),
    '/proc/loadavg'        => "0.00 0.01 0.05 1/86 1234\n",
    '/proc/meminfo'        => "MemTotal: 16 kB\nDirty:   120 kB\nWriteback:   8 kB\nWritebackTmp: 5 kB\n",
    '/proc/self/status'    => "Cpus_allowed:\t3\nCpus_allowed_list:\t0-1\n",
    '/proc/self/cgroup'    => "2:cpuacct,cpu:/a/b\n1:memory:/a\n0::/c\n",
    '/proc/self/mountinfo' => $MOUNTS,
    '/v1/cpu.stat'         => "nr_periods 0\nnr_throttled 0\n",
    '/v1/a/cpu.stat'       => "nr_periods 900\nnr_throttled 3\n",
    '/v1/a/b/cpu.stat'     => "nr_periods 900\nnr_throttled 4\n",
    '/v2/c/cpu.stat'       => "usage_usec 5\nnr_periods 900\nnr_throttled 5\n",
    "$CPU/online"          => "0-1\n",
    (map { (thermal($_, core => 1), thermal($_, package => 2)) } 0, 1),
    (map { pressure($_ => 5_000_000) } qw(cpu io memory)),
);

# Takes the arguments of UnixBench::Noise::Watch other than files, clock and ours.
sub new {
    my ($class, %with) = @_;
    my $self  = bless { now_s => 1000, ours_s => 5, root => host_tree(%FILES) }, $class;
    my $files = UnixBench::Host::KernelFiles->new(root => $self->{root});
    my %own   = (files => $files, clock => $self, ours => sub { ($self->{ours_s}, 2) });
    $self->{noise} = UnixBench::Noise::Watch->new(%own, usable_cpus => 2, %with);
    return $self;
}

sub monotonic_s { my ($self) = @_; return $self->{now_s} }

sub noise { my ($self) = @_; return $self->{noise} }

# Returns the disturbances seen in a pass, after a rest of one second. Takes files that change at a moment, { rest,
# before, after => { path => text, or undef for none } }, the results of the copies (default: two), and perhaps the test
# of the plan, and what the programs have reported.
sub seen {
    my ($self, $changes, $copies, @more) = @_;
    $self->rest(1, @$changes{qw(rest before)});
    $self->{noise}->before;
    $self->{$_} += 10 for qw(now_s ours_s);
    $self->_show({ '/proc/stat' => stat_of(@PASS) }, $changes->{after});
    return $self->{noise}->after($copies || [map { { gated => 1, elapsed_s => 10 } } 1, 2], @more);
}

# Takes seconds, and files that change before and during the rest; lets the machine rest for that time.
sub rest {
    my ($self, $rest_s, $before, $meanwhile) = @_;
    $self->_show($before);
    $self->{noise}->rest_begins;
    $self->{now_s} += $rest_s;
    $self->_show($meanwhile);
    return;
}

# Takes a text, or undef; returns all files with that content.
sub everything_is {
    my ($text) = @_;
    return { map { $_ => $text } keys %FILES };
}

# Takes a text; returns all files with each number replaced by it.
sub every_number_is {
    my ($text) = @_;
    return { map { $_ => $FILES{$_} =~ s/\b\d+\b/$text/gr } keys %FILES };
}

# Takes ticks of all CPUs that are added to those before the pass, { user => ... }; returns the text of /proc/stat.
sub stat_of {
    my (%more) = @_;
    my $line   = join q{ }, map { $_->[1] + ($more{ $_->[0] } || 0) } @TIME;
    return "cpu  $line\ncpu0 $line\ncpu1 $line\nintr 77 5 0\nctxt 12\nprocs_running 1\n";
}

# Takes counts that are added to those before the pass; returns the text of /proc/vmstat.
sub vmstat_of {
    my (%more) = @_;
    my %before = (nr_free_pages => 77, pswpin => 100, pswpout => 200, pgfault => 9, pgmajfault => 3000);
    $before{$_} = ($before{$_} // die "the machine has no counter $_\n") + $more{$_} for keys %more;
    return join q{}, map { "$_ $before{$_}\n" } sort keys %before;
}

# Takes the major faults of this program and of its ended children; returns the text of /proc/self/stat.
sub faults_of {
    my ($own, $children) = @_;
    return
        "77 (a) R 9 9) R 1 77 77 0 -1 4194304 244 5000 $own $children 6 7 8 9 20 0 1 0 43 11 12 18446744073709551615\n";
}

# Takes cpu, io or memory, and the microseconds that a process has waited for it; returns a path and a text.
sub pressure {
    my ($of, $total_us) = @_;
    my $averages = 'avg10=7.00 avg60=0.00 avg300=0.00';
    return ("/proc/pressure/$of" => "some $averages total=$total_us\nfull $averages total=77\n");
}

# Takes a CPU's number, core or package, and the number of times that it was throttled; returns a path and a text.
sub thermal {
    my ($cpu, $of, $count) = @_;
    return ("$CPU/cpu$cpu/thermal_throttle/${of}_throttle_count" => "$count\n");
}

sub _show {
    my ($self, @changes) = @_;
    for my $changed (grep { defined } @changes) {
        for my $path (keys %$changed) { _write("$self->{root}$path", $changed->{$path}) }
    }
    return;
}

sub _write {
    my ($path, $text) = @_;
    unlink $path;
    make_path(dirname($path));
    write_file($path, $text) if defined $text;
    return;
}

1;
