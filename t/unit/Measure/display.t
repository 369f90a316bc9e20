use strict;
use warnings;

use File::Temp ();
use FindBin;
use IO::Socket::INET ();
use IO::Socket::UNIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Alive  qw(is_alive);
use InPath qw(path_of);
use Needs  qw(need_tools skip_without);
use UnixBench::Base::Clock;
use UnixBench::Measure::Display;
use UnixBench::Process::Process;
use Workbench qw(elsewhere);

my $SOCKETS     = UnixBench::Measure::Display::SOCKETS();
my $HAD_SOCKETS = -d $SOCKETS;

# Takes a function. Calls it with a function that starts a display (its name, the seconds that it may take to start) and
# with a process. Tests that no process, file or directory is left.
sub with_displays {
    my ($test)  = @_;
    my $place   = File::Temp->newdir;
    my %edge    = (clock => UnixBench::Base::Clock->new);
    my $process = $edge{process} = UnixBench::Process::Process->new(%edge);
    my $start   = sub {
        my ($name, $start_s) = @_;
        mkdir "$place/$name";
        return UnixBench::Measure::Display->start(%edge, dir => "$place/$name", start_s => $start_s // 300);
    };
    my $is_done = eval { $test->($start, $process); 1 };
    my $why_not = $@;
    $process->signal_all('KILL') if !$is_done;
    die $why_not if !$is_done;
    is_deeply([keys %{ $process->_groups }], [], 'no process is left');
    $process->release;
    is_deeply([glob "$place/*/*"], [], 'no file is left');
    ok($HAD_SOCKETS || !rmdir $SOCKETS, 'no empty directory is left') or diag $SOCKETS;
    return;
}

# Takes what the fake Xvfb does and the seconds that it may take to start; returns why it does not start.
sub refusal {
    my ($plays, $start_s) = @_;
    local $ENV{XVFB} = $plays;
    my $why;
    with_displays(
        sub {
            my ($start) = @_;
            $why = eval { $start->('fake', $start_s); 1 } ? 'it has started' : $@;
        }
    );
    return $why;
}

# Takes the name of a display and a file with a key; returns whether a client with this key can connect.
sub is_let_in {
    my ($name, $key) = @_;
    local @ENV{qw(DISPLAY XAUTHORITY)} = ($name, $key);
    return system('x11perf -reps 1 -repeat 1 -noop >/dev/null 2>&1') == 0;
}

subtest 'the error says why Xvfb did not start' => sub {
    local $ENV{PATH} = "$FindBin::Bin/../../bin/xvfb:$ENV{PATH}";
    my $said = 'the virtual display (Xvfb) did not start: ';
    is(refusal('fatal'),       "${said}no room for screens\n",   'a fatal error is quoted');
    is(refusal('brief'),       "${said}no such option\n",        'any other message is quoted');
    is(refusal('mute', 0.2),   "${said}not ready after 0.2 s\n", 'a server that never prints its number is given up');
    is(refusal('closed', 0.2), "${said}not ready after 0.2 s\n", "a server that can't print its number is given up");
    is(
        refusal('chatty'),
        "${said}Failed to activate virtual core keyboard: 2 (Error: Cannot open it)\n",
        'the reason is found among many lines'
    );
    is(refusal('killed'), "${said}killed by SIGKILL\n", 'a server that is killed is reported');
    local $ENV{PATH} = '/nowhere';
    is(refusal('ready'), "${said}can't run Xvfb: No such file or directory\n", 'a missing Xvfb is reported');
};

subtest 'a server that does not end is killed' => sub {
    local @ENV{qw(PATH XVFB)} = ("$FindBin::Bin/../../bin/xvfb:$ENV{PATH}", 'stubborn');
    with_displays(
        sub {
            my ($start) = @_;
            my $display = $start->('fake');
            is($display->environment->{DISPLAY}, ':6077', 'the display has the number of the server');
            is($display->stop,                   undef,   'stop reports no error');
            ok(!is_alive($display->pid), 'the server has ended');
        }
    );
};

subtest 'an interruption ends the start of a server' => sub {
    local @ENV{qw(PATH XVFB)} = ("$FindBin::Bin/../../bin/xvfb:$ENV{PATH}", 'mute');
    my ($said) = elsewhere(
        sub {
            with_displays(
                sub {
                    my ($start, $process) = @_;
                    kill INT => $$;
                    my $is_started = eval { $start->('fake', 50); 1 };
                    print $is_started ? 'started' : 'ended', ' by ', $process->interrupted, "\n";
                }
            );
        }
    );
    like($said, qr/^ended by INT$/m, 'the server is not waited for');
    unlike($said, qr/^\s*not ok/m, 'nothing is left');
};

subtest 'Xvfb serves a private display' => sub {
    need_tools('Xvfb');
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
        SKIP: {
                skip_without(tool => 'x11perf', 3) if !path_of('x11perf');
                ok(is_let_in($one->{DISPLAY},  $one->{XAUTHORITY}), 'a client with the key can connect');
                ok(!is_let_in($one->{DISPLAY}, $two->{XAUTHORITY}), "a client with another key can't connect");
                ok(!is_let_in($one->{DISPLAY}, '/no/such/key'),     "a client without a key can't connect");
            }
            is($_->stop, undef, 'the server ran until it was stopped') for reverse @displays;
        }
    );
};

subtest 'the socket of an Xvfb that was killed is removed' => sub {
    need_tools('Xvfb');
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
