use strict;
use warnings;

use FindBin;
use IO::Socket::INET ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../lib ../../../lib);
use Displays                       qw(with_displays);
use Needs                          qw(need_tools skip_without);
use FakeX11perf                    qw($TESTS gfx_x11);
use TestProgram                    qw(count_of);
use VirtualDisplay;

# The virtual display of the harness, with the real Xvfb.
need_tools(qw(Xvfb x11perf));

# Takes the name of a display and a file with a key; returns whether a client with this key can connect.
sub is_let_in {
    my ($name, $key) = @_;
    local @ENV{qw(DISPLAY XAUTHORITY)} = ($name, $key);
    return system('x11perf -reps 1 -repeat 1 -noop >/dev/null 2>&1') == 0;
}

subtest 'Xvfb serves a private display' => sub {
    with_displays(sub {
        my ($start)  = @_;
        my @displays = map { $start->($_) } qw(one two);
        my ($one, $two) = map { $_->environment } @displays;
        isnt($one->{DISPLAY}, $two->{DISPLAY}, 'each display has a number of its own');
        is((stat $one->{XAUTHORITY})[2] & 07777, 0600, 'the key is private');
        my ($number) = $one->{DISPLAY} =~ /([0-9]+)/;
        ok(!IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => 6000 + $number), 'not on the network');
        ok(is_let_in($one->{DISPLAY},  $one->{XAUTHORITY}), 'a client with the key can connect');
        ok(!is_let_in($one->{DISPLAY}, $two->{XAUTHORITY}), "a client with another key can't connect");
        ok(!is_let_in($one->{DISPLAY}, '/no/such/key'),     "a client without a key can't connect");
        is($_->stop, undef, 'the server ran until it was stopped') for reverse @displays;
    });
};

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
