use strict;
use warnings;

use File::Copy ();
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../accept/lib ../../accept/t/lib ../../../t/lib);
use KnownRates                     qw(measure_into rated);
use LastScreen                     qw(is_screen shown);
use Needs                          qw(skip_without);
use PseudoTerminal;
use TerminalRun   qw(ended started_on);
use TestRun       qw(waited);
use ValidMarkdown qw(are_valid_markdown);
use UnixBench::Accept::VerdictFile;
use UnixBench::Report::Formats;
use UnixBench::Report::View;
use UnixBench::Store::ResultFile;

# Disturbances by other processes do not change the verdicts.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

my $HEAD = 'host,shares,phase,try,outcome,reason,result';

# Results that ./Run has measured: name => rates of syscall in three passes.
my %RATES = (
    good => [1_000_000, 1_001_000, 999_000],
    also => [1_000_000, 1_001_000, 999_000],
    slow => [500_000,   501_000,   499_000],
    wide => [600_000,   1_000_000, 1_400_000],
);

my $MACHINE = rated({});
measure_into($MACHINE, $_, $RATES{$_}) for sort keys %RATES;

# Takes lines; writes them as a list of hosts next to the results, and returns its path.
sub list_of {
    return $MACHINE->write('results', 'machines.csv', join q{}, map { "$_\n" } $HEAD, @_);
}

# Takes [lines of a list] and further words; returns the run of fleet.
sub fleet {
    my ($lines, @words) = @_;
    return $MACHINE->run('fleet', list_of(@$lines), @words);
}

# Takes a name and the name of a result; returns the line of a list.
sub measured { my ($host, $result) = @_; return "$host,,alone,1,measured,,$result.html" }

my $GONE  = 'gone,,alone,1,unreachable,No route to host,';
my @FAST  = (measured('h1', 'good'), measured('h2', 'also'));
my $SLOW  = measured('h3', 'slow');
my $WIDE  = measured('h4', 'wide');
my $LATER = 'later,,alone,1,untried,,';

# [lines, requirements => exit status, the first line].
my @CASES = (
    [[@FAST],                      [],                  0, '2 hosts: 2 measured'],
    [[@FAST, $SLOW],               [],                  0, '3 hosts: 3 measured; 1 slow'],
    [[@FAST],                      ['syscall>=900000'], 0, '2 hosts: 2 PASS'],
    [[@FAST, $SLOW],               ['syscall>=900000'], 3, '3 hosts: 2 PASS, 1 FAIL; 1 slow'],
    [[@FAST, $WIDE],               ['syscall>=900000'], 4, '3 hosts: 2 PASS, 1 INCONCLUSIVE'],
    [[@FAST, $SLOW, $WIDE],        ['syscall>=900000'], 3, '4 hosts: 2 PASS, 1 FAIL, 1 INCONCLUSIVE'],
    [[@FAST, $SLOW, $WIDE, $GONE], ['syscall>=900000'], 1, '5 hosts: 2 PASS, 1 FAIL, 1 INCONCLUSIVE, 1 unreachable'],
    [[$GONE],                      ['syscall>=1'],      1, '1 host: 1 unreachable'],
    [[measured('h1', 'none')],     [],                  1, '1 host: 1 failed'],
    [[@FAST, $LATER],              ['syscall>=900000'], 1, '3 hosts: 2 PASS, 1 untried'],
);

for my $case (@CASES) {
    my ($lines, $requirements, $status, $first) = @$case;
    my $run = fleet($lines, map { ('--require', $_) } @$requirements);
    is_deeply([@$run{qw(status err)}], [$status, q{}], "exit status $status: $first");
    my ($said) = split /\n/, $run->{out};
    like($said, qr/\A\Q$first\E/, "the first line: $first");
}

subtest 'one result of two hosts counts once' => sub {
    my %copy = (
        'the same file'   => 'good',
        'a copy'          => sub { File::Copy::copy($_[0], $_[1]) or die "$_[1]: $!\n" },
        'a link'          => sub { link $_[0], $_[1] or die "$_[1]: $!\n" },
        'a symbolic link' => sub { symlink $_[0], $_[1] or die "$_[1]: $!\n" },
    );
    for my $what (sort keys %copy) {
        my $name = ref $copy{$what} ? 'copied' : $copy{$what};
        my ($from, $to) = map { $MACHINE->place('results', "$_.html") } 'good', 'copied';
        $copy{$what}->($from, $to) if ref $copy{$what};
        my $run = fleet([measured('h1', 'good'), measured('h2', $name)], '--require', 'syscall>=900000');
        unlink $to;
        is($run->{status}, 1, "$what: exit status 1");
        like($run->{out}, qr/\A2 hosts: 1 PASS, 1 failed\n/,                  "$what: one passes");
        like($run->{out}, qr/^h2 +failed\n +its result is also that of h1$/m, "$what: the other one failed");
    }
};

subtest 'the host of a result' => sub {
    my $own = UnixBench::Store::ResultFile::summary($MACHINE->place('results', 'good.html'))->{name};
    my $run = fleet([measured($own, 'also'), measured('h2', 'good')]);
    like($run->{out}, qr/^h2 +failed\n +its result is of the host \Q$own\E$/m, 'a result of another host of the list');
    $run = fleet([measured('h2', 'good'), measured($own, 'good')]);
    like($run->{out}, qr/^h2 +failed\n +its result is of the host/m, 'the one that it names counts');
    like($run->{out}, qr/\A2 hosts: 1 measured, 1 failed/,           'wherever it is in the list');
    is(fleet([measured('10.0.0.1',             'good')])->{status}, 0, 'a host may have another name in the list');
    is(fleet([measured("\U$own\E.example.org", 'good')])->{status}, 0, 'its name may have a domain');
};

subtest 'all outputs of one call' => sub {
    my %file = map { $_ => $MACHINE->place("fleet.$_") } qw(html json junit markdown);
    my $text = fleet([@FAST, $SLOW, $GONE], '--require', 'syscall>=900000');
    my $run = fleet([@FAST, $SLOW, $GONE], '--require', 'syscall>=900000', map { ("--$_", $file{$_}) } sort keys %file);
    is_deeply([@$run{qw(status err out)}], [1, q{}, $text->{out}], 'the text is printed, too');
    my %begins = (
        html     => qr/\A<!DOCTYPE html>/,
        json     => qr/\A[{]"format":"unixbench-fleet"/,
        junit    => qr/\A<[?]xml .*<testsuites /s,
        markdown => qr/\A## UnixBench fleet, 4 hosts: 2 PASS/
    );
    for my $kind (sort keys %file) {
        my $content = $MACHINE->text("../fleet.$kind");
        like($content, $begins{$kind},                  "--$kind writes its format");
        like($content, qr/\bgone\b.*No route to host/s, "--$kind has the host that was not measured");
        is(fleet([@FAST, $SLOW, $GONE], '--require', 'syscall>=900000', "--$kind", q{-})->{out},
            $content, "--$kind - prints the same");
    }
};

subtest 'a terminal shows 60 machines of a ranking, and how to get the others' => sub {
    my $good = UnixBench::Store::ResultFile::result($MACHINE->place('results', 'good.html'));
    my @many;
    for my $host (map { "h$_" } 1 .. 62) {
        my %result = (%$good, host => { %{ $good->{host} }, name => $host });
        my $view   = UnixBench::Report::View->new(result => \%result);
        $MACHINE->write('results', "$host.json", UnixBench::Report::Formats::of_result('json', $view));
        push @many, "$host,,alone,1,measured,,$host.json";
    }
    my @fleet = ('fleet', list_of(@many, $GONE, $LATER));
    skip_without(machine => 'terminals') if !PseudoTerminal->new(80);
    my $run = started_on($MACHINE, 100, [0 .. 2], $^X, "$TestRun::HOME/Run", @fleet);
    is(ended($run)->{status}, 1, 'one machine was not measured');
    my $shown = $run->{terminal}->seen =~ s/\r\n/\n/gr;
    my @rows  = $shown                 =~ /^([0-9]+)[.] h/mg;
    is_deeply(\@rows, [1 .. 60], 'sixty machines');
    like($shown, qr/^2 more machines: add "> fleet[.]txt" to this command for all of them$/m, 'it says how many more');
    like($shown, qr/^gone +unreachable\n.*^later +untried\n/ms, 'all hosts without a result are there');
    is(scalar(() = $MACHINE->run(@fleet)->{out} =~ /^[0-9]+[.] h/mg), 62, 'a file has all');
};

subtest 'the last screen of a terminal' => sub {
    skip_without(machine => 'terminals') if !PseudoTerminal->new(80);
    my ($fleet) = shown($MACHINE, { TERM => 'xterm' }, 'fleet', list_of(@FAST, measured('h3', 'good')));
    is_screen('a fleet', $fleet, 'Verdict', qr/\S/);
    like($fleet, qr/^1[.] .* \e\[3[123]m[a-z]+\e\[m +measured$/m, 'a table has colours');
};

subtest 'standard output is closed' => sub {
    my @run = ($^X, "$TestRun::HOME/Run", 'fleet', list_of(@FAST));
    my $run = waited($MACHINE->started_by('/bin/sh', '-c', 'exec "$0" "$@" >&-', @run));
    is_deeply([@$run{qw(status err)}], [1, "Run: can't write to standard output: it is closed\n"], 'one message');
};

subtest 'Markdown' => sub {
    my $text = fleet(\@FAST, '--markdown', q{-})->{out};
    like(
        $text,
        qr/\A## UnixBench fleet, 2 hosts: 2 measured\n\nUnixBench [0-9.]+, fleet\n\nFewer than 3 hosts .*\n\n[*]{2}Sys/,
        'it begins with the verdict'
    );
    are_valid_markdown(fleet => $text);
};

# [lines of a list => hosts that are drained].
my @LISTS = (
    [[@FAST, $SLOW, $WIDE, $GONE, $LATER] => 'h3'],
    [
        [
            map { "$_->[0],,alone,1,$_->[1],$_->[2]," } ['new', 'untried', 'The machine was not tried.'],
            ['ready', 'untried',     '"The machine is ready, but no run was started."'],
            ['busy',  'running',     'The run has not ended yet.'],
            ['full',  'failed',      q{can't write: No space left on device}],
            ['said',  'failed',      'FAIL: state=fail'],
            ['gone',  'unreachable', 'No route to host.'],
            ['perl',  'refused',     'There is no Perl']
        ] => q{}
    ],
);

subtest 'only a machine that was measured as too slow or broken fails' => sub {
    my @require = ('--require', 'syscall>=900000');
    for my $case (@LISTS) {
        my ($lines, $drained) = @$case;
        my @blocks = UnixBench::Accept::VerdictFile::blocks(fleet($lines, @require, '--verdict', q{-})->{out});
        is(join(q{ }, map { $_->{host} } grep { $_->{state} eq 'fail' } @blocks), $drained, "fail: $drained");
        my $junit = fleet($lines, @require, '--junit', q{-})->{out};
        is(scalar(() = $junit =~ /<failure /g), scalar(split q{ }, $drained), 'JUnit has as many failures');
    }
    my $run = fleet($LISTS[1][0], @require);
    is($run->{status}, 1, 'a list without a result has the exit status of a fleet that was not measured');
    like($run->{out}, qr/\A7 hosts: 2 failed, 1 unreachable, 1 refused, 1 running, 2 untried\n/,
        'outcomes are counted');
};

subtest 'a file of verdicts is read by check' => sub {
    my $verdict = $MACHINE->place('fleet.verdict');
    my $check   = sub {
        my (@given) = @_;
        fleet(@given, '--verdict', $verdict);
        my $run = $MACHINE->run('check', $verdict);
        return [$run->{status}, $run->{out}];
    };
    my @require = ('--require', 'syscall>=900000');
    is_deeply($check->([@FAST], @require), [0, "UNIXBENCH OK: 2 of 2 hosts pass\n"], 'all hosts pass');
    is_deeply(
        $check->([@FAST, $SLOW, $GONE], @require),
        [
            2,
            'UNIXBENCH CRITICAL: 2 of 4 hosts pass; fail: h3 (syscall>=900000 (1 copy): below the limit); '
                . "unknown: gone (unreachable: No route to host)\n"
        ],
        'hosts that do not pass are named, with what they have in common'
    );
    is($check->([@FAST])->[0], 3, 'without requirements the state is unknown');
};

subtest 'exports name the hosts' => sub {
    my %wanted = (
        'github-action-benchmark' => qr/"name":"h1: System Call Overhead [(]1 copy[)]"/,
        openmetrics               => qr/^unixbench_rate[{]host="h1",test="syscall",copies="1",unit="lps"[}] 999999[.]/m,
        lava                      => qr/^h1-syscall-1 pass /m,
        csv                       => qr/^h1,[^,]+,syscall,1,/m,
    );
    for my $format (sort keys %wanted) {
        my $run = fleet([@FAST, $GONE], '--export', "$format:-");
        is_deeply([@$run{qw(status err)}], [1, q{}], "$format: the exit status is that of the fleet");
        like($run->{out}, $wanted{$format}, "$format: a measured host has its name");
        unlike($run->{out}, qr/gone/, "$format: a host without a result is left out");
        like(fleet([$FAST[0]], '--export', "$format:-")->{out},
            $wanted{$format}, "$format: also a single host is named");
        is(fleet([$GONE], '--export', "$format:-")->{status}, 1, "$format: a fleet without a result is accepted");
    }
    is_deeply(
        [@{ fleet([@FAST], qw(--export svg:-)) }{qw(status out err)}],
        [2, q{}, "Run: option --export svg writes one result, not a fleet\n"],
        'a picture shows one result'
    );
};

subtest 'results instead of a list' => sub {
    my $run = $MACHINE->run('fleet', qw(good slow));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'two results are accepted');
    like($run->{out}, qr/\A2 hosts: 2 measured\n.*^1[.] vm [(]good[.]html[)] .*\n2[.] vm [(]slow[.]html[)] /ms,
        'and ranked');
    like($MACHINE->run('fleet', 'good')->{out}, qr/\A1 host: 1 measured\n/, 'a single result is a fleet');
    $run = $MACHINE->run('fleet', $MACHINE->place('results'), '--require', 'syscall>=900000');
    is($run->{status}, 3, 'a directory stands for all results in it');
};

subtest 'the second try counts, and both are shown' => sub {
    my $run = fleet([measured('h1', 'slow'), 'h1,,alone,2,measured,,good.html'], '--require', 'syscall>=900000');
    is($run->{status}, 0, 'a host that passes at its second try is accepted');
    like($run->{out}, qr/^h1, try 1 .*FAIL\n.*^h1, try 2 .*PASS$/ms, 'both tries are in the table');
};

subtest 'wrong lists and words are refused with exit status 2' => sub {
    my $run  = fleet([measured('h1', 'good'), 'h2,,alone,1,fine,,'], '--html', $MACHINE->place('never.html'));
    my $list = $MACHINE->place('results', 'machines.csv');
    is_deeply(
        [@$run{qw(status out err)}],
        [
            2,
            q{},
            "Run: $list is not a list of hosts: line 3: the outcome has to be measured, failed, unreachable, refused, "
                . "running or untried, not \"fine\"\n"
        ],
        'a wrong line is named'
    );
    ok(!-e $MACHINE->place('never.html'), 'no page is written');
    $run = $MACHINE->run(qw(fleet good none));
    is($run->{status}, 2, 'a result that does not exist');
    like($run->{err}, qr/\ARun: there is no file none, and no run of that name in .*\n\z/, 'is named');
    my $page = $MACHINE->place('results', 'good.html');
    $run = fleet(\@FAST, '--json', $page);
    is_deeply(
        [@$run{qw(status err)}],
        [2, "Run: option --json would overwrite $page, which is read: name another file\n"],
        'a result of the list is not overwritten'
    );
    $run = fleet(\@FAST, '--require', 'pipe>=1');
    is_deeply(
        [@$run{qw(status err)}],
        [2, qq{Run: requirement "pipe>=1": the test "pipe" is not in the result\n}],
        'a requirement that no result has'
    );
};

done_testing();
