# Requirements of the real program: exit statuses, verdicts, their files, and what resumed runs have of them.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Alive qw(eventually);
use LoadedRun;
use Needs       qw(skip_without);
use Place       qw(text_of);
use TestProgram qw(write_file);
use TestRun     qw(give_rates measure_into rated waited);
use UnixBench::Accept::VerdictFile;
use UnixBench::Base::Files;

# Disturbances by other processes do not change the verdicts.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

my @USUAL = qw(-q -c 1 -i 3);
my @RATES = (990, 1000, 1010);
my $MET   = 'syscall>=900 (1 copy): 1000.0, at least LIMIT';
my $UNMET = 'syscall>=1100 (1 copy): 1000.0, at most LIMIT';
my $NEAR  = 'so near that 50 more runs may not decide';
my $OPEN  = "syscall>=1e3 (1 copy): 1000.0, somewhere from LIMIT to LIMIT: $NEAR";

# Takes a text; returns it without the ends of intervals, which depend on the machine.
sub without_ends { my ($text) = @_; return $text =~ s/(?:least|most|from|to) \K[\d.]+(?=$|: |, |; | to )/LIMIT/gmr }

# Takes the end of a run; returns its exit status and errors.
sub ended_of { my ($run) = @_; return [$run->{status}, without_ends($run->{err})] }

# Returns lines as they are printed on standard error.
sub lines {
    return join q{}, map { "Run: $_\n" } @_;
}

# Returns the words of the command line for these requirements.
sub required {
    return map { ('--require', $_) } @_;
}

# Takes a place; returns the path of its verdict, and the only block there.
sub file  { my ($test) = @_; return $test->place('verdict') }
sub block { return (UnixBench::Accept::VerdictFile::blocks(UnixBench::Base::Files::content(file(@_))))[0] }

# Takes a place and words; runs them with a verdict. Returns the exit status, the errors, and state and reason of the
# verdict.
sub judged {
    my ($test, @words) = @_;
    my $run = $test->run(@words, '--verdict', file($test));
    my ($state, $reason) = @{ block($test) }{qw(state reason)};
    return [@{ ended_of($run) }, $state, without_ends($reason)];
}

# [requirements, what is judged].
my @DECIDED = (
    [['syscall>=900'], [0, lines("PASS $MET"),          'pass',         '1 requirement is met']],
    [['syscall>=1e3'], [4, lines("INCONCLUSIVE $OPEN"), 'inconclusive', "syscall>=1e3 (1 copy): 1000.0: $NEAR"]],
    [
        ['syscall>=1e3', 'syscall>=1100', 'pipe>=1'],
        [3, lines("INCONCLUSIVE $OPEN", "FAIL $UNMET", 'PASS pipe>=1 (1 copy): 500.0, at least LIMIT'), 'fail', $UNMET]
    ],
);
for my $case (@DECIDED) {
    my ($requirements, $expected) = @$case;
    my $test = rated({ syscall => \@RATES, pipe => [(500) x 3] });
    is_deeply(judged($test, @USUAL, qw(syscall pipe), required(@$requirements)), $expected, "required: @$requirements");
}

subtest 'precedence of exit statuses' => sub {
    my $of = sub {
        my ($program, @requirements) = @_;
        my $test = rated({ syscall => \@RATES }, programs => { pipe => $program });
        my ($status, $err, @verdict) = @{ judged($test, @USUAL, qw(syscall pipe), required(@requirements)) };
        return [$status, @verdict];
    };
    my $failed = 'Pipe Throughput (1 copy): exit status 3 (pass 1, copy 1)';
    is_deeply($of->('exit3', 'syscall>=1'),    [1, 'unknown', $failed], 'a test that failed tells nothing');
    is_deeply($of->('exit3', 'syscall>=1100'), [1, 'fail',    $UNMET],  'a machine that was too slow is too slow');
    my $killed = 'Pipe Throughput (1 copy): killed by SIGSEGV (pass 1, copy 1)';
    is_deeply($of->('segfault', 'syscall>=1'), [1, 'fail', $killed], 'a machine on which a program crashes is broken');
    my $test = rated({ syscall => [1000, @RATES] });    # the first pass warms up
    is($test->run(@USUAL, 'syscall', required('pips>=1'))->{status}, 2, 'wrong usage has precedence over all');
    my @quick = qw(-q --quick -c 1 --max-time 0.1 --precision 0.0001 syscall --require syscall>=1);
    like(judged($test, @quick)->[3], qr/precision/, 'a quick run without the wanted precision is not sure');
};

# A wrong requirement is reported before anything starts: no file is made.
subtest 'wrong usage' => sub {
    my $test = TestRun->new;
    $test->write('test', 'text', "neither\n");
    my $place   = $test->place('test');
    my %refused = (
        "syscall>=1*$place/none" => "there is no file $place/none",
        "syscall>=1*$place/text" => "$place/text is not a result: neither JSON nor a report",
        "a\e[31m\nb>=1"          => 'requirement "a\x1b[31m\nb>=1": unknown name "a\x1b[31m\nb"; names are index, '
            . '2d-index, 3d-index, trust and the tests of ./Run --list',
    );
    for my $requirement (sort keys %refused) {
        my $run = $test->run(@USUAL, 'syscall', required('syscall>=1', $requirement));
        is_deeply([@$run{qw(status out err)}], [2, q{}, lines($refused{$requirement})], $refused{$requirement});
    }
    is_deeply([$test->reports, $test->left], [], 'no report and no scratch file is made');
    my $run = $test->run(@USUAL, 'syscall', '--verdict', file($test));
    is_deeply(ended_of($run), [2, lines('option --verdict needs --require')], 'a verdict without requirements');
};

subtest 'a requirement relative to another result' => sub {
    my $test = rated({});
    measure_into($test, 'last week', [(1000) x 3]);
    give_rates($test, syscall => \@RATES);
    local $test->{cwd} = $test->place('results');
    my $run =
        $test->run(@USUAL, 'syscall', required('syscall >= 0.9 * last week.html', 'syscall>=1.1*./last week.html'));
    is_deeply(
        ended_of($run),
        [
            3,
            lines(
                'PASS syscall >= 0.9 * last week.html (1 copy): 1000.0, at least LIMIT',
                'FAIL syscall>=1.1*last week.html (1 copy): 1000.0, at most LIMIT, limit 1100.0'
            )
        ],
        'the file is relative to the directory of the caller, and the limit is named'
    );
};

subtest 'a requirement relative to a result of another procedure' => sub {
    my $test = TestRun->new;
    my $file = measure_into($test, 'shorter', [(1000) x 3]);
    $test->{env}{UB_TIME_FACTOR} = '0.002';
    my @words = (@USUAL, 'syscall', required("syscall>=0.5*$file"));
    my $run   = $test->run(@words);
    my $why =
        "$file can't be compared with this run: length of passes (UB_TIME_FACTOR): 0.002 in this run, 0.001 in $file";
    is_deeply([@$run{qw(status out err)}], [2, q{}, lines("$why; use --force to compare them anyway")], 'it is not');
    is($test->run(@words, '--dry-run')->{err}, $run->{err}, '--dry-run refuses it, too');
    give_rates($test, syscall => \@RATES);
    is($test->run(@words, '--force')->{status}, 0, '--force accepts it');
};

subtest 'existing results' => sub {
    my $test  = rated({});
    my @names = map { "run $_" } 1 .. 3;
    measure_into($test, $_, \@RATES) for @names;
    my @texts = map { $test->text($_) } @names;
    for my $case ([$names[0], 'syscall>=1e3', 4, 'inconclusive'], [@names, 'syscall>=1100', 3, 'fail']) {
        my ($status, $state) = splice @$case, -2;
        my $requirement = pop @$case;
        is_deeply([@{ judged($test, 'report', @$case, required($requirement)) }[0, 2]], [$status, $state], "@$case");
    }
    my $run = $test->run('report', @names, required('syscall>=900'));
    is_deeply([@$run{qw(status out)}], [0, join(q{}, @texts)], 'met: the report of each is printed');
    $run = $test->run('report', @names, required('syscall>=900'), '--junit', '-');
    like($run->{out}, qr{\A<\?xml [^>]+>\n<testsuites [^>]+tests="4".*</testsuites>\n\z}s, 'JUnit has one document');
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

subtest 'the verdict replaces an older one as a whole' => sub {
    my $test = rated({ syscall => \@RATES });
    write_file(file($test), 'old');
    link file($test), $test->place('older') or die "link: $!\n";
    my $before = time;
    is($test->run(@USUAL, 'syscall', required('syscall>=900'), '--verdict', file($test))->{status}, 0, 'it is written');
    is(UnixBench::Base::Files::content($test->place('older')), 'old', 'the older file is not written to');
    is_deeply([glob $test->place('verdict*')], [file($test)], 'no temporary file is left');
    ok(block($test)->{ended} >= $before && block($test)->{ended} <= time, 'the time is the end of the run');
};

subtest 'another file that cannot be written' => sub {
    skip_without(machine => '/dev/full') if !-e '/dev/full';
    my $full = q{can't write /dev/full: No space left on device};
    my $test = rated({ syscall => \@RATES });
    is_deeply(
        judged($test, @USUAL, 'syscall', required('syscall>=900'), qw(--json /dev/full)),
        [1, lines("PASS $MET", $full), 'inconclusive', $full],
        'a run that failed does not pass'
    );
    for my $option (qw(--junit --verdict)) {
        my $path = $test->place('none', 'x');
        my $run  = $test->run(@USUAL, 'syscall', required('syscall>=1'), $option, $path);
        is_deeply([@$run{qw(status err)}], [2, lines("can't write $path: No such file or directory")], "$option");
        give_rates($test, syscall => \@RATES);
        $run = $test->run(@USUAL, 'syscall', required('syscall>=1'), $option, '/dev/full');
        is_deeply([$run->{status}, $run->{err} =~ /(can't .*)/], [1, $full], "$option: no space");
    }
};

subtest 'verdicts on standard output' => sub {
    my $test  = rated({ syscall => [(@RATES) x 3] });
    my @words = (@USUAL, 'syscall', required('syscall>=900'));
    my $run   = $test->run(qw(--junit -), @words[1 .. $#words]);
    like($run->{out}, qr{\A<\?xml [^>]+>\n<testsuites [^>]+tests="2".*</testsuites>\n\z}s, 'JUnit stands alone there');
    like($run->{err}, qr/^\QRun: PASS syscall>=900\E/m, 'and the verdicts are on standard error');
    my ($said) = UnixBench::Accept::VerdictFile::blocks($test->run(qw(--no-identity --verdict -), @words)->{out});
    is_deeply([@$said{qw(host state)}], ['anonymous', 'pass'], 'so has the verdict');
    $run = waited(
        $test->started_by('/bin/sh', '-c', 'exec "$0" "$@" >&-', $^X, "$TestRun::HOME/Run", @words, qw(--junit -)));
    is_deeply(ended_of($run), [1, lines("can't write to standard output: it is closed", "PASS $MET")], 'it is closed');
};

# Takes a place and words; starts a run, sends it the signal in its third pass, and waits. Returns the ended run and its
# name.
sub ended_by {
    my ($signal, $test, @words) = @_;
    my $run = $test->started(@USUAL, 'syscall', @words);
    eventually(sub { $test->report('.journal') =~ /"pass".*"pass"/s });
    kill $signal => $run->{pid};
    my $ended = waited($run);
    return ($ended, map { s/[.]journal\z//r } grep { /[.]journal\z/ } $test->reports);
}

subtest 'an interrupted run' => sub {
    my $test = rated({});
    measure_into($test, 'last', [(1000) x 3]);
    give_rates($test, syscall => [990, 1000]);
    my ($ended, $name) = do {
        local $test->{cwd} = $test->place('results');
        my @files = ('--verdict', file($test), '--junit', $test->place('j.xml'));
        ended_by(TERM => $test, required('syscall>=0.9*last.json', 'syscall>=2000'), @files);
    };
    my $why = '"System Call Overhead": interrupted after 2 of 3 passes';
    like($ended->{err}, qr/^Run: INCONCLUSIVE syscall>=2000 \(1 copy\): $why$/m, 'an interrupted run is inconclusive');
    is(block($test)->{state}, 'inconclusive', 'so is its verdict');
    like(UnixBench::Base::Files::content($test->place('j.xml')), qr/<error [^>]*INCONCLUSIVE/, 'and its JUnit file');
    give_rates($test, syscall => [1010]);
    my $run = $test->run(qw(-q --json - --resume), $name, '--verdict', file($test));
    is_deeply(
        [$run->{status}, $run->{err} =~ /^Run: (\S+ syscall>=\d[.]?\d*)/mg],
        [3, 'PASS syscall>=0.9', 'FAIL syscall>=2000'],
        'the requirements apply to the resumed run, and files are relative to the first directory'
    );
    is(block($test)->{state}, 'fail', 'the resumed run writes the verdict that is asked for now');
    like($run->{out}, qr/^[{].*[}]\n\z/s, 'and prints the report that is asked for now');
};

subtest 'a resumed run without the file of its requirement' => sub {
    my $test = rated({});
    my $file = measure_into($test, 'last', [(1000) x 3]);
    give_rates($test, syscall => [990, 1000]);
    my ($ended, $name) = ended_by(TERM => $test, required("syscall>=0.9*$file"));
    rename $file, "$file.away" or die "rename: $!\n";
    my $journal = $test->text("$name.journal");
    my $run     = $test->run(qw(-q --resume), $name);
    is($run->{status}, 1, 'a missing file of a requirement is refused');
    like($run->{err}, qr{^Run: can't read \Q$file\E: No such file or directory\n\z}m, 'with a line that names it');
    is($test->text("$name.journal"), $journal, 'the journal is unchanged after the refusal');
};

subtest 'kill -9' => sub {
    my $test = rated({ syscall => [990, 1000] });
    write_file(file($test), 'old');
    ended_by(KILL => $test, '--verdict', file($test), required('syscall>=900'));
    is(UnixBench::Base::Files::content(file($test)), 'old', 'the older verdict stays, and its age tells');
};

subtest 'a text report is judged as a result without intervals' => sub {
    my $test = TestRun->new;
    $test->write('results', 'old.txt', text_of("$FindBin::Bin/../../../t/data/classic/1-copy"));
    my $said = '1362.9: a text report has no intervals';
    is_deeply(
        judged($test, qw(report old.txt -q --junit), $test->place('j.xml'), required('index>=1')),
        [4, lines("INCONCLUSIVE index>=1 (1 copy): $said"), 'inconclusive', "index>=1 (1 copy): $said"],
        'a requirement is inconclusive'
    );
    is($test->run('check', file($test))->{status}, 3, 'its verdict is as old as the text');
    like(text_of($test->place('j.xml')), qr/<error [^>]*message="\Q$said\E"/, 'JUnit says so, too');
    is($test->run(qw(report old.txt), required('trust>=fair'))->{status}, 4, 'its trust is unknown');
    like($test->run(qw(report old.txt old.txt), required('index>=1'))->{err}, qr/: judge it alone$/m, 'not together');
    $test->write('results', 'old.txt', text_of($test->place('results', 'old.txt')) =~ s/^4 CPUs.*//mr);
    like($test->run(qw(report old.txt), required('index>=1'))->{err}, qr/give it with --copies N$/m, 'unknown copies');
};

done_testing();
