# The report of states that were measured in turns. To record it again: UB_RECORD=1 prove -Ilib features/under/t/turns.t

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Gallery::Experiments           qw(experiment four_states two_states);
use Golden                         qw(is_golden no_golden_left_over);
use Rendered                       qw(rendered);
use ValidMarkdown                  qw(are_valid_markdown);
use ValidPage                      qw(is_valid_page);
use UnixBench::Base::JSON;
use UnixBench::Base::ResultSchema;
use UnixBench::Base::Shape;
use UnixBench::Report::EndBlock qw(block_lines);
use UnixBench::Report::Plain    qw(in_plain);
use UnixBench::Report::Title    qw(result_titles);
use UnixBench::Report::View;
use UnixBench::Store::Document;
use UnixBench::Store::ResultFile;

my %EXPERIMENT = (two => [two_states()], four => [four_states()]);

sub view { my ($result) = @_; return UnixBench::Report::View->new(result => $result) }

my $shape = UnixBench::Base::ResultSchema::shape('groups');
for my $name (sort keys %EXPERIMENT) {
    my ($plain, @others) = @{ $EXPERIMENT{$name} };
    is_golden("$name.txt", rendered(turns => $plain)) if $name eq 'four';
    my $html = rendered(html => $plain);
    is_valid_page("$name states", $html);
    my $data = eval { UnixBench::Store::ResultFile::document(\UnixBench::Store::Document::result_in(\$html)) };
    ok($data, "$name: the page has a sound result") or diag $@;
    is(UnixBench::Base::Shape::difference($plain->{experiment}, $shape), undef, "$name: the ratios have their form");
    unlike(rendered(text => $plain), qr/A: the plain machine|ratio/, "$name: the classic report has no ratios");

    for my $other (@others) {
        unlike(rendered(html => $other), qr/States measured in turns|ratios to A/, "$name: nor has another state");
    }
}

subtest 'the block and the title' => sub {
    my ($plain, $other) = @{ $EXPERIMENT{two} };
    my $block = join "\n", block_lines(view($plain), 72);
    like($block, qr/^Ratio +1 copy: 10[.]1 % slower under docker run /m, 'begins with ratios');
    like($block, qr/^ +8 copies: 10[.]1 % slower under docker run /m,    'of each number of copies');
    my %titles = result_titles(view($plain));
    my $title  = 'UnixBench, 10.1 % slower under docker run...estdir debian:13, AMD EPYC, 2 CPUs';
    is(in_plain($titles{title}), $title, 'the title has the first ratio and a part of a long command');
    unlike(join("\n", block_lines(view($other), 72)), qr/Ratio/, 'another state has none');
    my ($only) = experiment(['env'], tests => ['pipe'], factors => [0.9]);
    my $single = qr/^Ratio +1 copy: 10 % slower under env \(9[.]\d to 10 %\)$/m;
    like(join("\n", block_lines(view($only), 72)), $single, 'a single test');
    my ($wild) = experiment(['nice -n 15'], tests => ['pipe'], factors => [1.03], sway => 0.2);
    like(
        join("\n", block_lines(view($wild), 72)),
        qr/^Ratio +1 copy: \d+(?:[.]\d)? % faster under nice -n 15[?] inconclusive \(-[\d.]+\s+to\s+[+][\d.]+ %\)$/m,
        'what is inconclusive is a question'
    );
    %titles = result_titles(view($wild));
    my $vague = qr/^UnixBench, \d+(?:[.]\d)? % faster under nice -n 15[?] inconclusive, AMD/;
    like(in_plain($titles{title}), $vague, 'also in the title');
    my $page = rendered(html => $wild);
    like($page, qr{<h1>UnixBench, \d+(?:[.]\d)?\W+% faster <code>}, 'the page does not have it large');
    unlike($page, qr{<div class="value[^"]*">\s*[01][.]\d\d\d}, 'no bare ratio is large');
    my ($many) = experiment([('env') x 5], rounds => 6, tests => ['pipe']);
    like(join("\n", block_lines(view($many), 72)), qr/^ +3 more ratios$/m, 'at most three lines');
};

subtest 'the rounds that count' => sub {
    my $text = sub { my ($result) = experiment(['env'], tests => ['pipe'], @_); return rendered(turns => $result) };
    like($text->(rounds => 8), qr/^1 copy: 8 rounds count[.]$/m, 'complete sets of orders');
    like($text->(rounds => 9),
        qr/^1 copy: 8 rounds count, without 1 round of an incomplete set of orders[.]$/m, 'others');
};

are_valid_markdown(map { ($_ => rendered('markdown details' => $EXPERIMENT{$_}[0])) } sort keys %EXPERIMENT);

no_golden_left_over();
done_testing();
