package UnixBench::Guardian;

# The life of the guardian: a process in a session of its own that outlives a killed Run and ends what it
# left behind.

use strict;
use warnings;

use Errno      qw(EINTR);
use File::Path ();
use POSIX      ();

use UnixBench::ProcessGroup ();

# Takes a pipe, the scratch directory, and what there is to care for: process groups that live, paths of directories.
# Reads lines "+NAME" and "-NAME", for what comes and is gone, until the writers are gone. Then ends the groups that are
# left, first gently, as a display has to clean up, and removes the directories that are empty, and the scratch
# directory.
sub watch {
    my ($lifeline, $scratch, @names) = @_;
    POSIX::setsid();
    chdir '/';
    local $0 = 'Run: guardian';
    my $null = POSIX::open('/dev/null', POSIX::O_RDWR());
    POSIX::dup2($null, $_) for 0 .. 2;
    my %left = map { $_ => 1 } @names;
    my $said = q{};

    while (_hear($lifeline, \$said)) {
        while ($said =~ s/\A([-+])(.+)\n//) {
            if ($1 eq q{+}) { $left{$2} = 1 }
            else            { delete $left{$2} }
        }
    }
    UnixBench::ProcessGroup::end(grep { m{\A[0-9]+\z} } keys %left);
    rmdir for grep { m{\A/} } keys %left;
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
