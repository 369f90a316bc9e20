use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive qw(eventually of_environment states);
use Place qw(write_program);
use LoadedRun;
use TestRun qw(waited);

# A shell makes its background commands ignore some signals; these tests need their default effect.
$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP TSTP);

my $TITLE = 'System Call Overhead';
my $SCORE = '1000.0';                 # 1000 loops in 2 s, twice

# If UB_HOLD has the file stop-parent, removes it and stops the parent as Ctrl-Z does.
my $SYNC = qq{#!/bin/sh\nif rm "\$UB_HOLD/stop-parent" 2>/dev/null; then kill -TSTP \$PPID; fi\n};

# Returns a place whose "syscall" stops at these starts, in two copies, each with its own notes.
sub held_at {
    my (@starts) = @_;
    my $test = TestRun->new(programs => { syscall => 'hold' }, own_group => 1);
    mkdir $test->place($_) or die "mkdir: $!\n" for qw(hold path);
    write_program($test->place('path', 'sync'), $SYNC);
    $test->{env} = {
        UB_HOLD    => $test->place('hold'),
        UB_HOLD_AT => "@starts",
        PATH       => $test->place('path') . ":$ENV{PATH}",
    };
    return $test;
}

# Returns how often both copies together have noted that word.
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

# Stops Run during a pass and continues it when all its processes are in that state.
sub stop_and_continue {
    my ($test, $run, $held, $signal, $state) = @_;
    ok(eventually(sub { noted($test, 'held') == $held }), 'both copies are in their pass');
    kill $signal => $run->{pid};
    is(signal_that_stopped($run), POSIX->can("SIG$signal")->(), "SIG$signal stops Run");
    my @processes = of_environment($test->place);
    is(scalar @processes, 3, 'Run and two copies are running');
    ok(eventually(sub { states(@processes) eq $state }), "all processes are in state $state")
        or diag states(@processes);
    kill CONT => $run->{pid};
    return;
}

# Tests that the run ends normally, with each pass once in the log, after that number of starts.
sub is_undisturbed {
    my ($test, $ended, $starts) = @_;
    is_deeply([@$ended{qw(status signal err)}], [0, 0, q{}],          'the continued run succeeds');
    is_deeply($test->scores,                    { $TITLE => $SCORE }, 'the score is that of an undisturbed run');
    like($test->report(q{}), qr/^\Q$TITLE\E .* 4 samples\)$/m, 'the score is from four passes');
    is_deeply([$test->report('.log') =~ /^#### Pass ([0-9]+)$/mg], [1 .. 6], 'each pass is in the log once');
    is(noted($test, 'start'), 2 * $starts, 'repeated passes were started again');
    is_deeply([of_environment($test->place)], [], 'no process is left');
    is_deeply([$test->left],                  [], 'the scratch directory is empty');
    return;
}

my @WORDS = qw(-q -c 2 -i 6 syscall);

# A signal => the states of all processes then. A signal that can't be caught stops only Run.
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
    is(signal_that_stopped($run), POSIX::SIGTSTP(), 'Run is stopped while sync runs');
    kill CONT => $run->{pid};
    my $ended  = waited($run);
    my $starts = noted($test, 'start') / 2;
    cmp_ok($starts, '<=', 7, 'at most one pass is repeated');
    is_undisturbed($test, $ended, $starts);
};

subtest 'interrupted while it is stopped' => sub {
    my $test = held_at(2);
    my $run  = $test->started(@WORDS);
    ok(eventually(sub { noted($test, 'held') == 2 }), 'both copies are in their pass');
    kill TSTP => $run->{pid};
    is(signal_that_stopped($run), POSIX::SIGTSTP(), 'Run is stopped');
    kill TERM => $run->{pid};
    kill CONT => $run->{pid};
    is(waited($run)->{signal}, POSIX::SIGTERM(), 'the signal ends Run when it is continued');
    like(
        $test->report(q{}),
        qr/no measured results: interrupted after 1 of 6 passes/,
        'the report has the interrupted test'
    );
    is_deeply([of_environment($test->place)], [], 'no process is left');
    is_deeply([$test->left],                  [], 'the scratch directory is empty');
};

subtest 'killed while it is stopped' => sub {
    my $test = held_at(1);
    my $run  = $test->started(@WORDS);
    ok(eventually(sub { noted($test, 'held') == 2 }), 'both copies are in their pass');
    kill TSTP => $run->{pid};
    is(signal_that_stopped($run), POSIX::SIGTSTP(), 'Run is stopped');
    kill KILL => $run->{pid};
    is(waited($run)->{signal}, POSIX::SIGKILL(), 'SIGKILL ends Run');
    ok(eventually(sub { !of_environment($test->place) }), 'no process is left');
    ok(eventually(sub { !$test->left }),                  'the scratch directory is empty');
};

done_testing();
