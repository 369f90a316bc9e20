use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib", "$FindBin::Bin/../../../lib";
use LoadedRun qw(eventually own_tree waited);
use Needs     qw(need_mount_namespaces need_tools need_user path_of skip_without);

# Machines that are odd: their users and permissions, clock, locale, name, programs, devices, and settings of Perl.

my $NOBODY = (getpwnam 'nobody')[2];

sub as_nobody {
    skip_without(machine => 'root, and the user nobody') if $> != 0 || !defined $NOBODY;
    need_user();
    return;
}

# Runs Run as the user nobody; returns the result of TestRun's run.
sub run_as_nobody {
    my ($test, @words) = @_;
    my @run = ($^X, $test->{program} || "$TestRun::HOME/Run", @words);
    chmod 0755, $test->place;
    return waited($test->started_by($^X, "$TestRun::BIN/as-nobody", @run));
}

subtest "the tree of another user" => sub {
    as_nobody();
    my ($test, $tree) = own_tree(programs => { syscall => 'litter' });
    my $refused = run_as_nobody($test, qw(-q -c 1 syscall));
    my $why     = "can't make directory $tree/results: Permission denied; set UB_RESULTDIR to another directory";
    is_deeply([@$refused{qw(status err)}], [1, "Run: $why\n"], 'no directory for reports: one line of message');
    is_deeply([grep { -e } "$tree/results", "$tree/tmp"], [],  'no directory is made');
    @{ $test->{env} }{qw(UB_RESULTDIR UB_TMPDIR)} = map { $test->place($_) } qw(results tmp);
    system 'chmod', '-R', 'a-w', "$tree";
    mkdir $test->place('private'), 0700 or die "mkdir: $!\n";
    chown $NOBODY, -1, map { $test->place($_) } qw(tmp results);

    for my $case (['a tree that is read-only', 'test'], ['started in a directory without permission', 'private']) {
        my ($what, $from) = @$case;
        local $test->{cwd} = $test->place($from);
        my $run = run_as_nobody($test, qw(-q -c 1 -i 1 syscall));
        is_deeply([@$run{qw(status err)}],        [0, q{}],                 "$what: the run succeeds");
        is_deeply([sort keys %{ $test->scores }], ['System Call Overhead'], "$what: it writes its report");
        is_deeply([$test->left],                  [],                       "$what: no scratch file is left");
    }
};

subtest 'a clock that is set back' => sub {
    my $test = TestRun->new(env => { PERL5OPT => "-I$FindBin::Bin/../../lib -MPlanted=stepped-clock" });
    my $run  = $test->run(qw(-q -c 1 -c 2 -i 3 syscall hanoi));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a run with a clock that is set back succeeds') or diag explain $run;
    unlike($test->report('.log'), qr/elapsed: -/, 'no time is negative');
    like($test->report('.html'), qr/The clock of the machine was set back by [0-9]+ s during the run[.]/, 'a warning');
    my ($start, $end) = $test->report(q{}) =~ /^Benchmark Run: (\w+ \w+ \d+ \d+ [\d:]+) - ([\d:]+)$/m;
    ok(defined $end, 'the report has start and end');
};

subtest 'a clock before 1970' => sub {
    my $back = -60 * 365.25 * 86_400;
    my $test =
        TestRun->new(env => { PERL5OPT => "-I$FindBin::Bin/../../lib -MSetClock -MPlayedLoad", SET_CLOCK_S => $back });
    my $path = $test->place('one.json');
    my $run  = $test->run(qw(-q -c 1 -i 3 syscall hanoi --json), $path);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'a run before 1970 succeeds') or diag explain $run;
    my ($first) = $test->reports;
    like($first, qr/-196[67]-[01][0-9]-[0-3][0-9]-01\z/, 'the name of the report has the date before 1970');
    my $report = $test->report(q{});
    like($report, qr/^Benchmark Run: \w{3} \w{3} [0-9]{2} 196[67] [0-9:]{8} - [0-9:]{8}$/m, 'its date is before 1970');
    unlike($test->report('.html'), qr/The clock of the machine was set/, 'the page has no warning about the clock');
    is($test->run('report', $path)->{out}, $report, 'a result from before 1970 can be read');
    is($test->run('compare', $path, $path)->{status}, 0, 'a result from before 1970 can be compared');
};

subtest 'a locale that is missing' => sub {
    my $test = TestRun->new(env => { LOCPATH => '/nowhere' });
    unlike($test->run(qw(-q -c 1 -i 1 syscall))->{said}, qr/locale/, 'a run that the locale does not affect');
    my $run = $test->run(qw(-q -c 1 -i 1 shell1));
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

subtest 'names of hosts' => sub {
    skip_without(machine => 'root') if $> != 0;
    skip_without(machine => 'namespaces of host names') if system 'unshare -u true 2>/dev/null';
    my $set   = 'open my $f, ">", "/proc/sys/kernel/hostname" or die; syswrite $f, shift; close $f; exec @ARGV';
    my @words = ($^X, "$TestRun::HOME/Run", qw(-q -c 1 -i 1 syscall));
    my $test  = TestRun->new(env => { UB_OUTPUT_CSV => 'true' });
    my $name  = qq{<b>&'"\\`id`\n/../lps\e[31m};
    my $run   = waited($test->started_by(qw(unshare -u), $^X, '-e', $set, $name, @words));
    is_deeply([@$run{qw(status err)}],             [0, q{}], 'a run with a hostile host name succeeds');
    is_deeply([grep { /[^\w.-]/ } $test->reports], [],       'names of reports have plain characters only');
    unlike($test->report($_), qr/\e/, "report$_ shows no control characters") for q{}, qw(.html .csv .log);
    unlike($test->report('.html'),                      qr/<b>/, 'the host name is not markup on the page');
    unlike($test->report(q{}) =~ s/^.* samples\)$//mgr, qr/lps/, 'the host name is not taken for a result');
    my $nameless = TestRun->new;
    $run = waited($nameless->started_by(qw(unshare -u), $^X, '-e', $set, "\n", @words));
    is($run->{status}, 0, 'a run on a machine without a name succeeds') or diag $run->{err};
    is(scalar(grep { !/\Alocalhost-/ } $nameless->reports), 0, 'names of its reports');
    like($nameless->report(q{}), qr/^   System: localhost: /m, 'its report');
};

subtest 'two runs with the same name' => sub {
    my $test  = TestRun->new(programs => { syscall => 'hang' }, env => { UB_OUTPUT_FILE_NAME => 'mine' });
    my $first = do { local $test->{name} = 1; $test->started(qw(-q -c 1 syscall)) };
    eventually(sub { $test->report('.journal') =~ /"run"/ });
    my $journal = $test->report('.journal');

    # Both wait for some seconds.
    my @others = map { local $test->{name} = $_->[0]; $test->started(@$_) } [qw(-q -c 1 hanoi)], [qw(--resume mine)];
    my ($second, $resumed) = map { waited($_) } @others;
    is($second->{status}, 1, 'the second run is refused');
    like($resumed->{err}, qr/\ARun: another Run \(process $first->{pid}\) /, '--resume of it, too');
    my $mine = $test->place('results', 'mine');
    is(
        $second->{err},
        "Run: another Run (process $first->{pid}) is measuring and writing $mine: "
            . "wait for its end, or choose another name\n",
        'the message names the process of the first run'
    );
    is($test->report('.journal'), $journal, 'the journal of the first run is unchanged');
    is_deeply([map { s{.*/}{}r } $test->left], ["run-$first->{pid}-1"], 'the scratch directory of the first run');
    my ($guardian) = qx(ps -A -o pid= -o ppid= -o args=) =~ /^ *([0-9]+) +$first->{pid} +Run: guardian/m;
    my @held = map { readlink // () } glob "/proc/$guardian/fd/*";
    is(scalar(grep { $_ eq "$mine.journal" } @held), 1, 'the guardian keeps the lock until everything is removed');
    kill KILL => $first->{pid};
    waited($first);
    is($test->run(qw(-q -c 1 -i 1 hanoi))->{status}, 0, 'the name is free as soon as the first run is dead');
};

# Optional programs of the system that Run calls.
my @CALLED  = qw(uptime who runlevel locale sync uname df env);
my $NO_SYNC = "Run: there is no program sync: file systems can't be flushed before each pass\n";

for my $missing (q{}, @CALLED[0, 5]) {
    subtest length $missing ? "no $missing" : 'none of the programs that Run calls' => sub {
        my $test = TestRun->new;
        mkdir $test->place('path') or die "mkdir: $!\n";
        my @names = length $missing ? grep { $_ ne $missing && path_of($_) } @CALLED : ();
        symlink path_of($_), $test->place('path', $_) or die "symlink: $!\n" for @names, 'perl';
        $test->{env}{PATH} = $test->place('path');
        my $run  = $test->run(qw(-q -c 1 -i 1 syscall));
        my $said = $run->{err} =~ s/^Run: missing: .*\n//mgr;
        is_deeply([$run->{status}, $said],   [0, (grep { $_ eq 'sync' } @names) ? q{} : $NO_SYNC], 'a run succeeds');
        is_deeply([keys %{ $test->scores }], ['System Call Overhead'],                             'there is a score');
        my $facts = qr/^   OS: \S+ -- .* -- .*\n   Machine: \S+ [(]unknown[)]$/m;
        like($test->report(q{}), $facts, 'the report has the facts from the kernel') if !@names;
    };
}

subtest 'without /dev/null' => sub {
    skip_without(machine => 'root') if $> != 0;
    need_tools('unshare');
    need_mount_namespaces();
    my %why = ('mkdir null' => 'Is a directory', q{:} => 'No such file or directory');
    for my $case ([q{:}, qw(-q -c 1 -i 1 hanoi)], [q{:}, '--list'], [q{:}, '--bogus'], ['mkdir null', '--list']) {
        my ($make, @words) = @$case;
        my $test = TestRun->new;
        mkdir $test->place('dev') or die "mkdir: $!\n";
        my $script = "set -e; cd '@{[$test->place('dev')]}'; $make; mount --bind . /dev; exec \"\$0\" \"\$@\"";
        my $run    = waited($test->started_by(qw(unshare -m /bin/sh -c), $script, $^X, "$TestRun::HOME/Run", @words));
        my $line   = "Run: can't open /dev/null: $why{$make}; make it as root: mknod -m 666 /dev/null c 1 3\n";
        is_deeply([@$run{qw(status out err)}], [1, q{}, $line], "$make: @words");
    }
};

# Takes environment variables; returns the facts of a run that must not depend on them.
sub measured {
    my (%env) = @_;
    my $test  = TestRun->new(env => { UB_OUTPUT_FILE_NAME => "caf\xc3\xa9", %env });
    my $run   = $test->run(qw(-c 2 -i 1 syscall hanoi --json), $test->place("\xe2\x82\xac.json"));
    return {
        status => $run->{status},
        err    => $run->{err} =~ s/^Run: .*load.*\n//mgr,
        files  => [$test->reports],
        copied => -s $test->place("\xe2\x82\xac.json") ? 1 : 0,
        titles => [sort keys %{ $test->scores }],
        passes => scalar(() = $test->report('.log') =~ /^#### Pass/mg),
    };
}

my $usual = measured();
is_deeply([$usual->{status}, scalar @{ $usual->{titles} }], [0, 2], 'a usual run measures two tests');
for my $case (
    [PERLIO       => ':utf8'],
    [PERLIO       => ':crlf'],
    [PERL_UNICODE => 'SDA'],
    [PERL5OPT     => '-C -w'],
    [PERL_SIGNALS => 'unsafe']
    )
{
    is_deeply(measured(@$case), $usual, 'the same run with ' . join q{=}, @$case);
}

subtest 'other words of PERL5OPT stay' => sub {
    my $test =
        TestRun->new(env => { PERL5OPT => "-CS -I$FindBin::Bin/../../lib -MOtherHost", OTHER_HOST => 'elsewhere' });
    is($test->run(qw(-q -c 1 -i 1 hanoi))->{status}, 0, 'a run with PERL5OPT succeeds');
    like($test->report(q{}), qr/^   System: elsewhere: /m, 'modules in PERL5OPT are loaded');
};

done_testing();
