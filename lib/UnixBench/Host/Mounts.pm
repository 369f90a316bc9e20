package UnixBench::Host::Mounts;

# The mounted file systems of Linux, from mountinfo in proc(5).

use strict;
use warnings;

use UnixBench::Base::Arguments qw(named);

# Takes files => UnixBench::Host::KernelFiles.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(files)), $class;
}

# Takes the number of a device, as stat returns it. Returns whether its files are in memory. The number is split as by
# makedev in glibc's sys/sysmacros.h.
sub is_in_memory {
    my ($self,  $device) = @_;
    my ($major, $minor)  = ($device >> 8 & 0xfff, $device & 0xff | $device >> 12 & 0xfff_ff00);
    return $self->{files}->content('/proc/self/mountinfo') =~ /^\d+ \d+ $major:$minor .* - (?:tmpfs|ramfs) /m ? 1 : 0;
}

# Takes an absolute path without links. Returns { file_system, device, mount_point, mount_options }, each undef if
# unknown. The list mount_options holds options of the mount and of the file system.
sub facts {
    my ($self, $path) = @_;
    my $mount = $self->_mount_of($path) || {};
    return { map { $_ => $mount->{$_} } qw(file_system device mount_point mount_options) };
}

# Takes an absolute path. Returns its mount, or undef. Follows the mounts from the root, as the kernel does, so a mount
# that a later one hides is not found. The order of the lines does not matter.
sub _mount_of {
    my ($self, $path) = @_;
    my %children;
    my @mounts = $self->all;
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

# Takes mounts. Returns the one with the shortest path, or the last one if several have this path.
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

# Returns all mounts, { id, parent, root, mount_point, file_system, device, mount_options } each. The root is the part
# of the file system that is mounted.
sub all {
    my ($self) = @_;
    return map { _mount($_) } split /\n/, $self->{files}->content('/proc/self/mountinfo');
}

sub _mount {
    my ($line) = @_;
    my ($before, $after) = split / - /, $line, 2;
    return if !defined $after;
    my ($id, $parent, undef, $root, $point, $own) = map { _unescaped($_) } split q{ }, $before;
    my ($type, $device, $common) = map { _unescaped($_) } split / /, $after;
    return if !defined $own || !defined $type || "$id $parent" !~ /\A\d{1,15} \d{1,15}\z/;
    return {
        id            => $id,
        parent        => $parent,
        root          => $root,
        mount_point   => $point,
        file_system   => $type,
        device        => $device,
        mount_options => _together($own, $common // q{}),
    };
}

# Takes lists of options. Returns each option once, without "rw" if there is also "ro".
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
