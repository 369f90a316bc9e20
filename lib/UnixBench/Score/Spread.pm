package UnixBench::Score::Spread;

# How far the passes of a test lie apart, and how sure its score and an index are. All of it is of all passes: the
# score of an official run, which leaves out the worst third, mostly lies above its own interval.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Result        qw(is_measured);
use UnixBench::Noise::Disturbances ();
use UnixBench::Score::Estimate     ();
use UnixBench::Score::Modes        ();
use UnixBench::Score::Rounds       ();
use UnixBench::Score::Score        ();
use UnixBench::Score::Stats        qw(geometric_mean mean median standard_deviation);

# Takes a test, and the number of rounds of a quick run, undef for an official one; returns { passes, median, mean, sd,
# cv, min, max, modes, estimate, undisturbed } of the rates of its passes, sd the standard deviation, cv the coefficient
# of variation, both undef for one pass, modes as in UnixBench::Score::Modes, estimate as in UnixBench::Score::Estimate,
# undisturbed the estimate of the passes without a tag "disturbed", undef where no pass has one, or each; undef when
# the test was not measured.
sub of_test {
    my ($test, $rounds) = @_;
    return if !is_measured($test);
    my $passes   = $test->{passes};
    my $estimate = sub { _estimate_of_test($rounds, @_) };
    return {
        _of_rates(_rates($passes)),
        modes       => scalar UnixBench::Score::Modes::of(_rates($passes)),
        estimate    => $estimate->($passes),
        undisturbed => scalar _undisturbed($estimate, $passes),
    };
}

# Takes a run; returns { name => spread } of its measured tests.
sub of_run {
    my ($run) = @_;
    return { map { $_->{name} => of_test($_, $run->{rounds}) } grep { is_measured($_) } @{ $run->{tests} } };
}

# Takes an index and its run; returns { estimate, undisturbed } of the index, the latter of all passes of its tests
# without a tag "disturbed", undef where no pass has one, or each pass of a test.
sub of_index {
    my ($index, $run) = @_;
    my %passes    = map  { $_->{name} => $_->{passes} } @{ $run->{tests} };
    my @rows      = grep { defined $_->{baseline} } @{ $index->{rows} };
    my $factor    = 10 / geometric_mean(map { $_->{baseline} } @rows);
    my $estimate  = sub { _estimate_of_index($run->{rounds}, $factor, @_) };
    my @of_passes = map { $passes{ $_->{name} } } @rows;
    return { estimate => $estimate->(@of_passes), undisturbed => scalar _undisturbed($estimate, @of_passes) };
}

sub _rates {
    my ($passes) = @_;
    return map { UnixBench::Score::Score::rate($_) } @$passes;
}

sub _of_rates {
    my (@rates) = @_;
    my $mean    = mean(@rates);
    my $sd      = @rates > 1 ? standard_deviation(@rates) : undef;
    return (
        passes => scalar @rates,
        median => median(@rates),
        mean   => $mean,
        sd     => $sd,
        cv     => defined $sd ? $sd / $mean : undef,
        min    => List::Util::min(@rates),
        max    => List::Util::max(@rates),
    );
}

sub _estimate_of_test {
    my ($rounds, $passes) = @_;
    return UnixBench::Score::Estimate::of_rates(_rates($passes)) if !defined $rounds;
    return UnixBench::Score::Rounds::of_test(_score($passes), _rates($passes));
}

# Takes the passes of each test; the factor makes an index of their mean.
sub _estimate_of_index {
    my ($rounds, $factor, @of_passes) = @_;
    return UnixBench::Score::Rounds::of_index($factor * geometric_mean(map { _score($_) } @of_passes),
        map { _by_round($_) } @of_passes)
        if defined $rounds;
    my @estimates = map { _estimate_of_test(undef, $_) } @of_passes;
    return UnixBench::Score::Estimate::multiple(UnixBench::Score::Estimate::geometric_mean(@estimates), $factor);
}

sub _score {
    my ($passes) = @_;
    return UnixBench::Score::Score::test_of_rounds($passes)->{score};
}

sub _by_round {
    my ($passes) = @_;
    return { map { $_->{number} => UnixBench::Score::Score::rate($_) } @$passes };
}

# What a function says of the passes of some tests when those that were disturbed are left out.
sub _undisturbed {
    my ($estimate, @of_passes) = @_;
    return if !grep { UnixBench::Noise::Disturbances::is_disturbed($_) } map { @$_ } @of_passes;
    my @left = map { _without_disturbed($_) } @of_passes;
    return if grep { !@$_ } @left;
    return $estimate->(@left);
}

sub _without_disturbed {
    my ($passes) = @_;
    return [grep { !UnixBench::Noise::Disturbances::is_disturbed($_) } @$passes];
}

1;
