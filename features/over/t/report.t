# The reports of a run with --over, with a made-up day.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib);
use Fixture                        qw(measured rendered result run);
use Golden                         qw(is_golden no_golden_left_over);
use ReadCharts                     qw(timelines);
use ValidMarkdown                  qw(are_valid_markdown);
use ValidPage                      qw(is_valid_page);
use UnixBench::Base::JSON          ();
use UnixBench::Report::EndBlock    ();
use UnixBench::Report::View        ();

use constant { START => 1_795_140_000, SLOT => 300, ROUNDS => 288, DAY => 86_400 };

# Values vary by 2 %. From round 100 to 103 they are lower by 30 %, and from round 200 on by 15 %.
sub factor_of {
    my ($round) = @_;
    return (1 + 0.02 * sin 5 * $round) * ($round >= 200 ? 0.85 : $round >= 100 && $round < 104 ? 0.7 : 1);
}

sub day {
    my @tests = map { measured($_, 1, map { int 1_000_000 * factor_of($_) } 1 .. ROUNDS) } qw(pipe syscall);
    for my $pass (map { @{ $_->{passes} } } @tests) {
        my $round = $pass->{number};
        my @steal = $round >= 100 && $round < 104 ? { cause => 'steal', level => 'disturbed', value => 0.25 } : ();
        @$pass{qw(began time_s tags)} = (START + SLOT * $round, 1, \@steal);
        $pass->{noticed} = { cpu_time => { all_s => 600 * $round, idle_s => 590 * $round, steal_s => 0.1 * $round } };
        $pass->{used}    = { user_s => 0.9, kernel_s => 0.1, minor_faults => 1, major_faults => 0, clock_mhz => 3000 };
    }
    my $result = result([{ %{ run(1, @tests) }, started => START, ended => START + DAY, rounds => ROUNDS }]);
    my %quick  = (kind => 'quick', seed => 7, over => { over_s => DAY, rounds => ROUNDS });
    $result->{procedure} = { %{ $result->{procedure} }, %quick };
    return $result;
}

my $DAY = day();

subtest 'the block at the end' => sub {
    my $view  = UnixBench::Report::View->new(result => $DAY);
    my $block = join "\n", UnixBench::Report::EndBlock::block_lines($view, 80);
    is_golden('block.txt', "$block\n");
};

subtest 'the page' => sub {
    my $page = rendered(html => $DAY);
    is_valid_page('day', $page);
    my @panels = timelines($page);
    is(scalar @panels, 3, 'it has the index, the steal and the clock');
};

subtest 'the clocks are set back' => sub {
    my %change = (at => START + SLOT * 90, utc_offset_s => 3600);
    my $set    = { %$DAY, utc_offset_s => 7200, clock_changes => [\%change] };
    my $view   = UnixBench::Report::View->new(result => $set);
    my $block  = join "\n", UnixBench::Report::EndBlock::block_lines($view, 80);
    like($block,                 qr/the level changed by -15[.]0 % at 11-20 19:40/, 'times are those of the new zone');
    like(rendered(text => $set), qr/^Benchmark Run: Fri Nov 20 2026 04:00:00 - 03:00:00$/m, 'the classic line');
};

are_valid_markdown(day => rendered(markdown => $DAY));

subtest 'the JSON' => sub {
    my $json = rendered(json => $DAY);
    my $over = UnixBench::Base::JSON::decode($json)->{runs}[0]{over};
    is($over->{changes}[0]{at}, START + SLOT * 200, 'it has the change of the level');
};

no_golden_left_over();
done_testing;
