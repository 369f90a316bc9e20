# The system calls of a quick run of graphics tests. On a busy machine ubgears may draw no frame in an observed pass;
# then the pass gets ten times as long.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../graphics/t/lib ../../../t/lib);
use Needs                          qw(skip_without);
use ObservedRun                    qw(counts tests_of why_not_bpftrace);

my $is_there = eval { require GraphicsRun; 1 };
my $why_not  = $is_there ? GraphicsRun::why_not() || why_not_bpftrace() : [machine => 'the feature graphics'];
skip_without(@$why_not) if $why_not;

my ($test, $run, $known);
for my $factor (0.01, 0.1, 1) {
    my $most_s = $factor < 1 ? 100 * $factor : 300;    # at full length, eight rounds need 282 s
    $test  = GraphicsRun->new(env => { UB_TIME_FACTOR => $factor });
    $run   = $test->run(qw(-q --quick -c 1 --observe syscalls 2d-rects ubgears --max-time), "${most_s}s");
    $known = tests_of($test);
    last if ($known->{ubgears}{observed}{error} // q{}) !~ /\Aa count of 0/;
}
unlike($run->{err}, qr/aborting/, 'each test is measured');
my $report = $test->report(q{});
like($report, qr/^\Q$_\E +[0-9.]+ \w+ +[(]/m, "$_ has a score") for '2D graphics: rectangles', '3D graphics: gears';
my %count = counts($known->{ubgears});
cmp_ok($count{poll} // 0, '>', 0, 'the system calls of ubgears are observed')
    or diag $known->{ubgears}{observed}{error} // join ' ', sort keys %count;
ok(!exists $count{accept4} && !exists $count{accept}, 'the system calls of the X server are not observed');
cmp_ok(scalar @{ $known->{'2d-rects'}{observed}{calls} }, '>', 10, 'the system calls of x11perf are observed');

done_testing;
