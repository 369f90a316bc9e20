use strict;
use warnings;

use FindBin;
use JSON::PP ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases                      qw(cases);
use Fixture                    qw(failed measured rendered result run tag tagged);
use ValidPage                  qw(is_valid_page);
use UnixBench::Report::Markup  qw(element source trusted);
use UnixBench::Store::Document qw(begin_of has_data result_in);

# The page of a result. t/report/renderers.t records how each kind of block is printed.

# The page of a result holds all data for programs: UnixBench::Report::HTML.
my $BEGIN = qr/<script type="application\/json" id="unixbench-(\w+)">/;

# Returns the value of JSON.
sub decoded { my ($json) = @_; return JSON::PP->new->utf8->decode($json) }

for my $case (cases()) {
    my ($name, $result) = @{$case}{qw(name result)};
    my $page = rendered(html => $result);
    is_valid_page($name, $page);
    unlike($page, qr/of tests|\(Partial Only\)/, "$name: no text that scripts count in the report");
    my %text = map { $_->{reason} => 1 } grep { $_->{reason} } map { @{ $_->{tests} } } @{ $result->{runs} };

    for my $reason (keys %text) {
        my $escaped = source(element('i', "no measured results: $reason")) =~ s{</?i>}{}gr;
        like($page, qr/\Q$escaped\E/, "$name: the reason of a test without a result is shown");
    }
    my $json = rendered(json => $result);
    ok(has_data(\$page), "$name: the page has data");
    is(result_in(\$page), $json, "$name: the data of the page are those of the JSON file, byte for byte");
    my ($first)   = $json =~ /\A(.*\n)/;
    my ($summary) = $page =~ /\Q@{[begin_of('summary')]}\E([^<]*)/;
    is(($summary =~ /\A(.*\n)/)[0], $first, "$name: the summary is the first line of the JSON file");
    is_deeply([sort keys %{ decoded($summary) }], [qw(format formulas schema sha256 summary)], "$name: the summary");
    my @data = $page =~ m{$BEGIN(.*?)</script>}sg;
    is_deeply([@data[0, 2]], [qw(summary result)], "$name: the page has two elements of data");
    unlike(join(q{}, @data), qr/<|of tests|\(Partial Only\)/, "$name: no text ends the element or is counted");
}

subtest 'the dark scheme has other colours and the same layout' => sub {
    my ($rules) =
        rendered(html => result([])) =~ /[@]media \(prefers-color-scheme: dark\) [{]\s*:root [{](.*?)[}]\s*[}]/s;
    my @settings = split /;\s*/, $rules =~ s/\A\s+//r;
    is_deeply([grep { !/\A--[a-z]+: #[0-9a-f]{6}\z/ } @settings], [], 'the dark scheme sets only colours');
    cmp_ok(scalar @settings, '>=', 2, 'the dark scheme sets two colours or more');
    my @about = rendered(html => result([])) =~ /prefers-color-scheme/g;
    is(scalar @about, 1, 'no other rule depends on the scheme');
};

subtest 'title of the page' => sub {
    my ($one) = grep { $_->{name} eq 'one-copy' } cases();
    like(rendered(html => $one->{result}), qr{<title>UnixBench 1595, AMD EPYC, 2 CPUs</title>}, 'index and machine');
};

subtest 'what the indexes of a page are compared with' => sub {
    my %reference = (pipe => 'SPARCstation of 1995', ubgears => 'reference of release 6', hanoi => undef);
    for my $name (sort keys %reference) {
        my $page = rendered(html => result([run(1, measured($name, 1, 1e6))]));
        my @said = $page =~ /compares? this machine with (?:a|the) ([^,]+), whose index is 10/g;
        is_deeply(\@said, [grep { defined } $reference{$name}], $name);
    }
};

subtest 'markup' => sub {
    is(source(q{<&>"'}), '&lt;&amp;&gt;&quot;&#39;', 'special characters of text are escaped');
    is(source(element('b', { title => '"><x' }, '<i>')), '<b title="&quot;&gt;&lt;x">&lt;i&gt;</b>', 'text is escaped');
    is(source(element('b', element('i', 'x'), trusted('<hr>'))), '<b><i>x</i><hr></b>', 'markup is not escaped');
    is(source("a\0\xff\n"),                                      'a\x00\xff\n', 'invisible characters are shown');
};

subtest 'the data lie where they do not delay the page' => sub {
    my $page = rendered(html => result([run(1, measured('pipe', 1, 1000))]));
    like($page, qr{<title>[^<]*</title>\n$BEGIN[^<]*</script>\n<style>}, 'the summary is before the style');
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

# The page of a result: what the reader sees first. t/golden/report/html has a whole page with its charts.

sub page { return rendered(html => result(@_)) }

# Returns the text of a page, without its data, style and tags. No-break spaces become blanks.
sub texts_of {
    my ($html) = @_;
    $html        =~ s{<(style|script)\b.*?</\1>|<[^>]+>}{}sg;
    $html        =~ s/\xc2\xa0/ /g;
    return $html =~ s/\s+/ /gr;
}

subtest 'the first thing seen' => sub {
    my $official =
        texts_of(page([run(1, measured('spawn', 1, 3030, 2985, 3097.5), measured('pipe', 1, 5e6, 5.1e6, 5e6))]));
    my $above =
        qr{\A UnixBench partial index 57[.]0 .* UnixBench 8[.]0[.]0, official run, .*, vm / GNU/Linux Trust: good: };
    like($official, $above,                                                     'the title stands above the headline');
    like($official, qr/ index 57[.]0 \xc2\xb17 %, AMD EPYC, 2 CPUs UnixBench /, 'the number, and how sure it is');
    like($official, qr/ 2 CPUs AMD EPYC, Linux 6[.]18, gcc 12[.]2 -O3 .* 1 copy 2026-11-20 02:12:30 /, 'the machine');
    my $no_index = qr{ UnixBench Recursion Test -- Tower of Hanoi 50[.]00 lps, AMD EPYC, 2 CPUs .* / GNU/Linux Trust};
    like(texts_of(page([run(1, measured('hanoi', 1, 1000))])), $no_index, 'a run without an index shows its score');
};

subtest 'extreme ratios' => sub {
    my @runs = (run(1, measured('pipe', 1, 1e20)), run(2, measured('pipe', 2, 1)));
    like(page(\@runs), qr{<h2>Scaling</h2>}, 'extreme ratios give a page');
};

subtest 'problems of tests' => sub {
    my $pipe  = tagged(measured('pipe', 1, 1e6, 2e6, 1e6), { 2 => [tag('steal', 'disturbed', 0.3)] });
    my $html  = page([run(1, $pipe, failed('spawn', 'gone'), measured('execl', 1, 1000, 1001, 1000))]);
    my $texts = texts_of($html);
    my $counted =
        qr/ none\s+1 test failed; mean .* 1 test failed, 1 of 7 passes was disturbed .* 1 of 2 scores varies /s;
    like($texts, $counted, 'the headline counts failed tests, disturbed passes and noisy tests');
    unlike($html, qr{<tr>\s*<th[^>]*>Process Creation(?:(?!</tr>).)*<svg}s, 'the row of a failed test has no picture');
};

subtest 'a page does not change its result' => sub {
    my $with = sub {
        result([run(1, measured('pipe', 1, 1000))], build => {}, host => { name => 'vm', system => 'x', cpus => [] });
    };
    my $result = $with->();
    rendered(html => $result);
    is_deeply($result->{build}, {}, 'the build is unchanged after the page');
};

done_testing;
