# States that were measured in turns: the report, and the results of ./Run --under: files, notes, comparisons.

use strict;
use warnings;

use FindBin;
use Test::More;
use Time::HiRes ();

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Anonymous                      qw(left_of nobody_is_named);
use Gallery::Experiments           qw(experiment four_states two_states);
use Golden                         qw(is_golden no_golden_left_over);
use InTurns                        qw(place result_of wrapper);
use LoadedRun;
use Fixture       qw(rendered);
use ValidMarkdown qw(are_valid_markdown);
use ValidPage     qw(is_valid_page);
use UnixBench::Base::JSON;
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::Report::EndBlock qw(block_lines);
use UnixBench::Report::Plain    qw(in_plain);
use UnixBench::Report::Title    qw(result_titles);
use UnixBench::Report::View;
use UnixBench::Store::Document;
use UnixBench::Store::ResultFile;

my %EXPERIMENT = (two => [two_states()], four => [four_states()]);

sub view { my ($result) = @_; return UnixBench::Report::View->new(result => $result) }

my $shape = UnixBench::Base::ResultSchema::shape('groups');
for my $name (sort keys %EXPERIMENT) {
    my ($plain, @others) = @{ $EXPERIMENT{$name} };
    is_golden("$name.txt", rendered(turns => $plain)) if $name eq 'four';
    my $html = rendered(html => $plain);
    is_valid_page("$name states", $html);
    my $data = eval { UnixBench::Store::ResultFile::document(\UnixBench::Store::Document::result_in(\$html)) };
    ok($data, "$name: the page has a sound result") or diag $@;
    is(UnixBench::Base::Shape::difference($plain->{experiment}, $shape), undef, "$name: the ratios have their form");
    unlike(rendered(text => $plain), qr/A: the plain machine|ratio/, "$name: the classic report has no ratios");

    for my $other (@others) {
        unlike(rendered(html => $other), qr/States measured in turns|ratios to A/, "$name: nor has another state");
    }
}

subtest 'the block and the title' => sub {
    my ($plain, $other) = @{ $EXPERIMENT{two} };
    my $block = join "\n", block_lines(view($plain), 72);
    like($block, qr/^Ratio +1 copy: 10[.]1 % slower under docker run /m, 'begins with ratios');
    like($block, qr/^ +8 copies: 10[.]1 % slower under docker run /m,    'of each number of copies');
    my %titles = result_titles(view($plain));
    my $title  = 'UnixBench, 10.1 % slower under docker run...estdir debian:13, AMD EPYC, 2 CPUs; '
        . 'slower: syscall, pipe, spawn, execl, context1';
    is(in_plain($titles{title}), $title, 'the title has the first ratio and a part of a long command');
    unlike(join("\n", block_lines(view($other), 72)), qr/Ratio/, 'another state has none');
    my ($only) = experiment(['env'], tests => ['pipe'], factors => [0.9]);
    my $single = qr/^Ratio +1 copy: 10 % slower under env \(9[.]\d to 10 %\); slower: pipe$/m;
    like(join("\n", block_lines(view($only), 72)), $single, 'a single test');
    my ($wild) = experiment(['nice -n 15'], tests => ['pipe'], factors => [1.03], sway => 0.2);
    like(
        join("\n", block_lines(view($wild), 72)),
        qr/^Ratio +1 copy: \d+(?:[.]\d)? % faster under nice -n 15[?] inconclusive \(-[\d.]+\s+to\s+[+][\d.]+ %\)$/m,
        'what is inconclusive is a question'
    );
    %titles = result_titles(view($wild));
    my $vague = qr/^UnixBench, \d+(?:[.]\d)? % faster under nice -n 15[?] inconclusive, AMD/;
    like(in_plain($titles{title}), $vague, 'also in the title');
    my $page = rendered(html => $wild);
    like($page, qr{<h1>UnixBench, \d+(?:[.]\d)?\W+% faster <code>}, 'the page does not have it large');
    unlike($page, qr{<div class="value[^"]*">\s*[01][.]\d\d\d}, 'no bare ratio is large');
    my ($many) = experiment([('env') x 5], rounds => 6, tests => ['pipe']);
    like(join("\n", block_lines(view($many), 72)), qr/^ +3 more ratios$/m, 'at most three lines');
};

subtest 'the rounds that count' => sub {
    my $text = sub { my ($result) = experiment(['env'], tests => ['pipe'], @_); return rendered(turns => $result) };
    like($text->(rounds => 8), qr/^1 copy: 8 rounds count[.]$/m, 'complete sets of orders');
    like($text->(rounds => 9),
        qr/^1 copy: 8 rounds count, without 1 round of an incomplete set of orders[.]$/m, 'others');
};

are_valid_markdown(map { ($_ => rendered('markdown details' => $EXPERIMENT{$_}[0])) } sort keys %EXPERIMENT);

# Runs.

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

no_golden_left_over();
done_testing();
