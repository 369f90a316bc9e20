package UnixBench::Host::Tools;

# The versions of what the tests use of the system: shell, sort, grep, C library, and Perl.

use strict;
use warnings;

use Cwd            ();
use File::Basename qw(basename);

# In which variable a shell keeps its version; dash and busybox have none.
my $ASK_SHELL = 'echo "${BASH_VERSION:+bash $BASH_VERSION}${ZSH_VERSION:+zsh $ZSH_VERSION}'
    . '${YASH_VERSION:+yash $YASH_VERSION}${KSH_VERSION:+$KSH_VERSION}"';

# What asks for the version of a package, and where that is in the answer.
my @PACKAGES = (
    [['dpkg-query', '-W', '-f', '${Version}\n', '{name}'],                qr/\A(\S+)$/m],
    [['rpm', '-q', '--queryformat', '%{VERSION}-%{RELEASE}\n', '{name}'], qr/\A(\S+)$/m],
    [['apk', 'info', '-W', '{path}'],                                     qr/ owned by \S+?-(\d\S*)$/m],
    [['pacman', '-Q', '{name}'],                                          qr/\A\S+ (\S+)$/m],
);

# Programs that are many in one, and what lets them tell their version.
my %SEVERAL = (busybox => ['--help'], toybox => ['--version']);

# Makes one. files: a Host::Values; run: see Host; uname: the five texts of POSIX::uname; which: a function that takes
# a program's name or path and returns the absolute path behind all links, or undef when there is none.
sub new {
    my ($class, %given) = @_;
    return bless { which => \&_which, %given }, $class;
}

# Returns { sh, sort, grep, libc, perl }: a line with name and version each, undef where it is not known.
sub facts {
    my ($self) = @_;
    return {
        sh   => scalar $self->_shell,
        sort => scalar $self->_tool('sort'),
        grep => scalar $self->_tool('grep'),
        libc => scalar $self->_libc,
        perl => sprintf('perl %vd', $^V),
    };
}

# The one of scripts.
sub _shell {
    my ($self) = @_;
    my $path   = $self->{which}->('/bin/sh') // return;
    my $name   = basename($path);
    return $self->_several($path) // $self->_said(qr/\A(?:@\(#\))?(\S.*?)\s*$/m, 'sh', '-c', $ASK_SHELL) // join q{ },
        $name, grep { defined } $self->_package($name, $path);
}

sub _tool {
    my ($self, $name) = @_;
    my $path = $self->{which}->($name) // return;
    return $self->_several($path) // $self->_said(qr/\A(\S.*?)\s*$/m, $name, '--version') // basename($path);
}

# The version of a program that is many, or undef.
sub _several {
    my ($self, $path) = @_;
    my $arguments = $SEVERAL{ basename($path) } // return;
    return $self->_said(qr/\A(\S+ v?\d\S*(?: \([^()]*\))?)/, $path, @$arguments) // basename($path);
}

sub _package {
    my ($self, $name, $path) = @_;
    my %word = ('{name}' => $name, '{path}' => $path);
    for my $package (@PACKAGES) {
        my ($command, $pattern) = @$package;
        my $version = $self->_said($pattern, map { $word{$_} // $_ } @$command);
        return $version if defined $version;
    }
    return;
}

# BSD and macOS have it with the rest of the system.
sub _libc {
    my ($self) = @_;
    my ($kernel, undef, $release) = @{ $self->{uname} };
    return "$kernel $release" if $kernel ne 'Linux';
    my $glibc = $self->_said(qr/\Aldd \((.*G(?:NU|LIBC).*\) [\d.]+)$/m, 'ldd', '--version')
        // $self->_said(qr/\Aglibc ([\d.]+)$/m, 'getconf', 'GNU_LIBC_VERSION');
    return defined $glibc ? _glibc($glibc) : $self->_musl;
}

# "Debian GLIBC 2.36-9) 2.36" has the distribution's version, "GNU libc) 2.38" has none.
sub _glibc {
    my ($text) = @_;
    my ($names, $version) = $text =~ /\A(?:(.*)\) )?([\d.]+)\z/;
    return "glibc $version" . (defined $names && $names =~ /\d/ ? " ($names)" : q{});
}

# Its loader tells it to those who call it without a program, with a status of 1.
sub _musl {
    my ($self)  = @_;
    my ($name)  = sort grep { /\Ald-musl-[\w-]+[.]so[.]1\z/ } $self->{files}->names('/lib') or return;
    my $version = $self->_said(qr/^Version (\d\S*)/m, 'sh', '-c', '"$0" 2>&1; exit 0', "/lib/$name");
    return join q{ }, 'musl', grep { defined } $version;
}

# What the pattern finds in the output of a command, or undef.
sub _said {
    my ($self, $pattern, @command) = @_;
    return (($self->{run}->(\@command) // q{}) =~ $pattern)[0];
}

sub _which {
    my ($program) = @_;
    my @paths     = $program =~ m{/} ? $program : map { "$_/$program" } grep { m{\A/} } split /:/, $ENV{PATH} // q{};
    my ($path)    = grep { -x && !-d _ } @paths;
    return defined $path ? Cwd::realpath($path) // $path : undef;
}

1;
