# The rounds of a run with --over: what they show, with made-up rounds, and when they begin, with a fake clock.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../../t/lib";
use UnixBench::Base::Time qw(duration_s);
use UnixBench::Features   ();
use UnixBench::Over::Figures;
use UnixBench::Over::Pace;
use UnixBench::Plan;

use constant { START => 1_790_000_000 - 1_790_000_000 % 3600, SLOT => 150, DAY => 86_400 };
use constant { SEED => 7, CPUS => 2 };

# Takes values; returns rounds, one each 150 s, from a full hour on. Values vary by up to 2 %.
sub rounds {
    my (@values) = @_;
    return map { +{ at => START + SLOT * $_, value => $values[$_] * (1 + 0.02 * sin 7 * $_) } } 0 .. $#values;
}

my %UTC = (utc_offset_s => 0);

sub shown_in { return UnixBench::Over::Figures::of_rounds(@_) }
sub shown    { return shown_in(\%UTC, @_) }

subtest 'a quiet day' => sub {
    my $shown = shown(rounds((1000) x 576));
    cmp_ok(abs($shown->{median} / 1000 - 1), '<', 0.01, 'the median');
    ok($shown->{p5} < 985 && $shown->{p5} > 979 && $shown->{p95} > 1015, 'what 5 % are below, and 95 %');
    is_deeply([@$shown{qw(below changes)}], [0, []], 'no slow round');
};

subtest 'a loss of 20 % for 10 minutes' => sub {
    my @values = (1000) x 576;
    $values[$_] = 800 for 200 .. 203;
    my $shown = shown(rounds(@values));
    is($shown->{below},        4 / 576,          'what is slow');
    is($shown->{lowest}{from}, START + 8 * 3600, 'its hour is the lowest');
};

subtest 'the lowest hour' => sub {
    srand 20_261_129;
    my $noise  = sub { return 1 + 0.04 * (rand() + rand() + rand() - 1.5) };
    my @rounds = map { +{ at => START + SLOT * $_, value => 1000 } } 0 .. 575;
    my ($wrong, $shown) = (0, 0);
    for (1 .. 40) {
        $_->{value} = 1000 * $noise->() for @rounds;
        my %by_hour = UnixBench::Over::Figures::by_hour(\%UTC, @rounds);
        $wrong++ if $by_hour{lowest}{high} < 1000 || $by_hour{lowest}{low} >= 1000 || $by_hour{highest}{low} > 1000;
        $shown++ if $by_hour{lowest}{is_shown};
    }
    cmp_ok($wrong, '<', 4, "of 24 equal hours is not below their mean: in $wrong of 40 days");
    cmp_ok($shown, '<', 6, 'and is low by chance only');
    $_->{value} *= 0.96 for @rounds[192 .. 215];
    my %lowest = %{ shown(@rounds)->{lowest} };
    is_deeply([@lowest{qw(from is_shown)}], [START + 8 * 3600, 1], 'one that is slower is shown');
    cmp_ok($lowest{high} - $lowest{low}, '<', 20, 'and known as well as a single hour');
};

subtest 'hours are those of the clocks' => sub {
    my @day    = map { +{ at => START + 600 * $_, value => 1000 - $_ } } 0 .. 35;
    my %change = (utc_offset_s => 7200, clock_changes => [{ at => START + 7200, utc_offset_s => 1800 }]);
    is((shown_in(\%change, @day)->{lowest}{from} - START) / 60, 330, 'a clock that is set by an hour and a half');
};

subtest 'a change of the level' => sub {
    my $shown = shown(rounds((1000) x 300, (880) x 276));
    my ($change, @others) = @{ $shown->{changes} };
    is($change->{at}, START + 300 * SLOT, 'its time');
    cmp_ok(abs($change->{by} + 0.12), '<', 0.01, 'its size');
    is(scalar @others,                                                  0, 'it is the only one');
    is(scalar @{ shown(rounds((1000) x 300, (970) x 276))->{changes} }, 0, 'a change of 3 % does not matter');
};

# Takes a number, when it began, and a count; returns a pass of 1 s.
sub pass_at {
    my ($number, $began, $count, %more) = @_;
    return { number => $number, began => $began, count => $count, time_s => 1, timebase => 1, %more };
}

subtest 'idle and stolen CPU time' => sub {
    my $passes = sub {
        my (%s_at) = @_;
        my @passes =
            map { pass_at($_, START + 600 * $_, 1000, ($s_at{$_} ? (noticed => { cpu_time => $s_at{$_} }) : ())) }
            1 .. 12;
        my $run = { tests => [{ name => 'pipe', passes => \@passes }] };
        return UnixBench::Over::Figures::rounds_of($run, 1, [{ name => 'pipe', baseline => 1 }]);
    };
    my %s_at  = map { $_ => { all_s => 1200 * $_, idle_s => 900 * $_, steal_s => 60 * $_ } } 1 .. 12;
    my $shown = shown($passes->(%s_at));
    is_deeply([@$shown{qw(idle stolen)}], [0.75, 0.05], 'the parts of the time between the rounds');
    ok(!exists shown($passes->())->{idle}, 'they may be unknown');
};

subtest 'the rounds of a run' => sub {
    my @pipe    = map { pass_at($_, 100 * $_,     10) } 1 .. 4;
    my @syscall = map { pass_at($_, 100 * $_ - 3, 20 * $_) } 1 .. 3;
    my $tag     = { cause => 'steal', level => 'note', value => 0.1 };
    $pipe[1] = { %{ $pipe[1] }, tags => [$tag], used => { clock_mhz => 3000 } };
    $syscall[1] =
        { %{ $syscall[1] }, tags => [{ %$tag, value => 0.3 }], used => { clock_mhz => 2000 } };
    my @tests = (
        { name => 'pipe',    status => 'measured', passes => \@pipe },
        { name => 'syscall', status => 'measured', passes => \@syscall }
    );
    my @rows  = ({ name => 'pipe', baseline => 10 }, { name => 'syscall', baseline => 20 });
    my $run   = { rounds => 4, tests => \@tests, indexes => [{ category => 'system', rows => \@rows }] };
    my $shown = UnixBench::Over::Figures->of_run($run, \%UTC);
    is($shown->{name}, 'system', 'the index is their value');
    my @rounds = @{ $shown->{rounds} };
    is_deeply([map { $_->{at} } @rounds], [97, 197, 297], 'a round has all tests, and begins with the first');
    my $means = [map { sprintf '%.3f', 10 * sqrt $_ } 1 .. 3];
    is_deeply([map { sprintf '%.3f', $_->{value} } @rounds], $means,      'its value is their index');
    is_deeply([@{ $rounds[1] }{qw(steal clock_mhz)}],        [0.3, 2500], 'and what slowed it');
    ok(!exists $rounds[0]{steal}, 'nothing slowed another one');
    my $alone = UnixBench::Over::Figures->of_run({ %$run, tests => [$tests[0]], indexes => [] }, \%UTC);
    is_deeply([@$alone{qw(name median)}], ['pipe', 10], 'a test alone has its score');
    $#syscall = 1;
    is(UnixBench::Over::Figures->of_run($run, \%UTC), undef, 'two rounds show nothing');
};

# When they begin.

# Takes tests, and perhaps factor and copies; returns the plan of a quick run.
sub plan_of {
    my ($tests, %with) = @_;
    return UnixBench::Plan::make(
        tests    => $tests,
        copies   => [1],
        factor   => 1,
        words    => { bindir => 'pgms', tmpdir => 'tmp' },
        is_there => sub { 1 },
        quick    => { seed => SEED, max_time_s => 60 },
        %with
    );
}

# Takes a time as users write it, and the arguments of plan_of(); returns the pace, or why there is none.
sub pace {
    my ($over, @plan) = @_;
    return eval { UnixBench::Over::Pace->pace(plan_of(@plan), duration_s($over), CPUS) } || $@;
}

# Takes a pace; returns the times at which its rounds begin.
sub begins {
    my ($pace) = @_;
    my ($now_s, @begins) = 0;
    for my $done (0 .. $pace->rounds - 1) {
        $now_s += $pace->wait_s($done, $now_s);
        push @begins, $now_s;
    }
    return @begins;
}

my @INDEX = qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn syscall shell1 shell8);

# Returns the CPU time of a round of the index with one copy.
sub round_cpu_s { my ($cpus) = @_; return UnixBench::Plan::round_cpu_s(plan_of(\@INDEX), 1, $cpus) }

subtest 'how many rounds there are' => sub {
    my $day = pace('24h', \@INDEX);
    cmp_ok($day->rounds,                                '>', 500,          'a day has hundreds of rounds');
    cmp_ok($day->rounds * round_cpu_s(CPUS) / DAY,      '<', 0.04,         'which use less than 4 % of a CPU');
    cmp_ok($day->rounds * 2 * round_cpu_s(CPUS) / DAY,  '>', 0.04,         'but not much less');
    cmp_ok(pace('24h', \@INDEX, copies => [2])->rounds, '<', $day->rounds, 'copies use CPUs, too');
    is(pace('10h', ['pipe'])->rounds, 600,  'there is one a minute at most');
    is(pace('7d',  ['pipe'])->rounds, 1000, 'and not more than a page can show');
};

subtest 'a time that is too short' => sub {
    my $why = pace('10m', \@INDEX);
    like($why, qr/\Aoption --over: 10 min is too short for 48 rounds of any test; use --over \d+m or more$/,
        'is refused');
    like(pace('1h', \@INDEX), qr/48 rounds of these tests; .* or more, or fewer tests$/, 'fewer tests may fit');
    my ($least) = $why =~ /--over (\d+)m/;
    is(pace("${least}m", \@INDEX)->rounds, 48, 'the time in it fits');
    ok(!ref pace($least - 2 . 'm', \@INDEX), 'a shorter one does not');
    is(pace('48s', ['pipe'], factor => 1 / 60)->rounds, 48, 'short passes fit into less');
    like(pace('24h', ['pipe'], copies => [1, 2]), qr/\Aoption --over: .* use -c once\n\z/, 'two numbers do not');
};

subtest 'when rounds begin' => sub {
    my $pace   = pace('10h', ['pipe']);
    my @begins = begins($pace);
    my @slots  = map { int $_ / 60 } @begins;
    is_deeply(\@slots, [0 .. 599], 'each slot has one');
    my %in_third;
    $in_third{ int(($begins[$_] / 60 - $_) * 3) }++ for 0 .. $#begins;
    cmp_ok($in_third{$_} // 0, '>', 150, "at random moments, as often in third $_ of a slot") for 0 .. 2;
    is_deeply([begins(pace('10h', ['pipe']))], \@begins, 'the same seed has the same moments');
};

subtest 'a run that stood still' => sub {
    my $pace = pace('10h', ['pipe']);
    $pace->wait_s(0, 1000);
    cmp_ok($pace->wait_s(1, 1061), '<=', 60, 'a round is not missed');
    my $wait_s = $pace->wait_s(2, 10_000);
    cmp_ok($wait_s, '<=', 60, 'after hours, the next slot begins at once');
};

done_testing;
