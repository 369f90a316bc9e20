package UnixBench::Over;

# The feature over: a quick run whose rounds are spread over hours or days.

use strict;
use warnings;

use constant ROUNDS_LEAST => 48;    # fewer do not show how a machine varies

# The types of what it adds to results, see UnixBench::Base::ResultSchema.
my $TYPES = <<'END';
over: how the rounds of a quick run were spread over time
  over_s            positive            the time
  rounds            whole               the rounds that were planned

over_run: what the rounds of a run show that were spread over time
  name              text                the category of the index, the name of the only test, or "mean"
  rounds            [over_round]        each complete round
  median            positive            the median of their values
  p5                positive            5 % of them are lower
  p95               positive            5 % of them are higher
  below             unsigned            the part of the rounds that are slow: below 90 % of the median
  changes           [over_change]       when the level changed by 8 % or more
  lowest?           over_extreme        the lowest hour of the machine's zone, of those that have at least three rounds;
                                        null if less than half of the hours have as many
  highest?          over_extreme        the highest
  idle?             unsigned            the part of the CPU time from the first round to the last that was idle
  stolen?           unsigned            the part of it that the hypervisor gave to others

over_round: a round
  at                moment              when it began
  value             positive            its index, or the mean of its tests
  steal?            unsigned            the largest part of the CPU time in a pass that the hypervisor gave to others
  clock_mhz?        positive            the median clock of its passes
  until_next?       cpu_time            the CPU time of the system from this round to the next

over_change: a change of the level
  at                moment              the first round behind it
  by                number              its size, a part of the level before

over_extreme: the lowest or the highest of all hours, and what is known of it
  from              moment              its begin
  value             positive            the geometric mean of its rounds
  low               positive            the lower end of the 95 % interval; it is that of a choice among all hours
  high              positive            the upper end
  is_shown          boolean             whether it differs from the mean of all hours by more than chance
END

# The group of options of measuring, see UnixBench::CLI::Declaration.
my %OPTIONS = (
    follows => { measure => 'Quick runs' },
    title   => 'A day of a machine',
    text    => 'Spreads the rounds of a quick run over hours or days, each at a random moment. The run uses '
        . 'less than 4 % of a CPU.',
    options => [
        {
            flag     => '--over',
            is_usual => 1,
            value    => 'TIME',
            kind     => 'duration',
            max      => 1_000_000,
            implies  => 'quick',
            without  => [qw(bisect iterations max_time_s precision under)],
            text     => 'spread the rounds over TIME, such as 24h or 7d',
            more     => 'There are 48 to 1,000 rounds. A time that is too short for them is refused. It measures '
                . 'one number of copies (default: 1).',
        },
    ],
);

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        uses            => [qw(changes)],
        part            => ['over'],
        options         => [\%OPTIONS],
        plan            => { over => 'Over::Pace' },
        types           => [$TYPES],
        of_results      => { over => 'Over::Figures', variation => 'Over::Variation' },
        of_requirements => { map { $_ => 'Over::Figures' } qw(p5 median worst-hour) },
        stays           => { 'over_run.name' => 1 },
        steps           => [{ after => 'steal', step => './Run --over 24h' }],
        topics          => [{ topic => 'Over::Topic', of_run => 5, in_block => 1 }],
    };
}

1;
