use strict;
use warnings;

use File::Temp ();
use FindBin;
use JSON::PP ();
use Test::More;

use lib "$FindBin::Bin/../lib";
use Comparisons   qw(compared comparisons distributions found);
use Fixture       qw(@INDEX comparison_as measured result run tag tagged);
use Golden        qw(is_golden no_golden_left_over);
use Machines      qw(classic side spread_rates);
use Needs         qw(skip_without);
use Place         qw(write_file);
use ValidMarkdown qw(are_valid_markdown);
use ValidPage     qw(is_valid_page);
use Validator     qw(complaints_about why_no_validator);
use UnixBench::Report::Comparison;
use UnixBench::Report::Comparison::JSON;
use UnixBench::Report::Comparison::Wording qw(fact_text heading_of rows_of runs_needed short_names);
use UnixBench::Report::Formats;
use UnixBench::Report::Groups    qw(also_differs confounded);
use UnixBench::Report::Plain     qw(in_plain);
use UnixBench::Report::Reference qw(verdict_text);
use UnixBench::Store::ClassicReport;
use UnixBench::Summary;
use UnixBench::Compare::Comparison;

# The reports of a comparison.

my %comparison = comparisons();
for my $name (sort keys %comparison) {
    my $text = comparison_as(text => $comparison{$name});
    is_golden("comparison-$name.txt", $text) if $name =~ /\A(?:sets|three)\z/;
    unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]|[ ]$|\n\n\n/m, "$name: no control characters or needless blanks");
    is(UnixBench::Store::ClassicReport::summary($text), undef, "$name: our parser does not take it for a report");
    is_valid_page($name, comparison_as(html => $comparison{$name}));
}
cmp_ok(() = comparison_as(text => $comparison{worse}) =~ /\n/g, '<=', 23, 'two results fit on a screen');

my %OUTCOME = (outcome => 'done', fail_on => undef, left_out => []);

# Takes a comparison, and what differs from the usual outcome; returns its JSON.
sub json_of {
    my ($comparison, %with) = @_;
    return UnixBench::Report::Comparison::JSON::render($comparison, %OUTCOME, %with);
}

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
    [0.9, 0.001, 'B (new) is 10 % slower (9.8 to 10 %) than A (old); slower: pipe'],
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
    like(json_of($comparison), qr/^"remarks":\[\n"Confounded: the groups also differ in compiler and kernel, /m,
        'JSON');
};

are_valid_markdown(map { ("$_ groups" => comparison_as(markdown => distributions($_, 2))) } 2, 9);

# The JSON, its schema, and the sentences about how far a comparison reaches.
my $WHY_NOT = why_no_validator();
my $PLACE   = File::Temp->newdir;

sub data_of { return JSON::PP->new->decode(json_of(@_)) }

# Takes the factors of the runs of two states, and perhaps a least effect; returns their comparison.
sub of_states {
    my ($first, $second, %with) = @_;
    my @sides = map { side("run-$_", runs => { 1 => { pipe => spread_rates(1000 * $_, 0.002) } }) } @$first, @$second;
    return compared(\@sides, sets => [map { scalar @$_ } $first, $second], %with);
}

# Takes a number of passes that are disturbed; returns a side.
sub disturbed {
    my ($label, $count) = @_;
    my %tags  = map { $_ => [tag(others => disturbed => 1.4)] } 1 .. $count;
    my @tests = map { tagged(measured($_, 1, map { 1000 + $_ } 1 .. 8), \%tags) } @INDEX;
    return { label => $label, summary => UnixBench::Summary::of(result([run(1, @tests)])) };
}

my @FOUR   = (0.99, 1.01, 0.985, 1.015);
my %OTHERS = (
    states => of_states(\@FOUR, \@FOUR),
    loud   => compared([disturbed(a => 0), disturbed(b => 8)]),
    partly => compared([disturbed(a => 0), disturbed(b => 3)]),
    mixed  => compared([
        side('a', runs => { 1 => { pipe => [1, 2] } }, procedure => { kind => 'quick' }),
        side('b', runs => { 1 => { pipe => [3, 4] } })
    ]),
);

subtest 'the JSON of every comparison is valid' => sub {
    my %all = (%comparison, %OTHERS);
    my @paths;
    for my $name (sort keys %all) {
        push @paths, write_file("$PLACE/$name.json", json_of($all{$name}));
    }
    skip_without(@$WHY_NOT) if $WHY_NOT;
    my @complaints = complaints_about('comparison', @paths);
    is($complaints[$_], q{}, "$paths[$_]: valid" =~ s{.*/}{}r) for 0 .. $#paths;
};

subtest 'the JSON has ratios, intervals and verdicts' => sub {
    my $data = data_of($comparison{worse}, outcome => 'slower', fail_on => ['pipe'], left_out => ['x is torn']);
    is_deeply([@$data{qw(format schema outcome min_effect)}], ['unixbench-comparison', 1, 'slower', 0.02], 'the head');
    is_deeply($data->{fail_on},                               ['pipe'], 'the names of --fail-on');
    my $finding = 'System Benchmarks index, 1 copy: B (vm) is 3.7 % slower (3.2 to 4.1 %) than A (vm); '
        . 'slower: whetstone-double, fstime, shell1, execl, fsbuffer and 6 others';
    is($data->{findings}[0],                     $finding,         'the findings');
    is($data->{remarks}[-1],                     'x is torn',      'the results that were left out');
    is($data->{sides}[1]{results}[0]{file},      'after.json',     'the file of a side');
    is($data->{differences}[0]{values}[1]{text}, '6.18.44 #1 SMP', 'a fact');
    my ($pair)  = @{ $data->{pairs} };
    my ($index) = @{ $pair->{indexes} };
    my $own     = $comparison{worse}{pairs}[0]{indexes}[0]{ratio};
    is_deeply([@$pair{qw(first second first_copies second_copies)}], ['A', 'B', 1, 1], 'what is compared');
    is_deeply([@$index{qw(category verdict causes ratio)}], ['system', 'slower', [], $own], 'the index');
    is(scalar @{ $pair->{tests} }, 12, 'all tests');
    my $other = data_of($comparison{forced})->{pairs}[0];
    is($other->{indexes}[0]{why_not}, 'its tests differ', 'an index that was not compared has the reason');
    my ($lacking) = grep { $_->{name} eq 'execl' } @{ $other->{lacking} };
    is_deeply([@$lacking{qw(first second)}], [undef, 'not run'], 'so has a test');
    ok(data_of($OTHERS{mixed})->{pairs}[0]{is_mixed}, 'a quick estimate against an official result');
    is(scalar @{ data_of($comparison{sets})->{sides}[0]{results} }, 2, 'a state has its results');
};

# Takes a comparison; returns the sentences about runs that are needed.
sub advice {
    return map { in_plain($_) } runs_needed($_[0]);
}

subtest 'an inconclusive verdict says how many runs are needed' => sub {
    my $needed = 'To show a difference of 2 % with this scatter, about 10 runs of each side are needed.';
    is_deeply([advice($OTHERS{states})], [$needed], 'four runs of each state');
    is(data_of($OTHERS{states})->{remarks}[0],                        $needed, 'the JSON has the sentence');
    is(data_of($OTHERS{states})->{pairs}[0]{indexes}[0]{runs_needed}, 10,      'and the number');
    my @wide = map { side('x', runs => { 1 => { pipe => spread_rates(1000, 0.05) } }) } 1, 2;
    like((advice(compared(\@wide)))[0], qr/ about 52 runs of each side are needed[.]\z/, 'one run of each');
    is_deeply([advice(of_states(\@FOUR, [map { $_ / 2 } @FOUR]))],  [], 'a clear difference');
    is_deeply([advice($OTHERS{loud})],                              [], 'other load: more runs are not the remedy');
    is_deeply([advice(of_states(\@FOUR, \@FOUR, min_effect => 0))], [], 'every difference matters');
    my @very_many = ('To show a difference of 2 % with this scatter, about 1000 runs of each side are needed.');
    is_deeply([advice(of_states([map { $_**40 } @FOUR], \@FOUR))], \@very_many, 'very many');
};

# The page of a comparison: what is seen first, and its charts.

my %recorded = comparisons();

# Returns the page of the recorded comparison of that name.
sub recorded {
    my ($name) = @_;
    return comparison_as(html => $recorded{$name});
}

# Takes the least effect and the sides, each the rates of its tests by number of copies; returns the page.
sub page {
    my ($min_effect, @runs) = @_;
    my @sides      = map { side("$_.json", runs => $runs[$_]) } 0 .. $#runs;
    my $comparison = UnixBench::Compare::Comparison::of(\@sides, min_effect => $min_effect);
    return comparison_as(html => $comparison);
}

# Takes the least effect, the factor of one test, and the step between its passes; returns the page.
sub page_of_one {
    my ($min_effect, $factor, @step) = @_;
    return page($min_effect, map { { 1 => { pipe => @step ? spread_rates($_, @step) : [$_] } } } 1000, 1000 * $factor);
}

# Takes a page; returns the rows of its first chart.
sub rows {
    my ($html)  = @_;
    my ($table) = $html =~ m{<table class="chart">(.*?)</table>}s;
    return $table =~ m{<tr>(.*?)</tr>}sg;
}

# Takes rows; returns the descriptions of their pictures.
sub words {
    my (@rows) = @_;
    return map { s/\xc2\xa0/ /gr } map { /aria-label="(ratio [^"]*)"/ } @rows;
}

subtest 'tests are in the order of verdicts, the sums last' => sub {
    my @words = words(rows(recorded('worse')));
    is_deeply([map { (split)[-1] } @words], [('slower') x 11, 'inconclusive', 'slower'], 'by verdicts, index last');
    is($words[0], 'ratio 0.960, 95 % interval 0.951 to 0.969, slower', 'the description of a picture');
};

subtest 'the marks of a picture' => sub {
    my $html  = page_of_one(0.02, 1.1, 2);
    my ($row) = grep { /<circle/ } rows($html);
    my ($one, @others) = map { [split q{ }] }
        grep { !/\A0/ } map { s/" x="/ /r } $html =~ m{<text class="tick" data-value="([\d.]+" x="[\d.]+)%"}g;
    my $at =
        sub { $one->[1] + ($others[-1][1] - $one->[1]) * log($_[0] / $one->[0]) / log($others[-1][0] / $one->[0]) };
    my ($point) = $row =~ m{<circle class="point [^"]*" cx="([\d.]+)%"};
    my @line    = $row =~ m{<line class="interval" x1="([\d.]+)%" x2="([\d.]+)%"};
    my ($band)  = $row =~ m{<rect class="band"[^>]* x="([\d.]+)%"};
    my ($mean)  = $row =~ m{<line class="mean" x1="([\d.]+)%"};
    is(
        join(q{ }, map { sprintf '%.2f', $_ } $point,     @line, $band, $mean),
        join(q{ }, map { sprintf '%.2f', $at->($_) } 1.1, 1 / 4, 4.4,   0.98, 1),
        'a point at the ratio, a line of the interval that is cut at four times all values, a band and a line at 1'
    );
    unlike(page_of_one(0, 1.5, 0.01), qr/pale band/, 'without a least effect the page explains no band');
    is_valid_page("a ratio of $_", page_of_one(0.02, $_)) for 1e9, 1e-9;
};

# Takes a page; returns the numbers of its headline as texts: "VERDICT | PRECISION | WHAT | LINK".
sub numbers {
    my ($html) = @_;
    my $list = $html =~ m{<ul class="numbers">(.*?)</ul>}s ? $1 : q{};
    my @numbers;
    for my $item ($list =~ m{<li>(.*?)</li>}sg) {
        my ($verdict) = $item =~ m{<div class="value verdict[^"]*">(.*?)<};
        my ($sure, $link, $what) = $item =~ m{<(?:span|p) class="sure">(.*?)</.*<a href="#(.*?)">(.*?)</a>}s;
        push @numbers, join ' | ', map { ($_ // q{}) =~ s/\xc2\xa0/ /gr =~ s/\A\s+|\s+\z//gr } $verdict, $sure, $what,
            $link;
    }
    return @numbers;
}

subtest 'the verdicts are seen first' => sub {
    is_deeply(
        [numbers(recorded('sets'))],
        [
            'inconclusive | 95 % interval -5.0 to +10 % | System Benchmarks index, 1 copy | pair-0',
            '9.0 % faster | 95 % interval 5.3 to 13 % | System Benchmarks index, 4 copies | pair-1',
        ],
        'each pair of runs has a verdict, which leads to its section'
    );
    is_deeply([numbers(recorded('three'))], [], 'several results have their table instead');
    like(recorded('three'), qr{<h2>All against kernel-0, 4 copies</h2>.*$_}s, "$_ is among all")
        for 'B: kernel-1', 'C: kernel-2';
    like(recorded('three'), qr/<section id="pair-$_">/, "section $_") for 0 .. 3;
    my @forced = numbers(recorded('forced'));
    like($forced[0], qr/\Anot compared [|] Its tests differ /,        'the reason why the index is not compared');
    like($forced[1], qr/ [|] Mean of 2 tests in common, 1 copy [|] /, 'the mean replaces it');
};

no_golden_left_over();
done_testing;
