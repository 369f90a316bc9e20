package Gate;

# The start gate, as a copy of a measured program meets it.

use strict;
use warnings;

use Exporter 'import';
use Fcntl ();
use Test::More;

use TestProgram qw(count_of entries finish has_ended scratch start);

our @EXPORT_OK = qw(waits_at_gate);

# Takes the name of a program, a command that starts it, and whether it must have left no file in its directory before
# the gate opens. Tests that it reports once that it is ready, waits until the gate opens, and then counts.
sub waits_at_gate {
    my ($name, $command, $has_no_file) = @_;
    local $^F = 1000;
    pipe my $ready,  my $ready_end or die "pipe: $!";
    pipe my $go_end, my $go        or die "pipe: $!";
    my $directory = scratch();
    fcntl $_, Fcntl::F_SETFD(), Fcntl::FD_CLOEXEC() or die "fcntl: $!" for $ready, $go;
    my $gate    = join q{,}, map { fileno $_ } $ready_end, $go_end;
    my $running = start($command, in => $directory, env => { UB_GATE => $gate });
    close $_ or die "close: $!" for $ready_end, $go_end;
    is(sysread($ready, my $byte, 10), 1, "$name: reports that it is ready");
    is(sysread($ready, $byte,    10), 0, "$name: reports that only once");
    is_deeply([entries($directory)], [], "$name: has left no file") if $has_no_file;
    ok(!has_ended($running), "$name: waits at the gate");
    close $go or die "close: $!";
    my $result = finish($running);
    is($result->{status}, 0, "$name: runs after the gate opens") or diag $result->{err};
    ok(count_of($result), "$name: counts after the gate opens");
    return;
}

1;
