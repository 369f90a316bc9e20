# Tests of the orders in which the states of a machine are measured in turns.

use strict;
use warnings;

use FindBin;
use Test::More;

use UnixBench::Plan::Turns;

# Takes orders; returns { "place state" => how often it is there }.
sub places {
    my %count;
    for my $order (@_) {
        $count{"$_ $order->[$_]"}++ for 0 .. $#$order;
    }
    return \%count;
}

# Takes orders; returns { "state state" => how often the second directly follows the first }.
sub neighbours {
    my %count;
    for my $order (@_) {
        $count{"$order->[$_ - 1] $order->[$_]"}++ for 1 .. $#$order;
    }
    return \%count;
}

subtest 'the orders of one and two states' => sub {
    is_deeply(UnixBench::Plan::Turns::orders(1), [[0]],            'one state');
    is_deeply(UnixBench::Plan::Turns::orders(2), [[0, 1], [1, 0]], 'two states');
};

# By hand, from the first column of Williams: 0, 1, k - 1, 2, ...
subtest 'the orders of three and four states' => sub {
    my @three = ([0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1], [2, 0, 1], [1, 0, 2]);
    my @four  = ([0, 1, 3, 2], [2, 3, 1, 0], [1, 2, 0, 3], [3, 0, 2, 1]);
    is_deeply(UnixBench::Plan::Turns::orders(3), \@three, 'three states');
    is_deeply(UnixBench::Plan::Turns::orders(4), \@four,  'four states');
};

for my $states (1 .. 6) {
    subtest "the design of $states states is balanced" => sub {
        my @orders = @{ UnixBench::Plan::Turns::orders($states) };
        my @all    = 0 .. $states - 1;
        is(scalar @orders, $states > 1 && $states % 2 ? 2 * $states : $states, 'the number of orders');
        is(scalar(grep { "@{[sort @$_]}" ne "@all" } @orders), 0,              'each order has each state once');
        my %placed = map {
            my $place = $_;
            map { ("$place $_" => @orders / $states) } @all
        } @all;
        is_deeply(places(@orders), \%placed, 'each state comes equally often at each place');
        my %next_to = map {
            my $first = $_;
            map { ("$first $_" => @orders / $states) } grep { $_ != $first } @all
        } @all;
        is_deeply(neighbours(@orders), \%next_to, 'each state comes equally often after each other state');
        my @pairs  = map  { [@orders[2 * $_, 2 * $_ + 1]] } 0 .. int(@orders / 2) - 1;
        my @turned = grep { "@{ $_->[0] }" eq join q{ }, reverse @{ $_->[1] } } @pairs;
        is(scalar @turned, scalar @pairs, 'each order is followed by its reverse');
    };
}

subtest 'rounds in complete sets of orders' => sub {
    my %complete = ('0 2' => 0, '1 2' => 0, '7 2' => 6, '8 2' => 8, '11 3' => 6, '11 4' => 8, '3 4' => 0, '9 1' => 9);
    for my $given (sort keys %complete) {
        my ($rounds, $states) = split q{ }, $given;
        is(UnixBench::Plan::Turns::complete_rounds($rounds, $states),
            $complete{$given}, "$rounds rounds of $states states");
    }
};

subtest 'the least rounds in complete sets of orders' => sub {
    my %completed = (1 => 3, 2 => 4, 3 => 6, 4 => 4, 5 => 10, 6 => 6);
    is(UnixBench::Plan::Turns::completed_rounds(3, $_), $completed{$_}, "$_ states") for sort keys %completed;
    is(UnixBench::Plan::Turns::completed_rounds(8, 3),  12,             'eight rounds or more of three states');
};

subtest 'the letters of states' => sub {
    is(join(q{}, map { UnixBench::Plan::Turns::letter($_) } 0 .. 5), 'ABCDEF', 'six states');
};

done_testing;
