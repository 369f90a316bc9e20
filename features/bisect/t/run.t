# The exit statuses of runs with --bisect.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib);
use FreshMachine;
use InTurns     ();
use LateModules qw(loads_nothing_late);
use LoadedRun   qw(eventually give_rates rated waited);
use Place       qw(place text_of write_file);

# Disturbances by other processes do not change the verdicts.
my $PLAYED = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";
local $ENV{PERL5OPT} = $PLAYED;

my @RATES  = (990, 1000, 1010);
my $GOOD   = 'syscall>=900';
my @BISECT = (qw(-q -c 1 -i 9 syscall --bisect --require), $GOOD);

# Tests the exit status of a run.
sub has_status {
    my ($run, $status, $name) = @_;
    return is_deeply([@$run{qw(status signal)}], [$status, 0], "$name: exit status $status") || diag $run->{said};
}

my $NONE = place();

#<<< [what, exit status, requirement, other words, arguments of TestRun]
my @CASES = (
    ['good, bad and skip' => [
        ['a requirement that is met',              0,   $GOOD,           []],
        ['one that is not met',                    1,   'syscall>=1100', []],
        ['one that the usual interval would meet', 125, 'syscall>=990',  []],
        ['a test that fails',      125, $GOOD, ['pipe'], programs => { pipe => 'exit3' }],
        ['a program that crashes', 125, $GOOD, ['pipe'], programs => { pipe => 'segfault' }],
    ]],
    ['what is the same for every commit' => [
        ['a single pass',                   128, $GOOD,           ['-i', 1]],
        ['a misspelt test',                 128, $GOOD,           ['sycall']],
        ['a reference that does not exist', 128, "$GOOD*$NONE/a", []],
        ['an index that is not measured',   128, 'index>=1',      []],
        ['a file that can not be written',  128, $GOOD,           ['--json', "$NONE/a/b"]],
        ['a wrong variable',                128, $GOOD,           [], env => { UB_TIME_FACTOR => 'x' }],
        ['a program that is missing',       128, $GOOD,           ['pipe'], programs => { pipe => undef }],
        ['a tool that is missing',          128, $GOOD,           ['2d-rects'], env => { PATH => "$NONE" }],
        ['an internal error',               128, $GOOD,           [],
            env => { PERL5OPT => $PLAYED =~ s/PlayedLoad/Planted=internal-error/r }],
        ['a copy that can not run its program', 128, $GOOD,       [qw(pipe)], programs => { pipe => 'exit 127' }],
    ]],
);
#>>>
my $good;
for my $group (@CASES) {
    my ($what, $cases) = @$group;
    subtest $what => sub {
        for my $case (@$cases) {
            my ($name, $status, $requirement, $words, %with) = @$case;
            my $test = rated({ syscall => [(@RATES) x 3] }, %with);
            my $run  = $test->run(@BISECT[0 .. $#BISECT - 1], $requirement, @$words);
            has_status($run, $status, $name);
            $good = $run if $status == 0;
        }
    };
}
is_deeply([@$good{qw(out err)}], [q{}, "Run: PASS $GOOD (1 copy): 1000.0, at least 985.5\n"], 'with -q, one line');
has_status(TestRun->new->run(qw(compare a b --bisect)), 128, 'a command that has no such option');
my $fresh = FreshMachine->new(programs => ['cc', 'make'], things => ['perl']);
has_status($fresh->run(@BISECT), 128, 'programs that can not be built');

subtest 'Perl ends before there is a verdict' => sub {
    for my $kb (20_000, 40_000) {
        my $test = rated({ syscall => [(@RATES) x 3] }, env => { PERL5OPT => q{} });
        my @run  = ($^X, "$TestRun::HOME/Run", @BISECT);
        my $run  = waited($test->started_by('/bin/sh', '-c', 'ulimit -v "$0" && exec "$@"', $kb, @run));

        # A small Perl has enough memory for a pass. The fake program, which takes no time, is refused then.
        next if $run->{said} =~ /^Run: .*: its clock is wrong: .*^Run: INCONCLUSIVE /ms;
        ok($run->{signal} || $run->{status} == 0 || $run->{status} > 127, "$kb KB: neither") || diag $run->{said};
    }
    my $test = TestRun->new(env => { PERL5OPT => q{}, PERL5LIB => q{} });
    $test->{program} = write_file($test->place('Run'), text_of("$TestRun::HOME/Run"));
    has_status($test->run(@BISECT), 128, 'modules that are missing');
};

subtest 'a run that is interrupted' => sub {
    my $test = rated({ syscall => [@RATES, @RATES[0, 1]] });
    my $run  = $test->started(@BISECT);
    eventually(sub { $test->report('.journal') =~ /(?:"pass".*){5}/s });
    kill TERM => $run->{pid};
    is(waited($run)->{signal}, 15, 'it dies of the signal');
    my ($name) = map { s/[.]journal\z//r } grep { /journal/ } $test->reports;
    give_rates($test, syscall => [(@RATES) x 2]);
    has_status($test->run('-q', '--resume', $name), 0, 'it is resumed for the same bisection');
};

subtest 'a bisection of a sandbox' => sub {
    my $test   = InTurns::place(sway => 0.001, env => { UB_COUNT => 1_000_000, UB_TIME_FACTOR => 0.001 });
    my $breaks = InTurns::wrapper($test, 'breaks', qq([ "\$1" = pipe ] && exit 9\nshift\nexec "\$@"));
    my @cases  = (
        ['env UB_COUNT=1000000', 0,   'good'],
        ['env UB_COUNT=900000',  1,   'bad'],
        ['false',                125, 'no test works under the command: skip'],
        ["$breaks {test}",       125, 'a test that fails under the command: skip', 'pipe'],
        ['nosuchwrapper',        128, 'a missing program: stop'],
    );
    for my $case (@cases) {
        my ($under, $status, $name, @more) = @$case;
        my @words = (qw(-q -c 1 --bisect --max-time 2 --require b/a:syscall>=0.95 syscall), @more);
        has_status($test->run(@words, '--under', $under), $status, $name);
    }
};

loads_nothing_late('a bisection', {}, qw(-q -c 1 syscall --require syscall>=1 --bisect -i 3));

done_testing;
