package UnixBench::Base::Deadly;

# The signals that end a program by default, and that a user or another program may send.

use strict;
use warnings;

use Config qw(%Config);

# Linux alone has some of them. A fault of the program itself raises others, such as SEGV: a handler would not end it.
my @NAMES = qw(HUP INT QUIT TERM USR1 USR2 ALRM VTALRM PROF XCPU ABRT TRAP SYS STKFLT PWR POLL);

# Returns the names of those that this system has.
sub names {
    my %is_known = map { $_ => 1 } split q{ }, $Config{sig_name};
    return grep { $is_known{$_} } @NAMES;
}

1;
