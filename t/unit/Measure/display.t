use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../lib ../../../lib);
use Alive                          qw(is_alive);
use Displays                       qw(with_displays);
use Workbench                      qw(elsewhere);

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

done_testing;
