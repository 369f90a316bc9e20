package SlowClock;

# A clock that goes so many times slower than time does: who waits by it is patient.

use strict;
use warnings;

use parent 'UnixBench::Base::Clock';

sub new {
    my ($class, $times) = @_;
    my $self = $class->SUPER::new;
    $self->{times} = $times;
    return $self;
}

sub monotonic_s { my ($self) = @_; return $self->SUPER::monotonic_s / $self->{times} }

sub boot_s { my ($self) = @_; return $self->SUPER::boot_s / $self->{times} }

1;
