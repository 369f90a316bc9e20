package Comparisons;

# The comparisons that reports are tested with.

use strict;
use warnings;

use Exporter 'import';
use File::Basename ();
use Test::More;

use Cases    qw(%COUNT);
use Fixture  qw(@INDEX measured);
use Machines qw(side spread_rates summary);
use Place    qw(text_of);
use UnixBench::Compare::Comparison;
use UnixBench::Compare::Groups;
use UnixBench::Report::Comparison::Wording;
use UnixBench::Report::Plain qw(in_plain);
use UnixBench::Store::ClassicReport;

our @EXPORT_OK = qw(by_groups compared comparisons distributions found is_about of_groups);

my $CLASSIC = File::Basename::dirname(__FILE__) . '/../data/classic';

# The rates of the tests of the index.
my %RATE = map { $_ => measured($_, 1, $COUNT{$_})->{score} } @INDEX;

# Takes a factor and a step; returns the tests of the index with rates multiplied by the factor and passes a step apart.
sub _tests {
    my ($factor, $step) = @_;
    return { map { $_ => spread_rates($RATE{$_} * $factor, $step) } keys %RATE };
}

# Takes sides, and is_forced or min_effect if they differ from the default; returns the comparison.
sub compared {
    my ($sides, %with) = @_;
    return UnixBench::Compare::Comparison::of($sides, min_effect => 0.02, %with);
}

# Tests that a number is the wanted one, to nine digits.
sub is_about {
    my ($got, $wanted, $what) = @_;
    return cmp_ok(abs($got / $wanted - 1), '<', 1e-9, $what) || diag "$got, not $wanted";
}

# Takes a comparison; returns its findings as a terminal shows them.
sub found {
    my ($comparison) = @_;
    return map { in_plain($_) } UnixBench::Report::Comparison::Wording::findings(@{ $comparison->{pairs} });
}

sub _classic_file {
    my ($name) = @_;
    return { label => $name, summary => UnixBench::Store::ClassicReport::summary(text_of("$CLASSIC/$name")) };
}

sub _worse {
    my %facts = (CPU => '2 x AMD EPYC', Kernel => '6.1.0 #1 SMP', 'Mitigation srso' => 'Not affected');
    return compared([
        side('before.json', runs => { 1 => _tests(1, 0.004) }, facts => \%facts),
        side(
            'after.json',
            runs  => { 1              => { %{ _tests(0.96, 0.004) }, pipe => spread_rates($RATE{pipe}, 0.03) } },
            facts => { %facts, Kernel => '6.18.44 #1 SMP', 'Mitigation srso' => 'Mitigation: Safe RET' }
        ),
    ]);
}

sub _three {
    my @runs = ([1, 3.1], [1.005, 2.6], [1.3, 3.5]);
    my @sides;
    for my $number (0 .. 2) {
        my ($one, $four) = @{ $runs[$number] };
        my %run = (1 => { pipe => spread_rates(1000 * $one, 0.002), spawn => spread_rates(50 * $one, 0.01) });
        $run{4} = { pipe => spread_rates(1000 * $four, 0.002), spawn => spread_rates(50 * $four, 0.01) };
        push @sides, side("results/kernel-$number.json", runs => \%run);
    }
    return compared(\@sides);
}

sub _nasty { return qq{<b>"&'\t\e[31m\n\xff System Benchmarks Index Score 9 } . '-' x 20 }

sub _forced {
    my %hostile = (flags => _nasty(), name => _nasty(), notes => [_nasty()], facts => { _nasty() => _nasty() });
    my %tests   = (pipe  => spread_rates(1000, 0.01), hanoi => [5, 6]);
    my $quick   = { kind => 'quick', time_factor => 1, work_factor => 1 };
    my @sides   = (
        side(
            _nasty(),
            runs => { 1 => { %tests, syscall => 'failed: ' . _nasty(), execl => [1, 2] } },
            %hostile
        ),
        side('b.json', runs => { 1 => { %tests, syscall => [5, 7] } }, procedure => $quick),
    );
    return compared(\@sides, is_forced => 1);
}

# Two results of each of two states. The kernel of one result is another one, and one result has a run that the others
# do not have.
sub _sets {
    my %usual   = (CPU => '2 x AMD EPYC', Kernel => '6.1.0 #1 SMP');
    my @factors = ([1, 3.1], [1.02, 3.15], [1.02, 3.4], [1.05, 3.41]);
    my @sides;
    for my $number (0 .. 3) {
        my ($one, $four) = @{ $factors[$number] };
        my $kernel = $number == 1 ? '6.1.1 #1 SMP' : '6.1.0 #1 SMP';
        push @sides,
            side(
            'run-' . ($number + 1) . '.json',
            runs  => { 1 => _tests($one, 0.004), 4 => _tests($four, 0.004) },
            facts => { %usual, Kernel => $kernel },
            notes => $number == 1 ? ['changed procedure'] : [],
            );
    }
    push @{ $sides[0]{summary}{runs} }, @{ summary(runs => { 8 => _tests(4, 0.004) })->{runs} };
    return compared(\@sides, sets => [2, 2]);
}

# Takes the name of a label, and sides that have it; returns the comparison of the groups with the same value.
sub by_groups {
    my ($by, @sides) = @_;
    my (@names, %group);
    for my $side (@sides) {
        my $name = $side->{summary}{labels}{$by};
        push @names,             $name if !$group{$name};
        push @{ $group{$name} }, $side;
    }
    return of_groups($by, undef, map { { name => $_, sides => $group{$_} } } @names);
}

# Takes by and same, see UnixBench::Compare::Groups, and groups, each { name, sides }; returns their comparison.
sub of_groups {
    my ($by, $same, @groups) = @_;
    my $comparison = compared(
        [map { @{ $_->{sides} } } @groups],
        sets   => [map { scalar @{ $_->{sides} } } @groups],
        groups => [map { $_->{name} } @groups]
    );
    return { %$comparison, groups => UnixBench::Compare::Groups::of($comparison, $by, $same) };
}

# Takes the number of distributions, the number of runs of each, and perhaps the names of tests; returns the comparison
# of these groups. They have other kernels and compilers, too, and a test of the second one fails.
sub distributions {
    my ($count, $runs, @names_of_tests) = @_;
    @names_of_tests = keys %RATE if !@names_of_tests;
    my @names = qw(debian12 debian13 ubuntu24.04 fedora43 alpine3.22 opensuse-tumbleweed-20261120 arch void gentoo);
    my @sides;
    for my $run (1 .. $runs) {
        for my $number (0 .. $count - 1) {
            my $factor = (1, 0.93, 1.03, 1.002, 0.6, 1.21, 0.97, 2.5, 12)[$number] * (1, 1.004, 0.997)[$run - 1];
            my (%tests, %four);
            @tests{@names_of_tests} = @{ _tests($factor,     0.004) }{@names_of_tests};
            @four{@names_of_tests}  = @{ _tests(3 * $factor, 0.004) }{@names_of_tests};
            $tests{spawn}           = 'failed: exit status 3' if $number == 1;
            push @sides,
                side(
                "$names[$number]-$run.html",
                runs   => { 1            => \%tests,         4     => \%four },
                labels => { distribution => $names[$number], round => $run },
                facts  => {
                    CPU      => '2 x AMD EPYC',
                    Kernel   => '6.' . (1 + int $number / 2) . '.0',
                    Compiler => $number % 2 ? 'gcc 14.2' : 'gcc 12.2'
                },
                );
        }
    }
    return by_groups(distribution => @sides);
}

# Returns the comparisons as a list of name => comparison.
sub comparisons {
    my @few = qw(pipe spawn syscall);
    return (
        worse   => _worse(),
        three   => _three(),
        forced  => _forced(),
        sets    => _sets(),
        groups  => distributions(7, 3, @few),
        classic => compared([map { _classic_file($_) } '1-copy', '4-copies']),
    );
}

1;
