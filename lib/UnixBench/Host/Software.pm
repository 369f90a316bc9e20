package UnixBench::Host::Software;

# The software that affects scores: the versions of tools, and the kernel's build and start: options, command line,
# preemption, mitigations. Unknown values are undef.

use strict;
use warnings;

use Cwd            ();
use File::Basename qw(basename);
use List::Util     ();

use UnixBench::Base::Arguments qw(named);

# The script that prints the version which a shell has in a variable. dash and busybox have none.
my $ASK_SHELL = 'echo "${BASH_VERSION:+bash $BASH_VERSION}${ZSH_VERSION:+zsh $ZSH_VERSION}'
    . '${YASH_VERSION:+yash $YASH_VERSION}${KSH_VERSION:+$KSH_VERSION}"';

# Returns the commands that tell a version on most machines.
sub questions {
    return (['sh', '-c', $ASK_SHELL], map { [$_, '--version'] } qw(sort grep ldd));
}

# Programs that contain many commands, and the option that prints their version.
my %SEVERAL = (busybox => ['--help'], toybox => ['--version']);

# Takes files => UnixBench::Host::KernelFiles, run and uname, see UnixBench::Host::Machine. Optionally takes which =>
# function that takes a program's name or path and returns its absolute path without links, or undef.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(files run uname which));
    return bless { %$given, which => $given->{which} || \&_which }, $class;
}

# Returns { distribution, sh, sort, grep, libc, perl }: each a line with name and version, or undef if unknown.
sub tools {
    my ($self) = @_;
    return {
        distribution => scalar $self->_distribution,
        sh           => scalar $self->_shell,
        sort         => scalar $self->_tool('sort'),
        grep         => scalar $self->_tool('grep'),
        libc         => scalar $self->_libc,
        perl         => sprintf('perl %vd', $^V),
    };
}

sub _distribution {
    my ($self) = @_;
    my %of     = $self->{files}->content('/etc/os-release') =~ /^(NAME|VERSION_ID)=["']?([^"'\n]+)/mg;
    return $of{NAME} && join q{ }, $of{NAME} =~ s{ GNU/Linux\z}{}r, $of{VERSION_ID} // ();
}

# Takes the suite's directory. Returns the hash of the commit that git has checked out there, or undef. If git keeps its
# data in another place or form than usual, it is asked.
sub git_revision {
    my ($self, $home) = @_;
    my $of   = sub { $self->{files}->content("$home/.git$_[0]") };
    my $head = $of->('/HEAD');
    return if !length $head && !length $of->(q{});
    my ($ref)  = $head                                   =~ /\Aref: (\S+)$/;
    my ($hash) = (defined $ref ? $of->("/$ref") : $head) =~ /\A([0-9a-f]{40,64})$/;
    ($hash) = $of->('/packed-refs') =~ /^([0-9a-f]{40,64}) \Q$ref\E$/m if !defined $hash && defined $ref;
    return $hash
        // scalar $self->_captured(qr/\A([0-9a-f]{40,64})$/, 'git', '--git-dir', "$home/.git", qw(rev-parse HEAD));
}

sub _shell {
    my ($self) = @_;
    my $path   = $self->{which}->('/bin/sh') // return;
    return $self->_several($path) // $self->_captured(qr/\A(?:@\(#\))?(\S.*?)\s*$/m, 'sh', '-c', $ASK_SHELL)
        // basename($path);
}

sub _tool {
    my ($self, $name) = @_;
    my $path = $self->{which}->($name) // return;
    return $self->_several($path) // $self->_captured(qr/\A(\S.*?)\s*$/m, $name, '--version') // basename($path);
}

# Returns the name and, if known, the version of a program that contains many commands, or undef for other programs.
sub _several {
    my ($self, $path) = @_;
    my $arguments = $SEVERAL{ basename($path) } // return;
    return $self->_captured(qr/\A(\S+ v?\d\S*(?: \([^()]*\))?)/, $path, @$arguments) // basename($path);
}

# Returns the version of the C library. On BSD and macOS it belongs to the system.
sub _libc {
    my ($self) = @_;
    my ($kernel, undef, $release) = @{ $self->{uname} };
    return "$kernel $release" if $kernel ne 'Linux';
    my $glibc = $self->_captured(qr/\Aldd \((.*G(?:NU|LIBC).*\) [\d.]+)$/m, 'ldd', '--version')
        // $self->_captured(qr/\Aglibc ([\d.]+)$/m, 'getconf', 'GNU_LIBC_VERSION');
    return $self->_musl if !defined $glibc;

    # "Debian GLIBC 2.36-9) 2.36", with the distribution's version, or "GNU libc) 2.38"
    my ($names, $version) = $glibc =~ /\A(?:(.*)\) )?([\d.]+)\z/;
    return "glibc $version" . (defined $names && $names =~ /\d/ ? " ($names)" : q{});
}

# Returns a line with the version of musl, or nothing. Its loader prints the version and exits with status 1 if it is
# called without a program.
sub _musl {
    my ($self)  = @_;
    my ($name)  = sort grep { /\Ald-musl-[\w-]+[.]so[.]1\z/ } $self->{files}->names('/lib') or return;
    my $version = $self->_captured(qr/^Version (\d\S*)/m, 'sh', '-c', '"$0" 2>&1; exit 0', "/lib/$name");
    return join q{ }, 'musl', grep { defined } $version;
}

sub _captured {
    my ($self, $pattern, @command) = @_;
    return (($self->{run}->(\@command) // q{}) =~ $pattern)[0];
}

sub _which {
    my ($program) = @_;
    my @paths     = $program =~ m{/} ? $program : map { "$_/$program" } grep { m{\A/} } split /:/, $ENV{PATH} // q{};
    my ($path)    = grep { -x && !-d _ } @paths;
    return defined $path ? Cwd::realpath($path) // $path : undef;
}

use constant MITIGATIONS => '/sys/devices/system/cpu/vulnerabilities';

# The module that reads a compressed configuration. If a small Perl does not have it, the configuration is not read.
# Modules that are built on it need four times the memory.
my $ZLIB = 'Compress/Raw/Zlib.pm';

# The preemption models: the end of the option that builds a model into the kernel, and the name of the model.
my @MODELS = ([RT => 'real-time'], [LAZY => 'lazy'], [q{} => 'full'], [VOLUNTARY => 'voluntary'], [NONE => 'none']);

# Options for debugging Linux, which slow everything down.
my @DEBUG = qw(
    PROVE_LOCKING LOCKDEP LOCK_STAT DEBUG_SPINLOCK DEBUG_MUTEXES DEBUG_ATOMIC_SLEEP DEBUG_OBJECTS DEBUG_KMEMLEAK
    DEBUG_PAGEALLOC_ENABLE_DEFAULT SLUB_DEBUG_ON KASAN KCSAN KMSAN
);

# Returns the facts about the kernel. The preemption may also be "none or voluntary", or "dynamic" if it was chosen at
# boot and is unknown. The command line has no address of a network card and no serial number, which firmware adds.
sub kernel {
    my ($self) = @_;
    my $hz     = $self->_option('HZ') // q{};
    my $line   = $self->{files}->line('/proc/cmdline');
    $line =~ s/(?<!\S)[^\s=]*(?:(?:mac|eth)addr|serial(?:no)?)=\K(?:"[^"]*"|\S+)/.../gi if defined $line;
    return {
        command_line => $line,
        preemption   => scalar $self->_preemption,
        hz           => $hz =~ /\A\d{1,6}\z/ ? 0 + $hz : undef,
        clock_source => scalar $self->{files}->line('/sys/devices/system/clocksource/clocksource0/current_clocksource'),
        mitigations  => scalar $self->_mitigations,
        debug        => scalar $self->_debug,
    };
}

sub _debug {
    my ($self) = @_;
    my @set = grep { ($self->_option($_) // q{}) eq 'y' } @DEBUG;
    return @set ? \@set : undef;
}

sub _mitigations {
    my ($self) = @_;
    my %text   = map { $_ => scalar $self->{files}->line(MITIGATIONS . "/$_") }
        grep { /\A[\w.-]+\z/ } $self->{files}->names(MITIGATIONS);
    delete @text{ grep { !defined $text{$_} } keys %text };
    return %text ? \%text : undef;
}

# Returns the preemption model, or undef. Reads the running kernel's files first, then its command line and its
# configuration.
sub _preemption {
    my ($self) = @_;
    my $files = $self->{files};
    my ($system, undef, undef, $version) = @{ $self->{uname} };
    return if $system ne 'Linux';
    return 'real-time' if ($files->number('/sys/kernel/realtime') // 0) == 1 || $version =~ /\bPREEMPT[_ ]RT\b/;
    my $is_dynamic = $version =~ /\bPREEMPT_DYNAMIC\b/;
    return
           $files->chosen('/sys/kernel/debug/sched/preempt')
        || $is_dynamic && $self->_asked_for
        || $self->_built_in
        || ($is_dynamic ? 'dynamic' : $version =~ /\bPREEMPT\b/ ? 'full' : 'none or voluntary');
}

sub _asked_for {
    my ($self) = @_;
    my @models = ($self->{files}->line('/proc/cmdline') // q{}) =~ /(?<!\S)preempt=(none|voluntary|lazy|full)(?!\S)/g;
    return $models[-1];
}

sub _built_in {
    my ($self) = @_;
    my $model = List::Util::first { ($self->_option(join '_', 'PREEMPT', grep { length } $_->[0]) // q{}) eq 'y' }
    @MODELS;
    return $model && $model->[1];
}

# Takes the name of an option of the kernel's configuration. Returns its value, such as "y" or "250", or undef if it is
# not set or nothing is known.
sub _option {
    my ($self, $name) = @_;
    $self->{configuration} //= $self->_configuration // q{};
    return $self->{configuration} =~ /^CONFIG_\Q$name\E=(\w{1,40})$/m ? $1 : undef;
}

sub _configuration {
    my ($self)     = @_;
    my $compressed = $self->{files}->text('/proc/config.gz');
    my $text       = defined $compressed ? _uncompressed($compressed) : undef;
    return $text if defined $text;
    my $release = $self->{uname}[2] // q{};
    return if $release !~ /\A\w[\w.+~-]*\z/;
    for my $path ("/boot/config-$release", map { "/lib/modules/$release/$_" } qw(config build/.config)) {
        $text = $self->{files}->text($path);
        return $text if defined $text;
    }
    return;
}

sub _uncompressed {
    my ($compressed) = @_;
    return if !eval { require $ZLIB };
    my $stream = Compress::Raw::Zlib::Inflate->new(WindowBits => Compress::Raw::Zlib::WANT_GZIP()) or return;
    my $status = $stream->inflate($compressed, my $text);
    return $status == Compress::Raw::Zlib::Z_STREAM_END() ? $text : undef;
}

1;
