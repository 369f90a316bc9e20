package UnixBench::Host::Facts;

# A machine with the facts that are recorded with a result: everything that can affect a score, and that every user may
# read. They come from files of Linux and from a few commands. Unknown facts are undef.

use strict;
use warnings;

use Cwd            ();
use File::Basename ();
use POSIX          ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Base::Proc      ();
use UnixBench::Host::Cgroup    ();
use UnixBench::Host::Hardware  ();
use UnixBench::Host::Software  ();

use parent 'UnixBench::Host::Machine';

# The variables of the environment that the dynamic loader reads, and have a fact of their own.
my %VARIABLE = map { lc $_ => $_ } qw(LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH GLIBC_TUNABLES);

# Matches all variables that change how fast programs run: those of the dynamic loader, of memory allocators, of shells
# and of the tools that the shell tests run, of the display's libraries, and of emulators.
my $OF_LIBRARIES = qr/(?:LD|DYLD|MALLOC|JEMALLOC|TCMALLOC|MIMALLOC)_\w+|_RLD\w+|LDR_CNTRL|LIBPATH|SHLIB_PATH/;
my $OF_SHELLS    = qr/BASH_ENV|BASHOPTS|BASH_COMPAT|ENV|SHELLOPTS|POSIXLY_CORRECT|_POSIX2_VERSION|PERL5OPT/;
my $OF_TOOLS     = qr/GREP_OPTIONS|TMPDIR|LOCPATH|NLSPATH|GCONV_PATH|G?OMP_\w+/;
my $OF_GRAPHICS  = qr/(?:LIBGL|MESA|GALLIUM|__GL|EGL|DRI|VK)_\w+|vblank_mode|QEMU_\w+/;
my $TELLING      = qr/\A(?:$OF_LIBRARIES|$OF_SHELLS|$OF_TOOLS|$OF_GRAPHICS)\z/;

# The scheduling classes of sched(7) by number.
my @CLASS = (map({ "SCHED_$_" } qw(OTHER FIFO RR BATCH)), undef, map { "SCHED_$_" } qw(IDLE DEADLINE EXT));

# Takes these arguments, all of which are optional:
#   env     the environment, by default that of this program
#   home    the directory of the suite
#   tmpdir  the directory of scratch files
#   which   see UnixBench::Host::Software
#   ahead   function that takes commands and runs them at the same time, for later calls of run
# and those of UnixBench::Host::Machine.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(root recorded run uname now sysconf env home tmpdir which ahead));
    my %own   = map { exists $given->{$_} ? ($_ => delete $given->{$_}) : () } qw(env home tmpdir which ahead);
    return
        bless { env => \%ENV, home => q{.}, tmpdir => q{/}, ahead => sub { }, %{ $class->SUPER::new(%$given) }, %own },
        $class;
}

# Takes the name of a locale. Runs at the same time what head(), language() of that name and facts() ask programs: one
# after the other, they take a third of the time until the first pass.
sub ask_ahead {
    my ($self, $lang) = @_;
    return $self->{ahead}->($self->questions($lang), UnixBench::Host::Software::questions());
}

# Returns the facts, see UnixBench::Base::ResultSchema. Those of the display come from a session with graphics tests.
sub facts {
    my ($self)    = @_;
    my %of_kernel = (files => $self->{files}, uname => $self->{uname});
    my $hardware  = UnixBench::Host::Hardware->new(files => $self->{files});
    my $versions  = UnixBench::Host::Software->new(%of_kernel, map { $_ => $self->{$_} } qw(run which));
    my $facts     = {
        %{ $self->changeable },
        board          => scalar $hardware->board,
        virtualization => { map { $_ => scalar $hardware->$_ } qw(hypervisor container) },
        tools          => $versions->tools,
        load           => scalar $self->_load,
        graphics       => undef,
        suite          => { git_revision => scalar $versions->git_revision($self->{home}) },
    };
    $self->complete($facts) if $self->{uname}[0] ne 'Linux';
    return $facts;
}

# Returns those of these facts that can change while a run measures.
sub changeable {
    my ($self)   = @_;
    my %files    = (files => $self->{files});
    my $hardware = UnixBench::Host::Hardware->new(%files);
    my $facts    = {
        kernel  => UnixBench::Host::Software->new(%files, uname => $self->{uname})->kernel,
        cpu     => $hardware->cpu($self->_known('cpus')),
        memory  => $hardware->memory,
        process => $self->process,
        scratch => $self->_scratch,
        unread  => scalar $self->_unread,
    };
    my $cgroup = UnixBench::Host::Cgroup->new(%files);
    $facts->{cgroup} = { cpus => scalar $cgroup->quota, %{ $cgroup->limits($facts->{memory}{total_kb}) } };
    $self->complete($facts) if $self->{uname}[0] ne 'Linux';
    return $facts;
}

sub _unread {
    my ($self) = @_;
    return if $self->{uname}[0] ne 'Linux';
    my ($status, $limits, $stat) = map { $self->{files}->content("/proc/self/$_") } qw(status limits stat);
    my $has_groups = UnixBench::Host::Cgroup->new(files => $self->{files})->is_visible;
    my @unread     = (
        $has_groups                           ? () : 'cgroup',
        length $stat                          ? () : qw(process.nice process.class),
        length $limits                        ? () : qw(process.stack_kb process.memory_kb),
        $status =~ /^Cpus_allowed_list:/m     ? () : 'process.cpus',
        $status =~ /^TracerPid:/m             ? () : 'process.tracer',
        $status =~ /^(?:Seccomp|TracerPid):/m ? () : 'process.seccomp',
    );
    return @unread ? \@unread : undef;
}

# Returns how this process was started, as far as the measured programs inherit it. The list of CPUs is undef if it may
# use all that are online.
sub process {
    my ($self)    = @_;
    my $env       = $self->{env};
    my $stat      = $self->{files}->content('/proc/self/stat');
    my ($nice)    = UnixBench::Base::Proc::fields($stat, 'nice');
    my ($policy)  = UnixBench::Base::Proc::fields($stat, 'policy');
    my $cpus      = $self->{files}->allowed_cpus;
    my ($seccomp) = $self->{files}->content('/proc/self/status') =~ /^Seccomp:\s+([12])$/m;
    return {
        (map { $_ => _set($env->{ $VARIABLE{$_} }) } keys %VARIABLE),
        preload_file => scalar $self->_preload_file,
        nice         => ($nice   // q{}) =~ /\A-?[0-9]{1,2}\z/ ? 0 + $nice       : undef,
        class        => ($policy // q{}) =~ /\A[0-9]\z/        ? $CLASS[$policy] : undef,
        cpus         => defined $cpus ? scalar $self->{files}->restricting($cpus) : undef,
        tracer       => scalar UnixBench::Base::Proc::tracer(sub { $self->{files}->text(@_) }, 'self'),
        seccomp      => $seccomp && ($seccomp == 1 ? 'strict' : 'filter'),
        $self->_limits,
        variables   => scalar $self->_variables,
        personality => ($self->{files}->line('/proc/self/personality') // q{}) =~ /\A0*([1-9a-f][0-9a-f]{0,7})\z/
        ? $1
        : undef,
    };
}

sub _variables {
    my ($self) = @_;
    my $env    = $self->{env};
    my %is_own = map  { $_ => 1 } values %VARIABLE;
    my @names  = grep { /$TELLING/ && !$is_own{$_} && defined _set($env->{$_}) } sort keys %$env;
    return @names ? { map { $_ => $env->{$_} } @names } : undef;
}

sub _limits {
    my ($self)  = @_;
    my $limits  = $self->{files}->content('/proc/self/limits');
    my ($stack) = $limits =~ /^Max stack size\s+(\S+)/m;
    my ($space) = $limits =~ /^Max address space\s+(\d{1,18})\s/m;
    return (
        stack_kb => !defined $stack ? undef : $stack =~ /\A\d{1,18}\z/ ? POSIX::floor($stack / 1024) : 0,
        memory_kb => defined $space ? POSIX::floor($space / 1024) : undef,
    );
}

sub _set {
    my ($value) = @_;
    return defined $value && $value =~ /\S/ ? "$value" : undef;
}

# Returns the libraries in /etc/ld.so.preload, or undef. Blanks or colons separate them in that file, and comments begin
# with "#".
sub _preload_file {
    my ($self) = @_;
    my @lines  = split /\n/, $self->{files}->content('/etc/ld.so.preload');
    my @names  = grep { length } map { split /[\s:]+/, s/#.*//r } @lines;
    return @names ? join q{ }, @names : undef;
}

sub _scratch {
    my ($self) = @_;
    my ($there, $below) = ($self->{tmpdir}, q{});
    ($there, $below) = (File::Basename::dirname($there), q{/} . File::Basename::basename($there) . $below)
        while !-e $there && $there ne File::Basename::dirname($there);
    my $real = Cwd::realpath($there) // $there;
    my $path = $real eq q{/} ? $below || q{/} : "$real$below";
    return $self->{files}->mount_facts($path);
}

sub _load {
    my ($self) = @_;
    my @load = ($self->{files}->line('/proc/loadavg') // q{}) =~ /\A(\d{1,9}[.]\d+) (\d{1,9}[.]\d+) (\d{1,9}[.]\d+) /;
    return @load ? [map { 0 + $_ } @load] : undef;
}

1;
