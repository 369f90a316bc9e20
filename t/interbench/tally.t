use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib "$Bin/../lib";
use CDriver qw(driver said_by);
use Needs   qw(need_compiler);

need_compiler();

my $program = driver('tally', qw(frames tasks stats random));

my %said = map { my ($name, @words) = split; ($name => {@words}) } said_by($program, 'merge');

# 280 frames that count, each 1000 ns: one of 400 ns of work, and one of 2500 ns, that plays each third frame.
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
    'a stream that is on time'
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
    'one that is late'
);

my %both = map { ($_ => $said{one}{$_} + $said{other}{$_}) } keys %{ $said{one} };
is_deeply($said{both},         { %both, censored_max => 1500, stalest => 4500 }, 'their books together');
is_deeply($said{with_nothing}, $said{one},                                       'the books of nothing add nothing');
is_deeply($said{from_nothing}, $said{one},                                       'and can be added to');
is_deeply([grep { $_ > 0 } values %{ $said{nothing} }], [],                      'they know nothing');

my %counted = (%{ $said{other} }, map { ($_ => 0) } qw(wakes responses stales sum));
is_deeply($said{counted}, { %counted, stalest => $said{counted}{stalest} }, 'counted only: no times, all the rest');

my %ROOM = (0 => '0 -1', 3 => '3 22', 300 => '280 299');
is((said_by($program, 'room', $_))[0], $ROOM{$_}, "a list with room for $_") for sort { $a <=> $b } keys %ROOM;

is((said_by($program, 'check', $_, 300))[0], 0, "random schedules from $_: each frame is as it should be") for 1, 1000;

done_testing;
