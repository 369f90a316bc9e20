package UnixBench::Host::Facts;

# The facts about the machine that are recorded with a result: what every user may know of it, from the files of Linux
# and few commands. What is not known is undef.

use strict;
use warnings;

use Cwd            ();
use File::Basename ();
use POSIX          ();

use UnixBench::Host::Caches;
use UnixBench::Host::CgroupLimits;
use UnixBench::Host::Container;
use UnixBench::Host::Generic;
use UnixBench::Host::GitRevision;
use UnixBench::Host::Hypervisor;
use UnixBench::Host::Kernel;
use UnixBench::Host::Linux;
use UnixBench::Host::Memory;
use UnixBench::Host::Mounts;
use UnixBench::Host::Process;
use UnixBench::Host::Processor;
use UnixBench::Host::Sysctl;
use UnixBench::Host::Tools;
use UnixBench::Host::Topology;
use UnixBench::Host::Values;
use UnixBench::Version;

# Makes one. env: the environment, by default that of this program; home: the suite's directory; tmpdir: that of the
# scratch files; root, run, uname, now: see Host; which: see Host::Tools.
sub new {
    my ($class, %given) = @_;
    my $self = bless {
        env    => $given{env}    // \%ENV,
        home   => $given{home}   // q{.},
        tmpdir => $given{tmpdir} // q{/},
        run    => $given{run}   || sub { return },
        uname  => $given{uname} || [POSIX::uname()],
        now    => $given{now}   || sub { time },
    }, $class;
    $self->{files} = UnixBench::Host::Values->new($given{root});
    $self->{linux} = UnixBench::Host::Linux->new(root => $self->{files});
    my @seams = map { $_ => $self->{$_} } qw(run uname files);
    $self->{generic} = UnixBench::Host::Generic->new(@seams, sysconf => \&POSIX::sysconf);
    $self->{tools}   = UnixBench::Host::Tools->new(@seams, $given{which} ? (which => $given{which}) : ());
    return $self;
}

# Returns { kernel, cpu, memory, cgroup, process, virtualization, scratch, tools, load => [of 1, 5, 15 minutes],
# uptime_s, suite => { version, git_revision } }. What the others hold is said in Host::Kernel, Host::Processor and, of
# cpu too, Host::Topology and Host::Caches, in Host::Memory, Host::CgroupLimits (and cpus, the CPUs' worth of time),
# Host::Process, Host::Hypervisor, Host::Container, Host::Mounts (and free_kb), Host::Tools.
sub facts {
    my ($self) = @_;
    my @files  = (files => $self->{files}, uname => $self->{uname});
    my $memory = UnixBench::Host::Memory->new(@files)->facts;
    my $limits = UnixBench::Host::CgroupLimits->new(@files)->facts(@$memory{qw(total_kb swap_kb)});
    my $facts  = {
        kernel         => UnixBench::Host::Kernel->new(@files)->facts,
        cpu            => $self->_cpu(@files),
        memory         => $memory,
        cgroup         => { cpus => scalar $self->{linux}->quota, %$limits },
        process        => $self->process,
        virtualization => {
            hypervisor => scalar UnixBench::Host::Hypervisor->new(@files)->name,
            container  => scalar UnixBench::Host::Container->new(@files)->name,
        },
        scratch  => $self->_scratch,
        tools    => $self->{tools}->facts,
        load     => scalar $self->_load,
        uptime_s => scalar $self->_uptime_s,
        suite    => $self->_suite,
    };
    my $sysctl = UnixBench::Host::Sysctl->new(run => $self->{run}, now => $self->{now});
    $sysctl->complete($facts) if $self->{uname}[0] ne 'Linux';
    return $facts;
}

# How this process was started, see Host::Process.
sub process {
    my ($self) = @_;
    return UnixBench::Host::Process->new(map { $_ => $self->{$_} } qw(files env))->facts;
}

sub _cpu {
    my ($self, @files) = @_;
    my $cpus = $self->{linux}->cpus || $self->{generic}->cpus;
    return {
        %{ UnixBench::Host::Processor->new(@files, cpus => $cpus)->facts },
        %{ UnixBench::Host::Topology->new(@files)->facts },
        caches => scalar UnixBench::Host::Caches->new(@files)->facts,
    };
}

# The directory need not be there yet.
sub _scratch {
    my ($self) = @_;
    my ($there, $below) = ($self->{tmpdir}, q{});
    ($there, $below) = (File::Basename::dirname($there), q{/} . File::Basename::basename($there) . $below)
        while !-e $there && $there ne File::Basename::dirname($there);
    my $real    = Cwd::realpath($there) // $there;
    my $path    = $real eq q{/} ? $below || q{/} : "$real$below";
    my $mount   = UnixBench::Host::Mounts->new(files => $self->{files})->facts($path);
    my $free_kb = $self->{generic}->free_kb($there);
    return { %$mount, free_kb => defined $free_kb ? 0 + $free_kb : undef };
}

sub _load {
    my ($self) = @_;
    my @load = ($self->{files}->line('/proc/loadavg') // q{}) =~ /\A(\d{1,9}[.]\d+) (\d{1,9}[.]\d+) (\d{1,9}[.]\d+) /;
    return @load ? [map { 0 + $_ } @load] : undef;
}

sub _uptime_s {
    my ($self) = @_;
    return ($self->{files}->line('/proc/uptime') // q{}) =~ /\A(\d{1,12}(?:[.]\d{1,9})?)(?: |\z)/ ? 0 + $1 : undef;
}

sub _suite {
    my ($self) = @_;
    my $tree = UnixBench::Host::Values->new;
    return {
        version      => $UnixBench::Version::VERSION,
        git_revision => scalar UnixBench::Host::GitRevision::of(sub { $tree->text(@_) }, $self->{home}),
    };
}

1;
