package UnixBench::Base::NoSpace;

# What is thrown when a disk is full: no fault of the test that was running, so the run ends and can be resumed.

use strict;
use warnings;

use parent 'UnixBench::Base::Halt';

# Takes what was thrown; returns whether it is one of these.
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
