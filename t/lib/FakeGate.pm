package FakeGate;

# The start gate as src/ub.h knows it, for the fake programs.

use strict;
use warnings;

use POSIX ();

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
    POSIX::close($_) for _handles();
    return;
}

sub _say_ready {
    my ($ready) = @_;
    POSIX::write($ready, q{.}, 1);
    return POSIX::close($ready);
}

sub _wait {
    my ($go) = @_;
    1 while (POSIX::read($go, my $unused, 1) || 0) > 0;
    return POSIX::close($go);
}

sub _handles { return split /,/, delete $ENV{UB_GATE} // q{} }

1;
