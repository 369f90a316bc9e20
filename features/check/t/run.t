# Verdicts of the real program for other programs: what they say, and how their files are written.

use strict;
use warnings;

use Cwd ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../accept/t/lib ../../../t/lib);
use Anonymous                      qw(left_of nobody_is_named);
use CommandLines                   qw(are_refused);
use JudgedRun                      qw(@RATES @USUAL $MET $NEAR $UNMET ended_by ended_of lines required
    without_ends);
use LateModules             qw(loads_nothing_late);
use Needs                   qw(skip_without);
use Place                   qw(content text_of write_file);
use TestRun                 qw(give_rates rated waited);
use UnixBench::CLI::Options ();
use UnixBench::Check::VerdictFile;
use UnixBench::Command ();

my $PIPE   = 'Pipe Throughput (1 copy):';
my $FAILED = "$PIPE exit status 3 (pass 1, copy 1)";
my $KILLED = "$PIPE killed by SIGSEGV (pass 1, copy 1)";

# Takes a place; returns the path of its verdict, and the only block there.
sub file  { my ($test) = @_; return $test->place('verdict') }
sub block { return (UnixBench::Check::VerdictFile::blocks(content(file(@_))))[0] }

# Takes a place and words; runs them with a verdict. Returns the exit status, and state and reason of the verdict.
sub judged {
    my ($test, @words) = @_;
    my $run = $test->run(@words, '--verdict', file($test));
    my ($state, $reason) = @{ block($test) }{qw(state reason)};
    return [$run->{status}, $state, without_ends($reason)];
}

# [the program of pipe, requirements, exit status, state and reason of the verdict].
my @DECIDED = (
    [undef,      ['syscall>=900'],                  0, 'pass',         '1 requirement is met'],
    [undef,      ['syscall>=1e3'],                  4, 'inconclusive', "syscall>=1e3 (1 copy): 1000.0: $NEAR"],
    [undef,      ['syscall>=1e3', 'syscall>=1100'], 3, 'fail',         $UNMET],
    ['exit3',    ['syscall>=1'],    1, 'unknown', $FAILED],    # a test that failed tells nothing
    ['exit3',    ['syscall>=1100'], 1, 'fail',    $UNMET],     # a machine that was too slow is too slow
    ['segfault', ['syscall>=1'],    1, 'fail',    $KILLED],    # a machine on which a program crashes is broken
);
subtest 'verdicts' => sub {
    my %of;
    for my $case (@DECIDED) {
        my ($program, $requirements, @verdict) = @$case;
        my $test = $of{ $program // q{} } //=
            rated({ syscall => \@RATES }, $program ? (programs => { pipe => $program }) : ());
        my @words = $test->reports ? ('report', '-q') : (@USUAL, 'syscall', $program ? 'pipe' : ());
        is_deeply(judged($test, @words, required(@$requirements)), \@verdict, "@$requirements: $verdict[2]");
    }
    my $test  = rated({ syscall => [1000, @RATES] });          # the first pass warms up
    my @quick = qw(-q --quick -c 1 --max-time 0.1 --precision 0.0001 syscall --require syscall>=1);
    like(judged($test, @quick)->[2], qr/precision/, 'a quick run without the wanted precision is not sure');
    my $run = $test->run(@USUAL, 'syscall', '--verdict', file($test));
    is_deeply(ended_of($run), [2, lines('option --verdict needs --require')], 'none without requirements');
};

# Takes words of a resumed and of the interrupted run; returns the error, or the options of the resumed run.
sub resumed {
    my ($given, $lasting) = map { UnixBench::Command::parse(split q{ }, $_) } @_;
    my $measure = UnixBench::Command::declaration();
    return eval { UnixBench::CLI::Options::check_resumed($measure, $given, $lasting); 1 } ? $given : $@;
}

subtest 'options' => sub {
    my $here = Cwd::getcwd();
    are_refused(
        (map { ["$_=" => qq{option $_ needs the name of a file, not ""}] } qw(--junit --verdict)),
        ['--junit a --html b --json a' => "$here/a can have one report only: choose --json or --junit"],
    );
    my $needs = "option --verdict needs --require, which the interrupted run did not have\n";
    is(resumed('--resume r --verdict v', 'pipe'), $needs, '--verdict v is new');
    is(resumed('--resume r --verdict v', '--require pipe>=1 pipe')->{verdict},
        "$here/v", 'a file of known requirements');
};

subtest 'the verdict replaces an older one as a whole' => sub {
    my $test = rated({ syscall => \@RATES });
    write_file(file($test), 'old');
    link file($test), $test->place('older') or die "link: $!\n";
    my $before = time;
    is($test->run(@USUAL, 'syscall', required('syscall>=900'), '--verdict', file($test))->{status}, 0, 'it is written');
    is(content($test->place('older')), 'old', 'the older file is not written to');
    is_deeply([glob $test->place('verdict*')], [file($test)], 'no temporary file is left');
    ok(block($test)->{ended} >= $before && block($test)->{ended} <= time, 'the time is the end of the run');
};

subtest 'another file that cannot be written' => sub {
    skip_without(machine => '/dev/full') if !-e '/dev/full';
    my $full = q{can't write /dev/full: No space left on device};
    my $test = rated({ syscall => \@RATES });
    my $is   = judged($test, @USUAL, 'syscall', required('syscall>=900'), qw(--json /dev/full));
    is_deeply($is, [1, 'inconclusive', $full], 'a run that failed does not pass');
    my $absent = $test->place('none', 'x');
    for my $option (qw(--junit --verdict)) {
        my $run = $test->run(@USUAL, 'syscall', required('syscall>=1'), $option, $absent);
        is_deeply([@$run{qw(status err)}], [2, lines("can't write $absent: No such file or directory")], $option);
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
    my ($said) = UnixBench::Check::VerdictFile::blocks($test->run(qw(--no-identity --verdict -), @words)->{out});
    is_deeply([@$said{qw(host state)}], ['anonymous', 'pass'], 'so has the verdict');
    my @closed = ('/bin/sh', '-c', 'exec "$0" "$@" >&-', $^X, "$TestRun::HOME/Run", @words, qw(--junit -));
    my $why    = lines("can't write to standard output: it is closed", "PASS $MET");
    is_deeply(ended_of(waited($test->started_by(@closed))), [1, $why], 'it is closed');
};

subtest 'an interrupted run' => sub {
    my $test  = rated({ syscall => [990, 1000] });
    my @files = ('--verdict', file($test), '--junit', $test->place('j.xml'));
    my (undef, $name) = ended_by(TERM => $test, required('syscall>=2000'), @files);
    is(block($test)->{state}, 'inconclusive', 'its verdict');
    like(content($test->place('j.xml')), qr/<error [^>]*INCONCLUSIVE/, 'and its JUnit file');
    give_rates($test, syscall => [1010]);
    is(judged($test, qw(-q --resume), $name)->[1], 'fail', 'the resumed run writes the verdict that is asked for now');
};

subtest 'kill -9' => sub {
    my $test = rated({ syscall => [990, 1000] });
    write_file(file($test), 'old');
    ended_by(KILL => $test, '--verdict', file($test), required('syscall>=900'));
    is(content(file($test)), 'old', 'the older verdict stays, and its age tells');
};

subtest 'a text report is judged as a result without intervals' => sub {
    my $test = TestRun->new;
    $test->write('results', 'old.txt', text_of("$FindBin::Bin/../../../t/data/classic/1-copy"));
    my $said = '1362.9: a text report has no intervals';
    my $is   = judged($test, qw(report old.txt -q --junit), $test->place('j.xml'), required('index>=1'));
    is_deeply($is, [4, 'inconclusive', "index>=1 (1 copy): $said"], 'its verdict is inconclusive');
    is($test->run('check', file($test))->{status}, 3, 'and as old as the text');
    like(text_of($test->place('j.xml')), qr/<error [^>]*message="\Q$said\E"/, 'JUnit says so, too');
};

subtest 'no names with --no-identity' => sub {
    my $test  = Anonymous::place('marvin');
    my @words = qw(-c 1 -i 2 --no-identity syscall pipe --require syscall>=1 --junit ../j.xml --verdict ../v);
    $test->{cwd} = $test->place('test');
    nobody_is_named($test, left_of($test, $test->run(@words), qw(j.xml v)));
};

my @LATE = qw(-q -c 1 syscall --junit U --verdict V --require syscall>=1);
loads_nothing_late('an official run', {}, @LATE, qw(-i 1));
loads_nothing_late('a quick run',     {}, @LATE, qw(--quick --max-time 1));

done_testing;
