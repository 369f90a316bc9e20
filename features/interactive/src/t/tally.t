use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(driver said_by);
use Needs                 qw(need_compiler);

need_compiler();

my $program = driver('tally', qw(frames tasks stats random));

my %said = map { my ($name, @words) = split; ($name => {@words}) } said_by($program);

# Two streams, each with 280 frames that count, 1000 ns apart. The first works 400 ns a frame; the second works 2500 ns,
# and so executes every third frame.
is_deeply(
    $said{one},
    {
        frames       => 280,
        on_time      => 280,
        late         => 0,
        dropped      => 0,
        censored     => 0,
        censored_max => -1,
        demand       => 112_000,
        done         => 112_000,
        stalest      => 400,
        wakes        => 280,
        responses    => 280,
        stales       => 280,
        sum          => 112_000
    },
    'the tally of a stream that is on time'
);
is_deeply(
    $said{other},
    {
        frames       => 280,
        on_time      => 0,
        late         => 93,
        dropped      => 187,
        censored     => 2,
        censored_max => 1500,
        demand       => 700_000,
        done         => 232_500,
        stalest      => 4500,
        wakes        => 93,
        responses    => 93,
        stales       => 278,
        sum          => 92 * (2500 + 3500 + 4500) + 2500 + 3500
    },
    'the tally of a stream that is late'
);

my %both = map { ($_ => $said{one}{$_} + $said{other}{$_}) } keys %{ $said{one} };
is_deeply($said{both}, { %both, censored_max => 1500, stalest => 4500 }, 'the tallies of both streams are added');
is_deeply($said{with_nothing},                          $said{one},      'adding an empty tally changes nothing');
is_deeply($said{from_nothing},                          $said{one},      'a tally can be added to an empty one');
is_deeply([grep { $_ > 0 } values %{ $said{nothing} }], [],              'an empty tally has no values');

my %counted = (%{ $said{other} }, map { ($_ => 0) } qw(wakes responses stales sum));
is_deeply(
    $said{counted},
    { %counted, stalest => $said{counted}{stalest} },
    'a tally that only counts has no times, and all other values'
);

done_testing;
