package UnixBench::Host::Machine;

# The facts about this machine, its CPUs and its language, from /proc and /sys where they are there and from
# programs where they are not.

use strict;
use warnings;

use File::Basename ();
use List::Util     ();
use POSIX          ();

use UnixBench::Host::Generic;
use UnixBench::Host::Limits;
use UnixBench::Host::Linux;
use UnixBench::Host::Root;

# Where X servers have their fonts for many languages, and what is in a list of those that tests of text draw with.
my @FONTS = map { "$_/misc/fonts.dir" } qw(/usr/share/fonts/X11 /usr/share/X11/fonts /usr/share/fonts
    /usr/share/fonts/xorg /usr/local/share/fonts /opt/X11/share/fonts /opt/homebrew/share/fonts/X11);
my $IS_FOR_X11 = qr/-jisx0208[.]1983-/;

# Makes a host. root: what stands before /proc and /sys, default none; run: a function that takes a list of
# words, runs them and returns what they print on standard output, or undef when that failed; uname: the five
# texts of POSIX::uname; now: a function that returns seconds since 1970; sysconf: a function like POSIX::sysconf.
sub new {
    my ($class, %given) = @_;
    my $self = bless {
        run   => $given{run}   || sub { return },
        uname => $given{uname} || [POSIX::uname()],
        now   => $given{now}   || sub { time },
    }, $class;
    my $root = $self->{root} = UnixBench::Host::Root->new($given{root});
    $self->{linux}   = UnixBench::Host::Linux->new(root => $root);
    $self->{limits}  = UnixBench::Host::Limits->new(root => $root);
    $self->{generic} = UnixBench::Host::Generic->new(
        run     => $self->{run},
        uname   => $self->{uname},
        sysconf => $given{sysconf} || \&POSIX::sysconf
    );
    return $self;
}

# Returns { name, system, os, release, version, machine, platform, cpus, memory_kb, graphics, uptime }; texts all,
# but for memory_kb, undef where it is not known, and cpus: [{ id, model, bogomips, flags, features }, ...].
# bogomips is a text with one decimal, or undef; flags are the kernel's words on x86, features those on ARM.
# graphics is the renderer's name, undef until a session with graphics tests has asked for it.
sub facts {
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
        memory_kb => scalar $self->{linux}->memory_kb,
        graphics  => undef,
        uptime    => $self->_uptime,
    };
}

# Returns { lang, charmap, collate } of the language with that name: the character sets that its text and its
# sorting use here.
sub language {
    my ($self, $lang) = @_;
    my $text      = $self->{run}->(['env', "LC_ALL=$lang", 'locale', '-k', 'charmap', 'collate-codeset']) || '';
    my ($charmap) = $text =~ /^charmap="?([^"\n]+)/m;
    my ($collate) = $text =~ /^collate-codeset="?([^"\n]+)/m;
    $charmap ||= $self->{generic}->charmap($lang);
    return { lang => $lang, charmap => $charmap, collate => $collate || $charmap };
}

# Returns the number of CPUs that this process may use, at least 1.
sub usable_cpus {
    my ($self) = @_;
    return $self->_known('usable_cpus');
}

# Returns how many CPUs' time the control groups allow, perhaps a fraction; undef without such a limit.
sub quota {
    my ($self) = @_;
    return $self->{linux}->quota;
}

# Returns a text that differs where programs made for one kind of CPU may not run on the other;
# build/record.sh makes the same.
sub cpu_kind {
    my ($self) = @_;
    return $self->_known('cpu_kind');
}

# Returns what this process may have: { open_files, open_files_max (what it may raise that to), descriptors (open now),
# processes, processes_max, user_processes (of its user now), cgroup_processes (how many more), kernel =>
# { name of a setting => { limit, used } }, memory_kb (free), cgroup_memory_kb (how much more) }; undef where there is
# no limit, or none is known.
sub limits {
    my ($self) = @_;
    return $self->{limits}->limits || $self->{generic}->limits;
}

# Takes an absolute path, which need not be there yet; returns { free_kb (undef when unknown), device, is_in_memory } of
# the file system that it is on, or would be.
sub space {
    my ($self, $path) = @_;
    $path = File::Basename::dirname($path) while !-e $path && $path ne q{/};
    my $device = (stat $path)[0];
    return {
        free_kb      => scalar $self->{generic}->free_kb($path),
        device       => $device,
        is_in_memory => $self->{limits}->is_in_memory($device),
    };
}

# Takes the name or the path of a program; returns whether it can be run.
sub has_program {
    my ($self, $program) = @_;
    my @paths = $program =~ m{/} ? $program : map { "$_/$program" } grep { length } split /:/, $ENV{PATH} // q{};
    return scalar grep { -x && !-d _ } @paths;
}

# Returns the display that graphics tests can use: "given", the one that DISPLAY names, "virtual", one that Xvfb can
# make, or undef.
sub display {
    my ($self) = @_;
    return 'given' if length($ENV{DISPLAY} // q{});
    return $self->has_program('Xvfb') ? 'virtual' : undef;
}

# Whether the fonts are here that a virtual display needs for the tests of text.
sub has_x11_fonts {
    my ($self) = @_;
    return defined List::Util::first { ($self->{root}->text($_) // q{}) =~ $IS_FOR_X11 } @FONTS;
}

# Returns the machine's name. Linux calls one that nobody has named "(none)".
sub name {
    my ($self) = @_;
    my $name = $self->{uname}[1];
    return length $name && $name ne '(none)' ? $name : 'localhost';
}

# What Linux tells, or else what is known everywhere.
sub _known {
    my ($self, $fact) = @_;
    my $value = $self->{linux}->$fact;
    return defined $value ? $value : $self->{generic}->$fact;
}

sub _line {
    my ($self, @words) = @_;
    my $text = $self->{run}->(\@words);
    return unless defined $text;
    my ($line) = $text =~ /^\s*(.*?)\s*$/m;
    return $line;
}

# The last line of the report's head.
sub _uptime {
    my ($self) = @_;
    my $uptime = $self->_line('uptime') || $self->{linux}->uptime($self->{now}->()) || 'uptime unknown';
    my $level  = $self->_runlevel;
    return defined $level ? "$uptime; runlevel $level" : $uptime;
}

sub _runlevel {
    my ($self)  = @_;
    my ($level) = ($self->_line('runlevel') || '') =~ /^\S+ (\w)$/;
    ($level) = ($self->_line('who', '-r') || '') =~ /run-level (\w)/ unless defined $level;
    return $level;
}

1;
