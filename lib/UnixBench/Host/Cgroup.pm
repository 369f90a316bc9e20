package UnixBench::Host::Cgroup;

# Reads what the control groups of this process say, in both versions of Linux' control groups: its own
# group's files and those of all groups above it that can be seen.

use strict;
use warnings;

# Makes one. read: a function that takes an absolute path and returns the file's text, or undef.
sub new {
    my ($class, %given) = @_;
    return bless { read => $given{read} }, $class;
}

# Takes a controller's name in version 1 and the names of files; returns one list of texts (undef for a file
# that is not there) for each of this process's groups, from its own upwards.
sub values_v1 {
    my ($self, $controller, @names) = @_;
    my $among_others = qr/(?:[^:\n]*,)?\Q$controller\E(?:,[^:\n]*)?/;
    my ($path)       = $self->_text('/proc/self/cgroup') =~ /^\d+:$among_others:(.*)$/m;
    my ($mount)      = grep { $_->{type} eq 'cgroup' && $_->{options} =~ /^$among_others$/ } $self->_mounts;
    return $self->_values($path, $mount, @names);
}

# The same for version 2.
sub values_v2 {
    my ($self, @names) = @_;
    my ($path)  = $self->_text('/proc/self/cgroup') =~ /^0::(.*)$/m;
    my ($mount) = grep { $_->{type} eq 'cgroup2' } $self->_mounts;
    return $self->_values($path, $mount, @names);
}

sub _values {
    my ($self, $path, $mount, @names) = @_;
    return unless defined $path && $mount;
    return map { $self->_files($_, @names) } _directories($path, $mount);
}

sub _files {
    my ($self, $directory, @names) = @_;
    my @texts = map { $self->{read}->("$directory/$_") } @names;
    return grep({ defined } @texts) ? \@texts : ();
}

# From the group's own directory up to the mount point. In a container the mount often shows the group's own
# part of the tree only, and a path that leads out of it (/..) shows that nothing below is meant.
sub _directories {
    my ($path, $mount) = @_;
    my $top   = $mount->{root} eq '/'        ? ''       : $mount->{root};
    my $below = $path =~ m{^\Q$top\E(/.*)?$} ? $1 // '' : '';
    my @parts = grep { length } split m{/}, $below;
    @parts = () if grep { $_ eq '..' } @parts;
    return map { join '/', $mount->{point}, @parts[0 .. $_ - 1] } reverse 0 .. @parts;
}

# The mounts of control groups: { root, point, type, options }.
sub _mounts {
    my ($self) = @_;
    my @mounts;
    for my $line (split /\n/, $self->_text('/proc/self/mountinfo')) {
        my ($before, $after) = split / - /, $line, 2;
        my ($type, undef, $options) = split ' ', $after // '';
        next unless ($type // '') =~ /^cgroup2?$/;
        my (undef, undef, undef, $root, $point) = map { s/\\([0-7]{3})/chr oct $1/egr } split ' ', $before;
        next unless defined $point;
        push @mounts, { root => $root, point => $point, type => $type, options => $options // '' };
    }
    return @mounts;
}

sub _text {
    my ($self, $path) = @_;
    return $self->{read}->($path) // '';
}

1;
