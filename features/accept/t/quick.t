# Requirements of quick runs, and of runs that measure several states.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib);
use InTurns ();
use LoadedRun;
use TestRun;
use UnixBench::Base::JSON;

# Disturbances by other processes do not change the verdicts.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

# Takes sway => the relative difference between passes; returns a place whose program pipe counts the same in each pass.
sub place {
    my (%with) = @_;
    return TestRun->new(
        programs => { pipe => 'steady' },
        env      => { defined $with{sway} ? (UB_SWAY => $with{sway}) : () }
    );
}

sub result { my ($test) = @_; return UnixBench::Base::JSON::decode($test->report('.json')) }

subtest 'requirements of a quick run' => sub {
    my $test = place();
    is($test->run(qw(--quick -q -c 1 pipe --require pipe>=900))->{status},  0, 'a requirement that is met');
    is($test->run(qw(--quick -q -c 1 pipe --require pipe>=1100))->{status}, 3, 'a requirement that is not met');
    $test = place(sway => 0.12);
    my $run = $test->run(qw(--quick -q -c 1 --precision 20 pipe --require pipe>=830));
    is($run->{status}, 0, 'a requirement that is met after more rounds');
    cmp_ok(result($test)->{runs}[0]{rounds}, '>', 5, 'an undecided requirement adds rounds');
    $run = place(sway => 0.12)->run(qw(--quick -q -c 1 --max-time 0.1 pipe --require pipe>=830));
    is($run->{status}, 4, 'a requirement that is undecided at the end of the time');
    $run = place(sway => 0.3)->run(qw(--quick -q -c 1 --max-time 0.1 --precision 0.1 pipe --require pipe>=9999));
    is($run->{status}, 3, 'a failed requirement has precedence over a precision that is not reached');
};

subtest 'requirements of a run that measures states' => sub {
    my $test  = InTurns::place(sway => 0.001, env => { UB_COUNT => 1_000_000, UB_OUTPUT_FILE_NAME => 'turns' });
    my @under = map { ('--under', "env UB_COUNT=$_") } 900_000, 2_000_000;
    local $test->{cwd} = $test->place('results');
    my %verdict = (
        'syscall>=950000'     => 'PASS',    # although B does not meet it
        'syscall>=1500000'    => 'FAIL',    # although C does
        'b/a:syscall>=0.89'   => 'PASS',
        'C/A:syscall>=1.9'    => 'PASS',
        '1:b/a:syscall>=0.91' => 'FAIL',
    );
    my $run = $test->run(@under, qw(-q -c 1 --max-time 0.1 syscall), map { ('--require', $_) } sort keys %verdict);
    is($run->{status}, 3, 'two are not met') or diag $run->{said};
    is_deeply({ reverse $run->{err} =~ m{^Run: (\w+) (\S+)}gm }, \%verdict, 'each has one verdict');
    like(
        $run->{err},
        qr{^Run: PASS b/a:syscall>=0.89 \(1 copy\): 0[.](?:9|90\d+|89\d+), at least 0[.]\d+$}m,
        'a ratio has its end'
    );
    for my $requirement (sort keys %verdict) {
        my $status = $verdict{$requirement} eq 'PASS' ? 0 : 3;
        is($test->run(qw(report turns --require), $requirement)->{status}, $status, "$requirement: of a result");
    }
    my $refused = $test->run(qw(report turns-b --require b/a:syscall>=0.89));
    like($refused->{err}, qr/a ratio needs a run with --under or --toggle: name its first result$/m, 'not another');
    is($test->run(qw(-q -c 1 syscall --require b/a:syscall>=0.89))->{status}, 2, 'a run without states is refused');
};

subtest 'a bisection of a sandbox' => sub {
    my $test     = InTurns::place(sway => 0.001, env => { UB_COUNT => 1_000_000, UB_TIME_FACTOR => 0.001 });
    my @bisect   = (qw(-q -c 1 --bisect --max-time 2 --require b/a:syscall>=0.95));
    my $bisected = sub { return $test->run(@bisect, '--under', $_[0], 'syscall') };
    my $good     = $bisected->('env UB_COUNT=1000000');
    is($good->{status},                              0,   'good') or diag $good->{said};
    is($bisected->('env UB_COUNT=900000')->{status}, 1,   'bad');
    is($bisected->('false')->{status},               125, 'no test works under the command: skip');
    my $breaks = InTurns::wrapper($test, 'breaks', qq([ "\$1" = pipe ] && exit 9\nshift\nexec "\$@"));
    my @words  = (@bisect, '--under', "$breaks {test}", qw(syscall pipe));
    is($test->run(@words)->{status},           125, 'a test that fails under the command: skip');
    is($bisected->('nosuchwrapper')->{status}, 128, 'a missing program: stop');
};

done_testing;
