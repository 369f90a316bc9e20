package UnixBench::Remarks::Remarks;

# How far the numbers of a result can be trusted: what its reader should know beside its notes, as data. The words for
# it are in UnixBench::Remarks::Wording.

use strict;
use warnings;

use UnixBench::Base::Result          qw(is_measured);
use UnixBench::Remarks::Disturbances ();
use UnixBench::Remarks::Machine      ();
use UnixBench::Remarks::Passes       ();
use UnixBench::Score::Spread         ();
use UnixBench::Score::StopRule       ();

# Takes a result, perhaps without runs; returns its remarks, each { kind, run, copies, test, ... }: run is its place in
# the list of runs, from 0, test a test's name, both undef where it is of the whole; copies is undef, too, where there
# is but one run. The rest depends on the kind. What disturbed comes first, then what the machine is like.
sub of {
    my ($result) = @_;
    my @start    = UnixBench::Remarks::Disturbances::at_start($result);
    my @of_runs  = map { _of_runs($result, $_) } \&_precision, \&_disturbances, \&_tests, \&_clock;
    my @remarks  = (@start, @of_runs, UnixBench::Remarks::Machine::of($result));
    my @unsaid   = grep { !_is_said($_, @remarks) } @remarks;
    return map { +{ run => undef, copies => undef, test => undef, %$_ } } @unsaid;
}

# Whether another remark says it, too: that a quota stopped the copies, or what the tags of the first pass alone tell.
sub _is_said {
    my ($remark, @all) = @_;
    return scalar grep { $_->{kind} eq 'throttled' } @all if $remark->{kind} eq 'quota';
    return if !defined $remark->{passes} || $remark->{passes} > 1 || $remark->{run} > 0;
    return scalar grep { $_ eq $remark->{kind} } map { @{ $_->{causes} || [] } } @all;
}

# What a function says of each run, with the run's place.
sub _of_runs {
    my ($result, $of) = @_;
    my @runs = @{ $result->{runs} };
    my @remarks;
    for my $number (0 .. $#runs) {
        my %place = (run => $number, copies => @runs > 1 ? $runs[$number]{copies} : undef);
        push @remarks, map { +{ %place, %$_ } } $of->($runs[$number], $result->{procedure});
    }
    return @remarks;
}

sub _disturbances {
    my ($run) = @_;
    return UnixBench::Remarks::Disturbances::remarks($run);
}

sub _tests {
    my ($run) = @_;
    my $spreads = UnixBench::Score::Spread::of_run($run);
    return map { UnixBench::Remarks::Passes::of_test($_, $spreads->{ $_->{name} }) } @{ $run->{tests} };
}

# Of a run in which the time of day was set.
sub _clock {
    my ($run) = @_;
    return defined $run->{clock_set_s} ? { kind => 'clock', set_s => $run->{clock_set_s} } : ();
}

# Of a quick run whose index is not as sure as it was to be.
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
