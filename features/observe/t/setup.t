# --setup installs strace if system calls are to be observed.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use FreshMachine;
use Needs qw(skip_without);

skip_without(machine => 'root') if $> != 0;
skip_without(machine => 'Linux') if $^O ne 'linux';

# Takes words of the command line; returns the commands that --setup starts on a machine that lacks only strace.
sub asked {
    my $machine = FreshMachine->new(
        programs => [qw(apk cc make)],
        things   => [qw(perl locale stdio.h)],
        env      => { MAKE => 'make', UB_TIME_FACTOR => 0.001 },
    );
    my $run = $machine->run('--setup', @_, qw(-i 1 -c 1 --dry-run pipe));
    is($run->{status}, 0, 'the run continues');
    return [grep { /\Aapk/ } @{ $run->{asked} }];
}

is_deeply(asked(qw(--observe syscalls)), ['apk update', 'apk add strace'], 'strace is installed');
is_deeply(asked(),                       [],                               'otherwise it is not needed');

done_testing;
