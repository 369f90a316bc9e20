package HastyClock;

# A clock on which 200 seconds go by between any two looks at it.

use strict;
use warnings;

sub new { my ($class) = @_; return bless { now_s => 0 }, $class }

sub monotonic_s { my ($self) = @_; return $self->{now_s} += 200 }

1;
