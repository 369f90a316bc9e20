use strict;
use warnings;

use FindBin qw($Bin);
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../../../../t/lib);
use CDriver               qw(said_by);
use Needs                 qw(need_compiler need_tools);
use Scenarios             qw(percentile_of played random_scenarios write_scenarios);

# Comparison with data/interactivity-oracle.py, another model of frames, histogram and statistics.
need_compiler();
need_tools('python3');

# Reads the scenarios; prints the oracle's values for each, or an empty line if there are too few values for its
# statistics.
my $ASKER = <<'END';
import contextlib, io, runpy, sys
with contextlib.redirect_stdout(io.StringIO()):
    oracle = runpy.run_path(sys.argv[1])
for line in open(sys.argv[2]):
    policy, *numbers = line.split()
    period, demand, frames, first, count, *pairs = map(int, numbers)
    stalls = dict(zip(pairs[0:2 * count:2], pairs[1:2 * count:2]))
    pairs = pairs[2 * count + 1:]
    extras = dict(zip(pairs[0::2], pairs[1::2]))
    try:
        said = oracle['sim'](period, demand, frames, policy, stalls, extras)
    except ZeroDivisionError:
        print()
        continue
    words = lambda values: ','.join('-' if value is None else str(value) for value in values)
    print(said['cls'], said['M'], said['L'], said['D'], said['cens'], words(said['stale']), words(said['wl']),
          '%.3f' % said['mean'], '%.3f' % said['sd'], said['p50'], said['p90'], said['p95'], said['p99'], said['mx'])
END

# Returns our values as one line, without mean and deviation, which are compared as numbers.
sub ours {
    my ($said) = @_;
    return join ' ', @$said{qw(classes on_time late dropped censored)}, join(',', @{ $said->{staleness} }),
        join(',', @{ $said->{wake} }), @$said{qw(p50 p90 p95 p99 max)};
}

# Takes a line of the oracle; returns it without mean and deviation, then these two. The oracle's exact percentiles are
# replaced by those of the histogram.
sub theirs {
    my ($line) = @_;
    my @words  = split ' ', $line;
    my @sizes  = splice @words, 7, 2;
    $_ = percentile_of($_, $words[-1]) for @words[-5 .. -2];
    return ("@words", @sizes);
}

sub is_alike {
    my ($expected, $said) = @_;
    my ($words, $mean, $deviation) = theirs($expected);
    return
           $words eq ours($said)
        && abs($said->{mean} - $mean) < 0.001
        && abs($said->{deviation} - $deviation) < 0.001;
}

my @scenarios = random_scenarios(600, 23);
my @expected  = said_by('python3', '-c', $ASKER, "$Bin/data/interactivity-oracle.py", write_scenarios(@scenarios));
my @played    = played(@scenarios);
is(scalar @expected, scalar @scenarios, 'the oracle answers for all scenarios');

my (%compared, @unlike);
for my $i (grep { $expected[$_] ne '' } 0 .. $#expected) {
    $compared{ $scenarios[$i]{policy} }++;
    push @unlike, $i if !is_alike($expected[$i], $played[$i]);
}
cmp_ok($compared{$_} || 0, '>=', 250, "$_: at least 250 scenarios were compared") for qw(skip catchup);
is("@unlike", '', 'the model and the oracle agree in all scenarios')
    or diag(explain($scenarios[$unlike[0]]), "expected: $expected[$unlike[0]]\n", explain($played[$unlike[0]]));

done_testing;
