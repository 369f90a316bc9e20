# The page of a result: what the reader sees first. t/golden/report/html has a whole page with its charts.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Fixture  qw(failed measured result run tag tagged);
use Rendered qw(rendered);

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

subtest 'all passes disturbed' => sub {
    my $pipe = tagged(measured('pipe', 1, 1e6, 1e6), { map { $_ => [tag('throttled', 'disturbed', 1)] } 1, 2 });
    like(texts_of(page([run(1, $pipe)])), qr/Trust: poor: .*2 of 2 passes were disturbed /, 'the headline has it');
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
    my ($pipe_row, $execl_row) = map { $html =~ m{(<tr>\s*<th[^>]*>$_.*?</tr>)}s } 'Pipe Throughput',
        'Execl Throughput';
    like($pipe_row, qr/%, noisy</, 'the variation of a noisy test is marked');
    unlike($execl_row, qr/noisy/, 'that of others is not');
    my @disturbed = map { /disturbed/ ? 1 : 0 } $pipe_row =~ /<circle class="(pass[^"]*)"/g;
    is_deeply(\@disturbed, [0, 1, 0], 'the dot of a disturbed pass looks different');
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
