package TestProgram;

# Runs a measured program or a script, and returns its exit status and output.
use strict;
use warnings;

use Cwd        qw(abs_path);
use Exporter   qw(import);
use Fcntl      qw(FD_CLOEXEC F_SETFD);
use File::Temp qw(tempdir);
use POSIX      qw(WNOHANG);
use Test::More;

use Place qw(content path_of write_file);

our @EXPORT_OK = qw(
    command content count_of created entries finish has_ended inherit is_built is_error path_of program run scratch
    start waits_at_gate write_file
);

my $LIMIT_S   = 600;                                          # a program that runs longer is killed
my $directory = abs_path($ENV{UB_TEST_PROGRAMS} // 'pgms');

sub program { return "$directory/$_[0]" }

sub is_built {
    my @missing = grep { !-x program($_) } @_;
    return !@missing;
}

# Starts a command. %how: in (directory), input (file), env, keep (handles that the command inherits). Returns { pid,
# scratch }.
sub start {
    my ($command, %how) = @_;
    my $scratch = tempdir(CLEANUP => 1);
    my $pid     = fork // die "fork: $!";
    return { pid => $pid, scratch => $scratch } if $pid;
    my $input = $how{input} // '/dev/null';
    setpgrp;
    inherit($_) for @{ $how{keep} // [] };
    while (my ($name, $value) = each %{ $how{env} // {} }) {
        defined $value ? ($ENV{$name} = $value) : delete $ENV{$name};
    }
    open STDIN,  '<', $input         or die "$input: $!";
    open STDOUT, '>', "$scratch/out" or die "out: $!";
    open STDERR, '>', "$scratch/err" or die "err: $!";
    if (defined $how{in}) { chdir $how{in} or die "$how{in}: $!" }
    { no warnings 'exec'; exec { $command->[0] } @$command }
    POSIX::_exit(126);
}

sub inherit {
    my ($handle) = @_;
    fcntl($handle, F_SETFD, 0) or die "fcntl: $!";
    return fileno $handle;
}

sub has_ended {
    my ($running) = @_;
    return 1 if exists $running->{status};
    return 0 if waitpid($running->{pid}, WNOHANG) != $running->{pid};
    $running->{status} = $?;
    return 1;
}

# Waits for a started command; returns { status => exit status, or -signal; out, err }.
sub finish {
    my ($running) = @_;
    if (!exists $running->{status}) {
        local $SIG{ALRM} = sub { kill KILL => -$running->{pid} };
        alarm $LIMIT_S;
        waitpid $running->{pid}, 0;
        $running->{status} = $?;
        alarm 0;
    }
    my $status = $running->{status};
    return {
        status => $status & 127 ? -($status & 127) : $status >> 8,
        map { $_ => content("$running->{scratch}/$_") } qw(out err),
    };
}

sub run {
    my ($command, %how) = @_;
    return finish(start($command, %how));
}

# Returns the score, timebase and unit of the last COUNT line, or nothing if there is none.
sub count_of {
    my ($result) = @_;
    my @lines = $result->{err} =~ /^(COUNT\|.*)$/mg;
    return @lines ? (split /[|]/, $lines[-1])[1 .. 3] : ();
}

# Runs a command under strace; returns { path => flags of the first open } for each file that it creates, or undef if
# strace does not work.
sub created {
    my ($command, %how) = @_;
    my $strace = path_of('strace') or return;
    my $trace  = scratch() . '/trace';
    run([$strace, qw(-f -s 1000 -e trace=file -o), $trace, @$command], %how);
    my %flags;
    for (split /\n/, content($trace)) {
        my ($path, $flags) = /\bopen(?:at)?\((?:\w+, )?"((?:[^"\\]|\\.)*)", (\S*O_CREAT[^ ,)]*(?:, \d+)?)/ or next;
        $flags{$path} //= $flags if $path !~ m{\A/dev/};
    }
    return -s $trace ? \%flags : undef;
}

# Returns a new empty directory, which is removed with the test.
sub scratch { return tempdir(CLEANUP => 1) }

# Returns the names in a directory, sorted.
sub entries {
    my ($directory) = @_;
    opendir my $handle, $directory or die "$directory: $!";
    my @names = sort grep { !/\A[.][.]?\z/ } readdir $handle;
    return @names;
}

# Returns the words that start a measured program.
sub command {
    my ($name, @arguments) = @_;
    return [program($name), @arguments];
}

# Tests that a program ended with that exit status, with an error that matches the pattern, and without a score.
sub is_error {
    my ($result, $status, $pattern, $what) = @_;
    is $result->{status}, $status, "$what: exit status $status";
    like $result->{err},   qr/^ERROR\|.*$pattern/m, "$what: message";
    unlike $result->{err}, qr/^COUNT/m,             "$what: no score";
    return;
}

# Takes the name of a program, a command that starts it, and whether it must have left no file in its directory before
# the gate opens. As a copy meets the start gate,
# tests that it reports once that it is ready, waits until the gate opens, and then counts.
sub waits_at_gate {
    my ($name, $command, $has_no_file) = @_;
    local $^F = 1000;
    pipe my $ready,  my $ready_end or die "pipe: $!";
    pipe my $go_end, my $go        or die "pipe: $!";
    my $directory = scratch();
    fcntl $_, F_SETFD, FD_CLOEXEC or die "fcntl: $!" for $ready, $go;
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
