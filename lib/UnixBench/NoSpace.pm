package UnixBench::NoSpace;

# What is thrown when a disk is full: no fault of the test that was running, so the run ends and can be resumed. Where a
# text is wanted, it is its line.

use strict;
use warnings;

# Takes the line that the user is told, with its newline. Nothing else needs overload, so it is loaded here.
sub new {
    my ($class, $line) = @_;
    require overload;
    overload->import(q{""} => \&line, fallback => 1);
    return bless { line => $line }, $class;
}

sub line { my ($self) = @_; return $self->{line} }

# Whether that, which was thrown, is one of these.
sub is_thrown {
    my ($thrown) = @_;
    return ref $thrown eq __PACKAGE__;
}

# Whether an error number says that the disk, or the user's part of it, is full.
sub is_errno {
    my ($errno) = @_;
    local $! = $errno;
    return $!{ENOSPC} || $!{EDQUOT} ? 1 : 0;
}

1;
