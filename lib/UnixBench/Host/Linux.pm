package UnixBench::Host::Linux;

# CPUs, memory, uptime and limits from /proc and /sys of Linux. If its file is missing, a fact is undef. The file
# /proc/cpuinfo differs between kinds of CPU.

use strict;
use warnings;

use POSIX ();

use UnixBench::Base::Arguments   qw(named);
use UnixBench::Host::Cgroup      ();
use UnixBench::Host::KernelFiles ();

# A mask of capabilities. CAP_SYS_ADMIN and CAP_SYS_RESOURCE each lift the limit of processes (capabilities(7)).
use constant UNLIMITING => 1 << 21 | 1 << 24;

# The makers of ARM CPUs, and the names of their parts: from Arm's Main ID Register, the kernel and vendors' manuals.
#<<< tables
my %MAKERS = (
    0x41 => 'ARM', 0x42 => 'Broadcom', 0x43 => 'Cavium', 0x46 => 'Fujitsu', 0x48 => 'HiSilicon',
    0x4e => 'NVIDIA', 0x50 => 'APM', 0x51 => 'Qualcomm', 0x53 => 'Samsung', 0x61 => 'Apple',
    0x6d => 'Microsoft', 0x70 => 'Phytium', 0xc0 => 'Ampere',
);
my %PARTS = (
    0x41 => {
        0xb76 => 'ARM1176',          0xc05 => 'Cortex-A5',        0xc07 => 'Cortex-A7',
        0xc08 => 'Cortex-A8',        0xc09 => 'Cortex-A9',        0xc0d => 'Cortex-A17',
        0xc0e => 'Cortex-A17',       0xc0f => 'Cortex-A15',       0xd02 => 'Cortex-A34',
        0xd03 => 'Cortex-A53',       0xd04 => 'Cortex-A35',       0xd05 => 'Cortex-A55',
        0xd06 => 'Cortex-A65',       0xd07 => 'Cortex-A57',       0xd08 => 'Cortex-A72',
        0xd09 => 'Cortex-A73',       0xd0a => 'Cortex-A75',       0xd0b => 'Cortex-A76',
        0xd0c => 'Neoverse-N1',      0xd0d => 'Cortex-A77',       0xd0e => 'Cortex-A76AE',
        0xd40 => 'Neoverse-V1',      0xd41 => 'Cortex-A78',       0xd42 => 'Cortex-A78AE',
        0xd43 => 'Cortex-A65AE',     0xd44 => 'Cortex-X1',        0xd46 => 'Cortex-A510',
        0xd47 => 'Cortex-A710',      0xd48 => 'Cortex-X2',        0xd49 => 'Neoverse-N2',
        0xd4a => 'Neoverse-E1',      0xd4b => 'Cortex-A78C',      0xd4c => 'Cortex-X1C',
        0xd4d => 'Cortex-A715',      0xd4e => 'Cortex-X3',        0xd4f => 'Neoverse-V2',
        0xd80 => 'Cortex-A520',      0xd81 => 'Cortex-A720',      0xd82 => 'Cortex-X4',
        0xd83 => 'Neoverse-V3AE',    0xd84 => 'Neoverse-V3',      0xd85 => 'Cortex-X925',
        0xd87 => 'Cortex-A725',      0xd88 => 'Cortex-A520AE',    0xd89 => 'Cortex-A720AE',
        0xd8e => 'Neoverse-N3',
    },
    0x43 => {
        0x0a1 => 'ThunderX', 0x0a2 => 'ThunderX-81XX', 0x0a3 => 'ThunderX-83XX', 0x0af => 'ThunderX2',
        0x0b8 => 'ThunderX3',
    },
    0x46 => { 0x001 => 'A64FX', 0x003 => 'MONAKA' },
    0x48 => { 0xd01 => 'TaiShan-v110', 0xd02 => 'TaiShan-v120', 0xd40 => 'Cortex-A76' },
    0x51 => { 0x001 => 'Oryon', 0xc00 => 'Falkor', 0xc01 => 'Saphira' },
    0x61 => {
        0x022 => 'M1 (Icestorm)', 0x023 => 'M1 (Firestorm)',
        0x032 => 'M2 (Blizzard)', 0x033 => 'M2 (Avalanche)',
    },
    0x6d => { 0xd49 => 'Cobalt 100' },
    0x70 => { 0x662 => 'FTC662', 0x663 => 'FTC663', 0x862 => 'FTC862' },
    0xc0 => { 0xac3 => 'Ampere-1', 0xac4 => 'Ampere-1a', 0xac5 => 'Ampere-1b' },
);

# IBM's machines by their numbers.
my %MAINFRAMES = (
    2817 => 'z196',  2818 => 'z114',    2827 => 'zEC12', 2828 => 'zBC12', 2964 => 'z13', 2965 => 'z13s',
    3906 => 'z14',   3907 => 'z14 ZR1', 8561 => 'z15',   8562 => 'z15 T02',
    3931 => 'z16',   3932 => 'z16 A02', 9175 => 'z17',
);
#>>>

# The keys that make up the kind of a CPU, in this order. build/record.sh has the same list.
my @KIND = ('model name', 'cpu family', 'model', 'CPU implementer', 'CPU part', 'cpu', 'uarch', 'isa', 'machine');

# Takes files => UnixBench::Host::KernelFiles.
sub new {
    my ($class, @given) = @_;
    my $files = named(\@given, qw(files))->{files};
    return bless { files => $files, cgroup => UnixBench::Host::Cgroup->new(files => $files) }, $class;
}

# Returns all CPUs of the machine, see UnixBench::Host::Machine::head, or undef.
sub cpus {
    my ($self) = @_;
    my $cpus = cpus_in($self->{files}->content('/proc/cpuinfo'));
    return @$cpus ? $cpus : undef;
}

# Returns a text that identifies the kind of CPU, see UnixBench::Host::Machine::cpu_kind, or undef.
sub cpu_kind {
    my ($self) = @_;
    return kind_in($self->{files}->content('/proc/cpuinfo')) || undef;
}

# Returns the machine's memory in KB, or undef.
sub memory_kb {
    my ($self)      = @_;
    my ($memory_kb) = $self->{files}->content('/proc/meminfo') =~ /^MemTotal:\s+([1-9]\d{0,14}) kB$/m;
    return defined $memory_kb ? 0 + $memory_kb : undef;
}

# Returns the number of CPUs that are online, in this process's affinity mask and in its cpusets, or undef. If they
# have no CPU in common, returns the number of CPUs in the last one.
sub usable_cpus {
    my ($self) = @_;
    my $online = $self->{files}->content('/sys/devices/system/cpu/online') || join ',',
        map { $_->{id} } @{ $self->cpus || [] };
    my @lists = ($online, $self->{files}->allowed_cpus // q{}, $self->{cgroup}->cpusets);
    my @sets  = grep { @$_ } map { [UnixBench::Host::KernelFiles::ids_of($_)] } @lists;
    return unless @sets;
    my %times;
    $times{$_}++ for map { @$_ } @sets;
    my $in_all = grep { $times{$_} == @sets } keys %times;
    return $in_all || scalar @{ $sets[-1] };
}

# Takes the time of day in seconds since 1970. Returns a line like that of the program uptime, or undef.
sub uptime {
    my ($self, $now_s) = @_;
    my ($up_s) = $self->{files}->content('/proc/uptime') =~ /^(\d+)/ or return;
    my @load   = $self->{files}->content('/proc/loadavg') =~ /^(\S+) (\S+) (\S+)/;
    my $time   = POSIX::strftime('%H:%M:%S', localtime $now_s);
    return "$time up " . _duration($up_s) . (@load ? ',  load average: ' . join(', ', @load) : '');
}

sub _duration {
    my ($seconds) = @_;
    my ($days, $hours, $minutes) = (int $seconds / 86_400, $seconds / 3600 % 24, $seconds / 60 % 60);
    my $text = $days ? sprintf('%d day%s, ', $days, $days == 1 ? '' : 's') : '';
    return $text . ($hours ? sprintf '%2d:%02d', $hours, $minutes : "$minutes min");
}

# Returns the limits, see UnixBench::Host::Machine::limits, or undef without /proc.
sub limits {
    my ($self) = @_;
    my $text = $self->{files}->text('/proc/self/limits');
    return if !defined $text;
    my ($files, $files_max) = $text =~ /^Max open files\s+(\S+)\s+(\S+)/m;
    return {
        open_files       => _number($files),
        open_files_max   => _number($files_max),
        descriptors      => scalar $self->{files}->names('/proc/self/fd'),
        cgroup_processes => scalar $self->{cgroup}->free_processes,
        memory_kb        => $self->{files}->content('/proc/meminfo') =~ /^MemAvailable:\s+([0-9]{1,15}) /m ? $1 : undef,
        cgroup_memory_kb => scalar $self->{cgroup}->free_memory_kb,
        $self->_limits_of_user($text),
    };
}

# Returns (processes, processes_max, user_processes), see UnixBench::Host::Machine::limits, or nothing if the user has
# no such limit. Threads count as processes.
sub _limits_of_user {
    my ($self, $limits) = @_;
    my ($soft, $hard)   = map { _number($_) } $limits =~ /^Max processes\s+(\S+)\s+(\S+)/m;
    my $status = $self->{files}->content('/proc/self/status');
    my ($user) = $status =~ /^Uid:\s+(\d+)/m;
    return if !defined $soft || !defined $user || $self->_is_unlimited($user, $status);
    return (processes => $soft, processes_max => $hard, user_processes => $self->_processes_of($user));
}

# Returns whether this process has no limit of processes: it belongs to root or has one of two capabilities. In a
# container with its own user namespace, root has the limit as well.
sub _is_unlimited {
    my ($self, $user, $status) = @_;
    my ($outside) = $self->{files}->content('/proc/self/uid_map') =~ /^\s*0\s+(\d+\s+\d+)/;
    return 0 if defined $outside && $outside !~ /^0\s+4294967295$/;
    my ($capabilities) = $status =~ /^CapEff:\s+[0-9a-f]*([0-9a-f]{8})$/m;
    return $user == 0 || hex($capabilities // 0) & UNLIMITING;
}

sub _processes_of {
    my ($self, $user) = @_;
    my $count = 0;
    for my $process (grep { /^\d+$/ } $self->{files}->names('/proc')) {
        my ($its_user, $threads) =
            $self->{files}->content("/proc/$process/status") =~ /^Uid:\s+(\d+).*^Threads:\s+(\d{1,9})$/ms;
        $count += $threads if defined $threads && $its_user == $user;
    }
    return $count;
}

sub _number {
    my ($text) = @_;
    return defined $text && $text =~ /^(\d{1,19})\s*$/ ? 0 + $1 : undef;
}

# Takes the text of /proc/cpuinfo. Returns its CPUs, [{ id, model, bogomips, flags, features }, ...], see
# UnixBench::Host::Machine::head.
sub cpus_in {
    my ($text) = @_;
    my @blocks = _blocks($text);
    my %common = map { %$_ } grep { !exists $_->{processor} } @blocks;
    return [map { _cpu($_, \%common) } grep { exists $_->{processor} } @blocks];
}

# Takes the text of /proc/cpuinfo; returns a text that identifies the kind of CPU, empty if unknown.
sub kind_in {
    my ($text) = @_;
    my %first;
    for my $line (split /\n/, $text) {
        my ($key, $value) = _pair($line) or next;
        ($key, $value) = ('machine', $1) if $key eq 'processor 0' && $value =~ /machine = (.*)/;
        $first{$key} = $value unless exists $first{$key};
    }
    return join ', ', map { $_ eq 'model name' ? $first{$_} : "$_ $first{$_}" }
        grep { defined $first{$_} && length $first{$_} } @KIND;
}

# Returns one hash for each CPU, and further hashes with keys that hold for all CPUs. A line "processor N" begins a CPU.
# So does "processor N: version = ..." of IBM's mainframes, which has all values in one line.
sub _blocks {
    my ($text) = @_;
    my @blocks = {};
    for my $line (split /\n/, $text) {
        my ($key, $value) = _pair($line);
        if (!defined $key) {
            push @blocks, {};
        }
        elsif ($key =~ /^processor (\d{1,9})$/) {
            push @blocks, { processor => $1, mainframe => $value };
        }
        elsif ($key eq 'processor') {
            push @blocks, $value =~ /^\d{1,9}$/ ? { processor => $value } : {};
        }
        else {
            $blocks[-1]{$key} = $value unless exists $blocks[-1]{$key};
        }
    }
    return @blocks;
}

sub _pair {
    my ($line) = @_;
    return $line =~ /^(.*?)\s*:\s*(.*?)\s*$/ ? ($1, $2) : ();
}

sub _cpu {
    my ($own, $common) = @_;
    my %all = (%$common, %$own);
    my ($bogomips) = _first(\%all, 'bogomips', 'BogoMIPS', 'bogomips per cpu') =~ /^(\d{1,15}(?:\.\d+)?)$/;
    return {
        id       => $own->{processor},
        model    => _model(\%all),
        bogomips => defined $bogomips ? sprintf('%.1f', $bogomips) : undef,
        flags    => [split ' ', _first(\%all, 'flags', 'features')],
        features => [split ' ', _first(\%all, 'Features')],
    };
}

sub _model {
    my ($cpu) = @_;
    return _arm_model($cpu) if $cpu->{'CPU implementer'};
    return _mainframe_model($cpu) if $cpu->{mainframe};
    return $cpu->{uarch} ? "$cpu->{uarch} ($cpu->{isa})" : $cpu->{isa} if $cpu->{isa};
    my @keys  = ('model name', 'Model Name', 'cpu model', 'cpu', 'cpu type', 'Processor', 'vendor_id');
    my $model = _first($cpu, @keys);
    $model =~ s/\s+/ /g;
    return length $model ? $model : 'unknown';
}

sub _arm_model {
    my ($cpu) = @_;
    my ($maker, $part) =
        map { ($_ // '') =~ /^0x([0-9a-f]{1,8})$/i ? hex $1 : 0 } @$cpu{ 'CPU implementer', 'CPU part' };
    my $maker_name = $MAKERS{$maker}       || sprintf 'maker 0x%02x', $maker;
    my $part_name  = $PARTS{$maker}{$part} || sprintf 'part 0x%03x',  $part;
    return "$maker_name $part_name";
}

sub _mainframe_model {
    my ($cpu)    = @_;
    my ($number) = $cpu->{mainframe} =~ /machine = (\w+)/;
    return 'IBM mainframe' unless defined $number;
    return $MAINFRAMES{$number} ? "IBM $MAINFRAMES{$number}" : "IBM $number";
}

sub _first {
    my ($cpu, @keys) = @_;
    my ($key) = grep { defined $cpu->{$_} } @keys;
    return defined $key ? $cpu->{$key} : '';
}

1;
