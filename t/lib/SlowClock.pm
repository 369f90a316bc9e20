package SlowClock;

# A clock that runs a given number of times slower, so that code with a time limit waits longer.

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
