# Tests of the check of what was measured, which each result passes before it is printed, judged or written, and when it
# is read: UnixBench::Store::Measured.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(failed measured quick_run result run skipped sliced);
use Gallery qw(results);
use UnixBench::Store::Measured;

# Returns a new result of two tests, official or quick.
sub official { return result([run(2, measured('pipe', 2, 5e6, 5.1e6, 5.2e6), measured('spawn', 2, 2e5, 2.1e5))]) }

sub quick {
    return result([quick_run(3, 1, sliced('pipe', 1, 5e6, 5.1e6, 5.2e6))],
        procedure => { kind => 'quick', time_factor => 1, work_factor => 1, replacements => [], resumptions => [] });
}

# Takes a result; returns the reason why it is refused, or "nothing".
sub said {
    my ($result) = @_;
    my $is_sound = eval { UnixBench::Store::Measured::check($result); 1 };
    return $is_sound ? 'nothing' : $@;
}

for my $case (results()) {
    is(said($case->{result}), 'nothing', "a sound result: $case->{name}");
}
is(said(result([run(1, failed('pipe', 'no COUNT line'), skipped('spawn', 'no room'))])),
    'nothing', 'a result without a score');

# Each part of a result, for the alterations.
my ($run, $test, $pass, $copy);

# [what is wrong, how, the reason].
#<<< a table
my @WRONG = (
    ['no number of a pass'      => sub { $pass->{number} = 'x' },
        'runs[0].tests[0].passes[0].number: not a whole number from 1'],
    ['the same pass again'      => sub { $test->{passes}[1]{number} = 1 }, 'pipe: the passes are out of order'],
    ['a count of 0'             => sub { $pass->{count} = 0 },
        'runs[0].tests[0].passes[0].count: not a number from 1e-60 to 1e60'],
    ['a rate beyond all limits' => sub { $_->{count} = 1e50 for $pass, $copy }, 'pipe: a rate is out of range'],
    ['a pass without copies'    => sub { $pass->{copies} = [] },         'pipe: a pass has no copies'],
    ['a copy without a count'   => sub { $copy->{data} = {} },           'pipe: a copy has no valid count'],
    ['both a count and an error' => sub { $pass->{error} = 'x' },
        'pipe: a pass must have either a count or an error'],
    ['skipped and measured'     => sub { $test->{status} = 'skipped' },
        'pipe: its status and its score contradict each other'],
    ['measured without a score' => sub { undef $test->{score} },
        'pipe: its status and its score contradict each other'],
    ['a test twice'             => sub { push @{ $run->{tests} }, $test }, 'pipe appears twice'],
    ['half a CPU'               => sub { $run->{cpu_count} = 2.5 },
        'runs[0].cpu_count: not a whole number from 1'],
    ['no copies'                => sub { $run->{copies} = 0 },           'runs[0].copies: not a whole number from 1'],
    ['an end before the beginning' => sub { $run->{ended} = 5 },         'a run ends before it begins'],
    ['rounds of an official run' => sub { $run->{rounds} = 3 },
        'a run has rounds, but the procedure is not quick'],
    ['an unknown procedure'     => sub { $_->{procedure}{kind} = 'slow' }, 'procedure.kind: not a known word'],
    ['an index with a test without a score'
                                => sub { $run->{indexes}[0]{rows}[0]{name} = 'x' },
        'an index has the test x, which was not measured'],
    ['an index without a number' => sub { undef $run->{indexes}[0]{index} },
        'an index must have either a number or a reason'],
    ['a baseline of 0'          => sub { $run->{indexes}[0]{rows}[0]{baseline} = 0 },
        'runs[0].indexes[0].rows[0].baseline: not a number from 1e-150 to 1e150'],
    ['no runs'                  => sub { undef $_->{runs} },             'runs: not a list'],
    ['no host'                  => sub { delete $_->{host} },            'host is missing'],
);
#>>>

for my $case (@WRONG) {
    my ($what, $how, $why) = @$case;
    local $_ = official();
    ($run)  = @{ $_->{runs} };
    ($test) = @{ $run->{tests} };
    ($pass) = @{ $test->{passes} };
    ($copy) = @{ $pass->{copies} };
    $how->();
    is(said($_), "$why\n", "refused: $what");
}

subtest 'a quick run' => sub {
    is(said(quick()), 'nothing', 'it is sound');
    my $result = quick();
    delete $result->{runs}[0]{rounds};
    is(said($result), "a run of a quick procedure has no rounds\n", 'without its rounds it is refused');
};

subtest 'a clock that was set during the run' => sub {
    my $result = official();
    @{ $result->{runs}[0] }{qw(ended clock_set_s)} = (5, -1_795_140_000);
    is(said($result), 'nothing', 'then a run may end before it begins');
    @{ $result->{runs}[0] }{qw(started ended clock_set_s)} = (8, 1_795_140_403, 1_795_139_992);
    is(said($result), 'nothing', 'and it may seem to last for years');
};

subtest 'keys that only a run in progress has' => sub {
    my $result = official();
    $result->{runs}[0]{state} = 0;
    is(said($result), 'nothing', 'they are ignored');
};

done_testing;
