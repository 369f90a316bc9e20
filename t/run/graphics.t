use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use Alive          qw(eventually is_alive);
use GraphicsRun    ();
use Needs          qw(skip_without);
use ObservedRun    qw(counts tests_of why_not_bpftrace);
use VirtualDisplay ();

# The graphics tests through the whole of Run, with Xvfb, x11perf and ubgears as they are, but few repetitions.
my $why_not = GraphicsRun::why_not();
skip_without(@$why_not) if $why_not;

my @OTHERS = map { "2d-$_" } qw(lines circle shapes polys);
my $REASON = 'no measured results: skipped: graphics tests run as one copy';

# The titles in a table of the text report, in order.
sub table {
    my ($report, $head) = @_;
    my ($rows) = $report =~ /^\Q$head\E +BASELINE +RESULT +INDEX\n(.*?)^ +=+$/ms;
    return [($rows // q{}) =~ /^(\S.*?) {2,}[0-9-]/mg];
}

# Nothing is left of a run that has ended.
sub all_gone {
    my ($test) = @_;
    is_deeply([$test->servers], [], 'no server is left');
    is_deeply([$test->left],    [], 'nothing in the scratch directory');
    ok(eventually(sub { $test->has_sockets_as_before }), 'no socket, no lock');
    return;
}

subtest 'the index, on a virtual display' => sub {
    my $test = GraphicsRun->new(env => { UB_OUTPUT_CSV => 'true' });
    my $run  = $test->run(qw(-q -i 1 -c 1 graphics));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'all is measured');
    my $report = $test->report(q{});
    my @titles = map { "2D graphics: $_" } 'aa polygons', 'ellipses', 'images and blits', 'rectangles', 'text',
        'windows';
    is_deeply(table($report, '2D Graphics Benchmarks Index Values'), \@titles, 'the whole table of 2D graphics');
    is_deeply(table($report, '3D Graphics Benchmarks Index Values'), ['3D graphics: gears'], 'of 3D graphics');
    like($report, qr/^$_ Graphics Benchmarks Index Score +[0-9]+[.][0-9]$/m, "the index of $_ graphics") for qw(2D 3D);
    like($report, qr/^   Note: virtual display \(Xvfb\)$/m,                  'the display is named');
    like($report, qr/^   Graphics: \S.*$/m,                                  'so is the renderer');
    my $is_replaced = $test->report('.log') =~ /^# replaced[.]aa4trap300: aatrap300$/m;
    my $is_named    = $report               =~ /^   Note: changed procedure: .*; aatrap300 in place of aa4trap300$/m;
    is($is_named, $is_replaced, 'so is what was measured in place of something else');
    my $json = $test->report('.json');
    like($json, qr/^"procedure":.*"display":"virtual"/m, 'both are data, too');
    is($json =~ /^"procedure":.*"replacements":\[\{"by":"aatrap300","name":"aa4trap300"\}\]/m,
        $is_replaced, 'of the procedure');
    my ($renderer) = $report =~ /^   Graphics: (.*?)(?:, a software renderer)?$/m;
    like($test->report('.log'),  qr/^GL_RENDERER = \Q$renderer\E$/m,                     'log');
    like($test->report('.html'), qr/2D Graphics Benchmarks Index Values.*\Q$titles[0]/s, 'HTML: the table');
    like($test->report('.html'), qr/Note: virtual display \(Xvfb\).*\Q$renderer/s,       'HTML: display and renderer');
    my ($head, @rows) = split /\n/, $test->report('.csv');
    is($head, join(',', 'Concurrency', @titles, '3D graphics: gears'), 'CSV: titles');
    like("@rows", qr/\A1(?:,[0-9]+[.][0-9]){7}\z/, 'CSV: scores');
    all_gone($test);
};

# On a busy machine the gears may draw nothing in the time of an observed pass: then it gets ten times as long.
subtest 'a quick run, observed' => sub {
    my ($test, $run, $known);
    for my $factor (0.01, 0.1, 1) {
        my $most_s = 100 * $factor;
        $test  = GraphicsRun->new(env => { UB_TIME_FACTOR => $factor });
        $run   = $test->run(qw(-q --quick -c 1 --observe syscalls 2d-rects ubgears --max-time), "${most_s}s");
        $known = tests_of($test);
        last if ($known->{ubgears}{observed}{error} // q{}) !~ /\Aa count of 0/;
    }
    unlike($run->{err}, qr/aborting/, 'each test is measured');
    my $report = $test->report(q{});
    like($report, qr/^\Q$_\E +[0-9.]+ \w+ +[(]/m, "$_: a score") for '2D graphics: rectangles', '3D graphics: gears';
    if (!why_not_bpftrace()) {
        my %count = counts($known->{ubgears});
        cmp_ok($count{poll} // 0, '>', 0, 'what the gears ask the kernel for')
            or diag $known->{ubgears}{observed}{error} // join ' ', sort keys %count;
        ok(!exists $count{accept4} && !exists $count{accept}, 'is not what the X server asks it for');
        cmp_ok(scalar @{ $known->{'2d-rects'}{observed}{calls} }, '>', 10, 'x11perf is followed, too');
    }
    all_gone($test);
};

subtest 'the other groups' => sub {
    my $test = GraphicsRun->new;
    my $run  = $test->run(qw(-q -i 1 -c 1), @OTHERS);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'all is measured');
    my @titles = map { "2D graphics: $_" } 'circles', 'complex polygons', 'lines', 'polygons';
    is_deeply([sort keys %{ $test->scores }], \@titles, 'each has a score');
    like($test->report(q{}), qr/^   Note: virtual display \(Xvfb\)$/m, 'the display is named');
    like($test->report(q{}), qr/^   Graphics: \S.*$/m,                 'so is the renderer');
    all_gone($test);
};

subtest 'one copy and two of everything' => sub {
    my $test = GraphicsRun->new;
    my $run  = $test->run(qw(-q -i 1 -c 1 -c 2 gindex));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'is content');
    my ($head, $one, $two) = split /^-{72}\n/m, $test->report(q{});
    is(scalar(() = $one =~ /^[23]D graphics: .* samples\)$/mg), 7, 'the first run has measured them');
    is(scalar(() = $two =~ /^[23]D graphics: .* $REASON$/mg),   7, 'the second one says why it has not');
    like($two, qr/^System Benchmarks Index Score +[0-9.]+$/m, 'but the rest');
    unlike($two, qr/Graphics Benchmarks/, 'no table of graphics');
    all_gone($test);
};

subtest 'on a display that is there' => sub {
    my $display = VirtualDisplay->new or return fail "needs @$VirtualDisplay::WHY_NOT";
    my $test    = GraphicsRun->new(env => { DISPLAY => $display->name });
    my $run     = $test->run(qw(-q -i 1 -c 1 2d-window ubgears));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'all is measured');
    unlike($test->report(q{}), qr/virtual/, 'it is not called virtual');
    my $name = $display->name;
    like($test->report('.log'), qr/^The .* on \Q$name\E$/m, 'it is the one that was used');
    ok(is_alive($display->pid), 'it is still there');
    is_deeply([$test->servers], [], 'there was no other');
};

subtest 'no display for what needs none' => sub {
    my $test = GraphicsRun->new(programs => { hanoi => 'environment' });
    my $run  = $test->run(qw(-q -i 1 -c 1 hanoi));
    unlike($test->report('.log'), qr{DISPLAY=.|XAUTHORITY=.}, 'a test does not see any');
    unlike($test->report(q{}),    qr/virtual|Graphics:/,      'nor does the report speak of one');
};

done_testing;
