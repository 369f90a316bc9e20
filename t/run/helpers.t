use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive   qw(eventually of_environment);
use TestRun qw(waited);
use UnixBench::Base::Files;

$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);

# Takes the name of a program and the text of a shell script; returns a place in whose PATH the program is that script.
sub place_with {
    my ($program, $text) = @_;
    my $test = TestRun->new;
    mkdir $test->place('path') or die "mkdir: $!\n";
    chmod 0755, $test->write('path', $program, "#!/bin/sh\n$text\n") or die "chmod: $!\n";
    $test->{env} = { PATH => $test->place('path') . ":$ENV{PATH}" };
    return $test;
}

# Returns whether the helper has recorded its start.
sub has_started { my ($test) = @_; return -e $test->place('started') }

# A script that hangs in a second process and has a child.
my $HANG = '>>"${0%/path/*}/started"; sleep 1000 & exec sleep 1000';

# Run waits ten seconds for each of these. All are started now and tested below, sync first: after five minutes Run
# would print a second message about it.
my @ONE      = qw(-q -c 1 -i 1 hanoi);
my @GIVEN_UP = map { +{ does => $_, test => place_with(who => $_) } } $HANG, 'exec yes';
$_->{run} = $_->{test}->started(@ONE) for @GIVEN_UP;
my $SYNC     = place_with(sync => $HANG);
my $SYNC_RUN = $SYNC->started(@ONE);

subtest 'a sync that hangs' => sub {
    my $line = qq(Run: waiting for "sync", which has not ended after 10 s\n);
    ok(eventually(sub { (UnixBench::Base::Files::content($SYNC_RUN->{err}) // q{}) =~ /\Q$line\E/ }),
        'a sync that hangs is reported');
    kill TERM => $SYNC_RUN->{pid};
    my $ended = waited($SYNC_RUN);
    is($ended->{signal}, POSIX::SIGTERM(), 'a run with a hanging sync can be ended');
    ok(eventually(sub { !of_environment($SYNC->place) }), 'no process is left');
    like($ended->{err}, qr/\A\Q$line\ERun: the finished passes are kept; to resume: [^\n]+\n\z/, 'both in order');
};

subtest 'a command that does not end, or prints too much' => sub {
    my $late = 'did not end within 10 s';
    my %why  = ($HANG => $late, 'exec yes' => qr/printed more than 16 MB|$late/);
    for my $case (@GIVEN_UP) {
        my ($does, $test) = @$case{qw(does test)};
        my $run = waited($case->{run});
        is($run->{status}, 0, "the run succeeds in spite of: $does");
        like($run->{err}, qr/\ARun: stopped "who -r": it (?:$why{$does})\n\z/, "one line of message for: $does");
        ok(eventually(sub { !of_environment($test->place) }), "no process is left of: $does");
    }
};

for my $signal (qw(INT TERM HUP)) {
    subtest "SIG$signal while a command hangs" => sub {
        my $test = place_with(uname => $HANG);
        my $run  = $test->started(qw(-q -c 1 hanoi));
        ok(eventually(sub { has_started($test) }), 'Run waits for the command');
        kill $signal => $run->{pid};
        is(waited($run)->{signal}, POSIX->can("SIG$signal")->(), 'the signal ends Run');
        ok(eventually(sub { !of_environment($test->place) }), 'no process is left');
    };
}

done_testing();
