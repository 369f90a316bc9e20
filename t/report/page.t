# The page of a result holds all data for programs: UnixBench::Report::HTML.

use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases    qw(cases);
use Fixture  qw(measured result run);
use Rendered qw(rendered);
use UnixBench::Report::HTML;
use UnixBench::Report::JSON;
use UnixBench::Report::View;
use UnixBench::Store::Document qw(begin_of has_data result_in);

my $BEGIN = qr/<script type="application\/json" id="unixbench-(\w+)">/;

# Returns the value of JSON.
sub decoded { my ($json) = @_; return JSON::PP->new->utf8->decode($json) }

for my $case (cases()) {
    my ($name, $result) = @$case{qw(name result)};
    my $page = rendered(html => $result);
    my $json = rendered(json => $result);
    ok(has_data(\$page), "$name: the page has data");
    is(result_in(\$page), $json, "$name: the data of the page are those of the JSON file, byte for byte");
    my ($first)   = $json =~ /\A(.*\n)/;
    my ($summary) = $page =~ /\Q@{[begin_of('summary')]}\E([^<]*)/;
    is(($summary =~ /\A(.*\n)/)[0], $first, "$name: the summary is the first line of the JSON file");
    is_deeply(
        [sort keys %{ decoded($summary) }],
        [qw(format formulas schema sha256 summary)],
        "$name: the summary is JSON of its own, with a checksum"
    );
    my @data = $page =~ m{$BEGIN(.*?)</script>}sg;
    is_deeply([@data[0, 2]], [qw(summary result)], "$name: the page has two elements of data");
    unlike(
        join(q{}, @data),
        qr/<|of tests|\(Partial Only\)/,
        "$name: no text in the data ends the element or is counted"
    );
}

subtest 'the data lie where they do not delay the page' => sub {
    my $page = rendered(html => result([run(1, measured('pipe', 1, 1000))]));
    like($page, qr{<title>[^<]*</title>\n$BEGIN[^<]*</script>\n<style>},
        'the summary is in the head, before the style');
    like($page, qr{</main>\n$BEGIN[^<]*</script>\n</body>\n</html>\n\z}, 'the result is at the end of the body');
    cmp_ok(index($page, '</script>'), '<', 8192, 'the summary is in the first kilobytes');
};

subtest 'hostile texts stay data' => sub {
    my $nasty  = qq{</script><script>alert("1")</script><!-- 12 of tests (Partial Only) \\ \\u003c &amp;};
    my $test   = { %{ measured('pipe', 1, 1000) }, title => "Pipe $nasty" };
    my $result = result([run(1, $test)], notes => [$nasty]);
    my $page   = rendered(html => $result);
    is(scalar(() = $page =~ /<script/gi),   2, 'no text opens an element');
    is(scalar(() = $page =~ m{</script}gi), 2, 'no text closes an element');
    my $read = decoded(result_in(\$page));
    is($read->{notes}[0],                 $nasty,        'a note is read back as it was');
    is($read->{runs}[0]{tests}[0]{title}, "Pipe $nasty", 'so is a title');
    is($read->{summary}{notes}[0],        $nasty,        'so is the summary');
};

done_testing;
