# Tests of UnixBench::Why::Factors: the division of a ratio into factors.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../lib ../../../t/lib);
use UnixBench::Why::Factors;
use UnixBench::Score::Work;

use constant CLOSE => 1e-9;

# Takes the differences from a usual side: a loop of 1000 cycles at 1 GHz, half of them in the kernel, without errors.
sub side {
    my (%differ) = @_;
    return { rate => 1e6, cpu => 1, cpu_s => 10, user => 0.5, clock_mhz => 1000, errors => undef, %differ };
}

# Takes two sides; returns { factor => value } at the level that is possible.
sub values_of {
    my (@sides) = @_;
    my $level   = UnixBench::Why::Factors::level(@sides, 1);
    my $factors = UnixBench::Why::Factors::of_test($level, @sides)->{factors};
    return { map { $_ => $factors->{$_}{value} } keys %$factors };
}

sub product {
    my ($values) = @_;
    my $product = 1;
    $product *= $_ for values %$values;
    return $product;
}

sub is_near {
    my ($value, $wanted, $name) = @_;
    return cmp_ok(abs($value / $wanted - 1), '<', CLOSE, $name) || diag "$value, not $wanted";
}

subtest 'one factor at a time' => sub {
    my %cases = (
        cpu    => { rate => 5e5, cpu       => 0.5 },
        clock  => { rate => 5e5, clock_mhz => 500 },
        user   => { rate => 5e5, user      => 0.75 },
        kernel => { rate => 5e5, user      => 0.25 },
    );
    for my $name (sort keys %cases) {
        my $values = values_of(side(), side(%{ $cases{$name} }));
        is_near($values->{$_}, $_ eq $name ? 0.5 : 1, "$name differs: $_") for qw(cpu clock user kernel);
    }
};

# A generator with a seed of its own, so that each machine has the same numbers.
my $state = 1;
sub random { $state = $state * 16_807 % (2**31 - 1); return $state / 2**31 }

sub any_side {
    return side(
        rate      => exp(20 * random()),
        cpu       => 0.01 + 8 * random(),
        cpu_s     => random() < 0.2 ? random() : 1 + 100 * random(),
        user      => random() < 0.1 ? 0     : random() < 0.1 ? 1 : random(),
        clock_mhz => random() < 0.2 ? undef : 100 + 5000 * random(),
    );
}

subtest 'the factors multiply to the ratio' => sub {
    my ($worst, %levels) = (0);
    for (1 .. 10_000) {
        my @sides = (any_side(), any_side());
        my $off   = abs(product(values_of(@sides)) / ($sides[1]{rate} / $sides[0]{rate}) - 1);
        $worst = $off if $off > $worst;
        $levels{ UnixBench::Why::Factors::level(@sides, 1) }++;
    }
    cmp_ok($worst, '<', CLOSE, 'of 10,000 pairs of random sides');
    is_deeply([sort keys %levels], [0, 1, 2], 'with all levels');
};

subtest 'what can be told apart' => sub {
    my $level = \&UnixBench::Why::Factors::level;
    is($level->(side(), side(),                   1), 2,     'everything');
    is($level->(side(), side(cpu_s => 0.99),      1), 1,     'fewer than 100 ticks: not the modes');
    is($level->(side(), side(clock_mhz => undef), 1), 0,     'a clock is unknown');
    is($level->(side(), side(),                   0), 0,     'the clocks can not be compared');
    is($level->(side(), side(cpu => undef),       1), undef, 'the CPU time is unknown');
    is($level->(side(), undef,                    1), undef, 'nothing is known');
};

subtest 'intervals' => sub {
    my %errors = (df => 4, cpu => 1e-4, clock => 4e-4, loop => 9e-4, user => 1e-4, kernel => 1e-4, both => 0);
    my @sides  = (side(errors => \%errors), side(errors => { %errors, df => 4 }));
    my $of     = UnixBench::Why::Factors::of_test(2, @sides)->{factors};
    is_near($of->{cpu}{log_se}, sqrt 2e-4, 'of the CPU time');
    is_near($of->{cpu}{df},     8,         'their degrees of freedom');
    is(sprintf('%.5f', $of->{$_}{log_se}), sprintf('%.5f', sqrt 2e-4), "of the $_ work of equal sides")
        for qw(user kernel);
    my $work = UnixBench::Why::Factors::of_test(1, @sides)->{factors}{work};
    is_near($work->{log_se}, sqrt 4e-4, 'of all work');
    my $single = UnixBench::Why::Factors::of_test(2, side(), side(errors => \%errors))->{factors};
    is_deeply([map { $single->{$_}{low} } sort keys %$single], [(undef) x 4], 'with a single pass there is none');
};

# One of eight passes has a quarter of the clock of all others.
subtest 'a clock that passes do not agree on' => sub {
    my @mhz = (3100) x 8;
    my $of  = sub {
        my (@clocks) = @_;
        my @passes = map {
            +{
                count    => 1000,
                time_s   => 1,
                timebase => 1,
                copies   => [{ elapsed_s => 1 }],
                used     => { user_s => 0.9, kernel_s => 0.1, clock_mhz => $_ }
            }
        } @clocks;
        return UnixBench::Score::Work::of_test({ category => 'system', passes => \@passes });
    };
    my $level = sub { return UnixBench::Why::Factors::level(@_, 1) };
    is($level->($of->(@mhz), $of->(@mhz)),              2, 'passes that agree');
    is($level->($of->(@mhz), $of->(@mhz[1 .. 7], 822)), 0, 'one that does not: there is no factor of the clock');
};

done_testing;
