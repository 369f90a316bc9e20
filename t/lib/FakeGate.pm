package FakeGate;

# The start gate of src/ub.h for the fake programs. Each copy of a test loads this module, so it loads little itself.
# The fake programs find it without FindBin, which would take longer than everything else.

use strict;
use warnings;

# Reports that this copy is ready, and waits until all copies may start.
sub pass {
    my ($ready, $go) = _handles() or return;
    _say_ready($ready);
    _wait($go);
    return;
}

# Waits until all copies may start, and reports only then that this one is ready.
sub pass_late {
    my ($ready, $go) = _handles() or return;
    _wait($go);
    _say_ready($ready);
    return;
}

# Behaves like a program that does not know the gate but closes its descriptors.
sub refuse {
    close $_ for _handles();
    return;
}

sub _say_ready {
    my ($ready) = @_;
    syswrite $ready, q{.};
    return close $ready;
}

sub _wait {
    my ($go) = @_;
    1 while (sysread($go, my $unused, 1) || 0) > 0;
    return close $go;
}

# Returns the file descriptors in UB_GATE as two handles: the one to write to and the one to read from. Returns nothing
# if it is not set.
sub _handles {
    my ($ready, $go) = split /,/, delete $ENV{UB_GATE} // q{} or return;
    open my $writer, '>&=', $ready or return;
    open my $reader, '<&=', $go    or return;
    return ($writer, $reader);
}

1;
