package UnixBench::Host::Machine;

# This machine as the rest of the suite sees it: name, CPUs, memory, language, limits, programs. The facts come from
# /proc and /sys, or else from programs.

use strict;
use warnings;

use File::Basename ();
use List::Util     ();
use POSIX          ();

use UnixBench::Base::Arguments   qw(named);
use UnixBench::Host::Cgroup      ();
use UnixBench::Host::KernelFiles ();
use UnixBench::Host::Linux       ();

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

# What programs that exist on any Unix know of facts that /proc does not show.
my %BY_PROGRAMS = (
    usable_cpus => \&_count_of_cpus,
    cpu_kind    => \&_name_of_cpu,
    memory_kb   => \&_size_of_memory,
    cpus        => \&_equal_cpus,
    limits      => \&_limits_of_system,
);

# Takes these arguments, all of which are optional:
#   root, recorded  see UnixBench::Host::KernelFiles
#   run      function that takes the words of a command and returns its standard output, or undef if it failed
#   uname    [the five texts of POSIX::uname]
#   now      function that returns seconds since 1970
#   sysconf  function like POSIX::sysconf
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(root recorded run uname now sysconf));
    my $files = UnixBench::Host::KernelFiles->new(map { $_ => $given->{$_} } qw(root recorded));
    return bless {
        run     => $given->{run}     || sub { return },
        uname   => $given->{uname}   || [POSIX::uname()],
        now     => $given->{now}     || sub { time },
        sysconf => $given->{sysconf} || \&POSIX::sysconf,
        files   => $files,
        linux   => UnixBench::Host::Linux->new(files => $files),
    }, $class;
}

# Returns the host as a result has it, see UnixBench::Base::ResultSchema. The name of the renderer is undef until a
# session with graphics tests finds it out.
sub head {
    my ($self) = @_;
    my ($system, undef, $release, $version, $machine) = @{ $self->{uname} };
    my $os       = $self->_line('uname', '-o') || $system;
    my $platform = $self->_line('uname', '-i') || 'unknown';
    return {
        name      => $self->name,
        system    => $os,
        os        => $os,
        release   => $release,
        version   => $version,
        machine   => $machine,
        platform  => $platform,
        cpus      => $self->_known('cpus'),
        memory_kb => scalar $self->_known('memory_kb'),
        graphics  => undef,
        uptime    => $self->_uptime,
    };
}

# Takes the name of a locale; returns the commands whose output head() and language() need on most machines.
sub questions {
    my ($self, $lang) = @_;
    return (_of_language($lang), map { [split] } 'uname -o', 'uname -i', 'uptime', 'runlevel', 'who -r');
}

# Takes the name of a locale. Returns { lang, charmap, collate }: the name, and the character sets of its text and of
# its sorting. The program locale is run once for each name.
sub language {
    my ($self, $lang) = @_;
    return $self->{language}{$lang} ||= $self->_language($lang);
}

sub _of_language {
    my ($lang) = @_;
    return ['env', "LC_ALL=$lang", qw(locale -k charmap collate-codeset)];
}

sub _language {
    my ($self, $lang) = @_;
    my $text      = $self->{run}->(_of_language($lang)) || '';
    my ($charmap) = $text =~ /^charmap="?([^"\n]+)/m;
    my ($collate) = $text =~ /^collate-codeset="?([^"\n]+)/m;
    $charmap ||= _charmap($lang);
    return { lang => $lang, charmap => $charmap, collate => $collate || $charmap };
}

# Returns the number of CPUs that this process may use, at least 1.
sub usable_cpus {
    my ($self) = @_;
    return $self->_known('usable_cpus');
}

# Returns the CPU time that control groups allow, as a number of CPUs that may have a fraction, or undef without a
# limit.
sub quota {
    my ($self) = @_;
    return UnixBench::Host::Cgroup->new(files => $self->{files})->quota;
}

# Returns a text that identifies the kind of CPU: programs that were built for one kind may not run on another. Returns
# undef if it is unknown.
# build/record.sh makes the same text.
sub cpu_kind {
    my ($self) = @_;
    return $self->_known('cpu_kind');
}

# Returns the limits of this process. Each is undef if there is no limit or it is unknown:
#   open_files, open_files_max  open files, and the limit to which the process may raise this limit
#   descriptors                 file descriptors that are open now
#   processes, processes_max    processes of its user, and the limit to which the process may raise this limit
#   user_processes              processes that its user has now
#   cgroup_processes            further processes that the control group allows
#   memory_kb                   free memory
#   cgroup_memory_kb            further memory that the control group allows
sub limits {
    my ($self) = @_;
    return $self->_known('limits');
}

# Takes an absolute path, which need not exist yet. Returns { free_kb (undef if unknown), device, is_in_memory } of its
# file system.
sub space {
    my ($self, $path) = @_;
    $path = File::Basename::dirname($path) while !-e $path && $path ne q{/};
    my $device = (stat $path)[0];
    return {
        free_kb      => scalar $self->_free_kb($path, $device),
        device       => $device,
        is_in_memory => $self->{files}->is_in_memory($device),
    };
}

# Returns the free KB, or undef. The program df is run once for each file system. Its columns are those of POSIX.
sub _free_kb {
    my ($self, $path, $device) = @_;
    return $self->{free_kb}{$device} if exists $self->{free_kb}{$device};
    my $text = $self->{run}->(['df', '-P', '-k', $path]) // q{};
    my ($all, $free) = $text =~ m{\s(\d+)\s+-?\d+\s+(-?\d+)\s+(?:\d+%|-)\s+/.*\s*\z};
    return $self->{free_kb}{$device} = $all ? List::Util::max($free, 0) : undef;
}

# Takes the name or the path of a program. Returns whether it can be run.
sub has_program {
    my ($self, $program) = @_;
    my @paths = $program =~ m{/} ? $program : map { "$_/$program" } grep { length } split /:/, $ENV{PATH} // q{};
    return scalar grep { -x && !-d _ } @paths;
}

# Returns the display for graphics tests: "given" for that of DISPLAY, "virtual" if Xvfb can make one, or undef.
sub display {
    my ($self) = @_;
    return 'given' if length($ENV{DISPLAY} // q{});
    return $self->has_program('Xvfb') ? 'virtual' : undef;
}

# Returns why the display of DISPLAY can't be opened, or undef. Stays connected to it.
sub display_refusal {
    my ($self) = @_;
    return if ($self->display // q{}) ne 'given';
    require UnixBench::Host::XServer;
    my $is_known = exists $self->{x_server};
    return $self->{no_x_server}
        if $is_known || eval { $self->{x_server} = UnixBench::Host::XServer->connected(\%ENV); 1 };
    $self->{x_server} = undef;
    return $self->{no_x_server} = "the X display $ENV{DISPLAY} can't be opened: " . $@ =~ s/\n\z//r;
}

# Returns the PID of the X server to which it is connected, see UnixBench::Host::XServer, or undef.
sub x_server_pid { my ($self) = @_; return $self->{x_server} ? $self->{x_server}->pid : undef }

# Takes an absolute path; returns the content of that file of the machine, an empty text if it can't be read.
sub content {
    my ($self, $path) = @_;
    return $self->{files}->content($path);
}

# Returns the machine's name. Linux calls a machine without a name "(none)".
sub name {
    my ($self) = @_;
    my $name = $self->{uname}[1];
    return length $name && $name ne '(none)' ? $name : 'localhost';
}

sub _known {
    my ($self, $fact) = @_;
    my $value = $self->{linux}->$fact;
    return defined $value ? $value : $BY_PROGRAMS{$fact}->($self);
}

sub _line {
    my ($self, @words) = @_;
    my $text = $self->{run}->(\@words);
    return unless defined $text;
    my ($line) = $text =~ /^\s*(.*?)\s*$/m;
    return $line;
}

sub _uptime {
    my ($self)  = @_;
    my $uptime  = $self->_line('uptime') || $self->{linux}->uptime($self->{now}->()) || 'uptime unknown';
    my ($level) = ($self->_line('runlevel') || '') =~ /^\S+ (\w)$/;
    ($level) = ($self->_line('who', '-r') || '') =~ /run-level (\w)/ unless defined $level;
    return defined $level ? "$uptime; runlevel $level" : $uptime;
}

sub _count_of_cpus {
    my ($self) = @_;
    delete local @ENV{@OF_OPENMP};
    my ($count) = $self->_first(qr/^\s*([1-9][0-9]*)\s*$/, @COUNTS);
    return $count || 1;
}

sub _name_of_cpu {
    my ($self) = @_;
    my ($name) = $self->_first(qr/^\s*(\S.*?)\s*$/, @NAMES);
    return $name;
}

sub _size_of_memory {
    my ($self)  = @_;
    my ($bytes) = $self->_first($NUMBER, map { ['sysctl', '-n', $_] } @MEMORY);
    return defined $bytes ? $bytes / 1024 : undef;
}

# Returns all CPUs, of which only the name is known, or else the kind of machine.
sub _equal_cpus {
    my ($self) = @_;
    my $model = $self->_name_of_cpu // $self->{uname}[4];
    return [map { +{ id => $_, model => $model, bogomips => undef, flags => [], features => [] } }
            0 .. $self->_count_of_cpus - 1];
}

# Takes the name of a locale. Returns UTF-8 if the locale is installed and its name ends in utf8 or utf-8, else the
# character set of the locale C.
sub _charmap {
    my ($lang)   = @_;
    my $before   = POSIX::setlocale(POSIX::LC_CTYPE());
    my $is_there = POSIX::setlocale(POSIX::LC_CTYPE(), $lang);
    POSIX::setlocale(POSIX::LC_CTYPE(), $before) if defined $before;
    return $is_there && $lang =~ /utf-?8$/i ? 'UTF-8' : 'ANSI_X3.4-1968';
}

sub _limits_of_system {
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
