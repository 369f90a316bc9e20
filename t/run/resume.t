use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Disturbed qw(reports_of resealed undisturbed whole_in_the_end);
use LoadedRun qw(eventually waited);

use constant NICE_MOST => 19;

# Takes a number and a function; returns a function that waits until the journal of a run has that number of lines, and
# then calls the function.
sub at_line {
    my ($lines, $do) = @_;
    return sub {
        my ($test, $run) = @_;
        eventually(sub { ($test->report('.journal') =~ tr/\n//) >= $lines });
        $do->($test, $run);
    };
}

my $EXPECTED = undisturbed();

for my $lines (1, 6, 12) {
    my $kill = sub { my (undef, $run) = @_; kill KILL => $run->{pid} };
    whole_in_the_end("killed when $lines lines are written", $EXPECTED, Disturbed::place(), at_line($lines, $kill));
}

for my $signal (qw(TERM KILL)) {
    my $disturb = sub { my (undef, $run) = @_; kill $signal => -$run->{pid} };
    whole_in_the_end(
        "SIG$signal to the process group",
        $EXPECTED,
        Disturbed::place(own_group => 1),
        at_line(6, $disturb)
    );
}

# Interrupts a run when its journal has that number of lines; returns the place, the name of the run and the ended run.
sub interrupted {
    my ($lines, %with) = @_;
    my $test = Disturbed::place(%with);
    my $run  = $test->started(qw(-q -b -i 4 -c 2 --label state=new syscall hanoi));
    at_line($lines, sub { kill TERM => $run->{pid} })->($test, $run);
    my $ended = waited($run);
    my ($name) = grep { /[.]journal\z/ } $test->reports;
    return ($test, $name =~ s/[.]journal\z//r, $ended);
}

subtest 'messages and notes of a resumed run' => sub {
    my ($test, $name, $ended) = interrupted(4, env => { UB_OUTPUT_CSV => 'true' });
    my $place = $test->place('results');
    my $kept  = "Run: the finished passes are kept; to resume: ./Run --resume $place/$name\n";
    is($ended->{err}, $kept, 'the message says how to resume');
    like($test->report(q{}), qr/^ +Note: interrupted by SIGTERM$/m, 'the report of the interrupted run has a note');
    my %without = (UB_RESULTDIR => q{}, UB_TMPDIR => q{}, UB_TIME_FACTOR => q{}, UB_BINDIR => q{});
    local $test->{env} = { %{ $test->{env} }, %without, UB_OUTPUT_CSV => q{} };
    my $again = $test->run('--resume', "$place/$name.html");
    is_deeply([@$again{qw(status err)}], [0, q{}], 'a run is resumed by the path of a report, without environment');
    like($again->{out},      qr/^Resumed: 2 of 5 passes are done$/m,   'the number of finished passes is printed');
    like($again->{out},      qr/^2 x System Call Overhead  1 2 3 4$/m, 'the progress includes the finished passes');
    like($test->report(q{}), qr/^ +Note: changed procedure[^\n]+\n +Note: resumed\n [^\n]+\n\n-/m, 'both notes');
    unlike($test->report(q{}), qr/interrupted/, 'the report is not interrupted any more');
    like($test->report(q{}), qr/^   Labels: state="new"$/m, 'its labels are those of the interrupted run');
    like($test->report(q{}), qr/^   CPU 0-?[0-9,-]*: /m,    'the resumed run has its own options');
    ok(length $test->report('.csv'), 'the resumed run has its own environment');
    my $finished = $test->run('--resume', "$place/$name");
    my $why      = "Run: the run $place/$name is finished: there is nothing to resume\n";
    is_deeply([@$finished{qw(status err)}], [2, $why], 'a finished run is not resumed');
};

subtest 'a test that failed' => sub {
    my $test = Disturbed::place();
    $test->put(syscall => 'exit3');
    my $run = $test->started(qw(-q -i 4 -c 2 syscall hanoi pipe));
    at_line(4, sub { kill KILL => $run->{pid} })->($test, $run);
    waited($run);
    $test->put(syscall => 'numbered');
    my ($journal) = glob $test->place('results', '*.journal');
    my $again = $test->run(qw(-q --resume), $journal);
    is($again->{status}, 1, 'the run is not resumed with a changed program');
    like($again->{err}, qr/\ARun: can't resume \S+[.]journal: syscall has changed\n\z/, 'the message names it');
    $test->put(syscall => 'exit3');
    $again = $test->run(qw(-q --resume), $journal);
    is($again->{status}, 1, 'a test that failed is not tried again');
    my $exit3 = qr/^System Call Overhead +no measured results: exit status 3 [(]pass 1, copy 1[)]$/m;
    like($test->report(q{}), $exit3, 'the report has the reason of the failed test');
    is(scalar(() = $test->report('.log') =~ /exit status 3/g), 3, 'the log has both copies and the reason');
};

subtest 'journals that do not fit' => sub {
    my ($test, $name) = interrupted(4);
    my ($path)  = glob $test->place('results', '*.journal');
    my $journal = $test->report('.journal');
    my $here    = $test->place('results');
    my %change  = (
        'line 2 is damaged: not JSON' => sub { s/^[{]"run"/x/m },
        'UnixBench 7[.]1[.]0 began this run, and version [0-9.]+ can.t resume it; resume it with that version' =>
            sub { s/"schema":[0-9]+,("utc_offset_s":[^,]*,"version":")[^"]*/"schema":2,${1}7.1.0/ },
        'UnixBench 6[.]9 began this run, and version [0-9.]+ can.t resume it; resume it with that version' =>
            sub { s/("fingerprint":.*?"version":")[^"]+/${1}6.9/ },
        'memory was 7 MB, is [0-9]+ MB'           => sub { s/"memory":"[0-9]+ MB"/"memory":"7 MB"/ },
        'option -i needs a whole number'          => sub { s/"-i","4"/"-i","x"/ },
        'UB_TIME_FACTOR must be a number above 0' => sub { s/("UB_TIME_FACTOR":")[^"]+/${1}7/ },
    );
    for my $why (sort keys %change) {
        local $_ = $journal;
        $change{$why}->();
        $_ = resealed($_);
        isnt($_, $journal, "the journal is changed: $why");
        $test->write('results', $name . '.journal', $_);
        my $run = $test->run(qw(-q --resume), $name);
        like($run->{err}, qr/\ARun: [^\n]*$why[^\n]*\n\z/, "refused: $why");
        is_deeply([@$run{qw(status out)}], [1, q{}], "exit status 1 and no output: $why");
        is($test->report('.journal'), $_, "the journal is unchanged: $why");
    }
    $test->write('results', "$name.journal", substr $journal, 0, 100);
    like($test->run(qw(-q --resume), $name)->{err}, qr/: the run had not begun; start it again\n\z/, 'half of a head');
    $test->write('results', "$name.journal", $journal);
    is($test->run(qw(-q --resume), $name)->{status}, 0, 'the original journal is resumed');
};

# A journal that was changed is never resumed with the change. t/unit/Store/journal.t changes each byte and each line.
subtest 'journals that were changed' => sub {
    my ($test, $name, $journal, $expected) = Disturbed::interrupted();
    my $resumed = sub {
        my ($changed) = @_;
        unlink map { $test->place('results', $_) } $test->reports;
        chmod 0600, $test->write('results', "$name.journal", $changed);
        return $test->run('-q', '--resume', $name);
    };
    my @lines = split /^/m, $journal;
    my %whole = (
        'the unchanged journal is resumed'                  => $journal,
        'the pass of a missing last line is measured again' => join(q{}, @lines[0 .. $#lines - 1]),
        'the pass of a torn last line is measured again'    => substr($journal, 0, -30),
    );
    for my $what (sort keys %whole) {
        is($resumed->($whole{$what})->{status}, 0, $what);
        is_deeply(reports_of($test),                        $expected, 'the reports are those of an undisturbed run');
        is_deeply([grep { /[.]journal\z/ } $test->reports], [],        'no journal is left');
    }
    my %damaged = (
        'a changed count' => [1, $journal =~ s/.*?"count":[0-9]+\K/0/sr],
        'two moved lines' => [4, join q{}, @lines[0 .. 2, 4, 3, 5 .. $#lines]],
    );
    for my $what (sort keys %damaged) {
        my ($number, $changed) = @{ $damaged{$what} };
        my $run = $resumed->($changed);
        like($run->{err}, qr/\ARun: can't resume \S+[.]journal: line $number is damaged: [^\n]+\n\z/, $what);
        my @left = ($test->reports, $test->text("$name.journal"));
        is_deeply([@$run{qw(status out)}, @left], [1, q{}, "$name.journal", $changed], 'all files stay');
    }
};

subtest 'a part that is started in another way' => sub {
    my ($test, $name) = interrupted(4);
    my $journal = $test->report('.journal');
    local $test->{env} = { %{ $test->{env} }, LD_BIND_NOW => 1 };
    my $run = $test->run(qw(-q --resume), $name);
    my $why = 'LD_BIND_NOW was none, is 1; resume it where and as it began, or start it again';
    like($run->{err}, qr/\ARun: can't resume \S+: $why\n\z/, 'the reason');
    is_deeply([@$run{qw(status out)}], [1, q{}], 'exit status 1 and no output');
    is($test->report('.journal'), $journal, 'the journal is unchanged');
};

subtest 'a fact that changes during a run' => sub {
    my $nice = getpriority 0, 0;
    return pass('no higher nice value') if $nice >= NICE_MOST;
    my ($test, $name) = interrupted(3);
    my $run = $test->started(qw(-q --resume), $name);
    my ($was, $is) = ($nice, $nice + 1);
    at_line(6, sub { setpriority 0, $run->{pid}, $is })->($test, $run);
    is(waited($run)->{status}, 0, 'the run is complete');
    like($test->report('.html'), qr/"fact":"process[.]nice","is":"$is","was":"$was"/, 'the result has both values');
    like($test->report('.html'), qr/Changed during the run: nice value was $was, is $is[.]/, 'the page has a warning');
};

subtest 'odd names' => sub {
    my ($test, $name, $ended) = interrupted(3, env => { UB_OUTPUT_FILE_NAME => "it's mine" });
    my $here = $test->place('results');
    like($ended->{err}, qr{; to resume: [.]/Run --resume '\Q$here/it'\''s mine'\E\n\z}, 'an odd name is quoted');
    my $run = $test->run('--resume', "a\nb\e[31m");
    my $why = "Run: there is no run a\\nb\\x1b[31m in $here; unfinished runs there: it's mine\n";
    is($run->{err}, $why, 'an odd name is made printable');
    for my $wrong ('/tmp', '/nowhere/at') {
        $run = $test->run('--resume', $wrong);
        is_deeply([@$run{qw(status err)}], [2, "Run: there is no run $wrong\n"], "$wrong is not a run");
    }
    is($test->run('--resume', $name)->{status}, 0, 'a run with an odd name is resumed');
};

done_testing();
