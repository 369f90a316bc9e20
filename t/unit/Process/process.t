use strict;
use warnings;

use File::Temp ();
use FindBin;
use POSIX ();
use Test::More;
use Time::HiRes qw(time);

use lib "$FindBin::Bin/../../lib";
use Place     qw(eventually states);
use Needs     qw(path_of skip_without tracing);
use Workbench qw(elsewhere limited start_shell);
use UnixBench::Base::Clock;
use UnixBench::Process::Command;
use UnixBench::Process;

use constant PATIENCE_S => 300;    # a test that hangs ends after this time

# A clock that advances by 200 seconds each time it is read.
package HastyClock {
    sub new         { my ($class) = @_; return bless { now_s => 0 }, $class }
    sub monotonic_s { my ($self)  = @_; return $self->{now_s} += 200 }
}

sub with_process {
    my ($test) = @_;
    my $process = UnixBench::Process->new(clock => UnixBench::Base::Clock->new);
    $test->($process);
    $process->release;
    return;
}

subtest 'call runs a program, and pause waits' => sub {
    with_process(sub {
        my ($process) = @_;
        is($process->call('/bin/sh', '-c', 'exit 4') >> 8, 4,   'call returns the wait status');
        is($process->call('/no/such/program') >> 8,        127, 'a missing program has the exit status 127');
        my $before_s = time;
        $process->pause(0.05);
        cmp_ok(time - $before_s, '>=', 0.05, 'pause lasts as long as asked for');
    });
};

subtest 'a program for which there is no process' => sub {
    my ($text) = limited(
        ['--nproc=0'],
        sub {
            my $process = UnixBench::Process->new(clock => UnixBench::Base::Clock->new);
            print join q{ }, $process->call('true') >> 8, map { $_ >> 8 } ($process->errors_of('true'))[0];
        }
    );
    skip_without(tool => 'prlimit') if !defined $text;
    is($text, '127 127', 'has failed, and the caller goes on');
};

subtest 'call gives up a program that does not end' => sub {
    my ($said) = elsewhere(sub {
        my $process = UnixBench::Process->new(clock => HastyClock->new, waiting => sub { print @_ });
        print $process->call('sleep', 1000) >> 8, "\n" for 1 .. 2;
    });
    is($said, <<'END', 'the program is not waited for any longer, and not started again');
waiting for "sleep", which has not ended after 10 s
continuing without "sleep", which has not ended after 300 s
127
127
END
};

subtest 'a call that a sandbox refuses ends the run, with the reason' => sub {
    my %line_with = (
        kill      => "can't end process N: Operation not permitted; it may still be running\n",
        wait4     => "can't wait for processes: Operation not permitted\n",
        setitimer => "can't set a timer: Operation not permitted\n",
    );
    my $strace = path_of('strace') or skip_without(tool => 'strace');
    my @perl   = ($^X, (map { "-I$_" } @INC), '-MWorkbench=one_pass', '-e');
    for my $call (sort keys %line_with) {
        my @refused = ($strace, qw(-o /dev/null -e), "trace=$call", '-e', "inject=$call:error=EPERM", @perl);
        my @with    = q{limit_s => 0.1, during => sub { $_[0]->start_guardian }};
        my ($said)  = elsewhere(sub { exec @refused, "print eval { one_pass('hang', @with)->{error} } // \$@" });
        skip_without(tracing()) if !length $said;
        is($said =~ s/process \K[0-9]+/N/r, $line_with{$call}, $call);
    }
};

subtest 'no end of a process is missed' => sub {
    my $place = File::Temp->newdir;
    with_process(sub {
        my ($process) = @_;
        my %expected = map { start_shell($process, "exit $_", $place)->{pid} => $_ } map { $_ % 100 } 1 .. 200;
        my %status;
        my $until_s = $process->{clock}->monotonic_s + PATIENCE_S;
        while (keys %status < 200 && $process->{clock}->monotonic_s < $until_s) {
            my $ended = $process->ended(\%expected);
            $status{$_} = $ended->{$_}{status} >> 8 for keys %$ended;
            $process->sleep_until($until_s) if keys %status < 200;
        }
        is_deeply(\%status, \%expected, '200 processes that end at once have their exit statuses');
    });
};

subtest 'a signal interrupts a pause' => sub {
    my ($text, $status) = elsewhere(sub {
        my $process = UnixBench::Process->new(clock => UnixBench::Base::Clock->new);
        kill TERM => $$;
        print 'waits ', $process->interrupted // 'blocked', "\n";
        $process->pause(60);
        print 'woken by ',        $process->interrupted,                                         "\n";
        print 'not waited for: ', $process->call('/bin/sh', '-c', 'exec sleep 2 >&- 2>&-') >> 8, "\n";
        $process->release;
        UnixBench::Process::Command::die_of('TERM');
    });
    like($text, qr/^waits blocked\nwoken by TERM\nnot waited for: 127\n/, 'the signal is blocked until the pause');
    is($status & 127, POSIX::SIGTERM(), 'the program dies of it');
};

subtest 'a signal that the caller ignores stays ignored' => sub {
    local $SIG{HUP} = 'IGNORE';
    with_process(sub {
        my ($process) = @_;
        kill HUP => $$;
        $process->pause(0.01);
        is($process->interrupted, undef, 'SIGHUP does not interrupt');
    });
};

subtest 'release restores the signals' => sub {
    my $seen = 0;
    local $SIG{TERM} = sub { $seen++ };
    with_process(sub { });
    kill TERM => $$;
    is($seen, 1, 'handler and mask are as before');
};

subtest 'SIGPIPE and SIGXFSZ end programs that are started, but not this one' => sub {
    my $place = File::Temp->newdir;
    my ($text, $status) = elsewhere(sub {
        with_process(sub {
            my ($process) = @_;
            kill $_ => $$ for qw(PIPE XFSZ);
            print "lives\n";
            for my $signal (qw(PIPE XFSZ)) {
                print $process->call('/bin/sh', '-c', "kill -$signal \$\$") & 127, "\n";
                my $copy = start_shell($process, "kill -$signal \$\$", $place);
                $process->sleep_until(undef) until $process->{ended}{ $copy->{pid} };
                print $process->ended({ $copy->{pid} => 1 })->{ $copy->{pid} }{status} & 127, "\n";
            }
        });
        kill XFSZ => $$;
        print "not reached\n";
    });
    my ($pipe, $xfsz) = map { UnixBench::Process::Signals::number($_) } qw(PIPE XFSZ);
    is($text,         "lives\n$pipe\n$pipe\n$xfsz\n$xfsz\n", 'the signals end programs, but not this one');
    is($status & 127, $xfsz,                                 'the signals end this program after release');
};

subtest 'SIGCONT without a stop is ignored after the third time' => sub {
    my $place = File::Temp->newdir;
    with_process(sub {
        my ($process) = @_;
        my $before = $process->stops;
        for (1 .. 1000) { kill CONT => $$; $process->stops }
        is($process->stops, $before + 3, 'three stops are counted');
        my $copy = start_shell($process, 'exit 3', $place);
        $process->sleep_until(undef) until $process->{ended}{ $copy->{pid} };
        is($process->ended({ $copy->{pid} => 1 })->{ $copy->{pid} }{status} >> 8, 3, 'its end is not missed');
    });
};

subtest 'stops of copies and servers are noticed' => sub {
    my $place = File::Temp->newdir;
    with_process(sub {
        my ($process) = @_;
        my @gates     = map { "$place/go$_" } 1, 2;
        POSIX::mkfifo($_, 0600) or die "mkfifo: $!\n" for @gates;
        my @texts  = map { "kill -STOP \$\$; read line <$_" } @gates;
        my $copy   = start_shell($process, $texts[0], $place);
        my %server = (command => sub { ['/bin/sh', '-c', $texts[1]] }, output => "$place/server");
        my $server = $process->serve(%server);
        $process->sleep_until(undef) while $process->stops < 2;
        ok(1, 'the stops are noticed');
        my $stops = $process->stops;
        kill CONT => $copy->{pid}, $server->{pid};
        $process->sleep_until(undef) while $process->stops < $stops + 2;
        ok(1, 'the continuations are noticed');

        for my $gate (@gates) {
            open my $go, '>', $gate or die "$gate: $!\n";    # waits for the reader
            close $go;
        }
        $process->sleep_until(undef) while grep { !$process->{ended}{ $_->{pid} } } $copy, $server;
    });
};

subtest 'the times of copies are noted before they are collected' => sub {
    skip_without(machine => '/proc/PID/schedstat') if !-r "/proc/$$/schedstat";
    my $wait     = sub { };
    my $noted_of = sub {
        my ($copies, $place) = (@_, File::Temp->newdir);
        my ($noted,  $after);
        with_process(sub {
            my ($process) = @_;
            my %alive = map { start_shell($process, 'exit 0', $place)->{pid} => 1 } 1 .. $copies;
            $process->open_accounts(\%alive);
            $wait->(keys %alive);
            while (%alive) {
                $process->sleep_until(undef);
                delete @alive{ keys %{ $process->ended(\%alive) } };
            }
            $noted = $process->close_accounts;
            my $pid = start_shell($process, 'exit 0', $place)->{pid};
            $process->sleep_until(undef) until $process->{ended}{$pid};
            $after = $process->close_accounts;
        });
        is_deeply($after, {}, 'of other processes nothing is noted, and earlier times are forgotten');
        return %$noted;
    };
    $wait = sub {
        my (@pids) = @_;
        eventually(sub {
            @pids == grep { UnixBench::Base::Proc::of($_, 'state') eq 'Z' } @pids;
        });
    };
    my %noted = $noted_of->(2);
    is(scalar keys %noted,                              2, 'the times of all copies are known');
    is(scalar(grep { $_->{ran_s} <= 0 } values %noted), 0, 'each has run');
    my %some = $noted_of->(40);
    cmp_ok(scalar keys %some, '>', 0, 'of many copies, the times of some are known');
};

subtest "the program's own alarm is recognised by a slow clock" => sub {
    no warnings 'redefine';
    local *UnixBench::Process::Signals::_now_s = sub { return 1000 };
    with_process(sub {
        my ($process) = @_;
        $process->pause(0.05);
        is($process->interrupted, undef, 'the alarm of this program does not interrupt');
        kill ALRM => $$;
        $process->stops;
        is($process->interrupted, 'ALRM', 'an alarm of another program interrupts');
    });
};

subtest 'a stop waits until the group of a copy that has ended is cleared' => sub {
    my $place = File::Temp->newdir;
    with_process(sub {
        my ($process) = @_;
        my $copy = start_shell($process, 'exit 3', $place);
        my $has_stopped;
        no warnings 'redefine';
        local *UnixBench::Process::Signals::stop = sub { $has_stopped = 1; $_[0]{is_stop_wanted} = 0 };
        eventually(sub { states($copy->{pid}) eq q{} });
        kill TSTP => $$;
        $process->sleep_until(undef) until $process->{ended}{ $copy->{pid} };
        ok(!$has_stopped, 'the stop waits, since the number of the copy could be given away');
        $process->end_group($copy->{pid});
        $process->stops;
        ok($has_stopped, 'the stop comes after the group is cleared');
    });
};

my $PERL = $^X;
*output_of = \&UnixBench::Process::Command::output_of;

subtest 'output_of returns the output of a program' => sub {
    is(output_of(['/bin/echo', 'a  b', '$HOME']), "a  b \$HOME\n", 'words are not read by a shell');
    is(output_of([$PERL, '-e', 'print "x" x 1_000_000']), 'x' x 1_000_000, 'a megabyte of output is returned');
    is(output_of(['/bin/sh', '-c', 'cat; echo no >&2']), q{}, 'standard input is empty, and standard error is dropped');
    is(output_of(['/bin/sh', '-c', 'echo x; exit 1']),   undef, 'a program that fails has no output');
    is(output_of(['/no/such/program']), undef, 'a missing program has no output');
};

subtest 'run_ahead runs commands at the same time' => sub {
    my $dir = File::Temp->newdir;
    POSIX::mkfifo("$dir/pipe", 0600) or die "mkfifo: $!\n";
    my @wait = map { ['/bin/sh', '-c', $_] } "echo met >'$dir/pipe'; echo said >>'$dir/log'; cat '$dir/log'",
        "cat '$dir/pipe'";
    my @gone = ('/no/such/program');
    UnixBench::Process::Command::run_ahead(@wait, \@gone);
    is(output_of($wait[1]), "met\n",  'the second runs while the first does');
    is(output_of($wait[0]), "said\n", 'the output of the first is kept, too');
    is(output_of(\@gone),   undef,    'a missing program has none');
    my @count = ('/bin/sh', '-c', "echo x >>'$dir/count'; cat '$dir/count'");
    UnixBench::Process::Command::run_ahead(\@count);
    is(join(q{}, map { output_of(\@count) } 1, 2), "x\nx\nx\n", 'an output is used once');
};

subtest 'run_ahead where fewer processes are allowed' => sub {
    my @echo  = map { ['/bin/echo', $_] } qw(a b c);
    my $start = \&UnixBench::Process::Child::start;
    my $most  = 1;
    no warnings 'redefine';
    local *UnixBench::Process::Child::start = sub { $most-- > 0 ? $start->(@_) : die "can't start a process\n" };
    UnixBench::Process::Command::run_ahead(@echo);
    is(output_of($echo[0]),                "a\n",                     'the output of what could be started is kept');
    is(eval { output_of($echo[1]) } // $@, "can't start a process\n", 'if nothing can be started, that is an error');
    $most = 2;
    is(join(q{}, map { output_of($_) } @echo[1, 2]), "b\nc\n", 'the others are run when they are asked for');
};

subtest 'run_in_foreground with a standard output that can only be read' => sub {
    my $write = q{UnixBench::Process::Command::run_in_foreground(['/bin/sh', '-c', 'echo text']) >> 8};
    my $status =
        system qq('$^X' -I'$FindBin::Bin/../../../lib' -MUnixBench::Process::Command -e "exit $write" 1</dev/null);
    is($status >> 8, 0, 'a command that prints does not fail');
};

subtest 'run_in_foreground returns the wait status' => sub {
    is(UnixBench::Process::Command::run_in_foreground(['/bin/sh', '-c', "exit $_"]) >> 8, $_, "exit status $_")
        for 0, 3;
    is(UnixBench::Process::Command::run_in_foreground(['/no/such/program']) >> 8, 127, '127 if it is missing');
};

# Takes Perl code; runs it and returns the wait status. The exit status is 7 if the code returns.
sub ends_by {
    my ($code) = @_;
    return system($PERL, (map { "-I$_" } @INC), '-MUnixBench::Process::Command', '-e', "$code; exit 7");
}

subtest 'become replaces this program by another' => sub {
    is(ends_by(q{UnixBench::Process::Command::become(['/bin/sh', '-c', 'exit 3'])}) >> 8, 3, 'that of the other');
    is(eval { UnixBench::Process::Command::become(['/no/such/program']); 1 }, undef, 'a missing program is an error');
    is($@, "can't run /no/such/program: No such file or directory\n", 'the error names the program and the reason');
};

subtest 'die_as and die_of end this program by a signal' => sub {
    is(ends_by('UnixBench::Process::Command::die_as(15)') & 127,    15, 'the wait status of a signal ends the program');
    is(ends_by('UnixBench::Process::Command::die_as(1 << 8)') >> 8, 7,  'another wait status does not end the program');
    is(ends_by('$SIG{INT} = "IGNORE"; UnixBench::Process::Command::die_of("INT")') & 127, 2, 'an ignored signal');
};

done_testing;
