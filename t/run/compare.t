use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use FreshMachine;
use KnownRates qw(give_rates rated);
use LoadedRun;
use Needs     qw(skip_without);
use TestRun   qw(waited);
use Validator qw(complaints_about why_no_validator);
use UnixBench::Base::Files;
use UnixBench::Base::JSON;

# Neither disturbances by other processes nor what is assumed of this machine change the verdicts.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../lib -MPlayedLoad -MSteadyMachine";

my $CLASSIC = "$FindBin::Bin/../data/classic";
my $DAY     = qr/20[0-9]{2}-[0-9]{2}-[0-9]{2}/;

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
for my $name (sort keys %RATES) {
    give_rates($MACHINE, syscall => [map { 1000 * $_ } @{ $RATES{$name} }]);
    local $MACHINE->{env} = { UB_OUTPUT_FILE_NAME => $name };
    my $run = $MACHINE->run(qw(-q -c 1 -i 3 syscall));
    die $run->{err} if $run->{status};
}

sub compare { return $MACHINE->run('compare', @_) }

# Reports of the same runs without a page, whose spread is not known.
mkdir $MACHINE->place('texts') or die "mkdir: $!\n";
$MACHINE->write('texts', $_, $MACHINE->text($_)) for qw(before slower);

my $SLOWER = 'B (vm) is 6.0 % slower (5.8 to 6.2 %) than A (vm)';

# Words of the command line => exit status, and the beginning of the finding.
my @COMPARED = (
    [['before.html', 'before.html']                    => 0, 'A (vm) and B (vm) are equal within 2 % (-0.2 to +0.2 %)'],
    [['before.html', 'as before.html']                 => 0, 'A (vm) and B (vm) are equal within 2 % (-0.4 to +0.4 %)'],
    [['before.html', 'slower.html']                    => 3, $SLOWER],
    [['slower.html', 'before.html']                    => 0, 'B (vm) is 6.4 % faster (6.1 to 6.6 %) than A (vm)'],
    [['before.html', './-q.html']                      => 0, 'B (vm) is 10 % faster (9.8 to 10 %) than A (vm)'],
    [['--min-effect', 4, 'before.html', 'slower.html'] => 3, $SLOWER],
    [['--min-effect', '6%', 'before.html', 'slower.html'] => 0, 'inconclusive (-6.2 to -5.8 %): one run each'],
    [
        ['--min-effect', '10%', 'before.html', 'slower.html'] => 0,
        'A (vm) and B (vm) are equal within 10 % (-6.2 to -5.8 %)'
    ],
    [['before.json',     'slower.json']       => 3, $SLOWER],
    [['../texts/before', '../texts/slower']   => 0, 'B (vm) is 6.0 % slower than A (vm), without an interval'],
    [["$CLASSIC/1-copy", "$CLASSIC/4-copies"] => 0, q{}],
);

for my $case (@COMPARED) {
    my ($words, $status, $finding) = @$case;
    my $run = compare(@$words);
    is_deeply([@$run{qw(status err)}], [$status, q{}], "@$words");
    like($run->{out}, qr/\ASystem Benchmarks index \(partial\), 1 copy: \Q$finding\E/, $finding) if length $finding;
}

is(
    compare('before', 'slower')->{err},
    join(q{}, map { "Run: $_: reading $_.html, which has the data of this run\n" } qw(before slower)),
    'a text report leads to the page of its run, and a message says so'
);

# Takes a run; returns what it printed, with each folded line in one.
sub unfolded {
    my ($run) = @_;
    return $run->{out} =~ s/\n  (?=\S)/ /gr;
}

# Takes a name and what disturbs each pass, see PlayedLoad; measures 6 % less than "before" into that name.
sub measure_beside {
    my ($name, $load) = @_;
    give_rates($MACHINE, syscall => [map { 1000 * $_ } 940, 941, 939]);
    local $ENV{PLAYED_LOAD} = $load;
    local $MACHINE->{env} = { UB_OUTPUT_FILE_NAME => $name };
    my $run = $MACHINE->run(qw(-q -c 1 -i 3 syscall));
    die $run->{err} if $run->{status};
    return;
}

subtest 'a machine that was measured beside other load' => sub {
    measure_beside(loud => 'others:disturbed:1.4 run_queue:disturbed:3');
    my $why   = 'other processes used up to 1.40 CPUs in 3 of 3 passes of';
    my $trust = qr/3 of 3 passes were disturbed [(]other processes 1[.]40 CPUs[)]/;
    for my $case ([qw(before loud B)], [qw(loud before A)], [qw(loud loud A)]) {
        my ($first, $second, $letter) = @$case;
        my $run = compare("$first.html", "$second.html");
        is_deeply([@$run{qw(status err)}], [4, q{}], "$first, $second: the exit status is 4");
        like(
            $run->{out},
            qr/\ASystem Benchmarks index [(]partial[)], 1 copy: inconclusive: \Q$why $letter\E\b/,
            "$first, $second: the first line names the cause"
        );
        like(unfolded($run), qr/^Trust: (?=.*\b$letter poor: $trust)/m, "$first, $second: the trust of both is named");
        unlike($run->{out}, qr/slower|faster|equal within/, "$first, $second: there is no other verdict");
    }
    my $page = compare(qw(--html - before.html loud.html))->{out} =~ s/\xc2\xa0/ /gr;
    like($page, qr{<p>Trust: A good: .*; B poor: $trust}, 'the page names the trust of both');
    like(
        $page,
        qr{<div class="value verdict inconclusive">inconclusive <p[^>]*>Other processes in 3 of 3 passes of B},
        'the headline of the page names the cause'
    );
    my $ticket = compare(qw(--markdown - before.html loud.html))->{out};
    like($ticket, qr/^- Trust: A good: .*; B poor: $trust/m,            'Markdown names the trust of both');
    like($ticket, qr/inconclusive +[|] other processes in 3 of 3 pass/, 'Markdown names the cause');
    unlike(compare('before.html', 'slower.html')->{out}, qr/^Trust:/m, 'good trust of both is not named');
    is(compare('before.html', 'loud.html', 'slower.html')->{status},
        4, 'a side that is slower for sure does not change the exit status');
    measure_beside(neighbours => 'steal:disturbed:0.5');
    my $run = compare('before.html', 'neighbours.html');
    is($run->{status}, 3, 'steal belongs to the machine: the exit status is 3');
    like(unfolded($run), qr/^Trust: A good: .*; B poor: .*steal 50 %/m, 'the trust of both is named');
};

# Takes a name, a rate and words for ./Run; measures syscall at that rate into that name.
sub measure_at {
    my ($name, $rate, @words) = @_;
    give_rates($MACHINE, syscall => [map { $rate * $_ } (1000, 1001, 999) x 3]);
    local $MACHINE->{env} = { UB_OUTPUT_FILE_NAME => $name };
    my $run = $MACHINE->run(qw(-q -c 1), @words, 'syscall');
    die $run->{err} if $run->{status};
    return;
}

subtest 'repeated runs that leave it open say how many are needed' => sub {
    my @rates = (990, 1010, 985, 1015);
    for my $state (qw(A B)) {
        measure_at("$state$_", $rates[$_ - 1], qw(-i 3)) for 1 .. 4;
    }
    my @sides  = map { ("A$_.html") } 1 .. 4;
    my @others = map { ("B$_.html") } 1 .. 4;
    my $run    = compare(@sides, '--', @others, '--html', 'states.html', '--json', 'states.json');
    my $needed = 'To show a difference of 2 % with this scatter, about 7 to 25 runs of each side are needed.';
    is_deeply([@$run{qw(status err)}], [0, q{}], 'the comparison');
    like($run->{out}, qr/\A.*: inconclusive .*\n\Q$needed\E\n/, 'the text says it below the verdict');
    like($MACHINE->text('states.html') =~ s/\xc2\xa0/ /gr, qr{<p>\Q$needed\E</p>}, 'so does the page');
    my $data = UnixBench::Base::JSON::decode($MACHINE->text('states.json'));
    is_deeply($data->{pairs}[0]{indexes}[0]{runs_needed}, { least => 7, most => 25 }, 'and the JSON');
SKIP: {
        my $why_not = why_no_validator();
        skip_without(@$why_not, 1) if $why_not;
        is((complaints_about('comparison', $MACHINE->place('results', 'states.json')))[0], q{}, 'the JSON is valid');
    }
};

subtest 'a test decides the exit status' => sub {
    my $run = compare(qw(--fail-on syscall --json - before.html slower.html));
    is_deeply([@$run{qw(status err)}], [3, q{}], 'a slower test: exit status 3');
    my $data = UnixBench::Base::JSON::decode($run->{out});
    is_deeply([@$data{qw(outcome fail_on)}], ['slower', ['syscall']], 'the JSON on standard output says so');
    is(compare(qw(--fail-on syscall slower.html before.html))->{status}, 0, 'a faster test: exit status 0');
    is(compare(qw(--fail-on syscall before.html loud.html))->{status},   4, 'other load: exit status 4');
    $run = compare(qw(--fail-on pipe --json - before.html slower.html));
    is_deeply(
        [@$run{qw(status err)}],
        [1, "Run: option --fail-on pipe: nothing with this name was compared in B\n"],
        'a test that is missing'
    );
    is(UnixBench::Base::JSON::decode($run->{out})->{outcome}, 'incomplete', 'the JSON says so');
    $run = compare(qw(--fail-on syscal before.html slower.html));
    is_deeply(
        [@$run{qw(status out err)}],
        [2, q{}, qq{Run: option --fail-on has no test "syscal"; did you mean syscall?\n}],
        'a misspelt test'
    );
};

subtest 'a quick estimate against an official result' => sub {
    measure_at('estimate', 800, qw(--quick --max-time 0.1));
    my $line = 'A quick estimate against an official result (B is quick): intervals are 3 % wider, and the exit';
    my $run  = compare('before.html', 'estimate.html');
    is_deeply([@$run{qw(status err)}], [0, q{}], 'no --force is needed, and the exit status is not 3');
    like(
        $run->{out},
        qr/\A\Q$line\E\n  status is never 3[.]\n\n.*: B [(]vm[)] is 20 % slower [(]\d+ to 2\d %[)]/,
        'the first line says so, and the interval is wider'
    );
    $run = compare('../texts/before', 'estimate.html');
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a text report');
    like(
        $run->{out}, qr/\A\Q$line\E
.*

.*: B [(]vm[)] is 20 % slower than A [(]vm[)], without/, 'it has no interval'
    );
};

subtest 'names of files' => sub {
    my $place = $MACHINE->place('results');
    my $run   = compare("odd\n\e[31m\xff.html", 'as before.html', "$place/before.html", '../results/slower.html');
    is_deeply([@$run{qw(status err)}], [3, q{}], 'relative, absolute and odd names are accepted');
    like($run->{out}, qr/^A: odd\\n\\x1b\[31m\\xff[.]html$/m, 'an odd name is made printable');
    like($run->{out}, qr/^B: as before[.]html$/m,             'a name is printed as it was given');
};

subtest 'files that are not results' => sub {
    my $test = $MACHINE;
    $test->write('results', 'empty', q{});
    mkdir $test->place('results', 'folder');
    my $results = $test->place('results');
    $test->write('results', 'some.log',  "A line.\n");
    $test->write('results', 'some.html', "<!DOCTYPE html>\n<p>A page.</p>\n");
    my %why = (
        'none'       => "there is no file none, and no run of that name in $results",
        './none'     => 'there is no file ./none',
        'folder'     => 'folder has no results',
        'empty'      => 'empty is not a result: neither JSON nor a report',
        'some.log'   => 'some.log is not a result: neither JSON nor a report',
        'some.html'  => 'some.html is not a result: a web page without data of a run; give another file of that run',
        "a\n\e[31mb" => "there is no file a\\n\\x1b[31mb, and no run of that name in $results",
    );
    for my $name (sort keys %why) {
        for my $files (['before.json', $name], [$name, 'before.json']) {
            my $run = compare(@$files, '--html', 'page');
            is_deeply([@$run{qw(status out err)}], [2, q{}, "Run: $why{$name}\n"], "refused in one line: $why{$name}");
        }
    }
    ok(!-e $test->place('results', 'page'), 'no page is written for a refused file');
};

subtest 'a result of another procedure' => sub {
    local $MACHINE->{env} = { UB_OUTPUT_FILE_NAME => 'longer', UB_TIME_FACTOR => '0.002' };
    give_rates($MACHINE, syscall => [(900_000) x 3]);
    $MACHINE->run(qw(-q -c 1 -i 3 syscall));
    my $why     = 'length of passes (UB_TIME_FACTOR): 0.001 in A, 0.002 in B';
    my $refusal = <<"END";
these results can't be compared
A is before.html
B is longer.html
$why
use --force to compare them anyway
END
    my $run = compare('before.html', 'longer.html');
    is_deeply([@$run{qw(status out err)}], [2, q{}, "Run: $refusal"], 'a result of another procedure is refused');
    $run = compare('before.html', 'longer.html', '--force');
    is_deeply([@$run{qw(status err)}], [3, q{}], '--force compares a result of another procedure');
    like(
        $run->{out},
        qr/\AThe procedures differ \(--force\): \Q$why\E[.]\n\n.*: B \(vm\) is 10 % slower .* than A/,
        'the report says that the comparison is forced'
    );
};

subtest 'the page' => sub {
    my $text = compare('before.html', 'slower.html');
    my $run  = compare(qw(--html page.html before.html slower.html));
    is_deeply([@$run{qw(status err out)}], [3, q{}, $text->{out}], '--html FILE prints the text, too');
    my $page = $MACHINE->text('page.html');
    like($page, qr{\A<!DOCTYPE html>.*<h1>.* 6[.]0\W+% slower: .*</html>\n\z}s, '--html FILE writes the page');
    $run = compare(qw(--html - before.html slower.html));
    is_deeply([@$run{qw(status err out)}], [3, q{}, $page], '--html - prints the page instead of the text');
    $run = compare(qw(--html none/page before.html slower.html));
    my $path = $MACHINE->place('results', 'none/page');
    is_deeply(
        [@$run{qw(status err out)}],
        [2, "Run: can't write $path: No such file or directory\n", q{}],
        '--html in a missing directory is refused'
    );
    return if !-e '/dev/full';
    $run = compare(qw(--html /dev/full before.html slower.html));
    my $full = "Run: can't write /dev/full: No space left on device\n";
    is_deeply([@$run{qw(status err out)}], [1, $full, $text->{out}], '--html on a full device is reported');
};

subtest 'nine results' => sub {
    my @eight = map { ('before.html', 'as before.html')[$_ % 2] } 0 .. 7;
    my $run   = compare(@eight, 'slower.html', qw(--json nine.json));
    is_deeply([@$run{qw(status err)}], [3, q{}], 'one is slower than the first: exit status 3');
    my @lines = split /\n/, unfolded($run);
    is(scalar(grep { /^System .*: A [(]vm[)] and [B-H] [(]vm[)] are equal within 2 %/ } @lines[0 .. 6]),
        7, 'a verdict on each');
    like($lines[7], qr/\ASystem .*: I [(]vm[)] is 6[.]0 % slower [(].*[)] than A [(]vm[)]\z/,
        'the slower one is named');
    is(scalar(() = $run->{out} =~ /^1 copy +A /mg), 8, 'each has a table');
    my $data = UnixBench::Base::JSON::decode($MACHINE->text('nine.json'));
    is_deeply([map { $_->{letter} } @{ $data->{sides} }], ['A' .. 'I'], 'the JSON has all');
    is(compare(@eight, 'slower.html', qw(--min-effect 20))->{status},   0, '--min-effect is accepted');
    is(compare(@eight, 'slower.html', qw(--fail-on syscall))->{status}, 3, '--fail-on is accepted');
    is(compare(@eight, 'before.html')->{status}, 0, 'nine equal results: exit status 0');
};

subtest 'a comparison writes no files' => sub {
    skip_without(machine => 'a tree that an ordinary user can read') if !FreshMachine::is_user_possible();
    my $place = $MACHINE->place;
    chmod 0755, $place;
    my $files = sub {
        return { map { $_ => (stat)[9] } grep { !m{/(?:out|err)\z} } glob "$place/* $place/*/*" };
    };
    my $before = $files->();
    local $MACHINE->{env} =
        { map { $_ => '/nowhere/at all' } qw(UB_BINDIR UB_TMPDIR UB_RESULTDIR UB_TESTDIR HOME TMPDIR) };
    my $run = waited(
        $MACHINE->started_by(
            $^X, "$TestRun::BIN/as-nobody", $^X, "$TestRun::HOME/Run", qw(compare before.html slower.html)
        )
    );
    is_deeply([@$run{qw(status err)}], [3, q{}], 'a comparison needs no directories');
    is_deeply($files->(),              $before,  'a comparison writes no file');
    my $machine = FreshMachine->new(things => ['perl']);
    $run = $machine->run('compare', map { $MACHINE->place('results', $_) } 'before.html', 'slower.html');
    is_deeply([@$run{qw(status err)}, @{ $run->{asked} }], [3, q{}], 'a comparison starts no program');
};

subtest 'an incomplete Perl' => sub {
    my @files = map { $MACHINE->place('results', $_) } 'before.html', 'slower.html';
    for my $words (['compare', @files], ['report', $files[0]]) {
        my $run = FreshMachine->new->run(@$words);
        is_deeply(
            [@$run{qw(status out err)}],
            [
                1,
                q{},
                'Run: only a part of Perl is installed here (Time::HiRes, Digest::SHA, B are missing): install all of '
                    . "it (Debian and Ubuntu: apt-get install perl)\n"
            ],
            "an incomplete Perl is reported in one line: $words->[0]"
        );
    }
};

done_testing();
