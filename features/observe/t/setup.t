# --setup installs bpftrace if system calls are to be observed.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use FreshMachine;
use Needs qw(skip_without);

# Takes what is there besides apk; returns such a machine.
sub machine {
    my (%more) = @_;
    return FreshMachine->new(
        programs => ['apk',    @{ $more{programs} }],
        things   => ['locale', @{ $more{things} }],
        env      => { MAKE => 'make', UB_TIME_FACTOR => 0.001 },
    );
}

subtest 'system calls are to be observed' => sub {
    skip_without(machine => 'root') if $> != 0;
    skip_without(machine => 'Linux') if $^O ne 'linux';
    my @there = (programs => [qw(cc make)], things => [qw(perl locale stdio.h)]);
    my @words = qw(--observe syscalls -i 1 -c 1 --dry-run pipe);
    my $run   = machine(@there)->run('--setup', @words);
    is_deeply([@{ $run->{asked} }[0, 1]], ['apk update', 'apk add bpftrace'], 'bpftrace is installed');
    is($run->{status}, 0, 'the run continues');
    my $lazy = machine(programs => $there[1], things => [@{ $there[3] }, 'lazy'])->run('--setup', @words);
    like(
        $lazy->{err},
        qr/^Run: still missing after the installation: bpftrace [(].*[)]$/m,
        'bpftrace that is still missing is reported'
    );
    is($lazy->{status}, 0, 'without bpftrace the run uses another tracer');
    $run = machine(programs => ['cc'], things => [qw(perl locale stdio.h broken)])->run('--setup', @words);
    my $failed = q{can't install the missing software: "apk update" failed, see its messages above};
    is_deeply([@$run{qw(status err)}], [1, "Run: $failed\n"], 'a failed installation is reported');
};

done_testing;
