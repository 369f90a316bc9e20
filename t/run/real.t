use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use InPath qw(path_of);
use Needs  qw(need_built note_without);
use TestRun;
use UnixBench::Catalog ();

# The real programs, through the whole of Run, each for a fiftieth of its time.
need_built('dhry2reg');

my %NEEDS = (dc => 'dc', C => 'gcc');
my @tests = grep { $_->{category} !~ /\A(?:[23]d|interactive)\z/ } UnixBench::Catalog::tests();
for my $test (grep { $NEEDS{ $_->{name} } && !path_of($NEEDS{ $_->{name} }) } @tests) {
    note_without(tool => $NEEDS{ $test->{name} });
    @tests = grep { $_ != $test } @tests;
}

my $ended = measured(0.02, [qw(--users 2)], @tests);
like($ended->{out}, qr/^System Benchmarks Index Score +[0-9.]+$/m, 'the index is complete');

# For a quarter: there is no score without a second of each cell.
measured(0.25, [], grep { $_->{category} eq 'interactive' } UnixBench::Catalog::tests())
    if -x "$TestRun::HOME/pgms/interbench";

done_testing;

# Takes what part of their time tests are to last, options, and the tests; returns how Run ended.
sub measured {
    my ($factor, $options, @tests_now) = @_;
    my $run = TestRun->new(
        env => {
            UB_BINDIR      => "$TestRun::HOME/pgms",
            UB_TESTDIR     => "$TestRun::HOME/testdir",
            UB_TIME_FACTOR => $factor,
            UB_OUTPUT_CSV  => 'true',
        }
    );
    my $run_ended = $run->run('-q', '-i', 1, '-c', 1, @$options, map { $_->{name} } @tests_now);
    is($run_ended->{status}, 0, 'all were measured');
    unlike($run_ended->{err}, qr/aborting/, 'none failed') or diag($run_ended->{err});
    my $scores = $run->scores;
    for my $test (@tests_now) {
        cmp_ok($scores->{ $test->{title} } // 0, '>', 0, $test->{title});
    }
    is_deeply([$run->left], [], 'nothing is left in the scratch directory');
    return $run_ended;
}
