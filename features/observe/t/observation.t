# What a result keeps of an observed pass, and the values that reports show of it.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use UnixBench::Observe::Observation;
use UnixBench::Observe::Strace;
use UnixBench::Observe::Values;

# Takes the name and numbers of a call, which always returned.
sub call {
    my ($name, $count, $total_ns) = @_;
    return { name => $name, count => $count, returned => $count, total_ns => $total_ns, max_ns => 9 };
}

# Takes a timebase, and [{ count, LOOPS }, ...] that the copies reported, and arguments that differ; returns the
# observation.
sub observation {
    my ($timebase, $copies, %with) = @_;
    my @copies = map { { count => $_->{count}, data => { LOOPS => [$_->{LOOPS} // ()] } } } @$copies;
    return UnixBench::Observe::Observation::of_pass(
        command => [qw(pgms/syscall 2 mix)],
        score   => 1250,
        traced  => { calls => [call('read', 10, 100)] },
        pass    => { count => 1000, time_s => 2, timebase => $timebase, copies => \@copies },
        %with
    );
}

is_deeply(
    observation(1, [{ count => 1000 }], traced => { calls => [call('read', 10, 100)], rows => [], processes => 1 }),
    {
        command   => [qw(pgms/syscall 2 mix)],
        loops     => 1000,
        slowdown  => 2.5,
        calls     => [call('read', 10, 100)],
        rows      => [],
        processes => 1
    },
    'all that a result keeps'
);
is(observation(1, [], score => undef)->{slowdown}, undef, 'without a score there is no slowdown');
is(observation(0, [{}])->{slowdown},               1.25,  'the slowdown of a rate');
is(observation(1, [], score => 1e-40)->{slowdown}, undef, 'an absurd slowdown is left out');

my @LOOPS = (
    ['reported by the copies',    1,  [{ count => 5, LOOPS => 70 }, { count => 5, LOOPS => 71 }], 141],
    ['counted by the copies',     60, [{ count => 5 }, { count => 6 }],                           11],
    ['a rate has none',           0,  [{ count => 5 }],                                           undef],
    ['a rate with a report',      0,  [{ count => 5, LOOPS => 70 }],                              70],
    ['a wrong report',            1,  [{ count => 5, LOOPS => '-1' }],                            5],
    ['a count that is too large', 1,  [{ count => '1' . '0' x 16 }],                              undef],
);
for my $case (@LOOPS) {
    my ($what, $timebase, $copies, $loops) = @$case;
    is(observation($timebase, $copies)->{loops}, $loops, "loops: $what");
}

# Takes calls and the number of loops, perhaps undef; returns what reports show of them.
sub shown {
    my ($loops, @calls) = @_;
    return UnixBench::Observe::Values::of_test({ observed => { loops => $loops, calls => \@calls } });
}

# Takes what reports show; returns the names of the calls in the loop.
sub main_of {
    my ($known) = @_;
    return join q{ }, map { $_->{name} } @{ $known->{main} };
}

subtest 'the calls of a loop are those of at least half of the loops' => sub {
    my $known = shown(100, call('a', 200, 4000), call('b', 50, 3000), call('c', 49, 3000));
    is(main_of($known), 'a b', 'the loop');
    is_deeply([@{ $known->{main}[0] }{qw(per_loop mean_ns share)}], [2, 20, 0.4], 'calls a loop, mean, share');
    is_deeply($known->{others}, { calls => 1, count => 49, share => 0.3 },        'the other calls in sum');
    my $many = shown(10, map { call("c$_", 10, 100 - $_) } 10 .. 24);
    is(main_of($many),         join(q{ }, map { "c$_" } 10 .. 21), 'twelve calls are listed');
    is($many->{others}{calls}, 3,                                  'the others belong to the loop, too');
    my $unknown = shown(undef, call('a', 1, 990), call('b', 9, 9), call('c', 1, 1));
    is(main_of($unknown),                               'a',   'without loops, a call needs a hundredth of the time');
    is($unknown->{main}[0]{per_loop},                   undef, 'and is not divided');
    is(shown(0, call('a', 1, 1))->{calls}[0]{per_loop}, undef, 'nor by 0 loops');
    my $never = { %{ call('exit_group', 1, 0) }, returned => 0, max_ns => undef };
    is_deeply([@{ shown(1, $never)->{calls}[0] }{qw(mean_ns share)}], [undef, 0], 'a call that never returned');
};

subtest 'at most 100 processes have a row' => sub {
    my $tally     = sub { return { read => { name => 'read', count => $_[0], returned => 0, total_ns => 0 } } };
    my @processes = map { { at => 5, pid => $_, tally => $tally->(1 + ($_ > 90)) } } reverse 1 .. 120;
    my $found     = UnixBench::Observe::Strace::rows(\@processes);
    is_deeply([map { $_->{pid} } @{ $found->{rows} }], [1 .. 70, 91 .. 120], 'those with the most calls');
    is_deeply([@$found{qw(processes unlisted)}], [120, { processes => 20, count => 20 }], 'the others are counted');
};

done_testing;
