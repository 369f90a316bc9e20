use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use CDriver     qw(plain_program);
use MultiUser   qw(play);
use Needs       qw(need_built need_compiler skip_without);
use TestProgram qw(content);

# Meters against what is known: a program that uses just so much CPU time, so many pages, so many processes.
need_built('multiuser');
need_compiler();
skip_without(machine => 'Linux') if $^O ne 'linux';

use constant { USERS => 3, WITHIN => 0.05 };

my $KNOWN = plain_program('t/multiuser/known.c');

subtest 'CPU time' => sub {
    my $said  = meters("$KNOWN cpu 0.5");
    my $total = $said->{'users.cpu_user_s'} + $said->{'users.cpu_system_s'};
    is_about($total,                      USERS * 0.5, 'users, user and system');
    is_about($said->{'users.cpu_user_s'}, $total,      'it is user time');
    is_about(total($said, 'finished'),    $total,      'of those that finished');
    at_least($said->{'machine.cpu_user_s'}, USERS * 0.5, 'the machine');
SKIP: {
        skip_without(machine => 'a control group that counts CPU time', 1) if !defined $said->{'group.cpu_user_s'};
        at_least($said->{'group.cpu_user_s'}, USERS * 0.5, 'the control group');
    }
    my $time = 0;
    $time += $said->{"machine.cpu_$_"} for qw(user_s system_s irq_s steal_s idle_s iowait_s);
    my $cpus = qx(getconf _NPROCESSORS_ONLN);
    cmp_ok abs($time / ($said->{'machine.elapsed_s'} * $cpus) - 1), '<', 0.1,
        'all times of the machine are all there is';
};

subtest 'CPU time of what is left running' => sub {
    my ($plain, $said) =
        map { meters("mkfifo done; (setsid sh -c '$KNOWN cpu $_; echo >done' &); read line <done") } 0, 0.2;
    is_about(total($said, 'users') - total($plain, 'users'), USERS * 0.2, 'users');
    cmp_ok total($said, 'finished'), '<', 0.1, 'those that finished have not waited for it';
};

subtest 'page faults' => sub {
    my $said = meters("$KNOWN pages 20000");
    is_about($said->{'users.faults_minor'},    USERS * 20_000, 'users');
    is_about($said->{'finished.faults_minor'}, USERS * 20_000, 'of those that finished');
    at_least($said->{'machine.faults_minor'}, USERS * 20_000, 'the machine');
    my $page_kb = qx(getconf PAGESIZE) / 1024;
    is_about($said->{'users.rss_most_kb'}, 20_000 * $page_kb, 'the largest process');
};

# The machine counts those of others, too: what it counted from before until behind the load is the most.
subtest 'processes' => sub {
    my $before = forks_of_machine();
    my $forks  = meters("$KNOWN forks 3000")->{'machine.forks'};
    my $most   = forks_of_machine() - $before;
    at_least($forks, USERS * 3000, 'the machine');
    cmp_ok $forks, '<=', $most, "the machine: $forks, known: at most $most";
};

done_testing;

# The meters of a load of one line.
sub meters {
    my ($line) = @_;
    my $load = play({}, [$line], '--users', USERS);
    is $load->{said}{'load.finished'},  USERS, 'all finished' or diag $load->{err};
    is $load->{said}{'load.incidents'}, 0,     'no incident';
    my %meters = map { /\Ameter[.](.*)/ ? ($1 => $load->{said}{$_}) : () } keys %{ $load->{said} };
    return \%meters;
}

# The processes that the machine has started until now.
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
