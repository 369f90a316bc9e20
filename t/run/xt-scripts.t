use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib", "$FindBin::Bin/../lib", "$FindBin::Bin/../../xt/lib";
use Place    qw(write_file);
use Fixture  qw(failed measured quick_run result run);
use Machines qw(spread_rates);
use Rendered qw(rendered);
use UnixBench::Base::Files;
use UnixBench::Score::Score;
use WholeRun qw(made);

# The tables of the long checks that measure, made here from invented results.
my $XT    = "$FindBin::Bin/../../xt";
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

# Writes a result of two tests; returns its path. $step: the distance of the logarithms of the passes' rates.
sub file {
    my ($name, $kind, $pipe, $spawn, $step) = @_;
    my %rates = (pipe => $pipe * 10, spawn => $spawn * 30);
    my @tests = map { measured($_, 1, @{ spread_rates($rates{$_}, $step) }) } sort keys %rates;
    @tests = map { +{ %$_, %{ UnixBench::Score::Score::test_of_rounds($_->{passes}) } } } @tests if $kind eq 'quick';
    my $run = $kind eq 'quick' ? quick_run(5, 1, @tests) : run(1, @tests);
    return written($name, rendered(json => result([$run], procedure => $PROCEDURE{$kind})));
}

# Returns the output of a script for these files, and its exit status.
sub table {
    my ($script, @files) = @_;
    my $said = qx($^X '$XT/$script' --table @files 2>&1);
    return ($said, $? >> 8);
}

my @OFFICIAL = (file('o1', 'official', 1e6, 8000, 0.001), file('o2', 'official', 1.01e6, 8000, 0.001));

subtest 'equivalence' => sub {
    my ($said, $status) = table('equivalence', @OFFICIAL, file('q1', 'quick', 1e6, 8000, 0.001));
    is($status, 0, 'equivalence: a difference below 1.5 %: exit status 0');
    like(
        $said,
        qr/^[|] Pipe Throughput [|] \d+[.]\d [|] \d+[.]\d [|] 0[.]9950 [|] 0[.]99\d+ to 0[.]99\d+ [|] [+]1[.]0 % [|]/m,
        'equivalence: the row of a test'
    );
    like(
        $said,
        qr/by more than 3 %: none[.]\nIndex: differs by -0[.]2 %, within 1[.]5 %[.]\n\z/,
        'equivalence: the verdict'
    );
    like($said, qr/^[|] quick [|] \S+ [|] 403 [|] 5 [|]/m, 'equivalence: the row of a run');

    ($said, $status) = table('equivalence', @OFFICIAL, file('q2', 'quick', 1e6, 8600, 0.001));
    is($status, 1, 'equivalence: a difference that is too large: exit status 1');
    like(
        $said,
        qr/3 %: Process Creation \([+]7[.]5 %\)[.]\nIndex: differs by [+]3[.]4 %, more than 1[.]5 %[.]/,
        'equivalence: a difference that is too large: verdict'
    );

    ($said, $status) = table('equivalence', @OFFICIAL, file('q3', 'quick', 1e6, 8600, 0.1));
    is($status, 0, 'equivalence: a large but uncertain difference: exit status 0');
    like($said, qr/but the interval contains 1[.]/, 'equivalence: a large but uncertain difference: verdict');
    is(
        (table('equivalence', @OFFICIAL))[0],
        "results of both procedures are needed: official and quick\n",
        'equivalence: results of one procedure only are refused'
    );
};

subtest 'equivalence: tests that some results do not have' => sub {
    my $run   = run(1, measured('pipe', 1, 1e7, 1.01e7), failed('spawn', 'no COUNT line'));
    my $other = written('other', rendered(json => result([$run], procedure => $PROCEDURE{quick})));
    my ($said, $status) = table('equivalence', @OFFICIAL, $other);
    is($status, 1, 'equivalence without a common index: exit status 1');
    like(
        $said,
        qr/^Not measured in every result: Process Creation[.]$/m,
        'equivalence names a test that is not in every result'
    );
    like(
        $said,
        qr/^Index: not in every result, or not of the same tests[.]$/m,
        'equivalence says that there is no common index'
    );
    like($said, qr/^[|] Pipe Throughput [|]/m, 'equivalence compares the common tests');
    unlike($said, qr/^[|] (?:Process Creation|[*][*]Index)/m, 'equivalence compares no other tests');
};

# A fake Run that writes its arguments as the result, and with --leave also a journal.
my $FAKE = <<'END_OF_SCRIPT';
#!/bin/sh
echo report
echo "$@" > "$UB_RESULTDIR/$UB_OUTPUT_FILE_NAME.json"
case $* in *--leave*) : > "$UB_RESULTDIR/$UB_OUTPUT_FILE_NAME.journal" ;; esac
END_OF_SCRIPT

subtest 'whole runs' => sub {
    chmod 0755, written('Run', $FAKE);
    my @names = ('first');
    my ($path, $elapsed_s) = map { made("$PLACE", "$PLACE", $_, '--quick') } @names;
    is($path,                                  "$PLACE/first.json", 'the path of the result');
    is(UnixBench::Base::Files::content($path), "-q -c 1 --quick\n", 'the result is made with these words');
    cmp_ok($elapsed_s, '>', 0, 'the elapsed time is known');
    is_deeply(\@names,                                        ['first'],      'the list of names is unchanged');
    is_deeply([made("$PLACE", "$PLACE", 'first', '--other')], [$path, undef], 'an existing result is not made again');
    is(UnixBench::Base::Files::content($path), "-q -c 1 --quick\n", 'an existing result is kept');
    ok(!eval { made("$PLACE", "$PLACE", 'torn', '--leave'); 1 }, 'an interrupted run is not a result');
    is($@, "Run has not made a complete $PLACE/torn.json\n", 'an interrupted run is reported');
};

done_testing;
