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

# Takes a number of passes; returns pipe, whose first passes are slowed by other load.
sub slowed {
    my ($count) = @_;
    my @slow = map { $_ / 2 } @RATES[0 .. $count - 1];
    return loaded($count, [others => disturbed => 0.8], 'pipe', @slow, @RATES[$count .. 9]);
}

# Takes a test, and the part of the time for which its copies ran; returns it with the CPU times.
sub that_ran {
    my ($test, $ran) = @_;
    for my $pass (@{ $test->{passes} }) {
        my $span_s = $pass->{copies}[0]{elapsed_s};
        $pass->{used} = { span_s => $span_s, user_s => $ran * $span_s, kernel_s => 0 };
    }
    return $test;
}

sub summary_of { return UnixBench::Summary::of(steady_result([run(1, @_)])) }

# Takes a test of a run, a factor or limit, and perhaps a test of the reference; returns the case of the requirement.
sub case_of {
    my ($test, $number, $reference) = @_;
    return required([$test], "$test->{name}>=$number") if !$reference;
    return required([$test], "$test->{name}>=$number*old.json", summary_of($reference));
}

sub verdict { return case_of(@_)->{verdict} }

my $LOUD  = [others => disturbed => 1];
my $PIPE  = measured('pipe', 1, @RATES);
my $BUSY  = that_ran(loaded(10, [others => disturbed => 1.6]), 0.4);
my $NOTED = loaded(10, [pressure_io => note => 0.04]);
my $NEAR  = measured('pipe', 1, map { 1.08 * $_ } @RATES);
my $WIDE  = measured('pipe', 1, map { 1080 * $_ } 0.88, 0.92, 0.95, 0.97, 1, 1, 1.03, 1.05, 1.08, 1.12);
my @WILD  = map { 10 * (545, 900, 1200, 1580)[$_ % 4] } 1 .. 10;

#<<< [what, test, limit, verdict, perhaps a reference]. A quiet machine reaches at most 100.4.
my @CASES = (
    ['others: a limit far below',   loaded(10, [others => disturbed => 1.02]), 50,    'PASS'],
    ['others: a limit within',      loaded(10, [others => disturbed => 1.02]), 100.1, 'INCONCLUSIVE'],
    ['others: a limit far above',   loaded(10, [others => disturbed => 1.02]), 500,   'INCONCLUSIVE'],
    ['pressure',                    loaded(10, [pressure_io => disturbed => 0.5]), 500, 'INCONCLUSIVE'],
    ['steal is of the machine',     loaded(10, [steal => disturbed => 0.5]),   500,   'FAIL'],
    ['the other nine of ten fail',  loaded(1,  [others => disturbed => 0.11]), 101,   'FAIL'],
    ['the other three of ten fail', loaded(7,  $LOUD), 101,                           'FAIL'],
    ['two of ten are too few',      loaded(8,  $LOUD), 101,                           'INCONCLUSIVE'],
    ['all are disturbed',           loaded(10, [others => disturbed => 0.1]), 1e9,    'INCONCLUSIVE'],
    ['notes of 9 % of a CPU explain a small difference',  loaded(10, [others => note => 0.09]), 101, 'INCONCLUSIVE'],
    ['notes of 9 % of a CPU do not explain a large one',  loaded(10, [others => note => 0.09]), 150, 'FAIL'],
    ['those of one pass explain a tenth of that',         loaded(1,  [others => note => 0.09]), 102, 'FAIL'],
    ['notes of pressure explain a small difference',      $NOTED, 103,                               'INCONCLUSIVE'],
    ['notes of pressure do not explain a larger one',     $NOTED, 110,                               'FAIL'],
    ['a run queue before the pass explains nothing',      loaded(10, [run_queue => note => 1]), 101, 'FAIL'],

    # Passes without other load decide alone if there are three.
    ['three passes that are too slow',                    slowed(7), 102, 'FAIL'],
    ['two decide nothing',                                slowed(8), 100, 'INCONCLUSIVE'],
    ['half of passes that differ wildly reach a limit',   loaded(10, $LOUD, 'pipe', @WILD), 840, 'PASS'],

    # A reference that was measured under other load.
    ['the interval of the ratio is below the limit',      $PIPE,  1,    'FAIL',         $WIDE],
    ['notes explain it if the reference is uncertain',    $NOTED, 1,    'INCONCLUSIVE', $WIDE],
    ['notes do not if it is precise',                     $NOTED, 1,    'FAIL',         $NEAR],
    ['three passes of a reference decide',                $PIPE,  0.99, 'PASS',         slowed(7)],
    ['they may be too high',                              $PIPE,  1.02, 'FAIL',         slowed(7)],

    # What other load can explain is bounded.
    (map { ["busy, $_->[0]", $BUSY, @$_] } [90 => 'PASS'], [101 => 'INCONCLUSIVE'], [500 => 'INCONCLUSIVE'],
        [13 * 101 => 'FAIL']),
    ['a reference that may be too low',                   $PIPE, 0.9, 'INCONCLUSIVE', $BUSY],
    ['a reference that load explains only by a factor',   $PIPE, 0.1, 'PASS',         $BUSY],
    ['a reference that is at least as high',              $PIPE, 1.3, 'FAIL',         $BUSY],
    ['a test that waits for disks never fails', that_ran(loaded(10, $LOUD, 'fstime'), 0.4), 1e9, 'INCONCLUSIVE'],
);
#>>>
is(verdict(@$_[1, 2], $_->[4]), $_->[3], "$_->[0]: $_->[3]") for @CASES;

subtest 'why a verdict is open, and what decides' => sub {
    my $case = case_of(slowed(7), 100);
    is_deeply([@$case{qw(verdict at_least)}], ['PASS', undef], 'three passes that are fast enough have no floor');
    my $floor = case_of(loaded(10, $LOUD), 50)->{at_least};
    ok($floor > 95 && $floor < 100, "a floor of $floor decides");
    my $open = qr/: 100[.]1, at least 9[5-9][.]\d+: other load; measure again in a quiet moment\z/;
    like(sentence(case_of(loaded(10, $LOUD), 500)),  $open,                             'an open verdict names it');
    like(sentence(case_of($BUSY,             1313)), qr/: 100[.]1, at most \d+[.]\d\z/, 'the ceiling decides');
    $case = case_of($PIPE, 0.9, loaded(10, [others => disturbed => 1.02]));
    is("$case->{verdict}: $case->{reason}", 'INCONCLUSIVE: the reference was measured beside other load', 'it is open');
};

subtest 'only passes of the required tests matter' => sub {
    my @index = map { $_ eq 'spawn' ? loaded(10, $LOUD, $_) : measured($_, 1, @RATES) } @INDEX;
    is(required(\@index, 'pipe>=500')->{verdict},  'FAIL',         'disturbed passes of another test do not matter');
    is(required(\@index, 'index>=1e9')->{verdict}, 'INCONCLUSIVE', 'those of a test of the index do');
};

subtest 'short passes of a quick run are judged in the same way' => sub {
    my %said = ('1e9 all' => 'INCONCLUSIVE', '1e9 half' => 'FAIL', '1 all' => 'PASS');    # the other half fails
    for my $case (sort keys %said) {
        my ($limit, $loud) = split q{ }, $case;
        my @slices = map { +{ count => $_, $loud eq 'all' || $_ % 2 ? (tags => [tag(@$LOUD)]) : () } } @RATES;
        my $result = steady_result([run_of_rounds(in_rounds('pipe', @slices))]);
        is(required($result, "pipe>=$limit")->{verdict}, $said{$case}, "a limit of $limit, $loud are disturbed");
    }
};

subtest 'what other load can have raised does not meet a requirement' => sub {
    for my $row ([context1 => 23.5], [spawn => 1.42]) {
        my ($name, $factor) = @$row;
        my $test  = loaded(10, $LOUD, $name);
        my $limit = case_of($test, 1)->{value} / $factor;
        is(verdict($test, 1.02 * $limit), 'INCONCLUSIVE', "$name may be $factor times as fast");
        is(verdict($test, 0.9 * $limit),  'PASS',         "$name: but not much more");
    }
    my $reference = summary_of(map { measured($_, 1, @RATES) } @INDEX);
    my @faster    = map {
        my $factor = $_ eq 'context1' ? 1 : 1.16;
        loaded(10, $LOUD, $_, map { $factor * $_ } @RATES)
    } @INDEX;
    my @verdicts = map { required(\@faster, "index>=$_*old.json", $reference)->{verdict} } 0.8, 1;
    is("@verdicts", 'PASS INCONCLUSIVE', 'an index, with a limit from a file');
};

subtest 'summaries decide as results do' => sub {
    my $asked = { copies => [1], tests => ['pipe'], baseline => {} };
    for my $case ([0, 102], [3, 50], [7, 100.4], [8, 100.4], [10, 500]) {
        my ($count, $limit) = @$case;
        my $test     = slowed($count);
        my $parsed   = UnixBench::Accept::Requirement::of_word("pipe>=$limit");
        my @criteria = UnixBench::Accept::Requirement::of([$parsed], $asked);
        my ($whole, $short) =
            map { (UnixBench::Accept::Acceptance::cases(summary_of($test), $_, @criteria))[-1] }
            steady_result([run(1, $test)]), undef;
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
        my $row   = UnixBench::Compare::Comparison::of([$old, $new])->{pairs}[0]{indexes}[0];
        my @cases = map { required($new->{result}, "index>=$_*old.json", $old->{summary}) } 0.98, 1.02;
        my $word  = $SAID{ join q{ }, map { $_->{verdict} } @cases } // 'neither';
        my $said  = $row->{verdict} =~ /er\z/ ? $row->{verdict} : 'neither';
        is($said, $word, "machine $seed: $said") || diag explain [$row->{ratio}, @cases];
        $count{ $row->{load} ? 'other load' : $said }++;
    }
    is(scalar keys %count, 4, 'each answer is given: ' . join ', ', map { "$_ $count{$_}" } sort keys %count);
};

subtest 'Run reports other load' => sub {
    local $ENV{PERL5OPT}    = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";
    local $ENV{PLAYED_LOAD} = 'others:disturbed:1';
    my $line = qr/^Run: INCONCLUSIVE pipe>=2e3 .*: other load; .*\n/m;
    my $load = qr/${line}Run: Other load: 1[.]00 CPUs used, above all processes that are not seen from here [(]/;
    for my $words ([qw(-i 3)], [qw(--quick --max-time 0.1)]) {
        my $test = rated({ pipe => [(990, 1000, 1010) x 60] });
        my $run  = $test->run(qw(-q -c 1), @$words, qw(pipe --require pipe>=2e3));
        is($run->{status}, 4, "@$words: the exit status is 4");
        like($run->{err}, $load, "@$words: the error names the cause");
    }
};

done_testing;
