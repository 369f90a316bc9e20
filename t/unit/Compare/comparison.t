use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Comparisons                            qw(compared is_about);
use Fixture                                qw(@INDEX measured run steady_result);
use Machines                               qw(classic facts_of side spread_rates summary);
use UnixBench::Report::Comparison::Wording qw(first_lines);
use UnixBench::Summary;

# Student's t for 95 %, by degrees of freedom, from a numerical integration of its density.
my %T = (8 => 2.3060041352, 16 => 2.1199052992, 24 => 2.0638985616, 5.33 => 2.5230020208);

# Takes a label, tests, and other arguments of summary; returns a side with one run of these tests.
sub one {
    my ($label, $tests, %with) = @_;
    return side($label, runs => { 1 => $tests }, %with);
}

sub is_ratio {
    my ($row, $value, $low, $high, $what) = @_;
    is_about($row->{ratio}{value}, $value, "$what: ratio");
    is_about($row->{ratio}{low},   $low,   "$what: lower end");
    is_about($row->{ratio}{high},  $high,  "$what: upper end");
    return;
}

# Takes a factor. Compares two sides, the rates of the second being the first's times the factor, in steps of 0.001.
# Returns the verdict on the index, and whether the comparison is worse.
sub verdict_at {
    my ($factor)   = @_;
    my @sides      = map { one($_, { pipe => spread_rates($_ eq 'a' ? 1000 : 1000 * $factor, 0.001) }) } qw(a b);
    my $comparison = compared(\@sides);
    return ($comparison->{pairs}[0]{indexes}[0]{verdict}, $comparison->{is_worse});
}

subtest 'ratios and intervals are as computed by hand' => sub {

    # Both tests have a standard error of sqrt(1/2) steps on both sides: together one step, with 8 degrees of freedom.
    my $comparison = compared([
        one('a.json', { pipe => spread_rates(1000, 0.01), spawn => spread_rates(50, 0.01) }),
        one('b.json', { pipe => spread_rates(1100, 0.01), spawn => spread_rates(50, 0.01) }),
    ]);
    my ($pair) = @{ $comparison->{pairs} };
    my ($pipe, $spawn) = @{ $pair->{tests} };
    is_ratio($pipe, 1.1, 1.1 * exp(-0.01 * $T{8}), 1.1 * exp(0.01 * $T{8}), 'pipe');
    is($pipe->{verdict}, 'faster', 'pipe is faster');
    is_ratio($spawn, 1, exp(-0.01 * $T{8}), exp(0.01 * $T{8}), 'spawn');
    is($spawn->{verdict}, 'inconclusive', 'the interval of spawn is from -2.3 to +2.3 %: spawn is inconclusive');
    is_about($pipe->{values}[0]{value}, 1000, 'the value is that of all passes');
    is($pipe->{is_trimmed}, 0, 'the value is marked as untrimmed');

    # The index of both has a standard error of sqrt(1/4) steps on each side, with 8 degrees of freedom; its ratio has
    # sqrt(1/2) steps, with 16. The mean of the two ratios is the same.
    my $half = 0.01 * sqrt(0.5) * $T{16};
    for my $row (@{ $pair->{indexes} }) {
        is_ratio($row, sqrt 1.1, sqrt(1.1) * exp(-$half), sqrt(1.1) * exp($half), $row->{title} || 'mean');
        is($row->{verdict}, 'faster', 'index and mean are faster');
    }
    is_about($pair->{indexes}[0]{values}[0]{value}, 10 * sqrt(1000 / 12440 * 50 / 126), 'the value of the index');
};

subtest "unequal numbers of passes need Welch's degrees of freedom" => sub {

    # Three logarithms, one step apart, have a standard error of step/sqrt(3) with 2 degrees of freedom. The other side
    # has the same error by choice: (2v)^2 / (v^2/2 + v^2/4) = 16/3 degrees of freedom.
    my ($step, $other) = (0.01, 0.01 * sqrt(2 / 3));
    my @three = map { 1000 * exp($_ * $step) } -1, 0, 1;
    my ($pair) =
        @{ compared([one('a', { pipe => \@three }), one('b', { pipe => spread_rates(1000, $other) })])->{pairs} };
    my $half = sqrt(2 / 3) * $step * $T{5.33};
    is_ratio($pair->{tests}[0], 1, exp(-$half), exp($half), 'Welch');
};

# Each case: the least effect, the interval of the ratio, and the verdict. An end that lies on the limit is within it.
my @VERDICTS = (
    [0.02, 0.97,      0.9799999, 'slower'],
    [0.02, 0.9799999, 0.9799999, 'slower'],
    [0.02, 0.97,      0.98,      'inconclusive'],
    [0.02, 0.9799999, 1.02,      'inconclusive'],
    [0.02, 0.98,      1.0200001, 'inconclusive'],
    [0.02, 1.02,      1.03,      'inconclusive'],
    [0.02, 0.98,      0.98,      'equal'],
    [0.02, 0.98,      1.02,      'equal'],
    [0.02, 1.02,      1.02,      'equal'],
    [0.02, 1.0200001, 1.0200001, 'faster'],
    [0.02, 1.0200001, 1.03,      'faster'],
    [0,    0.999,     0.9999,    'slower'],
    [0,    0.999,     1,         'inconclusive'],
    [0,    1,         1,         'equal'],
    [0,    1.0001,    1.001,     'faster'],
    [0.5,  0.4,       0.49,      'slower'],
);

subtest 'a verdict follows from the interval and the least effect' => sub {
    for my $case (@VERDICTS) {
        my ($min_effect, $low, $high, $verdict) = @$case;
        my %ratio = (value => sqrt($low * $high), low => $low, high => $high);
        is(UnixBench::Compare::Rows::verdict(\%ratio, $min_effect), $verdict, "$low to $high of $min_effect: $verdict");
    }
    is(UnixBench::Compare::Rows::verdict({ value => 0.5 }, 0.02), 'unknown', 'no interval: unknown');
};

subtest 'a comparison is worse if one of its indexes is slower' => sub {

    # The upper end of the index's ratio is FACTOR * exp(0.001 * T8).
    my $edge = 0.98 / exp(0.001 * $T{8});
    is_deeply([verdict_at($edge * 0.999999)], ['slower',       1], 'an index just below the limit is slower');
    is_deeply([verdict_at($edge * 1.000001)], ['inconclusive', 0], 'an index just above the limit is inconclusive');
    is_deeply([verdict_at(1)],                ['equal',        0], 'an equal index is equal');
    is_deeply([verdict_at(2)],                ['faster',       0], 'an index twice as high is faster');
    my $of         = sub { return { pipe => spread_rates($_[0], 0.001), spawn => spread_rates($_[1], 0.001) } };
    my $tests_only = compared([one('a', $of->(100, 100)), one('b', $of->(80, 125))]);
    is($tests_only->{pairs}[0]{tests}[0]{verdict}, 'slower', 'a test is slower');
    is($tests_only->{is_worse},                    0,        'the comparison is not worse, as the index is equal');
    my $left  = side('a', runs => { 1 => $of->(100, 100), 4 => $of->(300, 300) });
    my $right = side('b', runs => { 1 => $of->(100, 100), 4 => $of->(250, 250) });
    is(compared([$left, $right])->{is_worse},        1, 'a comparison is worse for one of two numbers of copies');
    is(compared([$right, $left])->{is_worse},        0, 'the other way round, the comparison is not worse');
    is(compared([$left, $left, $right])->{is_worse}, 1, 'a comparison is worse for the third of three results');
    is(compared([$left, $right], min_effect => 0.5)->{is_worse}, 0, 'a difference below the least effect is not worse');
};

subtest 'only tests that were measured on both sides are compared' => sub {
    my %pipe   = (pipe => spread_rates(100, 0.001));
    my $left   = one('a', { %pipe, syscall => [5, 6], execl => 'failed: exit status 3' });
    my $right  = one('b', { %pipe, syscall => 'failed: killed by SIGSEGV', execl => 'skipped: no', spawn => [1, 2] });
    my ($pair) = @{ compared([$left, $right])->{pairs} };
    is_deeply([map { $_->{name} } @{ $pair->{tests} }], ['pipe'], 'the test that both sides have');
    my %reasons = map { $_->{name} => $_->{reasons} } @{ $pair->{lacking} };
    is_deeply(
        \%reasons,
        {
            execl   => ['exit status 3', 'no'],
            spawn   => ['not run',       undef],
            syscall => [undef,           'killed by SIGSEGV'],
        },
        'the other tests have their reasons'
    );
    is($pair->{indexes}[0]{why_not}, 'its tests differ', 'indexes with different tests are not compared');
    ok(!exists $pair->{indexes}[0]{ratio}, 'indexes of other tests have no ratio');
    is_about($pair->{mean}{ratio}{value}, 1, 'the mean is that of the tests that are compared');
    is_deeply(
        compared([one('a', \%pipe), one('b', { pipe => 'failed: x', spawn => [1, 2] })])->{refusals},
        ['no test was measured both in A and in B'],
        'results without a common test are refused'
    );
    my @sides = map { one($_, { %pipe, hanoi => [9, 9] }) } qw(a b);
    $_->{unit} = 'users' for grep { $_->{name} eq 'hanoi' } @{ $sides[1]{summary}{runs}[0]{tests} };
    ($pair) = @{ compared(\@sides)->{pairs} };
    is_deeply([map { $_->{name} } @{ $pair->{tests} }], ['pipe'], 'a capacity is not compared with a load');
    is_deeply($pair->{lacking}[0]{reasons},             ['in lps', 'in users'], 'the reasons are the units');
    ($pair) = @{ compared([one('a', \%pipe), one('b', { %pipe, hanoi => [1, 2] })])->{pairs} };
    is($pair->{indexes}[0]{verdict}, 'equal', 'a test without a baseline does not matter to the index');
    ($pair) = @{ compared([one('a', { hanoi => [1, 2], %pipe }), one('b', { hanoi => [1, 2] })])->{pairs} };
    is($pair->{indexes}[0]{why_not}, 'only one side has it', 'an index that only one side has is not compared');
};

subtest 'text reports are compared by classic scores' => sub {
    my @rates = map { 100 + $_ } 0 .. 8;
    my $json  = one('a', { pipe => \@rates });
    my $text  = { label => 'b', summary => classic(one('b', { pipe => [map { $_ * 0.5 } @rates] })->{summary}) };
    my $best  = exp((log(103) + log(104) + log(105) + log(106) + log(107) + log(108)) / 6);
    for my $case ([$json, $text, 0.5], [$text, $json, 2], [$text, $text, 1]) {
        my ($first, $second, $ratio) = @$case;
        my $comparison = compared([$first, $second]);
        my ($pair)     = @{ $comparison->{pairs} };
        my ($row)      = @{ $pair->{tests} };
        is_about($row->{ratio}{value}, $ratio, 'the ratio is that of the classic scores');
        is_about(
            $row->{values}[0]{value},
            $first == $json ? $best : $best / 2,
            'the classic scores leave out the third of the passes with the lowest counts'
        );
        is_deeply([@$row{qw(is_trimmed verdict)}],                    [1, 'unknown'], 'the test has no verdict');
        is_deeply([@{ $pair->{indexes}[0] }{qw(is_trimmed verdict)}], [1, 'unknown'], 'the index has no verdict');
        is($comparison->{is_worse}, 0, 'the comparison is not worse');
    }
    my $slow  = one('c', { pipe => [map { $_ * 0.5 } @rates] });
    my $mixed = compared([$json, $slow, $text]);
    is_deeply([map { $_->{tests}[0]{is_trimmed} } @{ $mixed->{pairs} }], [0, 1], 'pairs with a text report');
    is($mixed->{is_worse}, 1, 'the other pairs have a verdict');
};

subtest 'facts that differ are listed' => sub {
    my %pipe  = (pipe => [100, 101]);
    my $left  = one('a', \%pipe, facts => { Kernel => '6.1', CPU => 'x', 'Mitigation srso' => 'Safe RET' });
    my $right = one('b', \%pipe, facts => { Kernel => '6.2', CPU => 'x' });
    my $text  = { label => 'c', summary => { %{ classic($right->{summary}) }, facts_of(Kernel => '6.1') } };
    is_deeply(
        compared([$left, $right])->{differences},
        [
            { key => 'host.release',            label => 'Kernel',          texts => ['6.1',      '6.2'] },
            { key => 'kernel.mitigations.srso', label => 'Mitigation srso', texts => ['Safe RET', undef] },
        ],
        'a fact that one machine does not have is listed'
    );
    is_deeply(compared([$left, $text])->{differences}, [], 'a fact that a text report does not have is not listed');
    is_deeply(compared([$right, $text, $left])->{differences}[0]{texts}, ['6.2', '6.1', '6.1'], 'three sides');
    my ($with, $other) = map { one($_, \%pipe, facts_of('Size of execl' => "$_ bytes")) } 1, 2;
    is_deeply(compared([$with, $right])->{differences}[0]{label}, 'CPU', 'a program that only one side has run is not');
    is_deeply([map { $_->{label} } @{ compared([$with, $other])->{differences} }], ['Size of execl'],
        'that of both is');
    my @texts = map { { label => $_, summary => { has_passes => 0 } } } qw(A B);
    is(join(q{ | }, UnixBench::Compare::Facts::unknown(@texts)),
        'Nothing is known about the machine of A and B.', 'none');
    is_deeply([UnixBench::Compare::Facts::unknown($left, $right)], [], 'facts of both');
};

my %FILES = ('Program pipe' => 'aa', 'Program spawn' => 'bb', 'Input sort.src' => 'cc');

# [what, the files of each side, the sentences].
my @OTHER_FILES = (
    ['the same files',          [\%FILES,                    \%FILES]],
    ['programs of other tests', [{ 'Program pipe' => 'aa' }, { %FILES, 'Program dhry2reg' => 'dd' }]],
    [
        'each kind has a line',
        [\%FILES, { map { $_ => 'x' } keys %FILES }],
        'Programs that differ: pipe, spawn',
        'Inputs that differ: sort.src'
    ],
    ['one that a third side lacks', [\%FILES, {}, { %FILES, 'Program pipe' => 'x' }]],
    ['one of a third side', [\%FILES, \%FILES, { %FILES, 'Program pipe' => 'x' }], 'Programs that differ: pipe'],
);
for my $case (@OTHER_FILES) {
    my ($what, $files, @sentences) = @$case;
    my @sides = map { one('x', { pipe => [100, 101] }, facts_of(%$_)) } @$files;
    is_deeply(compared(\@sides)->{other_files}, \@sentences, "files: $what");
}

# The kinds of results: which results, and which of their runs, are compared with each other.

# Takes tests and numbers of copies; returns a side with a run of these tests for each number.
sub several {
    my ($tests, @copies) = @_;
    my @runs = map { @{ summary(runs => { $_ => $tests })->{runs} } } @copies;
    return { label => "@copies", summary => { %{ summary(runs => {}) }, runs => \@runs } };
}

subtest 'runs with the same number of copies are compared' => sub {
    my $rates = { pipe => spread_rates(100, 0.001) };
    my $slow  = { pipe => spread_rates(50,  0.001) };
    my $few   = side('a', runs => { 1 => $rates, 2 => $rates });
    my $many  = side('b', runs => { 2 => $slow,  1 => $slow, 8 => $slow });
    is_deeply([map { $_->{runs}[1]{copies} } @{ compared([$few, $many])->{pairs} }], [1, 2], 'the common ones');
    my $one    = side('a', runs => { 1 => $rates });
    my $four   = side('b', runs => { 4 => $slow });
    my $across = compared([$one, $four]);
    is($across->{pairs}[0]{indexes}[0]{verdict}, 'slower', 'the only runs of two sides, whatever their copies');
    is($across->{pairs}[0]{is_same_count},       0,        'the pair is marked as having different numbers of copies');
    is($across->{is_worse},                      0,        'the comparison is not worse');

    for my $forced (0, 1) {
        is_deeply(
            compared([$few, $four], is_forced => $forced)->{refusals},
            ['no number of copies in common: A has 1 copy and 2 copies, B has 4 copies'],
            "several runs without a common number are refused with force $forced"
        );
    }
    my @no_run = ('no number of copies in common: A has 1 copy, B has no run');
    is_deeply(compared([$one, side('b', runs => {})])->{refusals}, \@no_run, 'a side without a run is refused');
    my $twice = summary(runs => { 1 => $rates });
    push @{ $twice->{runs} }, @{ $four->{summary}{runs} }, @{ summary(runs => { 1 => $slow })->{runs} };
    my ($pair) = @{ compared([{ label => 'a', summary => $twice }, $one])->{pairs} };
    cmp_ok(abs($pair->{tests}[0]{values}[0]{value} - 100), '<', 1e-7, 'the first of two runs of as many copies');
};

subtest 'runs that are not compared' => sub {
    my $rates = { pipe => spread_rates(100, 0.001) };
    my @cases = (
        ['1',     '1'     => []],
        ['1 2',   '1'     => ['2 copies: only A has such a run']],
        ['1',     '1 2 8' => ['2 copies: only B has such a run', '8 copies: only B has such a run']],
        ['1',     '4'     => []],
        ['1',     '1 2', '2 1' => ['2 copies: A has no such run']],
        ['1 2',   '1',   '1'   => ['2 copies: only A has such a run']],
        ['1 2',   '1',   '1 2' => ['2 copies: B has no such run']],
        ['1',     '4',   '1'   => []],
        ['1',     '1',   '1 4' => ['4 copies: only C has such a run']],
        ['1',     '1 1'     => ['1 copy: B has several such runs, of which only the first is used']],
        ['1 2 2', '2 1 2 2' => ['2 copies: A and B have several such runs, of which only the first is used']],
    );
    for my $case (@cases) {
        my ($sentences, @copies) = reverse @$case;
        my @sides = map { several($rates, split) } reverse @copies;
        is_deeply(compared(\@sides)->{omissions}, $sentences, join ' compared with ', reverse @copies);
    }
    my @sides = (side('a', runs => { 1 => $rates }), side('b', runs => { 1 => $rates, 2 => $rates }, flags => '-O2'));
    is_deeply(compared(\@sides)->{omissions}, [], 'no run is listed if the comparison is refused');
};

subtest 'results of different kinds are refused' => sub {
    my %rates  = (runs => { 1 => { pipe => spread_rates(100, 0.001), spawn => spread_rates(100, 0.001) } });
    my %change = (
        'compiler flags: -O3 in A, -O2 in B'                  => { flags => '-O2' },
        'compiler flags: -O3 in A, none in B'                 => { flags => q{} },
        'length of passes (UB_TIME_FACTOR): 1 in A, 0.1 in B' =>
            { procedure => { kind => 'official', time_factor => '0.10', work_factor => 1 } },
        'MULTI_SH_WORK_FACTOR: 1 in A, 3 in B' =>
            { procedure => { kind => 'official', time_factor => '1.0', work_factor => 3 } },
        'baseline of Pipe Throughput: 12440 in A, 12441 in B' => { baseline => { pipe => 12441 } },
    );
    for my $sentence (sort keys %change) {
        my @sides   = (side('a', %rates), side('b', %rates, %{ $change{$sentence} }));
        my $refused = compared(\@sides);
        is_deeply($refused->{refusals},                        [$sentence], "refused: $sentence");
        is_deeply([@$refused{qw(pairs differences is_worse)}], [[], [], 0], "nothing is compared: $sentence");
        my $forced = compared(\@sides, is_forced => 1);
        is_deeply($forced->{refusals},  [],          "not refused with force: $sentence");
        is_deeply($forced->{obstacles}, [$sentence], "an obstacle with force: $sentence");
        is(scalar @{ $forced->{pairs} }, 1, "compared with force: $sentence");
    }
    my @three = map { side($_, %rates, flags => $_ eq 'b' ? '-O2' : '-O3') } qw(a b c);
    is_deeply(compared(\@three)->{refusals}, ['compiler flags: -O3 in A and C, -O2 in B'], 'three sides have letters');
    my %unknown = (procedure => { map { $_ => undef } qw(kind time_factor work_factor) }, flags => undef);
    is_deeply(compared([side('a', %rates), side('b', %rates, %unknown)])->{obstacles}, [], 'an unknown kind');
    my $other_test = side('b', runs => { 1 => { pipe => [1, 2], execl => [1, 2] } }, baseline => { execl => 1 });
    is_deeply(compared([side('a', %rates), $other_test])->{obstacles}, [], 'a baseline that A does not have');
};

# Takes a place of context1 or undef, its factor, and that of all other tests; returns a side.
sub placed {
    my ($place, $of_context1, $of_others) = @_;
    my @tests = map {
        my $by = $_ eq 'context1' ? $of_context1 : $of_others;
        measured($_, 1, map { $by * (1000 + $_) } 1 .. 8)
    } @INDEX;
    return {
        label   => 'vm',
        summary => UnixBench::Summary::of(steady_result([run(1, @tests)], place => $place))
    };
}

subtest 'an index does not depend on the place of context1' => sub {
    my $on_one = placed('same core', 1, 1);
    for my $case ([1, 'equal'], [0.9, 'slower']) {
        my ($factor, $verdict) = @$case;
        my $comparison = compared([$on_one, placed('other cores', 7, $factor)]);
        my ($index) = @{ $comparison->{pairs}[0]{indexes} };
        is($index->{verdict}, $verdict, "$verdict without it");
        cmp_ok(abs($index->{ratio}{value} - $factor), '<', 1e-9, 'the ratio of the others');
        is(
            (first_lines($comparison))[0],
            'The two processes of context1 had other places (same core in A, other cores in B): '
                . 'the index is compared without it.',
            'the report says so'
        );
    }
    for my $place (undef, 'same core') {
        my ($index) = @{ compared([$on_one, placed($place, 7, 1)])->{pairs}[0]{indexes} };
        is($index->{verdict}, 'faster', 'else it counts');
    }
};

done_testing();
