# The texts of comparisons: verdicts, findings, ratios, and the names of sides.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Comparisons                            qw(comparison_of found);
use Machines                               qw(classic side spread_rates);
use UnixBench::Base::Time                  qw(iso_time);
use UnixBench::Report::Comparison::Wording qw(
    fact_text heading_of legend pair_title rows_of side_names
);
use UnixBench::Report::Comparison::Advice ();
use UnixBench::Report::Cell               qw(cell);
use UnixBench::Report::Plain              qw(in_plain);
use UnixBench::Report::Reference          qw(short_verdict verdict_text);

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

subtest 'a verdict has a short text for pictures' => sub {
    my %short = (
        slower       => 'slower',
        faster       => 'faster',
        equal        => 'equal within 5 %',
        inconclusive => 'inconclusive',
        unknown      => 'no interval',
    );
    is(in_plain(short_verdict({ verdict => $_, min_effect => 0.05 })), $short{$_}, $_) for sort keys %short;
};

subtest 'percents have a decimal below 10 only' => sub {
    my %text = (
        0.9049  => '9.5 % slower',
        0.9006  => '9.9 % slower',
        0.9004  => '10 % slower',
        0.9     => '10 % slower',
        1.1     => '10 % faster',
        1.10001 => '10 % faster',
        1.5     => '50 % faster',
        1.994   => '99 % faster',
        1.9999  => '100 % faster',
    );
    is(text_of(unknown => $_), $text{$_}, "ratio $_") for sort keys %text;
};

# What the interval of these comparisons has.
my $EACH = ': one run each, 0.0 % from run to run';

subtest 'small differences are not rounded to nothing' => sub {
    my $finding = sub {
        my ($found) = found(comparison_at(@_));
        return $found =~ s/\A.*?, 1 copy: //r;
    };
    my ($as_fast, $than) = ('B (vm) is as fast as A (vm), without an interval', 'than A (vm)');
    is($finding->(1),           $as_fast, 'equal rates of one pass');
    is($finding->(1 + 0.1**15), $as_fast, 'rates that differ by a rounding error');
    is($finding->(1.0004),      $as_fast, 'a difference below 0.05 % of one pass');
    is($finding->(1.0006), "B (vm) is 0.1 % faster $than, without an interval", 'a difference that rounds to 0.1 %');
    is(
        $finding->(1, 0.01),
        "inconclusive (-2.3 to +2.3 %)$EACH",
        'equal rates of several passes, where every difference matters'
    );
    is(
        $finding->(0.9998, 0.1**6),
        "B (vm) is 0.02 % slower (0.02 to 0.02 %) $than$EACH",
        'a small but certain slowdown'
    );
    is(
        $finding->(1.0002, 0.1**6),
        "B (vm) is 0.02 % faster (0.02 to 0.02 %) $than$EACH",
        'a small but certain speed-up'
    );
};

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

subtest 'sides are named by host and date, and by what else tells them apart' => sub {
    my $side = sub {
        my ($label, $name, $date) = @_;
        return side($label, runs => {}, name => $name, date => $date);
    };
    my $named = sub { return join q{ | }, side_names(@_) };
    my ($morning, $evening, $later) = map { "2026-11-$_+00:00" } '20T08:00:00', '20T20:00:00', '21T08:00:00';
    is($named->($side->('a', 'x', $morning), $side->('b', 'y', $morning)), 'x, 2026-11-20 | y, 2026-11-20',
        'two hosts');
    is($named->($side->('a', 'x', $morning), $side->('b', 'x', $later)), 'x, 2026-11-20 | x, 2026-11-21', 'two days');
    is(
        $named->($side->('a', 'x', $morning), $side->('b', 'x', $evening)),
        'x, 2026-11-20 08:00:00 | x, 2026-11-20 20:00:00',
        'two times of a day'
    );
    is(
        $named->($side->('a', 'x', $morning), $side->('b', 'x', $morning)),
        'x, 2026-11-20 08:00:00 (a) | x, 2026-11-20 08:00:00 (b)',
        'one host at one time: the files are named'
    );
    is(
        $named->($side->('r/old', undef, 'Mon, June 25, 2018'), $side->('new', 'x', $morning)),
        'old, Mon, June 25, 2018 | x, 2026-11-20',
        'a text report without a host has the name of its file and the date as it is'
    );
    is($named->($side->('r/old', undef, undef), $side->('new', undef, undef)),
        'old | new', 'sides without host and date');
    my $at = sub {
        my ($started) = @_;
        my $date = iso_time($started, 0);
        return side('a', runs => {}, source => 'UnixBench', name => 'x', started => $started, date => $date);
    };
    like(UnixBench::Report::Comparison::Wording::side_facts($at->(8)), qr/, no date,/, 'the facts have no other date');
    my $now = $side->('b', 'y', $morning);
    is($named->($at->($_), $now), 'x, no date | y, 2026-11-20', "the clock was wrong: $_") for 8, 1e9, time + 1e7;
    is($named->($at->(8),             $at->(9)), 'x, no date (a) | x, no date (a)', 'the files are named instead');
    is($named->($at->(1_700_000_000), $now),     'x, 2023-11-14 | y, 2026-11-20',   'the clock was right');
    my $repeated = { %{ $side->('a', 'x', $morning) }, members => [1, 2, 3] };
    is(
        $named->($repeated, $side->('b', 'x', $morning)),
        'x, 2026-11-20, 3 runs | x, 2026-11-20',
        'repeated runs are counted'
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

subtest 'the legend explains what the tables have' => sub {
    my @rates = map { spread_rates($_, 0.01) } 1000, 1010, 1020, 1030;
    my @sides = map { side("$_", runs => { 1 => { pipe => $rates[$_] } }) } 0 .. 3;
    my @texts = map { { label => $_->{label}, summary => classic($_->{summary}) } } @sides;
    my @quick = map {
        { %$_, summary => { %{ $_->{summary} }, procedure => { kind => 'quick' } } }
    } @sides;
    my $starts = sub {
        my ($sides, @with) = @_;
        return join q{ | },
            map { join q{ }, (split)[0 .. 2] } map { in_plain($_) } legend(comparison_of($sides, @with));
    };
    my ($marks, $passes, $slices) = ('+-: half of', 'Scores include all', 'Scores include all');
    is($starts->([@sides[0, 1]]), "$marks | $passes | Each side is", 'two results');
    is($starts->([@texts[0, 1]]), "Without an interval:",            'two text reports');
    is(
        $starts->([@sides[0, 1], $texts[2]]),
        "$marks | $passes | Without an interval: | Each side is",
        'two results and a text report'
    );
    is($starts->(\@sides, sets => [2, 2]), "$marks | $passes | Run to run:",            'repeated runs');
    is($starts->(\@texts, sets => [2, 2]), "$marks | The classic scores | Run to run:", 'repeated runs, text reports');
    is($starts->([@sides[0, 1]], sets => [1, 1]), "$marks | $passes | Each side is",    'states of one run each');
    is(
        (legend(comparison_of([@quick[0, 1]])))[1],
        'Scores include all short passes of quick runs, which are estimates.',
        'quick runs'
    );
    like(
        in_plain((legend(comparison_of([@sides[0, 1]], min_effect => 0.05)))[0]),
        qr/outside of 5 %/,
        'the least effect is named'
    );
};

subtest 'numbers' => sub {
    my %ratio = (0.968 => '0.968', 12.3456 => '12.346', 0.01234 => '0.0123', 0.1 => '0.100');
    is(in_plain(cell(ratio => $_)), $ratio{$_}, "ratio $_") for sort keys %ratio;
    my @halves = (
        [{ value => 100, low => 99,    high => 101 },   '1.0 %'],
        [{ value => 100, low => 50,    high => 200 },   '69 %'],
        [{ value => 1,   low => 1,     high => 1 },     '0.0 %'],
        [{ value => 1,   low => undef, high => undef }, q{}],
    );
    is(in_plain(cell(half    => $_->[0])), $_->[1], "half width of an interval: $_->[1]") for @halves;
    is(in_plain(cell(ratios  => { low => 0.9, high => 1.1 })), '0.900 to 1.100', 'an interval as text');
    is(in_plain(cell(ratios  => { low => undef })),            q{},              'an unknown interval');
    is(in_plain(cell(percent => 0.01234)),                     '1.2 %',          'a deviation between runs');
    is(in_plain(cell(percent => undef)),                       q{},              'no deviation without repeated runs');
};

subtest 'texts that are cut show where they differ' => sub {
    my $same = 'gcc -O3 -ffast-math -march=native -mtune=native';
    my @fact = map { "$same $_ -fno-lto -fno-plt -fno-common -fno-builtin" } '-mno-avx2', '-mavx2';
    my ($was, $is) = fact_text({ label => 'F', first => $fact[0], second => $fact[1] }) =~ /[(](.+) -> (.+)[)]/;
    isnt($was, $is, 'long texts');
    is(fact_text({ label => 'F', first => undef, second => 'x' }), 'F (unknown -> x)', 'short ones');
};

subtest 'the trust of many results is one sentence' => sub {
    my $trust = sub { +{ level => $_[0], passes => 9, disturbed => 9, worst => undef, failed => 0, noisy => 0 } };
    my $side  = sub {
        my ($letter, @levels) = @_;
        return {
            letter  => $letter,
            members => [map { +{ summary => { trust => $trust->($_), procedure => {} } } } @levels]
        };
    };
    my $said = in_plain(
        UnixBench::Report::Comparison::Advice::trust_of_sides(
            $side->('A', ('poor') x 7),
            $side->('B', 'fair', ('good') x 4)
        )
    );
    is(
        $said,
        'Trust is poor in A1, A2 and 5 more; fair in B1. A1 is poor: 9 of 9 passes were disturbed.',
        'with the reasons of the first one'
    );
};

done_testing();
