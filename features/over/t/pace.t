# When the rounds of a run with --over begin: the real pace, with a fake clock.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../../t/lib";
use UnixBench::Base::Time qw(duration_s);
use UnixBench::Features   ();
use UnixBench::Over::Pace;
use UnixBench::Plan;

use constant { DAY => 86_400, SEED => 7, CPUS => 2 };

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
    like(
        $why,
        qr/\Aoption --over: 10 min is too short for 48 rounds of these tests; use --over \d+m or more, or fewer tests$/,
        'is refused'
    );
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
