package FakeGate;

# The start gate as src/ub.h knows it, for the fake programs. Each copy of a test loads this, so it loads little itself;
# they find it without FindBin, which would take longer than all the rest.

use strict;
use warnings;

# Says that this copy is set up and waits until all copies are let go.
sub pass {
    my ($ready, $go) = _handles() or return;
    _say_ready($ready);
    _wait($go);
    return;
}

# Waits until all copies are let go, and says only then that this one is set up.
sub pass_late {
    my ($ready, $go) = _handles() or return;
    _wait($go);
    _say_ready($ready);
    return;
}

# Behaves like a program that knows no gate but tidies up its descriptors.
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

# The descriptors that UB_GATE names, as handles: the one to write to and the one to read from.
sub _handles {
    my ($ready, $go) = split /,/, delete $ENV{UB_GATE} // q{} or return;
    open my $writer, '>&=', $ready or return;
    open my $reader, '<&=', $go    or return;
    return ($writer, $reader);
}

1;
