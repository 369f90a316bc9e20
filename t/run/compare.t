use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use LoadedRun  qw(eventually give_rates rated waited);
use BadResults qw(%BAD %NONE %WHY directory with_links);
use Fixture    qw(measured rendered result run);
use UnixBench::Base::JSON;

# Neither disturbances by other processes nor what is assumed of this machine change the verdicts.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad -MPlanted=steady-machine";

# Results that ./Run has measured: name => rates of syscall in three passes. Comparisons start in their directory. An
# invalid environment is not reported, because comparisons do not need it.
my %RATES = (
    before            => [1000, 1001, 999],
    'as before'       => [998,  1000, 1002],
    slower            => [940,  941,  939],
    "odd\n\e[31m\xff" => [1000, 1000, 1000],
    '-q'              => [1100, 1101, 1099],
);

my $MACHINE = rated({});
$MACHINE->{cwd} = $MACHINE->place('results');
measure($_, $RATES{$_}) for sort keys %RATES;

# Takes a name, rates, and perhaps words for ./Run; measures syscall at 1000 times these rates into that name.
sub measure {
    my ($name, $rates, @words) = @_;
    give_rates($MACHINE, syscall => [map { 1000 * $_ } @$rates]);
    local $MACHINE->{env} = { UB_OUTPUT_FILE_NAME => $name };
    my $run = $MACHINE->run(qw(-q -c 1 -i 3), @words, 'syscall');
    die $run->{err} if $run->{status};
    return;
}

sub compare { return $MACHINE->run('compare', @_) }

# Reports of the same runs without a page, whose spread is not known.
mkdir $MACHINE->place('texts') or die "mkdir: $!\n";
$MACHINE->write('texts', $_, $MACHINE->text($_)) for qw(before slower);

# Words of the command line => exit status, and the beginning of the finding. t/unit/Command/compare.t has further ones.
my @COMPARED = (
    [['before.html', 'as before.html']             => 0, 'A (vm) and B (vm) are equal within 2 % (-0.4 to +0.4 %)'],
    [['before.json', 'slower.html']                => 3, 'B (vm) is 6.0 % slower (5.8 to 6.2 %) than A (vm)'],
    [['before.html', './-q.html']                  => 0, 'B (vm) is 10 % faster (9.8 to 10 %) than A (vm)'],
    [[qw(--min-effect 6% before.html slower.html)] => 0, 'inconclusive (-6.2 to -5.8 %)'],
    [['../texts/before', '../texts/slower']        => 0, 'B (vm) is 6.0 % slower than A (vm), without an interval'],
);

for my $case (@COMPARED) {
    my ($words, $status, $finding) = @$case;
    my $run = compare(@$words);
    is_deeply([@$run{qw(status err)}], [$status, q{}], "@$words");
    like($run->{out}, qr/\ASystem Benchmarks index \(partial\), 1 copy: \Q$finding\E/, $finding);
}

my $also = join(q{}, map { "Run: $_: reading $_.html, which has the data of this run\n" } qw(before slower));
is(compare('before', 'slower')->{err}, $also, 'a text report leads to the page of its run, and a message says so');

# Takes a run; returns what it printed, with each folded line in one.
sub unfolded {
    my ($run) = @_;
    return $run->{out} =~ s/\n  (?=\S)/ /gr;
}

# Takes a name and what disturbs each pass, see PlayedLoad; measures 6 % less than "before" into that name.
sub measure_beside {
    my ($name, $load) = @_;
    local $ENV{PLAYED_LOAD} = $load;
    return measure($name, $RATES{slower});
}

subtest 'a machine that was measured beside other load' => sub {
    measure_beside(loud => 'others:disturbed:1.4 run_queue:disturbed:3');
    my $trust = qr/3 of 3 passes were disturbed [(]other load/;
    for my $case ([qw(before loud B)], [qw(loud before A)], [qw(loud loud A)]) {
        my ($first, $second, $letter) = @$case;
        my $run = compare("$first.html", "$second.html");
        is_deeply([@$run{qw(status err)}], [4, q{}], "$first, $second: the exit status is 4");
        my $first_line = qr/\ASystem Benchmarks index [(]partial[)], 1 copy: inconclusive, because of other load$/m;
        like($run->{out},    $first_line, "$first, $second: the first line names other load");
        like(unfolded($run), qr/^Trust (?=.*\bin $letter is poor: $trust)/m, "$first, $second: the trust of both");
        unlike($run->{out}, qr/slower|faster|equal within/, "$first, $second: there is no other verdict");
    }
    unlike(compare('before.html', 'slower.html')->{out}, qr/^Trust\b/m, 'good trust of both is not named');
    is(compare('before.html', 'loud.html', 'slower.html')->{status}, 4, 'another side decides nothing');
    measure_beside(neighbours => 'steal:disturbed:0.5');
    my $run = compare('before.html', 'neighbours.html');
    is($run->{status}, 3, 'steal belongs to the machine: the exit status is 3');
    like(unfolded($run), qr/^Trust in B is poor: .*steal, up to 50 % in a pass/m, 'the poor trust is named');
};

subtest 'a test decides the exit status' => sub {
    my $run = compare(qw(--fail-on syscall --json - before.html slower.html));
    is_deeply([@$run{qw(status err)}], [3, q{}], 'a slower test: exit status 3');
    my $data = UnixBench::Base::JSON::decode($run->{out});
    is_deeply([@$data{qw(outcome fail_on)}], ['slower', ['syscall']], 'the JSON on standard output says so');
    is(compare(qw(--fail-on syscall before.html loud.html))->{status}, 4, 'other load: exit status 4');
    $run = compare(qw(--fail-on pipe --json - before.html slower.html));
    is($run->{status}, 1, 'a test that is missing: exit status 1');
    like($run->{err}, qr/\ARun: option --fail-on pipe: it does not decide about B: .*\n\z/, 'the line says so');
    is(UnixBench::Base::JSON::decode($run->{out})->{outcome}, 'incomplete', 'the JSON says so');
};

subtest 'files that are not results' => sub {
    my $results = $MACHINE->place('results');
    $MACHINE->write('results', 'empty', q{});
    mkdir "$results/folder" or die "mkdir: $!\n";
    my %why = (
        'folder'     => 'folder has no results',
        'empty'      => 'empty is not a result: neither JSON nor a report',
        "a\n\e[31mb" => "there is no file a\\n\\x1b[31mb, and no run of that name in $results",
    );
    for my $name (sort keys %why) {
        my $run = compare('before.json', $name, '--html', 'page');
        is_deeply([@$run{qw(status out err)}], [2, q{}, "Run: $why{$name}\n"], "refused in one line: $why{$name}");
    }
    ok(!-e "$results/page", 'no page is written for a refused file');
};

subtest 'the page' => sub {
    my $text = compare('before.html', 'slower.html');
    my $run  = compare(qw(--html page.html before.html slower.html));
    is_deeply([@$run{qw(status err out)}], [3, q{}, $text->{out}], '--html FILE prints the text, too');
    my $page = $MACHINE->text('page.html');
    like($page, qr{\A<!DOCTYPE html>.*<h1[^>]*>.*\b6[.]0\W+% slower\b.*</html>\n\z}s, '--html FILE writes the page');
    $run = compare(qw(--html - before.html slower.html));
    is_deeply([@$run{qw(status err out)}], [3, q{}, $page], '--html - prints the page instead of the text');
};

subtest 'a comparison needs no directories' => sub {
    local $MACHINE->{env} =
        { map { $_ => '/nowhere/at all' } qw(UB_BINDIR UB_TMPDIR UB_RESULTDIR UB_TESTDIR HOME TMPDIR) };
    my $run = compare(qw(before.html slower.html));
    is_deeply([@$run{qw(status err)}], [3, q{}], 'it is made');
};

# Two rounds of each state, with these rates, and one without labels.
my %RATE = (old => 1000, new => 900, other => 1000);
for my $state (sort keys %RATE) {
    for my $round (1, 2) {
        my $rate = $RATE{$state} + $round;
        measure(
            "$state-$round",
            [map { $rate * $_ } 1, 1.001, 0.999],
            map { ('--label', $_) } "state=$state",
            "round=$round"
        );
    }
}
measure('unlabelled', $RATES{before});
mkdir $MACHINE->place('results', 'states') or die "states: $!\n";
for my $name ('old-1', 'old-2', 'new-1', 'unlabelled') {
    symlink "../$name.html", $MACHINE->place('results', 'states', "$name.html") or die "$name: $!\n";
}

subtest 'groups of results' => sub {
    my @files = map { ("$_-1.html", "$_-2.html") } qw(old new other);
    my $run = compare(qw(--by state --min-effect 6 --json states.json --html states.html --markdown states.md), @files);
    is_deeply([@$run{qw(status err)}], [3, q{}], 'a slower group: exit status 3');
    my $index = 'System Benchmarks index (partial), 1 copy:';
    my $both_groups =
        qr/^\Q$index\E B [(]new[)] is [\d.]+ % slower .*\n\Q$index\E A [(]old[)] and C [(]other[)] are equal /m;
    like($run->{out}, $both_groups, 'each group is compared with the first one');
    like($run->{out}, qr/^1 copy +Group +A [(]2[)] +Ratio .*\nSystem Call Overhead +B .* slower\n/m, 'their table');
    like($MACHINE->text($_), qr/Group\b.*A [(]2[)].*Ratio/s, "in $_") for qw(states.html states.md);
    my $data = UnixBench::Base::JSON::decode($MACHINE->text('states.json'));
    is_deeply(
        [$data->{outcome}, map { "$_->{name} $_->{runs}" } @{ $data->{groups}{groups} }],
        ['slower', 'old 2', 'new 2', 'other 2'],
        'and in the JSON'
    );
    is(compare(qw(--by state --baseline new), @files)->{status}, 0, 'with the slower one as the baseline: 0');
    like(compare(qw(--by round), @files)->{out}, qr/^1 copy +A [(]3[)] +B [(]3[)]/m, 'by another label');
};

subtest 'results that are in no group' => sub {
    my $left_out = 'states/unlabelled.html has no state';
    my $run      = compare(qw(--by state --baseline old states));
    is_deeply([@$run{qw(status err)}], [3, q{}], 'in a directory, they do not matter');
    like($run->{out}, qr/^Left out:\n   \Q$left_out\E$/m, 'they are named');
    my $why = 'option --by: unlabelled.html and ./unlabelled.html have no state: leave out such results';
    $run = compare(qw(--by state old-1.html new-1.html unlabelled.html ./unlabelled.html));
    is_deeply([@$run{qw(status out err)}], [2, q{}, "Run: $why\n"], 'named as files, they are refused');
};

# Command lines that name no result: the newest one, two that can be compared, the only interrupted run, or a list; and
# directories in which some results are bad.

my %PROCEDURE = %{ result([])->{procedure} };

# Takes a place, the name of a result, the number of an hour, and perhaps keys of its procedure. Writes its page, as if
# it had been measured and written then.
sub write_page {
    my ($test, $name, $hour, %procedure) = @_;
    my $run = run(1, measured('pipe', 1, map { 1e6 + $_ } 1, 2, 3, 1, 2, 3));
    $run->{$_} += 3600 * $hour for qw(started ended);
    my $path = $test->write('results', "$name.html",
        rendered(html => result([$run], procedure => { %PROCEDURE, %procedure })));
    utime +($run->{ended}) x 2, $path;
    return;
}

# Tests the exit status of Run without a name, and what it says.
sub says {
    my ($test, $words, $status, $pattern, $name) = @_;
    my $run = $test->run(@$words);
    is($run->{status}, $status, "$name: exit status $status") or diag $run->{said};
    like($run->{err}, $pattern, $name);
    return $run;
}

my $NEEDS = 'compare needs two results: ./Run compare OLD NEW;';

subtest 'no result' => sub {
    my $test = TestRun->new;
    says($test, ['report'], 2, qr{\ARun: report needs a result: ./Run report RESULT; there is none in results\n\z},
        'report');
    says($test, ['compare'],  2, qr{\ARun: \Q$NEEDS\E there is none in results\n\z},    'compare');
    says($test, ['--resume'], 2, qr/\ARun: there is no interrupted run in results\n\z/, '--resume');
};

subtest 'the newest result, and the two newest' => sub {
    my $test = TestRun->new;
    write_page($test, 'old', 1);
    my $run = says($test, ['report', '-q'], 0, qr/\ARun: the newest result: old\n/, 'report, the only one');
    like($run->{out}, qr/^Pipe Throughput /m, 'its report is printed');
    says(
        $test, ['compare'], 2,
        qr/\ARun: \Q$NEEDS\E no two of these are complete, have good or fair trust, and were .* the same: old\n\z/,
        'compare has only one'
    );
    write_page($test, 'new', 3);
    write_page($test, 'mid', 2);
    says($test, ['report', '-q'], 0, qr/\ARun: the newest result: new\n/, 'report');
    says($test, ['compare'],      0, qr/\ARun: comparing mid new\n\z/,    'compare: the earlier one first');
    write_page($test, 'quick', 4, kind => 'quick', seed => 1, precision => 0.02, max_time_s => 60);
    says($test, ['compare'],       0, qr/\ARun: comparing mid new\n\z/, 'a result of another procedure is not taken');
    says($test, ['compare', '--'], 2, qr/"--" separates two sides/,     'sides need names');
};

subtest 'the only interrupted run' => sub {
    my $test  = TestRun->new(programs => { pipe => 'hang' });
    my $begun = sub {
        my ($name)  = @_;
        my $journal = $test->place('results', "$name.journal");
        my $run     = $test->started(qw(-q -c 1 -i 1 syscall pipe));
        eventually(sub { -e $journal && ($test->text("$name.journal") =~ tr/\n//) > 2 });
        return $run;
    };
    my $end = sub { my ($run) = @_; kill TERM => $run->{pid}; return waited($run) };
    $test->{env}{UB_OUTPUT_FILE_NAME} = 'first';
    my $first = $begun->('first');
    says($test, ['--resume'], 2, qr/\ARun: there is no interrupted run in results\n\z/, 'a run that goes on is none');
    $end->($first);
    my $resumed = $test->started(qw(-q --resume));
    ok(eventually(sub { ($test->text('first.journal') =~ /"resumed"/) }), '--resume takes it');
    $end->($resumed);

    for my $name (qw(second third)) {
        $test->{env}{UB_OUTPUT_FILE_NAME} = $name;
        $end->($begun->($name));
    }
    unlink $test->place('results', 'first.journal') or die "first.journal: $!\n";
    says($test, ['--resume'], 2,
        qr{\ARun: several runs were interrupted; name one of them: ./Run --resume NAME; they are second third\n\z},
        'two of them');
};

# Directories of results in which some files are torn, changed, or not plain files: each is named as bad, and the
# others are compared.

my $TEST = TestRun->new;
my $HERE = $TEST->place('results');

subtest 'a comparison' => sub {
    directory($TEST, 8, %BAD, %NONE);
    with_links($TEST);
    my $run = $TEST->run('compare', $HERE);
    is($run->{status}, 1, 'exit status 1');
    my @lines = split /\n/, $run->{err};
    is(scalar @lines, keys %WHY, 'a line for each bad file') or diag $run->{err};
    for my $name (sort keys %WHY) {
        my $said = qr{\Q$HERE/$name\E:? $WHY{$name}};
        like($run->{err},                $said, "$name is named with its reason");
        like($run->{out} =~ s/\n +/ /gr, $said, "$name is named in the report");
    }
    like($run->{out}, qr/\bgood-3\b/, 'the good ones are compared');
};

subtest 'report reads the only result, and names the others' => sub {
    directory($TEST, 1, 'half.html' => $BAD{'half.html'});
    my $run = $TEST->run('report', $HERE);
    like($run->{err}, qr{^Run: left out: \Q$HERE\E/half.html $WHY{'half.html'}$}m, 'the other one');
};

done_testing;
