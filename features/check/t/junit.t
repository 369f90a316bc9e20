# The JUnit XML of verdicts. Servers accept what the schema of Jenkins' xUnit plugin allows, and so is the recorded
# document. To record it again: UB_RECORD=1 prove -Ilib features/check/t/junit.t

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../accept/t/lib ../../../t/lib);
use Fixture                        qw(failed host interrupted measured run skipped steady_result);
use Golden                         qw(is_golden no_golden_left_over);
use Outcomes                       qw(hostile_text);
use Rendered                       qw(rendered);
use UnixBench::Check::JUnit;
use UnixBench::Report::View;
use Verdicts qw(judged judged_together);

subtest 'every verdict' => sub {
    my @runs = (
        run(
            1,
            measured('pipe', 1, 990, 1010),
            failed('syscall', 'killed by SIGSEGV (pass 2, copy 1)', 24_657_547),
            interrupted('spawn', hostile_text(), 9),
        ),
        run(4, skipped('2d-rects', 'skipped: graphics tests run as one copy')),
    );
    my $result = steady_result(\@runs, host => host(name => hostile_text()), utc_offset_s => -12_600);
    my $xml    = rendered(
        junit => $result,
        judged($result, [1, 8], 'pipe>=97' => undef, '1:pipe>=103' => undef, '1:syscall>=1' => undef)
    );
    is_golden('verdicts.junit.xml', $xml);
    unlike($xml, qr/[\x00-\x09\x0b-\x1f\x7f]/, 'there are no control characters');
};

subtest 'the trust of the whole result' => sub {
    my $result = steady_result([run(1, measured('pipe', 1, 1000, 1010, 990))]);
    my $xml    = rendered(junit => $result, judged($result, [1], 'trust>=good' => undef));
    like(
        $xml,
        qr/<testsuite [^>]*name="The whole result"[^>]*>\n<testcase classname="UnixBench.result" name="trust&gt;=good"/,
        'has a suite of its own'
    );
};

subtest 'several results that are judged together' => sub {
    my @results = map { steady_result([run(1, measured('pipe', 1, 1, 1))]) } 1 .. 3;
    my @views   = map { UnixBench::Report::View->new(result => $_) } @results;
    my $xml     = UnixBench::Check::JUnit::render(\@views, judged_together(\@results, [1], 'pipe>=1' => undef));
    my $copy    = '1 parallel copy';
    my $names   = ["A1: $copy", "A2: $copy", "A3: $copy", '3 runs together'];
    is_deeply([$xml =~ /<testsuite [^>]*name="([^"]*)" (?:skipped="0" )?tests="1"/g],
        $names, 'each run has a suite, and all');
    my %seen = map { $_ => 1 } $xml =~ /<testcase (classname="[^"]*" name="[^"]*")/g;
    is(keys %seen, 4, 'no two cases have the same class and name');
};

no_golden_left_over();
done_testing;
