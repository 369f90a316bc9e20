package FakeProcess;

# A fake of UnixBench::Process and UnixBench::Base::Clock: it records calls, and time passes in pauses only.

use strict;
use warnings;

# The number of the pause, counted from 1, that is interrupted, once.
our $INTERRUPT_AT;

sub new { my ($class) = @_; return bless { now_s => 1_000_000_000, done => [], pauses => 0 }, $class }

sub call { my ($self, @command) = @_; push @{ $self->{done} }, "@command"; return 0 }

sub pause {
    my ($self, $seconds) = @_;
    push @{ $self->{done} }, "pause $seconds";
    $self->{now_s} += $seconds;
    $self->{pauses}++;
    return if !$INTERRUPT_AT || $self->{pauses} != $INTERRUPT_AT;
    $INTERRUPT_AT = undef;
    $self->interrupt;
    return;
}

sub interrupt    { my ($self) = @_; $self->{interrupted} = 'INT'; return }
sub stop         { my ($self) = @_; $self->{stops}++;             return }
sub stops        { my ($self) = @_; return $self->{stops} || 0 }
sub interrupted  { my ($self) = @_; return $self->{interrupted} }
sub wall_s       { my ($self) = @_; return $self->{now_s} }
sub monotonic_s  { my ($self) = @_; return $self->{now_s} }
sub wall_ahead_s { return 0 }

1;
