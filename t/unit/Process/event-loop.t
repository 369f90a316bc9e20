use strict;
use warnings;

use File::Temp ();
use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place     qw(eventually group);
use Workbench qw(start_shell);
use UnixBench::Base::Clock;
use UnixBench::Process;
use UnixBench::Process::Signals;
use UnixBench::Process::Writer;

# Tests of stopping and continuing: this program, and the copies that it has started.

my $PLACE = File::Temp->newdir;

# Takes a function, and optionally one that prepares the process. Forks a process, in a process group of its own as a
# shell does it, that starts two copies and runs the function. Returns { pid, says: a handle, groups } when the copies
# run.
sub job {
    my ($function, $prepare) = @_;
    pipe my $says, my $to or die "pipe: $!\n";
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        alarm 60;    # if it hangs, it ends, and its guardian ends the copies
        $prepare ? $prepare->() : setpgrp 0, 0;
        my $process = UnixBench::Process->new(clock => UnixBench::Base::Clock->new);
        $process->start_guardian("$PLACE/scratch");
        my @groups = map { start_shell($process, 'sleep 1000 & exec sleep 1000', $PLACE)->{pid} } 1, 2;
        syswrite $to, "@groups\n";
        syswrite $to, $function->($process) . "\n";
        kill KILL => $$;
    }
    close $to;
    my @groups = split ' ', readline $says;
    eventually(sub {
        (map { group($_) } @groups) == 4;
    });
    return { pid => $pid, says => $says, groups => \@groups };
}

sub stopped_by {
    my ($job) = @_;
    waitpid $job->{pid}, POSIX::WUNTRACED();
    my $status = ${^CHILD_ERROR_NATIVE};
    return POSIX::WIFSTOPPED($status) ? POSIX::WSTOPSIG($status) : "ended: $status";
}

# Waits until a job has ended; returns the value of its function, or 'nothing' if the function did not return.
sub said {
    my ($job) = @_;
    chomp(my $said = readline($job->{says}) // 'nothing');
    waitpid $job->{pid}, 0;
    return $said;
}

# Takes a number; returns a function that sleeps until this program was stopped that often, or interrupted. The function
# returns the number of stops and the signal, as text.
sub until_stops {
    my ($wanted) = @_;
    return sub {
        my ($process) = @_;
        $process->sleep_until(undef) while $process->stops < $wanted && !$process->interrupted;
        return join ' ', $process->stops, $process->interrupted // 'not interrupted';
    };
}

# A timer that is set to less than a microsecond is off.
subtest 'the shortest waits end' => sub {
    for my $seconds (1e-9, 9e-7, 0, -1) {
        my $pid = fork // die "fork: $!\n";
        if (!$pid) {
            UnixBench::Process::Signals->new->wait($seconds);
            kill KILL => $$;
        }
        my $has_ended = eventually(sub { waitpid($pid, POSIX::WNOHANG()) == $pid }, 30);
        ok($has_ended, "$seconds s") or kill KILL => $pid;
    }
};

subtest 'a stop right before a sleep is counted' => sub {
    my $job = job(sub {
        my ($process) = @_;
        my ($wait, $sleeps) = (\&UnixBench::Process::Signals::wait, 0);
        no warnings 'redefine';
        local *UnixBench::Process::Signals::wait = sub { kill STOP => $$ if !$sleeps++; goto &$wait };
        return until_stops(1)->($process);
    });
    is(stopped_by($job), POSIX::SIGSTOP(), 'the program is stopped');
    kill CONT => $job->{pid};
    is(said($job), '1 not interrupted', 'the stop is counted, although the program did not sleep');
};

subtest 'SIGTSTP does not stop a program that no shell could continue' => sub {
    my $job = job(until_stops(1), sub { POSIX::setsid() });
    kill TSTP => $job->{pid};
    is(said($job), '1 not interrupted', 'the program does not stop, but the signal is counted as a stop');
};

subtest 'SIGTSTP stays ignored if the caller ignores it' => sub {
    my $job = job(until_stops(1), sub { setpgrp 0, 0; $SIG{TSTP} = 'IGNORE' });
    kill TSTP => $job->{pid};
    kill TERM => $job->{pid};
    like(stopped_by($job), qr/\Aended/, 'the program is not stopped');
    is(said($job), '0 TERM', 'no stop is counted');
};

open my $null, '<', '/dev/null' or die "/dev/null: $!\n";
my %expected = (q{} => 80, 132 => 132, 0 => 80, '0132' => 132, -5 => 80, x => 80, 99_999 => 80);
is(UnixBench::Process::Writer::columns($null, { COLUMNS => $_ }), $expected{$_}, "no window size, COLUMNS is \"$_\"")
    for sort keys %expected;
is(UnixBench::Process::Writer::columns($null, {}), 80, 'without COLUMNS there are 80 columns');

done_testing;
