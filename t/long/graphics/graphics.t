use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../lib ../../../lib);
use Place                          qw(is_alive);
use GraphicsRun                    ();
use Needs                          qw(skip_without);
use VirtualDisplay                 ();

# Runs of the graphics tests with the real Xvfb, x11perf and ubgears, and few repetitions.
my $why_not = GraphicsRun::why_not();
skip_without(@$why_not) if $why_not;

my $REASON = 'no measured results: skipped: graphics tests run as one copy';

# Returns the titles in a table of the text report, in order.
sub table {
    my ($report, $head) = @_;
    my ($rows) = $report =~ /^\Q$head\E +BASELINE +RESULT +INDEX\n(.*?)^ +=+$/ms;
    return [($rows // q{}) =~ /^(\S.*?) {2,}[0-9-]/mg];
}

subtest 'the index, on a virtual display' => sub {
    my $test = GraphicsRun->new(env => { UB_OUTPUT_CSV => 'true' });
    my $run  = $test->run(qw(-q -i 1 -c 1 graphics));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'all graphics tests are measured');
    my $report = $test->report(q{});
    my @titles = map { "2D graphics: $_" } 'aa polygons', 'ellipses', 'images and blits', 'rectangles', 'text',
        'windows';
    is_deeply(table($report, '2D Graphics Benchmarks Index Values'), \@titles, 'the complete table of 2D graphics');
    is_deeply(table($report, '3D Graphics Benchmarks Index Values'), ['3D graphics: gears'], 'the table of 3D');
    like($report, qr/^$_ Graphics Benchmarks Index Score +[0-9]+[.][0-9]$/m, "the report has the index of $_ graphics")
        for qw(2D 3D);
    like($report, qr/^   Note: virtual display$/m, 'the report names the display');
    like($report, qr/^   Graphics: \S.*$/m,        'the report names the renderer');
    my $is_replaced = $test->report('.log') =~ /^# replaced[.]aa4trap300: aatrap300$/m;
    my $is_named    = $report               =~ /^   Note: changed procedure: .*; aatrap300 instead of aa4trap300$/m;
    is($is_named, $is_replaced, 'the report names a replaced test');
    my ($renderer) = $report =~ /^   Graphics: (.*?)(?:, a software renderer)?$/m;
    like($test->report('.log'), qr/^GL_RENDERER = \Q$renderer\E$/m, 'the log has the renderer');
    my ($head, @rows) = split /\n/, $test->report('.csv');
    is($head, join(',', 'Concurrency', @titles, '3D graphics: gears'), 'the CSV has the titles');
    like("@rows", qr/\A1(?:,[0-9]+[.][0-9]){7}\z/, 'the CSV has the scores');
    $test->all_gone;
};

subtest 'one copy and two of everything' => sub {
    my $test = GraphicsRun->new;
    my $run  = $test->run(qw(-q -i 1 -c 1 -c 2 gindex));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a run with one and two copies succeeds');
    my ($head, $one, $two) = split /^-{72}\n/m, $test->report(q{});
    is(scalar(() = $one =~ /^[23]D graphics: .* samples\)$/mg), 7, 'graphics tests are measured with one copy');
    is(scalar(() = $two =~ /^[23]D graphics: .* $REASON$/mg),   7, 'graphics tests with two copies are skipped: why');
    like($two, qr/^System Benchmarks Index Score +[0-9.]+$/m, 'other tests are measured with two copies');
    unlike($two, qr/Graphics Benchmarks/, 'the run of two copies has no table of graphics');
    $test->all_gone;
};

subtest 'on an existing display' => sub {
    my $display = VirtualDisplay->new or return fail "needs @$VirtualDisplay::WHY_NOT";
    my $test    = GraphicsRun->new(env => { DISPLAY => $display->name });
    my $run     = $test->run(qw(-q -i 1 -c 1 2d-window ubgears));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'tests on an existing display are measured');
    unlike($test->report(q{}), qr/virtual/, 'an existing display is not called virtual');
    my $name = $display->name;
    like($test->report('.log'), qr/^The .* on \Q$name\E$/m, 'the existing display was used');
    ok(is_alive($display->pid), 'the existing display is still running');
    is_deeply([$test->servers], [], 'no other display was started');
};

subtest 'no display for tests that need none' => sub {
    my $test = GraphicsRun->new(programs => { hanoi => q{env; echo 'COUNT|12|1|lps' >&2} });
    my $run  = $test->run(qw(-q -i 1 -c 1 hanoi));
    unlike($test->report('.log'), qr{DISPLAY=.|XAUTHORITY=.}, 'a test has no display in its environment');
    unlike($test->report(q{}),    qr/virtual|Graphics:/,      'the report does not mention a display');
};

done_testing;
