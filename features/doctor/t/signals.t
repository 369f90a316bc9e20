use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../../t/lib";
use Alive   qw(eventually of_environment);
use TestRun qw(waited);

$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);

# A program of the system hangs in a second process and has a child.
my $HANG = '>>"${0%/path/*}/started"; sleep 1000 & exec sleep 1000';

for my $signal (qw(INT TERM HUP)) {
    subtest "SIG$signal while a command hangs" => sub {
        my $test = TestRun->new;
        mkdir $test->place('path') or die "mkdir: $!\n";
        chmod 0755, $test->write('path', 'uname', "#!/bin/sh\n$HANG\n") or die "chmod: $!\n";
        $test->{env} = { PATH => $test->place('path') . ":$ENV{PATH}" };
        my $run = $test->started('doctor');
        ok(eventually(sub { -e $test->place('started') }), 'doctor waits for the command');
        kill $signal => $run->{pid};
        is(waited($run)->{signal}, POSIX->can("SIG$signal")->(), 'the signal ends it');
        ok(eventually(sub { !of_environment($test->place) }), 'no process is left');
    };
}

done_testing;
