# Tests of comparisons of repeated runs of two states: A1 A2 against B1 B2.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Comparisons qw(is_about);
use Machines    qw(classic facts_of side);
use UnixBench::Compare::Comparison;
use UnixBench::Compare::Repeated;
use UnixBench::Score::Stats qw(t_quantile);

# The logarithm of 1.1: the rates of these tests are powers of 1.1.
use constant STEP => log 1.1;

# Takes a sum of squares, in steps, its degrees of freedom, and perhaps what is assumed, by default 3.5 % as for pipe.
# Returns the standard deviation of a run, and half of the width of its 95 % interval. An assumption counts as eight
# degrees, and as fewer the more the runs differ.
sub deviation {
    my ($squares, $df, $assumed) = @_;
    my $variance = ($assumed // 0.035)**2;
    my $shown    = $squares * STEP**2;
    my $weight   = 8 / (1 + ($shown / $df / $variance)**2 / 2 + ($df / 6)**2);
    $weight = 2 * (2 - $df) if $weight < 2 * (2 - $df);
    my $deviation = sqrt(($weight * $variance + $shown) / ($weight + $df));
    return ($deviation, $deviation * t_quantile(0.975, $weight + $df));
}

# Takes the number of results of the first state and all sides; returns the comparison.
sub compared {
    my ($first, $sides, %with) = @_;
    my @sets = ($first, @$sides - $first);
    return UnixBench::Compare::Comparison::of($sides, min_effect => 0.02, sets => \@sets, %with);
}

# Takes a label and the rates of its tests, each a list or one rate of a single pass; returns a side of one copy.
sub one {
    my ($label, $rates, %with) = @_;
    my %list_of = map { $_ => $rates->{$_} =~ /\A[0-9.]+\z/ ? [$rates->{$_}] : $rates->{$_} } keys %$rates;
    return side($label, runs => { 1 => \%list_of }, %with);
}

# Takes the rates of the test pipe in each result, each of a single pass; returns the sides A, B and so on.
sub of_pipe {
    my @rates  = @_;
    my @labels = map { "r$_" } 1 .. @rates;
    return [map { one($labels[$_], { pipe => $rates[$_] }) } 0 .. $#rates];
}

# Tests the ratio of a row, and half of the width of its interval as a logarithm.
sub is_ratio {
    my ($row, $value, $half, $what) = @_;
    is_about($row->{ratio}{value}, $value,              "$what: ratio");
    is_about($row->{ratio}{low},   $value * exp -$half, "$what: lower end");
    is_about($row->{ratio}{high},  $value * exp $half,  "$what: upper end");
    return;
}

subtest 'runs that show how much they vary need no margin' => sub {
    my $verdict = sub {
        my ($runs, @with) = @_;
        my @rates = map { 1000 * exp(0.012 * $_) } ((-1, 0, 1) x 2)[0 .. $runs - 1];
        my $sides = of_pipe(@rates, map { 0.975 * $_ } @rates);
        my $row   = UnixBench::Compare::Comparison::of($sides, sets => [$runs, $runs], @with)->{pairs}[0]{tests}[0];
        ok($row->{ratio}{high} < 1 && $row->{ratio}{high} > 0.98, "$runs runs: 1 is not in the interval") if $runs > 2;
        return $row->{verdict};
    };
    is($verdict->(2),                     'inconclusive', 'two runs of each side');
    is($verdict->(6),                     'slower',       'six');
    is($verdict->(6, min_effect => 0.02), 'inconclusive', 'six, if the user asks for 2 %');
};

subtest 'the difference between runs of the same state widens the interval' => sub {

    # In steps, the logarithms of A are 0 and 1, those of B are 4 and 5. Each state has a sum of squares of 1/2 with one
    # degree of freedom. The variance of the ratio of two means of two runs is that of a run.
    my $comparison = compared(2, of_pipe(100, 110, 146.41, 161.051));
    my ($pair) = @{ $comparison->{pairs} };
    for my $row (@{ $pair->{tests} }, @{ $pair->{indexes} }) {
        my (undef, $half) = deviation(1, 2);    # an index, or mean, of one test varies as that test does
        is_ratio($row, 1.4641, $half, $row->{title} || 'mean');
        is_about($row->{deviation}, STEP * sqrt 0.5, 'the scatter of the runs');
        is($row->{verdict}, 'faster', 'the verdict');
    }
    is_about($pair->{tests}[0]{values}[0]{value}, sqrt(100 * 110), 'the value of a state is the mean of its runs');
    is_about(
        $pair->{tests}[0]{values}[0]{high},
        sqrt(100 * 110) * exp((deviation(1, 2))[1] / sqrt 2),
        'the value of a state has an interval'
    );
    is($comparison->{is_worse},                                     0, 'the comparison is not worse');
    is(compared(2, of_pipe(146.41, 161.051, 100, 110))->{is_worse}, 1, 'the other way round, it is worse');
    my ($alike) = @{ compared(2, of_pipe(100, 110, 103, 113))->{pairs} };
    is($alike->{indexes}[0]{verdict}, 'inconclusive', 'a difference that is small for these runs is inconclusive');
};

subtest 'text reports are compared by classic scores on both sides' => sub {
    my @rates = map { 100 + $_ } 0 .. 8;
    my $best  = exp((log(103) + log(104) + log(105) + log(106) + log(107) + log(108)) / 6);
    my @sides = map {
        my $factor = $_;
        one("r$_", { pipe => [map { $_ * $factor } @rates] })
    } 1, 1.1, 1.331, 1.4641;
    my @texts = map { { label => $_->{label}, summary => classic($_->{summary}) } } @sides;
    for my $case ([@texts], [@texts[0, 1], @sides[2, 3]], [$sides[0], $texts[1], @sides[2, 3]]) {
        my ($pair) = @{ compared(2, $case)->{pairs} };
        my ($row)  = @{ $pair->{tests} };
        is_ratio($row, 1.331, (deviation(1, 2))[1], 'ratio of classic scores');
        is_about($row->{values}[$_]{value}, $best * 1.1**(0.5 + 3 * $_), "classic score of side $_") for 0, 1;
        is($row->{is_trimmed}, 1, 'the row is marked as classic');
    }
    my ($row) = @{ compared(2, \@sides)->{pairs}[0]{tests} };
    is($row->{is_trimmed}, 0, 'without a text report, all passes are compared');
    cmp_ok($row->{values}[0]{value}, '<', $best * sqrt 1.1, 'their mean is lower');
};

subtest 'runs of one number of copies are compared if all results have it' => sub {
    my $run = { pipe => [100] };
    my $of  = sub {
        my @copies = @_;
        return side("of @copies", runs => { map { $_ => $run } @copies });
    };
    my $all = compared(2, [$of->(1, 4), $of->(1, 4), $of->(1, 4), $of->(1, 4)]);
    is_deeply([map { $_->{runs}[0]{copies} } @{ $all->{pairs} }], [1, 4], 'both are compared');
    is_deeply($all->{omissions}, [], 'nothing is omitted');
    my $some = compared(2, [$of->(1, 4), $of->(1), $of->(1, 4), $of->(1, 4, 8)]);
    is_deeply([map { $_->{runs}[0]{copies} } @{ $some->{pairs} }], [1], 'one is compared');
    is_deeply($some->{omissions}, ['4 copies: A2 has no such run', '8 copies: only B2 has such a run',], 'the others');
    is_deeply(
        compared(2, [$of->(1), $of->(2), $of->(1), $of->(1)])->{refusals},
        ['no number of copies in common: A has none in every result, B has 1 copy'],
        'without a common number of copies the comparison is refused'
    );
    my $twice = $of->(1);
    push @{ $twice->{summary}{runs} }, @{ one('x', { pipe => 50 })->{summary}{runs} };
    my ($pair, @more) = @{ compared(2, [$twice, $of->(1), $of->(1), $of->(1)])->{pairs} };
    is_deeply([scalar @more, $pair->{tests}[0]{ratio}{value}], [0, 1], 'the first of two such runs is compared');
};

subtest 'different machines within a state are reported' => sub {
    my %pipe  = (pipe => 100);
    my %usual = (CPU  => 'x', Kernel => '6.1', 'Program pipe' => 'a');
    my $sides = sub {
        my (%odd) = @_;
        my @hosts = map { one("r$_", \%pipe, facts_of(%usual)) } 1 .. 4;
        $hosts[1] = one('odd', \%pipe, facts_of(%usual, %odd), name => 'other', notes => ['changed procedure']);
        return \@hosts;
    };
    my $comparison = compared(2, $sides->(Kernel => '6.2', 'Program pipe' => 'b', 'Mitigation srso' => 'on'));
    my @within     = ('The results of A differ from each other: Kernel, Mitigation srso, Program pipe.');
    is_deeply($comparison->{within},      \@within, 'facts and programs that differ within a state are listed');
    is_deeply($comparison->{differences}, [],       'the states are compared by their first results');
    is($comparison->{sides}[0]{summary}{name}, 'vm and other', 'the side has the names of both hosts');
    is_deeply($comparison->{sides}[0]{summary}{notes}, ['changed procedure'], 'notes of all its results');
    is_deeply(compared(2, $sides->())->{within},       [],                    'equal machines are not listed');
    my @cut = ('The results of A differ from each other: F1, F2, F3, F4, F5, F6, 2 more.');
    is_deeply(compared(2, $sides->(map { ("F$_" => 1) } 1 .. 8))->{within}, \@cut, 'a long list is cut');
    my $between = $sides->();
    $between->[$_]{summary}{facts}{'host.release'} = '7' for 2, 3;
    $comparison = compared(2, $between);
    is_deeply(
        [@$comparison{qw(differences within)}],
        [[{ key => 'host.release', label => 'Kernel', texts => ['6.1', '7'] }], []],
        'a difference between the states is not one within'
    );
};

# Takes the standard deviation of a run; returns how many runs of each state show 2 %, or another difference.
sub runs_needed {
    my ($deviation, @difference) = @_;
    return UnixBench::Compare::Repeated::runs_needed({ log_se => $deviation }, [2, 2], @difference, 0.02);
}

# The largest deviation with which that many runs of each state show a difference with a power of 80 %, as a part of the
# logarithm of the ratio. The noncentral t distribution was integrated numerically, which is not what the module does.
my %LARGEST = (3 => 0.3252, 4 => 0.4203, 5 => 0.4943, 6 => 0.5571, 10 => 0.7548, 20 => 1.1, 50 => 1.7671);

subtest 'the number of runs has a power of 80 %' => sub {
    for my $runs (sort { $a <=> $b } keys %LARGEST) {
        my $deviation = $LARGEST{$runs} * log 1.02;
        is(runs_needed(0.99 * $deviation),  $runs,     "$runs runs are enough below the largest deviation");
        is(runs_needed(1.005 * $deviation), $runs + 1, "one more is needed above it");
    }
    is(runs_needed(0),       2,     'without scatter, two runs');
    is(runs_needed(0.2),     1000,  'a number beyond 1000 is 1000');
    is(runs_needed(0.01, 0), undef, 'no number of runs shows a difference of 0');
};

subtest 'results that fit as one reference' => sub {
    my %slower = (procedure => { kind => 'official', time_factor => 0.1, work_factor => 1 });
    my $number = 0;
    my $of = sub { my ($label, %with) = @_; return one($label, { pipe => [1, 2] }, started => 1e9 + $number++, %with) };
    my $own   = $of->('this run');
    my %other = (
        length => $of->('length', %slower),
        cpu    => $of->('cpu',    facts => { CPU => '2 x Xeon' }),
        text   => { label => 'text', summary => classic($own->{summary}) },
        twice  => { label => 'twice' },
    );
    my @fit = map { $of->($_) } qw(a b);
    $other{twice}{summary} = $fit[0]{summary};
    my @all = (@fit, { %$own, label => 'own' }, @other{qw(length cpu text twice)});
    my ($fitting, @others) = UnixBench::Compare::Repeated::fitting([$own], \@all);
    is_deeply([map { $_->{label} } @$fitting], [qw(a b)], 'the same procedure and CPU, each once, and another run');
    my %why = (
        length => 'does not fit: length of passes (UB_TIME_FACTOR): 1 in this run, 0.1 in the reference',
        cpu    => 'does not fit: CPU: 2 x AMD EPYC in this run, 2 x Xeon in the reference',
        text   => 'does not fit: a text report has no intervals',
        twice  => 'is another file of the run in a',
    );
    is_deeply({ map { @$_ } @others }, { map { $_ => "$_ $why{$_}\n" } keys %why }, 'the others are named');
    ($fitting, @others) = UnixBench::Compare::Repeated::fitting([$own], \@all, 1);
    is_deeply([map { $_->{label} } @$fitting], [qw(a b length cpu)], '--force accepts other kinds');
};

done_testing;
