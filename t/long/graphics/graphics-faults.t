use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use GraphicsRun ();
use Needs       qw(path_of skip_without);
use TestRun     qw(eventually states waited);

# Failures of graphics tests: each is reported with its reason, other tests are measured, and no process or file is
# left.
my $why_not = GraphicsRun::why_not();
skip_without(@$why_not) if $why_not;

my $RECTANGLES = '2D graphics: rectangles';
my $GEARS      = '3D graphics: gears';
my $HANOI      = qr/^Recursion Test -- Tower of Hanoi +[0-9.]+ lps /m;
my $NOBODY     = 'skipped: no X display; set DISPLAY or install xvfb';

# Takes a place and programs, each NAME or NAME=PATH; returns a directory for PATH that has only these and a few basic
# programs.
sub path_with {
    my ($test, @programs) = @_;
    my $path = $test->place('path');
    mkdir $path;
    for my $entry (qw(perl sh env sync uname locale), @programs) {
        my ($name, $target) = split /=/, $entry;
        symlink $target // path_of($name), "$path/$name" or die "$name: $!\n";
    }
    return $path;
}

# Runs rectangles, hanoi and gears with only these programs in PATH; returns the place and the ended run.
sub run_with {
    my (@programs) = @_;
    my $test = GraphicsRun->new;
    $test->{env}{PATH} = path_with($test, @programs);
    return ($test, $test->run(qw(-q -i 1 -c 1 2d-rects hanoi ubgears)));
}

# Tests that a title has that reason in the report.
sub has_reason {
    my ($test, $title, $reason) = @_;
    return like($test->report(q{}), qr/^\Q$title\E +no measured results: $reason/m, "report: $title");
}

subtest 'a display that is nowhere' => sub {
    my $test = GraphicsRun->new(env => { DISPLAY => ':7391' });
    my $run  = $test->run(qw(-q -i 1 -c 1 2d-rects hanoi ubgears));
    is($run->{status}, 1, 'a wrong display: exit status 1');
    my $why = "the X display :7391 can't be opened: No such file or directory";
    is($run->{err}, "Run: $why; the graphics tests are skipped\n", 'it is reported before the run');
    like($test->report(q{}), $HANOI, 'the other test is measured');
    has_reason($test, $_, "skipped: $why") for $RECTANGLES, $GEARS;
    $test->all_gone;
};

subtest 'no x11perf' => sub {
    my ($test, $run) = run_with('Xvfb');
    is($run->{status}, 1, 'no x11perf: exit status 1');
    like($run->{err}, qr/^Run: missing: x11perf \(for 2d-rects\)/m, 'the missing x11perf is reported before the run');
    has_reason($test, $RECTANGLES, 'skipped: there is no program x11perf; install it');
    is_deeply([sort keys %{ $test->scores }], [$GEARS, 'Recursion Test -- Tower of Hanoi'], 'others are measured');
    $test->all_gone;
};

subtest 'no Xvfb' => sub {
    my ($test, $run) = run_with("x11perf=$TestRun::BIN/quick/x11perf");
    is($run->{status}, 1, 'no Xvfb: exit status 1');
    like($run->{err}, qr/^Run: missing: Xvfb \(for 2d-rects ubgears\)/m, 'the missing Xvfb is reported before the run');
    has_reason($test, $_, $NOBODY) for $RECTANGLES, $GEARS;
    like($test->report(q{}), $HANOI, 'the other test is measured');
    unlike($test->report(q{}), qr/virtual/, 'the report names no display');
    ($test, $run) = run_with_fakes(qw(-c 1 all));
    is($run->{status}, 0, 'with "all" a missing display is not a failure');
    has_reason($test, $_, $NOBODY) for $RECTANGLES, $GEARS;
};

# Runs these tests with a fake for each program, and without a display.
sub run_with_fakes {
    my (@words)  = @_;
    my @programs = qw(short int long float double gfx-x11 ubgears);
    my $test = GraphicsRun->new(programs => { map { $_ => 'count' } @programs }, env => { UB_TIME_FACTOR => '0.001' });
    $test->{env}{PATH} = path_with($test, "x11perf=$TestRun::BIN/quick/x11perf");
    $test->write('test', 'dc.dat', q{});
    return ($test, $test->run('-q', '-i', 1, @words));
}

subtest 'no gears' => sub {
    my $test = GraphicsRun->new(programs => { ubgears => undef });
    my $run  = $test->run(qw(-q -i 1 -c 1 2d-rects ubgears));
    is($run->{status}, 1, 'no ubgears: exit status 1');
    has_reason($test, $GEARS,
        'skipped: there is no program ubgears; install the graphics package, or build it: ./Run --setup ubgears');
    like($test->report(q{}), qr/^$RECTANGLES +[0-9.]+ score /m, 'the other test is measured');
    unlike($test->report(q{}), qr/Graphics: /, 'the report names no renderer');
    $test->all_gone;
};

subtest 'an Xvfb that does not start' => sub {
    local $ENV{XVFB} = 'fatal';
    my ($test, $run) = run_with("Xvfb=$FindBin::Bin/../../../t/bin/xvfb/Xvfb", "x11perf=$TestRun::BIN/quick/x11perf");
    is($run->{status}, 1, 'an Xvfb that does not start: exit status 1');
    my $why = 'the virtual display \(Xvfb\) did not start: no room for screens';
    like($run->{err}, qr/^Run: "$RECTANGLES": $why \(pass 1\); aborting this test$/m, 'its message');
    has_reason($test, $_, $why) for $RECTANGLES, $GEARS;
    like($test->report(q{}), $HANOI, 'the other test is measured');
    $test->all_gone;
};

# Starts a long run of these tests and waits until x11perf or ubgears is drawing. The run has its own process group:
# SIGTSTP does not stop an orphaned group, such as that of tests in the background.
sub drawing {
    my ($program, @tests) = @_;
    my %lasts = $program eq 'x11perf' ? (X11PERF_REPS => 1_000_000_000) : (UB_TIME_FACTOR => '0.5');
    my $test  = GraphicsRun->new(own_group => 1, env => \%lasts);
    my $run   = $test->started(qw(-q -i 1 -c 1), @tests);
    ok(eventually(sub { $test->commands_of($program) }), "$program is drawing");
    return ($test, $run);
}

subtest 'Xvfb is killed' => sub {
    my ($test, $run) = drawing('ubgears -time', 'ubgears', 'hanoi');
    kill KILL => $test->servers;
    my $ended = waited($run);
    is($ended->{status}, 1, 'exit status 1');
    my $why = qr/.*; the virtual display \(Xvfb\) has ended: killed by SIGKILL \(pass 1, copy 1\)/;
    like($ended->{err}, qr/^Run: "\Q$GEARS\E": $why; aborting this test$/m, 'the message names the signal');
    has_reason($test, $GEARS, $why);
    like($test->report(q{}), $HANOI, 'the other test is measured');
    $test->all_gone;
};

subtest 'stopped and continued' => sub {
    my ($test,   $run)     = drawing('x11perf', '2d-rects');
    my ($before, $x11perf) = ($test->servers, $test->commands_of('x11perf'));
    kill TSTP => $run->{pid};
    ok(eventually(sub { states($run->{pid}, $test->servers, $x11perf) eq 'T' }), 'all processes stop');
    kill CONT => $run->{pid};
    ok(eventually(sub { my ($now) = $test->servers; $now && $now != $before }), 'the repeated pass has another');
    kill INT => $run->{pid};
    waited($run);
    $test->all_gone;
};

subtest 'Ctrl-C while the renderer is asked for' => sub {
    my $test  = GraphicsRun->new(programs => { ubgears => 'hang' });
    my $run   = $test->started(qw(-q -i 1 -c 1 2d-rects));
    my $asked = 'perl ' . $test->place('bin', 'ubgears') . ' -n';
    ok(eventually(sub { $test->commands_of($asked) }), 'ubgears is asked for the renderer');
    kill INT => $run->{pid};
    my $ended = waited($run);
    is($ended->{signal}, POSIX::SIGINT(), 'the run ends by the signal');
    like($ended->{err}, qr/--resume/, 'the message says how to resume the run');
    $test->all_gone;
    $test->put('ubgears', '../../pgms/ubgears');
    my ($base) = $ended->{err} =~ /--resume (\S+)/;
    is($test->run('-q', '--resume', $base)->{status}, 0, 'the resumed run is complete');
    like($test->report(q{}), qr/^   Graphics: \S/m, 'the resumed run names the renderer');
};

subtest 'a killed run is resumed' => sub {
    my ($test, $run) = drawing('x11perf', qw(ubgears 2d-rects));
    kill KILL => $run->{pid};
    waited($run);
    $test->all_gone;
    my ($base) = map { s/[.]journal\z//r } grep { /[.]journal\z/ } $test->reports;
    ok(defined $base, 'the killed run has a journal');
    {
        local $test->{env}{PATH} = path_with($test, 'x11perf');
        my $refused = $test->run('-q', '--resume', $base);
        like($refused->{err}, qr/; display was virtual, is not there;/, 'the run is not resumed without a display');
    }
    $test->put(ubgears => 'echo GL_RENDERER = another');
    my $refused = $test->run('-q', '--resume', $base);
    like($refused->{err}, qr/can't resume .*: ubgears has changed/, 'the run is not resumed with another ubgears');
    $test->put('ubgears', '../../pgms/ubgears');
    delete $test->{env}{X11PERF_REPS};
    my $ended = $test->run('-q', '--resume', $base);
    is_deeply([@$ended{qw(status err)}], [0, q{}], 'the resumed run is complete');
    my @notes = $test->report(q{}) =~ /^   Note: (virtual display|changed|resumed)/mg;
    is_deeply(\@notes, ['virtual display', 'changed', 'resumed'], 'the resumed run has each note once');
    like($test->report(q{}), qr/^   Graphics: \S/m, 'the resumed run names the renderer');
    $test->all_gone;
};

done_testing;
