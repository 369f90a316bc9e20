package Fuzz::Noise;

# Fuzzing of the parsers of disturbances. An input is the files of Linux before a pass, then those after it, separated
# by NUL bytes.

use strict;
use warnings;

use Fuzz::Files                    ();
use UnixBench::Base::Text          qw(clean);
use UnixBench::Noise::Causes       ();
use UnixBench::Noise::Disturbances ();
use UnixBench::Noise::Processes    ();
use UnixBench::Noise::Watch        ();

use constant PROCESSES => 1, 7, 8, 9;    # the second one is this program

use constant {
    CPU_COUNT => 4,
    HUGE      => 9**9**9,
    PASS_S    => 2,
};

my $CPU   = 'sys/devices/system/cpu';
my @FILES = map { "/$_" } 'proc/stat', 'proc/self/stat', 'proc/vmstat', 'proc/loadavg', 'proc/meminfo',
    'proc/self/status', 'proc/pressure/cpu', 'proc/pressure/io', 'proc/pressure/memory', "$CPU/online",
    "$CPU/cpu0/thermal_throttle/core_throttle_count", "$CPU/cpu0/cpufreq/scaling_cur_freq",
    'proc/self/cgroup', 'proc/self/mountinfo', 'sys/fs/cgroup/a/cpu.stat', map { "proc/$_/stat" } PROCESSES;

my %IS_CAUSE = map { $_ => 1 } UnixBench::Noise::Causes::names();

sub samples {
    my @fixed = ("0::/a\n", "30 1 0:27 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n");
    my $at    = sub {
        my ($ticks, $count, $cpus) = @_;
        my $times = join q{ }, map { $ticks * $_ } 1 .. 8;
        my $stat  = "cpu  $times 0 0\ncpu0 $times 0 0\nctxt 7\n";
        my @waits = ("some avg10=0.00 avg60=0.00 avg300=0.00 total=${count}000\n") x 3;
        return (
            $stat,                                 "7 (a) b) R 1 7 7 0 -1 4194304 1 2 $count $count 6 7\n",
            "pswpin $count\npswpout 7\n",          "0.02 0.03 0.00 $cpus/99 7\n",
            "Dirty: $count kB\nWriteback: 0 kB\n", "Cpus_allowed_list:\t0-$cpus\n",
            @waits,                                "0-3\n",
            "$count\n",                            "180000$cpus\n",
            @fixed,                                "nr_periods 9\nnr_throttled $count\n",
            map { "$_ (a$_) S @{[$_ - 7]} 7 7 0 -1 $count 1 2 3 4 $ticks $count 6 7 20 0 1 0 $_ 99\n" } PROCESSES,
        );
    };
    return map { join "\0", $at->(@{ $_->[0] }), $at->(@{ $_->[1] }) } [[100, 5, 3], [101, 5, 3]],
        [[100, 5, 1], [150, 900, 1]], [[7, 7, 2], [6, 6, 3]];
}

sub words {
    return ("\0", "\0", "\n", "\ncpu1 ", 'cpu  ', 'some ', 'total=', ') ', '(', '0', '1', '99999999999999', '0-3',
        q{ });
}

sub refusal { return qr/\A\z/ }

sub check {
    my (undef, $input) = @_;
    my @texts     = split /\0/, $input, -1;
    my $files     = Fuzz::Files->new(@FILES)->show(splice @texts, 0, scalar @FILES);
    my $clock     = bless { now_s => 0 }, __PACKAGE__;
    my $look      = UnixBench::Noise::Watch->new(files => $files, clock => $clock, ours => sub { (0, 0) });
    my $processes = UnixBench::Noise::Processes->new(files => $files, clock => $clock);
    my @looks     = $processes->look;
    my %seen      = (before => $look->counters, running => $look->running, cpus => $look->cpus);
    my $rest      = $look->pressure;
    $files->show(@texts);
    $clock->{now_s} += PASS_S;
    @seen{qw(after rest)} = ($look->counters, { from => $rest, to => $look->pressure });
    my %copies = (copies => 2, elapsed_s => [1, PASS_S], usable_cpus => CPU_COUNT);
    _check_disturbance($_) for UnixBench::Noise::Disturbances::found({ %seen, %copies });
    push @looks, $processes->look;
    _check_process($_) for UnixBench::Noise::Processes::named_between(@looks, 1, PASS_S);
    my $facts = $look->facts;
    die "noticed $_\n" for grep { defined && !_is_number($_) } @$facts{qw(mhz dirty_kb)};
    return;
}

sub _check_disturbance {
    my ($disturbance) = @_;
    die "a cause, $disturbance->{cause}\n" if !$IS_CAUSE{ $disturbance->{cause} };
    die "a level, $disturbance->{level}\n" if $disturbance->{level} !~ /\A(?:note|disturbed)\z/;
    die "$disturbance->{cause} of $disturbance->{value}\n"
        if !_is_number($disturbance->{value}) || $disturbance->{value} <= 0;
    my $is_part = $disturbance->{cause} =~ /\A(?:steal|pressure_\w+|overlap)\z/;
    die "$disturbance->{cause}, a part of $disturbance->{value}\n" if $is_part && $disturbance->{value} > 1;
    return;
}

sub _check_process {
    my ($process) = @_;
    my ($name, $pid, $cpus) = @$process{qw(name pid cpus)};
    die "a process with $cpus CPUs\n" if !_is_number($cpus);
    die "a process without a name or a PID\n" if defined $name != defined $pid;
    die "the name of process $pid is not printable\n" if defined $name && $name ne clean($name);
    return;
}

sub _is_number {
    my ($value) = @_;
    return $value >= 0 && $value < HUGE;
}

# The method of UnixBench::Base::Clock that is needed.
sub monotonic_s { my ($self) = @_; return $self->{now_s} }

1;
