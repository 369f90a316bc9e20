use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Planned qw(make planned);
use UnixBench::Catalog;
use UnixBench::Observe::ExtraPass;
use UnixBench::Plan;
use UnixBench::Plan::ResourceCheck;

my @OBSERVE =
    (extras => [UnixBench::Observe::ExtraPass->extra_pass(options => {}, has_program => sub { 1 })]);

# The tests with a load, which features may have. They have no short passes.
my @LOADS = map { $_->{name} } grep { $_->{load} } UnixBench::Catalog::tests();

subtest 'a test may have an observed pass' => sub {
    my $observed = sub { return planned(shift, @OBSERVE, @_)->{observed} };
    my $pipe     = planned('pipe', @OBSERVE);
    is_deeply([@$pipe{qw(command passes_wanted)}], [['/b in/pipe', 10], 10], 'the other passes stay the same');
    ok(exists $pipe->{unobserved} && !defined $pipe->{unobserved}, 'nothing prevents the observed pass');
    my $slice = $pipe->{observed};
    my $short = ['pipe', 'Pipe Throughput', ['/b in/pipe', '0.3'], 0.3, 0.3, 60.45, undef];
    is_deeply([@$slice{qw(name title command seconds pass_s limit_s first)}], $short,              'it takes 0.3 s');
    is_deeply($observed->('shell8')->{command}, ['/b in/looper', qw(-w 0.6), '/b in/multi.sh', 8], 'shell tests');
    is_deeply($observed->('whetstone-double')->{command}, ['/b in/whetstone-double', qw(-t 0.3)],  'whetstone-double');

    for my $name (@LOADS) {
        my $planned = planned($name, @OBSERVE);
        is_deeply([@$planned{qw(observed unobserved)}], [undef, 'it has no short passes'], "$name: no observed pass");
    }
    my @tests = map { $_->{name} } grep { !$_->{load} } UnixBench::Catalog::tests();
    is_deeply([grep { !$observed->($_) } @tests], [], 'all tests without a load have an observed pass');
    ok(!exists planned('pipe')->{observed}, 'there is no observed pass unless asked for');
};

subtest 'observed file tests read from a file that is filled first' => sub {
    my @sizes = ([fstime => 1024, 2000], [fsbuffer => 256, 500], [fsdisk => 4096, 8000]);
    for my $case (['fsdisk', '-c', 4096, 8000], ['fsbuffer-r', '-r', 256, 500]) {
        my ($name, $flag, $size, $blocks) = @$case;
        my $slice = planned($name, @OBSERVE)->{observed};
        is_deeply(
            $slice->{command},
            ['/b in/fstime', $flag, qw(-t 0.3 -d /t), '-b', $size, '-m', $blocks, qw(-p 0 -s 0 -f {scratch}/filled)],
            "$name: it reads from that file, without pauses"
        );
        my $fills = ['/b in/fstime', qw(-w -n 2000), '-b', $size, '-m', $blocks, qw(-d {scratch} -f {scratch}/filled)];
        is_deeply($slice->{first}, $fills, "$name: the file is filled first");
    }
    my $writing = planned('fsdisk-w', @OBSERVE)->{observed};
    my $writes  = [['/b in/fstime', qw(-w -t 0.3 -d /t -b 4096 -m 8000 -p 0 -s 0)], undef];
    is_deeply([@$writing{qw(command first)}], $writes, 'a test that only writes needs no prepared file');
};

subtest 'the seconds of observed passes' => sub {
    my @two = (tests => [qw(pipe shell1), @LOADS], copies => [1, 2]);
    my ($plan, $observed) = (make(@two), make(@two, @OBSERVE));
    cmp_ok(abs($observed->{duration_s} - $plan->{duration_s} - 2 * (2 * (1 + 0.02) + 0.3 + 0.6)),
        '<', 1e-9, 'observed passes take their time');
    is(UnixBench::Plan::run_s($observed, 2), UnixBench::Plan::run_s($plan, 2), 'observed passes come after the run');
    is(UnixBench::Plan::extra_s(make(tests => ['ubgears'], copies => [2], @OBSERVE)), 0, 'skipped ones take none');
};

subtest 'the plan in words' => sub {
    my @observed = (tests => [qw(pipe ubgears), @LOADS], copies => [1, 2], @OBSERVE);
    my $seen     = UnixBench::Plan::describe(make(@observed));
    my $listed   = "  + each test once more, observed: 5 s\n  + each test once more, observed: 1 s\n";
    is(join(q{}, $seen =~ /^(  [+] .*\n)/mg), $listed, 'observed passes are listed after each run');
    like($seen, qr/^  $_ is not observed: it has no short passes$/m, "$_ has its reason") for @LOADS;
};

subtest 'observed passes need a tracer' => sub {
    my $plan =
        make(tests => [qw(fsdisk pipe 2d-rects), @LOADS], iterations => 1, copies => [2], display => undef, @OBSERVE);
    is(UnixBench::Plan::ResourceCheck::demand($plan, 2, 1)->{processes}, 12, 'the demand has the tracer');
};

done_testing;
