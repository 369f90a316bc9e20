use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use CDriver                        qw(plain_program);
use MultiUser                      qw(play);
use Needs                          qw(need_built need_compiler skip_without);
use TestProgram                    qw(content);

# Meters of a load compared with known values: a program that uses a given CPU time, number of pages, or number of
# processes.
need_built('multiuser');
need_compiler();
skip_without(machine => 'Linux') if $^O ne 'linux';

use constant { USERS => 3, WITHIN => 0.05 };

my $KNOWN = plain_program('features/multiuser/t/known.c');

subtest 'CPU time' => sub {
    my $said  = meters("$KNOWN cpu 0.5");
    my $total = $said->{'users.cpu_user_s'} + $said->{'users.cpu_system_s'};
    is_about($total,                      USERS * 0.5, 'CPU time of the users');
    is_about($said->{'users.cpu_user_s'}, $total,      'user time of the users');
    is_about(total($said, 'finished'),    $total,      'CPU time of users that finished');
    at_least($said->{'machine.cpu_user_s'}, USERS * 0.5, 'CPU time of the machine');
SKIP: {
        skip_without(machine => 'a control group that counts CPU time', 1) if !defined $said->{'group.cpu_user_s'};
        at_least($said->{'group.cpu_user_s'}, USERS * 0.5, 'CPU time of the control group');
    }
    my $time = 0;
    $time += $said->{"machine.cpu_$_"} for qw(user_s system_s irq_s steal_s idle_s iowait_s);
    my $cpus = qx(getconf _NPROCESSORS_ONLN);
    cmp_ok abs($time / ($said->{'machine.elapsed_s'} * $cpus) - 1), '<', 0.1,
        'the times of the machine add up to those of all CPUs';
};

subtest 'CPU time of background processes' => sub {
    my ($plain, $said) =
        map { meters("mkfifo done; (setsid sh -c '$KNOWN cpu $_; echo >done' &); read line <done") } 0, 0.2;
    is_about(
        total($said, 'users') - total($plain, 'users'),
        USERS * 0.2,
        'CPU time of background processes of the users'
    );
    cmp_ok total($said, 'finished'), '<', 0.1, 'background processes do not count for users that finished';
};

subtest 'page faults' => sub {
    my $said = meters("$KNOWN pages 20000");
    is_about($said->{'users.faults_minor'},    USERS * 20_000, 'page faults of the users');
    is_about($said->{'finished.faults_minor'}, USERS * 20_000, 'page faults of users that finished');
    at_least($said->{'machine.faults_minor'}, USERS * 20_000, 'page faults of the machine');
    my $page_kb = qx(getconf PAGESIZE) / 1024;
    is_about($said->{'users.rss_most_kb'}, 20_000 * $page_kb, 'memory of the largest process');
};

# The machine also counts other processes. The upper limit is the number that it started from before to after the load.
subtest 'processes' => sub {
    my $before = forks_of_machine();
    my $forks  = meters("$KNOWN forks 3000")->{'machine.forks'};
    my $most   = forks_of_machine() - $before;
    at_least($forks, USERS * 3000, 'processes of the machine');
    cmp_ok $forks, '<=', $most, "processes of the machine: $forks, known: at most $most";
};

done_testing;

# Takes a line; runs a load of that line, and returns its meters.
sub meters {
    my ($line) = @_;
    my $load = play({}, [$line], '--users', USERS);
    is $load->{said}{'load.finished'},  USERS, 'all users finish' or diag $load->{err};
    is $load->{said}{'load.incidents'}, 0,     'there is no incident';
    my %meters = map { /\Ameter[.](.*)/ ? ($1 => $load->{said}{$_}) : () } keys %{ $load->{said} };
    return \%meters;
}

# Returns the number of processes that the machine has started until now.
sub forks_of_machine { return (content('/proc/stat') =~ /^processes (\d+)/m)[0] }

sub total {
    my ($said, $scope) = @_;
    return $said->{"$scope.cpu_user_s"} + $said->{"$scope.cpu_system_s"};
}

sub is_about {
    my ($found, $known, $what) = @_;
    cmp_ok abs($found / $known - 1), '<', WITHIN, "$what: $found, known: $known";
    return;
}

sub at_least {
    my ($found, $known, $what) = @_;
    cmp_ok $found, '>=', $known * (1 - WITHIN), "$what: $found, known: at least $known";
    return;
}
