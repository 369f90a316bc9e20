# Verdicts under other load: what others do to the machine fails no requirement, and what the host does, does.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture    qw(failed measured result run tag tagged);
use KnownRates qw(rated);
use QuickRun   qw(in_rounds run_of_rounds);
use Verdicts   qw(judged);
use Rendered   qw(rendered);
use UnixBench::Catalog;
use UnixBench::Report::Verdict qw(finding);

my @RATES = map { 1000 + $_ } -3 .. 6;                  # ten passes of pipe: the score is a tenth of that
my %LIMIT = (pass => 50, open => 100.1, fail => 500);

# A pipe test of which so many passes have a tag.
sub pipe_with {
    my ($count, @tag) = @_;
    return tagged(measured('pipe', 1, @RATES), { map { $_ => [tag(@tag)] } 1 .. $count });
}

# The case of a requirement on the pipe test.
sub case_of {
    my ($test, $limit) = @_;
    my ($case) = grep { $_->{kind} eq 'requirement' } judged(result([run(1, $test)]), [1], "pipe>=$limit" => undef);
    return $case;
}

# All ten passes are disturbed: cause, value, and the verdict where a quiet machine had FAIL.
#<<< a table
my @CAUSES = (
    [others          => 1.02, 'INCONCLUSIVE'],
    [run_queue       => 3,    'INCONCLUSIVE'],
    [pressure_cpu    => 0.5,  'INCONCLUSIVE'],
    [pressure_io     => 0.5,  'INCONCLUSIVE'],
    [pressure_memory => 0.5,  'INCONCLUSIVE'],
    [steal           => 0.5,  'FAIL'],
    [throttled       => 9,    'FAIL'],
    [thermal         => 9,    'FAIL'],
    [swap            => 900,  'FAIL'],
    [major_faults    => 900,  'FAIL'],
    [affinity        => 1,    'FAIL'],
    [overlap         => 0.5,  'FAIL'],
    [refused         => 132,  'FAIL'],
);
#>>>

for my $row (@CAUSES) {
    my ($cause, $value, $failing) = @$row;
    my %expected = (pass => 'PASS', open => 'INCONCLUSIVE', fail => $failing);
    for my $would (sort keys %expected) {
        my $case = case_of(pipe_with(10, $cause, disturbed => $value), $LIMIT{$would});
        is($case->{verdict}, $expected{$would}, "$cause, would $would");
        my $is_named = $would eq 'fail' && $failing eq 'INCONCLUSIVE' ? 1 : 0;
        is(finding($case) =~ /but other load was at work/ ? 1 : 0, $is_named, "$cause, would $would: the cause");
    }
}

# How many of ten passes have which tag, what is required where a quiet machine has at most 100.4, and the verdict.
#<<< a table
my @SHARES = (
    [1,  others       => disturbed => 0.11, 101,   'FAIL', 'one of ten: the others are too slow, too'],
    [7,  others       => disturbed => 1,    101,   'FAIL', 'seven of ten: three agree'],
    [9,  others       => disturbed => 1,    101,   'INCONCLUSIVE', 'nine of ten: the last one tells no interval'],
    [10, others       => disturbed => 0.1,  1e9,   'INCONCLUSIVE', 'all, whatever is required'],
    [10, others       => note      => 0.09, 101,   'INCONCLUSIVE', 'notes: 9 % of a CPU may be the reason'],
    [10, others       => note      => 0.09, 150,   'FAIL', 'notes: 9 % of a CPU is not the reason'],
    [10, pressure_io  => note      => 0.04, 103,   'INCONCLUSIVE', 'notes of pressure'],
    [10, pressure_io  => note      => 0.04, 110,   'FAIL', 'too little pressure'],
    [10, run_queue    => note      => 1,    101,   'FAIL', 'what waited before used no CPU time meanwhile'],
);
#>>>

for my $row (@SHARES) {
    my ($count, $cause, $level, $value, $limit, $expected, $name) = @$row;
    is(case_of(pipe_with($count, $cause, $level => $value), $limit)->{verdict}, $expected, $name);
}

subtest 'whose passes count' => sub {
    my $spawn = tagged(measured('spawn', 1, @RATES), { map { $_ => [tag(others => disturbed => 1)] } 1 .. 10 });
    my @cases = judged(result([run(1, measured('pipe', 1, @RATES), $spawn)]), [1], 'pipe>=500' => undef);
    is((grep { $_->{kind} eq 'requirement' } @cases)[0]{verdict}, 'FAIL', 'not those of another test');
    my @index = map { $_ eq 'spawn' ? $spawn : measured($_, 1, @RATES) } UnixBench::Catalog::expand('index');
    @cases = judged(result([run(1, @index)]), [1], 'index>=1e9' => undef);
    is((grep { $_->{kind} eq 'requirement' } @cases)[0]{verdict},  'INCONCLUSIVE', 'but that of a test of the index');
    is(case_of(failed('pipe', 'killed by SIGSEGV'), 1)->{verdict}, 'FAIL',         'a failed test fails');
};

subtest 'a quick run' => sub {
    my @tags = (tags => [tag(others => disturbed => 1)]);
    my $of   = sub {
        my ($limit, @slices) = @_;
        my @cases = judged(result([run_of_rounds(in_rounds('pipe', @slices))]), [1], "pipe>=$limit" => undef);
        return (grep { $_->{kind} eq 'requirement' } @cases)[0]{verdict};
    };
    is($of->(1e9, map { { count => $_, @tags } } @RATES),               'INCONCLUSIVE', 'each slice is disturbed');
    is($of->(1e9, map { { count => $_, $_ % 2 ? @tags : () } } @RATES), 'FAIL', 'the other half is too slow, too');
    is($of->(1,   map { { count => $_, @tags } } @RATES),               'PASS', 'met all the same');
};

subtest 'in words' => sub {
    my $test  = pipe_with(10, others => disturbed => 1.02);
    my $words = '100.1 over all passes, 95 % interval 99.9 to 100.3; the table has 100.2; below the limit, but other '
        . 'load was at work: other processes (up to 1.02 CPUs, 10 of 10 passes); stop it and measure again';
    is(finding(case_of($test, 500)), $words, 'the cause is named');
    my $result = result([run(1, $test)]);
    my @cases  = judged($result, [1], 'pipe>=500' => undef);
    like(rendered(junit => $result, @cases), qr/<error [^>]*other processes [(]up to/,         'in JUnit');
    like(rendered(tap   => $result, @cases), qr/^# INCONCLUSIVE .* other processes [(]up to/m, 'in TAP');
};

subtest 'through the whole of Run' => sub {
    local $ENV{PERL5OPT}    = "-I$FindBin::Bin/../../lib -MPlayedLoad";
    local $ENV{PLAYED_LOAD} = 'others:disturbed:1';
    my $load = qr/Run: INCONCLUSIVE pipe>=2e3 .*: other processes [(]up to 1.00 CPUs, \d+ of \d+ passes[)]/;
    for my $words ([qw(-i 3)], [qw(--quick --max-time 0.1)]) {
        my $test = rated({ pipe => [(990, 1000, 1010) x 60] });
        my $run  = $test->run(qw(-q -c 1), @$words, qw(pipe --require pipe>=2e3));
        is($run->{status}, 4, "@$words: the status");
        like($run->{err}, $load, "@$words: the verdict");
    }
    local $ENV{PLAYED_LOAD} = 'steal:disturbed:0.5';
    my $run = rated({ pipe => [990, 1000, 1010] })->run(qw(-q -c 1 -i 3 pipe --require pipe>=2e3));
    is($run->{status}, 3, 'steal fails');
};

done_testing;
