# ./Run history.

use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Guide qw(block);
use LoadedRun;
use Needs     qw(skip_without);
use Place     qw(content text_of write_file write_program);
use TestRun   qw(give_rates waited);
use Validator qw(complaints_about why_no_validator);
use Weeks     qw(started write_week write_weeks);
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

# Takes a function that writes results into the directory that it gets; returns a place for runs with these results.
sub with_results {
    my ($write) = @_;
    my $test = TestRun->new;
    $test->{cwd} = $test->place('results');
    $write->($test->place('results'));
    return $test;
}

# Takes a place and words; returns the run of history.
sub history { my ($test, @words) = @_; return $test->run('history', @words) }

# A step of 20 % in one test at week 30, together with another kernel.
my %SLOW = (factor => { spawn => 0.8 }, host => { release => '6.19.1' });

my $STEP = with_results(
    sub {
        write_weeks($_[0], 0, 29);
        write_weeks($_[0], 30, 39, %SLOW);
    }
);

# Returns a place of its own with these results.
sub with_step {
    return with_results(
        sub {
            my ($directory) = @_;
            link $_, $directory . s{.*(?=/)}{}r or die "$_: $!\n" for glob $STEP->place('results', '*.html');
        }
    );
}

subtest 'results without a place' => sub {
    my $test = with_results(
        sub {
            my ($directory) = @_;
            write_weeks($directory, 0, 9);
            for my $week (10 .. 12) {
                my %wrong = (later_s => 400 - started($week), factor => { pipe => 0.5 });
                write_week($directory, $week, %wrong, name => 'late-' . chr 87 + $week);
            }
        }
    );
    my $run = history($test);
    is($run->{status}, 3, 'exit status 3');
    like($run->{out}, qr/\AHistory of vm: 3 results have no place in time, and may be the latest$/m, 'the first line');
};

subtest 'a step' => sub {
    my $test = with_step();
    my $run  = history($test);
    is_deeply([@$run{qw(status err)}], [3, q{}], 'exit status 3');
    like(
        $run->{out},
        qr/\AHistory of vm: 20[.][01] % slower since 2026-06-29 [(]Process Creation, one copy[)]$/m,
        'the first line'
    );
    like(
        $run->{out},
        qr{
            ^2026-06-29[ ][ ]Process[ ]Creation,[ ]1[ ]copy:[ ]-20[.][01][ ]%[ ][(]-20[.]\d[ ]%[ ]to[ ]-1\d[.]\d[ ]%[)]
            ,[ ]confirmed,[ ]10[ ]runs[ ]since\n
            [ ]{3}differs:[ ]Kernel[ ][(]6[.]18[.]44[ ].*[ ]->[ ]6[.]19[.]1[ ].*[)]\n\n
            2[ ]series:[ ]no[ ]change[ ]shown;[ ]
        }mx,
        'the change, what differs, and the rest'
    );
    like($run->{out}, qr/ add --accept REASON to this command[.]/, 'how to accept it');
    is(history($test, qw(--min-effect 30))->{status}, 0, '--min-effect ignores small changes');
};

subtest 'accepted' => sub {
    my $test = with_step();
    my $log  = $test->place('results', 'history-accepted.log');
    my $run  = history($test, '--accept', 'mitigations of vmscape');
    is_deeply([@$run{qw(status err)}], [0, q{}], 'exit status 0');
    is(content($log), "2026-06-29T02:00:00Z\tvm\tmitigations of vmscape\t1 test spawn\t-20.00%\n", 'one line');
    like($run->{out}, qr/^   accepted: mitigations of vmscape$/m, 'the report has the reason');
    $run = history($test);
    is($run->{status}, 0, 'from then on');
    like($run->{out}, qr/\AHistory of vm: each change for the worse is accepted$/m, 'the first line');
    $run = history($test, qw(--accept again));
    is_deeply(
        [@$run{qw(status err)}],
        [2, "Run: option --accept: there is no change for the worse that is not accepted\n"],
        'nothing is left to accept'
    );
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
    my $log  = $test->place('results', 'history-accepted.log');
    write_file(
        $log, "
" x 8192
    );
    my $run = waited(
        $test->started_by(
            qw(sh -c), 'ulimit -f 8; exec "$0" "$@"',
            $^X, "$TestRun::HOME/Run", qw(history --accept reason)
        )
    );
    is_deeply(
        [@$run{qw(status out err)}],
        [1, q{}, "Run: can't write $log: File too large: raise the limit on file sizes (ulimit -f)\n"],
        'exit status 1, and one line'
    );
    is(-s $log,                  8192, 'no part of a line is left');
    is(history($test)->{status}, 3,    'nothing is accepted');
};

subtest 'no run is evidence any more' => sub {
    my $test = with_results(
        sub {
            write_weeks($_[0], 0, 19);
            write_weeks($_[0], 20, 29, disturbed => 'others', factor => { pipe => 0.5 });
        }
    );
    my $run = history($test);
    is_deeply([@$run{qw(status err)}], [4, q{}], 'exit status 4');
    like($run->{out},
        qr/\AHistory of vm: no run since 2026-04-20 can be used: trust is poor in 10 of 10 [(]other load[)]$/m,
        'since when');
    my $none = with_results(sub { write_weeks($_[0], 0, 9, disturbed => 'others') });
    $run = history($none);
    is_deeply([@$run{qw(status err)}], [4, q{}], 'none at all: exit status 4');
    like(
        $run->{out},
        qr/\AHistory of vm: no run can be used: trust is poor in 10 of 10 [(]other load[)]$/m,
        'the first line has the reason'
    );
    like($run->{out}, qr/^Other load: 0[.]80 CPUs used [(]9 of 9 passes[)][.] Stop them[.]/m, 'with the remedy');
};

subtest 'what the host does is measured' => sub {
    for my $cause (qw(steal throttled)) {
        my $test = with_results(
            sub {
                write_weeks($_[0], $_->[0], $_->[1], disturbed => $cause, %{ $_->[2] })
                    for [0, 19, {}], [20, 24, { factor => { pipe => 0.9 } }];
            }
        );
        my $run = history($test);
        is($run->{status}, 3, "$cause: exit status 3");
        like($run->{out}, qr/\AHistory of vm: \d+[.]\d % slower since 2026-04-20 /, 'a loss is found');
    }
};

subtest 'too few runs' => sub {
    my $test = with_results(sub { write_weeks($_[0], 0, 3) });
    my $run  = history($test);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'exit status 0');
    like($run->{out}, qr/\AHistory of vm: too few runs: at least 5 show a change$/m, 'how many are needed');
    write_week($test->place('results'), 4);
    like(history($test)->{out}, qr/\AHistory of vm: no confirmed change for the worse$/m, 'five are enough');
};

subtest 'results of other versions' => sub {
    my $test = with_step();
    for my $week (0 .. 5) {
        $test->write('results', "old5-$week", old_report('5.1.3', $week));
    }
    $test->write('results', 'seven-b', old_report('7.1.0', 3));
    my $run = history($test);
    is($run->{status}, 3, 'have no part in the changes of this version');
    like($run->{out}, qr/^vm, version 5[.]1[.]3: 6 runs, 2025-12-01 to 2026-01-05$/m, 'version 5 is a host of its own');
    like($run->{out}, qr/^   Left out: 1 result [(]text reports of version 7[)][.]$/m, 'version 7 is left out');
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
    like(
        $page,
        qr{<h1>.*UnixBench history of vm: 20[.][01]\xc2\xa0% slower since 2026-06-29 [(]Process Creation, one .*</h1>}s,
        'the page has a title'
    );
    like($page, qr{<p>Process Creation</p>\s*<svg}, 'and a chart of each series');
    my $data = UnixBench::Base::JSON::decode($json);
    is_deeply([@$data{qw(format outcome)}], ['unixbench-history', 'worse'], 'the JSON has the outcome');
    my ($event) = @{ $data->{hosts}[0]{events} };
    is_deeply(
        [@$event{qw(run since is_confirmed is_worse accepted)}, $event->{changes}[0]{name}],
        [30, 10, 1, 1, undef, 'spawn'],
        'and the change'
    );
    like($markdown, qr/^## UnixBench history of vm/, 'the Markdown has a title');
SKIP: {
        my $why_not = why_no_validator();
        skip_without(@$why_not, 1) if $why_not;
        is((complaints_about('history', $file{json}))[0], q{}, 'the JSON is valid');
    }
};

# A log to which cron appends.
subtest 'a file with several reports' => sub {
    my @reports = map { old_report('5.1.3', $_) } 0 .. 14;
    s/ 100([012])000[.]0 /" 80${1}000.0 "/ae for @reports[10 .. 14];
    my $test = with_results(sub { Place::write_file("$_[0]/cron.log", join q{}, @reports) });
    my $run  = history($test);
    is_deeply([@$run{qw(status err)}], [3, q{}], 'exit status 3');
    like($run->{out}, qr/\AHistory of vm, version 5[.]1[.]3: 20[.]\d % slower since .*^15 runs, /ms, 'a run for each');
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
    like(
        $run->{out},
        qr/\AHistory of \S+: \d\d[.]\d % slower since \S+ \d\d:\d\d [(]System Call Overhead, one copy[)]$/m,
        'the history is printed, with the time of day because all runs are of one day'
    );
    is($test->run('history', '--accept', 'on purpose')->{status}, 0, 'an accepted change');
    is_deeply([@{ $week->(801) }{qw(status out)}], [0, q{}], 'is not printed again');
};

done_testing;
