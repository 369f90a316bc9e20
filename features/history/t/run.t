# ./Run history.

use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Guide qw(block);
use LoadedRun;
use Place   qw(content text_of write_file write_program);
use TestRun qw(give_rates waited);
use Weeks   qw(started write_week write_weeks);
use UnixBench::Base::JSON;

# Takes the version of an old UnixBench, and a week; returns its text report.
sub old_report {
    my ($version, $week) = @_;
    my ($date, $month, $year) = (gmtime started($week))[3 .. 5];
    my $name  = (qw(January February March April May June July August September October November December))[$month];
    my $score = 1_000_000 + 1000 * ($week % 3);
    return <<"END";
   BYTE UNIX Benchmarks (Version $version)

   System: vm: GNU/Linux
   OS: GNU/Linux -- 6.18.44 -- #1

Benchmark Run: Mon, $name $date, @{[1900 + $year]} 03:30:00 - 03:58:00
2 CPUs in system; running 1 parallel copy of tests

Pipe Throughput                             $score.0 lps   (10.0 s, 7 samples)
END
}

# Takes a function that writes results into the directory that it gets, or the arguments of write_weeks() in lists;
# returns a place for runs with these results.
sub with_results {
    my (@given) = @_;
    my $test = TestRun->new;
    $test->{cwd} = $test->place('results');
    ref eq 'CODE' ? $_->($test->{cwd}) : write_weeks($test->{cwd}, @$_) for @given;
    return $test;
}

# Takes a place and words; returns the run of history.
sub history { my ($test, @words) = @_; return $test->run('history', @words) }

# Takes a place, the exit status of its history, and patterns of what that prints, each with its name.
sub is_said {
    my ($test, $status, %said) = @_;
    my $run = history($test);
    is_deeply([@$run{qw(status err)}], [$status, q{}], "exit status $status");
    like($run->{out}, $said{$_}, $_) for sort keys %said;
    return;
}

# A step of 20 % in one test at week 30, together with another kernel.
my %SLOW = (factor => { spawn => 0.8 }, host => { release => '6.19.1' });
my $STEP = with_results([0, 29], [30, 39, %SLOW]);

# Returns a place of its own with these results.
sub with_step {
    my $link = sub { link $_, "$_[0]/" . s{.*/}{}r or die "$_: $!\n" for glob $STEP->place('results', '*.html') };
    return with_results($link);
}

subtest 'results without a place' => sub {
    my $late = sub {
        for my $week (10 .. 12) {
            my %wrong = (later_s => 400 - started($week), factor => { pipe => 0.5 });
            write_week($_[0], $week, %wrong, name => 'late-' . chr 87 + $week);
        }
    };
    my $said = qr/\AHistory of vm: 3 results have no place in time, and may be the latest$/m;
    is_said(with_results([0, 9], $late), 3, 'the first line' => $said);
};

subtest 'a step' => sub {
    my $test   = with_step();
    my $change = qr{
        ^2026-06-29[ ][ ]Process[ ]Creation,[ ]1[ ]copy:[ ]-20[.][01][ ]%[ ][(]-20[.]\d[ ]%[ ]to[ ]-1\d[.]\d[ ]%[)]
        ,[ ]confirmed,[ ]10[ ]runs[ ]since\n
        [ ]{3}differs:[ ]Kernel[ ][(]6[.]18[.]44[ ].*[ ]->[ ]6[.]19[.]1[ ].*[)]\n\n
        2[ ]series:[ ]no[ ]change[ ]shown;[ ]
    }mx;
    my %said = (
        'the first line' => qr/\AHistory of vm: 20[.][01] % slower since 2026-06-29 [(]Process Creation, one copy[)]$/m,
        'how to accept it'                       => qr/ add --accept REASON to this command[.]/,
        'the change, what differs, and the rest' => $change,
    );
    is_said($test, 3, %said);
    is(history($test, qw(--min-effect 30))->{status}, 0, '--min-effect ignores small changes');
};

subtest 'accepted' => sub {
    my $test = with_step();
    my $log  = $test->place('results', 'history-accepted.log');
    my $run  = history($test, '--accept', 'mitigations of vmscape');
    is_deeply([@$run{qw(status err)}], [0, q{}], 'exit status 0');
    is(content($log), "2026-06-29T02:00:00Z\tvm\tmitigations of vmscape\t1 test spawn\t-20.00%\n", 'one line');
    like($run->{out}, qr/^   accepted: mitigations of vmscape$/m, 'the report has the reason');
    is_said($test, 0, 'from then on' => qr/\AHistory of vm: each change for the worse is accepted$/m);
    $run = history($test, qw(--accept again));
    my $none = "Run: option --accept: there is no change for the worse that is not accepted\n";
    is_deeply([@$run{qw(status err)}], [2, $none], 'nothing is left to accept');
    write_weeks($test->place('results'), 40, 46, %SLOW, factor => { spawn => 0.8, pipe => 0.9, syscall => 0.7 });
    write_weeks($test->place('results'), 47, 54, %SLOW, factor => { spawn => 0.5, pipe => 0.9, syscall => 0.7 });
    is(history($test)->{status},                    3, 'other changes are open');
    is(history($test, qw(--accept both))->{status}, 0, 'until they are accepted, too');
};

subtest 'the file of accepted changes is not a file of its own' => sub {
    my $test = with_step();
    my $log  = $test->place('results', 'history-accepted.log');
    symlink $test->write('test', 'victim', 'mine'), $log or die "$log: $!\n";
    is(history($test, qw(--accept reason))->{status}, 0, 'a link is replaced by a file');
    ok(!-l $log, 'which it is then');
    is(content($test->place('test', 'victim')), 'mine', 'the target of the link is unchanged');
    unlink $log;
    POSIX::mkfifo($log, 0600) or die "$log: $!\n";
    is(history($test)->{err}, "Run: can't read $log: it is a pipe (FIFO); give a file\n", 'a FIFO is refused');
    unlink $log;
    is(history($test, '--accept', q{ })->{err}, "Run: option --accept needs a text that is not blank\n", 'no reason');
};

subtest 'a change that can not be accepted on the disk' => sub {
    my $test = with_step();
    my $log  = write_file($test->place('results', 'history-accepted.log'), "\n" x 8192);
    my @run  = ($^X, "$TestRun::HOME/Run", qw(history --accept reason));
    my $run  = waited($test->started_by(qw(sh -c), 'ulimit -f 8; exec "$0" "$@"', @run));
    my $why  = "Run: can't write $log: File too large: raise the limit on file sizes (ulimit -f)\n";
    is_deeply([@$run{qw(status out err)}], [1, q{}, $why], 'exit status 1, and one line');
    is(-s $log,                  8192, 'no part of a line is left');
    is(history($test)->{status}, 3,    'nothing is accepted');
};

subtest 'no run is evidence any more' => sub {
    my $test = with_results([0, 19], [20, 29, disturbed => 'others', factor => { pipe => 0.5 }]);
    my $said = 'trust is poor in 10 of 10 [(]other load[)]$';
    is_said($test, 4, 'since when' => qr/\AHistory of vm: no run since 2026-04-20 can be used: $said/m);
    my %said = (
        'none at all: exit status 4' => qr/\AHistory of vm: no run can be used: $said/m,
        'and the remedy'             => qr/^Other load: 0[.]80 CPUs used [(]9 of 9 passes[)][.] Stop them[.]/m,
    );
    is_said(with_results([0, 9, disturbed => 'others']), 4, %said);
};

subtest 'what the host does is measured' => sub {
    for my $cause (qw(steal throttled)) {
        my @weeks = ([0, 19, disturbed => $cause], [20, 24, disturbed => $cause, factor => { pipe => 0.9 }]);
        is_said(with_results(@weeks), 3, $cause => qr/\AHistory of vm: \d+[.]\d % slower since 2026-04-20 /);
    }
};

subtest 'too few runs' => sub {
    my $test = with_results([0, 3]);
    is_said($test, 0, 'how many are needed' => qr/\AHistory of vm: too few runs: at least 5 show a change$/m);
    write_week($test->place('results'), 4);
    is_said($test, 0, 'five are enough' => qr/\AHistory of vm: no confirmed change for the worse$/m);
};

subtest 'results of other versions' => sub {
    my $test = with_step();
    for my $week (0 .. 5) {
        $test->write('results', "old5-$week", old_report('5.1.3', $week));
    }
    my $line = qr/^vm, version 5[.]1[.]3: 6 runs, 2025-12-01 to 2026-01-05$/m;
    is_said($test, 3, 'version 5 is a host of its own' => $line);
    $test->write('results', 'torn.html', '<!DOCTYPE html>');
    like(history($test)->{out}, qr/^   Left out: \S+torn[.]html is not a result: /m, 'a torn file is named');
    is(history($test, 'week-00', 'torn.html')->{status}, 2, 'one that the user has named is refused');
};

subtest 'files' => sub {
    my $test = with_step();
    my %file = map { $_ => $test->place("history.$_") } qw(html json markdown);
    my $run  = history($test, map { ("--$_", $file{$_}) } sort keys %file);
    is_deeply([@$run{qw(status err)}], [3, q{}], 'exit status 3');
    my ($page, $json, $markdown) = map { content($file{$_}) } qw(html json markdown);
    my $title = qr/UnixBench history of vm: 20[.][01]\xc2\xa0% slower since 2026-06-29 [(]Process Creation, one/;
    like($page, qr{<h1>.*$title .*</h1>}s, 'the page has a title');
    my $data = UnixBench::Base::JSON::decode($json);
    is_deeply([@$data{qw(format outcome)}], ['unixbench-history', 'worse'], 'the JSON has the outcome');
    my ($event) = @{ $data->{hosts}[0]{events} };
    my @of = (@$event{qw(run since is_confirmed is_worse accepted)}, $event->{changes}[0]{name});
    is_deeply(\@of, [30, 10, 1, 1, undef, 'spawn'], 'and the change');
    like($markdown, qr/^## UnixBench history of vm/, 'the Markdown has a title');
};

# A log to which cron appends.
subtest 'a file with several reports' => sub {
    my @reports = map { old_report('5.1.3', $_) } 0 .. 14;
    s/ 100([012])000[.]0 /" 80${1}000.0 "/ae for @reports[10 .. 14];
    my $test = with_results(sub { write_file("$_[0]/cron.log", join q{}, @reports) });
    my $said = qr/\AHistory of vm, version 5[.]1[.]3: 20[.]\d % slower since .*^15 runs, /ms;
    is_said($test, 3, 'has a run for each' => $said);
};

# As the collection of the feature fleet leaves results of each week.
subtest 'directories of hosts' => sub {
    my $test = TestRun->new;
    for my $week (0 .. 9) {
        my $place = $test->place('results', "week-$week");
        for my $name (qw(node1 node2 node3)) {
            my %of =
                (later_s => ord substr($name, -1), $name eq 'node2' && $week > 4 ? (factor => { pipe => 0.8 }) : ());
            mkdir $_ for $place, "$place/hosts";
            write_week("$place/hosts", $week, %of, name => $name, host => { name => $name });
        }
        write_file("$place/$_->[0]", $_->[1])
            for ['fleet.json', '{"format":"unixbench-fleet"}'], ['machines.csv', "host\n"];
    }
    my $run   = history($test, map { $test->place('results', "week-$_") } 0 .. 9);
    my $worst = qr/(?:19|20)[.]\d % slower since 2026-01-05 [(]Pipe Throughput, one copy[)] on node2/;
    is($run->{status}, 3, 'exit status 3');
    like($run->{err}, qr/\ARun: \S+, .* and 7 others: reading the results one level below, in hosts\n\z/, 'a notice');
    like($run->{out}, qr/\AHistory of 3 hosts: $worst\n.*^2 hosts [(]node1 and node3[)]: no change shown; /ms, 'each');
    unlike($run->{out}, qr/Left out/, 'no other file is one that was left out');
};

# The script of docs/history.md. Disturbances by other processes do not make its results poor.
subtest 'the script of the guide' => sub {
    local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";
    my $test   = TestRun->new;
    my $script = block(text_of("$TestRun::HOME/docs/history.md"), '# unixbench-week');
    $script =~ s{/opt/unixbench/Run}{$^X $TestRun::HOME/Run}g == 2 or die "the script calls ./Run in another way\n";
    my $path = write_program($test->place('week'), $script =~ s/ -q / -q -c 1 -i 3 syscall /r);
    my $week = sub {
        my ($count, $is_usual) = @_;
        give_rates($test, syscall => [map { $_ * $count } 1, 1.001, 0.999]);
        return $is_usual ? $test->run(qw(-q -c 1 -i 3 syscall)) : waited($test->started_by($path));
    };
    is_deeply([@{ $week->(1000) }{qw(status out err)}], [0, q{}, q{}], 'one run: nothing is printed');
    $week->(1000 + $_ % 3, 1) for 1 .. 6;
    is_deeply([@{ $week->(1001) }{qw(status out err)}], [0, q{}, q{}], 'eight runs: nothing is printed');
    $week->(800 + $_, 1) for 1 .. 3;
    my $run = $week->(802);
    is($run->{status}, 3, 'slower: exit status 3');

    # The time of day is printed, because all runs are of one day.
    my $said = qr/\AHistory of \S+: \d\d[.]\d % slower since \S+ \d\d:\d\d [(]System Call Overhead, one copy[)]$/m;
    like($run->{out}, $said, 'the history is printed');
    is($test->run('history', '--accept', 'on purpose')->{status}, 0, 'an accepted change');
    is_deeply([@{ $week->(801) }{qw(status out)}], [0, q{}], 'is not printed again');
};

done_testing;
