package UnixBench::Process::Group;

# Ends process groups and waits until they are gone.

use strict;
use warnings;

use UnixBench::Process::Stat ();

use constant {
    LOOK_EACH_S => 0.005,
    LOOKS       => 200,     # after KILL: 1 s at most
    LOOKS_TERM  => 400,     # after TERM: 2 s at most
};

# Asks these groups to end, then kills the rest.
sub end {
    my (@groups) = @_;
    kill $_, map { -$_ } @groups for qw(TERM CONT);
    return wait_until_gone(kill_left(_wait(LOOKS_TERM, @groups)));
}

# Kills these groups. Returns those that still existed.
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

# Returns those that are left. The number of a group that is gone may soon belong to another one.
sub _wait {
    my ($looks, @groups) = @_;
    for (1 .. $looks) {
        @groups = _living(@groups) or return;
        select undef, undef, undef, LOOK_EACH_S;
    }
    return @groups;
}

# Returns the groups with a member that is not a zombie: a zombie may stay for long if its parent does not collect it.
sub _living {
    my (@groups) = @_;
    @groups = grep { kill 0, -$_ } @groups or return;
    opendir my $processes, '/proc' or return @groups;
    my @members = map { [UnixBench::Process::Stat::of($_, qw(state group))] } grep { /\A[0-9]/ } readdir $processes;
    closedir $processes;
    my %living = map { $_->[1] => 1 } grep { @$_ && $_->[0] !~ /[ZX]/ } @members;
    return %living ? grep { $living{$_} } @groups : ();
}

1;
