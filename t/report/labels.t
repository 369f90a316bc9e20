# The labels of a result in its reports.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture  qw(measured result run);
use Rendered qw(rendered);
use UnixBench::Base::JSON;
use UnixBench::Report::Comparison::Wording qw(side_facts);
use UnixBench::Store::ClassicReport;
use UnixBench::Store::Summary;

# A value that some readers of text reports would take for an index, one with words that they search for, and markup.
my %LABELS = (distribution => 'debian <13>, "trixie"', step => 1.5, words => 'lps Index Score 9.5');

# Takes labels or undef; returns a result.
sub labelled { return result([run(1, measured('pipe', 1, 1000, 1010, 990))], labels => $_[0]) }

subtest 'the text report has a line' => sub {
    my $text = rendered(text => labelled(\%LABELS));
    my ($line) = $text =~ /^   (Labels: .*)$/m;
    is(
        $line,
        'Labels: distribution="debian <13>, "trixie"", step="1.5", words="lp\x73 Index Scor\x65 9.5"',
        'its words are harmless, and it does not end in a number'
    );
    my ($read, $plain) =
        map { UnixBench::Store::ClassicReport::summary($_) } $text, rendered(text => labelled(undef));
    is_deeply($read, $plain, 'a reader of text reports finds the same without it');
    unlike(rendered($_ => labelled(undef)), qr/Label/, "without labels: no such line in $_") for qw(text markdown);
};

subtest 'the page, Markdown and JSON' => sub {
    my $page = rendered(html => labelled(\%LABELS));
    like(
        $page,
        qr{<span class="label">Labels</span> distribution=debian &lt;13&gt;, .*, step=1[.]5, words=},
        'the facts at the top of the page'
    );
    like(rendered(markdown => labelled(\%LABELS)),
        qr/^Labels     distribution=debian <13>, "trixie"   step=1[.]5$/m, 'Markdown');
    my $json = UnixBench::Base::JSON::decode(rendered(json => labelled(\%LABELS)));
    is_deeply($json->{labels},          \%LABELS, 'JSON');
    is_deeply($json->{summary}{labels}, \%LABELS, 'its summary, for comparisons');
};

subtest 'a comparison names them' => sub {
    my $side = { label => 'a', summary => UnixBench::Store::Summary::of(labelled({ b => 2, a => 1 })) };
    like(side_facts($side), qr/, official procedure, a=1, b=2\z/, 'with the facts about a side');
};

done_testing();
