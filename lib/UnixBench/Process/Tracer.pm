package UnixBench::Process::Tracer;

# Finds the program that traces a process, such as a debugger.

use strict;
use warnings;

# Takes a function that takes a path and returns the text of that file or undef, and a PID or "self". Returns the name
# of the program that traces this process now, or undef. A tracer in an outer PID namespace is not visible.
sub of {
    my ($read, $pid) = @_;
    my ($tracer) = ($read->("/proc/$pid/status")  // q{}) =~ /^TracerPid:\s+([1-9][0-9]*)$/m or return;
    my ($name)   = ($read->("/proc/$tracer/comm") // q{}) =~ /\A([^\n]+)/;
    return $name // "process $tracer";
}

1;
