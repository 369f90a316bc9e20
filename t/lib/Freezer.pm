package Freezer;

# Control groups that freeze processes.

use strict;
use warnings;

use Exporter 'import';
use Test::More;

use Alive        qw(eventually states);
use ControlGroup ();
use Needs        qw(skip_without);
use UnixBench::Process::LostTime;

our @EXPORT_OK = qw(any_group freeze freezers group_with join_group thaw);

# The file of a control group that freezes it => its controller, the values for frozen and thawed, and the file that
# reports the state.
my %FREEZERS = (
    'freezer.state' => { controller => 'freezer', FROZEN => 'FROZEN', THAWED => 'THAWED', says => 'freezer.state' },
    'cgroup.freeze' => { controller => q{},       FROZEN => 1,        THAWED => 0,        says => 'cgroup.events' },
);

# Returns the names of these files.
sub freezers { my @names = sort keys %FREEZERS; return @names }

# Takes the name of such a file; returns a control group with it. Skips the subtest if this machine has none.
sub group_with { my ($file) = @_; return _group_with($file) || _skip($file) }

# Returns a control group and the name of its freezer, the first that this machine has. Skips the subtest without one.
sub any_group {
    for my $file (freezers()) {
        my $group = _group_with($file) or next;
        return ($group, $file);
    }
    return _skip('a freezer');
}

sub _group_with {
    my ($file) = @_;
    return UnixBench::Process::LostTime::is_known() ? ControlGroup->new($FREEZERS{$file}{controller} => $file) : undef;
}

sub _skip { my ($file) = @_; return skip_without(machine => "a control group with $file, and a count of switches") }

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

1;
