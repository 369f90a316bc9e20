use strict;
use warnings;

use Test::More;

use UnixBench::Progress::Estimate;

use constant NEVER => 1e6;

# When the last round ends, of which each takes 16 s, in a run of 120 s that has begun a second ago.
sub end_s {
    my (%differs) = @_;
    my %at = (round => 1, now_s => 1, ahead_s => 16, round_s => 16, longest_s => 0, repeats => 1, needed => NEVER);
    return UnixBench::Progress::Estimate::end_s(%at, max_time_s => 120, %differs);
}

# The first that ends later than 102 s is the last: another one would not end two seconds before the limit.
is(end_s(),                                            113,             'seven rounds');
is(end_s(round => 6, now_s => 81),                     113,             'known later, too');
is(end_s(round => 6, now_s => 90, ahead_s => 7),       113,             'amid a round');
is(end_s(round => 6, now_s => 85.9),                   117.9,           'there is just time for a seventh');
is(end_s(round => 6, now_s => 86.1),                   102.1,           'there is not');
is(end_s(round => 6, now_s => 81, longest_s => 21.5),  97,              'a longer one was not so lucky');
is(end_s(round => 6, now_s => 200, ahead_s => 3),      203,             'too late');
is(end_s(max_time_s => 10),                            49,              'three rounds in any case');
is(end_s(max_time_s => 1e6),                           1 + 16 * 62_499, 'a long time');
is(end_s(needed => 6),                                 97,              'precise in six rounds');
is(end_s(needed => 6, round => 7, now_s => 97),        113,             'as precise, but something was open');
is(end_s(ahead_s => 0, round_s => 0, needed => NEVER), 1,               'rounds that take no time');

# Slices that are made again take what time the five rounds leave, and more only of later rounds.
is(end_s(repeats => 1.2),                             116.2, 'six rounds of a fifth more');
is(end_s(repeats => 1.25),                            118,   'five of a quarter more, and what has room of a sixth');
is(end_s(repeats => 2),                               118,   'each slice twice: no more than there is time for');
is(end_s(repeats => 2, round => 5, now_s => 65),      118,   'the fifth');
is(end_s(repeats => 2, round => 1, max_time_s => 90), 88,    'another limit');
is(end_s(repeats => 1.1, round => 6, now_s => 81),    98.6 + 17.6, 'later ones');

is(end_s(repeats => 1.5, longest_s => 30), 105, 'none is while time for five such rounds is short');

done_testing();
