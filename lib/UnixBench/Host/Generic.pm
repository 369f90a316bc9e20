package UnixBench::Host::Generic;

# What any Unix tells about itself by its programs: the way out where there is no /proc.

use strict;
use warnings;

use POSIX ();

# Each prints the number of CPUs, somewhere; nproc comes first, because it knows of the affinity mask.
my @COUNTS =
    (['nproc'], ['getconf', '_NPROCESSORS_ONLN'], ['getconf', 'NPROCESSORS_ONLN'], ['sysctl', '-n', 'hw.ncpu'],);

# With these in the environment nproc prints what OpenMP is to use.
my @OF_OPENMP = qw(OMP_NUM_THREADS OMP_THREAD_LIMIT);

# Each prints the name of the CPU, somewhere.
my @NAMES = (['sysctl', '-n', 'machdep.cpu.brand_string'], ['sysctl', '-n', 'hw.model']);

# Makes one. run, uname and sysconf: see Host.
sub new {
    my ($class, %given) = @_;
    return bless {%given}, $class;
}

# Returns the number of CPUs that are online, at least 1.
sub usable_cpus {
    my ($self) = @_;
    delete local @ENV{@OF_OPENMP};
    my ($count) = $self->_first(qr/^\s*([1-9][0-9]*)\s*$/, @COUNTS);
    return $count || 1;
}

# Returns the name of the CPU, or at least the kind of machine.
sub cpu_kind {
    my ($self) = @_;
    my ($name) = $self->_first(qr/^\s*(\S.*?)\s*$/, @NAMES);
    return defined $name ? $name : $self->{uname}[4];
}

# Returns as many CPUs as there are, each known by name only; see Host::facts.
sub cpus {
    my ($self) = @_;
    my $model = $self->cpu_kind;
    return [map { +{ id => $_, model => $model, bogomips => undef, flags => [], features => [] } }
            0 .. $self->usable_cpus - 1];
}

# Returns the character set of the language with that name, as the C library has it: of text in C when the
# language is not installed.
sub charmap {
    my ($self, $lang) = @_;
    my $before   = POSIX::setlocale(POSIX::LC_CTYPE());
    my $is_there = POSIX::setlocale(POSIX::LC_CTYPE(), $lang);
    POSIX::setlocale(POSIX::LC_CTYPE(), $before) if defined $before;
    return $is_there && $lang =~ /utf-?8$/i ? 'UTF-8' : 'ANSI_X3.4-1968';
}

# Returns { open_files, processes }, see Host::limits.
sub limits {
    my ($self) = @_;
    return {
        open_files => $self->_limit('_SC_OPEN_MAX'),
        processes  => $> == 0 ? undef : $self->_limit('_SC_CHILD_MAX'),
    };
}

# Takes a path that is there; returns the KB that can be written to its file system yet, or undef when that is not
# known. The columns: df in POSIX.
sub free_kb {
    my ($self, $path) = @_;
    my $text = $self->{run}->(['df', '-P', '-k', $path]) // return;
    my ($all, $free) = $text =~ m{\s(\d+)\s+-?\d+\s+(-?\d+)\s+(?:\d+%|-)\s+/.*\s*\z} or return;
    return if !$all;
    return $free > 0 ? $free : 0;
}

# A limit of sysconf's, or undef. Not every system has a name for each.
sub _limit {
    my ($self, $name) = @_;
    my $limit = eval { $self->{sysconf}->(POSIX->can($name)->()) };
    return defined $limit && $limit > 0 ? $limit : undef;
}

# What the pattern finds in the output of the first command where it finds anything.
sub _first {
    my ($self, $pattern, @commands) = @_;
    for my $command (@commands) {
        my $text = $self->{run}->($command);
        return $1 if defined $text && $text =~ $pattern;
    }
    return;
}

1;
