package UnixBench::Process::Guardian;

# The life of the guardian: a process in a session of its own that outlives a killed Run and ends what it
# left behind.

use strict;
use warnings;

use Errno      qw(EINTR);
use File::Path ();
use POSIX      ();

use UnixBench::Process::Group ();
use UnixBench::Process::Tree  ();

use constant {
    LOOKS       => 200,     # what copies have left elsewhere is killed until none is found, but for no longer
    LOOK_EACH_S => 0.005,
};

# Takes a pipe, the scratch directory, and what there is to care for: process groups that live, paths of directories.
# Reads lines "+NAME" and "-NAME", for what comes and is gone, until the writers are gone. Then ends the groups that are
# left, first gently, as a display has to clean up, and what copies have started in other groups; removes the
# directories that are empty, and the scratch directory.
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
    my @groups = grep { m{\A[0-9]+\z} && $_ > 1 } keys %left;    # kill would take -1 for all processes
    my $births = UnixBench::Process::Tree::births(@groups, UnixBench::Process::Tree::descendants(@groups));
    UnixBench::Process::Group::end(@groups);
    _end_others($scratch, $births);
    rmdir for grep { m{\A/} } keys %left;
    File::Path::remove_tree($scratch, { safe => 0, error => \my $unused });
    return;
}

# Kills what copies have started outside their groups: the processes of these births, and all that were given a
# directory in scratch, with all below them.
sub _end_others {
    my ($scratch, $births) = @_;
    for (1 .. LOOKS) {
        my @known  = UnixBench::Process::Tree::living_since($births);
        my @marked = UnixBench::Process::Tree::given_directory_in($scratch, UnixBench::Process::Tree::all());
        my @others = (@known, @marked) or last;
        kill KILL => @others, UnixBench::Process::Tree::descendants(@others);
        select undef, undef, undef, LOOK_EACH_S;
    }
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
