# The files of runs: their names, their directories, and two runs at the same time.

use strict;
use warnings;

use FindBin;
use Test::More;
use Time::HiRes ();

use lib "$FindBin::Bin/../lib";
use LoadedRun qw(waited);
use Needs     qw(skip_without);
use UnixBench::Base::JSON;

my $ROUNDS = 4;    # of two runs that begin at the same moment

subtest 'two runs that begin at the same moment' => sub {
    my $test  = TestRun->new;
    my %title = (syscall => 'System Call Overhead', hanoi => 'Recursion Test -- Tower of Hanoi');
    my @ended;
    for (1 .. $ROUNDS) {
        my @runs = map { $test->{name} = $_; $test->started(qw(-q -c 1 -i 1), $_) } sort keys %title;
        push @ended, map { waited($_) } @runs;
    }
    is_deeply([grep { $_->{status} || length $_->{err} } @ended], [], 'all of them are measured');
    my @bases = map { /\A(.+)[.]html\z/ ? $1 : () } $test->reports;
    is_deeply([map { /-([0-9]+)\z/ } @bases], [map { sprintf '%02d', $_ } 1 .. 2 * $ROUNDS], 'a name of its own');
    is_deeply([$test->reports], [sort map { ($_, "$_.html", "$_.log") } @bases], 'each run has all of its files');
    my %logs;
    $logs{ join q{ }, $test->text("$_.log") =~ /^(.+) -- 1 copy$/mg }++ for @bases;
    is_deeply(\%logs, { map { $_ => $ROUNDS } values %title }, 'each log is that of one run');
    my %printed = map { $_ => 1 } map { $test->text($_) } @bases;
    is_deeply([grep { !$printed{ $_->{out} =~ s/\A=+\n//r } } @ended], [], 'each run prints the report that it writes');
};

subtest 'a name that was given' => sub {
    my $test = TestRun->new(env => { UB_OUTPUT_FILE_NAME => 'mine', UB_OUTPUT_CSV => 'true' });
    $test->run(qw(-q -c 1 -i 1 syscall));
    is_deeply([$test->reports], [qw(mine mine.csv mine.html mine.log)], 'the reports have that name');
    delete $test->{env}{UB_OUTPUT_CSV};
    my $run = $test->run(qw(-q -c 1 -i 1 hanoi));
    is_deeply([@$run{qw(status err)}],   [0, q{}],                             'a second run of that name is measured');
    is_deeply([$test->reports],          [qw(mine mine.html mine.log)],        'the whole family is replaced');
    is_deeply([keys %{ $test->scores }], ['Recursion Test -- Tower of Hanoi'], 'the scores are those of the later run');
};

subtest 'called from elsewhere through a link' => sub {
    my $test = TestRun->new(env => { UB_RESULTDIR => 'my results', UB_TMPDIR => './tmp', UB_BINDIR => 'bin' });
    symlink "$TestRun::HOME/Run", $test->place('unixbench') or die "symlink: $!\n";
    @$test{qw(cwd program)} = ($test->place, $test->place('unixbench'));
    my $run = $test->run(qw(-q -c 1 -i 1 syscall));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a run through a link succeeds');
    opendir my $results, $test->place('my results') or die "my results: $!\n";
    is(scalar(grep { /[.]log\z/ } readdir $results), 1, 'directories are relative to the caller\'s');
};

subtest 'the directories of the tests and programs' => sub {
    for my $name (qw(UB_TESTDIR UB_BINDIR)) {
        my $test = TestRun->new;
        my $path = $test->{env}{$name} = $test->place('not', 'there');
        my $run  = $test->run(qw(-q -c 1 syscall));
        is($run->{status}, 1, "$name must exist");
        like($run->{err}, qr/^Run: there is no directory \Q$path\E: correct $name$/m, 'what must be corrected');
        ok(!-e $test->place('not'), "$name: the directory is not made");
        is_deeply([$test->reports, $test->left], [], "$name: no report and no scratch file is made");
    }
};

subtest 'the language of the tests' => sub {
    my $test = TestRun->new(
        programs => { syscall => q{env; echo 'COUNT|12|1|lps' >&2} },
        env      => { LC_ALL  => 'C', LANGUAGE => 'de', LANG => 'C' }
    );
    $test->run(qw(-q -c 1 -i 1 syscall));
    my %said = $test->report('.log') =~ /^(LC_\w+|LANG\w*|TMPDIR|UB_SCRATCH|UB_GATE)=(.*)$/mg;
    is($said{LANG}, 'en_US.utf8', 'LANG is fixed');
    is_deeply([grep { /LC_|LANGUAGE/ } keys %said], [], 'no variable overrides LANG');
    like($said{UB_SCRATCH}, qr{\A\Q@{[$test->place('tmp')]}\E/}, 'scratch is below UB_TMPDIR');
};

my $MESSAGE =
    qr/^Run: on this machine, (?:another Run [(]process|other Runs [(]processes) (.*)[)] (?:is|are) measuring/m;

# Starts a run that waits in its second pass; returns its place and the run. Its test takes its own time, because a pass
# that is far too late would be repeated.
sub held {
    my $test = TestRun->new(programs => { 'whetstone-double' => 'hold' }, env => { UB_HOLD_AT => 2 });
    mkdir $test->place('hold') or die "mkdir: $!\n";
    $test->{env}{UB_HOLD} = $test->place('hold');
    my $run = $test->started(qw(-q -c 1 -i 9 whetstone-double));
    ok($test->is_held, 'a run is in its second pass');
    return ($test, $run);
}

# Continues a run; returns what waited() returns, and its result.
sub ended {
    my ($test, $run) = @_;
    $test->write('hold', 'go-on', q{});
    my $ended = waited($run);
    is($ended->{status}, 0, 'it is measured') or diag $ended->{said};
    return ($ended, UnixBench::Base::JSON::decode($test->data));
}

# Returns the number of other Runs in the second pass, and the warning.
sub known {
    my ($result) = @_;
    my $tags     = $result->{runs}[0]{tests}[0]{passes}[1]{tags};
    my ($tag)    = grep { $_->{cause} eq 'another_run' } @$tags;
    my ($remark) = grep { $_->{kind} eq 'load' } @{ $result->{remarks} };
    return ($tag->{value} // 0, $remark->{seen} // q{});
}

# Two runs on one machine at the same time know of each other: both say so at the start or in their reports.
subtest 'two runs that measure at the same time' => sub {
    skip_without(machine => '/proc of Linux') if !-e '/proc/self/stat';
    my @first  = held();
    my @second = held();
    my ($first, $of_first)   = ended(@first);
    my ($second, $of_second) = ended(@second);
    my ($pids) = $second->{said} =~ $MESSAGE;
    ok(defined $pids,                             'the second run says that another one is measuring');
    ok($pids =~ /\b$first[1]{pid}\b|\bothers?\b/, 'it has the number of its process');

    for my $case (['the first', $of_first], ['the second', $of_second]) {
        my ($which,  $result) = @$case;
        my ($number, $seen)   = known($result);
        cmp_ok($number, '>=', 1, "$which has it as a disturbance of its passes");
        my $passes = qr/(?:slight in )?[1-9] of 9 passes/;
        like($seen, qr/^Other load: .*[0-9]+ other Runs?.* [(]$passes/, "$which has a warning");
    }
};

# Old scripts find the classic report in a directory of results by one of five rules.

# What scripts search for: the result of a test, an index, and two phrases that they count.
my $RESULT  = qr/^\S.*? {2,}[0-9]+[.][0-9] \S+ +[(][0-9.]+ s, [0-9]+ samples[)]$/m;
my $INDEX   = qr/^System Benchmarks Index Score.*$/m;
my @PHRASES = (qr/of tests/, qr/[(]Partial Only[)]/);

my %PROGRAMS = ((map { $_ => 'brisk' } qw(dhry2reg whetstone-double syscall pipe spawn execl fstime looper)));
my @WORDS    = qw(-q -c 1 -c 2 -i 1);

for my $case (
    ['the index', [], 'index'],
    ['a part of the index', [], 'pipe', 'syscall'],
    [
        'all formats',
        [map { ("UB_OUTPUT_$_" => 'true') } qw(CSV JSON)],
        qw(--markdown - --html /dev/null --details), 'index'
    ],
    )
{
    my ($what, $env, @words) = @$case;
    my $test = TestRun->new(programs => \%PROGRAMS, env => {@$env});
    my $run  = $test->run(@WORDS, @words);
    is($run->{status}, 0, "$what: the run succeeds") or diag $run->{said};
    is_found($what, $test);
}

done_testing();

# Tests that each rule finds the report of the only run in a place.
sub is_found {
    my ($what, $test) = @_;
    my @names  = $test->reports;
    my ($name) = grep { /\A[^.]+\z/ } @names;
    my $report = $test->text($name);
    like($report, $INDEX, "$what: the report has an index");

    my ($newest) = sort { written_at($test, $b) <=> written_at($test, $a) } grep { !/[.](?:html|log)\z/ } @names;
    is($newest, $name, "$what: the newest file that is neither .html nor .log");
    like($name, qr/\A[\w-]+-[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{2}\z/, "$what: the file named after host and date");
    my %rule = (
        'everything that is not .log or .html'       => [grep { !/[.](?:html|log)\z/ } @names],
        'everything that is not .csv, .html or .log' => [grep { !/[.](?:csv|html|log)\z/ } @names],
        'every file'                                 => \@names,
    );

    for my $rule (sort keys %rule) {
        is_deeply(seen_in(map { $test->text($_) } @{ $rule{$rule} }), seen_in($report), "$what: $rule");
    }
    return;
}

# Returns what scripts find in these texts.
sub seen_in {
    my $text = join "\n", @_;
    return { lines => [$text =~ /$RESULT|$INDEX/g], phrases => [map { scalar(() = $text =~ /$_/g) } @PHRASES] };
}

sub written_at {
    my ($test, $name) = @_;
    return (Time::HiRes::stat($test->place('results', $name)))[9];
}
