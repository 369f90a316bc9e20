use strict;
use warnings;

use FindBin;
use Test::More;
use Time::HiRes qw(sleep);

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Alive                          qw(eventually group of_environment states);
use MultiUser                      qw(begin end_of is_clean);
use Needs                          qw(need_built skip_without);
use TestProgram                    qw(content);

# Signals: what happens to a load and its users when the driver is ended or stopped.
need_built('multiuser');
skip_without(machine => '/proc') if !-r '/proc/self/environ';

my @USERS = qw(--users 3 --line-limit 3600);
my @LINES = ('true', 'sleep 1000 & setsid sleep 1000 & touch here; sleep 1000');

# Time limits of a line in seconds. The longer ones are for a busy machine; a stop lasts longer than the limit.
my @LIMITS_S = (2, 20, 100);

subtest "the driver is ended by SIG$_->[0]" => sub {
    my ($signal, $number) = @$_;
    my $begun = under_way(\@LINES, 0, @USERS);
    kill $signal => $begun->{running}{pid};
    my $load = end_of($begun);
    is $load->{status}, -$number, 'the driver ends by the signal';
    unlike $load->{err}, qr/COUNT|ERROR/, 'no score and no error is printed';
    is_clean($load, 'after the signal');
    }
    for ['INT', 2], ['TERM', 15], ['HUP', 1];

subtest 'the driver is killed' => sub {
    my $begun  = under_way(\@LINES, 0, @USERS);
    my @groups = groups($begun);
    is @groups, 3, 'each user is a process group';
    kill KILL => $begun->{running}{pid};
    my $load = end_of($begun);
    ok eventually(sub {
        return !grep { group($_) } @groups;
        }),
        'the processes of the users are ended';
    kill KILL => of_environment("UB_MARK=$load->{mark}");    # orphans in sessions of their own
};

subtest 'the driver is stopped and continued' => sub {
    my (@all, $load);
    for my $limit_s (@LIMITS_S) {
        my @lines = ('touch here; while test -e ../go; do i=1; done', 'sleep 0.1');
        my $begun = under_way(\@lines, 1, qw(--users 2 --line-limit), $limit_s);
        @all = processes($begun);
        kill STOP => $begun->{running}{pid};
        ok eventually(sub { return states(groups($begun)) eq 'T' }), 'the users are stopped with the driver';
        sleep $limit_s + 0.5;
        $load = continued($begun);
        last if !$load->{said}{'load.incidents'};
    }
    is $load->{status},                 0, 'a continued load goes on to its end'               or diag $load->{err};
    is $load->{said}{'load.incidents'}, 0, 'the time of the stop does not count for the limit' or diag $load->{err};
    cmp_ok scalar(@all), '>=', 4, 'driver, guardian and users were running';
    is_clean($load, 'after the stop');
};

done_testing;

# Starts a load and waits until its users are at the line that touches "here". $has_go: whether there is a file "go"
# next to their homes from the start.
sub under_way {
    my ($lines, $has_go, @words) = @_;
    my $begun = begin({ files => [$has_go ? 'go' : ()] }, $lines, @words);
    my $users = $words[1];
    eventually(sub { return $users == (() = glob "$begun->{home}/user*/here") });
    eventually(sub { return count_groups($begun) == $users });
    return $begun;
}

# Removes the file "go", continues the stopped load, and waits for its end.
sub continued {
    my ($begun) = @_;
    unlink "$begun->{home}/go" or die "go: $!";
    kill CONT => $begun->{running}{pid};
    return end_of($begun);
}

sub processes { return of_environment("UB_MARK=$_[0]{mark}") }

# Returns the shells of the users: processes in a home that lead their process group.
sub groups {
    my ($begun) = @_;
    return grep { is_shell($_) } processes($begun);
}

sub is_shell {
    my ($pid)   = @_;
    my $group   = getpgrp $pid              // return 0;
    my $place   = readlink "/proc/$pid/cwd" // return 0;
    my ($state) = content("/proc/$pid/stat") =~ /[(](?:sleep|setsid)[)]/;
    return $group == $pid && !$state && $place =~ m{/user\d+\z};
}

sub count_groups { return scalar(() = groups(@_)) }
