# Runs a command apart from the connection that asked for it, and ends it after its time limit. Usage:
#   perl - DIRECTORY AT LIMIT COMMAND [WORD ...] < runner.pl
# Returns as soon as the runner is on its own. The runner waits until the clock shows AT, starts the command, and waits
# LIMIT seconds for its end. Files of the directory:
#   pid      the runner's number
#   began    "began=", and when the command began, in seconds since 1970
#   out, err what the command printed
#   status   how it ended: lines how= (ended, interrupted, limit or stopped), status= (exit status), signal=, ended=
# The runner has UNIXBENCH_FLEET=DIRECTORY/ in its environment. So has each process that the command starts.
use strict;
use warnings;

use Fcntl qw(LOCK_EX LOCK_NB);
use POSIX ();

use constant {
    GRACE_S => 20,     # for the command to end after SIGTERM
    REST_S  => 10,     # for its processes to end after it
    TRIES   => 120,    # to write the status to a full disk
    PAUSE_S => 5,
    LOOK_S  => 0.1,
};

my ($directory, $at_s, $limit_s, @command) = @ARGV;

# Time::HiRes may be missing in the smallest Perl. Then the clock has whole seconds.
my $time = eval { require Time::HiRes; Time::HiRes->can('time') } || sub { return time };

chdir $directory or die "$directory: $!\n";
open my $lock, '>>', 'lock' or die "lock: $!\n";
flock $lock, LOCK_EX | LOCK_NB or die "another controller starts this run\n";
pipe my $news, my $to_starter or die "pipe: $!\n";
my $runner = fork;
die "fork: $!\n" if !defined $runner;
if ($runner) {
    close $to_starter;
    my $said = readline $news;
    exit 0 if defined $said && $said eq "ready\n";
    die $said // "the runner ended at once\n";
}
close $news;
my $is_over = eval { detach(); watch(); 1 };
exit !$is_over;

# Leaves the connection, and tells the starter that the run is safe. A problem goes to the starter, too.
sub detach {
    my $is_ready = eval {
        POSIX::setsid();
        POSIX::close($_) for grep { $_ != fileno $to_starter && $_ != fileno $lock } 3 .. 255;
        open STDIN,  '<',  '/dev/null' or die "/dev/null: $!\n";
        open STDOUT, '>>', 'out'       or die "out: $!\n";
        open STDERR, '>>', 'err'       or die "err: $!\n";
        write_whole('pid', $$);
        1;
    };
    syswrite $to_starter, $is_ready ? "ready\n" : $@;
    close $to_starter;
    die $@ if !$is_ready;
    return;
}

# Runs the command, and writes how it ended.
sub watch {
    local $SIG{HUP}  = 'IGNORE';
    local $SIG{TERM} = sub { die "stopped\n" };
    local $SIG{ALRM} = sub { die "limit\n" };
    my ($how, $command);
    my $has_ended = eval {
        wait_until($at_s);
        write_whole('began', sprintf 'began=%.3f', $time->());
        $command = started();
        alarm $limit_s;
        waitpid $command, 0;
        1;
    };
    my $status = $?;
    local @SIG{qw(TERM ALRM)} = ('IGNORE') x 2;
    if (!$has_ended) {
        chomp($how = $@);
        $status = ended($command) if $command;
    }
    end_rest();
    $how //= -e 'results/result.journal' ? 'interrupted' : 'ended';
    my %line = (how => $how, ended => sprintf('%.3f', $time->()), status => $status >> 8, signal => $status & 127);
    return report(join "\n", map { "$_=$line{$_}" } sort keys %line);
}

sub wait_until {
    my ($until_s) = @_;
    my $left_s;
    select undef, undef, undef, $left_s while ($left_s = $until_s - $time->()) > 0;
    return;
}

# Starts the command in a process group of its own; returns its number.
sub started {
    my $pid = fork;
    die "fork: $!\n" if !defined $pid;
    setpgrp $pid, $pid;
    return $pid if $pid;
    setpgrp;
    $SIG{$_} = 'DEFAULT' for qw(HUP TERM ALRM);    ## no critic (RequireLocalizedPunctuationVars)
    exec { $command[0] } @command or print {*STDERR} "$command[0]: $!\n";
    POSIX::_exit(127);
}

# Ends the command with its process group, by SIGTERM and then by SIGKILL; returns its wait status.
sub ended {
    my ($pid) = @_;
    kill $_ => -$pid for qw(TERM CONT);
    my $until_s = $time->() + GRACE_S;
    while (!waitpid $pid, POSIX::WNOHANG()) {
        kill KILL => -$pid if $time->() > $until_s;
        select undef, undef, undef, LOOK_S;
    }
    return $?;
}

# Waits for the processes that the command has left, and kills those that do not end.
sub end_rest {
    my $until_s = $time->() + REST_S;
    while (my @rest = rest()) {
        kill KILL => @rest if $time->() > $until_s;
        select undef, undef, undef, LOOK_S;
    }
    return;
}

# Returns the numbers of the other processes of this run.
sub rest {
    my $mark = "UNIXBENCH_FLEET=$directory/";
    return grep { $_ != $$ && index(environment($_), $mark) >= 0 } map { m{([0-9]+)\z} } glob '/proc/[0-9]*';
}

sub environment {
    my ($pid) = @_;
    open my $file, '<', "/proc/$pid/environ" or return q{};
    local $/ = undef;
    return readline($file) // q{};
}

# Takes the lines of the status; writes them. The disk may be full, because of the run or for another reason.
sub report {
    my ($text) = @_;
    for (1 .. TRIES) {
        return if eval { write_whole('status', $text); 1 };
        select undef, undef, undef, PAUSE_S;
    }
    return;
}

# Takes a name and a text; writes that file, which has the whole text or does not exist.
sub write_whole {
    my ($name, $text) = @_;
    open my $file, '>', "$name.new" or die "$name: $!\n";
    print {$file} "$text\n" or die "$name: $!\n";
    close $file             or die "$name: $!\n";
    rename "$name.new", $name or die "$name: $!\n";
    return;
}
