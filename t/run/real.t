use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use InPath qw(path_of);
use Needs  qw(need_built note_without);
use TestRun;
use UnixBench::Catalog ();

# The real programs, through the whole of Run, each for a fiftieth of its time. That of many users has its own test,
# t/run/multiuser.t.
need_built('dhry2reg');

my %IS_IN_INDEX = map { $_ => 1 } UnixBench::Catalog::expand('index');
my %NEEDS       = (dc => 'dc', C => 'gcc');
my @tests       = grep { $_->{category} !~ /\A(?:[23]d|interactive|multiuser)\z/ } UnixBench::Catalog::tests();
for my $test (grep { $NEEDS{ $_->{name} } && !path_of($NEEDS{ $_->{name} }) } @tests) {
    note_without(tool => $NEEDS{ $test->{name} });
    @tests = grep { $_ != $test } @tests;
}

# On a busy machine a test may not do one loop in that time: then it gets ten times as long.
my @left = grep { $_->{name} ne 'C' } @tests;
for my $factor (0.02, 0.2, 1) {
    @left = too_slow($factor, @left) or last;
}
is(join(q{ }, map { $_->{name} } @left), q{}, 'each does a loop in its time');

# A compiler needs a second for its first loop on a busy machine.
is_deeply([too_slow(0.05, $_)], [], 'it does') for grep { $_->{name} eq 'C' } @tests;

# Response has no score without a second of each cell; capacity needs less. On a busy machine a test may have no frame
# on time, and says so.
my %OF_ITS_TIME = ('interactive-capacity' => 0.05, 'interactive-response' => 0.25);
my @interactive = grep { $_->{category} eq 'interactive' } UnixBench::Catalog::tests();
for my $test (-x "$TestRun::HOME/pgms/interbench" ? @interactive : ()) {
    my ($run_ended, $run) = measured($OF_ITS_TIME{ $test->{name} }, $test);
    my $is_late = $run_ended->{err} =~ /^Run: "\Q$test->{title}\E": nothing was on time/m;
    is($run_ended->{status}, $is_late ? 1 : 0, "$test->{title}: the exit status tells whether it has a score");
    has_score($run, $test) if !$is_late;
}

done_testing;

# Takes what part of their time tests are to last, and the tests; returns how Run ended, and the run.
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
    is_deeply([$run->left], [], 'nothing is left in the scratch directory');
    return ($run_ended, $run);
}

# The same of tests that have to have a score if they had the time for a loop; returns those that had not.
sub too_slow {
    my ($factor,    @tests_now) = @_;
    my ($run_ended, $run)       = measured($factor, @tests_now);
    my %titles = map  { $_ => 1 } $run_ended->{err} =~ /^Run: "(.*)": a count of 0: .*; aborting this test$/mg;
    my @slow   = grep { $titles{ $_->{title} } } @tests_now;
    is($run_ended->{status}, @slow ? 1 : 0,                             'all were measured that had the time');
    is($run_ended->{err} =~ s/^Run: ".*": a count of 0: .*\n//mgr, q{}, 'none failed for another reason');
    has_score($run, $_) for grep { !$titles{ $_->{title} } } @tests_now;

    my @of_index = grep { $IS_IN_INDEX{ $_->{name} } } @tests_now or return @slow;
    my $without  = grep { $IS_IN_INDEX{ $_->{name} } } @slow;
    my $index    = $without                      ? qr/none, $without tests? failed/ : qr/[0-9.]+/;
    my $part     = @of_index < keys %IS_IN_INDEX ? ' (Partial Only)'                : q{};
    like($run_ended->{out}, qr/^System Benchmarks Index Score\Q$part\E +$index$/m, 'the index');
    return @slow;
}

sub has_score {
    my ($run, $test) = @_;
    return cmp_ok($run->scores->{ $test->{title} } // 0, '>', 0, "$test->{title} has a score");
}
