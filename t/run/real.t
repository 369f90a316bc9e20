use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use Needs qw(need_built note_without path_of);
use TestRun;
use UnixBench::Catalog ();

# Whole runs of the real programs, each for a part of its time. The multi-user test is in t/run/multiuser.t, and the
# interactive tests are in features/interactive/src/t/run.t.
need_built('dhry2reg');

my %IS_IN_INDEX = map { $_ => 1 } UnixBench::Catalog::expand('index');
my %NEEDS       = (dc => 'dc', C => 'gcc');
my @tests       = grep { $_->{category} !~ /\A(?:[23]d|interactive|multiuser)\z/ } UnixBench::Catalog::tests();
for my $test (grep { $NEEDS{ $_->{name} } && !path_of($NEEDS{ $_->{name} }) } @tests) {
    note_without(tool => $NEEDS{ $test->{name} });
    @tests = grep { $_ != $test } @tests;
}

# On a busy machine a test may not do one loop in that time: then it gets ten times as long, and in the end its whole
# time.
my @left = @tests;
for my $factor (0.005, 0.05, 1) {
    @left = too_slow($factor, @left) or last;
}
is(join(q{ }, map { $_->{name} } @left), q{}, 'each test does a loop in its time');

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

# Takes a time factor and tests; tests that each has a score if it had the time for a loop. Returns those without the
# time.
sub too_slow {
    my ($factor,    @tests_now) = @_;
    my ($run_ended, $run)       = measured($factor, @tests_now);
    my %titles = map  { $_ => 1 } $run_ended->{err} =~ /^Run: "(.*)": counted nothing: .*; aborting this test$/mg;
    my @slow   = grep { $titles{ $_->{title} } } @tests_now;
    is($run_ended->{status}, @slow ? 1 : 0,                                'every test with enough time is measured');
    is($run_ended->{err} =~ s/^Run: ".*": counted nothing: .*\n//mgr, q{}, 'no test fails for another reason');
    has_score($run, $_) for grep { !$titles{ $_->{title} } } @tests_now;

    my @of_index = grep { $IS_IN_INDEX{ $_->{name} } } @tests_now or return @slow;
    my $without  = grep { $IS_IN_INDEX{ $_->{name} } } @slow;
    my $index    = $without                      ? qr/none [(]incomplete[)]/ : qr/[0-9.]+/;
    my $part     = @of_index < keys %IS_IN_INDEX ? ' (Partial Only)'         : q{};
    like($run_ended->{out}, qr/^System Benchmarks Index Score\Q$part\E +$index$/m, 'the index');
    return @slow;
}

sub has_score {
    my ($run, $test) = @_;
    return cmp_ok($run->scores->{ $test->{title} } // 0, '>', 0, "$test->{title} has a score");
}
