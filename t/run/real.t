use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use InPath qw(path_of);
use Needs  qw(need_built note_without);
use TestRun;
use UnixBench::Catalog ();

# Whole runs of the real programs, each for a fiftieth of its time. The multi-user test is in t/run/multiuser.t.
need_built('dhry2reg');

my %NEEDS = (dc => 'dc', C => 'gcc');
my @tests = grep { $_->{category} !~ /\A(?:[23]d|interactive|multiuser)\z/ } UnixBench::Catalog::tests();
for my $test (grep { $NEEDS{ $_->{name} } && !path_of($NEEDS{ $_->{name} }) } @tests) {
    note_without(tool => $NEEDS{ $test->{name} });
    @tests = grep { $_ != $test } @tests;
}

my $ended = all_measured(0.02, grep { $_->{name} ne 'C' } @tests);
like($ended->{out}, qr/^System Benchmarks Index Score +[0-9.]+$/m, 'the index is complete');

# On a busy machine the compiler needs a second for its first loop.
all_measured(0.05, $_) for grep { $_->{name} eq 'C' } @tests;

# The response has a score only if each cell takes a second; the capacity needs less. On a busy machine no frame may be
# on time, which the message says.
my %OF_ITS_TIME = ('interactive-capacity' => 0.05, 'interactive-response' => 0.25);
my @interactive = grep { $_->{category} eq 'interactive' } UnixBench::Catalog::tests();
for my $test (-x "$TestRun::HOME/pgms/interbench" ? @interactive : ()) {
    my ($run_ended, $run) = measured($OF_ITS_TIME{ $test->{name} }, $test);
    my $is_late = $run_ended->{err} =~ /^Run: "\Q$test->{title}\E": no frame was on time/m;
    is($run_ended->{status}, $is_late ? 1 : 0, "$test->{title}: exit status 0 if it has a score, else 1");
    has_score($run, $test) if !$is_late;
}

done_testing;

# Takes a time factor and tests; returns the ended run and its place.
sub measured {
    my ($factor, @tests_now) = @_;
    my $run = TestRun->new(
        env => {
            UB_BINDIR      => "$TestRun::HOME/pgms",
            UB_TESTDIR     => "$TestRun::HOME/testdir",
            UB_TIME_FACTOR => $factor,
            UB_OUTPUT_CSV  => 'true',
        }
    );
    my $run_ended = $run->run('-q', '-i', 1, '-c', 1, map { $_->{name} } @tests_now);
    is_deeply([$run->left], [], 'the scratch directory is empty');
    return ($run_ended, $run);
}

# Takes a time factor and tests; tests that all have a score, and returns the ended run.
sub all_measured {
    my ($factor,    @tests_now) = @_;
    my ($run_ended, $run)       = measured($factor, @tests_now);
    is($run_ended->{status}, 0, 'all tests are measured');
    unlike($run_ended->{err}, qr/aborting/, 'no test has failed') or diag($run_ended->{err});
    has_score($run, $_) for @tests_now;
    return $run_ended;
}

sub has_score {
    my ($run, $test) = @_;
    return cmp_ok($run->scores->{ $test->{title} } // 0, '>', 0, "$test->{title} has a score");
}
