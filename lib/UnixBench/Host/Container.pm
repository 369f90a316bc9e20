package UnixBench::Host::Container;

# What keeps this process apart from the rest of its system, from what every user may read. The names are those of
# systemd-detect-virt(1), and "gvisor" and "kubernetes".

use strict;
use warnings;

use List::Util ();

# Files in which managers of containers say their name.
my @NAMES = qw(/run/host/container-manager /run/systemd/container);

# Files that tell by being there.
my @SIGNS = (['/run/.containerenv' => 'podman'], ['/.dockerenv' => 'docker']);

# How managers call the control groups of their containers.
my @GROUPS = (
    [qr{/docker[/-]} => 'docker'],
    [qr{libpod-}     => 'podman'],
    [qr{/kubepods}   => 'kubernetes'],
    [qr{/lxc[./]}    => 'lxc'],
);

# Who is asked, in this order; the first answer counts.
my @WITNESSES = (\&_gvisor, \&_virtuozzo, \&_subsystem, \&_given, \&_in_environment, \&_sign, \&_group);

# Makes one. files: a Host::Values; uname: the five texts of POSIX::uname.
sub new {
    my ($class, %given) = @_;
    return bless {%given}, $class;
}

# Returns its name, "container-other" where it has none that is known, "none" outside of containers, or undef where
# Linux' files are not there.
sub name {
    my ($self) = @_;
    return if !defined $self->{files}->text('/proc/cpuinfo');
    for my $witness (@WITNESSES) {
        my $name = $witness->($self);
        return $name if defined $name;
    }
    return 'none';
}

# A kernel in a process, which shows everywhere the same version.
sub _gvisor {
    my ($self) = @_;
    my (undef, undef, $release, $version) = @{ $self->{uname} };
    return $release =~ /gvisor/i || $version eq '#1 SMP Sun Jan 10 15:06:54 PST 2016' ? 'gvisor' : undef;
}

sub _virtuozzo {
    my ($self) = @_;
    return $self->{files}->names('/proc/vz') && !$self->{files}->names('/proc/bc') ? 'openvz' : undef;
}

sub _subsystem {
    my ($self) = @_;
    my $release = $self->{files}->line('/proc/sys/kernel/osrelease') // q{};
    return $release =~ /Microsoft|microsoft-standard|WSL/ ? 'wsl' : undef;
}

sub _given {
    my ($self) = @_;
    my $name = List::Util::first { defined } map { scalar $self->{files}->line($_) } @NAMES;
    return _name($name);
}

# Only for root.
sub _in_environment {
    my ($self) = @_;
    my ($name) = ($self->{files}->text('/proc/1/environ') // q{}) =~ /(?:\A|\0)container=([^\0]+)/;
    return _name($name);
}

sub _sign {
    my ($self) = @_;
    my $sign = List::Util::first { defined $self->{files}->text($_->[0]) } @SIGNS;
    return $sign->[1] if $sign;
    return $self->{files}->names('/run/secrets/kubernetes.io') ? 'kubernetes' : undef;
}

sub _group {
    my ($self) = @_;
    my $text   = $self->{files}->text('/proc/1/cgroup') // q{};
    my $row    = List::Util::first { $text =~ $_->[0] } @GROUPS;
    return $row && $row->[1];
}

sub _name {
    my ($name) = @_;
    return if !defined $name;
    return $name =~ /\A([a-z][a-z0-9-]{1,30})\z/ ? $1 : 'container-other';
}

1;
