package FakeX11perf;

# gfx-x11 with a fake x11perf (t/bin/x11). The numbers of t/data/x11perf were printed by the real one on Xvfb 21.1;
# aa4trap300, which crashes there, is from Xvfb 1.20.

use strict;
use warnings;

use Cwd ();
use Exporter 'import';
use File::Basename ();

use TestProgram qw(run scratch write_file);

our @EXPORT_OK = qw($PROGRAM $TESTS environment gfx_x11 recorded recordings said);

our $TESTS   = Cwd::abs_path(File::Basename::dirname(__FILE__) . '/..');
our $PROGRAM = Cwd::abs_path("$TESTS/../pgms/gfx-x11");

# Takes words of the command line and settings; runs gfx-x11 and returns the result of TestProgram::run.
sub gfx_x11 {
    my ($words, %env) = @_;
    return run([$PROGRAM, @$words], env => environment(%env));
}

# Takes settings; returns the environment in which gfx-x11 finds the fake, with these settings added or replaced.
sub environment {
    my (%env) = @_;
    return { DISPLAY => ':77', PATH => "$TESTS/bin/x11:$ENV{PATH}", UB_X11PERF => undef, UB_GATE => undef, %env };
}

# Takes a test; returns what the fake prints when it repeats the test three times.
sub recorded {
    my ($test) = @_;
    return run(["$TESTS/bin/x11/x11perf", qw(-repeat 3 -subs 25 -time 2), "-$test"])->{out};
}

# Takes test => { out, err, end }; returns a directory for UB_X11PERF that replaces what these tests print.
sub recordings {
    my (%tests) = @_;
    my $directory = scratch();
    for my $test (keys %tests) {
        my %recording = (out => q{}, err => q{}, end => q{}, %{ $tests{$test} });
        write_file("$directory/$test",    $recording{out});
        write_file("$directory/$test.$_", $recording{$_}) for qw(err end);
    }
    return $directory;
}

# Takes a rate; returns the output of an old release for rect10. If the rate is undef, the line with the total is
# missing.
sub said {
    my ($rate) = @_;
    my $said = <<'END';
x11perf - X11 performance program, version 1.5
The X.Org Foundation server version 10300000 on :0.0
from oak
Sat Dec 15 17:03:29 2007

Sync time adjustment is 0.1163 msecs.

   3000 reps @   0.1 msec ( 10400.0/sec): 10x10 rectangle
   3000 reps @   0.1 msec (  9600.0/sec): 10x10 rectangle
END
    return $said . (defined $rate ? "   6000 trep @   0.1 msec ($rate/sec): 10x10 rectangle\n" : q{}) . "\n";
}

1;
