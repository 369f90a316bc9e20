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

my $ended = all_measured(0.02, [qw(--users 2)], grep { $_->{name} ne 'C' } @tests);
like($ended->{out}, qr/^System Benchmarks Index Score +[0-9.]+$/m, 'the index is complete');

# A compiler needs a second for its first loop on a busy machine.
all_measured(0.05, [], $_) for grep { $_->{name} eq 'C' } @tests;

# For a quarter of its time: there is no score without a second of each cell. On a busy machine a test may have no frame
# on time, and says so.
if (-x "$TestRun::HOME/pgms/interbench") {
    my @interactive = grep { $_->{category} eq 'interactive' } UnixBench::Catalog::tests();
    my ($run_ended, $run) = measured(0.25, [], @interactive);
    my @late = grep { $run_ended->{err} =~ /^Run: "\Q$_->{title}\E": nothing was on time/m } @interactive;
    is($run_ended->{status}, @late ? 1 : 0, 'the exit status tells whether all have a score');
    for my $test (@interactive) {
        next if grep { $_ == $test } @late;
        has_score($run, $test);
    }
}

done_testing;

# Takes what part of their time tests are to last, options, and the tests; returns how Run ended, and the run.
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
    is_deeply([$run->left], [], 'nothing is left in the scratch directory');
    return ($run_ended, $run);
}

# The same of tests that all have to have a score; returns how Run ended.
sub all_measured {
    my ($factor, $options, @tests_now) = @_;
    my ($run_ended, $run) = measured($factor, $options, @tests_now);
    is($run_ended->{status}, 0, 'all were measured');
    unlike($run_ended->{err}, qr/aborting/, 'none failed') or diag($run_ended->{err});
    has_score($run, $_) for @tests_now;
    return $run_ended;
}

sub has_score {
    my ($run, $test) = @_;
    return cmp_ok($run->scores->{ $test->{title} } // 0, '>', 0, "$test->{title} has a score");
}
