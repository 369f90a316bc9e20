package UnixBench::Target::Reader;

# Reads files that may be logs of pgms/measure.sh, see UnixBench::Store::ResultFile.

use strict;
use warnings;

use UnixBench::Target::Lines ();

# Takes a reference to a text; returns words that describe a log, or nothing if it is something else.
sub likeness {
    my ($text) = @_;
    return if !UnixBench::Target::Lines::looks_like_log($text);
    return 'a log of measure.sh; make its page with ./Run report, and give that';
}

# Takes the path of a file, and its text if that was read already. Returns nothing if it is something else, or a
# function that takes a UnixBench::Call::Call and returns the result. Both die with one line if the log can't be used.
sub read_file {
    my (@file) = @_;
    require UnixBench::Target::Log;
    my $log = UnixBench::Target::Log::read_file(@file) or return;
    return sub { _result($log, @_) };
}

sub _result {
    my ($log, $call) = @_;
    require UnixBench::Target::Result;
    my $machine = $call->request->machine;
    $call->console->complain(sprintf "the file has %d logs; the last one is reported\n", $log->{others} + 1)
        if $log->{others};
    return UnixBench::Target::Result::result(
        log              => $log,
        baseline         => $machine->baseline,
        kind_of_baseline => $machine->kind_of_baseline,
    );
}

1;
