# The blocks of all reports, as recorded texts. How blocks are printed is recorded for each format. To record the blocks
# again: UB_RECORD=1 prove -Ilib t/report/blocks.t, then read the difference.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use BlockDump   qw(dumped);
use Cases       qw(cases);
use Comparisons qw(comparisons);
use Golden      qw(is_golden no_golden_left_over);
use UnixBench::Report::Comparison;
use UnixBench::Report::Topics;
use UnixBench::Report::View;

# One case of each kind; other tests have the words and numbers of the others. html.t records a page of several copies.
my %IS_RECORDED = map { $_ => 1 } qw(disturbed quick);

for my $case (grep { $IS_RECORDED{ $_->{name} } } cases()) {
    my $view = UnixBench::Report::View->new(result => $case->{result});
    is_golden("$case->{name}.txt", dumped(UnixBench::Report::Topics::report_of($view)));
}

my %comparison = comparisons();
is_golden("comparison-$_.txt", dumped(UnixBench::Report::Comparison::report_of($comparison{$_}))) for qw(mixed sets);

no_golden_left_over();

done_testing();
