# The texts of comparisons: verdicts, findings, ratios, and the names of sides.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Comparisons                            qw(comparison_of found);
use Machines                               qw(classic side spread_rates);
use UnixBench::Report::Comparison::Wording qw(
    fact_text heading_of pair_title rows_of short_names
);
use UnixBench::Report::Plain     qw(in_plain);
use UnixBench::Report::Reference qw(verdict_text);

# Takes the factor of the second side, and perhaps the step between the passes; returns a comparison of one test, in
# which every difference matters.
sub comparison_at {
    my ($factor, @step) = @_;
    my @sides = map { side('x', runs => { 1 => { pipe => @step ? spread_rates($_, @step) : [$_] } }) } 1000,
        1000 * $factor;
    return comparison_of(\@sides, min_effect => 0);
}

# Takes a verdict, the value of a ratio and its interval; returns the text of the verdict with a least effect of 2 %.
sub text_of {
    my ($verdict, $value, $low, $high) = @_;
    my %row = (verdict => $verdict, ratio => { value => $value, low => $low, high => $high }, min_effect => 0.02);
    return in_plain(verdict_text(\%row));
}

subtest 'each verdict has a text with the interval' => sub {
    my @cases = (
        ['3.2 % slower (2.1 to 4.3 %)',             slower       => 0.968, 0.957, 0.979],
        ['50 % slower (40 to 60 %)',                slower       => 0.5,   0.4,   0.6],
        ['4.1 % faster (2.5 to 5.7 %)',             faster       => 1.041, 1.025, 1.057],
        ['12 % faster (9.5 to 15 %)',               faster       => 1.12,  1.095, 1.149],
        ['2.40 times as fast (2.30 to 2.50 times)', faster       => 2.4,   2.3,   2.5],
        ['2.00 times as fast (1.90 to 2.11 times)', faster       => 2,     1.9,   2.11],
        ['equal (-0.5 to +1.2 %)',                  equal        => 1.003, 0.995, 1.012],
        ['equal (+0.0 to +0.0 %)',                  equal        => 1,     1,     1],
        ['inconclusive (-12 to +51 %)',             inconclusive => 1.15,  0.88,  1.51],
        ['inconclusive (-5.7 to +6.0 %)',           inconclusive => 1,     0.943, 1.06],
        ['1.6 % faster',                            unknown      => 1.016],
        ['3.2 % slower',                            unknown      => 0.968],
        ['2.46 times as fast',                      unknown      => 2.463],
        ['as fast',                                 unknown      => 1],
    );
    is(text_of(@$_[1 .. $#$_]), $_->[0], $_->[0]) for @cases;
};

# What the interval of these comparisons has.
my $EACH = ': one run each, 0.0 % from run to run';

subtest 'a finding names both sides' => sub {
    my $finding = sub {
        my ($factor, $step, %with) = @_;
        my @sides = map { side($_->[0], runs => { 4 => { pipe => spread_rates($_->[1], $step) } }, name => $_->[0]) }
            ['old', 1000], ['new', 1000 * $factor];
        return join q{|}, found(comparison_of(\@sides, %with));
    };
    my $what = 'System Benchmarks index (partial), 4 copies:';
    is($finding->(0.9, 0.001), "$what B (new) is 10 % slower (9.8 to 10 %) than A (old)$EACH",      'slower');
    is($finding->(1.2, 0.001), "$what B (new) is 20.0 % faster (19.7 to 20.3 %) than A (old)$EACH", 'faster');
    is(
        $finding->(3, 0.001),
        "$what B (new) is 3.00 times as fast (2.99 to 3.01 times) as A (old)$EACH",
        'several times'
    );
    is($finding->(1, 0.001), "$what A (old) and B (new) are equal within 2 % (-0.2 to +0.2 %)$EACH", 'equal');
    is(
        $finding->(1, 0.001, min_effect => 0.05),
        "$what A (old) and B (new) are equal within 5 % (-0.2 to +0.2 %)$EACH",
        'the least effect is that of the comparison'
    );
    is($finding->(1, 0.05), "$what inconclusive (-11 to +12 %)$EACH", 'inconclusive');
};

subtest 'rows are in the order of verdicts, then of differences' => sub {
    my @rows = map { { title => $_->[0], verdict => $_->[1], ratio => { value => $_->[2] } } } (
        ['a', 'unknown',      1.5],
        ['b', 'equal',        1.005],
        ['c', 'inconclusive', 1.3],
        ['d', 'faster',       1.2],
        ['e', 'slower',       0.9],
        ['f', 'slower',       0.7],
        ['g', 'faster',       2],
        ['h', 'equal',        0.99],
        ['j', 'faster',       2 * (1 + 1e-15)],
        ['i', 'faster',       2 * (1 - 1e-15)],
    );
    is(
        join(q{ }, map { $_->[0] } rows_of({ tests => \@rows })),
        'f e g i j d c h b a',
        'slower, faster, inconclusive, equal, unknown; equal ratios by title'
    );
};

subtest 'the heading of a column names the host if it is short' => sub {
    is(heading_of({ letter => 'A', label => 'r/a', summary => { name => 'x' x 20 } }), 'A (' . 'x' x 20 . ')', 'short');
    is(heading_of({ letter => 'A', label => 'r/a', summary => { name => 'x' x 21 } }), 'A',                    'long');
    is(heading_of({ letter => 'B', label => 'r/a', summary => {} }), 'B (a)', 'without a host: the file');
};

subtest 'the title of a pair of runs names sides and copies' => sub {
    my @sides = map { { letter => $_->[0], label => 'f', summary => { name => $_->[1] } } } ['A', 'old'], ['B', 'new'];
    my $title = sub {
        my (@copies) = @_;
        my @runs = map { { copies => $_ } } @copies;
        return pair_title({ sides => \@sides, runs => \@runs, is_same_count => $copies[0] == $copies[1] });
    };
    is($title->(4, 4), 'B (new) against A (old), 4 copies',                 'equal numbers of copies');
    is($title->(1, 4), 'B (new) with 4 copies against A (old) with 1 copy', 'different numbers of copies');
};

subtest 'texts that are cut show where they differ' => sub {
    my $same = 'gcc -O3 -ffast-math -march=native -mtune=native';
    my @fact = map { "$same $_ -fno-lto -fno-plt -fno-common -fno-builtin" } '-mno-avx2', '-mavx2';
    my ($was, $is) = fact_text({ label => 'F', first => $fact[0], second => $fact[1] }) =~ /[(](.+) -> (.+)[)]/;
    isnt($was, $is, 'long texts');
    is(fact_text({ label => 'F', first => undef, second => 'x' }), 'F (unknown -> x)', 'short ones');
};

subtest 'a side has a short name of its own' => sub {
    my $named = sub {
        return join q{ | }, short_names(map { side($_->[0], runs => {}, name => $_->[1]) } @_);
    };
    is($named->(['r/a',      'x'],   ['r/b',      'y']), 'x | y',     'its host');
    is($named->(['r/a.json', 'x'],   ['r/b.json', 'x']), 'a | b',     'its file, if hosts are equal');
    is($named->(['1/a',      'x'],   ['2/a',      'x']), '1/a | 2/a', 'its path');
    is($named->(['r/old',    undef], ['new',      'x']), 'old | x',   'a text report without a host');
};

done_testing();
