# The page of a result. t/report/renderers.t records how each kind of block is printed.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases                     qw(cases);
use Fixture                   qw(measured result run);
use ValidPage                 qw(is_valid_page);
use Rendered                  qw(rendered);
use UnixBench::Report::Markup qw(element source trusted);

for my $case (cases()) {
    my ($name, $result) = @{$case}{qw(name result)};
    my $html = rendered(html => $result);
    is_valid_page($name, $html);
    unlike($html, qr/of tests|\(Partial Only\)/, "$name: no text that scripts count in the report");
    my %text = map { $_->{reason} => 1 } grep { $_->{reason} } map { @{ $_->{tests} } } @{ $result->{runs} };

    for my $reason (keys %text) {
        my $escaped = source(element('i', "no measured results: $reason")) =~ s{</?i>}{}gr;
        like($html, qr/\Q$escaped\E/, "$name: the reason of a test without a result is shown");
    }
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
    like(
        rendered(html => $one->{result}),
        qr{<title>UnixBench 1595, AMD EPYC, 2 CPUs</title>},
        'the title has the index and the machine'
    );
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
    is(
        source(element('b', { title => '"><x' }, '<i>')),
        '<b title="&quot;&gt;&lt;x">&lt;i&gt;</b>',
        'text is escaped in attributes and elements'
    );
    is(source(element('b', element('i', 'x'), trusted('<hr>'))), '<b><i>x</i><hr></b>', 'markup is not escaped');
    is(source("a\0\xff\n"),                                      'a\x00\xff\n', 'invisible characters are shown');
};

done_testing();
