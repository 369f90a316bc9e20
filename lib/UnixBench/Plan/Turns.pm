package UnixBench::Plan::Turns;

# The states of the machine that a run measures in turns: their letters, and their order in each round.

use strict;
use warnings;

use POSIX ();

# Takes the number of a state, from 0, the plain machine; returns its letter.
sub letter { my ($state) = @_; return chr $state + ord 'A' }

# Takes a run; returns " in B" for its state, or an empty text if there are no others.
sub in_state {
    my ($run) = @_;
    return $run->{others} || $run->{state} ? ' in ' . letter($run->{state}) : q{};
}

# Takes a number of states, at least 1. Returns the orders of the states 0, 1, ... in a balanced set of rounds: each
# state comes equally often at each place, and equally often directly after each other state. There are as many orders
# as states, or twice as many for an odd number of states above 1. Each order is followed by its reverse, so a linear
# drift cancels after every two rounds. E. Williams, Experimental Designs Balanced for the Estimation of Residual
# Effects of Treatments, Australian Journal of Scientific Research A 2 (1949).
sub orders {
    my ($states) = @_;
    return [[0]] if $states == 1;
    my @zigzag = map { $_ % 2 ? ($_ + 1) / 2 : -$_ / 2 } 0 .. $states - 1;
    my $pairs  = $states % 2 ? $states : $states / 2;
    my @orders;
    for my $by (0 .. $pairs - 1) {
        my @order = map { ($_ + $by) % $states } @zigzag;
        push @orders, \@order, [reverse @order];
    }
    return \@orders;
}

# Takes a number of states; returns the number of these orders.
sub set_size { my ($states) = @_; return scalar @{ orders($states) } }

# Takes a number of rounds and a number of states; returns the number of rounds that make complete sets of orders.
sub complete_rounds {
    my ($rounds, $states) = @_;
    return $rounds - $rounds % set_size($states);
}

# Takes the same; returns the least number of rounds that makes complete sets and is not smaller.
sub completed_rounds {
    my ($rounds, $states) = @_;
    my $orders = set_size($states);
    return $orders * POSIX::ceil($rounds / $orders);
}

1;
