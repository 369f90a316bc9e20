use strict;
use warnings;

use Test::More;

use UnixBench::Progress::Estimate;

use constant NEVER => 1e6;

# Takes changes of a run of 120 s, which began a second ago and whose rounds take 16 s each. Returns the seconds at the
# end of its last round.
sub end_s {
    my (%differs) = @_;
    my %at = (round => 1, now_s => 1, ahead_s => 16, round_s => 16, longest_s => 0, repeats => 1, needed => NEVER);
    return UnixBench::Progress::Estimate::end_s(%at, max_time_s => 120, %differs);
}

# The first round that ends after 102 s is the last: the next one would end less than two seconds before the limit.
is(end_s(),                                      113, 'there is time for seven rounds');
is(end_s(round => 6, now_s => 81),               113, 'there is time for a seventh round after six');
is(end_s(round => 6, now_s => 90, ahead_s => 7), 113, 'there is time for a seventh round before the end of the sixth');
is(end_s(round => 6, now_s => 85.9),             117.9, 'there is just enough time for a seventh round');
is(end_s(round => 6, now_s => 86.1),             102.1, 'there is not enough time for a seventh round');
is(end_s(round => 6, now_s => 81, longest_s => 21.5),
    97, 'there is not enough time for a seventh round as long as the longest');
is(end_s(round => 6, now_s => 200, ahead_s => 3), 203,             'a late run ends with its round');
is(end_s(max_time_s => 10),                       49,              'there are three rounds in any case');
is(end_s(max_time_s => 1e6),                      1 + 16 * 62_499, 'a long time has many rounds');
is(end_s(needed => 6),                            97,              'six rounds are precise enough');
is(end_s(needed => 6, round => 7, now_s => 97),   113,             'another round follows if something is undecided');
is(end_s(ahead_s => 0, round_s => 0, needed => NEVER), 1,          'rounds may take no time');

# Repeated short passes may use the time that five rounds leave; only later rounds may use more.
is(end_s(repeats => 1.2),                        116.2, 'six rounds take a fifth more');
is(end_s(repeats => 1.25),                       118,   'five rounds take a quarter more, and the sixth what is left');
is(end_s(repeats => 2),                          118,   'each short pass is repeated as far as there is time');
is(end_s(repeats => 2, round => 5, now_s => 65), 118,   'the same in the fifth round');
is(end_s(repeats => 2, round => 1, max_time_s => 90), 88,          'the same with another limit');
is(end_s(repeats => 1.1, round => 6, now_s => 81),    98.6 + 17.6, 'later rounds take a tenth more');

is(end_s(repeats => 1.5, longest_s => 30), 105, 'nothing is repeated if there is not enough time for five such rounds');

done_testing();
