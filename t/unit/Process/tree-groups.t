use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Alive qw(eventually states);
use UnixBench::Process::Tree;

# Takes whether the process is to end at once. Starts it as the leader of a group; returns its number when the group
# exists.
sub leader {
    my ($is_to_end) = @_;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        setpgrp 0, 0;
        sleep 1000 while !$is_to_end;
        POSIX::_exit(0);
    }
    eventually(sub { kill 0, -$pid });
    return $pid;
}

my ($runs, $stopped, $zombie, $gone) = map { leader($_) } 0, 0, 1, 1;
kill STOP => $stopped;
waitpid $stopped, POSIX::WUNTRACED();
waitpid $gone,    0;
eventually(sub { states($zombie) eq q{} });

my @all = ($runs, $stopped, $zombie, $gone);
is_deeply([UnixBench::Process::Tree::_living_groups(@all)], [$runs, $stopped],
    'groups with a living process are found');
is_deeply([UnixBench::Process::Tree::_living_groups($zombie, $gone)],
    [], 'groups without a living process are not found');
is_deeply(
    [UnixBench::Process::Tree::kill_groups(@all)],
    [$runs, $stopped, $zombie],
    'kill_groups returns the groups that exist'
);
UnixBench::Process::Tree::wait_until_gone(@all);
is_deeply([UnixBench::Process::Tree::_living_groups(@all)], [], 'the groups are gone after wait_until_gone');
is(waitpid($_, POSIX::WNOHANG()), $_, "process $_ was killed") for $runs, $stopped, $zombie;

subtest 'a group that ends when asked to is not killed' => sub {
    my $group = leader(0);
    my @killed;
    no warnings 'redefine';
    local *UnixBench::Process::Tree::kill_groups = sub { push @killed, @_; return };
    local $SIG{CHLD} = 'IGNORE';                                                       # it leaves no zombie
    UnixBench::Process::Tree::end_groups($group);
    is_deeply(\@killed, [], 'kill_groups is not called, since another group may have the number');
};

done_testing();
