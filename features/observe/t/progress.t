# The progress of observed passes.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use ObservedPlan                   qw($EXTRA @OBSERVE);
use PlayedRun                      qw(plan);
use UnixBench::Plan::Plan;
use UnixBench::Progress::Estimate;
use UnixBench::Progress::Plain;

my @TESTS = qw(pipe execl);
my $PLAN  = plan(\@TESTS, copies => [1, 2], @OBSERVE);

open my $out, '>', \my $text or die "open: $!\n";
my $progress = UnixBench::Progress::Plain->new(out => $out)->listeners;
$progress->{extra_started}->($_, { copies => 2 }, 1, $EXTRA) for @{ $PLAN->{tests} };
is(
    $text,
    "2 x Pipe Throughput: observing system calls\n2 x Execl Throughput: observing system calls\n",
    'each test has a line'
);

my ($with, $without) =
    map { UnixBench::Progress::Estimate->new(plan => plan(\@TESTS, copies => [1, 2], @$_))->left_s } \@OBSERVE, [];
cmp_ok(abs($with - $without - UnixBench::Plan::Plan::extra_s($PLAN)), '<', 1e-9, 'the time left includes them');

done_testing;
