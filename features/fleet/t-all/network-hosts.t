# The hosts on which the tests of fleets run: each has its own name, files, processes and CPU time.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../t/lib);
use Alive                          qw(eventually);
use Needs                          qw(skip_without);
use NetworkHosts                   qw(enter_network);

enter_network();

my @links = links();
my $hosts = NetworkHosts->new(qw(north south));
my ($north, $south) = map { $hosts->host($_) } qw(north south);

subtest 'a command runs on the host that was asked for' => sub {
    is($hosts->ssh($_, 'uname -n'), "$_\n", "$_ has its name") for qw(north south);
    $hosts->ssh('north', 'exit 7');
    is($? >> 8, 7, 'its exit status is kept');
    $hosts->ssh('north', 'touch /var/tmp/mine');
    is_deeply($north->files, ['/var/tmp/mine'], 'a file is found on the host that wrote it');
    is_deeply($south->files, [],                'it is not on the other host');
    $hosts->ssh('north', 'rm /var/tmp/mine');
    is_deeply($north->files, [], 'no file is left when it was removed');
    is(-e '/var/tmp/mine', undef, 'nothing was written on this machine');
};

subtest 'a process that is left on a host is found there' => sub {
    $hosts->ssh('north', 'setsid sleep 1234 > /dev/null 2>&1 < /dev/null &');
    ok(eventually(sub { "@{ $north->processes }" eq "sleep 1234 " }), "a detached process");
    is_deeply($south->processes, [], 'not on the other host');
    $north->crash;
    is_deeply($north->processes, [], 'a crash ends all processes');
    isnt(ssh_status('north'), 0, 'the host can not be reached');
    $north->boot;
    is(ssh_status('north'), 0, 'it can be reached after a boot');
};

subtest 'a host that is down can not be reached, the other one can' => sub {
    $south->down;
    is(ssh_status('south', 1), 255, 'the host that is down');
    is(ssh_status('north'),    0,   'the other host');
    $south->up;
    ok(eventually(sub { ssh_status('south') == 0 }), 'it can be reached again');
};

subtest 'a frozen host accepts a connection and does not answer' => sub {
    $south->freeze;
    ok(IO::Socket::INET->new(PeerAddr => $south->address . ':22', Timeout => 60), 'a connection');
    is(ssh_status('south', 1), 255, 'ssh gives up');
    $south->thaw;
    is(ssh_status('south'), 0, 'it answers again');
};

subtest 'a host without Perl' => sub {
    $south->without_perl;
    $hosts->ssh('south', 'command -v perl');
    isnt($?, 0, 'has no perl in PATH');
    is($hosts->ssh('south', 'echo 5 | sed s/5/6/'), "6\n", 'it has other programs');
    is($hosts->ssh('north', 'perl -e "print 5"'),   5,     'the other host has one');
};

subtest 'a quota of the CPU holds for all processes of the host' => sub {
    $north->quota(0.25) or skip_without(machine => 'a control group for CPU time');
    my $program = q{my $began_s = time; 1 while (times)[0] < 0.5; print join " ", (times)[0], time - $began_s};
    my ($user_s, $real_s) = split / /, $hosts->ssh('north', "perl -MTime::HiRes=time -e '$program'");
    cmp_ok($real_s, '>', 2 * $user_s, 'a command by SSH takes longer than the CPU time that it uses');
};

subtest 'nothing is left after the end' => sub {
    $hosts->ssh('south', 'setsid sleep 4321 > /dev/null 2>&1 < /dev/null &');
    my $is_there = sub {
        return scalar grep { /^sleep 4321$/ } qx(ps -A -o args);
    };
    ok(eventually($is_there), 'a process of a host is seen from here');
    my @groups = groups();
    undef $_ for $north, $south, $hosts;
    ok(!$is_there->(), 'it has ended with its host');
    is_deeply([links()],             \@links, 'no cable is left');
    is_deeply([grep { -e } @groups], [],      'no control group is left');
};

done_testing;

# Returns the names of the network's links.
sub links { return qx(ip -o link) =~ /^\d+: ([^:@]+)/gm }

# Returns the directories of the control groups of this test.
sub groups { return glob "/sys/fs/cgroup/{,*/}unixbench-test-$$-*" }

# Takes a name, and the seconds after which ssh gives up; tries to run a command there. Returns the exit status of ssh.
sub ssh_status {
    my ($name, $patience_s) = @_;
    system qw(ssh -n -q -F), $hosts->ssh_config, '-o', 'ConnectTimeout=' . ($patience_s // 60), $name, 'true';
    return $? >> 8;
}
