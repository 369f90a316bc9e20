package Alive;

# Processes found by their number, group or environment. Zombies do not count: they may stay uncollected for long.

use strict;
use warnings;

use Exporter 'import';
use Time::HiRes ();

use Place qw(content);

our @EXPORT_OK = qw(eventually group is_alive of_environment states);

use constant PATIENCE_S => 300;    # enough for every wait of a test, even on a very busy machine

# Returns whether a process with that number is alive.
sub is_alive {
    my ($pid)   = @_;
    my ($found) = grep { $_->{pid} == $pid } _processes();
    return !!$found;
}

# Takes the number of a process group; returns the numbers of its processes.
sub group {
    my ($group) = @_;
    return map { $_->{pid} } grep { $_->{group} == $group } _processes();
}

# Takes the numbers of processes; returns the letters of their states, sorted, each once: T is stopped.
sub states {
    my (@pids) = @_;
    my %wanted = map { $_ => 1 } @pids;
    my %states = map { substr($_->{state}, 0, 1) => 1 } grep { $wanted{ $_->{pid} } } _processes();
    return join q{}, sort keys %states;
}

# Takes a text; returns the numbers of the processes that were started with it in their environment, and of the forks of
# LoadedRun with an open file or directory whose path has it. A zombie has neither any more.
sub of_environment {
    my ($text) = @_;
    return grep { _mentions($_, $text) } map { m{([0-9]+)\z} } glob '/proc/[0-9]*';
}

sub _mentions {
    my ($pid, $text) = @_;
    return 1 if index(content("/proc/$pid/environ"), $text) >= 0;
    return 0 if content("/proc/$pid/cmdline") !~ m{\A/[^\0]*/Run\0*\z};
    return grep { index(readlink($_) // q{}, $text) >= 0 } glob "/proc/$pid/fd/*";
}

# Calls the function until it returns true, for at most the given seconds (default: PATIENCE_S); returns its last value.
sub eventually {
    my ($function, $patience_s) = @_;
    my $until_s = Time::HiRes::time() + ($patience_s // PATIENCE_S);
    my $value;
    Time::HiRes::sleep(0.01) while !($value = $function->()) && Time::HiRes::time() < $until_s;
    return $value;
}

sub _processes {
    open my $ps, '-|', qw(ps -A -o pid= -o pgid= -o stat=) or die "ps: $!\n";
    my @processes = map { my ($pid, $group, $state) = split; { pid => $pid, group => $group, state => $state } } <$ps>;
    close $ps;
    return grep { $_->{state} !~ /Z/ } @processes;
}

1;
