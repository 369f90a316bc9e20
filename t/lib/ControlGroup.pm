package ControlGroup;

# A control group of one's own, below the one that this process is in, in either version; removed when it is forgotten.

use strict;
use warnings;

# Takes a controller and a file of it; returns a group with that file, or undef where none can be made.
sub new {
    my ($class, $controller, $file) = @_;
    for my $parent (_own_v1($controller), _own_v2()) {
        my $directory = "$parent/unixbench-test-$$";
        mkdir $directory or next;
        my $self = bless { directory => $directory }, $class;
        return $self if -w "$directory/$file";
    }
    return;
}

# Writes to its files; dies when that fails.
sub set {
    my ($self, %values) = @_;
    for my $name (sort keys %values) {
        open my $file, '>', "$self->{directory}/$name" or die "$name: $!\n";
        syswrite $file, $values{$name} or die "$name: $!\n";
        close $file;
    }
    return;
}

# What one of its files says.
sub get { my ($self, $name) = @_; return _text("$self->{directory}/$name") }

# The words that run a command in it.
sub words {
    my ($self, @command) = @_;
    return ('sh', '-c', 'echo $$ > "$0"/cgroup.procs && exec "$@"', $self->{directory}, @command);
}

sub DESTROY {
    my ($self) = @_;
    rmdir $self->{directory};
    return;
}

# This process's own group: where it is mounted, and its path there.
sub _own_v1 {
    my ($controller) = @_;
    my ($path)       = _text('/proc/self/cgroup')    =~ /^\d+:(?:[^:\n]*,)?$controller(?:,[^:\n]*)?:(.*)$/m;
    my ($mount)      = _text('/proc/self/mountinfo') =~ m{^\d+ \d+ \S+ / (\S+) .* - cgroup \S+ \S*\b$controller\b}m;
    return defined $path && defined $mount ? "$mount$path" : ();
}

sub _own_v2 {
    my ($path)  = _text('/proc/self/cgroup')    =~ /^0::(.*)$/m;
    my ($mount) = _text('/proc/self/mountinfo') =~ m{^\d+ \d+ \S+ / (\S+) .* - cgroup2 }m;
    return defined $path && defined $mount ? "$mount$path" : ();
}

sub _text {
    my ($path) = @_;
    open my $file, '<', $path or return q{};
    local $/ = undef;
    my $text = <$file>;
    close $file;
    return $text;
}

1;
