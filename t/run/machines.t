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

# Runs Run as the user nobody; returns the result of TestRun's run.
sub run_as_nobody {
    my ($test, @words) = @_;
    my $become = 'use POSIX; $( = $) = "65534 65534"; POSIX::setuid(shift); exec @ARGV or die "exec: $!\n"';
    chmod 0755, $test->place;
    return waited(
        $test->started_by($^X, '-e', $become, $NOBODY, $^X, $test->{program} || "$TestRun::HOME/Run", @words));
}

# Returns a copy of the tree that Run needs, without built programs, and without the folders in "build", which may be
# large tools.
sub copy_of_tree {
    my $tree = File::Temp->newdir;
    system 'cp', '-R', (grep { -e } map { "$TestRun::HOME/$_" } qw(Run features lib pgms testdir src Makefile)),
        "$tree";
    mkdir "$tree/build" or die "mkdir: $!\n";
    system 'cp', '-p', (grep { -f } glob "$TestRun::HOME/build/*"), "$tree/build";
    chmod 0755, "$tree";
    return $tree;
}

subtest "the tree of another user" => sub {
    as_nobody();
    my $tree = copy_of_tree();
    my $test = TestRun->new;
    $test->{program} = "$tree/Run";
    local $test->{env} = { map { $_ => q{} } qw(UB_RESULTDIR UB_TMPDIR) };
    my $run = run_as_nobody($test, qw(-q -c 1 syscall));
    is($run->{status}, 1, 'a run without a directory for reports: exit status 1');
    is(
        $run->{err},
        "Run: can't make directory $tree/results: Permission denied; set UB_RESULTDIR to another directory\n",
        'a run without a directory for reports: one line of message'
    );
    is_deeply([grep { -e } "$tree/results", "$tree/tmp"], [], 'no directory is made');
};

subtest 'a tree that is read-only' => sub {
    as_nobody();
    my $tree = copy_of_tree();
    my $test = TestRun->new;
    $test->{program} = "$tree/Run";
    system 'chmod', '-R', 'a-w', "$tree";
    chown $NOBODY, -1, map { $test->place($_) } qw(tmp results);
    my $run = run_as_nobody($test, qw(-q -c 1 syscall));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a run from a read-only tree succeeds');
    is_deeply([sort keys %{ $test->scores }], ['System Call Overhead'],
        'a run from a read-only tree writes its report');
    is_deeply([$test->left], [], 'no scratch file is left');
};

subtest 'started in a directory without permission' => sub {
    as_nobody();
    my $test = TestRun->new(programs => { syscall => 'litter' });
    mkdir $test->place('private'), 0700 or die "mkdir: $!\n";
    chown $NOBODY, -1, map { $test->place($_) } qw(tmp results);
    local $test->{cwd} = $test->place('private');
    my $run = run_as_nobody($test, qw(-q -c 1 syscall));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a run from such a directory succeeds');
    is_deeply([$test->left],           [],       'no scratch file is left');
};

subtest 'a clock that is set back' => sub {
    my $test = TestRun->new(env => { PERL5OPT => "-I$FindBin::Bin/../lib -MSteppedClock" });
    my $run  = $test->run(qw(-q -c 1 -c 2 -i 3 syscall hanoi));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a run with a clock that is set back succeeds') or diag explain $run;
    unlike($test->report('.log'), qr/elapsed: -/, 'no time is negative');
    like(
        $test->report('.html'),
        qr/The clock of the machine was set back by [0-9]+ s during the run[.]/,
        'the page has a warning about the clock'
    );
    my ($start, $end) = $test->report(q{}) =~ /^Benchmark Run: (\w+ \w+ \d+ \d+ [\d:]+) - ([\d:]+)$/m;
    ok(defined $end, 'the report has start and end');
};

subtest 'a clock before 1970' => sub {
    my $back = -60 * 365.25 * 86_400;
    my $test =
        TestRun->new(env => { PERL5OPT => "-I$FindBin::Bin/../lib -MSetClock -MPlayedLoad", SET_CLOCK_S => $back });
    my $path = $test->place('one.json');
    my $run  = $test->run(qw(-q -c 1 -i 3 syscall hanoi --json), $path);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a run before 1970 succeeds') or diag explain $run;
    my ($first) = $test->reports;
    like($first, qr/-196[67]-[01][0-9]-[0-3][0-9]-01\z/, 'the name of the report has the date before 1970');
    my $report = $test->report(q{});
    like(
        $report,
        qr/^Benchmark Run: \w{3} \w{3} [0-9]{2} 196[67] [0-9:]{8} - [0-9:]{8}$/m,
        'the report has the date before 1970'
    );
    unlike($test->report('.html'), qr/The clock of the machine was set/, 'the page has no warning about the clock');
    is($test->run('report', $path)->{out}, $report, 'a result from before 1970 can be read');
    is($test->run('compare', $path, $path)->{status}, 0, 'a result from before 1970 can be compared');
};

subtest 'a locale that is missing' => sub {
    my $test = TestRun->new(env => { LOCPATH => '/nowhere' });
    unlike($test->run(qw(-q -c 1 syscall))->{said}, qr/locale/, 'a run that the locale does not affect has no message');
    my $run = $test->run(qw(-q -c 1 shell1));
    is($run->{status}, 0, 'a run without the locale succeeds');
    like(
        $run->{said},
        qr/^Run: the locale en_US[.]utf8 is missing: the shell tests will run in ASCII and be faster$/m,
        'the missing locale is reported before shell tests'
    );
    like(
        $test->report(q{}),
        qr/^   Language: en_US[.]utf8 \(charmap="ANSI_X3[.]4-1968", /m,
        'the report has the character set in use'
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
    is_deeply([@$run{qw(status err)}],             [0, q{}], 'a run with a hostile host name succeeds');
    is_deeply([grep { /[^\w.-]/ } $test->reports], [],       'names of reports have plain characters only');
    unlike($test->report($_), qr/\e/, "report$_ shows no control characters") for q{}, qw(.html .csv .log);
    unlike($test->report('.html'),                      qr/<b>/, 'the host name is not markup on the page');
    unlike($test->report(q{}) =~ s/^.* samples\)$//mgr, qr/lps/, 'the host name is not taken for a result');
};

subtest 'hostile output of programs' => sub {
    my $test = TestRun->new(programs => { syscall => 'binary', hanoi => 'flood', pipe => 'binary' });
    my $run  = $test->run(qw(-q -c 1 syscall hanoi pipe));
    is($run->{status},                    1, 'hostile output: exit status 1');
    is(scalar(() = $run->{err} =~ /\n/g), 3, 'hostile output: one line for each test');
    unlike($run->{err}, qr/[^\x20-\x7e\n]/, 'hostile output is made printable');
    unlike($test->report($_), qr/[^\x20-\x7e\n\xc2-\xf4\x80-\xbf]/, "report$_ is printable") for q{}, '.html';
};

subtest 'two runs with the same name' => sub {
    my $test  = TestRun->new(programs => { syscall => 'hang' }, env => { UB_OUTPUT_FILE_NAME => 'mine' });
    my $first = do { local $test->{name} = 1; $test->started(qw(-q -c 1 syscall)) };
    eventually(sub { $test->report('.journal') =~ /"run"/ });
    my $journal = $test->report('.journal');
    my $second  = do { local $test->{name} = 2; $test->run(qw(-q -c 1 hanoi)) };
    is($second->{status}, 1, 'the second run is refused');
    my $mine = $test->place('results', 'mine');
    is(
        $second->{err},
        "Run: another Run (process $first->{pid}) is measuring and writing $mine: "
            . "wait for its end, or choose another name\n",
        'the message names the process of the first run'
    );
    is($test->report('.journal'), $journal, 'the journal of the first run is unchanged');
    is_deeply([map { s{.*/}{}r } $test->left],
        ["run-$first->{pid}-1"], 'the scratch directory of the first run is unchanged');
    my ($guardian) = qx(ps -A -o pid= -o ppid= -o args=) =~ /^ *([0-9]+) +$first->{pid} +Run: guardian/m;
    my @held = map { readlink // () } glob "/proc/$guardian/fd/*";
    is(scalar(grep { $_ eq "$mine.journal" } @held), 1, 'the guardian keeps the lock until everything is removed');
    kill KILL => $first->{pid};
    waited($first);
    $test->put(syscall => 'count');
    my $third   = $test->run(qw(-q -c 1 hanoi));
    my $renamed = "Run: an unfinished run of that name was renamed; to resume it: ./Run --resume $mine-unfinished-1\n";
    is_deeply([@$third{qw(status err)}], [0, $renamed], 'the name is free as soon as the first run is dead');
    is_deeply(
        [grep { !/unfinished/ } $test->reports],
        [qw(mine mine.html mine.log)],
        'the third run writes all files of that name'
    );
    is_deeply(
        [grep { /unfinished/ } $test->reports],
        ['mine-unfinished-1.journal'],
        'the journal of the first run is kept'
    );
};

done_testing();
