package UnixBench::Guardian;

# The life of the guardian: a process in a session of its own that outlives a killed Run and ends what it
# left behind.

use strict;
use warnings;

use Errno      qw(EINTR);
use File::Path ();
use POSIX      ();

use UnixBench::ProcessGroup ();

# Takes a pipe, the scratch directory and the process groups that live. Reads "+PID" and "-PID" lines, one for
# each group that starts and is gone, until the writers are gone; then ends the groups that are left, first gently, as
# a display has to clean up, and removes the scratch directory.
sub watch {
    my ($lifeline, $scratch, @groups) = @_;
    POSIX::setsid();
    chdir '/';
    local $0 = 'Run: guardian';
    my $null = POSIX::open('/dev/null', POSIX::O_RDWR());
    POSIX::dup2($null, $_) for 0 .. 2;
    my %group = map { $_ => 1 } @groups;
    my $said  = q{};

    while (_hear($lifeline, \$said)) {
        while ($said =~ s/\A([-+])([0-9]+)\n//) {
            if ($1 eq q{+}) { $group{$2} = 1 }
            else            { delete $group{$2} }
        }
    }
    UnixBench::ProcessGroup::end(keys %group);
    File::Path::remove_tree($scratch, { safe => 0, error => \my $unused });
    return;
}

# Returns whether the writers are still there.
sub _hear {
    my ($lifeline, $said) = @_;
    my $got;
    1 while !defined($got = sysread $lifeline, $$said, 4096, length $$said) && $! == EINTR;
    return $got;
}

1;
