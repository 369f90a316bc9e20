use strict;
use warnings;

use File::Temp ();
use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Alive qw(eventually group states);
use UnixBench::Base::Clock;
use UnixBench::Process::Process;
use UnixBench::Process::Signals;
use Workbench qw(start_shell);

# How this program is stopped and continued, and what it has started with it.

my $PLACE = File::Temp->newdir;

# Runs the function with a process that has two copies, in a process group of its own as a shell would start it,
# until it returns. Returns { pid, says: a handle, groups }.
sub job {
    my ($function, $prepare) = @_;
    pipe my $says, my $to or die "pipe: $!\n";
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        alarm 60;    # should it hang, it ends, and its guardian ends the rest
        $prepare ? $prepare->() : setpgrp 0, 0;
        my $process = UnixBench::Process::Process->new(clock => UnixBench::Base::Clock->new);
        $process->start_guardian("$PLACE/scratch");
        my @groups = map { start_shell($process, 'sleep 1000 & exec sleep 1000', $PLACE)->{pid} } 1, 2;
        syswrite $to, "@groups\n";
        syswrite $to, $function->($process) . "\n";
        kill KILL => $$;
    }
    close $to;
    my @groups = split ' ', readline $says;
    eventually(
        sub {
            (map { group($_) } @groups) == 4;
        }
    );
    return { pid => $pid, says => $says, groups => \@groups };
}

sub stopped_by {
    my ($job) = @_;
    waitpid $job->{pid}, POSIX::WUNTRACED();
    my $status = ${^CHILD_ERROR_NATIVE};
    return POSIX::WIFSTOPPED($status) ? POSIX::WSTOPSIG($status) : "ended: $status";
}

sub states_of {
    my ($job) = @_;
    return states(map { group($_) } @{ $job->{groups} });
}

# What the function returned; the job is at its end then.
sub said {
    my ($job) = @_;
    chomp(my $said = readline($job->{says}) // 'nothing');
    waitpid $job->{pid}, 0;
    return $said;
}

# Sleeps until this program was stopped and continued that often.
sub until_stops {
    my ($wanted) = @_;
    return sub {
        my ($process) = @_;
        $process->sleep_until(undef) while $process->stops < $wanted && !$process->interrupted;
        return join ' ', $process->stops, $process->interrupted // 'not interrupted';
    };
}

# The signal => the state of the copies meanwhile: only TSTP can be caught.
for my $case ([TSTP => 'T'], [STOP => 'S'], [TTIN => 'S'], [TTOU => 'S']) {
    my ($signal, $state) = @$case;
    subtest "stopped by SIG$signal" => sub {
        my $job = job(until_stops(1000));
        for my $time (1, 2) {
            kill $signal => $job->{pid};
            is(stopped_by($job), POSIX->can("SIG$signal")->(), "time $time: is stopped by it");
            ok(eventually(sub { states_of($job) eq $state }), "its copies are in state $state");
            kill CONT => $job->{pid};
            ok(eventually(sub { states_of($job) eq 'S' }), 'its copies go on');
        }
        kill TERM => $job->{pid};
        my ($stops, $interrupted) = split q{ }, said($job);
        is($interrupted, 'TERM', 'it is interrupted');
        cmp_ok($stops, '>=', 2, 'two stops are counted: of this program, or of what it has started');
    };
}

for my $signal (qw(INT TERM HUP)) {
    subtest "SIG$signal while it is stopped" => sub {
        my $job = job(until_stops(5));
        kill TSTP => $job->{pid};
        is(stopped_by($job), POSIX::SIGTSTP(), 'is stopped');
        kill $signal => $job->{pid};
        kill CONT    => $job->{pid};
        like(said($job), qr/\A[1-9] $signal\z/, 'is interrupted when it goes on');
    };
}

subtest 'SIGKILL while it is stopped' => sub {
    my $job = job(until_stops(1));
    kill TSTP => $job->{pid};
    is(stopped_by($job), POSIX::SIGTSTP(), 'is stopped');
    kill KILL => $job->{pid};
    ok(eventually(sub { states_of($job) eq q{} }), 'the guardian ends its copies');
    is(said($job), 'nothing', 'it has not gone on');
};

subtest 'stopped right before it sleeps' => sub {
    my $job = job(
        sub {
            my ($process) = @_;
            my ($wait, $sleeps) = (\&UnixBench::Process::Signals::wait, 0);
            no warnings 'redefine';
            local *UnixBench::Process::Signals::wait = sub { kill STOP => $$ if !$sleeps++; goto &$wait };
            return until_stops(1)->($process);
        }
    );
    is(stopped_by($job), POSIX::SIGSTOP(), 'is stopped');
    kill CONT => $job->{pid};
    is(said($job), '1 not interrupted', 'the stop is counted, though it replaced the sleep');
};

subtest 'where nobody could continue it' => sub {
    my $job = job(until_stops(1), sub { POSIX::setsid() });
    kill TSTP => $job->{pid};
    is(said($job), '1 not interrupted', 'does not stop, but its copies were disturbed');
};

subtest 'SIGTSTP that the caller ignores' => sub {
    my $job = job(until_stops(1), sub { setpgrp 0, 0; $SIG{TSTP} = 'IGNORE' });
    kill TSTP => $job->{pid};
    kill TERM => $job->{pid};
    like(stopped_by($job), qr/\Aended/, 'is not stopped by it');
    is(said($job), '0 TERM', 'stays ignored');
};

subtest 'a stop amid a pause and a command' => sub {
    my $job = job(
        sub {
            my ($process) = @_;
            $process->pause(0.01) while !$process->stops;
            my $status = $process->call('/bin/sh', '-c', 'kill -TSTP $PPID; exit 7') >> 8;
            return "$status " . ($process->stops >= 2 ? 'both' : 'not both');
        }
    );
    for (1, 2) {
        kill TSTP => $job->{pid} if $_ == 1;
        is(stopped_by($job), POSIX::SIGTSTP(), "stop $_");
        kill CONT => $job->{pid};
    }
    is(said($job), '7 both', 'they just go on');
};

done_testing();
