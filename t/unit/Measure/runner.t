use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use FakeProcess;
use Fixture qw(counted);
use UnixBench::Measure::Runner;

my @EVENTS;

# Takes name => outcomes of its passes in turn: a count, or a function that returns copies. Makes an official run;
# returns the runs and the process.
sub run {
    my ($outcomes, %with) = @_;
    my $process = FakeProcess->new;
    my %turn;
    @EVENTS = ();
    my $runner = UnixBench::Measure::Runner->new(
        process   => $process,
        clock     => $process,
        cpu_count => 3,
        one_pass  => sub {
            my ($test, $copies) = @_;
            my $outcome = $outcomes->{ $test->{name} }[$turn{ $test->{name} }++ % @{ $outcomes->{ $test->{name} } }];
            return ref $outcome eq 'CODE' ? $outcome->($process, $copies) : (copy($outcome)) x $copies;
        },
        on => {
            run_started  => sub { push @EVENTS, "run $_[0]{copies}" },
            test_started => sub { push @EVENTS, "start $_[0]{name}" },
            pass_done    => sub { push @EVENTS, "pass $_[0]{number} of $_[1]{name} as $_[2]{copies}" },
            test_done    => sub { push @EVENTS, "$_[0]{status} $_[0]{name}" },
            run_done     => sub { push @EVENTS, "done $_[0]{copies}" },
            %{ $with{on} || {} },
        },
    );
    my @names = $with{names} ? @{ $with{names} } : sort keys %$outcomes;
    my @tests = map { planned($_, $with{test} ? %{ $with{test} } : ()) } @names;
    my %plan  = (copies => $with{copies} || [1], settle_s => [1, 2], states => [{}], tests => \@tests);
    my @runs  = $runner->run(\%plan, $with{kept});
    return (\@runs, $process);
}

sub planned {
    my ($name, %with) = @_;
    return {
        name          => $name,
        title         => uc $name,
        category      => 'system',
        lane          => $name,
        state         => 0,
        command       => ["/b/$name"],
        passes_wanted => 3,
        %with
    };
}

sub copy { my ($count) = @_; return { elapsed_s => 2, counted($count, 1, 'lps', 2) } }

sub failed { my ($error) = @_; return { elapsed_s => 1, error => $error, data => { ERROR => [$error] } } }

subtest 'an official run measures all tests' => sub {
    my ($runs, $process) = run({ a => [10, 30, 20], b => [5] }, copies => [1, 2]);
    is_deeply([map { $_->{copies} } @$runs], [1, 2], 'there is a run for each number of copies');
    my ($test) = @{ $runs->[0]{tests} };
    is_deeply(
        [@$test{qw(name title status score unit samples)}],
        ['a', 'A', 'measured', sqrt(15 * 10), 'lps', 2],
        'a test has these values'
    ) or diag explain $test;
    is_deeply($test->{dropped},                           [10],         'a test has the passes that were dropped');
    is_deeply([map { $_->{count} } @{ $test->{passes} }], [10, 30, 20], 'a test has its passes');
    is_deeply(
        [map { $_->{count} } @{ $runs->[1]{tests}[0]{passes} }],
        [20, 60, 40],
        'the counts of two copies are added'
    );
    is($runs->[0]{cpu_count}, 3, 'a run has the number of CPUs');
    cmp_ok($runs->[0]{started}, '<',  $runs->[0]{ended},   'a run ends after its start');
    cmp_ok($runs->[0]{ended},   '<=', $runs->[1]{started}, 'a run starts after the end of the run before');
    my @once = (
        'run 1',
        map {
            my $t = $_;
            ("start $t", (map { "pass $_ of $t as 1" } 1 .. 3), "measured $t")
        } qw(a b)
    );
    push @once, 'done 1';
    is_deeply(\@EVENTS, [@once, map { s/ 1\z/ 2/r } @once], 'events are reported in order');
    is_deeply(
        [@{ $process->{done} }[0 .. 4]],
        ['sync', 'pause 1', 'sync', 'pause 2', 'sync'],
        'disks are flushed before each pass'
    );
    is(scalar @{ $process->{done} }, 4 * 12, 'disks are flushed at no other time');
};

subtest 'a pass that fails ends its test' => sub {
    my $second = sub { return (copy(1), failed('killed by SIGSEGV'), failed('no COUNT line')) };
    my ($runs) = run({ a => [7, $second], b => [5] }, copies => [3]);
    my ($failed, $next) = @{ $runs->[0]{tests} };
    is($failed->{status}, 'failed',                             'the test has failed');
    is($failed->{reason}, 'killed by SIGSEGV (pass 2, copy 2)', 'the reason names the first copy that failed');
    is(scalar @{ $failed->{passes} },            2,             'the test has no further pass');
    is($failed->{passes}[0]{count},              21,            'the pass before is kept');
    is(scalar @{ $failed->{passes}[1]{copies} }, 3,             'the copies of the failed pass are kept');
    is($failed->{score},                         undef,         'there is no score');
    is($next->{status},                          'measured',    'the next test is measured');
    my ($first) = run({ a => [sub { failed('x') }] });
    is($first->[0]{tests}[0]{reason}, 'x (pass 1, copy 1)', 'the reason names the first pass');
};

subtest "a pass that can't be started ends its test" => sub {
    my ($runs) = run({ a => [sub { die "can't start a process: too many\n" }], b => [5] });
    my ($failed, $next) = @{ $runs->[0]{tests} };
    is($failed->{status}, 'failed',                                    'the test has failed');
    is($failed->{reason}, q{can't start a process: too many (pass 1)}, 'the reason is given');
    is($next->{status},   'measured',                                  'the next test is measured');
};

subtest 'an interruption ends the run' => sub {
    my $interrupt = sub { my ($process, $copies) = @_; $process->interrupt; return (failed('out of time')) x $copies };
    my ($runs) = run({ a => [5], b => [5, $interrupt], c => [5] }, copies => [1, 2]);
    is(scalar @$runs, 1, 'there is no further run');
    my ($before, $under_way, @later) = @{ $runs->[0]{tests} };
    is($before->{status}, 'measured', 'a test before the interruption is measured');
    is_deeply(
        [@$under_way{qw(status reason)}],
        ['interrupted', 'interrupted after 1 of 3 passes'],
        'the test under way is interrupted'
    );
    is(scalar @{ $under_way->{passes} }, 1, 'the finished pass of the test under way is kept');
    is_deeply(\@later, [], 'there is no later test');
    is($EVENTS[-1], 'interrupted b', 'the interruption is reported');
    ok(defined $runs->[0]{ended}, 'the run has an end');
    my ($one) = run({ a => [$interrupt] }, test => { passes_wanted => 1 });
    is($one->[0]{tests}[0]{reason}, 'interrupted after 0 of 1 pass', 'the reason for a single pass');
    my $is_started = 0;
    my ($pausing) = run({ a => [sub { $is_started++; copy(1) }] },
        on => { test_started => sub { $FakeProcess::INTERRUPT_AT = 1 } });
    is_deeply(
        [$is_started, $pausing->[0]{tests}[0]{status}],
        [0,           'interrupted'],
        'nothing is started after an interruption in a pause'
    );
};

subtest 'a pass that was stopped is repeated' => sub {
    my $stop   = sub { my ($process, $copies) = @_; $process->stop; return (copy(99)) x $copies };
    my ($runs) = run({ a => [5, $stop, $stop, 6, 7] });
    my ($test) = @{ $runs->[0]{tests} };
    is_deeply([map { $_->{count} } @{ $test->{passes} }],  [5, 6, 7], 'the stopped passes do not count');
    is_deeply([map { $_->{number} } @{ $test->{passes} }], [1, 2, 3], 'the repeated pass has the same number');
    is_deeply([grep { /pass 2/ } @EVENTS],                 ['pass 2 of a as 1'], 'the pass is reported once');
    my $tries = 0;
    ($runs) = run({ a => [sub { $tries++; $stop->(@_) }] });
    ($test) = @{ $runs->[0]{tests} };
    is($tries, 10, 'there are ten tries');
    is(
        $test->{reason},
        'it was stopped, frozen or suspended in each of 10 tries (pass 1)',
        'a stop in each try is an error, which gives their number'
    );
};

# Takes a number and a count; returns a pass as a journal has it.
sub kept {
    my ($number, $count) = @_;
    return { number => $number, count => $count, time_s => 2, timebase => 1, unit => 'lps' };
}

subtest 'a resumed run continues after its kept passes' => sub {
    my %failed = (number => 2, copies => [failed('x')], error => 'x', where => 'pass 2, copy 1');
    my @kept   = (
        { started => 5,  ended  => 9, passes => { a => [map { kept($_, $_) } 1 .. 3], b => [kept(1, 4), \%failed] } },
        { started => 10, passes => { a => [kept(1, 30), kept(2, 20)] } },
    );
    my ($runs) = run({ a => [10], b => [7] }, copies => [1, 2], kept => \@kept);
    is_deeply(
        [map { $_->{count} } map { @{ $_->{tests}[0]{passes} } } @$runs],
        [1, 2, 3, 30, 20, 20],
        'kept passes are used'
    );
    is_deeply([@{ $runs->[0] }{qw(started ended)}], [5, 9], 'a run that had ended keeps its times');
    is($runs->[1]{started}, 10, 'a run under way keeps its start');
    cmp_ok($runs->[1]{ended}, '>', 10, 'a run under way ends now');
    is_deeply(
        [map { $_->{status} } map { @{ $_->{tests} } } @$runs],
        [qw(measured failed measured measured)],
        'a test that failed is not tried again'
    );
    is($runs->[0]{tests}[1]{reason}, 'x (pass 2, copy 1)', 'the failed test keeps its reason');
    is_deeply(
        \@EVENTS,
        [
            'run 1',
            'start a',
            (map { "pass $_ of a as 1" } 1 .. 3),
            'measured a',
            'start b',
            'pass 1 of b as 1',
            'pass 2 of b as 1',
            'failed b',
            'done 1',
            'run 2',
            'start a',
            (map { "pass $_ of a as 2" } 1 .. 3),
            'measured a',
            'start b',
            (map { "pass $_ of b as 2" } 1 .. 3),
            'measured b',
            'done 2'
        ],
        'all passes are reported as if they were made now'
    ) or diag explain \@EVENTS;
    my ($at_once) =
        run({ a => [sub { $_[0]->interrupt; copy(1) }] }, kept => [{ started => 1, passes => { a => [kept(1, 1)] } }]);
    is($at_once->[0]{tests}[0]{reason}, 'interrupted after 1 of 3 passes', 'a resumed run may be interrupted again');
};

subtest 'a skipped test has no pass' => sub {
    my ($runs) = run({ a => [5] }, copies => [1, 2], test => { copies_max => 1, kind => 'graphics' });
    is_deeply([map { $_->{tests}[0]{status} } @$runs],
        [qw(measured skipped)], 'a graphics test is skipped with two copies');
    is($runs->[1]{tests}[0]{reason}, 'skipped: graphics tests run as one copy', 'the reason is given');
    ($runs) = run({ a => [5] }, test => { skipped => 'skipped: no display' });
    is_deeply(
        [@{ $runs->[0]{tests}[0] }{qw(status reason)}],
        ['skipped', 'skipped: no display'],
        'a test may be skipped by the plan'
    );
    is_deeply(\@EVENTS, ['run 1', 'start a', 'skipped a', 'done 1'], 'no pass is made');
};

subtest 'a time of day that was set back before the run was resumed' => sub {
    my $now = FakeProcess->new->wall_s;
    my $set = sub {
        my ($run) = @{ (run({ a => [1] }, kept => [{ passes => {}, @_ }]))[0] };
        return $run->{clock_set_s};
    };
    is($set->(started => $now - 100), undef, 'it was not');
    is($set->(started => $now + 1e6), -1e6,  'the run begins before it began');
    my $pass = { number => 1, began => $now + 3600, copies => [copy(1)], counted(1, 1, 'lps', 2) };
    is($set->(started => $now - 100, passes => { a => [$pass] }), -3600, 'a pass of it began later than now');
};

subtest 'the end of a run' => sub {
    my $ended = sub {
        my ($started, $end, $set_s) = @_;
        my %run = (started => $started);
        UnixBench::Measure::Run::end_at(\%run, $end, $set_s);
        return [@run{qw(ended clock_set_s)}];
    };
    is_deeply($ended->(1000, 1600, 0.01),  [1600, undef], 'a clock that was not set');
    is_deeply($ended->(1000, 1600, -3600), [1600, -3600], 'one that was set');
    is_deeply($ended->(9000, 1600, 0),     [1600, -7400], 'a run that ends before it began');
    is_deeply($ended->(9000, 1600, 10),    [1600, -7400], 'also if the clock was set by a little in between');
};

done_testing();
