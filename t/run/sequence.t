use strict;
use warnings;

use File::Basename qw(dirname);
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use Alive       qw(eventually of_environment);
use CallCounts  qw(altered_syscall);
use Needs       qw(need_built need_compiler skip_without);
use ObservedRun qw(path_without real_run why_not_bpftrace why_not_strace);

# ./Run --observe sequence: whether each call is seen, and in order.
need_built('syscall');
my $BY_BPFTRACE = why_not_bpftrace();
my $BY_STRACE   = why_not_strace();

my $RIGHT =
    qr/^It began with [0-9]+ calls[.] Then came dup, close, getpid, getuid, umask, in that order, 1000 times[.]/m;

# Runs it with further words; tests that it leaves nothing, and returns the ended run.
sub checked {
    my ($test, @words) = @_;
    my $run = $test->run('--observe', 'sequence', @words);
    is_deeply([$test->reports], [], 'no report is written');
    $test->all_gone;
    return $run;
}

subtest 'by bpftrace' => sub {
    skip_without(@$BY_BPFTRACE) if $BY_BPFTRACE;
    my $run = checked(real_run());
    is_deeply([@$run{qw(status err)}], [0, q{}], 'by bpftrace: exit status 0');
    like(
        $run->{out},
        qr/^Observed by bpftrace[.]\nsyscall -n 1000 mix made 5[0-9]{3} system calls; none was lost/,
        'by bpftrace: all calls are seen'
    );
    like($run->{out}, $RIGHT, 'by bpftrace: calls are in order');
};

subtest 'by strace' => sub {
    skip_without(@$BY_STRACE) if $BY_STRACE;
    my $test = real_run();
    $test->{env}{PATH} = path_without($test, 'bpftrace');
    my $run = checked($test, '-q');
    is($run->{status}, 0, 'by strace: exit status 0');
    like(
        $run->{out},
        qr/^Observed by strace: bpftrace is not installed[.]$/m,
        'by strace: the reason why not by bpftrace'
    );
    like($run->{out}, $RIGHT, 'by strace: calls are in order');
};

subtest 'by nothing' => sub {
    my $test = real_run();
    $test->{env}{PATH} = path_without($test, qw(bpftrace strace));
    my $run = checked($test);
    is($run->{status}, 1, 'without a tracer: exit status 1');
    my $why = 'bpftrace is not installed; strace is not installed';
    like($run->{err}, qr/^Run: system calls can't be observed: $why$/m, 'without a tracer: the message has the reason');
};

# Returns a place with only the program syscall, in which a line of the source is replaced.
sub altered {
    return real_run(UB_BINDIR => dirname(altered_syscall(@_)));
}

subtest 'a program that does something else' => sub {
    skip_without(@$BY_BPFTRACE) if $BY_BPFTRACE;
    need_compiler();
    my @alterations = (
        ['getuid();'      => ';',                                       qr{: getuid is left out: }],
        ['getpid_once();' => 'if (loops % 1000 != 500) getpid_once();', qr/was \w+ instead of getpid/],
        ['getpid_once();' => 'getuid(); getpid_once();',                qr/getuid/],
    );
    for my $case (@alterations) {
        my ($line, $by, $fault) = @$case;
        my $run = checked(altered($line, $by));
        is($run->{status}, 1, "$line replaced by $by: exit status 1");
        like($run->{out}, $fault, "$line replaced by $by: the fault is named");
        unlike($run->{out}, $RIGHT, "$line replaced by $by: the sequence is not confirmed");
    }
};

subtest 'interrupted' => sub {
    skip_without(@$BY_BPFTRACE) if $BY_BPFTRACE;
    my $test = ObservedRun->new(programs => { syscall => 'hang' }, own_group => 1);
    my $run  = $test->started(qw(--observe sequence));
    ok(eventually(sub { $test->tracer && $test->left }), 'the observation has started');
    kill INT => $run->{pid};
    is(TestRun::waited($run)->{signal}, 2, 'SIGINT ends the run');
    $test->all_gone;
};

done_testing;
