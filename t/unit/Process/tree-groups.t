use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Alive qw(eventually states);
use UnixBench::Process::Tree;

# Starts a process that leads a group; returns its number when it does.
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
is_deeply([UnixBench::Process::Tree::_living_groups(@all)],           [$runs, $stopped], 'those that live');
is_deeply([UnixBench::Process::Tree::_living_groups($zombie, $gone)], [],                'none');
is_deeply([UnixBench::Process::Tree::kill_groups(@all)], [$runs, $stopped, $zombie],     'those that are there');
UnixBench::Process::Tree::wait_until_gone(@all);
is_deeply([UnixBench::Process::Tree::_living_groups(@all)], [], 'are gone when they were waited for');
is(waitpid($_, POSIX::WNOHANG()), $_, 'killed') for $runs, $stopped, $zombie;

subtest 'a group that ends when it is asked to' => sub {
    my $group = leader(0);
    my @killed;
    no warnings 'redefine';
    local *UnixBench::Process::Tree::kill_groups = sub { push @killed, @_; return };
    local $SIG{CHLD} = 'IGNORE';                                                       # it leaves no zombie
    UnixBench::Process::Tree::end_groups($group);
    is_deeply(\@killed, [], 'is not killed: another one may have its number');
};

done_testing();
