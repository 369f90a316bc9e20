package UnixBench::Process::Group;

# Ends process groups and looks whether they are gone.

use strict;
use warnings;

use constant {
    LOOK_EACH_S => 0.005,
    LOOKS       => 200,     # what KILL has killed is waited for, but for no longer than a second
    LOOKS_TERM  => 400,     # what TERM may end, for two
};

# Ends these groups: asks them to, then kills what is left.
sub end {
    my (@groups) = @_;
    kill $_, map { -$_ } @groups for qw(TERM CONT);
    return wait_until_gone(kill_left(_wait(LOOKS_TERM, @groups)));
}

# Kills what is left of these groups; returns those of which something was.
sub kill_left {
    my (@groups) = @_;
    return grep { kill 'KILL', -$_ } @groups;
}

# Waits until these groups, which were killed, are gone.
sub wait_until_gone {
    my (@groups) = @_;
    _wait(LOOKS, @groups);
    return;
}

# Returns those that are left: the number of one that is gone may soon be another's.
sub _wait {
    my ($looks, @groups) = @_;
    for (1 .. $looks) {
        @groups = _living(@groups) or return;
        select undef, undef, undef, LOOK_EACH_S;
    }
    return @groups;
}

# Those of the groups that have a member which is no zombie: zombies may stay for long where nobody collects them.
sub _living {
    my (@groups) = @_;
    @groups = grep { kill 0, -$_ } @groups or return;
    opendir my $processes, '/proc' or return @groups;
    my %living =
        map { $_ => 1 } grep { defined } map { _living_in("/proc/$_/stat") } grep { /\A[0-9]/ } readdir $processes;
    closedir $processes;
    return %living ? grep { $living{$_} } @groups : ();
}

# Takes the path of a process's stat (proc(5)), where its state and its group stand behind the name in brackets;
# returns the group, or undef for a zombie.
sub _living_in {
    my ($path) = @_;
    open my $file, '<', $path or return;
    my $stat = readline $file;
    close $file;
    my ($state, $group) = ($stat // q{}) =~ /.*[)] (\S) [0-9]+ ([0-9]+)/s or return;
    return $state =~ /[ZX]/ ? undef : $group;
}

1;
