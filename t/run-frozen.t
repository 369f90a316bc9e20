use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib";
use Alive        qw(eventually of_environment states);
use ControlGroup ();
use TestRun      qw(waited);

# A pass does not count when its copies, or all of the run, stood still meanwhile: it is made again.

my $TITLE = 'System Call Overhead';

# How to ask for a run of passes, and how many there are. A quick one has the rounds that its time allows.
my %RUNS = (
    'an official run' => [qw(-q -c 2 -i 4 syscall)],
    'a quick run'     => [qw(-q --quick --max-time 600s --precision 50 -c 2 syscall)],
);

# A place whose "syscall" is held at its second start, in two copies.
sub held {
    my $test = TestRun->new(programs => { syscall => 'hold' }, own_group => 1);
    mkdir $test->place('hold') or die "mkdir: $!\n";
    $test->{env} = { UB_HOLD => $test->place('hold'), UB_HOLD_AT => 2 };
    return $test;
}

sub notes {
    my ($test, $copy) = @_;
    open my $file, '<', $test->place('hold', $copy) or return;
    chomp(my @notes = readline $file);
    return @notes;
}

sub is_held {
    my ($test) = @_;
    my @held   = grep { $_ eq 'held' } map { notes($test, $_) } 1, 2;
    return @held == 2;
}

# The copies that are held, without Run.
sub copies {
    my ($test, $run) = @_;
    return grep { $_ != $run->{pid} } of_environment($test->place);
}

# Everything is as ever, but that a pass was started once more than the passes that count. A quick run may repeat others
# on a busy machine.
sub is_made_again {
    my ($test, $run, $what) = @_;
    my $is_exact = $what =~ /official/;
    my $ended    = waited($run);
    is_deeply([@$ended{qw(status signal)}], [0, 0],                 "$what goes on to its end") or diag $ended->{said};
    is_deeply($test->scores,                { $TITLE => '1000.0' }, 'its score is that of whole passes');
    my %passes = map  { $_ => 1 } $test->report('.log') =~ /^#### Pass ([0-9]+)$/mg;
    my $starts = grep { $_ eq 'start' } notes($test, 1);
    cmp_ok($starts, $is_exact ? '==' : '>=', 1 + keys %passes, 'one pass was made again');
    is_deeply([of_environment($test->place)], [], 'nothing is left running');
    return;
}

for my $what (sort keys %RUNS) {
    subtest "$what whose control group is frozen and thawed" => sub {
        my $group = ControlGroup->new(freezer => 'freezer.state') || ControlGroup->new(q{} => 'cgroup.freeze');
        plan skip_all => 'no control group can be frozen here' if !$group;
        my $is_v1 = -e "$group->{directory}/freezer.state";
        my $turn  = sub { $group->set($is_v1 ? ('freezer.state' => $_[0]) : ('cgroup.freeze' => $_[1])) };
        my $test  = held();
        my $run   = $test->started_by($group->words($^X, "$TestRun::HOME/Run", @{ $RUNS{$what} }));
        ok(eventually(sub { is_held($test) }), 'both copies are amid their pass');
        $turn->(FROZEN => 1);
        select undef, undef, undef, 1;    # what was lost is more than a beat of Run, and what it allows for
        $turn->(THAWED => 0);
        is_made_again($test, $run, $what);
    };
    subtest "$what of which one copy is stopped and continued" => sub {
        my $test = held();
        my $run  = $test->started(@{ $RUNS{$what} });
        ok(eventually(sub { is_held($test) }), 'both copies are amid their pass');
        my ($copy) = copies($test, $run);
        kill STOP => $copy;
        ok(eventually(sub { states($copy) =~ /\AT?\z/ }), 'it is stopped');
        kill CONT => $copy;
        is_made_again($test, $run, $what);
    };
}

done_testing();
