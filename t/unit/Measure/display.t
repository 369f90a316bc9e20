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

# Calls a function with a process and a function that starts a display of that name, which has so many seconds; tells
# whether all is as it was before.
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

# Why a display that plays so does not start in that time.
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

# Whether a client of the user, who has this key, may come to a display.
sub is_let_in {
    my ($name, $key) = @_;
    local @ENV{qw(DISPLAY XAUTHORITY)} = ($name, $key);
    return system('x11perf -reps 1 -repeat 1 -noop >/dev/null 2>&1') == 0;
}

subtest 'one that does not start' => sub {
    local $ENV{PATH} = "$FindBin::Bin/../../bin/xvfb:$ENV{PATH}";
    my $said = 'the virtual display (Xvfb) did not start: ';
    is(refusal('fatal'),       "${said}no room for screens\n",   'what it says of a fatal error');
    is(refusal('brief'),       "${said}no such option\n",        'or what it says at all');
    is(refusal('mute', 0.2),   "${said}not ready after 0.2 s\n", 'one that never says its number');
    is(refusal('closed', 0.2), "${said}not ready after 0.2 s\n", 'nor could');
    is(refusal('chatty'), "${said}Failed to activate virtual core keyboard: 2 (Error: Cannot open it)\n", 'and why');
    is(refusal('killed'), "${said}killed by SIGKILL\n", 'one that is killed while it talks');
    local $ENV{PATH} = '/nowhere';
    is(refusal('ready'), "${said}can't run Xvfb: No such file or directory\n", 'one that is not there');
};

subtest 'one that does not end' => sub {
    local @ENV{qw(PATH XVFB)} = ("$FindBin::Bin/../../bin/xvfb:$ENV{PATH}", 'stubborn');
    with_displays(
        sub {
            my ($start) = @_;
            my $display = $start->('fake');
            is($display->environment->{DISPLAY}, ':6077', 'its number');
            is($display->stop,                   undef,   'is ended all the same');
            ok(!is_alive($display->pid), 'indeed');
        }
    );
};

subtest 'an interruption while it starts' => sub {
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
    like($said, qr/^ended by INT$/m, 'it is not waited for');
    unlike($said, qr/^\s*not ok/m, 'and nothing is left');
};

subtest 'the real one' => sub {
    need_tools('Xvfb');
    with_displays(
        sub {
            my ($start)  = @_;
            my @displays = map { $start->($_) } qw(one two);
            my ($one, $two) = map { $_->environment } @displays;
            isnt($one->{DISPLAY}, $two->{DISPLAY}, 'each has a number of its own');
            is((stat $one->{XAUTHORITY})[2] & 07777, 0600, 'its key is private');
            my ($number) = $one->{DISPLAY} =~ /([0-9]+)/;
            ok(!IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => 6000 + $number), 'it listens to no network');
        SKIP: {
                skip_without(tool => 'x11perf', 3) if !path_of('x11perf');
                ok(is_let_in($one->{DISPLAY},  $one->{XAUTHORITY}), 'whoever has the key may come');
                ok(!is_let_in($one->{DISPLAY}, $two->{XAUTHORITY}), 'with another key nobody');
                ok(!is_let_in($one->{DISPLAY}, '/no/such/key'),     'nor without one');
            }
            is($_->stop, undef, 'it lived until it was ended') for reverse @displays;
        }
    );
};

subtest 'the real one, when it is killed' => sub {
    need_tools('Xvfb');
    with_displays(
        sub {
            my ($start, $process) = @_;
            my $display = $start->('killed');
            my ($number) = $display->environment->{DISPLAY} =~ /([0-9]+)/;
            kill KILL => $display->pid;
            $process->sleep_until(undef) until $process->{ended}{ $display->pid };
            ok(-e "$SOCKETS/X$number", 'it leaves its socket');
            is($display->stop, 'killed by SIGKILL', 'how it has ended');
            ok(!-e "$SOCKETS/X$number", 'its socket is removed');
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
            is($display->stop, 'killed by SIGKILL', 'one that has ended');
            ok(-S $socket, 'the socket of another one that has its number by now is left alone');
            unlink $socket;
            rmdir $SOCKETS if !$HAD_SOCKETS;
        }
    );
};

done_testing;
