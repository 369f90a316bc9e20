package Displays;

# Virtual displays of the harness, and what they leave.

use strict;
use warnings;

use Exporter 'import';
use File::Temp ();
use Test::More;

use UnixBench::Base::Clock;
use UnixBench::Measure::Display;
use UnixBench::Process;

our @EXPORT_OK = qw(with_displays);

# Takes a function. Calls it with a function that starts a display (its name, the seconds that it may take to start) and
# with a process. Tests that no process and no file is left.
sub with_displays {
    my ($test)  = @_;
    my $place   = File::Temp->newdir;
    my %edge    = (clock => UnixBench::Base::Clock->new);
    my $process = $edge{process} = UnixBench::Process->new(%edge);
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
    return;
}

1;
