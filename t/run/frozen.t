use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive   qw(eventually of_environment states);
use Freezer qw(any_group freeze freezers group_with join_group thaw);
use Needs   qw(skip_without tracing);
use TestRun qw(waited);
use UnixBench::Base::Files;

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

for my $file (freezers()) {
    subtest "a run whose control group is frozen and thawed by $file" => sub {
        my $group = group_with($file);
        my $test  = held();
        my $run   = $test->started_by($group->words($^X, "$TestRun::HOME/Run", @WORDS));
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

# Sleeps until a held pass is too late.
sub until_too_late {
    select undef, undef, undef, TOO_LATE_S;
    return;
}

# Attaches a debugger to a process; returns its PID, or nothing if it is not allowed.
sub attach {
    my ($pid) = @_;
    my $tracer = fork // die "fork: $!\n";
    if (!$tracer) {
        open STDERR, '>', '/dev/null';
        exec qw(strace -f -e trace=none -o /dev/null -p), $pid or POSIX::_exit(127);
    }
    return $tracer if eventually(sub { status_of($pid) =~ /^TracerPid:\s+[1-9]/m });
    kill KILL => $tracer;
    waitpid $tracer, 0;
    return;
}

sub status_of { my ($pid) = @_; return UnixBench::Base::Files::content("/proc/$pid/status") // q{} }

subtest 'only the copies are frozen by a control group, until they are too late' => sub {
    my ($group, $file) = any_group();
    my $test = held();
    my $run  = $test->started(@WORDS);
    ok(eventually(sub { is_held($test) }), 'both copies are in their pass');
    join_group($group, $test->copies($run));
    freeze($group, $file);
    $test->write('hold', 'go-on', q{});
    until_too_late();
    thaw($group, $file);
    is_made_again($test, $run);
};

subtest 'a run with a debugger, all of it frozen' => sub {
    my ($group, $file) = any_group();
    my $test   = held();
    my $run    = $test->started(@WORDS);
    my $tracer = attach($run->{pid}) or skip_without(tracing());
    ok(eventually(sub { is_held($test) }), 'both copies are in their pass');
    join_group($group, $run->{pid}, $test->copies($run));
    freeze($group, $file);
    until_too_late();
    thaw($group, $file);
    $test->write('hold', 'go-on', q{});
    is_made_again($test, $run);
    kill TERM => $tracer;
    waitpid $tracer, 0;
};

use constant FROZEN_S => 0.5;

# Returns the PIDs of the copies that have begun to work.
sub working {
    my ($test, $run) = @_;
    return grep { status_of($_) =~ /^State:\s+R/m } $test->copies($run);
}

# A real program works for two seconds, so that a part of them can be missing.
subtest 'the copies are frozen, and go on before their seconds are over' => sub {
    my ($group, $file) = any_group();
    skip_without(program => 'syscall') if !-x "$TestRun::HOME/pgms/syscall";
    my $test = TestRun->new(own_group => 1, env => { UB_TIME_FACTOR => 0.2 });
    $test->put('syscall', '../../pgms/syscall');
    my $run = $test->started(qw(-q -c 2 -i 1 syscall));
    ok(eventually(sub { working($test, $run) == 2 }), 'both copies work');
    join_group($group, $test->copies($run));
    freeze($group, $file);
    select undef, undef, undef, FROZEN_S;
    thaw($group, $file);
    my $ended = waited($run);
    is_deeply([@$ended{qw(status signal)}], [0, 0], 'the run goes on to its end') or diag $ended->{said};
    like($test->data, qr/"cause":"waited","level":"disturbed"/, 'the pass is marked');
};

done_testing;
