# The table of groups.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Comparisons   qw(distributions);
use Rendered      qw(comparison_as);
use ValidMarkdown qw(are_valid_markdown);
use UnixBench::Report::Comparison;
use UnixBench::Report::Comparison::JSON;
use UnixBench::Report::Formats;
use UnixBench::Report::Groups qw(also_differs confounded);

subtest 'several groups are rows' => sub {
    my $report = UnixBench::Report::Comparison::report_of(distributions(9, 2));
    my $text   = UnixBench::Report::Formats::of_blocks(text => $report, { columns => 80 });
    is_deeply([grep { length > 80 } split /\n/, $text], [], 'no line is longer than 80 columns');
    like($text, qr/^Pipe Throughput +I +.*12[.]000  [\d.]+ to [\d.]+  faster$/m, 'each has its ratio');
};

subtest 'other facts' => sub {
    my @values = map { { side => $_->[0], text => $_->[1] } } [A => 'gcc 12.2'], [B => undef], [C => 'gcc 12.2'];
    my %data   = (by => 'kernel', also_differs => [{ label => 'Compiler', values => \@values }]);
    is_deeply([also_differs(\%data)], ['also differs: compiler (A, C: gcc 12.2; B: unknown)'], 'each has its groups');
    like(confounded(\%data), qr/\AConfounded: .* in compiler, so a ratio is not the effect of kernel alone[.]\z/,
        'why');
    is_deeply([also_differs({ also_differs => [] }), confounded({ also_differs => [] })], [], 'nothing else differs');
    my $comparison = distributions(3, 1);
    for my $kind (qw(text markdown html)) {
        like(comparison_as($kind => $comparison) =~ s/\n  / /gr, qr/Confounded: .*also differs: compiler /s, $kind);
    }
    my $json = UnixBench::Report::Comparison::JSON::render($comparison, outcome => 'done', left_out => []);
    like($json, qr/^"remarks":\[\n"Confounded: the groups also differ in compiler and kernel, /m, 'JSON');
};

are_valid_markdown(map { ("$_ groups" => comparison_as(markdown => distributions($_, 2))) } 2, 9);

done_testing();
