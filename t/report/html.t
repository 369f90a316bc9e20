# To record the pages again: UB_RECORD=1 prove -Ilib -r t/report

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases                     qw(cases);
use Fixture                   qw(failed result run);
use Golden                    qw(is_golden no_golden_left_over);
use ValidPage                 qw(is_valid_page);
use Rendered                  qw(rendered unstyled);
use UnixBench::Report::Markup qw(element source trusted);

# blocks.t records what all pages consist of, and renderers.t how each kind of block is printed. A few whole pages are
# enough: scores and gain, tests without a score, a load, observed calls with texts that attack.
my @RECORDED = qw(several-copies interrupted multiuser-incidents observed-hostile);

for my $case (cases()) {
    my ($name, $result) = @{$case}{qw(name result)};
    my $html = rendered(html => $result);
    is_golden("$name.html", unstyled($html)) if grep { $_ eq $name } @RECORDED;
    is_valid_page($name, $html);
    unlike($html, qr/of tests|\(Partial Only\)/, "$name: nothing that scripts count in the report");
    my %text = map { $_->{reason} => 1 } grep { $_->{reason} } map { @{ $_->{tests} } } @{ $result->{runs} };

    for my $reason (keys %text) {
        my $escaped = source(element('i', "no measured results: $reason")) =~ s{</?i>}{}gr;
        like($html, qr/\Q$escaped\E/, "$name: reason of a test without result");
    }
}

subtest 'in the dark a page has other colours and the same layout' => sub {
    my ($rules) =
        rendered(html => result([])) =~ /[@]media \(prefers-color-scheme: dark\) [{]\s*:root [{](.*?)[}]\s*[}]/s;
    my @settings = split /;\s*/, $rules =~ s/\A\s+//r;
    is_deeply([grep { !/\A--[a-z]+: #[0-9a-f]{6}\z/ } @settings], [], 'it sets nothing but colours');
    cmp_ok(scalar @settings, '>=', 2, 'and it sets some');
    my @about = rendered(html => result([])) =~ /prefers-color-scheme/g;
    is(scalar @about, 1, 'nothing else depends on the scheme');
};

subtest 'title' => sub {
    my ($one) = grep { $_->{name} eq 'one-copy' } cases();
    like(
        rendered(html => $one->{result}),
        qr{<title>Benchmark of vm / GNU/Linux on Fri Nov 20 2026</title>},
        'host, system and date'
    );
};

subtest 'a pass that failed without a copy at fault' => sub {
    my $pass = { number => 1, copies => [], error => 'too many processes', where => 'pass 1' };
    my $html = rendered(html => result([run(1, { %{ failed('pipe', 'no') }, passes => [$pass] })]));
    like($html, qr{<td[^>]*>too many processes</td>}, 'shows why');
};

subtest 'markup' => sub {
    is(source(q{<&>"'}),                                 '&lt;&amp;&gt;&quot;&#39;',                 'text is escaped');
    is(source(element('b', { title => '"><x' }, '<i>')), '<b title="&quot;&gt;&lt;x">&lt;i&gt;</b>', 'everywhere');
    is(source(element('b', element('i', 'x'), trusted('<hr>'))), '<b><i>x</i><hr></b>', 'markup is not');
    is(source("a\0\xff\n"),                                      'a\x00\xff\n',         'nothing invisible');
};

no_golden_left_over();
done_testing();
