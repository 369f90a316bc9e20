# A topic is written once, in one file, and appears in all reports of a result.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib/topics", "$FindBin::Bin/../lib";
use Fixture       qw(measured rendered result run);
use ValidMarkdown qw(are_valid_markdown);
use ValidPage     qw(is_valid_page);
use UnixBench::Features;

# A feature declares the topic: of_run at the end, and of_result before the others.
BEGIN {
    no warnings 'redefine';
    my $list    = \&UnixBench::Features::list;
    my $weather = { topic => 'Report::Topic::Weather', of_run => 99, of_result => 1 };
    *UnixBench::Features::list = sub { return ($list->(@_), $_[0] eq 'topics' ? $weather : ()) };
}

my $topic  = "$FindBin::Bin/../lib/topics/UnixBench/Report/Topic/Weather.pm";
my $result = result([map { run($_, measured('pipe', $_, 1000, 1010, 1005)) } 1, 2]);
my %text   = map { $_ => rendered($_, $result) } qw(details html);
$text{markdown} = rendered('markdown details' => $result);

open my $file, '<', $topic or die "$topic: $!\n";
cmp_ok(scalar(() = readline $file), '<=', 40, 'a topic with a table and a chart has at most 40 lines');

subtest 'the topic in the details' => sub {
    is(scalar(() = $text{details} =~ /^Weather: degrees\nWhen +Degrees\nHour 1 +11\nHour 2 +12\n\n/mg),
        2, 'the details show the chart as a table in each run');
    my $in_place = qr/^1 copy .*^Weather: degrees.*^2 copies .*^Weather: degrees.*^Index and speed-up/ms;
    like($text{details}, $in_place, 'the details show the chart in its place');
    my $as_table = qr/^It was mild[.]\n\nWeather: water\nWhat +Much +Unit\nRain +0[.]3 +mm\nSnow\n   there was none\n/m;
    like($text{details}, $as_table, 'the details show the table');
};

subtest 'the topic in Markdown' => sub {
    is(
        scalar(
            () =
                $text{markdown} =~
                /^[*]{2}Weather: degrees[*]{2}\n\n[|] When [|] Degrees [|]\n[^\n]*\n[|] Hour 1 [|] 11 [|]\n/mg
        ),
        2,
        'Markdown shows the chart as a table in each run'
    );
    my $as_section =
        qr/^### The weather\n\nIt was mild[.]\n\n[*]{2}Weather: water[*]{2}\n\n[|] What [|] Much [|] Unit [|]/m;
    like($text{markdown}, $as_section,                                      'Markdown shows the section');
    like($text{markdown}, qr/^[|] Snow [|] +[|] +[|] there was none [|]$/m, 'the reason of a missing value');
    are_valid_markdown(weather => $text{markdown});
};

subtest 'the topic on the page' => sub {
    is(scalar(() = $text{html} =~ m{<table class="chart">\n<caption>Weather: degrees</caption>}g),
        2, 'the page draws the chart in each run');
    like($text{html}, qr{<svg aria-label="11 degrees" height="26" role="img">}, 'pictures on the page have words');
    like($text{html}, qr{<h2>The weather</h2>\n<p>It was mild[.]</p>},          'the page shows the section');
    like($text{html}, qr{<th scope="row">Snow</th>\n<td class="missing" colspan="2">there was none</td>}, 'a reason');
    is_valid_page(weather => $text{html});
};

done_testing();
