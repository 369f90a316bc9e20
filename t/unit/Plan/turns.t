# Tests of the orders in which the states of a machine are measured in turns.

use strict;
use warnings;

use Test::More;

use UnixBench::Plan;

# By hand, from the first column of Williams: 0, 1, k - 1, 2, ...
my %ORDERS = (1 => '0', 2 => '01 10', 3 => '012 210 120 021 201 102', 4 => '0132 2310 1203 3021');
for my $states (sort keys %ORDERS) {
    my @orders = map { join q{}, @$_ } @{ UnixBench::Plan::orders($states) };
    is("@orders", $ORDERS{$states}, "the orders of $states states");
}

for my $states (1 .. 6) {
    my @orders = @{ UnixBench::Plan::orders($states) };
    my (%placed, %next_to);
    for my $order (@orders) {
        $placed{"$_ $order->[$_]"}++                for 0 .. $#$order;
        $next_to{"$order->[$_ - 1] $order->[$_]"}++ for 1 .. $#$order;
    }
    my $times = @orders / $states;
    is(scalar @orders, $states > 1 && $states % 2 ? 2 * $states : $states, "$states states: the number of orders");
    is(scalar(grep { $_ == $times } values %placed), $states**2, "$states states: each is as often at each place");
    is(
        scalar(grep { $_ == $times } values %next_to),
        $states * ($states - 1),
        "$states states: each comes equally often after each other one"
    );
    my @turned =
        grep { "@{ $orders[2 * $_] }" eq join q{ }, reverse @{ $orders[2 * $_ + 1] } } 0 .. int(@orders / 2) - 1;
    is(scalar @turned, int @orders / 2, "$states states: each order is followed by its reverse");
}

my %COMPLETE = ('0 2' => 0, '1 2' => 0, '7 2' => 6, '8 2' => 8, '11 3' => 6, '11 4' => 8, '3 4' => 0, '9 1' => 9);
is(UnixBench::Plan::complete_rounds(split q{ }), $COMPLETE{$_}, "complete rounds and states: $_")
    for sort keys %COMPLETE;
my %COMPLETED = ('3 1' => 3, '3 2' => 4, '3 3' => 6, '3 4' => 4, '3 5' => 10, '3 6' => 6, '8 3' => 12);
is(UnixBench::Plan::completed_rounds(split q{ }), $COMPLETED{$_}, "completed rounds and states: $_")
    for sort keys %COMPLETED;
is(join(q{}, map { UnixBench::Plan::letter($_) } 0 .. 5), 'ABCDEF', 'the letters of states');

done_testing;
