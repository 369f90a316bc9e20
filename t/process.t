use strict;
use warnings;

use File::Temp ();
use FindBin;
use POSIX ();
use Test::More;
use Time::HiRes qw(time);

use lib "$FindBin::Bin/lib";
use Alive qw(eventually group is_alive);
use UnixBench::Clock;
use UnixBench::Process;

my $PERL = $^X;

sub with_process {
    my ($test) = @_;
    my $process = UnixBench::Process->new(clock => UnixBench::Clock->new);
    $test->($process);
    $process->release;
    return;
}

# Starts a shell that runs the text, as a copy would be started.
sub start {
    my ($process, $text, $place) = @_;
    my ($go, $gate) = $process->gate;
    return $process->start(
        command => ['/bin/sh', '-c', $text],
        dir     => '/',
        stdin   => '/dev/null',
        stdout  => "$place/out",
        go      => $go,
        env     => {},
    );
}

# Runs the function in a process of its own; returns what it prints and its wait status.
sub elsewhere {
    my ($function) = @_;
    my $pid = open(my $from, '-|') // die "fork: $!\n";
    if (!$pid) {
        $| = 1;
        $function->();
        POSIX::_exit(0);
    }
    local $/ = undef;
    my $text = <$from>;
    close $from;
    return ($text, $?);
}

subtest 'output_of' => sub {
    *output_of = \&UnixBench::Process::output_of;
    is(output_of(['/bin/echo', 'a  b', '$HOME']), "a  b \$HOME\n", 'words are no text for a shell');
    is(output_of([$PERL, '-e', 'print "x" x 1_000_000']), 'x' x 1_000_000, 'a megabyte');
    is(output_of(['/bin/sh', '-c', 'cat; echo no >&2']), q{},   'no input, no standard error');
    is(output_of(['/bin/sh', '-c', 'echo x; exit 1']),   undef, 'none when it fails');
    is(output_of(['/no/such/program']), undef, 'nor when it is not there');
};

subtest 'run_in_foreground' => sub {
    is(UnixBench::Process::run_in_foreground(['/bin/sh', '-c', "exit $_"]) >> 8, $_, "status $_") for 0, 3;
    is(UnixBench::Process::run_in_foreground(['/no/such/program']) >> 8, 127, 'not there');
};

subtest 'call and pause' => sub {
    with_process(
        sub {
            my ($process) = @_;
            is($process->call('/bin/sh', '-c', 'exit 4') >> 8, 4,   'status');
            is($process->call('/no/such/program') >> 8,        127, 'not there');
            my $before_s = time;
            $process->pause(0.05);
            cmp_ok(time - $before_s, '>=', 0.05, 'pauses for that long');
        }
    );
};

subtest 'no end of a process is missed' => sub {
    my $place = File::Temp->newdir;
    with_process(
        sub {
            my ($process) = @_;
            my %expected = map { start($process, "exit $_", $place)->{pid} => $_ } map { $_ % 100 } 1 .. 200;
            my %status;
            my $until_s = $process->{clock}->monotonic_s + 20;
            while (keys %status < 200 && $process->{clock}->monotonic_s < $until_s) {
                my $ended = $process->ended;
                $status{$_} = $ended->{$_}{status} >> 8 for keys %$ended;
                $process->sleep_until($until_s) if keys %status < 200;
            }
            is_deeply(\%status, \%expected, '200 that end at once, each with its status');
        }
    );
};

for my $signal (qw(INT TERM HUP)) {
    subtest "interrupted by SIG$signal" => sub {
        my ($text, $status) = elsewhere(
            sub {
                my $process = UnixBench::Process->new(clock => UnixBench::Clock->new);
                kill $signal, $$;
                print 'waits ', $process->interrupted // 'blocked', "\n";
                $process->pause(60);
                print 'woken by ',        $process->interrupted,                                         "\n";
                print 'not waited for: ', $process->call('/bin/sh', '-c', 'exec sleep 2 >&- 2>&-') >> 8, "\n";
                $process->release;
                UnixBench::Process::die_of($signal);
            }
        );
        like($text, qr/^waits blocked\nwoken by $signal\nnot waited for: 127\n/, 'when it sleeps');
        is($status & 127, POSIX->can("SIG$signal")->(), 'and dies of it');
    };
}

subtest 'a signal that the caller ignores stays ignored' => sub {
    local $SIG{HUP} = 'IGNORE';
    with_process(
        sub {
            my ($process) = @_;
            kill HUP => $$;
            $process->pause(0.01);
            is($process->interrupted, undef, 'nohup');
        }
    );
};

subtest 'signals are given back' => sub {
    my $seen = 0;
    local $SIG{TERM} = sub { $seen++ };
    with_process(sub { });
    kill TERM => $$;
    is($seen, 1, 'handler and mask as before');
};

subtest 'the guardian' => sub {
    my $place = File::Temp->newdir;
    mkdir "$place/scratch" or die "mkdir: $!\n";
    my ($text, $status) = elsewhere(
        sub {
            my $process = UnixBench::Process->new(clock => UnixBench::Clock->new);
            $process->start_guardian("$place/scratch");
            my $ended = start($process, 'exit 0',                                             $place);
            my $copy  = start($process, "touch $place/scratch/file; sleep 1000 & sleep 1000", $place);
            $process->pause(0.01) while !-e "$place/scratch/file";
            $process->clear_group($ended->{pid});
            print "$copy->{pid} $process->{guardian_pid}\n";
            kill KILL => $$;
        }
    );
    is($status & 127, POSIX::SIGKILL(), 'Run is killed');
    my ($group, $guardian) = split ' ', $text;
    ok(eventually(sub { !group($group) }),       'its copies and what they started end');
    ok(eventually(sub { !-e "$place/scratch" }), 'the scratch directory is removed');
    ok(eventually(sub { !is_alive($guardian) }), 'the guardian ends');
};

done_testing();
