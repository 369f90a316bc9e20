use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use RecordedCalls qw(found named recorded seconds traces);
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::Observe::BpftraceOutput;
use UnixBench::Observe::Strace;
use UnixBench::Observe::Syscalls;
use UnixBench::Observe::Values;

my @WARNINGS;
local $SIG{__WARN__} = sub { push @WARNINGS, @_ };

# Takes a timebase, and { count, LOOPS, ... } that each copy reported; returns an observed short pass.
sub slice {
    my ($timebase, @data) = @_;
    my %pass = (count => 1000, time_s => 2, timebase => $timebase, unit => 'lps');
    return { %pass, copies => [map { _copy(%$_) } @data] };
}

sub _copy {
    my (%reported) = @_;
    my $count = delete $reported{count};
    return { count => $count, data => { map { $_ => [$reported{$_}] } keys %reported } };
}

sub made {
    my ($slice, %with) = @_;
    my $traced = { calls => [found('read', 10, 10, 100, 20)], processes => 1, lost => 0 };
    my %facts  = (tracer => 'bpftrace', command => [qw(pgms/syscall 2 mix)], score => 1250, traced => $traced);
    return UnixBench::Observe::Syscalls::of_pass(%facts, pass => $slice, %with);
}

sub of_test { my ($observed) = @_; return UnixBench::Observe::Values::of_test({ observed => $observed }) }

# Takes the name of a recording and a number of loops; returns what a result keeps of it.
sub kept {
    my ($name, $loops) = @_;
    my %with   = (name_of => \&named, wall_s_of => \&seconds);
    my $traced = UnixBench::Observe::BpftraceOutput::sums(recorded("$name.json"), %with);
    return made(slice(1, { count => $loops }), traced => $traced);
}

sub texts {
    my ($form, @calls) = @_;
    return [map { my $call = $_; sprintf $form, $call->{name}, $call->{per_loop} } @calls];
}

subtest 'a result keeps these values of an observed pass' => sub {
    my $slice = slice(1, { count => 1000 });
    is_deeply(
        made($slice),
        {
            tracer    => 'bpftrace',
            command   => [qw(pgms/syscall 2 mix)],
            count     => 1000,
            time_s    => 2,
            timebase  => 1,
            unit      => 'lps',
            loops     => 1000,
            slowdown  => 2.5,
            processes => 1,
            lost      => 0,
            calls     => [found('read', 10, 10, 100, 20)],
        },
        'values of a short pass'
    );
    my @calls = map { found(@$_) } ['b', 1, 1, 5], ['a', 1, 1, 5], ['c', 2, 2, 5], ['d', 1, 1, 9];
    my $kept  = made($slice, traced => { calls => \@calls, rows => [], unlisted => { processes => 1, count => 2 } });
    is_deeply([map { $_->{name} } @{ $kept->{calls} }], [qw(d c a b)],
        'calls are in the order of time, count and name');
    is_deeply([@$kept{qw(rows unlisted)}], [[], { processes => 1, count => 2 }], 'rows are kept if there are any');
    is(made($slice, score => undef)->{slowdown}, undef, 'without a score there is no slowdown');
    is(made(slice(0, {}))->{slowdown},           1.25,  'slowdown of a rate');
    is(made($slice, score => 1e-40)->{slowdown}, undef, 'an absurd slowdown is left out');
};

my @LOOPS = (
    ['reported by the copies',    [1, { count => 5, LOOPS => 70 }, { count => 5, LOOPS => 71 }], 141],
    ['counted by the copies',     [60, { count => 5 }, { count => 6 }],                          11],
    ['reported by one copy',      [1, { count => 5, LOOPS => 70 }, { count => 6 }],              11],
    ['a rate has none',           [0, { count => 5 }],                  undef],
    ['a rate with a report',      [0, { count => 5, LOOPS => 70 }],     70],
    ['a rate, wrong report',      [0, { count => 5, LOOPS => 'many' }], undef],
    ['a count, wrong report',     [1, { count => 5, LOOPS => '-1' }],   5],
    ['a count with a fraction',   [1, { count => 5.5 }],                undef],
    ['a count that is too large', [1, { count => '1' . '0' x 16 }],     undef],
    ['no copies',                 [1], undef],
);
for my $case (@LOOPS) {
    my ($what, $slice, $loops) = @$case;
    is(made(slice(@$slice))->{loops}, $loops, "loops: $what");
}

subtest 'a test without an observed pass' => sub {
    is(UnixBench::Observe::Values::of_test({}), undef, 'a test without an observed pass has no data');
    my $known = of_test({ tracer => 'bpftrace', command => ['x'], error => 'it ended' });
    is_deeply(
        [@$known{qw(tracer error calls main others loops)}],
        ['bpftrace', 'it ended', [], [], undef, undef],
        'a failed observation has its reason'
    );
};

subtest 'the calls of syscall mix' => sub {
    my $known = of_test(kept('syscall-mix', 1000));
    my @main  = @{ $known->{main} };
    is_deeply(
        texts('%s %.3f', @main),
        ['dup 1.002', 'close 1.004', 'getpid 1.000', 'getuid 1.000', 'umask 1.002'],
        'with few loops, the calls of start and end are added'
    );
    is(scalar @main, 5, 'calls of start and end are not listed with the loop');
    my $others = $known->{others};
    is_deeply([@$others{qw(calls count is_beside)}], [18, 31, 1], 'the other calls are counted');
    my $share = 0;
    $share += $_->{share} for $others, @{ $known->{main} };
    cmp_ok(abs($share - 1), '<', 1e-12, 'all shares of the time add up to 1');

    my ($dup) = @{ $known->{main} };
    is_deeply(
        [@$dup{qw(count max_ns)}, sprintf('%.3f', $dup->{mean_ns})],
        [1002, 170, '109.052'],
        'a call has count, maximum and mean'
    );
    is_deeply(
        $dup->{delays},
        [{ from => 64, to => 128, count => 985 }, { from => 128, to => 256, count => 17 }],
        'a call has its delays'
    );
    my ($exit) = grep { $_->{name} eq 'exit_group' } @{ $known->{calls} };
    is_deeply([@$exit{qw(count mean_ns max_ns share)}], [1, undef, undef, 0], 'a call that never returns has no times');
};

subtest 'a loop may have many calls' => sub {
    my @calls = map { found("call$_", 10, 10, 100 - $_) } 10 .. 24;
    my $known = of_test(made(slice(1, { count => 10 }), traced => { calls => \@calls }));
    is_deeply([map { $_->{name} } @{ $known->{main} }], [map { "call$_" } 10 .. 21], 'twelve calls are listed');
    is_deeply([@{ $known->{others} }{qw(calls count is_beside)}], [3, 30, 0],
        'the other calls belong to the loop, too');
};

subtest 'without a number of loops, calls are listed by their time' => sub {
    my $observed =
        made(slice(0, {}), traced => { calls => [found('a', 1, 1, 990), found('b', 9, 9, 9), found('c', 1, 1, 1)] });
    my $known = of_test($observed);
    is_deeply([map { $_->{per_loop} } @{ $known->{calls} }], [undef, undef, undef], 'no call is divided by loops');
    is_deeply([map { $_->{name} } @{ $known->{main} }],      ['a'], 'a call with a hundredth of the time is listed');
    is_deeply(
        $known->{others},
        { calls => 2, count => 10, share => 0.01, is_beside => 1 },
        'the other calls are counted'
    );
    my $idle = of_test(made(slice(0, {}), traced => { calls => [found('a', 1, 0, 0)] }));
    is_deeply([map { $_->{share} } @{ $idle->{calls} }], [0], 'a call that took no time has a share of 0');
    is(of_test({ %$observed, loops => 0 })->{calls}[0]{per_loop}, undef, 'no call is divided by 0 loops');
};

subtest 'a known program has known calls in each loop' => sub {
    my %per_loop = map { $_->{name} => $_->{per_loop} } @{ of_test(kept('syscall-mix', 1000))->{calls} };
    is_deeply([@per_loop{qw(dup getpid exit_group)}], [1.002, 1, 0.001], 'calls of syscall mix');
};

subtest 'a result may hold the values that are kept' => sub {
    my $strace =
        made(slice(1, { count => 4 }), traced => UnixBench::Observe::Strace::of_traces(traces()));
    my $summary = made(slice(0, {}), traced => UnixBench::Observe::Strace::sums(recorded('strace-summary.txt')));
    my @kept    = ($strace, $summary, map { kept($_, 300) } qw(syscall-mix two-copies-rows));
    is(UnixBench::Base::Shape::difference($_, UnixBench::Base::ResultSchema::shape('observed')),
        undef, 'the values have the right shape')
        for @kept;
    is(of_test($strace)->{main}[0]{name}, 'wait4', 'the first call of a trace by strace');
};

subtest 'a tally adds up calls' => sub {
    my $tally = UnixBench::Observe::Syscalls->new;
    is_deeply([$tally->calls], [], 'an empty tally has no calls');
    is_deeply(
        $tally->sum,
        { count => 0, returned => 0, total_ns => 0, max_ns => undef },
        'an empty tally has a sum of 0'
    );
    $tally->add('read',  count => 2, returned => 2, total_ns => 7, max_ns => 4, delays => { 2 => 1, 4 => 1, 8 => 0 });
    $tally->add('read',  count => 1);
    $tally->add('read',  count => 1, returned => 1, total_ns => 2, max_ns => 2, delays => { 2 => 1 });
    $tally->add('write', count => 4, returned => 4, total_ns => 1);
    my @calls = (found('read', 4, 3, 9, 4, [2, 2], [4, 1]), found('write', 4, 4, 1, undef));
    is_deeply([$tally->calls],  \@calls, 'calls of the same name are added');
    is_deeply($tally->sum,      { count => 8, returned => 7, total_ns => 10, max_ns => 4 }, 'the sum of all calls');
    is_deeply([$tally->top(1)], [{ name => 'read', count => 4 }], 'calls with equal counts are in the order of names');
    is_deeply([map { $_->{name} } $tally->top(3)], [qw(read write)], 'top returns no more calls than there are');
};

subtest 'rows returns 100 processes at most' => sub {
    my $tally = UnixBench::Observe::Syscalls->new;
    $tally->add('read', count => 1);
    my @processes = map { +{ at => 5, pid => $_, tally => $tally, max_ns => undef } } reverse 1 .. 101;
    my $listed    = UnixBench::Observe::Syscalls::rows(\@processes, { processes => 101, count => 101 });
    is_deeply(
        [map { $_->{pid} } @{ $listed->{rows} }],
        [1 .. 100],
        'processes that started together are in the order of their numbers'
    );
    is_deeply($listed->{unlisted}, { processes => 1, count => 1 }, 'one process has no row');
    $listed = UnixBench::Observe::Syscalls::rows(\@processes, { processes => 7, count => 200 });
    is_deeply(
        $listed->{unlisted},
        { processes => 0, count => 100 },
        'the number of processes without a row is not negative'
    );
};

is_deeply(\@WARNINGS, [], 'Perl prints no warning');

done_testing;
