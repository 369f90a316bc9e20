use strict;
use warnings;

use Fcntl qw(O_RDWR);
use FindBin;
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep);

use lib "$FindBin::Bin/../lib";
use Alive       qw(eventually group of_environment states);
use MultiUser   qw(begin end_of is_clean play);
use Needs       qw(need_built skip_without);
use TestProgram qw(content scratch write_file);

# What happens to a load and its users when the driver is ended or stopped.
need_built('multiuser');
skip_without(machine => '/proc') if !-r '/proc/self/environ';

my @USERS = qw(--users 3 --line-limit 3600);
my @LINES = ('true', 'sleep 1000 & setsid sleep 1000 & touch here; sleep 1000');

# How long users may wait, in seconds: more where the machine is so busy that they need more. A stop lasts longer.
my @LIMITS_S = (2, 20, 100);

subtest "ended by SIG$_->[0]" => sub {
    my ($signal, $number) = @$_;
    my $begun = under_way(\@LINES, 0, @USERS);
    kill $signal => $begun->{running}{pid};
    my $load = end_of($begun);
    is $load->{status}, -$number, 'it ends as the signal asks';
    unlike $load->{err}, qr/COUNT|ERROR/, 'no score';
    is_clean($load, 'afterwards');
    }
    for ['INT', 2], ['TERM', 15], ['HUP', 1];

subtest 'killed' => sub {
    my $begun  = under_way(\@LINES, 0, @USERS);
    my @groups = groups($begun);
    is @groups, 3, 'users are process groups of their own';
    kill KILL => $begun->{running}{pid};
    my $load = end_of($begun);
    ok eventually(
        sub {
            return !grep { group($_) } @groups;
        }
        ),
        'their processes are ended';
    kill KILL => of_environment("UB_MARK=$load->{mark}");    # those with sessions of their own, which nobody adopts
};

subtest 'killed while all think' => sub {
    my $begun = begin({}, ['true', 'true'], @USERS, qw(--scale 100));
    eventually(sub { return count_groups($begun) == 3 });
    kill KILL => $begun->{running}{pid};
    my $load = end_of($begun);
    ok eventually(sub { return !(() = processes($load)) }), 'no process is left';
};

subtest 'stopped and continued' => sub {
    my (@all, $load);
    for my $limit_s (@LIMITS_S) {
        my @lines = ('touch here; while test -e ../go; do i=1; done', 'sleep 0.1');
        my $begun = under_way(\@lines, 1, qw(--users 2 --line-limit), $limit_s);
        @all = processes($begun);
        kill STOP => $begun->{running}{pid};
        ok eventually(sub { return states(groups($begun)) eq 'T' }), 'so are the users';
        sleep $limit_s + 0.5;
        $load = continued($begun);
        last if !$load->{said}{'load.incidents'};
    }
    is $load->{status},                 0, 'it goes on to its end'                      or diag $load->{err};
    is $load->{said}{'load.incidents'}, 0, 'what users waited meanwhile does not count' or diag $load->{err};
    cmp_ok scalar(@all), '>=', 4, 'driver, guardian and users were there';
    is_clean($load, 'afterwards');
};

subtest 'stopped while somebody answers' => sub {
    my $wait = 'touch here; while test -e ../go && ! test -e answer; do sleep 0.01; done';
    my $load;
    for my $limit_s (@LIMITS_S) {
        my $begun = under_way(['true', $wait], 1, qw(--users 3 --line-limit), $limit_s);
        kill STOP => $begun->{running}{pid};
        write_file("$begun->{home}/user0001/answer", q{});
        sleep $limit_s + 1;
        $load = continued($begun);
        last if !$load->{said}{'load.incidents'};
    }
    is $load->{said}{'load.incidents'}, 0, 'what others waited meanwhile does not count' or diag $load->{err};
    is_clean($load, 'afterwards');
};

subtest 'nobody reads what is printed' => sub {
    my $place = scratch();
    POSIX::mkfifo("$place/full", 0600) or die "mkfifo: $!";
    sysopen my $full, "$place/full", O_RDWR or die "full: $!";
    my $before = ['sh', '-c', 'exec "$@" >' . "$place/full", 'sh'];
    my $begun  = begin({ before => $before }, ['yes | sed 100000q'], qw(--users 1));
    ok eventually(sub { return !count_groups($begun) && -s "$begun->{home}/user0001.out" }), 'the load is played';
    ok eventually(sub { return is_full($full) }), 'and nothing more can be printed';
    kill TERM => $begun->{running}{pid};
    my $load = end_of($begun);
    is $load->{status}, -15, 'it ends as the signal asks';
    is_clean($load, 'afterwards');
};

subtest 'a user is stopped and continued' => sub {
    my $begun = under_way(['touch here; while test -e ../go; do sleep 0.01; done', 'true'], 1, qw(--users 2));
    my ($user) = groups($begun);
    kill STOP => $user;
    ok eventually(sub { return states($user) =~ /T/ }), 'its shell is stopped';
    kill CONT => $user;
    unlink "$begun->{home}/go" or die "go: $!";
    my $load = end_of($begun);
    is $load->{said}{'load.incidents'}, 1,             'that is said' or diag $load->{err};
    is $load->{said}{'incident.1.2'},   'was stopped', 'what happened';
    is_clean($load, 'afterwards');
};

subtest 'users are killed' => sub {
    my @lines = ('true', 'touch here; while test -e ../go; do sleep 0.01; done', 'true');
    my $begun = under_way(\@lines, 1, qw(--users 3));
    kill KILL => (groups($begun))[0];
    eventually(sub { return count_groups($begun) == 2 });
    unlink "$begun->{home}/go" or die "go: $!";
    my $load = end_of($begun);
    is_deeply [@{ $load->{said} }{ map { "load.$_" } qw(finished lines incidents) }], [2, 7, 1], 'the others go on';
    is $load->{said}{'incident.1.2'}, 'ended: killed by SIGKILL', 'what happened';
    is_clean($load, 'afterwards');
};

done_testing;

# A load whose users are at the line that touches "here". $has_go: a file "go" is beside their homes from the start.
sub under_way {
    my ($lines, $has_go, @words) = @_;
    my $begun = begin({ files => [$has_go ? 'go' : ()] }, $lines, @words);
    my $users = $words[1];
    eventually(sub { return $users == (() = glob "$begun->{home}/user*/here") });
    eventually(sub { return count_groups($begun) == $users });
    return $begun;
}

# The load that was stopped goes on without that file, to its end.
sub continued {
    my ($begun) = @_;
    unlink "$begun->{home}/go" or die "go: $!";
    kill CONT => $begun->{running}{pid};
    return end_of($begun);
}

# Whether nothing can be written there without waiting.
sub is_full {
    my ($handle) = @_;
    vec(my $wanted = q{}, fileno $handle, 1) = 1;
    return !select undef, $wanted, undef, 0;
}

sub processes { return of_environment("UB_MARK=$_[0]{mark}") }

# The shells of the users: those that are the first of their groups, in their homes.
sub groups {
    my ($begun) = @_;
    return grep { is_shell($_) } processes($begun);
}

sub is_shell {
    my ($pid)   = @_;
    my $group   = getpgrp $pid              // return 0;
    my $place   = readlink "/proc/$pid/cwd" // return 0;
    my ($state) = content("/proc/$pid/stat") =~ /[(]sleep[)]/;
    return $group == $pid && !$state && $place =~ m{/user\d+\z};
}

sub count_groups { return scalar(() = groups(@_)) }
