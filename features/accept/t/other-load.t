# Tests of verdicts under other load: other processes make a failure inconclusive, the host and the machine do not.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(failed measured steady_result run tag tagged);
use KnownRates                     qw(rated);
use QuickRun                       qw(in_rounds run_of_rounds);
use Verdicts                       qw(judged);
use UnixBench::Catalog;
use UnixBench::Accept::Verdict qw(finding reason);

my @RATES = map { 1000 + $_ } -3 .. 6;                  # counts of ten passes of pipe; the score is a tenth of them
my %LIMIT = (pass => 50, open => 100.1, fail => 500);

# Takes a number and a tag; returns a pipe test in which that number of passes has the tag.
sub pipe_with {
    my ($count, @tag) = @_;
    return tagged(measured('pipe', 1, @RATES), { map { $_ => [tag(@tag)] } 1 .. $count });
}

# Takes a requirement and the tests of a run; returns its case.
sub required {
    my ($requirement, @tests) = @_;
    my @cases = judged(steady_result([run(1, @tests)]), [1], $requirement => undef);
    return (grep { $_->{kind} eq 'requirement' } @cases)[0];
}

# Takes a test and a limit; returns the case of the requirement that pipe reaches the limit.
sub case_of {
    my ($test, $limit) = @_;
    return required("pipe>=$limit", $test);
}

# [cause that disturbs all ten passes, its value, the verdict if it would be FAIL on a quiet machine].
my @CAUSES = ([others => 1.02, 'INCONCLUSIVE'], [pressure_io => 0.5, 'INCONCLUSIVE'], [steal => 0.5, 'FAIL']);

for my $row (@CAUSES) {
    my ($cause, $value, $failing) = @$row;
    my %expected = (pass => 'PASS', open => 'INCONCLUSIVE', fail => $failing);
    my $is_load  = $failing eq 'INCONCLUSIVE';
    for my $would (sort keys %expected) {
        my $case = case_of(pipe_with(10, $cause, disturbed => $value), $LIMIT{$would});
        is($case->{verdict}, $expected{$would},
            "$cause: $expected{$would} where a quiet machine has the verdict $would");
        my $is_named = $would ne 'pass' && $is_load ? 1 : 0;
        is(finding($case) =~ /but other load was at work/ ? 1 : 0,
            $is_named, "$cause: the finding names other load only if it leaves the verdict $would open");
    }
}

# [number of disturbed passes of ten, their tag, limit, verdict, name]. A quiet machine reaches at most 100.4.
#<<< a table
my @SHARES = (
    [1,  others       => disturbed => 0.11, 101,   'FAIL', 'one of ten is disturbed: the other nine fail'],
    [7,  others       => disturbed => 1,    101,   'FAIL', 'seven of ten are disturbed: the other three fail'],
    [8,  others       => disturbed => 1,    101,   'INCONCLUSIVE', 'eight of ten are disturbed: two are too few'],
    [9,  others       => disturbed => 1,    101,   'INCONCLUSIVE', 'nine of ten are disturbed: one has no interval'],
    [10, others       => disturbed => 0.1,  1e9,   'INCONCLUSIVE', 'all are disturbed: inconclusive at any limit'],
    [10, others       => note      => 0.09, 101,   'INCONCLUSIVE', 'notes of 9 % of a CPU explain a small difference'],
    [10, others       => note      => 0.09, 150,   'FAIL', 'notes of 9 % of a CPU do not explain a large one'],
    [1,  others       => note      => 0.09, 102,   'FAIL', 'those of one pass explain a tenth of that'],
    [10, pressure_io  => note      => 0.04, 103,   'INCONCLUSIVE', 'notes of pressure explain a small difference'],
    [10, pressure_io  => note      => 0.04, 110,   'FAIL', 'notes of pressure do not explain a larger one'],
    [10, run_queue    => note      => 1,    101,   'FAIL', 'a run queue before the pass explains nothing'],
);
#>>>

for my $row (@SHARES) {
    my ($count, $cause, $level, $value, $limit, $expected, $name) = @$row;
    is(case_of(pipe_with($count, $cause, $level => $value), $limit)->{verdict}, $expected, $name);
}

subtest 'only passes of the required tests matter' => sub {
    my $spawn = tagged(measured('spawn', 1, @RATES), { map { $_ => [tag(others => disturbed => 1)] } 1 .. 10 });
    is(required('pipe>=500', measured('pipe', 1, @RATES), $spawn)->{verdict},
        'FAIL', 'disturbed passes of another test do not matter');
    my @index = map { $_ eq 'spawn' ? $spawn : measured($_, 1, @RATES) } UnixBench::Catalog::expand('index');
    is(required('index>=1e9', @index)->{verdict},     'INCONCLUSIVE', 'disturbed passes of a test of the index matter');
    is(case_of(failed('pipe', 'gone'), 1)->{verdict}, 'INCONCLUSIVE', 'a failed test decides nothing');
};

subtest 'short passes of a quick run are judged in the same way' => sub {
    my @tags = (tags => [tag(others => disturbed => 1)]);
    my $of   = sub {
        my ($limit, @slices) = @_;
        my @cases = judged(steady_result([run_of_rounds(in_rounds('pipe', @slices))]), [1], "pipe>=$limit" => undef);
        return (grep { $_->{kind} eq 'requirement' } @cases)[0]{verdict};
    };
    is($of->(1e9, map { { count => $_, @tags } } @RATES),
        'INCONCLUSIVE', 'all short passes are disturbed: inconclusive');
    is($of->(1e9, map { { count => $_, $_ % 2 ? @tags : () } } @RATES),
        'FAIL', 'half of the short passes are disturbed: the other half fails');
    is($of->(1, map { { count => $_, @tags } } @RATES),
        'PASS', 'all short passes are disturbed, but the limit is met: PASS');
};

subtest 'a floor is named only if it decides' => sub {
    is(case_of(pipe_with(10, others => disturbed => 1), 50)->{verdict}, 'PASS', 'all passes are disturbed');
    my $floor = case_of(pipe_with(10, others => disturbed => 1), 50)->{at_least};
    ok($floor > 95 && $floor < 100, 'the floor');
    my $case = case_of(pipe_with(3, others => disturbed => 1), 50);
    is_deeply([@$case{qw(verdict at_least)}], ['PASS', undef], 'seven of ten are quiet: their interval decides');
};

subtest 'the reason and the finding name the other load' => sub {
    my $case  = case_of(pipe_with(10, others => disturbed => 1.02), 500);
    my $floor = sprintf '%.4g', $case->{at_least};
    my $words = "at least $floor: 100.1 over all passes, 95 % interval 99.9 to 100.3; the table has 100.2; below the "
        . 'limit, but other load was at work';
    is(finding($case), $words,                        'the finding');
    is(reason($case),  "at least $floor; other load", 'the reason has the floor, which decides');
    is(case_of(wild(1, 10), 840)->{verdict},
        'PASS', 'passes that differ wildly meet a limit that half of them reach in spite of other load');
};

# Takes a factor and a number of passes; returns a test whose rates differ wildly beside other load.
sub wild {
    my ($factor, $passes) = @_;
    my @counts = map { 10 * $factor * (545, 900, 1200, 1580)[$_ % 4] } 1 .. $passes;
    return tagged(measured('pipe', 1, @counts), { map { $_ => [tag(others => disturbed => 1)] } 1 .. $passes });
}

# Takes the name of a test and a factor; returns the test with rates lower by that factor, all passes disturbed.
sub loud_as {
    my ($name, $factor) = @_;
    return tagged(measured($name, 1, map { $factor * $_ } @RATES),
        { map { $_ => [tag(others => disturbed => 1)] } 1 .. 10 });
}

# A pipe test with ten passes of a rate of 100 or so, of which the first ones are slowed by other load.
sub slowed {
    my ($count)  = @_;
    my @slow     = map { $_ / 2 } @RATES[0 .. $count - 1];
    my $measured = measured('pipe', 1, @slow, @RATES[$count .. 9]);
    return tagged($measured, { map { $_ => [tag(others => disturbed => 0.8)] } 1 .. $count });
}

subtest 'passes without other load decide alone if there are three' => sub {
    my $case = case_of(slowed(7), 100);
    is($case->{verdict}, 'PASS', 'three passes that are fast enough meet the requirement');
    is_deeply($case->{shares}, [3, 10], 'the case says how many passes decide');
    like(
        finding($case),
        qr/\A100[.]4 over 3 of 10 passes without other load, 95 % interval 100[.]2 to 100[.]6;/,
        'the finding says so, too'
    );
    is(case_of(slowed(7), 102)->{verdict}, 'FAIL',         'three passes that are too slow do not meet it');
    is(case_of(slowed(8), 100)->{verdict}, 'INCONCLUSIVE', 'two passes are too few');
};

# Takes [the tests of a run], a factor, [the tests of the reference], and perhaps the name of what is required. Returns
# the case of the requirement that this reaches the factor times the reference.
sub case_of_index {
    my ($tests, $factor, $reference, $name) = @_;
    $name ||= 'index';
    my $base        = UnixBench::Store::Summary::of(steady_result([run(1, @$reference)]));
    my $result      = steady_result([run(1, @$tests)]);
    my $requirement = UnixBench::Accept::Requirement::parse("$name>=$factor*old.json");
    my %asked       = (copies => [1], tests => [map { $_->{name} } @$tests], baseline => {});
    my @criteria    = UnixBench::Accept::Requirement::of([$requirement], \%asked, { 'old.json' => $base });
    my @cases       = UnixBench::Accept::Acceptance::cases($result, UnixBench::Store::Summary::of($result), @criteria);
    return (grep { $_->{kind} eq 'requirement' } @cases)[0];
}

# Takes a test, a factor, and the test of the reference; returns the same case for pipe.
sub case_against {
    my ($test, $factor, $reference) = @_;
    return case_of_index([$test], $factor, [$reference], 'pipe');
}

subtest 'a reference has an interval and a trust, too' => sub {
    my $pipe = measured('pipe', 1, @RATES);
    my $case = case_against($pipe, 0.99, $pipe);
    is($case->{verdict}, 'PASS', 'a precise reference is met');
    like(
        finding($case),
        qr/; the limit is 99[.]09 \+-0[.]19 %, 0[.]99 x 100[.]1 of old[.]json\z/,
        'the interval is shown'
    );
    my $wide = measured('pipe', 1, map { 1000 * $_ } 0.5, 0.8, 1, 1.25, 2);
    $case = case_against($pipe, 0.8, $wide);
    is($case->{verdict}, 'INCONCLUSIVE', 'a reference that may be much higher is inconclusive');
    like(
        finding($case),
        qr/; the limit is 80 \+-64 %, 0[.]8 x 100 of old[.]json [(]trust: poor[)]; /,
        'the limit has two digits, and the trust is named'
    );
    is(case_against($pipe, 0.3, $wide)->{verdict}, 'PASS', 'a limit below its whole interval is met');
    is(case_against($pipe, 3,   $wide)->{verdict}, 'FAIL', 'a limit above its whole interval is not met');
    my $once = case_against($pipe, 0.5, measured('pipe', 1, 1000));
    is($once->{verdict}, 'INCONCLUSIVE', 'a reference with one pass is inconclusive');
    like(finding($once), qr/; the reference has one pass, which does not show the spread; measure it/, 'why');
};

subtest 'a reference that was measured under other load' => sub {
    my $pipe = measured('pipe', 1, @RATES);
    my $loud = pipe_with(10, others => disturbed => 1.02);
    my $case = case_against($pipe, 0.9, $loud);
    is($case->{verdict}, 'INCONCLUSIVE', 'a requirement is not met by the load of its reference');
    like(
        finding($case),
        qr/; old[.]json was measured beside other load\z/,
        'the finding names the load of the reference'
    );
    my $noted = pipe_with(10, pressure_io => note => 0.04);
    my $wide  = measured('pipe', 1, map { 1080 * $_ } 0.88, 0.92, 0.95, 0.97, 1, 1, 1.03, 1.05, 1.08, 1.12);
    is(case_against($pipe,  1, $wide)->{verdict}, 'FAIL', 'a limit above the interval of the ratio is not met');
    is(case_against($noted, 1, $wide)->{verdict},
        'INCONCLUSIVE', 'notes explain what is missing if the reference is uncertain');
    is(case_against($noted, 1, measured('pipe', 1, map { 1.08 * $_ } @RATES))->{verdict},
        'FAIL', 'notes do not explain it if the reference is precise');
    is(case_against($pipe, 0.99, slowed(7))->{verdict}, 'PASS',
        'three passes of a reference without other load decide');
    is(case_against($pipe, 1.02, slowed(7))->{verdict}, 'FAIL', 'three passes of a reference may be too high');
};

# Takes a test whose passes are all disturbed, and the part of the time for which its copies ran; returns it with the
# CPU times.
sub that_ran {
    my ($test, $ran) = @_;
    my @passes;
    for my $pass (@{ $test->{passes} }) {
        my $span_s = $pass->{copies}[0]{elapsed_s};
        push @passes, { %$pass, used => { span_s => $span_s, user_s => $ran * $span_s, kernel_s => 0 } };
    }
    return { %$test, passes => \@passes };
}

subtest 'what other load can explain is bounded' => sub {
    my $pipe  = that_ran(pipe_with(10, others => disturbed => 1.6), 0.4);
    my %limit = (90 => 'PASS', 101 => 'INCONCLUSIVE', 500 => 'INCONCLUSIVE', 13 * 101 => 'FAIL');
    is(case_of($pipe, $_)->{verdict}, $limit{$_}, "$_: $limit{$_}") for sort { $a <=> $b } keys %limit;
    like(
        finding(case_of($pipe, 1313)),
        qr/; other load explains at most a factor of [0-9.]+\z/,
        'the finding says how much the load explains'
    );
    my $calm = measured('pipe', 1, @RATES);
    is(case_against($calm, 0.9, $pipe)->{verdict}, 'INCONCLUSIVE', 'a reference that may be too low');
    is(case_against($calm, 0.1, $pipe)->{verdict}, 'PASS',         'a reference that load explains only by a factor');
    is(case_against($calm, 1.3, $pipe)->{verdict}, 'FAIL',         'a reference that is at least as high');
    my $file = tagged(measured('fstime', 1, @RATES), { map { $_ => [tag(others => disturbed => 1)] } 1 .. 10 });
    my $case = required('fstime>=1e9', that_ran($file, 0.4));
    is($case->{verdict}, 'INCONCLUSIVE', 'a test that waits for disks never fails beside other load');
};

subtest 'what other load can have raised does not meet a requirement' => sub {
    my $of = sub { my ($name, $limit) = @_; return required("$name>=$limit", loud_as($name, 1))->{verdict} };
    for my $row ([context1 => 23.5], [spawn => 1.42], [execl => 1.09], [syscall => 1.05]) {
        my ($name, $factor) = @$row;
        my $value = required("$name>=1", loud_as($name, 1))->{value};
        is($of->($name, 1.02 * $value / $factor), 'INCONCLUSIVE', "$name may be $factor times as fast");
        is($of->($name, 0.9 * $value / $factor),  'PASS',         "$name: but not much more");
    }
    my @index = UnixBench::Catalog::expand('index');
    my @even  = map { loud_as($_, 1) } @index;
    my $value = required('index>=1', @even)->{value};
    is(required('index>=' . 0.8 * $value,  @even)->{verdict}, 'INCONCLUSIVE', 'an index may have been raised, too');
    is(required('index>=' . 0.65 * $value, @even)->{verdict}, 'PASS',         'but less');
    my @reference = map { measured($_, 1, @RATES) } @index;
    my @faster    = map { loud_as($_, $_ eq 'context1' ? 1 : 1.16) } @index;
    my %verdict   = map { $_ => case_of_index(\@faster, $_, \@reference)->{verdict} } 0.8, 1;
    is_deeply(\%verdict, { 0.8 => 'PASS', 1 => 'INCONCLUSIVE' }, 'with a limit from a file, too');
};

subtest 'summaries decide as results do' => sub {
    my $of = sub {
        my ($limit, $test) = @_;
        my $result = steady_result([run(1, $test)]);
        my $asked  = { copies => [1], tests => ['pipe'], baseline => {} };
        my @criteria =
            UnixBench::Accept::Requirement::of([UnixBench::Accept::Requirement::parse("pipe>=$limit")], $asked);
        my $outline = { asked => [], runs => [{ copies => 1, tests => [{ %$test, passes => [] }] }] };
        my $summary = UnixBench::Store::Summary::of($result);
        return map {
            [grep { $_->{kind} eq 'requirement' } UnixBench::Accept::Acceptance::cases($_, $summary, @criteria)]
        } $result, $outline;
    };
    for my $count (0, 3, 7, 8, 10) {
        for my $limit (50, 100.4, 102, 500) {
            my ($whole, $outline) = $of->($limit, slowed($count));
            is_deeply($outline, $whole, "$count passes disturbed, limit $limit: the passes are not needed");
        }
    }
};

subtest 'Run reports other load' => sub {
    local $ENV{PERL5OPT}    = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";
    local $ENV{PLAYED_LOAD} = 'others:disturbed:1';
    my $load =
        qr/^Run: INCONCLUSIVE pipe>=2e3 .*; other load\nRun: Other load: 1[.]00 CPUs used [(]\d+ of \d+ passes[)]/m;
    for my $words ([qw(-i 3)], [qw(--quick --max-time 0.1)]) {
        my $test = rated({ pipe => [(990, 1000, 1010) x 60] });
        my $run  = $test->run(qw(-q -c 1), @$words, qw(pipe --require pipe>=2e3));
        is($run->{status}, 4, "@$words: the exit status is 4");
        like($run->{err}, $load, "@$words: the error names the cause");
    }
    local $ENV{PLAYED_LOAD} = 'steal:disturbed:0.5';
    my $run = rated({ pipe => [990, 1000, 1010] })->run(qw(-q -c 1 -i 3 pipe --require pipe>=2e3));
    is($run->{status}, 3, 'steal does not excuse a failure: the exit status is 3');
};

done_testing;
