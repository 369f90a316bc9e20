# The search for the capacity, and meters compared with known values, by the program itself.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use CDriver                        qw(plain_program);
use MultiUser                      qw(is_clean play);
use Needs                          qw(need_built need_compiler skip_without);
use TestProgram                    qw(count_of is_error);

# Meters of a load compared with known values: a program that uses a given CPU time.
need_built('multiuser');

use constant { USERS => 3, WITHIN => 0.05 };

subtest 'CPU time' => sub {
    need_compiler();
    skip_without(machine => 'Linux') if $^O ne 'linux';
    my $said  = meters(plain_program('features/multiuser/t/known.c') . ' 0.5');
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

# Takes a line; runs a load of that line, and returns its meters.
sub meters {
    my ($line) = @_;
    my $load = play({}, [$line], '--users', USERS);
    is $load->{said}{'load.finished'},  USERS, 'all users finish' or diag $load->{err};
    is $load->{said}{'load.incidents'}, 0,     'there is no incident';
    my %meters = map { /\Ameter[.](.*)/ ? ($1 => $load->{said}{$_}) : () } keys %{ $load->{said} };
    return \%meters;
}

sub total { my ($said, $scope) = @_; return $said->{"$scope.cpu_user_s"} + $said->{"$scope.cpu_system_s"} }

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

# The search for the capacity, with the program itself. Its users queue for one resource, so the answer depends on the
# number of users and not on the machine.

my $QUEUE = 'until mkdir ../taken 2>/dev/null; do sleep 0.01; done; sleep 0.01; rmdir ../taken';
my @LINES = ('#= extract', ($QUEUE) x 5, '#= whole', 'false');
my @PACE  = qw(--find-capacity --think 2-15 --scale 0.006);

subtest 'users in a queue' => sub {
    my $load = play({}, \@LINES, @PACE);
    is $load->{status}, 0, 'exit status 0' or diag $load->{err};
    my ($users, $timebase, $unit) = count_of($load);
    is "$timebase $unit", '0 users', 'the score is a number of users, not a rate';
    my $within = $load->{said}{'capacity.users'};
    cmp_ok $users, '>=', $within, 'the score is not below the number of users that is served in time';
    my %p95   = map { /\Atrial[.](\d+)[.]4\z/ ? ($1 => $load->{said}{$_}) : () } keys %{ $load->{said} };
    my $alone = $load->{said}{'capacity.alone_p95_s'};
    cmp_ok $p95{$within}, '<=', 2 * $alone, 'p95 is at most twice that of one user' if $within > 1;
    my ($beyond) = sort { $a <=> $b } grep { $_ > $within } keys %p95;
    cmp_ok $beyond - $within, '<=', $within < 32 ? 1 : $within / 16, 'a slightly larger number of users was tried';
    cmp_ok $p95{$beyond},     '>',  2 * $alone,                      'the larger number of users is above the limit';
    cmp_ok $users,            '<=', $beyond, 'the score is not above the larger number of users';
    is scalar(() = $load->{err} =~ /^trial[.]1[.]/mg), 1,   'only one trial of one user is reported';
    is $load->{said}{'trial.1.0'},                     5,   'trials run only the lines of the extract';
    is $load->{said}{'capacity.is_least'},             0,   'the capacity is not a lower bound';
    is $load->{said}{'capacity.limit'},                2,   'the limit is reported';
    is $load->{out},                                   q{}, 'the output of users in trials is not kept';
    is_clean($load, 'after the search');
};

subtest 'a line that fails' => sub {
    my $load = play({}, ['true', 'test "${PWD##*000}" = 1'], @PACE);
    is_error($load, 1, 'user \d+ of \d+, line 2: exit status 1 instead of 0', 'a line fails in a trial');
    is_clean($load, 'after a failed line');
};

done_testing;
