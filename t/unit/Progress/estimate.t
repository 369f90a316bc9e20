use strict;
use warnings;

use FindBin;
use List::Util ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use PlayedRun qw(plan play);
use UnixBench::Progress::Estimate;

my %QUICK = (seed => 1995, precision => 0.02, max_time_s => 60);
my @INDEX = qw(dhry2reg whetstone-double execl fstime pipe context1 spawn syscall shell1 shell8);

# Takes a plan and options; simulates its passes. Returns the relative error of the estimated total at the start of each
# pass, without the first ones (their number is after), and the runs.
sub off {
    my ($plan, %with) = @_;
    my $estimate = UnixBench::Progress::Estimate->new(plan => $plan);
    my @totals_s;
    my $listeners = sub {
        my ($clock) = @_;
        my $start_s = $clock->monotonic_s;
        my %told    = map {
            my $event = $_;
            $event => sub { $estimate->$event(@_) }
        } qw(run_started pass_started pass_done round_done test_done);
        return ({ pass_started => sub { push @totals_s, $clock->monotonic_s - $start_s + $estimate->left_s } }, \%told);
    };
    my ($runs, $truth_s) = play($plan, $listeners, %with);
    my @off = map { $_ / $truth_s - 1 } @totals_s;
    return ([splice @off, $with{after} || 0], $runs);
}

# Tests that no estimate is off by more than that percentage; returns the runs.
sub is_right {
    my ($percent, $name, $plan, %with) = @_;
    my ($off, $runs) = off($plan, %with);
    my $worst = List::Util::max(map { 100 * abs } @$off);
    ok(@$off && $worst <= $percent, "$name: within $percent %") or diag "off by $worst %, @$off";
    return $runs;
}

# Returns a function that gives a pass its planned seconds, multiplied by the factor of its test.
sub lasting {
    my (%factor) = @_;
    return sub { my ($test) = @_; return (0.1 + $test->{pass_s} * ($factor{ $test->{name} } // 1), 1000) };
}

subtest 'official runs' => sub {
    is_right(0.001, 'passes take the planned time', plan(\@INDEX, copies => [1, 2]));
    is_right(
        0.001, 'a test that takes longer, after its first pass', plan([qw(spawn pipe)], iterations => 9),
        outcome => lasting(spawn => 1.2),
        after   => 1
    );
    my $failing = sub { my ($test, $attempt) = @_; return (1, $attempt == 2 ? 'killed by SIGSEGV' : 1000) };
    my $failed  = sub { $_[0]{name} eq 'syscall' ? $failing->(@_) : ($_[0]{pass_s} + 0.1, 1000) };
    is_right(0.001, 'a test that fails', plan([qw(syscall pipe)]), outcome => $failed, after => 4);
    my $stopped = sub { my ($test, $attempt) = @_; return ($test->{pass_s} + ($attempt == 3 ? 3600 : 0.1), 1000) };
    is_right(0.001, 'a suspended pass', plan(['pipe'], iterations => 12), outcome => $stopped, after => 3);
    my $plan  = plan([qw(pipe syscall execl)], copies => [1, 2]);
    my ($run) = @{ is_right(0.001, 'nothing is kept', $plan) };
    my %made  = map { $_->{name} => $_->{passes} } @{ $run->{tests} };
    my $kept  = [{ started => 1, passes => { pipe => $made{pipe}, syscall => [@{ $made{syscall} }[0 .. 2]] } }];
    is_right(0.001, 'passes are kept from before a resume', $plan, kept => $kept);
};

subtest 'quick runs take at most their time limit' => sub {
    my @copies  = (copies => [1, 2]);
    my $varying = sub { my ($test, $attempt) = @_; return ($test->{pass_s}, 1e6 * (1 + ($attempt % 3) / 10)) };
    is_right(15, 'until the time is over', plan(\@INDEX, quick => \%QUICK, @copies), outcome => $varying);
    my ($off) = off(plan(\@INDEX, quick => \%QUICK));
    cmp_ok($off->[0], '>', 0, 'a run that is precise earlier is over earlier');
};

done_testing();
