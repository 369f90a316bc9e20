use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive   qw(eventually of_environment states);
use Needs   qw(skip_without);
use TestRun qw(waited);

# A shell lets a command in the background ignore some signals; these tests are about what they do.
$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP TSTP);

my $TITLE = 'System Call Overhead';
my $SCORE = '1000.0';                 # 1000 loops in 2 s, twice

# A place whose "syscall" is held at these starts, in two copies, each with notes of its own.
sub held_at {
    my (@starts) = @_;
    my $test = TestRun->new(programs => { syscall => 'hold' }, own_group => 1);
    mkdir $test->place($_) or die "mkdir: $!\n" for qw(hold path);
    symlink "$TestRun::BIN/stop-parent", $test->place('path', 'sync') or die "symlink: $!\n";
    $test->{env} = {
        UB_HOLD    => $test->place('hold'),
        UB_HOLD_AT => "@starts",
        PATH       => $test->place('path') . ":$ENV{PATH}",
    };
    return $test;
}

# How often both copies together have noted that word.
sub noted {
    my ($test, $word) = @_;
    my @notes;
    for my $copy (1, 2) {
        open my $file, '<', $test->place('hold', $copy) or next;
        push @notes, readline $file;
    }
    return scalar grep { $_ eq "$word\n" } @notes;
}

sub signal_that_stopped {
    my ($run) = @_;
    waitpid $run->{pid}, POSIX::WUNTRACED();
    my $status = ${^CHILD_ERROR_NATIVE};
    return POSIX::WIFSTOPPED($status) ? POSIX::WSTOPSIG($status) : "ended: $status";
}

# Stops Run amid a pass and lets it go on when all of its processes are in that state.
sub stop_and_continue {
    my ($test, $run, $held, $signal, $state) = @_;
    ok(eventually(sub { noted($test, 'held') == $held }), 'both copies are amid their pass');
    kill $signal => $run->{pid};
    is(signal_that_stopped($run), POSIX->can("SIG$signal")->(), "SIG$signal stops it");
    my @processes = of_environment($test->place);
    is(scalar @processes, 3, 'Run and two copies');
    ok(eventually(sub { states(@processes) eq $state }), "are in state $state") or diag states(@processes);
    kill CONT => $run->{pid};
    return;
}

# All is as if nothing had happened, but that passes were started more often than they were made.
sub is_undisturbed {
    my ($test, $ended, $starts) = @_;
    is_deeply([@$ended{qw(status signal err)}], [0, 0, q{}],          'it goes on to its end');
    is_deeply($test->scores,                    { $TITLE => $SCORE }, 'the score');
    like($test->report(q{}), qr/^\Q$TITLE\E .* 4 samples\)$/m, 'of so many passes');
    is_deeply([$test->report('.log') =~ /^#### Pass ([0-9]+)$/mg], [1 .. 6], 'each pass is in the log once');
    is(noted($test, 'start'), 2 * $starts, 'starts');
    is_deeply([of_environment($test->place)], [], 'nothing is left running');
    is_deeply([$test->left],                  [], 'scratch is empty');
    return;
}

my @WORDS = qw(-q -c 2 -i 6 syscall);

# The signal => the state of all then. What can't be caught stops Run alone.
for my $case ([TSTP => 'T'], [STOP => 'ST'], [TTOU => 'ST']) {
    my ($signal, $state) = @$case;
    subtest "SIG$signal in two passes" => sub {
        my $test = held_at(3, 5);
        my $run  = $test->started(@WORDS);
        stop_and_continue($test, $run, $_, $signal, $state) for 2, 4;
        is_undisturbed($test, waited($run), 8);
    };
}

subtest 'between two passes' => sub {
    my $test = held_at(0);
    $test->write('hold', 'stop-parent', q{});
    my $run = $test->started(@WORDS);
    is(signal_that_stopped($run), POSIX::SIGTSTP(), 'while sync runs');
    kill CONT => $run->{pid};
    my $ended  = waited($run);
    my $starts = noted($test, 'start') / 2;
    cmp_ok($starts, '<=', 7, 'at most one pass is made again');
    is_undisturbed($test, $ended, $starts);
};

subtest 'interrupted while it is stopped' => sub {
    my $test = held_at(2);
    my $run  = $test->started(@WORDS);
    ok(eventually(sub { noted($test, 'held') == 2 }), 'both copies are amid their pass');
    kill TSTP => $run->{pid};
    is(signal_that_stopped($run), POSIX::SIGTSTP(), 'is stopped');
    kill TERM => $run->{pid};
    kill CONT => $run->{pid};
    is(waited($run)->{signal}, POSIX::SIGTERM(), 'dies of it when it goes on');
    like($test->report(q{}), qr/no measured results: interrupted after 1 of 6 passes/, 'report');
    is_deeply([of_environment($test->place)], [], 'nothing is left running');
    is_deeply([$test->left],                  [], 'scratch is empty');
};

subtest 'killed while it is stopped' => sub {
    my $test = held_at(1);
    my $run  = $test->started(@WORDS);
    ok(eventually(sub { noted($test, 'held') == 2 }), 'both copies are amid their pass');
    kill TSTP => $run->{pid};
    is(signal_that_stopped($run), POSIX::SIGTSTP(), 'is stopped');
    kill KILL => $run->{pid};
    is(waited($run)->{signal}, POSIX::SIGKILL(), 'dies of it');
    ok(eventually(sub { !of_environment($test->place) }), 'nothing is left running');
    ok(eventually(sub { !$test->left }),                  'scratch is empty');
};

# A terminal of its own, in which a shell with job control starts Run: keys typed into it are what is written here.
subtest 'Ctrl-Z and fg in a terminal' => sub {
    skip_without(tool    => 'script of util-linux') if qx(script --version 2>&1) !~ /util-linux/;
    skip_without(machine => 'terminals') if system 'script -q -c true /dev/null >/dev/null 2>&1';
    my $test = held_at(3);
    my $keys = $test->place('keys');
    POSIX::mkfifo($keys, 0600) or die "mkfifo: $!\n";
    my $typed = "set -m; '$^X' '$TestRun::HOME/Run' @WORDS; echo \"status \$?\"; fg; echo \"status \$?\"";
    my $run   = do {
        local $test->{own_group} = 0;
        $test->started_by('/bin/sh', '-c', 'exec script -q -c "$0" /dev/null <"$1"', $typed, $keys);
    };
    open my $keyboard, '>', $keys or die "$keys: $!\n";
    ok(eventually(sub { noted($test, 'held') == 2 }), 'both copies are amid their pass');
    syswrite $keyboard, "\cZ";
    my $ended = waited($run);
    close $keyboard;
    my @status = $ended->{out} =~ /^(?:\^Z)?status ([0-9]+)\r?$/mg;
    is_deeply(\@status, [128 + POSIX::SIGTSTP(), 0], 'is stopped, and goes on') or diag $ended->{out};
    is_undisturbed($test, { %$ended, status => $status[1] }, 7);
};

done_testing();
