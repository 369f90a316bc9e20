# Requirements of the real program: exit statuses, verdicts, and what resumed runs have of them.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Anonymous                      qw($ODD left_of nobody_is_named);
use InTurns                        ();
use JudgedRun                      qw(@RATES @USUAL $MET $NEAR $UNMET ended_by ended_of lines required);
use LoadedRun;
use Place   qw(text_of);
use TestRun qw(give_rates measure_into rated);
use UnixBench::Base::JSON;

my $OPEN = "syscall>=1e3 (1 copy): 1000.0, somewhere from LIMIT to LIMIT: $NEAR";

# [the program of pipe, requirements, exit status, lines].
my @DECIDED = (
    [undef,      ['syscall>=900'],                  0, ["PASS $MET"]],
    [undef,      ['syscall>=1e3'],                  4, ["INCONCLUSIVE $OPEN"]],
    [undef,      ['syscall>=1e3', 'syscall>=1100'], 3, ["INCONCLUSIVE $OPEN", "FAIL $UNMET"]],
    ['exit3',    ['syscall>=1100'],                 1],
    ['segfault', ['syscall>=1'],                    1],
);
subtest 'precedence of exit statuses' => sub {
    for my $case (@DECIDED) {
        my ($program, $requirements, $status, $lines) = @$case;
        my $test = rated({ syscall => \@RATES }, $program ? (programs => { pipe => $program }) : ());
        my $run  = $test->run(@USUAL, 'syscall', $program ? 'pipe' : (), required(@$requirements));
        is($run->{status},      $status,        "@$requirements: exit status $status");
        is(ended_of($run)->[1], lines(@$lines), 'its lines') if $lines;
    }
};

# A wrong requirement is reported before anything starts: no file is made.
subtest 'wrong usage' => sub {
    my $test = TestRun->new;
    $test->write('test', 'text', "neither\n");
    my $place   = $test->place('test');
    my %refused = (
        "syscall>=1*$place/none" => "there is no file $place/none",
        "syscall>=1*$place/text" => "$place/text is not a result: neither JSON nor a report",
        'pips>=1'                => 'requirement "pips>=1": unknown name "pips"; did you mean "pipe"?',
    );
    for my $requirement (sort keys %refused) {
        my $run = $test->run(@USUAL, 'syscall', required('syscall>=1', $requirement));
        is_deeply([@$run{qw(status out err)}], [2, q{}, lines($refused{$requirement})], $refused{$requirement});
    }
    is_deeply([$test->reports, $test->left], [], 'no report and no scratch file is made');
};

subtest 'a requirement relative to another result' => sub {
    my $test = rated({});
    measure_into($test, 'last week', [(1000) x 3]);
    give_rates($test, syscall => \@RATES);
    local $test->{cwd} = $test->place('results');
    my $run =
        $test->run(@USUAL, 'syscall', required('syscall >= 0.9 * last week.html', 'syscall>=1.1*./last week.html'));
    my @said = (
        'PASS syscall >= 0.9 * last week.html (1 copy): 1000.0, at least LIMIT, limit 900.0',
        'FAIL syscall>=1.1*last week.html (1 copy): 1000.0, at most LIMIT, limit 1100.0'
    );
    is_deeply(ended_of($run), [3, lines(@said)], 'the file is one of the directory of the caller');
};

subtest 'a requirement relative to several results' => sub {
    my $test = rated({ pipe => \@RATES });
    measure_into($test, "base-$_", [map { $_ * 10 } 105 - $_, 99, 101]) for 1 .. 5;
    my $other = $test->place('results', 'base-6.html');
    {
        local $test->{env} = { %{ $test->{env} }, UB_OUTPUT_FILE_NAME => 'base-6' };
        $test->run(@USUAL, 'pipe');
    }
    give_rates($test, syscall => \@RATES);
    my $verdict  = 'PASS syscall>=0.95*base-* (5 results) (1 copy): 1000.0, at least LIMIT, limit 956.2';
    my $left_out = "left out: $other has no score of syscall with 1 copy";
    my @pattern  = required('syscall>=0.95*base-*');
    is_deeply(ended_of($test->run(@USUAL, 'syscall', @pattern)), [0, lines($left_out, $verdict)], 'a run');
    is($test->run(@USUAL, 'syscall', '--dry-run', @pattern)->{err}, lines($left_out), 'it is said before the run');
    my $run = $test->run('report', 'base-1', required('syscall>=0.95*' . $test->place('results')));
    like($run->{err}, qr/PASS syscall>=0.95[*]results [(]5 results[)] /, 'a directory, and not the result itself');
    my $open = 'INCONCLUSIVE syscall>=0.99*base-1.html (1 copy): 1000.0, somewhere from LIMIT to LIMIT: ';
    my @said = ($open . 'mostly by the one reference run', 'measure the reference more often: 0.99*base-*.html');
    $run = $test->run(qw(report base-5 -q), required('syscall>=0.99*base-1.html'));
    is_deeply(ended_of($run), [4, lines(@said)], 'the only reference varies more than the run');
    my $place = $test->place('results', 'base-*');
    my $why =
        "none of 6 results fits: $other: length of passes (UB_TIME_FACTOR): 0.002 in this run, 0.001 in the reference";
    local $test->{env}{UB_TIME_FACTOR} = '0.002';
    is_deeply(ended_of($test->run(@USUAL, 'syscall', @pattern)), [2, lines("$place: $why")], 'none fits');
};

subtest 'a requirement relative to a result of another procedure' => sub {
    my $test = TestRun->new;
    my $file = measure_into($test, 'shorter', [(1000) x 3]);
    $test->{env}{UB_TIME_FACTOR} = '0.002';
    my @words = (@USUAL, 'syscall', required("syscall>=0.5*$file"));
    my $why =
        "$file can't be compared with this run: length of passes (UB_TIME_FACTOR): 0.002 in this run, 0.001 in $file";
    for my $run ($test->run(@words), $test->run(@words, '--dry-run')) {
        is_deeply([@$run{qw(status err)}], [2, lines("$why; use --force to compare them anyway")], 'it is refused');
    }
    give_rates($test, syscall => \@RATES);
    is($test->run(@words, '--force')->{status}, 0, '--force accepts it');
};

subtest 'existing results' => sub {
    my $test  = rated({});
    my @names = map { "run $_" } 1 .. 3;
    measure_into($test, $_, \@RATES) for @names;
    my @texts = map { $test->text($_) } @names;
    is($test->run('report', $names[0], required('syscall>=1e3'))->{status},  4, 'one of them is inconclusive');
    is($test->run('report', @names,    required('syscall>=1100'))->{status}, 3, 'all of them fail');
    my $run = $test->run('report', @names, required('syscall>=900'));
    is_deeply([@$run{qw(status out)}], [0, join(q{}, @texts)], 'met: the report of each is printed');
    my %refused = (
        'report takes one result, not 3'                          => [@names],
        'option --html writes one result, not 3'                  => [@names, '--html', 'x', required('syscall>=1')],
        'run 1 and run 1 are the same run: leave out one of them' => [@names[0, 0], required('syscall>=1')],
        'requirement "pipe>=1": the test "pipe" is not in run 1'  => [@names,       required('pipe>=1')],
    );

    for my $why (sort keys %refused) {
        my $run = $test->run('report', @{ $refused{$why} });
        is_deeply([$run->{status}, $run->{out}, (split /\n/, $run->{err})[0]], [2, q{}, "Run: $why"], $why);
    }
};

subtest 'an interrupted run' => sub {
    my $test = rated({});
    measure_into($test, 'last', [(1000) x 3]);
    give_rates($test, syscall => [990, 1000]);
    my ($ended, $name) = do {
        local $test->{cwd} = $test->place('results');
        ended_by(TERM => $test, required('syscall>=0.9*last.html', 'syscall>=2000'));
    };
    my $why = '"System Call Overhead": interrupted after 2 of 3 passes';
    like($ended->{err}, qr/^Run: INCONCLUSIVE syscall>=2000 \(1 copy\): $why$/m, 'an interrupted run is inconclusive');

    # The requirements apply to the resumed run, and files are relative to the first directory.
    my ($page, $journal) = ($test->place('results', 'last.html'), $test->text("$name.journal"));
    rename $page, "$page.away" or die "rename: $!\n";
    my $run = $test->run(qw(-q --resume), $name);
    is($run->{status}, 1, 'a resumed run without the file of its requirement is refused');
    like($run->{err}, qr{^Run: can't read \Q$page\E: No such file or directory\n\z}m, 'with a line that names it');
    is($test->text("$name.journal"), $journal, 'the journal is unchanged after the refusal');
    rename "$page.away", $page or die "rename: $!\n";
    give_rates($test, syscall => [1010]);
    $run = $test->run(qw(-q --json - --resume), $name);
    my @verdicts = $run->{err} =~ /^Run: (\S+ syscall>=\d[.]?\d*)/mg;
    is_deeply([$run->{status}, @verdicts], [3, 'PASS syscall>=0.9', 'FAIL syscall>=2000'], 'a resumed run is judged');
    like($run->{out}, qr/^[{].*[}]\n\z/s, 'and prints the report that is asked for now');
};

subtest 'a text report is judged as a result without intervals' => sub {
    my $test = TestRun->new;
    my $text = text_of("$FindBin::Bin/../../../t/data/classic/1-copy");
    $test->write('results', 'old.txt', $text);
    my $why = 'INCONCLUSIVE index>=1 (1 copy): 1362.9: a text report has no intervals';
    my $run = $test->run(qw(report old.txt -q), required('index>=1'));
    is_deeply(ended_of($run), [4, lines($why)], 'a requirement is inconclusive');
    is($test->run(qw(report old.txt), required('trust>=fair'))->{status}, 4, 'its trust is unknown');
    like($test->run(qw(report old.txt old.txt), required('index>=1'))->{err}, qr/: judge it alone$/m, 'not together');
    $test->write('results', 'old.txt', $text =~ s/^4 CPUs.*//mr);
    like($test->run(qw(report old.txt), required('index>=1'))->{err}, qr/give it with --copies N$/m, 'unknown copies');
};

# Takes the relative difference between passes, or undef, and words; runs pipe, which counts the same in each pass.
# Returns the ended run and its place.
sub quick {
    my ($sway, @words) = @_;
    my %env  = defined $sway ? (UB_SWAY => $sway) : ();
    my $test = TestRun->new(programs => { pipe => 'steady' }, env => \%env);
    return ($test->run(qw(--quick -q -c 1 pipe), @words), $test);
}

# [difference between passes, words, requirement, exit status]. A requirement that is not met has precedence over a
# precision that is not reached.
my @QUICK = (
    [undef, [],                                   'pipe>=900',  0],
    [undef, [],                                   'pipe>=1100', 3],
    [0.12,  [qw(--max-time 0.1)],                 'pipe>=830',  4],
    [0.3,   [qw(--max-time 0.1 --precision 0.1)], 'pipe>=9999', 3],
);
subtest 'requirements of a quick run' => sub {
    is((quick($_->[0], @{ $_->[1] }, required($_->[2])))[0]{status}, $_->[3], "$_->[2]: $_->[3]") for @QUICK;
    my ($run, $test) = quick(0.12, qw(--precision 20), required('pipe>=830'));
    is($run->{status}, 0, 'a requirement that is met after more rounds');
    my $result = UnixBench::Base::JSON::decode($test->report('.json'));
    cmp_ok($result->{runs}[0]{rounds}, '>', 5, 'an undecided requirement adds rounds');
};

subtest 'requirements of a run that measures states' => sub {
    my $test  = InTurns::place(sway => 0.001, env => { UB_COUNT => 1_000_000, UB_OUTPUT_FILE_NAME => 'turns' });
    my @under = map { ('--under', "env UB_COUNT=$_") } 900_000, 2_000_000;
    local $test->{cwd} = $test->place('results');
    my %verdict = (
        'syscall>=950000'     => 'PASS',    # although B does not meet it
        'syscall>=1500000'    => 'FAIL',    # although C does
        'b/a:syscall>=0.89'   => 'PASS',
        'C/A:syscall>=1.9'    => 'PASS',
        '1:b/a:syscall>=0.91' => 'FAIL',
    );
    my $run = $test->run(@under, qw(-q -c 1 --max-time 0.1 syscall), required(sort keys %verdict));
    is($run->{status}, 3, 'two are not met') or diag $run->{said};
    is_deeply({ reverse $run->{err} =~ m{^Run: (\w+) (\S+)}gm }, \%verdict, 'each has one verdict');
    my $ratio = qr{b/a:syscall>=0.89 \(1 copy\): 0[.](?:9|90\d+|89\d+), at least 0[.]\d+};
    like($run->{err}, qr/^Run: PASS $ratio$/m, 'a ratio has its end');
    $run = $test->run(qw(report turns), required(sort keys %verdict));
    is_deeply({ reverse $run->{err} =~ m{^Run: (\w+) (\S+)}gm }, \%verdict, 'those of an existing result');
    my $refused = $test->run(qw(report turns-b --require b/a:syscall>=0.89));
    like($refused->{err}, qr/a ratio needs a run with --under or --toggle: name its first result$/m, 'not another');
    is($test->run(qw(-q -c 1 syscall --require b/a:syscall>=0.89))->{status}, 2, 'a run without states is refused');
};

subtest 'no names with --no-identity' => sub {
    my $test = Anonymous::place('marvin');
    $test->{cwd} = $test->place($ODD);
    {
        local $test->{env} = { %{ $test->{env} }, UB_OUTPUT_FILE_NAME => 'last' };
        $test->run(qw(-q -c 1 -i 2 syscall));
    }
    my @required =
        required('syscall >= 1', map { "syscall>=1*$_" } 'my results/last.json', $test->place('results', 'last.json'));
    my @words = (qw(--json - -c 1 -i 2 --no-identity syscall pipe hanoi context1), @required);
    my $run   = $test->run(@words);
    my $left  = left_of($test, $run);
    delete @$left{ grep { /\Alast/ } keys %$left };
    my @titles = $run->{err} =~ /(syscall>=1\*.*?) /g;
    is_deeply(\@titles, [('syscall>=1*REFERENCE') x 2], 'a file of a requirement is not named');
    nobody_is_named($test, $left);
};

done_testing;
