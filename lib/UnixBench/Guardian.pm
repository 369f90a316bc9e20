package UnixBench::Guardian;

# The life of the guardian: a process in a session of its own that outlives a killed Run and ends what it
# left behind.

use strict;
use warnings;

use File::Path ();
use POSIX      ();

# Reads "+PID" and "-PID" lines, one for each process group that starts and is gone, until the writers are
# gone; then ends the groups that are left and removes the scratch directory.
sub watch {
    my ($lifeline, $scratch) = @_;
    POSIX::setsid();
    chdir '/';
    local $0 = 'Run: guardian';
    my $null = POSIX::open('/dev/null', POSIX::O_RDWR());
    POSIX::dup2($null, $_) for 0 .. 2;
    my (%group, $said);
    while (sysread $lifeline, $said, 4096, length($said // q{})) {
        while ($said =~ s/\A([-+])([0-9]+)\n//) {
            if ($1 eq q{+}) { $group{$2} = 1 }
            else            { delete $group{$2} }
        }
    }
    kill 'KILL', -$_ for keys %group;
    File::Path::remove_tree($scratch, { safe => 0, error => \my $unused });
    return;
}

1;
