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

# ./Run --observe sequence: whether each call is seen, in its order.
need_built('syscall');
my $BY_BPFTRACE = why_not_bpftrace();
my $BY_STRACE   = why_not_strace();

my $RIGHT = qr/^Behind [0-9]+ calls of its start: dup, close, getpid, getuid, umask, in that order, 1000 times;/m;

# Runs it; returns how it ended. Nothing of it is left then.
sub checked {
    my ($test, @words) = @_;
    my $run = $test->run('--observe', 'sequence', @words);
    is_deeply([$test->reports], [], 'it makes no report');
    $test->all_gone;
    return $run;
}

subtest 'by bpftrace' => sub {
    skip_without(@$BY_BPFTRACE) if $BY_BPFTRACE;
    my $run = checked(real_run());
    is_deeply([@$run{qw(status err)}], [0, q{}], 'status');
    like($run->{out}, qr/^Observed by bpftrace[.]\nsyscall -n 1000 mix made 5[0-9]{3} system calls; none was lost/,
        'all');
    like($run->{out}, $RIGHT, 'in order');
};

subtest 'by strace' => sub {
    skip_without(@$BY_STRACE) if $BY_STRACE;
    my $test = real_run();
    $test->{env}{PATH} = path_without($test, 'bpftrace');
    my $run = checked($test, '-q');
    is($run->{status}, 0, 'status');
    like($run->{out}, qr/^Observed by strace: bpftrace is not installed[.]$/m, 'and why');
    like($run->{out}, $RIGHT,                                                  'in order');
};

subtest 'by nothing' => sub {
    my $test = real_run();
    $test->{env}{PATH} = path_without($test, qw(bpftrace strace));
    my $run = checked($test);
    is($run->{status}, 1, 'status');
    my $why = 'bpftrace is not installed; strace is not installed';
    like($run->{err}, qr/^Run: system calls can't be observed: $why$/m, 'the reason');
};

# A place whose syscall has a line of its source replaced, and no other program.
sub altered {
    return real_run(UB_BINDIR => dirname(altered_syscall(@_)));
}

subtest 'a program that does something else' => sub {
    skip_without(@$BY_BPFTRACE) if $BY_BPFTRACE;
    need_compiler();
    my @alterations = (
        ['getuid();'      => ';',                                       qr{: getuid is left out: }],
        ['getpid_once();' => 'if (loops % 1000 != 500) getpid_once();', qr/getpid was expected/],
        ['getpid_once();' => 'getuid(); getpid_once();',                qr/getuid/],
    );
    for my $case (@alterations) {
        my ($line, $by, $fault) = @$case;
        my $run = checked(altered($line, $by));
        is($run->{status}, 1, "$line $by: status");
        like($run->{out}, $fault, 'what is wrong');
        unlike($run->{out}, $RIGHT, 'it is not right');
    }
};

subtest 'interrupted' => sub {
    skip_without(@$BY_BPFTRACE) if $BY_BPFTRACE;
    my $test = ObservedRun->new(programs => { syscall => 'hang' }, own_group => 1);
    my $run  = $test->started(qw(--observe sequence));
    ok(eventually(sub { $test->tracer && $test->left }), 'it is under way');
    kill INT => $run->{pid};
    is(TestRun::waited($run)->{signal}, 2, 'dies of it');
    $test->all_gone;
};

done_testing;
