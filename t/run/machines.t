use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Alive qw(eventually);
use LoadedRun;
use Needs   qw(skip_without);
use TestRun qw(waited);

my $NOBODY = (getpwnam 'nobody')[2];

sub as_nobody {
    skip_without(machine => 'root, and the user nobody') if $> != 0 || !defined $NOBODY;
    return;
}

# Runs a command as nobody; returns what TestRun's run returns.
sub run_as_nobody {
    my ($test, @words) = @_;
    my $become = 'use POSIX; $( = $) = "65534 65534"; POSIX::setuid(shift); exec @ARGV or die "exec: $!\n"';
    chmod 0755, $test->place;
    return waited(
        $test->started_by($^X, '-e', $become, $NOBODY, $^X, $test->{program} || "$TestRun::HOME/Run", @words));
}

# A copy of the tree that a Run needs, without anything built.
sub copy_of_tree {
    my $tree = File::Temp->newdir;
    system 'cp', '-R', (map { "$TestRun::HOME/$_" } qw(Run lib pgms testdir src build Makefile)), "$tree";
    chmod 0755, "$tree";
    return $tree;
}

subtest "somebody else's tree" => sub {
    as_nobody();
    my $tree = copy_of_tree();
    my $test = TestRun->new;
    $test->{program} = "$tree/Run";
    local $test->{env} = { map { $_ => q{} } qw(UB_RESULTDIR UB_TMPDIR) };
    my $run = run_as_nobody($test, qw(-q -c 1 syscall));
    is($run->{status}, 1, 'refused where reports have no place');
    is($run->{err}, "Run: can't make directory $tree/results: Permission denied; choose another by UB_RESULTDIR\n",
        'in one line');
    is_deeply([grep { -e } "$tree/results", "$tree/tmp"], [], 'nothing is made');
};

subtest 'a tree that is read-only' => sub {
    as_nobody();
    my $tree = copy_of_tree();
    my $test = TestRun->new;
    $test->{program} = "$tree/Run";
    system 'chmod', '-R', 'a-w', "$tree";
    chown $NOBODY, -1, map { $test->place($_) } qw(tmp results);
    my $run = run_as_nobody($test, qw(-q -c 1 syscall));
    is_deeply([@$run{qw(status err)}],        [0, q{}],                 'measured');
    is_deeply([sort keys %{ $test->scores }], ['System Call Overhead'], 'report');
    is_deeply([$test->left],                  [],                       'nothing is left');
};

subtest 'started where its user may not be' => sub {
    as_nobody();
    my $test = TestRun->new(programs => { syscall => 'litter' });
    mkdir $test->place('private'), 0700 or die "mkdir: $!\n";
    chown $NOBODY, -1, map { $test->place($_) } qw(tmp results);
    local $test->{cwd} = $test->place('private');
    my $run = run_as_nobody($test, qw(-q -c 1 syscall));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'measured');
    is_deeply([$test->left],           [],       'nothing is left');
};

subtest 'a clock that is set back' => sub {
    my $test = TestRun->new(env => { PERL5OPT => "-I$FindBin::Bin/../lib -MSteppedClock" });
    my $run  = $test->run(qw(-q -c 1 -c 2 -i 3 syscall hanoi));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'measured') or diag explain $run;
    unlike($test->report('.log'), qr/elapsed: -/, 'no time is negative');
    like($test->report('.html'), qr/The clock of the machine was set back by [0-9]+ s during the run[.]/, 'a remark');
    my ($start, $end) = $test->report(q{}) =~ /^Benchmark Run: (\w+ \w+ \d+ \d+ [\d:]+) - ([\d:]+)$/m;
    ok(defined $end, 'the report is whole');
};

subtest 'a clock before 1970' => sub {
    my $test = TestRun->new(env => { PERL5OPT => "-I$FindBin::Bin/../lib -MEarlyClock" });
    my $path = $test->place('one.json');
    my $run  = $test->run(qw(-q -c 1 -i 3 syscall hanoi --json), $path);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'measured') or diag explain $run;
    my ($first) = $test->reports;
    like($first, qr/-196[67]-[01][0-9]-[0-3][0-9]-01\z/, 'the name of the report');
    my $report = $test->report(q{});
    like($report, qr/^Benchmark Run: \w{3} \w{3} [0-9]{2} 196[67] [0-9:]{8} - [0-9:]{8}$/m, 'the date');
    unlike($test->report('.html'), qr/The clock of the machine was set/, 'it was not set');
    is($test->run('--report', $path)->{out}, $report, 'the file can be read');
    is($test->run('--compare', $path, $path)->{status}, 0, '... and compared');
};

subtest 'a locale that is missing' => sub {
    my $test = TestRun->new(env => { LOCPATH => '/nowhere' });
    my $run  = $test->run(qw(-q -c 1 syscall));
    is($run->{status}, 0, 'measured');
    like($run->{said}, qr/^Run: missing: the locale en_US[.]utf8 /m, 'it is named, and how to install it');
    like(
        $test->report(q{}),
        qr/^   Language: en_US[.]utf8 \(charmap="ANSI_X3[.]4-1968", /m,
        'the report says what was in use'
    ) or diag $test->report(q{});
};

subtest 'a hostile host name' => sub {
    skip_without(machine => 'root') if $> != 0;
    skip_without(machine => 'namespaces of host names') if system 'unshare -u true 2>/dev/null';
    my $name = qq{<b>&'"\\`id`\n/../lps\e[31m};
    my $test = TestRun->new(env => { UB_OUTPUT_CSV => 'true' });
    my $set  = 'open my $f, ">", "/proc/sys/kernel/hostname" or die; syswrite $f, shift; close $f; exec @ARGV';
    my $run  = waited(
        $test->started_by(qw(unshare -u), $^X, '-e', $set, $name, $^X, "$TestRun::HOME/Run", qw(-q -c 1 syscall)));
    is_deeply([@$run{qw(status err)}],             [0, q{}], 'measured');
    is_deeply([grep { /[^\w.-]/ } $test->reports], [],       'file names are plain');
    unlike($test->report($_), qr/\e/, "report$_ shows no control characters") for q{}, qw(.html .csv .log);
    unlike($test->report('.html'),                      qr/<b>/, 'nor does it become markup');
    unlike($test->report(q{}) =~ s/^.* samples\)$//mgr, qr/lps/, 'nor is it taken for a result');
};

subtest 'hostile output of programs' => sub {
    my $test = TestRun->new(programs => { syscall => 'binary', hanoi => 'flood', pipe => 'binary' });
    my $run  = $test->run(qw(-q -c 1 syscall hanoi pipe));
    is($run->{status},                    1, 'failed tests');
    is(scalar(() = $run->{err} =~ /\n/g), 3, 'a line for each');
    unlike($run->{err}, qr/[^\x20-\x7e\n]/, 'printable');
    unlike($test->report($_), qr/[^\x20-\x7e\n\xc2-\xf4\x80-\xbf]/, "report$_ is printable") for q{}, '.html';
};

subtest 'two with the same name' => sub {
    my $test  = TestRun->new(programs => { syscall => 'hang' }, env => { UB_OUTPUT_FILE_NAME => 'mine' });
    my $first = do { local $test->{name} = 1; $test->started(qw(-q -c 1 syscall)) };
    eventually(sub { $test->report('.journal') =~ /"run"/ });
    my $journal = $test->report('.journal');
    my $second  = do { local $test->{name} = 2; $test->run(qw(-q -c 1 hanoi)) };
    is($second->{status}, 1, 'the second is refused');
    my $mine = $test->place('results', 'mine');
    is(
        $second->{err},
        "Run: another Run (process $first->{pid}) is measuring and writing $mine: "
            . "wait for its end, or choose another name\n",
        'and told who is at it'
    );
    is($test->report('.journal'), $journal, 'the first is not disturbed');
    is_deeply([map { s{.*/}{}r } $test->left], ["run-$first->{pid}-1"], 'nor its scratch');
    my ($guardian) = qx(ps -A -o pid= -o ppid= -o args=) =~ /^ *([0-9]+) +$first->{pid} +Run: guardian/m;
    my @held = map { readlink // () } glob "/proc/$guardian/fd/*";
    is(scalar(grep { $_ eq "$mine.journal" } @held), 1, 'the guardian keeps the lock until all is cleaned up');
    kill KILL => $first->{pid};
    waited($first);
    $test->put(syscall => 'count');
    my $third   = $test->run(qw(-q -c 1 hanoi));
    my $renamed = "Run: an unfinished run of that name was renamed; to resume it: ./Run --resume $mine-unfinished-1\n";
    is_deeply([@$third{qw(status err)}],               [0, $renamed], 'when it is dead the name is free at once');
    is_deeply([grep { !/unfinished/ } $test->reports], [qw(mine mine.html mine.json mine.log)], 'for all of its files');
    is_deeply([grep { /unfinished/ } $test->reports],  ['mine-unfinished-1.journal'], 'what was measured is kept');
};

done_testing();
