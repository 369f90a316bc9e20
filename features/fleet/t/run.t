# The command fleet, with results that ./Run has measured, and with directories in which some files are damaged.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../accept/lib ../../accept/t/lib ../../../t/lib);
use BadResults qw(%BAD %NONE %WHY directory with_links);
use LoadedRun;
use Place   qw(text_of);
use TestRun qw(measure_into rated);
use UnixBench::Check::VerdictFile;
use UnixBench::Version;

# Disturbances by other processes do not change the verdicts.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

# Results: name => rates of syscall in three passes.
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
    return $MACHINE->write('results', 'machines.csv', join q{}, map { "$_\n" } 'host,outcome,reason,result', @_);
}

# Takes [lines of a list] and further words; returns the run of fleet.
sub fleet { my ($lines, @words) = @_; return $MACHINE->run('fleet', list_of(@$lines), @words) }

# Takes a name and the name of a result; returns the line of a list.
sub measured { my ($host, $result) = @_; return "$host,measured,,$result.html" }

my @REQUIRE = ('--require', 'syscall>=900000');
my $GONE    = 'gone,unreachable,No route to host,';
my @FAST    = (measured('h1', 'good'), measured('h2', 'also'));
my $SLOW    = measured('h3', 'slow');
my $WIDE    = measured('h4', 'wide');

subtest 'the exit status, and the first line' => sub {
    my @cases = (
        [[@FAST, $SLOW],                  [],        0, '3 hosts: 3 measured; 1 slow'],
        [[@FAST],                         \@REQUIRE, 0, '2 hosts: 2 PASS'],
        [[@FAST, $SLOW, $WIDE],           \@REQUIRE, 3, '4 hosts: 2 PASS, 1 FAIL, 1 INCONCLUSIVE'],
        [[@FAST, $WIDE],                  \@REQUIRE, 4, '3 hosts: 2 PASS, 1 INCONCLUSIVE'],
        [[@FAST, $SLOW, $WIDE, $GONE],    \@REQUIRE, 1, '5 hosts: 2 PASS, 1 FAIL, 1 INCONCLUSIVE, 1 not measured'],
        [[measured('h1', 'none')],        [],        1, '1 host: 1 not measured'],
        [[$SLOW, measured('h3', 'good')], \@REQUIRE, 0, '1 host: 1 PASS'],
    );
    for my $case (@cases) {
        my ($lines, $words, $status, $first) = @$case;
        my $run = fleet($lines, @$words);
        is_deeply([@$run{qw(status err)}], [$status, q{}], "exit status $status: $first");
        like($run->{out}, qr/\A\Q$first\E/, "the first line: $first");
    }
};

subtest 'all outputs of one call' => sub {
    my %begins = (
        html     => qr/\A<!DOCTYPE html>/,
        json     => qr/\A[{]"format":"unixbench-fleet"/,
        markdown => qr/\A## UnixBench fleet, 4 hosts: 2 PASS/
    );
    my @given = ([@FAST, $SLOW, $GONE], @REQUIRE);
    my $run   = fleet(@given, map { ("--$_", $MACHINE->place("fleet.$_")) } sort keys %begins);
    is_deeply([@$run{qw(status err out)}], [1, q{}, fleet(@given)->{out}], 'the text is printed, too');
    for my $kind (sort keys %begins) {
        my $content = $MACHINE->text("../fleet.$kind");
        like($content, $begins{$kind},                  "--$kind writes its format");
        like($content, qr/\bgone\b.*No route to host/s, "--$kind has the host that was not measured");
    }
    is(fleet(@given, '--json', q{-})->{out}, $MACHINE->text('../fleet.json'), '--json - prints the same');
};

subtest 'only a machine that was measured as too slow or broken fails' => sub {
    my @ends   = map { "$_,$_,FAIL: state=fail," } qw(untried running failed unreachable refused);
    my @list   = ([@FAST, $SLOW, $WIDE, @ends], @REQUIRE);
    my @blocks = UnixBench::Check::VerdictFile::blocks(fleet(@list, '--verdict', q{-})->{out});
    is_deeply([map { $_->{host} } grep { $_->{state} eq 'fail' } @blocks], ['h3'], 'a file of verdicts');
    my $verdict = $MACHINE->place('fleet.verdict');
    fleet([@FAST, $SLOW, $GONE], @REQUIRE, '--verdict', $verdict);
    my $run = $MACHINE->run('check', $verdict);
    is_deeply(
        [@$run{qw(status out)}],
        [
            2,
            'UNIXBENCH CRITICAL: 2 of 4 hosts pass; fail: h3 (syscall>=900000 (1 copy): below the limit); '
                . "unknown: gone (unreachable: No route to host)\n"
        ],
        'check names the hosts that do not pass, with what they have in common'
    );
};

subtest 'exports' => sub {
    my $run = fleet([$FAST[0], $GONE], '--export', 'csv:-');
    is($run->{status}, 1, 'the exit status is that of the fleet');
    like($run->{out}, qr/^h1,[^,]+,syscall,1,/m, 'a measured host has its name');
    unlike($run->{out}, qr/gone/, 'a host without a result is left out');
    my $refusal = "Run: option --export svg writes one result, not a fleet\n";
    is(fleet([@FAST], qw(--export svg:-))->{err}, $refusal, 'a picture shows one result');
};

subtest 'results instead of a list' => sub {
    my $run = $MACHINE->run('fleet', qw(good slow));
    is_deeply([@$run{qw(status err)}], [0, q{}], 'two results of a host are accepted');
    like(
        $run->{out},
        qr/\A1 host: 1 measured\n.*^Left out:\n.*: its host has a later result\n/ms,
        'the later one counts'
    );
    like($MACHINE->run('fleet', $MACHINE->place('results'))->{out},
        qr/\A1 host: /, 'a directory stands for its results');
};

subtest 'the directory of the collection' => sub {
    my $week = $MACHINE->place('week');
    mkdir $_ or die "$_: $!\n" for $week, "$week/hosts";
    link $MACHINE->place('results', "$_.html"), "$week/hosts/$_.html" for qw(good slow);
    $MACHINE->write('week', 'machines.csv', "host,outcome,reason,result\na,measured,,hosts/good.html\nb,untried,,\n");
    my $run = $MACHINE->run('fleet', $week);
    is($run->{err}, "Run: $week: the list machines.csv in it is read\n", 'has its list');
    like($run->{out}, qr/\A2 hosts: 1 measured, 1 not measured\n/, 'with the names of all hosts');
};

subtest 'wrong lists and words are refused with exit status 2' => sub {
    my $page = $MACHINE->place('results', 'good.html');
    my $list = list_of();
    my %said = (
        'a wrong line' => [
            qr/\Q$list\E is not a list of hosts: line 4: the outcome has to be .* or untried, not "fine"/,
            fleet([@FAST, 'h2,fine,,'])
        ],
        'a result that does not exist' =>
            [qr/there is no file none, and no run of that name in .*/, $MACHINE->run(qw(fleet good none))],
        'a result would be overwritten' =>
            [qr/option --json would overwrite \Q$page\E, which is read: .*/, fleet(\@FAST, '--json', $page)],
    );
    for my $what (sort keys %said) {
        my ($why, $run) = @{ $said{$what} };
        is_deeply([@$run{qw(status out)}], [2, q{}], "$what: exit status 2");
        like($run->{err}, qr/\ARun: $why\n\z/, "$what: why");
    }
};

# build/reference writes it there.
my ($version) = text_of("$FindBin::Bin/../ansible/galaxy.yml") =~ /^version: (.*)$/m;
is($version, $UnixBench::Version::VERSION, 'the collection has the version of UnixBench');

# Directories of results in which some files are torn, changed, or not plain files: each is a failed host.

my $TEST = TestRun->new;
my $HERE = $TEST->place('results');

subtest 'a directory' => sub {
    directory($TEST, 3, %BAD, %NONE);
    with_links($TEST);
    my $run = $TEST->run('fleet', $HERE, '--require', 'pipe>=1');
    is_deeply([@$run{qw(status err)}], [1, q{}], 'exit status 1');
    my $first_line = qr/\A13 hosts: 3 PASS, 10 not measured\b/;
    like($run->{out}, $first_line, 'bad files are failed hosts, and the others are judged');
    for my $name (sort keys %WHY) {
        like($run->{out} =~ s/\n +/ /gr, qr{^\Q$HERE/$name\E +failed .*$WHY{$name}}m, "$name has its reason");
    }
    my ($left_out) = $run->{out} =~ /^Left out:\n((?:   .*\n)+)/m;
    is_deeply([sort map { m{/([^/]+) is not a result: } } split /\n/, $left_out // q{}], [sort keys %NONE], 'others');
};

# In directories of different weeks, only another run of a host is another result.
subtest 'a directory twice' => sub {
    my $run = $TEST->run('fleet', ($HERE) x 2, "$HERE/../results", '--require', 'pipe>=1');
    like($run->{out}, qr/\A13 hosts: 3 PASS, /, 'each run counts once');
};

done_testing;
