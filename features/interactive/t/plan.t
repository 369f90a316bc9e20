# The interactive tests in the catalog, and in a plan.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Planned qw(make planned);
use UnixBench::Catalog;
use UnixBench::Noise::Late;

my @QUICK = (quick => { seed => 1, precision => 0.02, max_time_s => 60 });
my @TESTS = qw(interactive-capacity interactive-response);

is(join(q{ }, UnixBench::Catalog::expand('interactive')), "@TESTS", 'tests of the alias interactive');
is_deeply([grep { /interactive/ } UnixBench::Catalog::expand('all')], [], 'the alias all does not include them');

subtest 'their passes' => sub {
    for my $name (@TESTS) {
        my $quick = planned($name, @QUICK);
        cmp_ok($quick->{pass_s}, '<', 30, "$name: short passes fit into a quick run");
        is($quick->{warm_up}, undef, "$name: a test that takes its own time has no pass that warms up");
        ok(UnixBench::Noise::Late::takes_own_time($quick->{asked}), "$name: it takes its own time");
    }
    is_deeply(
        planned('interactive-response', factor => 0.01)->{command},
        ['/b in/interbench', qw(--mix --fixed --max-disk 256M --protocol -c -t 0.05 --warmup 0.01)],
        'UB_TIME_FACTOR shortens the response and its warm-up'
    );
    for my $case (['linux', 'make shows why it is not built'], ['freebsd', 'it is for Linux']) {
        local $^O = $case->[0];
        my $why = "skipped: there is no program interbench; $case->[1]";
        is(planned($TESTS[0], is_there => sub { 0 })->{skipped}, $why, "without its program, on $^O");
    }
    cmp_ok(make(tests => \@TESTS)->{duration_s}, '<=', 120, 'both take two minutes in all');
};

done_testing;
