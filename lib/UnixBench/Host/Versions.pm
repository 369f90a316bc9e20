package UnixBench::Host::Versions;

# Versions of the programs that the tests use: shell, sort, grep, C library, Perl, and the commit of the suite.

use strict;
use warnings;

use Cwd            ();
use File::Basename qw(basename);

use UnixBench::Base::Arguments qw(named);

# The script that prints the version which a shell has in a variable. dash and busybox have none.
my $ASK_SHELL = 'echo "${BASH_VERSION:+bash $BASH_VERSION}${ZSH_VERSION:+zsh $ZSH_VERSION}'
    . '${YASH_VERSION:+yash $YASH_VERSION}${KSH_VERSION:+$KSH_VERSION}"';

# Programs that contain many commands, and the option that prints their version.
my %SEVERAL = (busybox => ['--help'], toybox => ['--version']);

# Takes files => UnixBench::Host::KernelFiles, run and uname, see UnixBench::Host::Machine. Optionally takes which =>
# function that takes a program's name or path and returns its absolute path without links, or undef.
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(files run uname which));
    return bless { %$given, which => $given->{which} || \&_which }, $class;
}

# Returns { sh, sort, grep, libc, perl }: each a line with name and version, or undef if unknown.
sub tools {
    my ($self) = @_;
    return {
        sh   => scalar $self->_shell,
        sort => scalar $self->_tool('sort'),
        grep => scalar $self->_tool('grep'),
        libc => scalar $self->_libc,
        perl => sprintf('perl %vd', $^V),
    };
}

# Takes the suite's directory. Returns the hash of the commit that git has checked out there, or undef.
sub git_revision {
    my ($self, $home) = @_;
    return $self->_captured(qr/\A([0-9a-f]{40,64})$/, 'git', '--git-dir', "$home/.git", qw(rev-parse HEAD));
}

# Returns the name and, if known, the version of /bin/sh, or undef.
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
    return defined $glibc ? _glibc($glibc) : $self->_musl;
}

# Takes "Debian GLIBC 2.36-9) 2.36", with the distribution's version, or "GNU libc) 2.38". Returns a line.
sub _glibc {
    my ($text) = @_;
    my ($names, $version) = $text =~ /\A(?:(.*)\) )?([\d.]+)\z/;
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

# Returns what the pattern captures in the output of a command, or undef.
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

1;
