package UnixBench::Warnings::All;

# Warnings about the numbers of a result, as data. UnixBench::Warnings::Wording has their texts.

use strict;
use warnings;

use UnixBench::Base::Result           qw(is_measured);
use UnixBench::Noise::Causes          ();
use UnixBench::Plan::Plan             ();
use UnixBench::Warnings::Disturbances ();
use UnixBench::Warnings::Machine      ();
use UnixBench::Warnings::Passes       ();
use UnixBench::Score::Spread          ();
use UnixBench::Score::StopRule        ();

# Takes a result, perhaps without runs. Returns its warnings: those about the start, then those about the runs, then
# those about the machine. Each has the keys below and the values of its kind.
#   kind    the kind
#   run     the position of the run in the result, from 0, or undef if the warning is about the whole result
#   copies  the number of copies of that run, or undef if there is only one run
#   test    the name of the test, or undef if the warning is not about a single test
sub of {
    my ($result) = @_;
    my @start    = UnixBench::Warnings::Disturbances::at_start($result);
    my @of_runs  = map { _of_runs($result, $_) } \&_overtime, \&_precision, \&_disturbances, \&_tests, \&_clock;
    my @warnings = (@start, @of_runs, UnixBench::Warnings::Machine::of($result));
    my @wanted   = grep { !_is_covered($_, @warnings) } @warnings;
    return map { +{ run => undef, copies => undef, test => undef, %$_ } } @wanted;
}

# Returns whether another warning makes this one superfluous. For example, a quota needs no warning if there is one that
# it stopped the copies. A disturbance of a single pass needs none if the warning about the load at the start has its
# cause.
sub _is_covered {
    my ($warning, @all) = @_;
    return 1 if grep { (UnixBench::Noise::Causes::has($_->{kind}, 'covers') // q{}) eq $warning->{kind} } @all;
    return if !defined $warning->{passes} || $warning->{passes} > 1 || $warning->{run} > 0;
    return scalar grep { $_ eq $warning->{kind} } map { @{ $_->{causes} || [] } } @all;
}

# Takes a result and a function that returns the warnings of a run. Returns them for all runs, each with its run and
# copies.
sub _of_runs {
    my ($result, $of) = @_;
    my @runs = @{ $result->{runs} };
    my @warnings;
    for my $number (0 .. $#runs) {
        my %place = (run => $number, copies => @runs > 1 ? $runs[$number]{copies} : undef);
        push @warnings, map { +{ %place, %$_ } } $of->($runs[$number], $result->{procedure});
    }
    return @warnings;
}

sub _disturbances {
    my ($run) = @_;
    return UnixBench::Warnings::Disturbances::warnings($run);
}

sub _tests {
    my ($run) = @_;
    my $spreads = UnixBench::Score::Spread::of_run($run);
    return map { UnixBench::Warnings::Passes::of_test($_, $spreads->{ $_->{name} }) } @{ $run->{tests} };
}

# Returns a warning if the time of day was set during the run.
sub _clock {
    my ($run) = @_;
    return defined $run->{clock_set_s} ? { kind => 'clock', set_s => $run->{clock_set_s} } : ();
}

# Returns a warning if the first three rounds of a quick run, which are always made, took longer than its time limit.
# The times of a run that was resumed, or whose clock was set, are unknown.
sub _overtime {
    my ($run, $procedure) = @_;
    my $limit_s = $procedure->{max_time_s};
    return if !defined $limit_s || ($run->{rounds} // 0) != UnixBench::Plan::Plan::ROUNDS_LEAST;
    return if $procedure->{resumptions} || defined $run->{clock_set_s} || !defined $run->{ended};
    my $took_s = $run->{ended} - $run->{started};
    return $took_s > $limit_s ? { kind => 'overtime', took_s => $took_s, limit_s => $limit_s } : ();
}

# Returns a warning if the index of a quick run is less precise than requested.
sub _precision {
    my ($run, $procedure) = @_;
    return if !defined $run->{rounds} || !grep { is_measured($_) } @{ $run->{tests} };
    my $reached = UnixBench::Score::StopRule::precision_of($run);
    my ($half_width, $wanted) = ($reached->{half_width}, $procedure->{precision});
    return if !defined $wanted || defined $half_width && $half_width <= $wanted;
    my %title = map { $_->{name} => $_->{title} } @{ $run->{tests} };
    return {
        kind       => 'precision',
        rounds     => $run->{rounds},
        wanted     => $wanted,
        half_width => $half_width,
        of         => $reached->{of},
        is_index   => $reached->{is_index},
        costly     => keys %title > 1 ? [map { $title{$_} } @{ $reached->{costly} }] : [],
    };
}

1;
