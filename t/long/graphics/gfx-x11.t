use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use FakeX11perf qw($TESTS gfx_x11);
use Needs       qw(need_tools skip_without);
use TestProgram qw(count_of);
use VirtualDisplay;

# gfx-x11 with the real x11perf, and too little work for a real measurement.
need_tools('x11perf');
my $display = VirtualDisplay->new or skip_without(@$VirtualDisplay::WHY_NOT);
my %real    = (DISPLAY => $display->name, PATH => "$TESTS/bin/quick:$ENV{PATH}");
for my $group (qw(rects lines circle ellipse shapes aashapes polys text blit window)) {
    my $ended = gfx_x11([$group, 2, 1], %real);
    my @rates = $ended->{err} =~ /^rate[.]\w+[|](.*)$/mg;
    is scalar(grep { $_ > 0 } @rates), 4, "$group: rates" or diag $ended->{err};
    cmp_ok + (count_of($ended))[0] // 0, '>', 0, "$group: score";
}
$display->stop;

done_testing;
