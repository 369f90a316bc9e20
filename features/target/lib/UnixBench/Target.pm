package UnixBench::Target;

# The feature target: measuring on machines without Perl, by pgms/measure.sh, whose log is read here. It also tells
# UnixBench::Store::ResultFile which files are such logs.

use strict;
use warnings;

# Returns the declaration, see UnixBench::Features.
sub declaration {
    return {
        files => [
            {
                word   => 'LOG',
                about  => 'LOG is the output of pgms/measure.sh; its reports are written anew.',
                reader => 'Target',
            },
        ],
    };
}

# Takes a reference to a text; returns words that describe a log, or nothing if it is something else.
sub likeness {
    my ($text) = @_;
    require UnixBench::Target::Lines;
    return if !UnixBench::Target::Lines::looks_like_log($text);
    return 'a log of measure.sh; make its page with ./Run report, and give that';
}

# Takes the path of a file, and its text if that was read already. Returns nothing if it is something else, or a
# function that takes a UnixBench::Call and returns the result. Both die with one line if the log can't be used.
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
