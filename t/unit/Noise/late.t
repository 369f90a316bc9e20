# How late passes were: the time beyond the seconds that were asked for and the time of a loop, and the time for which
# copies stood still meanwhile.

use strict;
use warnings;

use Test::More;

use UnixBench::Catalog;
use UnixBench::Noise::Disturbances;
use UnixBench::Noise::Late;
use UnixBench::Plan;

# A test that was asked to take ten seconds.
my %ASKED = (seconds => 10, of => 'elapsed_s', loops_at_once => 1, is_alone => 1);

sub copy { return { pid => 7, count => 1000, timebase => 1, elapsed_s => 10, time_s => 10, data => {}, @_ } }

my %LOOPS     = (data         => { LOOPS           => [100] });
my %ALIKE     = (data         => { 'response.all.' => [99, 0.01, 0.01, 0.02, 0.03, 0.05, 0.15] });
my %DELAYED   = (data         => { 'response.all.' => [99, 0.01, 0.01, 0.02, 0.03, 0.05, 5] });
my %LATE_USER = (data         => { %{ $ALIKE{data} }, 'load.late_s' => ['3.0'] });
my %ODD_USER  = (data         => { %{ $ALIKE{data} }, 'load.late_s' => ['nan'] });
my %SOME      = (own_delay_us => 1e6, throttled_us => 1e6, steal_ticks => 50);

# [name, differences of what was asked for, differences of the copies, seconds and PID of the latest].
#<<< a table
my @CASES = (
    ['in time',                              {}, [{}],                                        0,    undef],
    ['too early',                            {}, [{ elapsed_s => 9 }],                        0,    undef],
    ['late by less than a loop',             {}, [{ elapsed_s => 10.005 }],                   0,    undef],
    ['the time of a loop does not count',    {}, [{ elapsed_s => 12, count => 10 }],          1,    7],
    ['a single loop is never late',          {}, [{ elapsed_s => 99, time_s => 99, count => 1 }], 0, undef],
    ['the latest of two copies',             {}, [{ elapsed_s => 11 }, { elapsed_s => 12, pid => 8 }], 1.99, 8],
    ['a rate with a number of loops',        {}, [{ elapsed_s => 12, timebase => 0, %LOOPS }], 1.9, 7],
    ['a rate without one',                   {}, [{ elapsed_s => 12, timebase => 0 }],        2,    7],
    ['a look at the time after many loops',  { loops_at_once => 100 }, [{ elapsed_s => 12 }], 1,    7],
    ['the work took its seconds',            { of => 'time_s' }, [{ elapsed_s => 25 }],       0,    undef],
    ['the work took longer',                 { of => 'time_s' }, [{ time_s => 20.02 }],       10,   7],
    ['a copy that failed',                   {}, [{ elapsed_s => 99 }, { error => 'killed' }], undef, undef],
    ['all answers are alike',                { of => 'answers' }, [{ elapsed_s => 25, %ALIKE }], 0, undef],
    ['one answer took far longer',           { of => 'answers' }, [{ elapsed_s => 25, %DELAYED }], 4.85, 7],
    ['a user began a line too late',         { of => 'answers' }, [{ elapsed_s => 25, %LATE_USER }], 3, 7],
    ['that is not a number',                 { of => 'answers' }, [{ elapsed_s => 25, %ODD_USER }], 0, undef],
    ['no answers are known',                 { of => 'answers' }, [{ elapsed_s => 25 }],      0,    undef],
    ['no copy',                              {}, [],                                          undef, undef],
);
#>>>
for my $case (@CASES) {
    my ($what, $asked, $copies, $late_s, $pid) = @$case;
    my @seen = UnixBench::Noise::Late::latest({ %ASKED, %$asked }, [map { copy(%$_) } @$copies]);
    is(defined $seen[0] ? sprintf('%.4g', $seen[0]) : undef, $late_s, "$what: seconds");
    is($seen[1],                                             $pid,    "$what: process");
}
is_deeply([UnixBench::Noise::Late::latest(undef, [copy(elapsed_s => 99)])], [], 'never, if it takes its own time');

# [seconds that were asked for, seconds of lateness, whether the pass is marked].
for my $case ([10, 0.49, 0], [10, 0.5, 1], [1, 0.09, 0], [1, 0.1, 1], [60, 2.9, 0], [60, 3.1, 1], [10, 0, 0]) {
    my ($asked_s, $late_s, $is_marked) = @$case;
    my %seen  = (before => {}, after => {}, cpus => {}, asked_s => $asked_s, late_s => $late_s);
    my @found = map { "$_->{cause} $_->{level} $_->{value}" } UnixBench::Noise::Disturbances::found(\%seen);
    is("@found", $is_marked ? "late disturbed $late_s" : q{}, "$late_s s late after $asked_s s");
}

# [name, seconds asked for, seconds of lateness, growth of the counters, seconds for which the copy waited, whether it
# has children, whether the pass is too late].
#<<< a table
my @TOO_LATE = (
    ['half of its seconds',               10, 5,    {},                          0,     0, 0],
    ['more than that',                    10, 5.1,  {},                          0,     0, 1],
    ['half of a short pass',              1,  0.9,  {},                          0,     0, 0],
    ['more than a second',                1,  1.1,  {},                          0,     0, 1],
    ['waiting for a CPU explains half',   10, 6,    {},                          3,     0, 0],
    ['it explains less',                  10, 6,    {},                          2.9,   0, 1],
    ['a quota explains half',             10, 6,    { throttled_us => 3e6 },     0,     0, 0],
    ['steal explains half',               10, 6,    { steal_ticks  => 300 },     0,     0, 0],
    ['steal of two CPUs explains half',   10, 6,    { steal_ticks  => 600, cpus => 0 }, 0, 0, 0],
    ['steal of two CPUs explains less',   10, 6,    { steal_ticks  => 590, cpus => 0 }, 0, 0, 1],
    ['this program waited, too',          10, 6,    { own_delay_us => 3e6 },     0,     0, 0],
    ['all of them together',              10, 6,    \%SOME, 0.5, 0, 0],
    ['a wait of others explains nothing', 10, 6,    { waited_us    => 9e6 },     0,     0, 1],
    ['unless the copy has children',      10, 6,    { waited_us    => 9e6 },     0,     1, 0],
    ['or its wait is unknown',            10, 6,    { waited_us    => 9e6 },     undef, 0, 0],
    ['without pressure, the mean wait',   10, 6,    { run_delay_us => 6e6 },     undef, 0, 0],
    ['a mean wait that is too short',     10, 6,    { run_delay_us => 5e6 },     undef, 0, 1],
    ['nothing is known',                  10, 6,    {},                          undef, 1, 1],
);
#>>>
for my $case (@TOO_LATE) {
    my ($what, $asked_s, $late_s, $grown, $waited_s, $has_children, $is_too_late) = @$case;
    my %asked = (%ASKED, seconds => $asked_s, is_alone => !$has_children);
    my %seen  = (before => { map { $_ => 5 } keys %$grown }, late_s => $late_s, copies => 2);
    $seen{after} = { map { $_ => 5 + $grown->{$_} } keys %$grown };
    is(UnixBench::Noise::Late::is_too_late(\%asked, \%seen, $waited_s), $is_too_late, "too late: $what");
}
is(UnixBench::Noise::Late::is_too_late(undef, { late_s => undef }), 0, 'never too late, if it takes its own time');

# [name, differences of what was asked for, what the copies used as [ran_s, waited_s], growth of the counters, for how
# long a copy stood still]. Each copy took ten seconds.
#<<< a table
my @STILL = (
    ['it worked all the time',            {}, [[10, 0]],            {},                      0],
    ['it ran before its pass, too',       {}, [[10.1, 0]],          {},                      0],
    ['it stood still',                    {}, [[8, 0]],             {},                      2],
    ['it waited for a CPU',               {}, [[8, 2]],             {},                      0],
    ['it did both',                       {}, [[7, 2]],             {},                      1],
    ['its CPU belonged to others',        {}, [[8, 0]],             { steal_ticks => 50 },   1.5],
    ['a quota stopped it',                {}, [[8, 0]],             { throttled_us => 2e6 }, 0],
    ['this program waited, too',          {}, [[8, 0]],             { own_delay_us => 1e6 }, 1],
    ['others waited',                     {}, [[8, 0]],             { waited_us => 9e6 },    2],
    ['one of two copies',                 {}, [[10, 0], [8, 0]], {},                      2],
    ['it is unknown of one copy',         {}, [[10, 0], undef],        {},                      0],
    ['it is unknown',                     {}, [undef],                 {},                      undef],
    ['it has children',                   { is_alone => 0 }, [[8, 0]], {},                   undef],
    ['no copy',                           {}, [],                      {},                      undef],
);
#>>>
for my $case (@STILL) {
    my ($what, $asked, $given, $grown, $still_s) = @$case;
    my %seen = (before => { map { $_ => 5 } keys %$grown });
    $seen{after} = { map { $_ => 5 + $grown->{$_} } keys %$grown };
    my @copies = map { copy(used => $_ && { ran_s => $_->[0], waited_s => $_->[1] }) } @$given;
    my $found  = UnixBench::Noise::Late::still_s({ %ASKED, %$asked }, \@copies, \%seen);
    is(defined $found ? sprintf('%.4g', $found) : undef, $still_s, "stood still: $what");
}
is(UnixBench::Noise::Late::still_s(undef,   [copy()], {}), undef, 'a test that takes its own time may sleep');
is(UnixBench::Noise::Late::still_s(\%ASKED, [copy(error => 'killed')], {}), undef, 'a copy that failed may sleep');

subtest 'each test of the catalog has a duration, or takes its own time' => sub {
    my %wish = (words => { bindir => '/b' }, factor => 1, is_there => sub { 1 });
    my %own;
    for my $test (grep { $_->{category} =~ /\A(?:system|2d|3d|misc)\z/ } UnixBench::Catalog::tests()) {
        my $asked = UnixBench::Plan::Test::planned($test, \%wish)->{asked};
        $own{ $test->{name} } = 1 if UnixBench::Noise::Late::takes_own_time($asked);
        next if $own{ $test->{name} };
        is($asked->{seconds}, $test->{seconds}, "$test->{name}: the official seconds");
        my $is_part = $test->{name} =~ /\A(?:fs|context1|ubgears)/;
        is($asked->{of},            $is_part ? 'time_s' : 'elapsed_s',       "$test->{name}: what takes them");
        is($asked->{loops_at_once}, $test->{name} =~ /\Afs\w+-w/ ? 2000 : 1, "$test->{name}: blocks, or loops");
    }
    my @own = grep { !/\A2d-/ } sort keys %own;
    is("@own", 'whetstone-double', 'tests that take their own time');
};

done_testing;
