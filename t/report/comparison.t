# The reports of a comparison. To record them again: UB_RECORD=1 prove -Ilib -r t/report

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Comparisons   qw(compared comparisons distributions found);
use Golden        qw(is_golden no_golden_left_over);
use Machines      qw(classic side spread_rates);
use Rendered      qw(comparison_as);
use ValidMarkdown qw(are_valid_markdown);
use ValidPage     qw(is_valid_page);
use UnixBench::Report::Comparison;
use UnixBench::Report::Comparison::JSON;
use UnixBench::Report::Comparison::Wording qw(fact_text heading_of rows_of short_names);
use UnixBench::Report::Formats;
use UnixBench::Report::Groups    qw(also_differs confounded);
use UnixBench::Report::Plain     qw(in_plain);
use UnixBench::Report::Reference qw(verdict_text);
use UnixBench::Store::ClassicReport;

my %comparison = comparisons();
for my $name (sort keys %comparison) {
    my $text = comparison_as(text => $comparison{$name});
    is_golden("comparison-$name.txt", $text) if $name =~ /\A(?:sets|three)\z/;
    unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]|[ ]$|\n\n\n/m, "$name: no control characters or needless blanks");
    is(UnixBench::Store::ClassicReport::summary($text), undef, "$name: our parser does not take it for a report");
    is_valid_page($name, comparison_as(html => $comparison{$name}));
}
cmp_ok(() = comparison_as(text => $comparison{worse}) =~ /\n/g, '<=', 23, 'two results fit on a screen');

# Takes names and factors; returns text reports of such machines, as sides.
sub texts {
    my @sides = map { side($_->[0], name => $_->[0], runs => { 1 => { pipe => [1000 * $_->[1]] } }) } @_;
    return map { { label => $_->{label}, summary => { %{ classic($_->{summary}) }, name => $_->{label} } } } @sides;
}

my @FIVE = texts([pi4 => 1], [thinkpad => 1.84], [nas => 0.62], [pi5 => 2.5], [vm => 1.01]);

subtest 'the title of several sides is true for all of them' => sub {
    my $title = sub { (comparison_as(markdown => compared([@_])) =~ /\A## UnixBench comparison, (.*)/)[0] };
    my @equal = texts(map { [$_ => 1] } qw(a b c));
    my @near  = map { side($_, runs => { 1 => { pipe => [990, 1000, 1010 + length $_] } }) } qw(a ab abc);
    is($title->(@FIVE),          '5 machines: pi5 first, nas last',      'the first and the last');
    is($title->(@FIVE[0, 1, 3]), '3 machines: pi5 first, pi4 last',      'the first side may be the last');
    is($title->(@FIVE[3, 0, 1]), '3 machines: pi5 first, pi4 last',      'or the first');
    is($title->(@equal),         '3 machines: none differs for certain', 'equal sides');
    is($title->(@near),          '3 results: none differs for certain',  'what is open has no order');
    like($title->(@FIVE[0, 2]), qr/\A38 % slower: nas.* against pi4/, 'two sides have a verdict');
    my $loaded = compared(\@FIVE);
    $loaded->{pairs}[1]{indexes}[0]{load} = [[], [{ cause => 'others', badly => 5, worst => 1, passes => 5, of => 5 }]];
    like(comparison_as(markdown => $loaded), qr/\A\N*, 5 machines against pi4\n/, 'other load leaves the order open');
};

subtest 'many results' => sub {
    my @sides =
        map {
        my $scores = { pipe => [1000 + $_], execl => [40], spawn => [$_ == 7 ? 50 : 100] };
        side("r$_", runs => { 1 => $scores, 2 => $scores })
        } 0 .. 39;
    for my $side (@sides) {
        $side->{summary} = { %{ classic($side->{summary}) }, notes => ['changed: passes shortened'] };
    }
    my $text = comparison_as(text => compared(\@sides));
    like($text, qr/^1 copy +Index +Ratio +Verdict\nA: r0 +[\d.]+\nB: r1 /m,                    'one row each');
    like($text, qr/^The tests that stand out:\n   H: Process Creation, 1 copy: 50 % slower$/m, 'what stands out');
    cmp_ok(scalar(() = $text =~ /\n/g), '<=', 55, '40 results have at most 55 lines');
    like($text, qr/^Note on 40 results: \N*shortened/m,     'a note of all is told once');
    like($text, qr/^Other numbers of copies: on the page/m, 'the place of the other tables');
    my $each_pair = qr{All against r0, 2 copies.*<section id="pair-38">}s;
    like(comparison_as(html => compared(\@sides)), $each_pair, 'a page has all tables, and the tests of each');
};

# Takes a verdict, the value of a ratio and its interval; returns the text of the verdict with a least effect of 2 %.
sub text_of {
    my ($verdict, $value, $low, $high) = @_;
    my %row = (verdict => $verdict, ratio => { value => $value, low => $low, high => $high }, min_effect => 0.02);
    return in_plain(verdict_text(\%row));
}

my @VERDICTS = (
    ['3.2 % slower (2.1 to 4.3 %)',             slower       => 0.968, 0.957, 0.979],
    ['50 % slower (40 to 60 %)',                slower       => 0.5,   0.4,   0.6],
    ['12 % faster (9.5 to 15 %)',               faster       => 1.12,  1.095, 1.149],
    ['2.00 times as fast (1.90 to 2.11 times)', faster       => 2,     1.9,   2.11],
    ['equal (-0.5 to +1.2 %)',                  equal        => 1.003, 0.995, 1.012],
    ['equal (+0.0 to +0.0 %)',                  equal        => 1,     1,     1],
    ['inconclusive (-12 to +51 %)',             inconclusive => 1.15,  0.88,  1.51],
    ['inconclusive, without an interval',       inconclusive => 1.15],
    ['3.2 % slower',                            unknown      => 0.968],
    ['2.46 times as fast',                      unknown      => 2.463],
    ['as fast',                                 unknown      => 1],
);
is(text_of(@$_[1 .. $#$_]), $_->[0], $_->[0]) for @VERDICTS;

# [factor, step between the passes, the finding, other arguments of the comparison].
my @FINDINGS = (
    [0.9, 0.001, 'B (new) is 10 % slower (9.8 to 10 %) than A (old)'],
    [1.2, 0.001, 'B (new) is 20.0 % faster (19.7 to 20.3 %) than A (old)'],
    [3,   0.001, 'B (new) is 3.00 times as fast (2.99 to 3.01 times) as A (old)'],
    [1,   0.001, 'A (old) and B (new) are equal within 2 % (-0.2 to +0.2 %)'],
    [1,   0.001, 'A (old) and B (new) are equal within 5 % (-0.2 to +0.2 %)', min_effect => 0.05],
    [1,   0.05,  'inconclusive (-11 to +12 %)'],
);
for my $case (@FINDINGS) {
    my ($factor, $step, $wanted, %with) = @$case;
    my @sides =
        map { side($_->[0], runs => { 4 => { pipe => spread_rates($_->[1], $step) } }, name => $_->[0]) } [old => 1000],
        [new => 1000 * $factor];
    is(join(q{|}, found(compared(\@sides, %with))), "System Benchmarks index (partial), 4 copies: $wanted", $wanted);
}

subtest 'rows are in the order of verdicts, then of differences' => sub {
    my @verdicts = qw(unknown equal inconclusive faster slower slower faster equal faster faster);
    my @ratios   = (1.5, 1.005, 1.3, 1.2, 0.9, 0.7, 2, 0.99, 2 * (1 + 1e-15), 2 * (1 - 1e-15));
    my @titles   = qw(a b c d e f g h j i);
    my @rows     = map { { title => $titles[$_], verdict => $verdicts[$_], ratio => { value => $ratios[$_] } } } 0 .. 9;
    is(join(q{ }, map { $_->[0] } rows_of({ tests => \@rows })), 'f e g i j d c h b a', 'equal ratios by title');
};

subtest 'names of sides' => sub {
    is(heading_of({ letter => 'A', summary => { name => 'x' x 20 } }), 'A (' . 'x' x 20 . ')', 'a short host');
    is(heading_of({ letter => 'A', summary => { name => 'x' x 21 } }), 'A',                    'a long one');
    is(heading_of({ letter => 'B', summary => {}, label => 'r/a' }), 'B (a)', 'without one: the file');
    my @cases = (
        ['x | y',     ['r/a',      'x'],   ['r/b',      'y']],
        ['a | b',     ['r/a.json', 'x'],   ['r/b.json', 'x']],
        ['1/a | 2/a', ['1/a',      'x'],   ['2/a',      'x']],
        ['old | x',   ['r/old',    undef], ['new',      'x']],
    );
    for my $case (@cases) {
        my ($wanted, @sides) = @$case;
        is(join(' | ', short_names(map { side($_->[0], runs => {}, name => $_->[1]) } @sides)), $wanted, $wanted);
    }
};

subtest 'texts that are cut show where they differ' => sub {
    my $same = 'gcc -O3 -ffast-math -march=native -mtune=native';
    my @fact = map { "$same $_ -fno-lto -fno-plt -fno-common -fno-builtin" } '-mno-avx2', '-mavx2';
    my ($was, $is) = fact_text({ label => 'F', first => $fact[0], second => $fact[1] }) =~ /[(](.+) -> (.+)[)]/;
    isnt($was, $is, 'long texts');
    is(fact_text({ label => 'F', first => undef, second => 'x' }), 'F (unknown -> x)', 'short ones');
};

# The table of groups.
subtest 'several groups are rows' => sub {
    my $report = UnixBench::Report::Comparison::report_of(distributions(9, 2));
    my $text   = UnixBench::Report::Formats::of_blocks(text => $report, { columns => 80 });
    is_deeply([grep { length > 80 } split /\n/, $text], [], 'no line is longer than 80 columns');
    like($text, qr/^Pipe Throughput +I +.*12[.]000  [\d.]+ to [\d.]+  faster$/m, 'each has its ratio');
};

subtest 'other facts' => sub {
    my @values = map { { side => $_->[0], text => $_->[1] } } [A => 'gcc 12.2'], [B => undef], [C => 'gcc 12.2'];
    my %data   = (by => 'kernel', also_differs => [{ label => 'Compiler', values => \@values }]);
    is_deeply([also_differs(\%data)], ['also differs: compiler (A, C: gcc 12.2; B: unknown)'], 'each has its groups');
    like(confounded(\%data), qr/\AConfounded: .* in compiler, so a ratio is not the effect of kernel alone[.]\z/,
        'why');
    is_deeply([also_differs({ also_differs => [] }), confounded({ also_differs => [] })], [], 'nothing else differs');
    my $comparison = distributions(3, 1);
    for my $kind (qw(text markdown html)) {
        like(comparison_as($kind => $comparison) =~ s/\n  / /gr, qr/Confounded: .*also differs: compiler /s, $kind);
    }
    my $json = UnixBench::Report::Comparison::JSON::render($comparison, outcome => 'done', left_out => []);
    like($json, qr/^"remarks":\[\n"Confounded: the groups also differ in compiler and kernel, /m, 'JSON');
};

are_valid_markdown(map { ("$_ groups" => comparison_as(markdown => distributions($_, 2))) } 2, 9);

no_golden_left_over();
done_testing();
