# The output of bpftrace, and the search for a bpftrace that works.

use strict;
use warnings;

use FindBin;
use List::Util qw(sum);
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Place                          qw(text_of);
use TriedTracer                    qw(tried);
use UnixBench::Observe::Bpftrace;

# What bpftrace 0.17 on Linux 6.18, x86_64, printed for "spawn -n 4" with rows.
my $PRINTED = text_of("$FindBin::Bin/data/bpftrace.txt");
my $NAME_OF = UnixBench::Observe::Bpftrace::names(<<'END');
#define __NR_clone 56
#define __NR_execve 59
#define __NR_exit_group 231
#define __NR_wait4 61
#define __NR_set_robust_list 273
#define __NR_syscalls 450
#define __NR_of_other_abi (0x40000000 + 512)
#define SYS_execve __NR_execve
END
is($NAME_OF->{59}, 'execve', 'the macros of C tell the names of calls');
ok(!grep({ !/\A[0-9]+\z/ } keys %$NAME_OF), 'by their numbers');

# Takes maps, and what replaces some of them; returns what is made of them.
sub of_maps {
    my ($maps, %instead) = @_;
    return UnixBench::Observe::Bpftrace::of_maps({ %$maps, %instead }, $NAME_OF, 1e9);
}

my $MAPS = UnixBench::Observe::Bpftrace::maps($PRINTED);
my $SUMS = of_maps($MAPS);

subtest 'sums are read' => sub {
    is(scalar @{ $SUMS->{calls} }, 21, 'all calls are listed');
    my %call   = map { $_->{name} => $_ } @{ $SUMS->{calls} };
    my %robust = (name => 'set_robust_list', count => 5, returned => 5, total_ns => 1891, max_ns => 420);
    is_deeply($call{set_robust_list}, \%robust, 'a call, with its longest delay');
    is($SUMS->{calls}[0]{name}, 'wait4', 'the call with the most time comes first');
    is_deeply([@{ $call{exit_group} }{qw(count returned max_ns)}], [5, 0, undef], 'a call that never returns');
    ok($call{'#257'}, 'a call without a name has its number');
    is_deeply([keys %{ of_maps($MAPS, '@f' => undef) }], ['calls'], 'without rows, there are none');
    is(eval { of_maps($MAPS, '@d' => undef, '@x' => undef) } // $@, "bpftrace printed nothing\n", 'nothing was called');
    is(eval { of_maps($MAPS, $_ => { 3 => [5] }) } // $@, "the output of bpftrace is malformed\n", "$_ is damaged")
        for qw(@d @p);
};

subtest 'each process has a row' => sub {
    my @rows = @{ $SUMS->{rows} };
    is($SUMS->{processes},             5,                                            'the number of processes');
    is(sum(map { $_->{count} } @rows), sum(map { $_->{count} } @{ $SUMS->{calls} }), 'the rows have all calls');
    is_deeply([map { $_->{pid} } @rows], [sort map { $_->{pid} } @rows], 'in the order of time');
    is(sprintf('%.3f', $rows[0]{at}), '1000034256.778', 'a moment since 1970');
    is_deeply([map { $_->{name} } @{ $rows[1]{top} }], [qw(exit_group set_robust_list)], 'the calls of a child');
    my $lost = of_maps($MAPS, '@n' => 9);
    is_deeply([@$lost{qw(processes unlisted)}], [9, { processes => 4, count => 0 }], 'processes that had no room');
};

sub why_not { my ($script) = @_; return tried('UnixBench::Observe::Bpftrace', $script) }

subtest 'a bpftrace that can not be used' => sub {
    my $text = "$FindBin::Bin/data/bpftrace.txt";
    my $work = "cat $text; while :; do sleep 0.01; done";
    my $good = "trap 'exit 0' TERM; $work";
    my $deaf = "trap 'trap \"exit 0\" TERM' TERM; $work";
    my $obstacle;
    no warnings 'redefine';
    local *UnixBench::Observe::Bpftrace::obstacle = sub { $obstacle };
    is(why_not($good), 'found',                       'one that works');
    is(why_not($deaf), 'found',                       'one that misses a signal');
    is(why_not(undef), "bpftrace is not installed\n", 'none');
    is(why_not("echo 'ERROR: no tracepoints here' >&2; exit 1"), "bpftrace: no tracepoints here\n", 'one that refuses');
    is(why_not("cat $text; kill -9 \$\$"),                       "bpftrace: killed by SIGKILL\n",   'one that dies');
    my $cut = qq(exec perl -e '\$SIG{TERM} = sub { exit 0 }; \$| = 1; print shift; sleep 60' "\$(head -c 999 $text)");
    is(why_not($cut), "the output of bpftrace is cut off: it was killed, or the disk is full\n", 'a full disk');
    $obstacle = 'bpftrace needs root';
    is(why_not($good), "$obstacle\n", 'a machine on which it can not run');
};

done_testing;
