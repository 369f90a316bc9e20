use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use ControlGroup;
use LoadedRun;
use Needs   qw(skip_without);
use TestRun qw(waited);
use UnixBench::Host::Machine;

# The numbers of copies that Run plans for: one, and one for each CPU that it may use.

my @RUN    = ($^X, "$TestRun::HOME/Run");
my $host   = UnixBench::Host::Machine->new;
my $usable = $host->usable_cpus;

# Returns the numbers of copies in a plan, in which each has its own line.
sub copies {
    my ($run) = @_;
    return [$run->{out} =~ /^([0-9]+) parallel cop(?:y|ies) of tests,/mg];
}

subtest 'an affinity mask' => sub {
    skip_without(tool => 'taskset') if !$host->has_program('taskset');
    my ($first) = do { open my $file, '<', '/proc/self/status'; join q{}, <$file> }
        =~ /^Cpus_allowed_list:\s*(\d+)/m;
    skip_without(machine => 'an affinity mask in /proc') if !defined $first;
    my $run = waited(TestRun->new->started_by('taskset', '-c', $first, @RUN, qw(--dry-run pipe)));
    is($run->{status}, 0, 'a plan with an affinity mask succeeds');
    is_deeply(copies($run), [1], 'an affinity mask limits the number of copies');
    $run = TestRun->new->run(qw(--dry-run pipe));
    is_deeply(copies($run), $usable > 1 ? [1, $usable] : [1], 'without an affinity mask all CPUs are used');
};

subtest 'a quota of a control group' => sub {
    my $group = ControlGroup->new(cpu => 'cpu.cfs_quota_us');
    $group->set('cpu.cfs_period_us' => 100_000, 'cpu.cfs_quota_us' => 50_000) if $group;
    if (!$group and $group = ControlGroup->new(cpu => 'cpu.max')) {
        $group->set('cpu.max' => '50000 100000');
    }
    skip_without(machine => 'a control group with a quota of CPU time') if !$group;
    my $line = "Run: a control group limits CPU time to that of 0.50 of $usable CPUs\n";
    my $run  = waited(TestRun->new->started_by($group->words(@RUN, qw(--dry-run pipe))));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a plan with a quota succeeds');
    like($run->{said}, qr/^\Q$line\E/m, 'a plan with a quota has a warning');
    is_deeply(copies($run), $usable > 1 ? [1, $usable] : [1], 'a quota does not change the number of copies');
    my $test = TestRun->new;
    $run = waited($test->started_by($group->words(@RUN, qw(-q -c 1 -i 1 syscall))));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a run with a quota succeeds');
    like($run->{said},           qr/^\Q$line\E/m,             'a run with a quota has a warning');
    like($test->report('.html'), qr/the time of 0[.]50 CPUs/, 'the page reports the quota');
};

done_testing;
