package WatchedGears;

# ubgears on the display in DISPLAY, with a library of the tests preloaded: watch-gears.c.

use strict;
use warnings;

use Exporter 'import';
use File::Basename ();
use POSIX          qw(WUNTRACED);

use TestProgram qw(command finish is_built path_of scratch start);

our @EXPORT_OK = qw(finishes gears is_stopped start_gears why_not);

use constant PATIENCE_S => 600;

my $SOURCE = File::Basename::dirname(__FILE__) . '/watch-gears.c';
my $library;

# Builds the library. Returns the need that is missing, as [kind => NAME], or undef.
sub why_not {
    return [program => 'ubgears'] if !is_built('ubgears');
    my ($compiler) = grep { path_of($_) } qw(gcc cc clang) or return [tool => 'a C compiler'];
    $library = scratch() . '/watch-gears.so';
    return [tool => 'a C compiler that can build a library']
        if system($compiler, qw(-O1 -std=c17 -Wall -Wextra -shared -fPIC -o), $library, $SOURCE, '-ldl') != 0;
    return;
}

# Takes arguments and changes of the environment; starts ubgears and returns the hash of TestProgram's start, with log.
sub start_gears {
    my ($arguments, %env) = @_;
    my $log     = scratch() . '/log';
    my $running = start(command('ubgears', @$arguments), env => { LD_PRELOAD => $library, WATCH_LOG => $log, %env });
    $running->{log} = $log;
    return $running;
}

# Runs ubgears to its end; returns the hash of TestProgram's finish.
sub gears {
    my ($arguments, %env) = @_;
    return finish(start_gears($arguments, %env));
}

# Returns each glFinish so far: [frames, seconds].
sub finishes {
    my ($running) = @_;
    open my $log, '<', $running->{log} or return;
    return map { [split] } <$log>;
}

# Waits until ubgears stops at the frame in WATCH_STOP, or ends; returns 1 if it has stopped, or 0.
sub is_stopped {
    my ($running) = @_;
    local $SIG{ALRM} = sub { kill KILL => -$running->{pid} };
    alarm PATIENCE_S;
    waitpid $running->{pid}, WUNTRACED;
    alarm 0;
    return 1 if kill 0 => $running->{pid};
    $running->{status} = $?;
    return 0;
}

1;
