use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../lib";
use InPath qw(path_of);
use TestRun;
use UnixBench::Catalog ();

# The real programs, through the whole of Run, each for a fiftieth of its time.
plan skip_all => 'the programs are not built' if !-x "$TestRun::HOME/pgms/dhry2reg";

my %NEEDS = (dc => 'dc', C => 'gcc');
my @tests = grep { $_->{category} !~ /\A[23]d\z/ } UnixBench::Catalog::tests();
for my $test (grep { $NEEDS{ $_->{name} } && !path_of($NEEDS{ $_->{name} }) } @tests) {
    diag "not tested: $test->{name}, since $NEEDS{ $test->{name} } is not here";
    @tests = grep { $_ != $test } @tests;
}

my $run = TestRun->new(
    env => {
        UB_BINDIR      => "$TestRun::HOME/pgms",
        UB_TESTDIR     => "$TestRun::HOME/testdir",
        UB_TIME_FACTOR => 0.02,
        UB_OUTPUT_CSV  => 'true',
    }
);
my $ended = $run->run('-q', '-i', 1, '-c', 1, map { $_->{name} } @tests);
is($ended->{status}, 0, 'all were measured');
unlike($ended->{err}, qr/aborting/, 'none failed');
my $scores = $run->scores;
for my $test (@tests) {
    cmp_ok($scores->{ $test->{title} } // 0, '>', 0, $test->{title});
}
like($ended->{out}, qr/^System Benchmarks Index Score +[0-9.]+$/m, 'the index is complete');
is_deeply([$run->left], [], 'nothing is left in the scratch directory');

done_testing;
