package UnixBench::Remarks::Remarks;

# Remarks on how far the numbers of a result can be trusted, as data. UnixBench::Remarks::Wording has the words.

use strict;
use warnings;

use UnixBench::Base::Result          qw(is_measured);
use UnixBench::Remarks::Disturbances ();
use UnixBench::Remarks::Machine      ();
use UnixBench::Remarks::Passes       ();
use UnixBench::Score::Spread         ();
use UnixBench::Score::StopRule       ();

# Takes a result, perhaps without runs; returns its remarks, each { kind, run, copies, test, ... }: run is the run's
# place in the list, from 0, test a test's name, both undef if the remark is about the whole result; copies is undef,
# too, if there is only one run. The rest depends on the kind. Disturbances come first, then the machine.
sub of {
    my ($result) = @_;
    my @start    = UnixBench::Remarks::Disturbances::at_start($result);
    my @of_runs  = map { _of_runs($result, $_) } \&_precision, \&_disturbances, \&_tests, \&_clock;
    my @remarks  = (@start, @of_runs, UnixBench::Remarks::Machine::of($result));
    my @wanted   = grep { !_is_covered($_, @remarks) } @remarks;
    return map { +{ run => undef, copies => undef, test => undef, %$_ } } @wanted;
}

# Returns whether another remark covers this one: a quota is covered if it stopped the copies, the tags of the first
# pass alone are covered by the remark on the load at the start.
sub _is_covered {
    my ($remark, @all) = @_;
    return scalar grep { $_->{kind} eq 'throttled' } @all if $remark->{kind} eq 'quota';
    return if !defined $remark->{passes} || $remark->{passes} > 1 || $remark->{run} > 0;
    return scalar grep { $_ eq $remark->{kind} } map { @{ $_->{causes} || [] } } @all;
}

# Returns the remarks that a function makes on each run, with the run's place.
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

# Returns a remark on a run during which the time of day was set.
sub _clock {
    my ($run) = @_;
    return defined $run->{clock_set_s} ? { kind => 'clock', set_s => $run->{clock_set_s} } : ();
}

# Returns a remark on a quick run whose index is less precise than was wanted.
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
