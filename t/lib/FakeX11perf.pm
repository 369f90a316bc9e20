package FakeX11perf;

# gfx-x11 with the x11perf of t/bin/x11, which plays recordings. Those of t/data/x11perf are what the real one said on
# Xvfb 21.1, and, as it crashes there in aa4trap300, on 1.20 for that.

use strict;
use warnings;

use Cwd ();
use Exporter 'import';
use File::Basename ();

use TestProgram qw(run scratch write_file);

our @EXPORT_OK = qw($DATA $PROGRAM $TESTS content environment gfx_x11 recordings said);

our $TESTS   = Cwd::abs_path(File::Basename::dirname(__FILE__) . '/..');
our $DATA    = "$TESTS/data/x11perf";
our $PROGRAM = Cwd::abs_path("$TESTS/../pgms/gfx-x11");

# Runs gfx-x11 with these words and settings; returns what TestProgram::run does.
sub gfx_x11 {
    my ($words, %env) = @_;
    return run([$PROGRAM, @$words], env => environment(%env));
}

# The environment in which it finds the fake; further settings may replace some of it.
sub environment {
    my (%env) = @_;
    return { DISPLAY => ':77', PATH => "$TESTS/bin/x11:$ENV{PATH}", UB_X11PERF => $DATA, UB_GATE => undef, %env };
}

# A directory with the recordings for UB_X11PERF, but these, test => { out, err, end }, in place of those.
sub recordings {
    my (%tests) = @_;
    my $directory = scratch();
    for my $path (grep { !$tests{s{.*/}{}r} } glob "$DATA/*") {
        symlink $path, $directory . $path =~ s{.*/}{/}r or die "symlink: $!\n";
    }
    for my $test (keys %tests) {
        my %recording = (out => q{}, err => q{}, end => q{}, %{ $tests{$test} });
        write_file("$directory/$test",    $recording{out});
        write_file("$directory/$test.$_", $recording{$_}) for qw(err end);
    }
    return $directory;
}

# What an old release says of rect10; without a rate it does not sum that up.
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

# The text of a file, or nothing where there is none.
sub content {
    my ($path) = @_;
    open my $file, '<', $path or return q{};
    local $/ = undef;
    return scalar(<$file>) // q{};
}

1;
