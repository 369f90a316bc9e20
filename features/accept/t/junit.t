# The JUnit XML of verdicts. To record the documents again: UB_RECORD=1 prove -Ilib features/accept/t/junit.t

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Fixture                        qw(measured steady_result run);
use Golden                         qw(is_golden no_golden_left_over);
use Needs                          qw(skip_without);
use InPath                         qw(path_of);
use ReadJUnit                      qw(complaints_of_schema is_valid);
use Rendered                       qw(rendered);
use Verdicts                       qw(judged judged_together verdicts);
use UnixBench::Accept::JUnit;
use UnixBench::Report::View;

for (verdicts()) {
    my ($name, $result, @cases) = @$_;
    my $xml = rendered(junit => $result, @cases);
    is_golden("$name.junit.xml", $xml);
    unlike($xml, qr/[\x00-\x09\x0b-\x1f\x7f]/, "$name: no control characters");
    is_valid($xml, $name);
}

subtest 'the schema refuses invalid documents' => sub {
    skip_without(tool => 'xmllint') if !defined path_of('xmllint');
    my $xml = rendered(junit => steady_result([run(1, measured('pipe', 1, 1))]));
    for my $wrong ([' tests="0"' => q{}], ['time="403.000"' => 'time="403.0001"'], ['>' => q{}]) {
        my ($from, $to) = @$wrong;
        isnt(complaints_of_schema($xml =~ s/$from/$to/gr),
            q{}, "the schema refuses a document with $from replaced by '$to'");
    }
};

subtest 'cases of several runs with the same names' => sub {
    my $result = steady_result([map { run($_, measured('pipe', $_, 1, 1)) } 1, 4]);
    my $xml    = rendered(junit => $result, judged($result, [1, 4], 'pipe>=1' => undef));
    my %seen;
    my @twice = grep { $seen{$_}++ } $xml =~ /<testcase (classname="[^"]*" name="[^"]*")/g;
    is(keys %seen, 4, 'there are four different cases');
    is_deeply(\@twice, [], 'no two cases have the same class and name');
};

subtest 'several results that are judged together' => sub {
    my @results = map { steady_result([run(1, measured('pipe', 1, 1, 1))]) } 1 .. 3;
    my @views   = map { UnixBench::Report::View->new(result => $_) } @results;
    my $xml     = UnixBench::Accept::JUnit::render(\@views, judged_together(\@results, [1], 'pipe>=1' => undef));
    my $copy    = '1 parallel copy';
    is_deeply(
        [$xml =~ /<testsuite [^>]*name="([^"]*)" (?:skipped="0" )?tests="1"/g],
        ["A1: $copy", "A2: $copy", "A3: $copy", '3 runs together'],
        'each run has a suite, and so have all together'
    );
    my %seen = map { $_ => 1 } $xml =~ /<testcase (classname="[^"]*" name="[^"]*")/g;
    is(keys %seen, 4, 'no two cases have the same class and name');
    like($xml, qr/<testsuites [^>]*tests="4" time="1209[.]000"/,
        'the document has all cases, and the time of all runs');
    is_valid($xml, 'their document');
};

subtest 'notes' => sub {
    my $result = steady_result([run(1, measured('pipe', 1, 1))], notes => ['Quick run: estimate', 'a < b']);
    my $xml    = rendered(junit => $result);
    my $notes  = join "\n", map { qq{<property name="note" value="$_"></property>} } 'Quick run: estimate', 'a &lt; b';
    like($xml, qr{<testsuite [^>]*>\n<properties>\n\Q$notes\E\n</properties>\n}, 'notes are properties of the suite');
    is_valid($xml, 'a document with notes');
};

subtest 'time and host' => sub {
    my $result = steady_result([run(1, measured('pipe', 1, 1))], utc_offset_s => -12_600, host => { name => undef });
    my $xml    = rendered(junit => $result);
    like($xml, qr/ timestamp="2026-11-19T22:42:30-03:30"/, 'the time is local, with its zone');
    like($xml, qr/ hostname=""/,                           'a host without a name has an empty name');

    my $run = run(1, measured('pipe', 1, 1));
    for my $set_s (-1.7e9, 20, 1.7e9) {
        my $result = steady_result([{ %$run, ended => $run->{ended} + $set_s, clock_set_s => $set_s }]);
        my @times  = rendered(junit => $result) =~ / time="(403[.0]*)"/g;
        is(scalar @times, 2, "the seconds are those of the run if the clock was set by $set_s s");
    }
};

no_golden_left_over();
done_testing();
