# The table of groups, and of the states of one run. To record it again: UB_RECORD=1 prove -Ilib t/report/groups.t

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Comparisons   qw(distributions);
use Golden        qw(is_golden no_golden_left_over);
use Rendered      qw(comparison_as);
use ValidMarkdown qw(are_valid_markdown);
use ValidPage     qw(is_valid_page);
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::Report::Block qw(document list);
use UnixBench::Report::Comparison;
use UnixBench::Report::Comparison::JSON;
use UnixBench::Report::Formats;
use UnixBench::Report::Groups qw(also_differs confounded legend sections_of);

# Takes a letter, a ratio or undef, a verdict, and an overhead in seconds or undef; returns what is known of a state.
sub state_of {
    my ($letter, $ratio, $verdict, $overhead_s, @remarks) = @_;
    my $known = $ratio && { value => $ratio, low => $ratio * 0.99, high => $ratio * 1.01 };
    return { letter => $letter, ratio => $known, verdict => $verdict, overhead_s => $overhead_s, remarks => \@remarks };
}

# The data of a run with three states, as a result has it.
my $COMMAND = 'docker run --rm -v /home/user/unixbench:/home/user/unixbench debian:13';
my %STATES  = (
    by           => undef,
    min_effect   => 0.02,
    also_differs => [],
    groups       => [
        { letter => 'A', name => 'the plain machine' },
        { letter => 'B', name => 'nice -n 19' },
        { letter => 'C', name => $COMMAND },
    ],
    tables => [
        {
            copies => 2,
            rows   => [
                {
                    kind   => 'test',
                    name   => 'pipe',
                    title  => 'Pipe Throughput',
                    unit   => 'lps',
                    first  => { value => 1_635_960.9, low => 1_600_000, high => 1_650_000 },
                    others => [state_of(B => 1, 'equal', 1.9e-9), state_of(C => 0.25, 'slower', 1.9e-6)],
                },
                {
                    kind   => 'test',
                    name   => 'spawn',
                    title  => 'Process Creation',
                    unit   => 'lps',
                    first  => { value => 8238.2, low => 8200, high => 8300 },
                    others =>
                        [state_of(B => 1.5, 'faster', -0.04), state_of(C => undef, undef, undef, 'exit status 127'),],
                },
                {
                    kind   => 'test',
                    name   => 'shell8',
                    title  => 'Shell Scripts (8 concurrent)',
                    unit   => 'lpm',
                    first  => { value => 100, low => 90, high => 110 },
                    others => [state_of(B => 1.01, 'inconclusive', 1.5), state_of(C => 0.9, 'slower', -0.0023)],
                },
                {
                    kind     => 'index',
                    name     => 'system',
                    title    => 'System Benchmarks',
                    complete => 0,
                    first    => { value => 1500, low => 1490, high => 1510 },
                    others   => [state_of(B => 1.01, 'inconclusive'), state_of(C => 0.5, 'slower')],
                },
            ],
        }
    ],
);

# Takes groups; returns their report.
sub report_of {
    my ($data) = @_;
    return document('States', list(undef, legend($data)), sections_of($data));
}

subtest 'the states of a run' => sub {
    is(UnixBench::Base::Shape::difference(\%STATES, UnixBench::Base::ResultSchema::shape('groups')), undef, 'the data');
    my %text = map { $_ => UnixBench::Report::Formats::of_blocks($_, report_of(\%STATES)) } qw(text markdown html);
    is_golden("states.$_", $text{$_}) for qw(text markdown);
    is_valid_page(states => $text{html});
    like($text{html}, qr{\+1[.]9\xc2\xa0us</td>}, 'the page has the overhead');
    my $narrow = UnixBench::Report::Formats::of_blocks(text => report_of(\%STATES), { columns => 80 });
    is_deeply([grep { length > 80 } split /\n/, $narrow], [], 'a terminal of 80 columns has room');
    like(
        $narrow,
        qr/^Pipe Throughput +C +0[.]250  0[.]247 to 0[.]253 +\+1[.]9 us  slower$/m,
        'for all but the scores of A'
    );
    is_deeply([confounded(\%STATES), also_differs(\%STATES)], [], 'nothing else differs');
};

subtest 'eight groups on a terminal' => sub {
    my $report = UnixBench::Report::Comparison::report_of(distributions(8, 3));
    my $text   = UnixBench::Report::Formats::of_blocks(text => $report, { columns => 80 });
    is_deeply([grep { length > 80 } split /\n/, $text], [], 'no line is longer than 80 columns');
    like(
        $text,
        qr/^1 copy: ratios to A, 3 runs of each group\nTest( +[B-H] [(]3[)]){7}$/m,
        'all groups are side by side'
    );
    like(
        $text,
        qr/^Pipe Throughput +0[.]930<  1[.]030>  1[.]002=  0[.]600<  1[.]210>  0[.]970<  2[.]500>$/m,
        'with ratios and marks'
    );
    like($text, qr/^1 copy: run to run, .*\nTest( +[A-H] [(]3[)]){8}$/m, 'and their spread');
    like($text, qr/^Pipe Throughput( +0[.]4 %){8}$/m,                    'in percent');
};

subtest 'more groups are rows' => sub {
    my $report = UnixBench::Report::Comparison::report_of(distributions(9, 2));
    my $text   = UnixBench::Report::Formats::of_blocks(text => $report, { columns => 80 });
    is_deeply([grep { length > 80 } split /\n/, $text], [], 'no line is longer than 80 columns');
    like($text, qr/^Pipe Throughput +A +0[.]3 %$/m, 'A has its spread');
    like($text, qr/^Pipe Throughput +I +12[.]000  [\d.]+ to [\d.]+ +0[.]3 %  faster$/m,
        'each other has its ratio, too');
    unlike($text, qr/^1 copy: run to run/m, 'without another table');
};

subtest 'other facts' => sub {
    my @values = map { { side => $_->[0], text => $_->[1] } } [A => 'gcc 12.2'], [B => undef], [C => 'gcc 12.2'];
    my %data   = (%STATES, by => 'kernel', also_differs => [{ label => 'Compiler', values => \@values }]);
    is_deeply([also_differs(\%data)], ['also differs: compiler (A, C: gcc 12.2; B: unknown)'], 'each has its groups');
    is(
        confounded(\%data),
        'Confounded: the groups also differ in compiler, so a ratio is not the effect of kernel alone.',
        'and the report says what it means'
    );
    my $comparison = distributions(3, 1);
    for my $kind (qw(text markdown html)) {
        like(comparison_as($kind => $comparison) =~ s/\n  / /gr, qr/Confounded: .*also differs: compiler /s, $kind);
    }
    my $json = UnixBench::Report::Comparison::JSON::render($comparison, outcome => 'done', left_out => []);
    like($json, qr/^"remarks":\[\n"Confounded: the groups also differ in compiler and kernel, /m, 'JSON');
};

are_valid_markdown(map { ("$_ groups" => comparison_as(markdown => distributions($_, 2))) } 2, 8, 9);

no_golden_left_over();
done_testing();
