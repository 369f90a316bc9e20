package UnixBench::Host::Mounts;

# On which of Linux' file systems a file lies: mountinfo in proc(5).

use strict;
use warnings;

# Makes one. files: a Host::Values.
sub new {
    my ($class, %given) = @_;
    return bless {%given}, $class;
}

# Takes an absolute path without links in it; returns { file_system, device, mount_point, mount_options }, each undef
# where it is not known. Options of the mount and of the file system are in one list.
sub facts {
    my ($self, $path) = @_;
    my $mount = $self->_mount_of($path) || {};
    return { map { $_ => $mount->{$_} } qw(file_system device mount_point mount_options) };
}

# The way of the kernel: from the root through the mounts upon mounts that are met first. So one that lies under a
# later one is not found, whatever the order of the lines is.
sub _mount_of {
    my ($self, $path) = @_;
    my %children;
    my @mounts = $self->_mounts;
    my %is_id  = map { $_->{id} => 1 } @mounts;
    for my $mount (grep { _is_below($path, $_->{mount_point}) } @mounts) {
        my $is_top = !$is_id{ $mount->{parent} } || $mount->{parent} == $mount->{id};
        push @{ $children{ $is_top ? 'top' : $mount->{parent} } }, $mount;
    }
    my ($next, $found) = 'top';
    while (my $among = delete $children{$next}) {
        $found = _first_met(@$among);
        $next  = $found->{id};
    }
    return $found;
}

# The one with the shortest path, and of several there the last.
sub _first_met {
    my ($first, @others) = @_;
    for my $other (@others) {
        $first = $other if length $other->{mount_point} <= length $first->{mount_point};
    }
    return $first;
}

sub _is_below {
    my ($path, $point) = @_;
    return $point eq q{/} || $path eq $point || index($path, "$point/") == 0;
}

sub _mounts {
    my ($self) = @_;
    return map { _mount($_) } split /\n/, $self->{files}->text('/proc/self/mountinfo') // q{};
}

sub _mount {
    my ($line) = @_;
    my ($before, $after) = split / - /, $line, 2;
    return if !defined $after;
    my ($id, $parent, undef, undef, $point, $own) = map { _unescaped($_) } split q{ }, $before;
    my ($type, $device, $common) = map { _unescaped($_) } split / /, $after;
    return if !defined $own || !defined $type || "$id $parent" !~ /\A\d{1,15} \d{1,15}\z/;
    return {
        id            => $id,
        parent        => $parent,
        mount_point   => $point,
        file_system   => $type,
        device        => $device,
        mount_options => _together($own, $common // q{}),
    };
}

# Each option once; what is read-only in one way is.
sub _together {
    my (@lists) = @_;
    my %seen;
    my @options = grep { length && !$seen{$_}++ } map { split /,/ } @lists;
    return join q{,}, grep { !($seen{ro} && $_ eq 'rw') } @options;
}

sub _unescaped {
    my ($text) = @_;
    return $text =~ s/\\([0-3][0-7]{2})/chr oct $1/egr;
}

1;
