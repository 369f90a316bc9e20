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

sub _generic {
    my ($self) = @_;
    require UnixBench::Host::Generic;
    return UnixBench::Host::Generic->new(map { $_ => $self->{$_} } qw(run uname sysconf));
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
    $charmap ||= $self->_generic->charmap($lang);
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
    return defined $value ? $value : $self->_generic->$fact;
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

1;
