use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../lib ../../../t/lib);
use Fixture                        qw(measured rendered result run);
use LoadedRun                      qw(eventually waited);
use Needs                          qw(path_of skip_without);
use Place                          qw(content);
use UnixBench::Base::JSON          ();
use UnixBench::Host::KernelFiles   ();

# ./Run cpus with fake programs, which take no time. The fake "place" binds nothing.

my ($FIRST, @OTHERS) = UnixBench::Host::KernelFiles::ids_of(UnixBench::Host::KernelFiles->new->allowed_cpus // q{});
skip_without(machine => 'two CPUs') if !@OTHERS;

# Returns a place for runs with fake programs; perhaps takes the program "place".
sub test_with {
    my ($place) = @_;
    my $test    = TestRun->new(programs => { taken => 'count' });
    my $path    = $test->write('tmp', 'place', $place // qq{#!/bin/sh\nshift 2\nexec "\$@"\n});
    chmod 0755, $path or die "chmod: $!\n";
    rename $path, $test->place('bin', 'place') or die "rename: $!\n";
    return $test;
}

my $TEST = test_with();

subtest 'a measurement' => sub {
    $TEST->write('results', 'old.json', rendered(json => result([run(1, measured('context1', 1, 5, 6))])));
    my $run = $TEST->run('cpus', '--markdown', $TEST->place('ticket'), '--export', 'csv:' . $TEST->place('table'));
    is($run->{status}, 0, 'exit status') or diag $run->{err};
    like($run->{err}, qr/\ARun: measuring the CPUs, for 12 to 70 seconds; .+\n\z/, 'it says how long it takes');
    like($run->{out}, qr/^$_ +\S/m, $_) for qw(Declared Measured Kinds Taken Switching Page Next);
    my ($page) = $run->{out} =~ /^Page +(\S+)$/m;
    like($page, qr/-cpus[.]html\z/, 'the page has its name');
    my ($json) = grep { /-cpus[.]json\z/ } $TEST->reports;
    my $data = UnixBench::Base::JSON::decode($TEST->text($json));
    is_deeply([sort keys %{ $data->{cpus} }], [qw(alone declared kinds own pairs places rounds taken worth)], 'JSON');
    is(scalar @{ $data->{cpus}{alone} }, 1 + @OTHERS, 'each CPU was measured') if @OTHERS < 16;
    like(content($TEST->place('ticket')), qr/^Measured /m,                       'Markdown');
    like(content($TEST->place('table')),  qr/,$_,\w*,[0-9.]+,[0-9.]+,[0-9.]+$/m, "CSV: $_")
        for 'times,dhry2reg',
        'switching,same CPU';
    is_deeply([$TEST->left], [], 'no scratch files are left');
    my $others = $TEST->run('history', $TEST->place('results'));
    unlike($others->{err} . $others->{out}, qr/-cpus[.]/, 'other commands do not read these files');
};

subtest '--no-identity' => sub {
    my $run  = test_with();
    my $out  = $run->run('cpus', '--no-identity', '--json', q{-});
    my $data = UnixBench::Base::JSON::decode($out->{out});
    is_deeply([@$data{qw(host format)}],                ['anonymous', 'unixbench-cpus'], 'the host has no name');
    is_deeply([grep { !/\Aanonymous-/ } $run->reports], [],                              'nor have the files');
};

subtest 'other tests' => sub {
    my ($page) = map { /(.+-cpus)[.]html\z/ ? "$1-02.html" : () } $TEST->reports;
    $TEST->write('results', $page, 'of a run');
    my $run  = $TEST->run(qw(cpus --tests pipe --json -));
    my $data = UnixBench::Base::JSON::decode($run->{out});
    is_deeply([map { $_->{name} } @{ $data->{cpus}{worth} }], ['pipe'], 'the test is chosen');
    ok(scalar(grep { /-cpus-03[.]html\z/ } $TEST->reports), 'a second measurement of the day has a name of its own');
    is($TEST->text($page), 'of a run', 'which is not that of a run');
    for my $names ('pipes', 'shell1', q{-x}, q{,}) {
        my $refused = $TEST->run('cpus', '--tests', $names);
        is($refused->{status}, 2, "$names: refused");
        like($refused->{err}, qr/\ARun: option --tests[: ].+\n\z/, "$names: in one line");
    }
    is($TEST->run(qw(cpus index))->{status},        2, 'it takes no arguments');
    is($TEST->run(qw(cpus --export lava:-))->{err}, "Run: option --export lava writes results, not a table\n", 'lava');
};

subtest 'one CPU' => sub {
    my $taskset = path_of('taskset') or skip_without(tool => 'taskset');
    my $run     = waited($TEST->started_by($taskset, '-c', $FIRST, $^X, "$TestRun::HOME/Run", 'cpus'));
    is($run->{status}, 2, 'refused');
    is($run->{err}, "Run: cpus compares CPUs, and this process may use only CPU $FIRST: see taskset and cpuset\n",
        'the reason');
};

subtest 'faults' => sub {
    my $unbound = test_with("#!/bin/sh\necho \"ERROR|place: can't be bound\" >&2\nexit 1\n")->run('cpus');
    is($unbound->{status}, 1, 'affinity can\'t be set');
    like($unbound->{err}, qr/^Run: \w+[^:]*: place: can't be bound\n\z/m, 'the reason in one line');
    my $test = test_with();
    $test->put('syscall', 'exit3');
    my $failed = $test->run('cpus');
    is($failed->{status}, 1, 'a copy fails');
    like($failed->{err}, qr/^Run: \w+ syscall: /m, 'the condition and the reason');
    is_deeply([$test->left, $test->reports], [], 'no file is left');
    $test->{env} = { UB_RESULTDIR => $test->write('tmp', 'file', q{}) . '/results' };
    like($test->run('cpus')->{err}, qr/\ARun: can't .*\n\z/, 'no directory of results: nothing is measured');
    my $gone  = test_with();
    my $place = content($gone->place('bin', 'place'));
    $gone->write('bin', 'place', $place =~ s{shift}{"rmdir " . $gone->place('results') . ' 2>&-; shift'}er);
    my $unwritten = $gone->run('cpus');
    is($unwritten->{status}, 1, 'page and JSON can\'t be written');
    like($unwritten->{out}, qr/^Next /m, 'the report is printed');
    my $taskset = path_of('taskset') or skip_without(tool => 'taskset');
    my $fewer   = "#!/bin/sh\n$taskset -p -c $FIRST \$PPID >/dev/null\nshift 2\nexec \"\$@\"\n";
    my $changed = test_with($fewer)->run('cpus');
    is($changed->{status}, 1, 'CPUs go away');
    like($changed->{err}, qr/^Run: the CPUs that this process may use changed meanwhile: measure again\n\z/m,
        'it says so');
};

subtest 'Ctrl-C' => sub {
    my $test = test_with();
    $test->put('context1', 'hang');
    my $run = $test->started('cpus');
    ok(
        eventually(sub {
            return $test->left && grep { $_ != $run->{pid} } $test->copies($run);
        }),
        'it measures'
    );
    kill INT => $run->{pid};
    is(waited($run)->{signal}, 2, 'it ends by the signal');
    is_deeply([$test->left, $test->reports], [], 'no file is left');
};

done_testing;
