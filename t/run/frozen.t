use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive        qw(eventually of_environment states);
use Needs        qw(skip_without);
use TestRun      qw(waited);
use ControlGroup ();
use UnixBench::Process::LostTime;

# The file of a control group that freezes it => its controller, the values for frozen and thawed, and the file that
# reports the state.
my %FREEZERS = (
    'freezer.state' => { controller => 'freezer', FROZEN => 'FROZEN', THAWED => 'THAWED', says => 'freezer.state' },
    'cgroup.freeze' => { controller => q{},       FROZEN => 1,        THAWED => 0,        says => 'cgroup.events' },
);

# Takes the names of such files; returns a control group and the first name that this machine has. Skips the subtest if
# it has none.
sub group_with {
    my (@files) = @_;
    for my $file (UnixBench::Process::LostTime::is_known() ? @files : ()) {
        my $group = ControlGroup->new($FREEZERS{$file}{controller} => $file) or next;
        return ($group, $file);
    }
    return skip_without(machine => "a control group with @files, and a count of switches");
}

# Takes a group and PIDs; moves these processes to the group. Some may have ended meanwhile.
sub join_group {
    my ($group, @pids) = @_;
    for my $pid (@pids) {
        next if eval { $group->set('cgroup.procs' => $pid); 1 };
        die $@ if states($pid) ne q{};
    }
    return;
}

# Takes a group and the name of its freezer; freezes the processes in it, as a test.
sub freeze {
    my ($group, $file) = @_;
    my $freezer = $FREEZERS{$file};
    $group->set($file => $freezer->{FROZEN});
    ok(eventually(sub { $group->get($freezer->{says}) =~ /^FROZEN$|^frozen 1$/m }), 'the control group is frozen');
    return;
}

# Takes the same; lets them go on.
sub thaw {
    my ($group, $file) = @_;
    $group->set($file => $FREEZERS{$file}{THAWED});
    return;
}

# A pass whose copies were stopped, or during which the whole run was stopped, does not count and is made again. So is a
# pass that ended far too late, for whatever reason.

my $TITLE = 'System Call Overhead';
my @WORDS = qw(-q -c 2 -i 4 syscall);

# Returns a place whose "syscall" stops at its second start, in two copies.
sub held {
    my $test = TestRun->new(programs => { syscall => 'hold' }, own_group => 1);
    mkdir $test->place('hold') or die "mkdir: $!\n";
    $test->{env} = { UB_HOLD => $test->place('hold'), UB_HOLD_AT => 2 };
    return $test;
}

sub is_held {
    my ($test) = @_;
    my @held   = grep { $_ eq 'held' } map { $test->notes($_) } 1, 2;
    return @held == 2;
}

# Skips the check of a late pass if copies also waited for CPUs: that load may explain why they stood still, and then
# the pass is not late.
sub skip_if_waited {
    my ($test) = @_;
    skip_without(machine => 'CPUs for which copies need not wait', 1) if $test->data =~ /"cause":"run_queue"/;
    return;
}

# Tests that the run ends normally, with one start of a pass more than the passes that count.
sub is_made_again {
    my ($test, $run) = @_;
    my $ended = waited($run);
    is_deeply([@$ended{qw(status signal)}], [0, 0], 'the run goes on to its end') or diag $ended->{said};
    is_deeply($test->scores,                { $TITLE => '1000.0' }, 'it has the score of complete passes');
    my %passes = map  { $_ => 1 } $test->report('.log') =~ /^#### Pass ([0-9]+)$/mg;
    my $starts = grep { $_ eq 'start' } $test->notes(1);
SKIP: {
        skip_if_waited($test);
        is($starts, 1 + keys %passes, 'it has repeated one pass');
    }
    is_deeply([of_environment($test->place)], [], 'it leaves no process');
    return;
}

for my $file (sort keys %FREEZERS) {
    subtest "a run whose control group is frozen and thawed by $file" => sub {
        my ($group) = group_with($file);
        my $test    = held();
        my $run     = $test->started_by($group->words($^X, "$TestRun::HOME/Run", @WORDS));
        ok(eventually(sub { is_held($test) }), 'both copies are in their pass');
        freeze($group, $file);
        thaw($group, $file);
        $test->write('hold', 'go-on', q{});
        is_made_again($test, $run);
    };
}

subtest 'a run of which one copy is stopped and continued' => sub {
    my $test = held();
    my $run  = $test->started(@WORDS);
    ok(eventually(sub { is_held($test) }), 'both copies are in their pass');
    my ($copy) = $test->copies($run);
    kill STOP => $copy;
    ok(eventually(sub { states($copy) =~ /\AT?\z/ }), 'the copy is stopped');
    kill CONT => $copy;
    is_made_again($test, $run);
};

# A pass is too late to be valid after a second and its own seconds, which are few here.
use constant TOO_LATE_S => 2;

subtest 'only the copies are frozen by a control group, until they are too late' => sub {
    my ($group, $file) = group_with(sort keys %FREEZERS);
    my $test = held();
    my $run  = $test->started(@WORDS);
    ok(eventually(sub { is_held($test) }), 'both copies are in their pass');
    join_group($group, $test->copies($run));
    freeze($group, $file);
    $test->write('hold', 'go-on', q{});
    select undef, undef, undef, TOO_LATE_S;
    thaw($group, $file);
    is_made_again($test, $run);
};

done_testing;
