use strict;
use warnings;

use File::Temp ();
use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place qw(eventually group is_alive);
use Needs qw(skip_without);
use UnixBench::Base::Clock;
use UnixBench::Base::Files;
use UnixBench::Process::Guardian;
use UnixBench::Process;
use Workbench qw(elsewhere limited start_shell);

my $PLACE = File::Temp->newdir;

# Returns a new process with a guardian that is to remove $PLACE/scratch. Takes perhaps [words], its last command.
sub guarded {
    my ($last) = @_;
    mkdir "$PLACE/scratch";
    my $process = UnixBench::Process->new(clock => UnixBench::Base::Clock->new);
    $process->start_guardian("$PLACE/scratch", $last);
    return $process;
}

# Starts a copy that has a child; returns its group when both run.
sub start_two {
    my ($process) = @_;
    my $copy = start_shell($process, 'sleep 1000 & exec sleep 1000', $PLACE);
    eventually(sub { group($copy->{pid}) == 2 });
    return $copy->{pid};
}

# Takes a name, a function, and perhaps the last command. Calls the function with a guarded process, in a child that
# then kills itself; the function prints groups. Tests that the guardian ends these groups, removes the scratch
# directory and ends.
sub is_cleared_after {
    my ($what, $function, $last) = @_;
    my ($text, $status) = elsewhere(sub {
        my $process = guarded($last);
        $function->($process);
        print "$process->{guardian}{pid}\n";
        kill KILL => $$;
    });
    my ($guardian, @groups) = reverse split ' ', $text;
    is($status & 127, POSIX::SIGKILL(), "$what: the program was killed");
    ok(@groups > 0, "$what: there were groups");
    for my $group (@groups) {
        ok(eventually(sub { !group($group) }), "$what: group $group ends");
    }
    ok(eventually(sub { !-e "$PLACE/scratch" }), "$what: the scratch directory is removed");
    ok(eventually(sub { !is_alive($guardian) }), "$what: the guardian ends");
    return;
}

# A program that leaves a daemon in its own session, and without open files. The daemon notes its PID in the file that
# is the argument.
my $DAEMON = 'exit if fork; setsid(); POSIX::close($_) for 0 .. 255; exit if fork; open F, ">", "$ARGV[0].new"; '
    . 'print F $$; close F; rename "$ARGV[0].new", $ARGV[0]; sleep 1000';

subtest 'the guardian ends a daemon whose copy has ended' => sub {
    is_cleared_after(
        daemon => sub {
            my ($process) = @_;
            local $ENV{UB_SCRATCH} = "$PLACE/scratch/copy1";
            my $copy = start_shell($process, "exec $^X -MPOSIX=setsid -e '$DAEMON' $PLACE/daemon", $PLACE);
            $process->sleep_until(undef) until $process->{ended}{ $copy->{pid} };
            eventually(sub { -e "$PLACE/daemon" });
            $process->end_group($copy->{pid});
            print getpgrp(UnixBench::Base::Files::content("$PLACE/daemon")), "\n";
        }
    );
};

subtest 'a guardian that was killed is replaced' => sub {
    is_cleared_after(
        replaced => sub {
            my ($process) = @_;
            my $first = $process->{guardian}{pid};
            print start_two($process), "\n";
            kill KILL => $first;
            eventually(sub { !is_alive($first) });
            print start_two($process), "\n";
            $process->{guardian}{pid} != $first or die "the same guardian\n";
        }
    );
};

subtest 'a guardian that does not read is replaced' => sub {
    is_cleared_after(
        replaced => sub {
            my ($process) = @_;
            my $first = $process->{guardian}{pid};
            kill STOP => $first;
            my $group = start_two($process);
            1 while $process->_tell_guardian("-1000000000");
            print "$group\n", start_two($process), "\n";
            $process->{guardian}{pid} != $first or die "the same guardian\n";
        }
    );
};

subtest 'a last command' => sub {
    for my $case (['a switch', 1, 1], ['one that was undone', 1, 0], ['none', 0, 0]) {
        my ($name, $is_needed, $is_wanted) = @$case;
        my $note = "$PLACE/last";
        unlink $note;
        is_cleared_after(
            $name => sub {
                my ($process) = @_;
                $process->will_need_last(1) if $is_needed;
                print start_two($process), "\n";
                $process->will_need_last(0) if $is_needed && !$is_wanted;
                return if !$is_wanted;
                kill KILL => my $first = $process->{guardian}{pid};
                eventually(sub { !is_alive($first) });
                $process->gate;    # replaces the guardian
            },
            ['/bin/sh', '-c', "ls -d $PLACE/scratch > $note"]
        );
        my $said = UnixBench::Base::Files::content($note);
        is($said, $is_wanted ? "$PLACE/scratch\n" : undef, "$name: the command runs if it is needed, before the end");
    }
};

subtest "a guardian that can't be started is an error" => sub {
    my ($text) = limited(
        ['--nproc=0'],
        sub {
            eval { guarded(); 1 } or print $@;
        }
    );
    skip_without(tool => 'prlimit') if !defined $text;
    is($text, "can't start a process: Resource temporarily unavailable\n", 'the error gives the reason in one line');
};

subtest 'an error without release' => sub {
    my ($text) = elsewhere(sub {
        my $pid;
        eval { my $guardian = UnixBench::Process::Guardian->new; $pid = $guardian->pid; die "an error\n" };
        eventually(sub { !is_alive($pid) });
        print 'still alive';
    });
    is($text, 'still alive', 'the guardian ends, and leaves the program alone');
};

subtest 'a guardian that clears up has another name' => sub {
    my $guardian = UnixBench::Process::Guardian->new(scratch => "$PLACE/scratch");
    close $guardian->{pipe};
    ok(eventually(sub { !is_alive($guardian->pid) }), 'it has ended');
    my $name = UnixBench::Base::Files::content("/proc/@{[$guardian->pid]}/comm");
    skip_without(machine => '/proc') if !defined $name;
    is($name, "Run: clearing\n", 'so other calls of Run do not take it for one that measures');
    $guardian->release;
};

done_testing();
