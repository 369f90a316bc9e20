use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../t/lib);
use Alive                          qw(eventually of_environment states);
use Freezer                        qw(freeze_and_thaw freezers group_with);
use Needs                          qw(need_built);
use TestRun                        qw(waited);
use UnixBench::Base::Files;

# A multi-user load that was frozen or stopped does not count and is made again.
need_built('multiuser');

# Returns a place for two users, who report that they are at their line, and wait there for the file "go-on".
sub at_their_line {
    my $test = TestRun->new(own_group => 1);
    mkdir $test->place('hold') or die "mkdir: $!\n";
    $test->{env} = { UB_TIME_FACTOR => 0.01, UB_HOLD => $test->place('hold') };
    $test->put('multiuser', '../../pgms/multiuser');
    $test->write('test', 'multiuser.script',
        qq{echo start >>"\$UB_HOLD/1"; until test -e "\$UB_HOLD/go-on"; do sleep 0.01; done\n});
    return $test;
}

my @USERS = qw(-q multiuser --users 2);

# Tests that the run ends normally, and that its users have run their lines twice.
sub is_load_made_again {
    my ($test, $run) = @_;
    $test->write('hold', 'go-on', q{});
    my $ended = waited($run);
    is_deeply([@$ended{qw(status signal)}], [0, 0], 'the run goes on to its end') or diag $ended->{said};
    is(scalar(() = $test->notes(1)), 4, 'both users have run their line twice');
    is_deeply([of_environment($test->place)], [], 'no process is left');
    return;
}

for my $file (freezers()) {
    subtest "a multi-user load whose control group is frozen and thawed by $file" => sub {
        my $group = group_with($file);
        my $test  = at_their_line();
        my $run   = $test->started_by($group->words($^X, "$TestRun::HOME/Run", @USERS));
        ok(eventually(sub { (() = $test->notes(1)) == 2 }), 'both users are at their line');
        freeze_and_thaw($group, $file);
        is_load_made_again($test, $run);
    };
}

subtest 'a multi-user load whose driver is stopped and continued' => sub {
    my $test = at_their_line();
    my $run  = $test->started(@USERS);
    ok(eventually(sub { (() = $test->notes(1)) == 2 }), 'both users are at their line');
    my ($driver) = grep { name_of($_) eq 'multiuser' } split q{ }, of_proc($run->{pid}, 'children');
    kill STOP => $driver;
    ok(eventually(sub { states($driver) =~ /\AT?\z/ }), 'the driver is stopped');
    kill CONT => $driver;
    is_load_made_again($test, $run);
};

done_testing;

sub of_proc {
    my ($pid, $name) = @_;
    return UnixBench::Base::Files::content("/proc/$pid/task/$pid/$name") // q{};
}

sub name_of { my ($pid) = @_; return of_proc($pid, 'comm') =~ s/\n\z//r }
