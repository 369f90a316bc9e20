package NetworkHosts::Host;

# A host of NetworkHosts: namespaces of its own (network, files, processes, name), and an sshd in them. Its file system
# is that of this machine, read-only; the directories in which programs write are its own. When the first process of a
# host ends, the kernel ends all others. It ends with this object, or with the process that started it.

use strict;
use warnings;

use Cwd              qw(abs_path);
use IO::Socket::INET ();

use Alive        qw(eventually states);
use ControlGroup ();

# The directories that a host has for itself, with the modes. They are empty at its start, except for sshd's files.
my %OWN = (
    '/run'          => '0755',
    '/tmp'          => '1777',
    '/var/tmp'      => '1777',
    '/dev/shm'      => '1777',
    '/home'         => '0755',
    (getpwuid 0)[7] => '0700',
);
my @OWN = grep { -d } sort keys %OWN;

# The first process: it prepares the file system, prints its number and waits for the end of standard input. Because it
# ignores CHLD, orphans that end do not become zombies.
my $FIRST = <<'END';
set -e
name=$1 files=$2 shared=$3
shift 3
read -r pid rest < /proc/self/stat
[ -z "$shared" ] || mount --bind "$shared" /srv
mount --bind "$files" /mnt
while [ $# -gt 0 ]; do
    mount -t tmpfs -o "mode=$2" own "$1"
    shift 2
done
mkdir /run/sshd
cp /mnt/* /run/sshd
umount /mnt
mount --bind /run/sshd/hosts /etc/hosts
mount -o remount,bind,ro /
mount -t proc proc /proc
echo "$name" > /proc/sys/kernel/hostname
echo "$pid"
exec perl -e '$SIG{CHLD} = "IGNORE"; 1 while sysread STDIN, my $read, 1' > /dev/null
END

# Replaces directories by others that have links to the same programs, except Perl.
my $WITHOUT_PERL = <<'END';
set -e
for directory; do
    here=/run/sshd/programs$directory links=/run/sshd/links$directory
    mkdir -p "$here" "$links"
    mount --bind "$directory" "$here"
    find "$here" -mindepth 1 -maxdepth 1 ! -name perl ! -name 'perl5*' -exec ln -s -t "$links" {} +
    mount --bind "$links" "$directory"
done
END

# Starts a host without its sshd. Dies if that fails. Takes these named arguments:
#     name, address
#     number  a different one for each host
#     sshd    the path of the program
#     files   a directory with the files of sshd, and a file "hosts" for /etc
#     shared  a directory that becomes /srv (optional)
sub new {
    my ($class, %with) = @_;
    my $self = bless { %with, cable => "host$with{number}" }, $class;
    $self->_start_first;
    _run(qw(ip link add), $self->{cable}, qw(type veth peer name eth0 netns), $self->{first});
    _run(qw(ip link set), $self->{cable}, qw(master fleet up));
    $self->inside(qw(ip address add), "$self->{address}/24", qw(dev eth0));
    $self->inside(qw(ip link set),    $_,                    'up') for qw(eth0 lo);
    return $self;
}

sub name    { my ($self) = @_; return $self->{name} }
sub address { my ($self) = @_; return $self->{address} }

# Takes a command; runs it on the host, without SSH. Returns its output; dies if the command fails.
sub inside {
    my ($self, @command) = @_;
    open my $from, '-|', $self->_entered(@command) or die "nsenter: $!\n";
    local $/ = undef;
    my $text = readline($from) // q{};
    close $from or die "$self->{name}: @command: failed: $text\n";
    return $text;
}

# Starts sshd, and returns when the host can be reached.
sub boot {
    my ($self) = @_;
    $self->inside($self->{sshd}, qw(-f /run/sshd/config -E /run/sshd/log));
    $self->_join_group;
    eventually(sub { IO::Socket::INET->new(PeerAddr => "$self->{address}:22", Timeout => 1) })
        or die "$self->{name}: no sshd\n";
    return;
}

# Cut the host off the network, and connect it again. Its programs continue.
sub down { my ($self) = @_; return _run(qw(ip link set), $self->{cable}, 'down') }
sub up   { my ($self) = @_; return _run(qw(ip link set), $self->{cable}, 'up') }

# Kills all processes of the host, also its sshd. Its files stay; boot() starts sshd again.
sub crash {
    my ($self) = @_;
    eventually(sub { kill KILL => $self->_pids; return !$self->_pids }) or die "$self->{name}: processes are left\n";
    return;
}

# Stops all processes of the host: it accepts connections, and does not answer. thaw() continues them.
sub freeze {
    my ($self) = @_;
    eventually(
        sub {
            kill STOP => $self->_pids;
            return states($self->_pids) eq 'T';
        }
    ) or die "$self->{name}: processes still run\n";
    return;
}

sub thaw { my ($self) = @_; kill CONT => $self->_pids; return }

# Hides all programs of Perl.
sub without_perl {
    my ($self) = @_;
    my %directories = map { abs_path($_) => 1 } grep { -e "$_/perl" } qw(/bin /usr/bin /usr/local/bin);
    $self->inside(qw(sh -c), $WITHOUT_PERL, 'without', sort keys %directories);
    return;
}

# Takes a number above 0; its processes get at most that part of a CPU from now on. Returns whether that is possible.
sub quota {
    my ($self, $part) = @_;
    my $us = int 100_000 * $part;
    if ($self->{group} = ControlGroup->new(cpu => 'cpu.cfs_quota_us')) {
        $self->{group}->set('cpu.cfs_period_us' => 100_000, 'cpu.cfs_quota_us' => $us);
    }
    elsif ($self->{group} = ControlGroup->new(cpu => 'cpu.max')) {
        $self->{group}->set('cpu.max' => "$us 100000");
    }
    $self->_join_group;
    return !!$self->{group};
}

# Returns the command lines of the host's processes, without those of sshd.
sub processes {
    my ($self) = @_;
    return [_commands($self->_pids)];
}

# Returns the same without those that are stopped.
sub running {
    my ($self) = @_;
    return [_commands(grep { !is_stopped($_) } $self->_pids)];
}

# Returns the paths of all files and directories that were written, without those of sshd and mount.
sub files {
    my ($self) = @_;
    return [
        split /\n/,
        $self->inside('find', @OWN, qw(-mindepth 1 ( -path /run/sshd -o -path /run/mount ) -prune -o -print))
    ];
}

# Ends the host.
sub DESTROY {
    my ($self) = @_;
    local $? = 0;
    return if !$self->{life};
    system qw(ip link delete), $self->{cable};
    close $self->{life};
    waitpid $self->{child}, 0;
    return;
}

# Starts the first process, and keeps its number and the pipe that it lives by.
sub _start_first {
    my ($self) = @_;
    pipe my $stdin, my $life   or die "pipe: $!\n";
    pipe my $said,  my $stdout or die "pipe: $!\n";
    $self->{child} = fork // die "fork: $!\n";
    if (!$self->{child}) {
        open STDIN,  '<&', $stdin  or die "stdin: $!\n";
        open STDOUT, '>&', $stdout or die "stdout: $!\n";
        exec qw(unshare --net --mount --pid --uts --ipc --fork sh -c), $FIRST, 'first',
            @$self{qw(name files)}, $self->{shared} // q{}, map { $_ => $OWN{$_} } @OWN
            or die "unshare: $!\n";
    }
    close $stdout;
    chomp(my $first = readline $said // die "$self->{name}: can't be started\n");
    @$self{qw(first life)} = ($first, $life);
    return;
}

# Takes a command; returns the command that runs it on the host, with the environment of a system's service.
sub _entered {
    my ($self, @command) = @_;
    my $path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    return (qw(nsenter --mount --net --pid --uts --ipc --target), $self->{first}, qw(env -i), $path, @command);
}

# Moves all processes of the host to its control group, if it has one. Some may end meanwhile.
sub _join_group {
    my ($self) = @_;
    my $group = $self->{group} or return;
    for my $pid ($self->_pids) {
        eval { $group->set('cgroup.procs' => $pid); 1 } || !-e "/proc/$pid" || die $@;
    }
    return;
}

# Returns the numbers of the host's processes, without the first one.
sub _pids {
    my ($self) = @_;
    my $space  = readlink "/proc/$self->{first}/ns/pid" // return;
    my @pids   = map { m{([0-9]+)\z} } glob '/proc/[0-9]*';
    return grep { $_ != $self->{first} && (readlink("/proc/$_/ns/pid") // q{}) eq $space } @pids;
}

# Takes numbers of processes; returns their command lines, without those of sshd.
sub _commands {
    my (@pids) = @_;
    return grep { !m{\Asshd:|/sshd\b} } map { _line($_) } @pids;
}

# Takes the number of a process; returns whether it is stopped. It needs no program: fleets are watched all the time.
sub is_stopped {
    my ($pid) = @_;
    open my $file, '<', "/proc/$pid/stat" or return 0;
    my $line = readline $file;
    close $file;
    return ($line // q{}) =~ /.*[)] T /s;
}

# Takes the number of a process; returns its command line, or nothing if it has ended.
sub _line {
    my ($pid) = @_;
    open my $file, '<', "/proc/$pid/cmdline" or return;
    local $/ = undef;
    my $line = readline $file;
    close $file;
    return if !defined $line;
    return $line =~ tr/\0/ /r || ();
}

sub _run {
    my (@command) = @_;
    system(@command) == 0 or die "@command: failed\n";
    return;
}

1;
