use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive       qw(eventually states);
use GraphicsRun ();
use InPath      qw(path_of);
use Needs       qw(skip_without);
use TestRun     qw(waited);

# What can go wrong with the graphics tests: each has its reason, the others are measured, nothing is left.
my $why_not = GraphicsRun::why_not();
skip_without(@$why_not) if $why_not;

my $RECTANGLES = '2D graphics: rectangles';
my $GEARS      = '3D graphics: gears';
my $HANOI      = qr/^Recursion Test -- Tower of Hanoi +[0-9.]+ lps /m;
my $NOBODY     = 'skipped: no X display; set DISPLAY or install xvfb';

# A directory with these programs of PATH, to be PATH itself, in which each may be another one: NAME=PATH.
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

# Runs rectangles, hanoi and gears where only these programs are; returns the place and the run that has ended.
sub run_with {
    my (@programs) = @_;
    my $test = GraphicsRun->new;
    $test->{env}{PATH} = path_with($test, @programs);
    return ($test, $test->run(qw(-q -i 1 -c 1 2d-rects hanoi ubgears)));
}

# Whether a title has that reason in all reports.
sub has_reason {
    my ($test, $title, $reason) = @_;
    like($test->report(q{}),     qr/^\Q$title\E +no measured results: $reason/m,                     "report: $title");
    like($test->report('.log'),  qr/^\Q$title\E -- 1 copy\n.*?^>>>> no measured results: $reason/ms, "log: $title");
    like($test->report('.html'), qr/\Q$title\E<.*?no measured results: $reason/s,                    "HTML: $title");
    return;
}

subtest 'a display that is nowhere' => sub {
    my $test = GraphicsRun->new(env => { DISPLAY => ':7391' });
    my $run  = $test->run(qw(-q -i 1 -c 1 2d-rects hanoi ubgears));
    is($run->{status}, 1, 'status');
    like($run->{err},        qr/^Run: "$RECTANGLES": rect10: .*':7391'.*; aborting this test$/m, 'what x11perf says');
    like($run->{err},        qr/^Run: "$GEARS": .*":7391".*; aborting this test$/m,              'what ubgears says');
    like($test->report(q{}), $HANOI, 'the other test is measured');
    has_reason($test, $RECTANGLES, 'rect10: ');
    has_reason($test, $GEARS,      'ubgears: ');
    $test->all_gone;
};

subtest 'no x11perf' => sub {
    my ($test, $run) = run_with('Xvfb');
    is($run->{status}, 1, 'status');
    like($run->{err}, qr/^Run: missing: x11perf \(for 2d-rects\)/m, 'it is missed before');
    has_reason($test, $RECTANGLES, 'skipped: there is no program x11perf; install it');
    is_deeply([sort keys %{ $test->scores }], [$GEARS, 'Recursion Test -- Tower of Hanoi'], 'the others are measured');
    $test->all_gone;
};

subtest 'no Xvfb' => sub {
    my ($test, $run) = run_with("x11perf=$TestRun::BIN/quick/x11perf");
    is($run->{status}, 1, 'status');
    like($run->{err}, qr/^Run: missing: Xvfb \(for 2d-rects ubgears\)/m, 'it is missed before');
    has_reason($test, $_, $NOBODY) for $RECTANGLES, $GEARS;
    like($test->report(q{}), $HANOI, 'the other test is measured');
    unlike($test->report(q{}), qr/virtual/, 'no display is named');
    ($test, $run) = run_with_fakes(qw(-c 1 all));
    is($run->{status}, 0, 'who asks for all is content');
    has_reason($test, $_, $NOBODY) for $RECTANGLES, $GEARS;
    ($test, $run) = run_with_fakes(qw(-c 1 gindex));
    is($run->{status}, 1, 'who asks for graphics is not');
    ($test, $run) = run_with_fakes(qw(-c 2 graphics));
    is($run->{status}, 0, 'but for several copies, as these are never run');
};

# Runs these tests with a fake in place of each program, and no display.
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
    is($run->{status}, 1, 'status');
    has_reason($test, $GEARS, 'skipped: there is no program ubgears');
    like($test->report(q{}), qr/^$RECTANGLES +[0-9.]+ score /m, 'the other test is measured');
    unlike($test->report(q{}), qr/Graphics: /, 'no renderer is known');
    $test->all_gone;
};

subtest 'an Xvfb that does not start' => sub {
    local $ENV{XVFB} = 'fatal';
    my ($test, $run) = run_with("Xvfb=$TestRun::BIN/xvfb/Xvfb", "x11perf=$TestRun::BIN/quick/x11perf");
    is($run->{status}, 1, 'status');
    my $why = 'the virtual display \(Xvfb\) did not start: no room for screens';
    like($run->{err}, qr/^Run: "$RECTANGLES": $why \(pass 1\); aborting this test$/m, 'what it says');
    has_reason($test, $_, $why) for $RECTANGLES, $GEARS;
    like($test->report(q{}), $HANOI, 'the other test is measured');
    $test->all_gone;
};

# A run of these tests that lasts, in which x11perf or ubgears is drawing. It has a process group of its own: one
# that is orphaned, as that of tests in the background may be, can't be stopped by SIGTSTP.
sub drawing {
    my ($program, @tests) = @_;
    my %lasts = $program eq 'x11perf' ? (X11PERF_REPS => 1_000_000_000) : (UB_TIME_FACTOR => '0.5');
    my $test  = GraphicsRun->new(own_group => 1, env => \%lasts);
    my $run   = $test->started(qw(-q -i 1 -c 1), @tests);
    ok(eventually(sub { $test->commands_of($program) }), 'it is drawing');
    return ($test, $run);
}

for my $case (['x11perf', $RECTANGLES, '2d-rects'], ['ubgears -time', $GEARS, 'ubgears']) {
    my ($program, $title, $name) = @$case;
    subtest "Xvfb is killed under $program" => sub {
        my ($test, $run) = drawing($program, $name, 'hanoi');
        kill KILL => $test->servers;
        my $ended = waited($run);
        is($ended->{status}, 1, 'status');
        my $why = qr/.*; the virtual display \(Xvfb\) has ended: killed by SIGKILL \(pass 1, copy 1\)/;
        like($ended->{err}, qr/^Run: "\Q$title\E": $why; aborting this test$/m, 'what is said');
        has_reason($test, $title, $why);
        like($test->report(q{}), $HANOI, 'the other test is measured');
        $test->all_gone;
    };
}

subtest 'stopped and continued' => sub {
    my ($test,   $run)     = drawing('x11perf', '2d-rects');
    my ($before, $x11perf) = ($test->servers, $test->commands_of('x11perf'));
    kill TSTP => $run->{pid};
    ok(eventually(sub { states($run->{pid}, $test->servers, $x11perf) eq 'T' }), 'all stops');
    kill CONT => $run->{pid};
    ok(eventually(sub { my ($now) = $test->servers; $now && $now != $before }),
        'another display is made, for the pass again');
    kill INT => $run->{pid};
    waited($run);
    $test->all_gone;
};

subtest 'Ctrl-C' => sub {
    my ($test, $run) = drawing('x11perf', '2d-rects');
    kill INT => $run->{pid};
    my $ended = waited($run);
    is($ended->{signal}, POSIX::SIGINT(), 'dies of it');
    has_reason($test, $RECTANGLES, 'interrupted after 0 of 1 pass');
    like($test->report(q{}), qr/^   Note: virtual display \(Xvfb\)$/m, 'the display is named');
    $test->all_gone;
};

subtest 'Ctrl-C while the renderer is asked for' => sub {
    my $test  = GraphicsRun->new(programs => { ubgears => 'hang' });
    my $run   = $test->started(qw(-q -i 1 -c 1 2d-rects));
    my $asked = 'perl ' . $test->place('bin', 'ubgears') . ' -n';
    ok(eventually(sub { $test->commands_of($asked) }), 'it is asked for');
    kill INT => $run->{pid};
    my $ended = waited($run);
    is($ended->{signal}, POSIX::SIGINT(), 'dies of it');
    like($ended->{err}, qr/--resume/, 'can be gone on with');
    $test->all_gone;
    $test->put('ubgears', '../../pgms/ubgears');
    my ($base) = $ended->{err} =~ /--resume (\S+)/;
    is($test->run('-q', '--resume', $base)->{status}, 0, 'is whole in the end');
    like($test->report(q{}), qr/^   Graphics: \S/m, 'with the renderer');
};

subtest 'gone on with' => sub {
    my ($test, $run) = drawing('x11perf', qw(ubgears 2d-rects));
    kill KILL => $run->{pid};
    waited($run);
    $test->all_gone;
    my ($base) = map { s/[.]journal\z//r } grep { /[.]journal\z/ } $test->reports;
    ok(defined $base, 'there is a journal');
    {
        local $test->{env}{PATH} = path_with($test, 'x11perf');
        my $refused = $test->run('-q', '--resume', $base);
        like($refused->{err}, qr/: display was virtual, is not there$/m, 'not without a display');
    }
    unlink $test->place('bin', 'ubgears');
    chmod 0755, $test->write('bin', 'ubgears', "#!/bin/sh\necho GL_RENDERER = another\n");
    my $refused = $test->run('-q', '--resume', $base);
    like($refused->{err}, qr/can't go on from .*: ubgears has changed/, 'nor with other gears');
    $test->put('ubgears', '../../pgms/ubgears');
    delete $test->{env}{X11PERF_REPS};
    my $ended = $test->run('-q', '--resume', $base);
    is_deeply([@$ended{qw(status err)}], [0, q{}], 'is whole in the end');
    my @notes = $test->report(q{}) =~ /^   Note: (virtual display|changed|resumed)/mg;
    is_deeply(\@notes, ['virtual display', 'changed', 'resumed'], 'each note once');
    like($test->report(q{}), qr/^   Graphics: \S/m, 'with the renderer');
    $test->all_gone;
};

subtest 'kill -9 of Run' => sub {
    my ($test, $run) = drawing('x11perf', '2d-rects');
    kill KILL => $run->{pid};
    waited($run);
    $test->all_gone;
};

done_testing;
