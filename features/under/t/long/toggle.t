# ./Run --toggle: two states of the machine, its ends, its faults; and the check that the first state stays what it was.
# The machine has one setting, which decides the speed of the fake programs.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../../t/lib);
use InTurns                        qw(is_refused order place ratio_of result_of test_of wrapper);
use LoadedRun                      qw(eventually waited);
use Place                          qw(content write_file);

# Disturbances by other processes do not change the results.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../../t/lib -MPlayedLoad -I$FindBin::Bin/../lib -MPlayedSettings";

my $TITLE = 'System Call Overhead';
my @TESTS = qw(syscall pipe);

# Returns a place with that machine, whose setting is "quick". Takes lines for the scripts that are ON and OFF, if they
# do more. The scripts note that they were called.
sub machine {
    my ($on, $off) = @_;
    my $test = place(own_group => 1, env => { UB_CALLED_AS => './Run' });
    mkdir $test->place($_) or die "mkdir: $!\n" for qw(root root/proc root/proc/sys root/proc/sys/vm);
    my $setting = $test->write('root/proc/sys/vm', speed => "quick\n");
    $test->{env}{PLAYED_SETTINGS} = $test->place('root');
    for my $name (@TESTS) {
        unlink $test->place('bin', $name);
        wrapper($test, $name, "[ \"\$(cat $setting)\" = slow ] && export UB_COUNT=900\nexec $TestRun::BIN/timed");
    }
    my $note = sub { "echo $_[0] >> " . $test->place('notes') . "\necho $_[1] > $setting\n" };
    $test->{on}  = wrapper($test, on  => $note->(on  => 'slow') . ($on   // q{}));
    $test->{off} = wrapper($test, off => $note->(off => 'quick') . ($off // q{}));
    return $test;
}

sub toggle  { my ($test) = @_; return ('--toggle', "$test->{on} x", $test->{off}, qw(-q -c 1 --seed 1995)) }
sub setting { my ($test) = @_; return content($test->place('root', 'proc/sys/vm/speed')) =~ s/\n//r }
sub notes   { my ($test) = @_; return split /\n/, content($test->place('notes')) }

subtest 'two states of the machine' => sub {
    my $test = machine();
    my $run  = $test->run(toggle($test), qw(--max-time 0.5), @TESTS);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'the run succeeds') or diag $run->{said};
    my ($on, $off) = @$test{qw(on off)};
    my $states = "A: after $off\nB: after $on x (Kernel setting vm.speed: quick -> slow)\n";
    like($run->{out}, qr/^\Q$states\E/m, 'the states have their commands, and what they change');
    like($run->{out}, qr/^\Q$TITLE\E +1000[.]0 +0[.]900 .* slower$/m, 'the ratio is that of the programs');
    my %facts = map { $_ => result_of($test, $_)->{facts}{kernel}{settings} } qw(A B);
    is_deeply(\%facts, { A => { 'vm.speed' => 'quick' }, B => { 'vm.speed' => 'slow' } }, 'so have their results');
    is_deeply([map { test_of($test, $_, 'pipe')->{score} } qw(A B)], [1000, 900],         'and their scores');
    my @notes = notes($test);
    is_deeply([grep { $notes[$_] eq $notes[$_ - 1] } 1 .. $#notes], [],            'ON and OFF alternate');
    is_deeply([@notes[0, -1]],                                      [qw(off off)], 'OFF comes first and last');
    ok((grep { $_ eq "every copy ran after $on x" } @{ result_of($test, 'B')->{notes} }), 'a note has the command');
    $run = $test->run(qw(compare turns turns-b));
    is($run->{status}, 3, 'a comparison of both is that of pairs');
    like($run->{out}, qr/^The states differ:\n +Kernel setting vm[.]speed: A: quick; B: slow$/m,
        'and has what differs');
    $run = $test->run(toggle($test), qw(--max-time 0.5 --require b/a:pipe>=0.95), @TESTS);
    is($run->{status}, 3, 'a ratio can be required') or diag $run->{said};
    my $plan = "Each test in turns in these states:\n  A  after $off\n  B  after $on x\n1 parallel";
    like($test->run(toggle($test), qw(--dry-run pipe))->{out}, qr/\A\Q$plan\E/, 'the plan has the states');
};

subtest 'a switch that takes long' => sub {
    my $test = machine(('sleep 0.1') x 2);
    my $run  = $test->run(toggle($test), qw(--max-time 4), @TESTS);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'the run succeeds') or diag $run->{said};
    my $in_a_row = result_of($test, 'A')->{procedure}{turns}{in_a_row};
    cmp_ok($in_a_row, '>=', 1, 'passes of a state follow each other, or on a busy machine tests');
    my ($table) = @{ result_of($test, 'A')->{experiment}{tables} };
    my $passes = @{ test_of($test, A => 'pipe')->{passes} };
    is($passes, $in_a_row * ($table->{rounds} + $table->{left_out}), 'each round has that many of a test');
    my $on = grep { $_ eq 'on' } notes($test);
    is($on, 2 + $table->{rounds} / 2, 'ON runs before all, to warm up, and in every second round');
    is(sprintf('%.3f', ratio_of($test, $TITLE, 'B')->{value}), '0.900', 'the ratio is that of the programs');
    is(ratio_of($test, $TITLE, 'B')->{df},                     $table->{rounds} - 1, 'rounds are its unit');
    my $is_said = $run->{out} =~ /rounds count, each with $in_a_row passes of a test in a row/;
    is($is_said ? 1 : 0, $in_a_row > 1 ? 1 : 0, 'the report says how many passes');
};

for my $signal (qw(INT KILL)) {
    subtest "SIG$signal" => sub {
        my $test = machine(('sleep 0.1') x 2);
        my $run  = $test->started(toggle($test), qw(--max-time 4), @TESTS);
        ok(eventually(sub { order($test->report('.journal')) > 8 && setting($test) eq 'slow' }), 'B is measured');
        kill $signal => $run->{pid};
        $run = waited($run);
        is($run->{signal}, $signal eq 'INT' ? 2 : 9, 'the run ends by the signal') or diag $run->{said};
        ok(eventually(sub { setting($test) eq 'quick' && (notes($test))[-1] eq 'off' }), 'OFF runs after that');
        $test->is_clean;
        my $resumed = $test->run(qw(-q --resume turns));
        is_deeply([@$resumed{qw(status err)}], [0, q{}], 'a resumed run succeeds') or diag $resumed->{said};
        my $in_a_row = result_of($test, 'A')->{procedure}{turns}{in_a_row};
        my @passes   = map { scalar @{ test_of($test, $_ => 'pipe')->{passes} } } qw(A B);
        is_deeply([map { $_ % $in_a_row } @passes], [0, 0], 'its rounds have as many passes as before');
        is(sprintf('%.3f', ratio_of($test, $TITLE, 'B')->{value}), '0.900', 'it has the ratio');
        is(setting($test),                                         'quick', 'and ends with OFF');
    };
}

subtest 'a command that fails' => sub {
    my $test = machine('echo no such setting >&2; exit 3');
    is_refused(
        on => $test,
        qr/\ARun: \Qoption --toggle: $test->{on} x failed: no such setting\E/, toggle($test), 'pipe'
    );
    is(setting($test), 'quick', 'OFF undoes what ON has done');
    $test = machine(q{}, 'kill -9 $$');
    is_refused(
        off => $test,
        qr/\ARun: \Qoption --toggle: $test->{off} failed: killed by SIGKILL\E/, toggle($test), 'pipe'
    );
    is_refused(
        'no program' => $test,
        qr{\ARun: option --toggle: there is no program /bin/no}, '--toggle', 'true', 'bin/no', 'pipe'
    );
    $test = machine('echo x >> "$0.calls"; [ $(wc -l < "$0.calls") -lt 5 ]');
    my $run = $test->run(toggle($test), @TESTS);
    is($run->{status}, 1, 'later: exit status 1');
    my $lines = "Run: option --toggle: $test->{on} x failed: exit status 1\nRun: the finished passes are kept";
    like($run->{err}, qr/\A\Q$lines\E.*\n\z/, 'a line says why, and another one how to resume');
    is(setting($test), 'quick', 'OFF runs at the end');
};

# Takes a place, and a number; returns words for a command of --under that changes the machine at that call.
sub changing {
    my ($test,  $at)      = @_;
    my ($calls, $setting) = map { $test->place($_) } qw(calls root/proc/sys/vm/speed);
    my $lines = "echo x >> $calls; [ \$(wc -l < $calls) = $at ] && echo changed > $setting; exec \"\$\@\"";
    return (qw(-q -c 1 --seed 1995 --under), wrapper($test, changes => $lines));
}

subtest 'the first state is no longer what it was' => sub {
    my $changed = q{the states can't be compared, because A has changed: kernel setting vm.speed was quick, is};
    my $test    = machine();
    write_file($test->{off}, "#!/bin/sh\n");
    is_refused(
        'OFF does nothing',
        $test,         qr/\ARun: \Q$changed slow; OFF has to undo what ON does\E/,
        toggle($test), 'pipe'
    );
    $test = machine();
    is_refused(
        'a command of --under',
        $test,
        qr/\ARun: \Q$changed changed; a command of --under may not\E/,
        changing($test, 1), 'pipe'
    );
    $test = machine();
    my $run = $test->run(changing($test, 9), qw(--max-time 60 pipe));
    is($run->{status}, 1, 'later: exit status 1');
    like($run->{err}, qr/\ARun: \Q$changed changed\E; .*\n\z/, 'one line, and nothing to resume');
    is_deeply([$test->reports], [qw(turns turns-b.html turns-b.log turns.html turns.log)], 'the reports are there');
    is(result_of($test, 'A')->{experiment}, undef, 'without ratios');
    $run = $test->run(qw(compare turns turns-b));
    is($run->{status}, 2, 'a comparison of both results is refused');
    like($run->{said}, qr/the first state changed: kernel setting vm[.]speed was quick, is changed/, 'with the name');
};

done_testing();
