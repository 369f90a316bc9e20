# Tests of UnixBench::Score::Work: what the copies of a test used.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use UnixBench::Score::Work;

# Takes the differences from a usual pass of two copies: each counts 1000 loops in two seconds, and runs for half of the
# time.
sub made_pass {
    my (%differ) = @_;
    my %alone    = (ran_s => 1, waited_s => 0.2, switches => 500, forced_switches => 10);
    my $copies   = delete $differ{copies} // [map { +{ elapsed_s => 2, used => \%alone } } 1, 2];
    my %used     = (user_s => 1.5, kernel_s => 0.5, minor_faults => 3000, major_faults => 1000, clock_mhz => 2000);
    return {
        count    => 2000,
        time_s   => 2,
        timebase => 1,
        copies   => $copies,
        exists $differ{used} ? () : (used => \%used),
        %differ,
    };
}

sub work { my (@passes) = @_; return UnixBench::Score::Work::of_test({ category => 'system', passes => \@passes }) }

subtest 'a pass' => sub {
    my $work = work(made_pass());
    is_deeply(
        { %$work, per_loop => undef },
        {
            rate      => 500,
            own       => 0,
            cpu       => 0.5,
            cpu_s     => 2,
            user      => 0.75,
            clock_mhz => 2000,
            cycles    => undef,
            waited    => 0.1,
            errors    => undef,
            per_loop  => undef
        },
        'of each copy: its rate, CPU time, clock and waiting'
    );
    is_deeply($work->{per_loop}, { faults => 2, switches => 0.5, forced => 0.01 }, 'the counts of a loop');
};

subtest 'several passes' => sub {
    my $work = work(made_pass(),
        made_pass(used => { %{ made_pass()->{used} }, user_s => 2.5, kernel_s => 0.5, clock_mhz => 8000 }));
    is($work->{cpu},        0.625, 'CPU times are added');
    is($work->{user},       0.8,   'and so are those of the modes');
    is($work->{clock_mhz},  4000,  'the clock is a geometric mean');
    is($work->{errors}{df}, 1,     'one degree of freedom');

    # 0.5 and 0.75, divided by their mean: 0.8 and 1.2; the variance of the mean is 0.08 / 2.
    is(sprintf('%.9f', $work->{errors}{cpu}), '0.040000000', 'the relative variance of the CPU time');
    my $same = work(made_pass(), made_pass(), made_pass())->{errors};
    is_deeply([@$same{qw(cpu loop clock user kernel both)}], [(0) x 6], 'equal passes have no errors');
};

# A loop takes 500 a second with half of a CPU of 2000 MHz: 2e6 cycles.
subtest 'the cycles of a loop' => sub {
    my $mhz    = sub { made_pass(used => { %{ made_pass()->{used} }, clock_mhz => shift }) };
    my $cycles = sub { [UnixBench::Score::Work::cycles_of_passes({ category => 'system', passes => [@_] })] };
    my $steal  = [{ cause => 'steal', level => 'note', value => 0.02 }];
    my @vague  = (
        'without CPU times'           => made_pass(used => undef),
        'without a clock'             => $mhz->(undef),
        'with a clock that is apart'  => $mhz->(2200),
        'in which the host took time' => made_pass(tags => $steal),
    );
    my @good = map { made_pass() } 1 .. 3;
    is_deeply($cycles->(@good), [(2e6) x 3], 'of each pass');
    while (my ($what, $pass) = splice @vague, 0, 2) {
        is_deeply($cycles->(@good, $pass), [(2e6) x 3, undef], "not of a pass $what");
    }
    is(work(@good)->{cycles}{value}, 2e6,   'their mean');
    is(work(@good[0, 1])->{cycles},  undef, 'not of two passes');
    is(work(@good, (map { $mhz->(2200) } 1 .. 2), map { made_pass(tags => $steal) } 1 .. 2)->{cycles},
        undef, 'not of a few');
    is_deeply($cycles->((map { $mhz->(2000) } 1 .. 3), $mhz->(2080)), [(2e6) x 3, 2.08e6],
        'clocks may differ a little');
};

subtest 'what is unknown' => sub {
    my %no_used = map { $_ => undef } qw(user_s kernel_s minor_faults major_faults clock_mhz);
    is(work(made_pass(used => undef, copies => [{ elapsed_s => 2 }])), undef, 'an old result: everything');
    my $alone = work(made_pass(used => \%no_used));
    is_deeply([@$alone{qw(cpu cpu_s user clock_mhz)}], [(undef) x 4],  'without CPU times');
    is_deeply($alone->{per_loop}, { switches => 0.5, forced => 0.01 }, 'counts that are known remain');
    my $no_clock = work(made_pass(), made_pass(used => { %{ made_pass()->{used} }, clock_mhz => undef }));
    is($no_clock->{clock_mhz},     undef, 'a pass without a clock: the clock');
    is($no_clock->{errors}{clock}, undef, 'and its error');
    my $many =
        work(made_pass(copies => [{ elapsed_s => 2 }, { elapsed_s => 2, used => { ran_s => 1, waited_s => 0 } }]));
    is($many->{waited}, undef, 'not of each copy: how long it waited');
    is_deeply($many->{per_loop}, { faults => 2 }, 'and its switches');
    my $idle = work(
        made_pass(used => { %{ made_pass()->{used} }, user_s => 0, kernel_s => 0 }),
        made_pass(used => { %{ made_pass()->{used} }, user_s => 0, kernel_s => 0 })
    );
    is($idle->{user}, undef, 'no tick of CPU time: the part of user mode');
};

subtest 'several runs together' => sub {
    my @works = map { work(made_pass(count => $_)) } 2000, 4000;
    my $both  = UnixBench::Score::Work::together(@works);
    is($both->{rate},                               750,       'the mean rate');
    is($both->{per_loop}{faults},                   1.5,       'the mean counts of a loop');
    is($both->{errors}{df},                         1,         'errors between the runs');
    is(UnixBench::Score::Work::together($works[0]), $works[0], 'one run is itself');
};

done_testing;
