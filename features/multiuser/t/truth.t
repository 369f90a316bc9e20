use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use CDriver                        qw(plain_program);
use MultiUser                      qw(play);
use Needs                          qw(need_built need_compiler skip_without);

# Meters of a load compared with known values: a program that uses a given CPU time.
need_built('multiuser');
need_compiler();
skip_without(machine => 'Linux') if $^O ne 'linux';

use constant { USERS => 3, WITHIN => 0.05 };

my $KNOWN = plain_program('features/multiuser/t/known.c');

subtest 'CPU time' => sub {
    my $said  = meters("$KNOWN 0.5");
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
    cmp_ok abs($time / ($said->{'machine.elapsed_s'} * $cpus) - 1), '<', 0.1, 'times add up to all CPUs';
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
