use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Needs                          qw(need_built skip_without);
use ObservedRun                    qw(why_not_strace);

# lab/equivalence-to counts the system calls of the real programs, here of two suites that are the same.
need_built(qw(syscall pipe));
my $root = "$FindBin::Bin/../../..";

subtest 'system calls of two suites that are the same' => sub {
    my $why_not = why_not_strace();
    skip_without(@$why_not) if $why_not;
    my %calls  = (syscall => 5, pipe => 2);
    my $number = qr/[0-9.]+|below 0[.]001/;
    my $said   = qx('$root/lab/equivalence-to' --rounds 1 --seconds 1 '$root' syscall pipe 2>/dev/null);
    is($?, 0, 'the script works');
    for my $test (sort keys %calls) {
        like($said, qr/^[|] $test [|] [0-9]+[.][0-9] [|] [0-9]+[.][0-9] [|] [0-9.]+ [|] none [|] not decided:/m,
            "$test: rates");
        my @counts = $said =~ /^[|] $test [|](?: $number [|]){6} ($number) [|] ($number) [|]$/m;
        is(scalar @counts, 2,             "$test: system calls") or diag $said;
        is(int,            $calls{$test}, "$test: $_ in a loop, with a part of those of its start") for @counts;
    }
};

done_testing;
