# The reports of a comparison. To record them again: UB_RECORD=1 prove -Ilib -r t/report

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Comparisons qw(comparison_of comparisons);
use Golden      qw(is_golden no_golden_left_over);
use Machines    qw(side spread_rates);
use ValidPage   qw(is_valid_page);
use Rendered    qw(comparison_as unstyled);
use UnixBench::Report::Comparison::Wording;
use UnixBench::Report::Lines;
use UnixBench::Report::Wording;
use UnixBench::Store::ClassicReport;

my %comparison = comparisons();

for my $name (sort keys %comparison) {
    my $text = comparison_as(text => $comparison{$name});
    is_golden("comparison-$name.txt", $text);
    unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]|[ ]$|\n\n\n/m, "$name: no control characters or needless blanks");
    unlike(
        $text,
        qr/Index Score|Benchmark Run|of tests|\bparallel copy|lps|MWIPS/,
        "$name: no text that scripts take for a report"
    );
    is(UnixBench::Store::ClassicReport::summary($text), undef, "$name: our parser does not take it for a report");
    my @wide = grep { length > 100 } split /\n/, $text =~ s/\A.*?^(?=A: )//msr;
    is_deeply(\@wide, [], "$name: no line below the findings is longer than 100") if $name ne 'forced';
    my $html = comparison_as(html => $comparison{$name});
    is_golden("comparison-$name.html", unstyled($html)) if $name eq 'worse';
    is_valid_page($name, $html);
}

subtest 'the first lines' => sub {
    my @cases = (
        [
            worse =>
                qr/\ASystem Benchmarks index, 1 copy: B is 3[.]\d % slower than A \(95 %: [\d.]+ to [\d.]+ % slower\)\n/
        ],
        [
            three =>
                qr/, 1 copy: no difference beyond 2 % is shown between A and B [(]95 %: 0[.]7 % slower to 1[.]7 % f/
        ],
        [three => qr/^System Benchmarks index [(]partial[)], 4 copies: B is 16[.]1 % slower than A/m],
        [three => qr/^System Benchmarks index [(]partial[)], 1 copy: C is 30[.]0 % faster than A/m],
        [
            classic =>
                qr/\ASystem.*index, 1 copy against 4 copies: B is 2[.]46 times as fast as A \(spread not known\)\n/
        ],
        [forced => qr/\ACompared all the same [(]--force[)]: procedure: official in A, quick in B; compiler flags: </],
        [
            forced =>
                qr/^System Benchmarks index [(]partial[)], 1 copy: B is not compared with A, as it is of other tests\n/m
        ],
        [forced => qr/^Mean of 2 tests in common, 1 copy: B is as fast as A \(spread not known\)\n/m],
    );
    for my $case (@cases) {
        my ($name, $pattern) = @$case;
        like(comparison_as(text => $comparison{$name}), $pattern, $name);
    }
};

subtest 'small differences' => sub {
    my $said = sub {
        my ($factor, @step) = @_;
        my @sides = map { side('x', runs => { 1 => { pipe => @step ? spread_rates($_, @step) : [$_] } }) } 1000,
            1000 * $factor;
        my ($found) = UnixBench::Report::Comparison::Wording::findings(comparison_of(\@sides, min_effect => 0));
        return $found =~ s/\A.*?: (.*) \(.*/$1/r;
    };
    is($said->(1),              'B is as fast as A',        'equal rates of one pass');
    is($said->(1 + 0.1**15),    'B is as fast as A',        'rates that differ by a rounding error');
    is($said->(1.0004),         'B is as fast as A',        'a difference that rounds to 0');
    is($said->(1.0006),         'B is 0.1 % faster than A', 'a difference that rounds to 0.1 %');
    is($said->(1, 0.01),        'no difference beyond 0 % is shown between A and B', 'equal rates of several passes');
    is($said->(0.9998, 0.1**6), 'B is 0.02 % slower than A',                         'a small but certain slowdown');
    is($said->(1.0002, 0.1**6), 'B is 0.02 % faster than A',                         'a small but certain speed-up');
};

subtest 'facts about a side' => sub {
    my $facts = sub {
        my (%procedure) = (kind => 'official', time_factor => 1, work_factor => 1, @_);
        return UnixBench::Report::Comparison::Wording::side_facts(side('x', runs => {}, procedure => \%procedure)) =~
            s/.*7[.]0[.]0, //r;
    };
    is($facts->(), 'official procedure', 'the official procedure');
    is($facts->(time_factor => '1.0'), 'official procedure',          'an official time factor written as 1.0');
    is($facts->(time_factor => 0.01),  'official procedure, changed', 'another time factor');
    is($facts->(work_factor => 3),     'official procedure, changed', 'another work factor');
    is($facts->(time_factor => undef), 'official procedure',          'an unknown time factor');
    is($facts->(kind        => 'quick', time_factor => 2), 'quick procedure, changed', 'a changed quick procedure');
    my $nothing = side('x', runs => {}, procedure => {}, map { $_ => undef } qw(name system date version));
    is(UnixBench::Report::Comparison::Wording::side_facts($nothing), 'nothing is known of it', 'a side without facts');
};

subtest 'numbers' => sub {
    my %change = (
        0.9999      => '0.01 % slower',
        1           => '0.0 % faster',
        1 + 0.1**15 => '0.0 % faster',
        0.968       => '3.2 % slower',
        1.5         => '50.0 % faster',
        1.999       => '99.9 % faster',
        2           => '2.00 times'
    );
    is(UnixBench::Report::Comparison::Wording::change($_), $change{$_}, "change $_") for sort keys %change;
    my %ratio = (0.968 => '0.968', 12.3456 => '12.346', 0.01234 => '0.0123', 0.1 => '0.100');
    is(UnixBench::Report::Comparison::Wording::ratio_text($_), $ratio{$_}, "ratio $_") for sort keys %ratio;
    my @halves = (
        [{ value => 100, low => 99,    high => 101 },   '1.0%'],
        [{ value => 100, low => 50,    high => 200 },   '69%'],
        [{ value => 1,   low => 1,     high => 1 },     '0.0%'],
        [{ value => 1,   low => undef, high => undef }, q{}],
    );
    is(UnixBench::Report::Wording::half_width($_->[0]), $_->[1], "half width of an interval: $_->[1]") for @halves;
    is(UnixBench::Report::Comparison::Wording::interval({ low => 0.9, high => 1.1 }),
        '0.900-1.100', 'an interval as text');
};

subtest 'alignment of columns' => sub {
    my @rows = (['title', 'a', 'long'], ['t', 'bcd', undef], ['longest', q{}, 'x']);
    is_deeply(
        [UnixBench::Report::Lines::aligned(@rows)],
        ['title      a  long', 't        bcd', 'longest          x'],
        'the first column is aligned left, the others right'
    );
};

no_golden_left_over();
done_testing();
