use strict;
use warnings;

use FindBin;
use IO::Socket::INET ();
use IO::Socket::UNIX ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../t/lib ../../lib);
use Displays                       qw($HAD_SOCKETS $SOCKETS with_displays);
use Needs                          qw(need_tools);

# The virtual display of the harness, with the real Xvfb.
need_tools(qw(Xvfb x11perf));

# Takes the name of a display and a file with a key; returns whether a client with this key can connect.
sub is_let_in {
    my ($name, $key) = @_;
    local @ENV{qw(DISPLAY XAUTHORITY)} = ($name, $key);
    return system('x11perf -reps 1 -repeat 1 -noop >/dev/null 2>&1') == 0;
}

subtest 'Xvfb serves a private display' => sub {
    with_displays(
        sub {
            my ($start)  = @_;
            my @displays = map { $start->($_) } qw(one two);
            my ($one, $two) = map { $_->environment } @displays;
            isnt($one->{DISPLAY}, $two->{DISPLAY}, 'each display has a number of its own');
            is((stat $one->{XAUTHORITY})[2] & 07777, 0600, 'the key is private');
            my ($number) = $one->{DISPLAY} =~ /([0-9]+)/;
            ok(!IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => 6000 + $number),
                'the server does not listen to the network');
            ok(is_let_in($one->{DISPLAY},  $one->{XAUTHORITY}), 'a client with the key can connect');
            ok(!is_let_in($one->{DISPLAY}, $two->{XAUTHORITY}), "a client with another key can't connect");
            ok(!is_let_in($one->{DISPLAY}, '/no/such/key'),     "a client without a key can't connect");
            is($_->stop, undef, 'the server ran until it was stopped') for reverse @displays;
        }
    );
};

subtest 'the socket of an Xvfb that was killed is removed' => sub {
    with_displays(
        sub {
            my ($start, $process) = @_;
            my $display = $start->('killed');
            my ($number) = $display->environment->{DISPLAY} =~ /([0-9]+)/;
            kill KILL => $display->pid;
            $process->sleep_until(undef) until $process->{ended}{ $display->pid };
            ok(-e "$SOCKETS/X$number", 'the server leaves its socket');
            is($display->stop, 'killed by SIGKILL', 'stop says how the server has ended');
            ok(!-e "$SOCKETS/X$number", 'the socket is removed');
        }
    );
    with_displays(
        sub {
            my ($start, $process) = @_;
            my $display = $start->('replaced');
            my $socket  = "$SOCKETS/X" . $display->environment->{DISPLAY} =~ s/://r;
            kill KILL => $display->pid;
            $process->sleep_until(undef) until $process->{ended}{ $display->pid };
            unlink $socket;
            my $other = IO::Socket::UNIX->new(Local => $socket, Listen => 1) or die "$socket: $!\n";
            is($display->stop, 'killed by SIGKILL', 'stop says how the first server has ended');
            ok(-S $socket, 'the socket of another server with the same number is kept');
            unlink $socket;
            rmdir $SOCKETS if !$HAD_SOCKETS;
        }
    );
};

done_testing;
