package UnixBench::Process::Tree;

# Finds the processes that a program has started, even in other groups and sessions: by their parents, and by their
# environment. On Linux, it makes this program the parent of orphans. It finds nothing if /proc shows another PID
# namespace.

use strict;
use warnings;

use Config qw(%Config);

use UnixBench::Base::Files ();
use UnixBench::Base::Proc  ();

use constant {
    LOOK_EACH_S => 0.005,
    LOOKS       => 200,     # after KILL: 1 s at most
    LOOKS_TERM  => 400,     # after TERM: 2 s at most
};

# Two options of prctl(2).
use constant { SET_SUBREAPER => 36, GET_SUBREAPER => 37 };

# The number of the system call prctl(2), which differs between architectures.
my @CALLS = (
    [qr/\Ax86_64(?!.*x32)/                      => 157],
    [qr/\A(?:aarch64|riscv(?:32|64)|loongarch)/ => 167],
    [qr/\A(?:i[3-6]86|arm|s390x?\b|m68k)/       => 172],
    [qr/\A(?:powerpc|ppc)/                      => 171],
);
my ($PRCTL) = map { $_->[1] } grep { $Config{archname} =~ $_->[0] } @CALLS;

# Takes whether orphans of this program's descendants become its children from now on. Returns whether they do. That
# works only on Linux. It does not work if this program has children that it did not start: its process was a shell
# before, and these are the shell's children. Process 1 gets the orphans of other programs, too.
sub adopt_orphans {
    my ($is_wanted) = @_;
    return 0 if $^O ne 'linux' || !$PRCTL || $is_wanted && $$ != 1 && children($$);
    my $is_set = pack 'i', 0;
    return 0 if syscall($PRCTL, SET_SUBREAPER, $is_wanted ? 1 : 0, 0, 0, 0) != 0;
    return 0 if syscall($PRCTL, GET_SUBREAPER, $is_set, 0, 0, 0) != 0;
    return unpack('i', $is_set) == 1 ? 1 : 0;
}

# Takes a PID. Returns the PIDs of its children, including those that have ended and were not waited for.
sub children {
    my ($pid) = @_;
    return if !UnixBench::Base::Proc::is_ours();
    my $text = UnixBench::Base::Files::content("/proc/$pid/task/$pid/children");
    return split q{ }, $text if defined $text;
    my $parents = _parents();
    return grep { $parents->{$_} == $pid } keys %$parents;
}

# Takes PIDs. Returns the PIDs of all their living descendants, without themselves.
sub descendants {
    my (@pids) = @_;
    my $parents = _parents();
    my %children;
    push @{ $children{ $parents->{$_} } }, $_ for keys %$parents;
    my (@found, %seen);
    while (@pids) {
        my @next = grep { !$seen{$_}++ } map { @{ $children{$_} || [] } } @pids;
        push @found, @next;
        @pids = @next;
    }
    return @found;
}

# Returns the PIDs of all processes that have not ended.
sub all { return keys %{ _parents() } }

# Takes a scratch directory and PIDs. Returns those of processes whose UB_SCRATCH is below that directory, see
# UnixBench::Measure::Pass, as far as this user may read their environment. Processes in another PID namespace are left
# out: a Run in a container may have a directory of the same name.
sub given_directory_in {
    my ($scratch, @pids) = @_;
    my $namespace = _pid_namespace('self');
    my $is_below  = qr{(?:\A|\0)UB_SCRATCH=\Q$scratch\E/};
    return grep {
        (UnixBench::Base::Files::content("/proc/$_/environ") // q{}) =~ $is_below && _pid_namespace($_) eq $namespace
    } @pids;
}

sub _pid_namespace { my ($pid) = @_; return readlink("/proc/$pid/ns/pid") // q{} }

# Takes PIDs. Returns the start time of each process, { pid => time }, without those that have ended.
sub births {
    my (@pids) = @_;
    return { map { @$_[0, 2] } _states(@pids) };
}

# Takes the result of births(). Returns the PIDs of those processes that have not ended since. A PID that was reused is
# left out.
sub living_since {
    my ($births) = @_;
    my $now = births(keys %$births);
    return grep { defined $now->{$_} && $now->{$_} == $births->{$_} } keys %$births;
}

sub _parents {
    return {} if !UnixBench::Base::Proc::is_ours();
    return { map { @$_[0, 1] } _states(grep { /\A[0-9]+\z/ } UnixBench::Base::Files::names_in('/proc')) };
}

# Takes PIDs. Returns [pid, parent, start time, state] for each process that has not ended.
sub _states {
    my (@pids) = @_;
    my @states = map { [$_, UnixBench::Base::Proc::of($_, qw(parent started state))] } @pids;
    return grep { @$_ > 1 && $_->[3] !~ /[ZX]/ } @states;
}

# Takes process groups. Asks them to end, then kills those that are left after 2 s.
sub end_groups {
    my (@groups) = @_;
    kill $_, map { -$_ } @groups for qw(TERM CONT);
    return wait_until_gone(kill_groups(_wait(LOOKS_TERM, @groups)));
}

# Takes process groups. Kills them. Returns those that still existed.
sub kill_groups {
    my (@groups) = @_;
    return grep { kill 'KILL', -$_ } @groups;
}

# Takes process groups that were killed. Waits until they are gone.
sub wait_until_gone {
    my (@groups) = @_;
    _wait(LOOKS, @groups);
    return;
}

# Takes the number of checks, and process groups. Waits until the groups are gone. Returns those that are left after
# these checks. A group that is gone is not checked again, because its number may be reused.
sub _wait {
    my ($looks, @groups) = @_;
    for (1 .. $looks) {
        @groups = _living_groups(@groups) or return;
        select undef, undef, undef, LOOK_EACH_S;
    }
    return @groups;
}

# Returns the groups with a member that is not a zombie: a zombie may stay for long if its parent does not collect it.
sub _living_groups {
    my (@groups) = @_;
    @groups = grep { kill 0, -$_ } @groups or return;
    return @groups if !UnixBench::Base::Proc::is_ours();
    opendir my $processes, '/proc' or return @groups;
    my @members = map { [UnixBench::Base::Proc::of($_, qw(state group))] } grep { /\A[0-9]/ } readdir $processes;
    closedir $processes;
    my %living = map { $_->[1] => 1 } grep { @$_ && $_->[0] !~ /[ZX]/ } @members;
    return %living ? grep { $living{$_} } @groups : ();
}

1;
