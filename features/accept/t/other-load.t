# Verdicts under other load: other processes make a failure inconclusive, the host and the machine do not.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(measured run steady_result tag tagged);
use TestRun                        qw(rated);
use QuickRun                       qw(in_rounds run_of_rounds);
use UnixBench::Accept::Acceptance;
use UnixBench::Accept::Requirement;
use UnixBench::Accept::Verdict qw(sentence);
use UnixBench::Catalog;
use UnixBench::Compare::Comparison;
use UnixBench::Summary;
use Verdicts qw(required);

my $MACHINES = shift // 12;                           # random ones
my @RATES    = map { 1000 + $_ } -3 .. 6;             # counts of ten passes of pipe; the score is a tenth of them
my @INDEX    = UnixBench::Catalog::expand('index');

# Takes the number of passes that have a tag, the tag, and perhaps the name of a test and its counts; returns the test.
sub loaded {
    my ($count, $tag, $name, @counts) = @_;
    my $test = measured($name // 'pipe', 1, @counts ? @counts : @RATES);
    return tagged($test, { map { $_ => [tag(@$tag)] } 1 .. $count });
}

my $LOUD = [others => disturbed => 1];

# Takes a test of a run, a factor or limit, and perhaps a test of the reference; returns the case of the requirement.
sub case_of {
    my ($test, $number, $reference) = @_;
    return required([$test], "pipe>=$number") if !$reference;
    return required([$test], "pipe>=$number*old.json", UnixBench::Summary::of(steady_result([run(1, $reference)])));
}

sub verdict { return case_of(@_)->{verdict} }

# [number of disturbed passes of ten, their tag, limit, verdict, name]. A quiet machine reaches at most 100.4.
#<<< a table
my @SHARES = (
    [10, [others      => disturbed => 1.02], 50,    'PASS',         'others: a limit far below'],
    [10, [others      => disturbed => 1.02], 100.1, 'INCONCLUSIVE', 'others: a limit within'],
    [10, [others      => disturbed => 1.02], 500,   'INCONCLUSIVE', 'others: a limit far above'],
    [10, [pressure_io => disturbed => 0.5],  500,   'INCONCLUSIVE', 'pressure'],
    [10, [steal       => disturbed => 0.5],  500,   'FAIL', 'steal belongs to the machine'],
    [1,  [others      => disturbed => 0.11], 101,   'FAIL', 'one of ten is disturbed: the other nine fail'],
    [7,  $LOUD,                              101,   'FAIL', 'seven of ten are disturbed: the other three fail'],
    [8,  $LOUD,                              101,   'INCONCLUSIVE', 'eight of ten are disturbed: two are too few'],
    [10, [others      => disturbed => 0.1],  1e9,   'INCONCLUSIVE', 'all are disturbed: inconclusive at any limit'],
    [10, [others      => note => 0.09],      101,   'INCONCLUSIVE', 'notes of 9 % of a CPU explain a small difference'],
    [10, [others      => note => 0.09],      150,   'FAIL', 'notes of 9 % of a CPU do not explain a large one'],
    [1,  [others      => note => 0.09],      102,   'FAIL', 'those of one pass explain a tenth of that'],
    [10, [pressure_io => note => 0.04],      103,   'INCONCLUSIVE', 'notes of pressure explain a small difference'],
    [10, [pressure_io => note => 0.04],      110,   'FAIL', 'notes of pressure do not explain a larger one'],
    [10, [run_queue   => note => 1],         101,   'FAIL', 'a run queue before the pass explains nothing'],
);
#>>>
is(verdict(loaded(@{$_}[0, 1]), $_->[2]), $_->[3], $_->[4]) for @SHARES;

subtest 'only passes of the required tests matter' => sub {
    my $spawn = loaded(10, $LOUD, 'spawn');
    my @index = map { $_ eq 'spawn' ? $spawn : measured($_, 1, @RATES) } @INDEX;
    is(required(\@index, 'pipe>=500')->{verdict},  'FAIL',         'disturbed passes of another test do not matter');
    is(required(\@index, 'index>=1e9')->{verdict}, 'INCONCLUSIVE', 'those of a test of the index do');
};

subtest 'short passes of a quick run are judged in the same way' => sub {
    my $of = sub {
        my ($limit, $is_loud) = @_;
        my @slices = map { +{ count => $_, $is_loud->($_) ? (tags => [tag(@$LOUD)]) : () } } @RATES;
        return required(steady_result([run_of_rounds(in_rounds('pipe', @slices))]), "pipe>=$limit")->{verdict};
    };
    is($of->(1e9, sub { 1 }),         'INCONCLUSIVE', 'all short passes are disturbed');
    is($of->(1e9, sub { $_[0] % 2 }), 'FAIL',         'half of them are: the other half fails');
    is($of->(1,   sub { 1 }),         'PASS',         'the limit is met');
};

# A pipe test with ten passes of a rate of 100 or so, of which the first ones are slowed by other load.
sub slowed {
    my ($count) = @_;
    my @slow = map { $_ / 2 } @RATES[0 .. $count - 1];
    return loaded($count, [others => disturbed => 0.8], 'pipe', @slow, @RATES[$count .. 9]);
}

subtest 'passes without other load decide alone if there are three' => sub {
    my $case = case_of(slowed(7), 100);
    is_deeply([@$case{qw(verdict at_least)}], ['PASS', undef], 'three passes that are fast enough');
    is(verdict(slowed(7), 102), 'FAIL',         'three that are too slow');
    is(verdict(slowed(8), 100), 'INCONCLUSIVE', 'two decide nothing');
};

subtest 'a floor decides' => sub {
    my $case = case_of(loaded(10, $LOUD), 50);
    ok($case->{at_least} > 95 && $case->{at_least} < 100, "it is $case->{at_least}");
    my @wild = map { 10 * (545, 900, 1200, 1580)[$_ % 4] } 1 .. 10;
    is(verdict(loaded(10, $LOUD, 'pipe', @wild), 840), 'PASS', 'half of passes that differ wildly reach a limit');
    like(
        sentence(case_of(loaded(10, $LOUD), 500)),
        qr/: 100[.]1, at least 9[5-9][.]\d+: other load; measure again in a quiet moment\z/,
        'an open verdict names it'
    );
};

subtest 'a reference that was measured under other load' => sub {
    my $pipe = measured('pipe', 1, @RATES);
    my $case = case_of($pipe, 0.9, loaded(10, [others => disturbed => 1.02]));
    is("$case->{verdict}: $case->{reason}", 'INCONCLUSIVE: the reference was measured beside other load', 'it is open');
    my $noted = loaded(10, [pressure_io => note => 0.04]);
    my $wide  = measured('pipe', 1, map { 1080 * $_ } 0.88, 0.92, 0.95, 0.97, 1, 1, 1.03, 1.05, 1.08, 1.12);
    my $near  = measured('pipe', 1, map { 1.08 * $_ } @RATES);
    is(verdict($pipe,  1,    $wide),     'FAIL',         'a limit above the interval of the ratio is not met');
    is(verdict($noted, 1,    $wide),     'INCONCLUSIVE', 'notes explain what is missing if the reference is uncertain');
    is(verdict($noted, 1,    $near),     'FAIL',         'notes do not explain it if the reference is precise');
    is(verdict($pipe,  0.99, slowed(7)), 'PASS',         'three passes of a reference without other load decide');
    is(verdict($pipe,  1.02, slowed(7)), 'FAIL',         'three passes of a reference may be too high');
};

# Takes a test, and the part of the time for which its copies ran; returns it with the CPU times.
sub that_ran {
    my ($test, $ran) = @_;
    for my $pass (@{ $test->{passes} }) {
        my $span_s = $pass->{copies}[0]{elapsed_s};
        $pass->{used} = { span_s => $span_s, user_s => $ran * $span_s, kernel_s => 0 };
    }
    return $test;
}

subtest 'what other load can explain is bounded' => sub {
    my $pipe  = that_ran(loaded(10, [others => disturbed => 1.6]), 0.4);
    my %limit = (90 => 'PASS', 101 => 'INCONCLUSIVE', 500 => 'INCONCLUSIVE', 13 * 101 => 'FAIL');
    is(verdict($pipe, $_), $limit{$_}, "$_: $limit{$_}") for sort { $a <=> $b } keys %limit;
    like(sentence(case_of($pipe, 1313)), qr/: 100[.]1, at most \d+[.]\d\z/, 'the ceiling decides');
    my $calm = measured('pipe', 1, @RATES);
    is(verdict($calm, 0.9, $pipe), 'INCONCLUSIVE', 'a reference that may be too low');
    is(verdict($calm, 0.1, $pipe), 'PASS',         'a reference that load explains only by a factor');
    is(verdict($calm, 1.3, $pipe), 'FAIL',         'a reference that is at least as high');
    my $file = that_ran(loaded(10, $LOUD, 'fstime'), 0.4);
    is(required([$file], 'fstime>=1e9')->{verdict}, 'INCONCLUSIVE', 'a test that waits for disks never fails');
};

subtest 'what other load can have raised does not meet a requirement' => sub {
    for my $row ([context1 => 23.5], [spawn => 1.42]) {
        my ($name, $factor) = @$row;
        my $value = required([loaded(10, $LOUD, $name)], "$name>=1")->{value};
        my $of    = sub { required([loaded(10, $LOUD, $name)], "$name>=" . $_[0] * $value / $factor)->{verdict} };
        is($of->(1.02), 'INCONCLUSIVE', "$name may be $factor times as fast");
        is($of->(0.9),  'PASS',         "$name: but not much more");
    }
    my $reference = UnixBench::Summary::of(steady_result([run(1, map { measured($_, 1, @RATES) } @INDEX)]));
    my @faster    = map {
        my $factor = $_ eq 'context1' ? 1 : 1.16;
        loaded(10, $LOUD, $_, map { $factor * $_ } @RATES)
    } @INDEX;
    my %verdict = map { $_ => required(\@faster, "index>=$_*old.json", $reference)->{verdict} } 0.8, 1;
    is_deeply(\%verdict, { 0.8 => 'PASS', 1 => 'INCONCLUSIVE' }, 'an index, with a limit from a file');
};

subtest 'summaries decide as results do' => sub {
    my $asked = { copies => [1], tests => ['pipe'], baseline => {} };
    for my $case ([0, 102], [3, 50], [7, 100.4], [8, 100.4], [10, 500]) {
        my ($count, $limit) = @$case;
        my $test   = slowed($count);
        my $result = steady_result([run(1, $test)]);
        my @criteria =
            UnixBench::Accept::Requirement::of([UnixBench::Accept::Requirement::of_word("pipe>=$limit")], $asked);
        my $summary = UnixBench::Summary::of($result);
        my ($whole, $short) =
            map { (UnixBench::Accept::Acceptance::cases($summary, $_, @criteria))[-1] } $result, undef;
        is_deeply($short, $whole, "$count passes disturbed, limit $limit: the passes are not needed");
    }
};

# Takes a random machine's speed; returns its summary and result. Other load of random sizes is in random passes, and
# lowers their rates by at most its value.
sub random_machine {
    my ($speed) = @_;
    my ($part, $most) = (sqrt rand, 0.03 + rand 0.08);
    my @tests;
    for my $name (@INDEX) {
        my @load = map { rand() < $part ? 0.02 + rand $most - 0.02 : 0 } @RATES;
        my @tags = map { [others => $load[$_] < 0.1 ? 'note' : 'disturbed', $load[$_]] } 0 .. $#RATES;
        my $test = measured($name, 1, map { $speed * $RATES[$_] / (1 + $load[$_] * rand) } 0 .. $#RATES);
        push @tests, tagged($test, { map { $load[$_] ? ($_ + 1 => [tag(@{ $tags[$_] })]) : () } 0 .. $#RATES });
    }
    my $result = steady_result([run(1, @tests)], asked => ['all']);
    return { result => $result, summary => UnixBench::Summary::of($result), label => 'vm' };
}

# What a comparison says if the requirement of each verdict is met or not: [of 0.98 times A, of 1.02 times A].
my %SAID = ('FAIL FAIL' => 'slower', 'PASS PASS' => 'faster');

subtest 'a comparison has the answer of a requirement' => sub {
    my %count;
    for my $seed (1 .. $MACHINES) {
        srand $seed;
        my ($old, $new) = map { random_machine($_) } 1, 0.9 + rand 0.2;
        my $row = UnixBench::Compare::Comparison::of([$old, $new])->{pairs}[0]{indexes}[0];
        my @cases =
            map { required($new->{result}, "index>=$_*old.json", $old->{summary}) } 0.98, 1.02;
        my $word = $SAID{ join q{ }, map { $_->{verdict} } @cases } // 'neither';
        my $said = $row->{verdict} =~ /er\z/ ? $row->{verdict} : 'neither';
        is($said, $word, "machine $seed: $said") || diag explain [$row->{ratio}, @cases];
        $count{ $row->{load} ? 'other load' : $said }++;
    }
    is(scalar keys %count, 4, 'each answer is given: ' . join ', ', map { "$_ $count{$_}" } sort keys %count);
};

subtest 'Run reports other load' => sub {
    local $ENV{PERL5OPT}    = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";
    local $ENV{PLAYED_LOAD} = 'others:disturbed:1';
    my $load =
        qr/^Run: INCONCLUSIVE pipe>=2e3 .*: other load; .*\nRun: Other load: 1[.]00 CPUs used [(]\d+ of \d+ passes[)]/m;
    for my $words ([qw(-i 3)], [qw(--quick --max-time 0.1)]) {
        my $test = rated({ pipe => [(990, 1000, 1010) x 60] });
        my $run  = $test->run(qw(-q -c 1), @$words, qw(pipe --require pipe>=2e3));
        is($run->{status}, 4, "@$words: the exit status is 4");
        like($run->{err}, $load, "@$words: the error names the cause");
    }
};

done_testing;
