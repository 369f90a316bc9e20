package UnixBench::Host::Generic;

# Facts about the machine from programs that exist on any Unix, for systems without /proc. Linux loads this module only
# for what it does not show.

use strict;
use warnings;

use POSIX ();

use UnixBench::Base::Arguments qw(named);

# Commands, each of which prints the number of CPUs on some system. nproc is first, because it respects the affinity
# mask. hw.ncpu also counts CPUs that are not online, such as the second threads of cores, which OpenBSD does not use.
my @COUNTS = (
    ['nproc'],
    ['getconf', '_NPROCESSORS_ONLN'],
    ['getconf', 'NPROCESSORS_ONLN'],
    ['sysctl',  '-n', 'hw.ncpuonline'],
    ['sysctl',  '-n', 'hw.ncpu'],
);

# If one of these variables is set, nproc prints the number for OpenMP.
my @OF_OPENMP = qw(OMP_NUM_THREADS OMP_THREAD_LIMIT);

# Commands, each of which prints the name of the CPU on some system.
my @NAMES = (['sysctl', '-n', 'machdep.cpu.brand_string'], ['sysctl', '-n', 'hw.model']);

# The facts that sysctl(8) prints on BSD and macOS: the place of the fact, the pattern for its value, and its names on
# different systems.
my $NUMBER = qr/\A(\d{1,15})\s*\z/;
my $LOAD   = qr/\d{1,9}[.,]\d+/;                       # FreeBSD writes a comma in some languages
my @MEMORY = qw(hw.memsize hw.physmem64 hw.physmem);
my @SYSCTL = (
    ['cpu cores',                 $NUMBER,                 'hw.physicalcpu', 'kern.smp.cores'],
    ['cpu threads',               $NUMBER,                 'hw.logicalcpu',  'hw.ncpuonline', 'hw.ncpu'],
    ['virtualization hypervisor', qr/\A([\w-]+)\s*\z/,     'kern.vm_guest'],
    ['load',                      qr/($LOAD $LOAD $LOAD)/, 'vm.loadavg'],
);

# Takes run, uname and sysconf, see UnixBench::Host::Machine.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(run uname sysconf)), $class;
}

# Returns the number of CPUs that are online, at least 1.
sub usable_cpus {
    my ($self) = @_;
    delete local @ENV{@OF_OPENMP};
    my ($count) = $self->_first(qr/^\s*([1-9][0-9]*)\s*$/, @COUNTS);
    return $count || 1;
}

# Returns the name of the CPU, or undef if it is unknown.
sub cpu_kind {
    my ($self) = @_;
    my ($name) = $self->_first(qr/^\s*(\S.*?)\s*$/, @NAMES);
    return $name;
}

# Returns the size of the memory in KB, or undef if it is unknown.
sub memory_kb {
    my ($self)  = @_;
    my ($bytes) = $self->_first($NUMBER, map { ['sysctl', '-n', $_] } @MEMORY);
    return defined $bytes ? $bytes / 1024 : undef;
}

# Returns all CPUs, of which only the name is known, or else the kind of machine, see UnixBench::Host::Machine::head.
sub cpus {
    my ($self) = @_;
    my $model = $self->cpu_kind // $self->{uname}[4];
    return [map { +{ id => $_, model => $model, bogomips => undef, flags => [], features => [] } }
            0 .. $self->usable_cpus - 1];
}

# Takes the name of a locale. Returns UTF-8 if the locale is installed and its name ends in utf8 or utf-8, else the
# character set of the locale C.
sub charmap {
    my ($self, $lang) = @_;
    my $before   = POSIX::setlocale(POSIX::LC_CTYPE());
    my $is_there = POSIX::setlocale(POSIX::LC_CTYPE(), $lang);
    POSIX::setlocale(POSIX::LC_CTYPE(), $before) if defined $before;
    return $is_there && $lang =~ /utf-?8$/i ? 'UTF-8' : 'ANSI_X3.4-1968';
}

# Returns { open_files, processes }, see UnixBench::Host::Machine::limits.
sub limits {
    my ($self) = @_;
    return {
        open_files => $self->_limit('_SC_OPEN_MAX'),
        processes  => $> == 0 ? undef : $self->_limit('_SC_CHILD_MAX'),
    };
}

# Takes the name of a limit for sysconf(). Returns the limit, or undef if there is none or the system does not know the
# name.
sub _limit {
    my ($self, $name) = @_;
    my $limit = eval { $self->{sysconf}->(POSIX->can($name)->()) };
    return defined $limit && $limit > 0 ? $limit : undef;
}

# Takes the facts of UnixBench::Host::Facts. Adds those that are missing and that sysctl(8) knows.
sub complete {
    my ($self, $facts) = @_;
    for my $row (@SYSCTL) {
        my ($place, $pattern, @names) = @$row;
        my ($fact, @groups) = reverse split / /, $place;
        my $group = @groups ? $facts->{ $groups[0] } : $facts;
        next if defined $group->{$fact};
        my ($text) = $self->_first($pattern, map { ['sysctl', '-n', $_] } @names) or next;
        $group->{$fact} = $text =~ $NUMBER ? 0 + $text : $text;
        $group->{$fact} = [map { 0 + $_ } split q{ }, $text =~ tr/,/./r] if $fact eq 'load';
    }
    return;
}

sub _first {
    my ($self, $pattern, @commands) = @_;
    for my $command (@commands) {
        my $text = $self->{run}->($command);
        return $1 if defined $text && $text =~ $pattern;
    }
    return;
}

1;
