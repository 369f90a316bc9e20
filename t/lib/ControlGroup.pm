package ControlGroup;

# A temporary control group (version 1 or 2) below that of this process. It is removed with the object.

use strict;
use warnings;

use Place qw(content);

my $count = 0;

# Takes a controller and the name of a file; creates a group with that file. Returns undef if that is not possible.
sub new {
    my ($class, $controller, $file) = @_;
    for my $parent (_own_v1($controller), _own_v2()) {
        my $directory = "$parent/unixbench-test-$$-" . ++$count;
        mkdir $directory or next;
        my $self = bless { directory => $directory }, $class;
        return $self if -w "$directory/$file";
    }
    return;
}

# Takes name => value; writes the values to files of the group. Dies if that fails.
sub set {
    my ($self, %values) = @_;
    for my $name (sort keys %values) {
        open my $file, '>', "$self->{directory}/$name" or die "$name: $!\n";
        syswrite $file, $values{$name} or die "$name: $!\n";
        close $file;
    }
    return;
}

# Returns the content of one of its files.
sub get { my ($self, $name) = @_; return content("$self->{directory}/$name") }

# Takes a command; returns the words that run the command in the group.
sub words {
    my ($self, @command) = @_;
    return ('sh', '-c', 'echo $$ > "$0"/cgroup.procs && exec "$@"', $self->{directory}, @command);
}

sub DESTROY {
    my ($self) = @_;
    rmdir $self->{directory};
    return;
}

# Return the directory of this process's own group in version 1 and in version 2, or nothing if there is none.
sub _own_v1 {
    my ($controller) = @_;
    my ($path)       = content('/proc/self/cgroup')    =~ /^\d+:(?:[^:\n]*,)?$controller(?:,[^:\n]*)?:(.*)$/m;
    my ($mount)      = content('/proc/self/mountinfo') =~ m{^\d+ \d+ \S+ / (\S+) .* - cgroup \S+ \S*\b$controller\b}m;
    return defined $path && defined $mount ? "$mount$path" : ();
}

sub _own_v2 {
    my ($path)  = content('/proc/self/cgroup')    =~ /^0::(.*)$/m;
    my ($mount) = content('/proc/self/mountinfo') =~ m{^\d+ \d+ \S+ / (\S+) .* - cgroup2 }m;
    return defined $path && defined $mount ? "$mount$path" : ();
}

1;
