# The results of ./Run --under: files, notes, reports, comparisons.

use strict;
use warnings;

use FindBin;
use Test::More;
use Time::HiRes ();

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib);
use Anonymous                      qw(left_of nobody_is_named);
use InTurns                        qw(place result_of wrapper);
use LoadedRun;
use UnixBench::Base::JSON;

# Disturbances by other processes do not change the results.
local $ENV{PERL5OPT} = "-I$FindBin::Bin/../../../t/lib -MPlayedLoad";

my $TITLE = 'System Call Overhead';

# A run in which B has nine tenths of the speed of A, and C twice its speed.
my $TEST  = place(sway => 0.001, env => { UB_OUTPUT_CSV => 'true' });
my @UNDER = map { ('--under', "env UB_COUNT=$_") } 900_000, 2_000_000;
$TEST->{env}{UB_COUNT} = 1_000_000;
$TEST->{cwd} = $TEST->place('results');
my $RUN  = $TEST->run(@UNDER, qw(-q -c 1 --max-time 0.1 syscall context1));
my $TEXT = $TEST->text('turns');

is_deeply([@$RUN{qw(status err)}], [0, q{}], 'the run succeeds') or diag $RUN->{said};

# Takes the rows of a comparison or of the experiment, and a letter or nothing; returns { title => [ratio, verdict] }.
sub known {
    my ($letter, @rows) = @_;
    my %known;
    for my $row (@rows) {
        my ($of) = grep { !$letter || $_->{letter} eq $letter } $letter ? @{ $row->{others} } : $row;
        $known{ $row->{title} } = [@$of{qw(ratio verdict)}];
    }
    return \%known;
}

subtest 'files' => sub {
    my $files = [qw(turns turns-b.html turns-b.log turns-c.html turns-c.log turns.csv turns.html turns.log)];
    is_deeply([sort $TEST->reports], $files, 'the plain machine has all files, the others a page and a log');
    my %at = map { $_ => (Time::HiRes::stat($TEST->place('results', $_)))[9] } grep { !/[.]log\z/ } $TEST->reports;
    is_deeply([grep { $at{$_} > $at{turns} } sort keys %at], [], 'no other report is newer than the text report');
    my %count = map { $_ => scalar(() = $TEST->text("turns$_.log") =~ /^#### Pass /mg) } q{}, '-b', '-c';
    is_deeply(\%count,       { map { $_ => $count{q{}} } q{}, '-b', '-c' }, 'each log has the passes of its state');
    is_deeply([$TEST->left], [],                                            'no scratch file is left');
};

subtest 'reports' => sub {
    my ($printed) = $RUN->{out} =~ /\A={72}\n(.*)\z/s;
    my ($report)  = $printed    =~ /\A(.*?\n\n)A: the plain machine\n/s;
    is($report, $TEXT, 'the text report of the plain machine is printed first');
    unlike($TEXT, qr/under env|ratio/, 'it is a classic report, without states');
    like($TEXT, qr/^\Q$TITLE\E +(?:1000|999)\d{3}[.]\d lps   [(][\d.]+ s, \d+ samples[)]\n/m, 'scores') or diag $TEXT;
    like($RUN->{out}, qr/^B: under env UB_COUNT=900000\nC: under env UB_COUNT=2000000\n/m,    'the states follow');
    like($RUN->{out}, qr/^1 copy +State +A +Ratio +95 % interval +Overhead +Verdict\n/m,      'then their table');
    my $ratios = qr/^\Q$TITLE\E +B +\S+(?: M)? +0[.](?:899|900|901) .*slower\n.* C +\S+(?: M)? +(?:2[.]00|1[.]99)/m;
    like($RUN->{out}, $ratios, 'it has their ratios');
    my $other = $TEST->run(qw(report turns-b));
    is_deeply([@$other{qw(status err)}], [0, q{}], 'report prints the result of a state');
    like($other->{out}, qr/^   Note: every copy ran under env UB_COUNT=900000$/m, 'its note has the command');
    like($other->{out}, qr/^\Q$TITLE\E +(?:89|90)\d{4}[.]\d lps/m,                'it has the scores of that state');
    unlike($other->{out}, qr/^B: under/m, 'the table is in the report of the plain machine only');
    is_deeply([grep { /\Aturns-b/ } $TEST->reports], [qw(turns-b.html turns-b.log)], 'it writes no other file');
    my $again = $TEST->run(qw(report turns));
    is($again->{out}, $printed, 'report of the plain machine prints all again');
};

subtest 'data' => sub {
    my $json   = UnixBench::Base::JSON::decode($TEST->run(qw(report turns --json -))->{out});
    my $states = ['A the plain machine', 'B under env UB_COUNT=900000', 'C under env UB_COUNT=2000000'];
    is_deeply([map { "$_->{letter} $_->{name}" } @{ $json->{experiment}{groups} }], $states, 'JSON has the states');
    my ($table) = @{ $json->{experiment}{tables} };
    is($table->{rounds} % 6, 0, 'and the number of rounds, in complete sets of orders');
    my %turns = map { $_ => result_of($TEST, $_)->{procedure}{turns} } qw(A B C);
    is_deeply([map { $turns{$_}{state} } qw(A B C)], [0, 1, 2], 'each result knows its state');
    is(result_of($TEST, 'B')->{experiment}, undef, 'only that of the plain machine has the ratios');
    my ($row) = grep { ($_->{title} // q{}) eq $TITLE } @{ $table->{rows} };
    my $overhead_s = 1 / $row->{first}{value} * (1 / $row->{others}[0]{ratio}{value} - 1);
    cmp_ok(abs($row->{others}[0]{overhead_s} - $overhead_s), '<', 1e-12, 'a test of loops has its overhead');
};

subtest 'comparisons use pairs' => sub {
    my ($table) = @{ result_of($TEST, 'A')->{experiment}{tables} };
    for my $letter (qw(B C)) {
        my $run    = $TEST->run('compare', 'turns', 'turns-' . lc $letter, qw(--json -));
        my ($pair) = @{ UnixBench::Base::JSON::decode($run->{out})->{pairs} };
        my $known  = known(undef, @{ $pair->{tests} }, @{ $pair->{indexes} });
        is($run->{status}, $letter eq 'B' ? 3 : 0, "$letter: the exit status is that of the ratio");
        is_deeply($known, known($letter, @{ $table->{rows} }), "$letter: ratios and verdicts are those of the run");
        is(scalar keys %$known, 3, "$letter: of two tests and an index");
    }
    like($TEST->run(qw(compare turns turns-b))->{out}, qr/^The states were measured in turns/m, 'a comparison');
};

subtest '--no-identity' => sub {
    my $test = place(env => { UB_OUTPUT_FILE_NAME => q{} });
    my $name = 'zaphod';
    my $wrap = wrapper($test, 'wrap', 'shift; exec "$@"');
    local @$test{env} = { %{ $test->{env} }, USER => $name, LOGNAME => $name };
    delete $test->{env}{UB_OUTPUT_FILE_NAME};
    my @files = map { ("--$_", $test->place("a.$_")) } qw(json html markdown);
    my $run   = $test->run('--under', "$wrap $name", qw(-q -c 1 --max-time 0.1 --no-identity syscall), @files);
    is_deeply([@$run{qw(status err)}], [0, q{}], 'the run succeeds') or diag $run->{said};
    nobody_is_named($test, left_of($test, $run, qw(a.json a.html a.markdown)));
    like($run->{out}, qr{^B: under [.]{3}$}m, 'a command has no words that may be names');
};

done_testing();
