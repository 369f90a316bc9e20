use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Alive qw(eventually);
use FreshMachine;
use LoadedRun;
use Place   qw(place text_of write_file);
use TestRun qw(give_rates measure_into rated waited);

# Disturbances by other processes do not change the verdicts.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

my @USUAL = qw(-q -c 1 -i 9 syscall);
my @RATES = (990, 1000, 1010);
my $GOOD  = 'syscall>=900';

# Tests the exit status of a run, with --bisect and these requirements.
sub has_status {
    my ($run, $status, $name) = @_;
    return is_deeply([@$run{qw(status signal)}], [$status, 0], "$name: exit status $status") || diag $run->{said};
}

# Takes a requirement, other words, and arguments of TestRun; returns the ended run.
sub bisected {
    my ($requirement, $words, %with) = @_;
    my $test = rated({ syscall => [(@RATES) x 3] }, %with);
    return $test->run(@USUAL, '--bisect', '--require', $requirement, @$words);
}

subtest 'good, bad and skip' => sub {
    my $good = bisected($GOOD, []);
    has_status($good,                                                 0,   'a requirement that is met');
    has_status(bisected('syscall>=1100', []),                         1,   'one that is not met');
    has_status(bisected('syscall>=990', []),                          125, 'one that the usual interval would meet');
    has_status(bisected($GOOD, ['pipe'], programs => { pipe => $_ }), 125, "a test that fails: $_")
        for qw(exit3 segfault);
    is($good->{out}, q{},                                                  'with -q, only the verdict is printed');
    is($good->{err}, "Run: PASS $GOOD (1 copy): 1000.0, at least 985.5\n", 'with the end of its interval');
};

subtest 'what is the same for every commit' => sub {
    my $none = place();
    has_status(bisected($GOOD, ['-i', 1]),                                128, 'a single pass');
    has_status(bisected($GOOD, ['sycall']),                               128, 'a misspelt test');
    has_status(bisected("$GOOD*$none/a", []),                             128, 'a reference that does not exist');
    has_status(bisected('index>=1', []),                                  128, 'an index that is not measured');
    has_status(bisected($GOOD, ['--json', "$none/a/b"]),                  128, 'a file that can not be written');
    has_status(bisected($GOOD, [], env => { UB_TIME_FACTOR => 'x' }),     128, 'a wrong variable');
    has_status(bisected($GOOD, ['pipe'], programs => { pipe => undef }),  128, 'a program that is missing');
    has_status(bisected($GOOD, ['2d-rects'], env => { PATH => "$none" }), 128, 'a tool that is missing');
    has_status(bisected($GOOD, [], env => { PERL5OPT => "-I$FindBin::Bin/../../../t/lib -MPlanted=internal-error" }),
        128, 'an internal error');
    has_status(TestRun->new->run(qw(compare a b --bisect)), 128, 'a command that has no such option');
    my $fresh = FreshMachine->new(programs => ['cc', 'make'], things => ['perl']);
    has_status($fresh->run(@USUAL, '--bisect', '--require', $GOOD), 128, 'programs that can not be built');
    my $test = TestRun->new(programs => { syscall => 'exit 127' });
    has_status($test->run(qw(-q --quick --max-time 1 -c 1 --bisect --require syscall>=1 syscall)),
        128, 'a copy that can not run its program');
};

subtest 'Perl ends before there is a verdict' => sub {
    for my $kb (20_000, 40_000) {
        my $test = rated({ syscall => [(@RATES) x 3] }, env => { PERL5OPT => q{} });
        my @run  = ($^X, "$TestRun::HOME/Run", @USUAL, '--bisect', '--require', $GOOD);
        my $run  = waited($test->started_by('/bin/sh', '-c', 'ulimit -v "$0" && exec "$@"', $kb, @run));

        # A small Perl has enough memory for a pass. The fake program, which takes no time, is refused then.
        next if $run->{said} =~ /^Run: .*: its clock is wrong: .*^Run: INCONCLUSIVE /ms;
        ok($run->{signal} || $run->{status} == 0 || $run->{status} > 127, "$kb KB: neither") || diag $run->{said};
    }
};

subtest 'a suite that is damaged' => sub {
    my $test = TestRun->new(env => { PERL5OPT => q{}, PERL5LIB => q{} });
    $test->{program} = write_file($test->place('Run'), text_of("$TestRun::HOME/Run"));
    has_status($test->run(@USUAL, '--bisect', '--require', $GOOD), 128, 'modules that are missing');
};

subtest 'a run that is interrupted' => sub {
    my $test = rated({ syscall => [@RATES, @RATES[0, 1]] });
    my $run  = $test->started(@USUAL, '--bisect', '--require', $GOOD);
    eventually(sub { $test->report('.journal') =~ /(?:"pass".*){5}/s });
    kill TERM => $run->{pid};
    is(waited($run)->{signal}, 15, 'it dies of the signal');
    my ($name) = map { s/[.]journal\z//r } grep { /journal/ } $test->reports;
    give_rates($test, syscall => [(@RATES) x 2]);
    has_status($test->run('-q', '--resume', $name), 0, 'it is resumed for the same bisection');
};

done_testing;
