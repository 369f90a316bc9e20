use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib", "$FindBin::Bin/../lib", "$FindBin::Bin/../../lab/lib";
use DriftingMachine;
use Place    qw(write_file);
use Fixture  qw(failed measured quick_run result run);
use Machines qw(spread_rates);
use Rendered qw(rendered);
use UnixBench::Base::Files;
use UnixBench::Score::Score;
use WholeRun qw(made);

# The tables of the long checks that measure, made here from invented results.
my $LAB   = "$FindBin::Bin/../../lab";
my $PLACE = File::Temp->newdir;

my %PROCEDURE = (
    official => { kind => 'official', time_factor => 1, work_factor => 1 },
    quick => { kind => 'quick', time_factor => 1, work_factor => 1, seed => 1, precision => 0.01, max_time_s => 120 },
);

# Takes a name and a text; writes the file and returns its path.
sub written {
    my ($name, $text) = @_;
    return write_file("$PLACE/$name", $text);
}

# Writes a result of two tests; returns its path. $step: the distance of the logarithms of the passes' rates. $later_s:
# how many seconds later than usual its run began.
sub file {
    my ($name, $kind, $pipe, $spawn, $step, $later_s) = @_;
    my %rates = (pipe => $pipe * 10, spawn => $spawn * 30);
    my @tests = map { measured($_, 1, @{ spread_rates($rates{$_}, $step) }) } sort keys %rates;
    @tests = map { +{ %$_, %{ UnixBench::Score::Score::test_of_rounds($_->{passes}) } } } @tests if $kind eq 'quick';
    my $run = $kind eq 'quick' ? quick_run(5, 1, @tests) : run(1, @tests);
    $run->{$_} += $later_s // 0 for qw(started ended);
    return written($name, rendered(json => result([$run], procedure => $PROCEDURE{$kind})));
}

# Returns the output of a script for these files, and its exit status.
sub table {
    my ($script, @files) = @_;
    my $said = qx($^X '$LAB/$script' --table @files 2>&1);
    return ($said, $? >> 8);
}

my @OFFICIAL = (file('o1', 'official', 1e6, 8000, 0.001), file('o2', 'official', 1.01e6, 8000, 0.001));

subtest 'equivalence' => sub {
    my ($said, $status) = table('equivalence', @OFFICIAL, file('q1', 'quick', 1e6, 8000, 0.001));
    is($status, 0, 'equivalence: a difference below 1 %: exit status 0');
    like(
        $said,
        qr/^[|] Pipe Throughput [|] \d+[.]\d [|] \d+[.]\d [|] 0[.]9950 [|] 0[.]9\d+ to 1[.]0\d+ [|]$/m,
        'equivalence: the row of a test, with the difference between both official values in its interval'
    );
    like(
        $said,
        qr/by more than 3 %: none[.]\nMean of the tests: differs by -0[.]2 % \(0[.]\d+ to 1[.]\d+\), within 1 %[.]\n\z/,
        'equivalence: the verdict'
    );
    like($said, qr/^[|] \S+ [|] 403 [|] 5 [|]/m, 'equivalence: the row of a quick run');

    ($said, $status) = table('equivalence', $OFFICIAL[0], file('q2', 'quick', 1e6, 8600, 0.001));
    is($status, 1, 'equivalence: a difference that is too large: exit status 1');
    like(
        $said,
        qr/3 %: Process Creation \([+]7[.]5 %\)[.]\nMean of the tests: differs by [+]3[.]7 % \(.*\), more than 1 %[.]/,
        'equivalence: a difference that is too large: verdict'
    );

    ($said, $status) = table('equivalence', $OFFICIAL[0], file('q3', 'quick', 1e6, 8600, 0.1));
    is($status, 0, 'equivalence: a large but uncertain difference: exit status 0');
    like($said, qr/but the interval contains 1[.]/, 'equivalence: a large but uncertain difference: verdict');
    is(
        (table('equivalence', @OFFICIAL))[0],
        "results of both procedures are needed: official and quick\n",
        'equivalence: results of one procedure only are refused'
    );
    my $two = written('two', rendered(json => result([run(2, measured('pipe', 2, 1e7, 1.01e7))])));
    is(
        (table('equivalence', @OFFICIAL, $two))[0],
        "all results must have the same number of copies\n",
        'equivalence: results with other numbers of copies are refused'
    );
};

subtest 'equivalence: a test is compared with the quick runs right before and after it' => sub {
    my @files = map { my ($kind, $name, $count, $at_s) = @$_; file($name, $kind, $count, 8000, 0.001, $at_s) } (
        [quick    => 'far',    5e6,   0],
        [quick    => 'before', 1e6,   100],
        [official => 'test',   1e6,   200],
        [quick    => 'after',  1.1e6, 300],
        [quick    => 'later',  5e6,   400],
    );
    like(
        (table('equivalence', @files))[0],
        qr/^[|] Pipe Throughput [|] \S+ [|] \S+ [|] 1[.]0488 [|]/m,
        'equivalence: the mean of both'
    );
};

subtest 'equivalence: a test without a quick result' => sub {
    my $run   = quick_run(5, 1, measured('pipe', 1, 1e7, 1.01e7), failed('spawn', 'no COUNT line'));
    my $quick = written('other', rendered(json => result([$run], procedure => $PROCEDURE{quick})));
    my ($said, $status) = table('equivalence', $OFFICIAL[0], $quick);
    is($status, 0, 'equivalence: the other tests decide');
    like($said, qr/^Without a quick result: Process Creation[.]$/m, 'equivalence names a test that is not compared');
    unlike($said, qr/^[|] Process Creation/m, 'equivalence has no row for it');
};

# A fake Run that writes its arguments as the JSON, if that is wanted, and with --leave also a journal.
my $FAKE = <<'END_OF_SCRIPT';
#!/bin/sh
echo report
test "$UB_OUTPUT_JSON" = true && echo "$@" > "$UB_RESULTDIR/$UB_OUTPUT_FILE_NAME.json"
case $* in *--leave*) : > "$UB_RESULTDIR/$UB_OUTPUT_FILE_NAME.journal" ;; esac
END_OF_SCRIPT

subtest 'whole runs' => sub {
    chmod 0755, written('Run', $FAKE);
    my @names = ('first');
    my ($path, $elapsed_s) = map { made("$PLACE", "$PLACE", $_, qw(-c 2 --quick)) } @names;
    is($path,                                  "$PLACE/first.json", 'the path of the result');
    is(UnixBench::Base::Files::content($path), "-q -c 2 --quick\n", 'the result is made with these words');
    cmp_ok($elapsed_s, '>', 0, 'the elapsed time is known');
    is_deeply(\@names,                                        ['first'],      'the list of names is unchanged');
    is_deeply([made("$PLACE", "$PLACE", 'first', '--other')], [$path, undef], 'an existing result is not made again');
    is(UnixBench::Base::Files::content($path), "-q -c 2 --quick\n", 'an existing result is kept');
    ok(!eval { made("$PLACE", "$PLACE", 'torn', '--leave'); 1 }, 'an interrupted run is not a result');
    is($@, "Run has not made a complete $PLACE/torn.json\n", 'an interrupted run is reported');
};

subtest 'a drifting machine' => sub {
    my $near    = sub { my ($got, $wanted, $name) = @_; cmp_ok(abs($got - $wanted), '<', 1e-9, $name) };
    my $machine = DriftingMachine->new(drift => 0.1);
    $near->($machine->rate(0),                             1,    'at the start, the rate is 1');
    $near->($machine->rate(3600),                          0.9,  'after an hour it has lost 10 %');
    $near->($machine->rate(7200),                          0.81, 'after two hours, 10 % of the rest');
    $near->(DriftingMachine->new(disturbed => 1)->rate(5), 0.8,  'a disturbed pass loses 20 %');
    my $waving = DriftingMachine->new(wave => 0.02, wave_s => 100);
    $near->($waving->rate(30) * $waving->rate(80), 1,                  'a wave goes as far down as up');
    $near->($waving->rate(30),                     $waving->rate(130), 'and comes again after its period');
    my $bursting = DriftingMachine->new(gap_s => 10, burst_s => 10);
    my %rates    = map { sprintf('%.3f', $bursting->rate($_)) => 1 } 0 .. 1000;
    is_deeply([sort keys %rates], ['0.800', '1.000'], 'bursts come and end');
    is($bursting->rate(0), 1, 'at the start there is none');
};

subtest 'words that a script does not know' => sub {
    for my $case (
        ['lab/work-per-loop UNKNOWN'        => 'unknown program "UNKNOWN"'],
        ['lab/work-per-loop pipe --befor x' => 'unknown program "--befor"'],
        ['lab/speed x'                      => '"x" is not expected'],
        ['lab/harness-cpu 3 4'              => '"4" is not expected'],
        ['lab/noise-cost --help'            => '"--help" is not expected'],
        )
    {
        my ($words, $why) = @$case;
        my $said = qx($^X $LAB/../$words 2>&1);
        is($? >> 8, 2, "$words: exit status 2");
        like($said, qr/\A[\w-]+: \Q$why\E; \N+\n\z/, "$words: one line");
    }
};

done_testing;
