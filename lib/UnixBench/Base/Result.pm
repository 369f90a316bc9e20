package UnixBench::Base::Result;

# Questions about a result: names, titles and order of its tests, its baseline, its end, its kinds of CPU.

use strict;
use warnings;

use Exporter 'import';
use List::Util ();

our @EXPORT_OK = qw(@SUFFIXES baseline cpu_kinds end_s is_measured names tests_by_title titles unmeasured);

# All files of a result have the same base name, followed by one of these suffixes. The text report has no suffix.
our @SUFFIXES = qw(.log .html .csv .json .journal);

# Takes a test; returns whether it has a score.
sub is_measured {
    my ($test) = @_;
    return $test->{status} eq 'measured';
}

# Takes a test without a score; returns the text that every report shows instead of the score.
sub unmeasured {
    my ($test) = @_;
    my $reason = $test->{reason};
    return 'no measured results: ' . (defined $reason && length $reason ? $reason : $test->{status});
}

# Takes a result; returns its baseline as far as its indexes contain it, { name => { score } }, see
# UnixBench::Plan::Baseline.
sub baseline {
    my ($result) = @_;
    my @rows = map { @{ $_->{rows} } } map { @{ $_->{indexes} } } @{ $result->{runs} };
    return { map { $_->{name} => { score => $_->{baseline} } } grep { defined $_->{baseline} } @rows };
}

# Takes a result; returns when its last run ended, in seconds since 1970, or undef if none has ended yet.
sub end_s {
    my ($result) = @_;
    return List::Util::max(grep { defined } map { $_->{ended} } @{ $result->{runs} });
}

# Takes a result; returns the names of all tests of all runs, each once.
sub names {
    my ($result) = @_;
    my %seen;
    return grep { !$seen{$_}++ } map { $_->{name} } map { @{ $_->{tests} } } @{ $result->{runs} };
}

# Takes tests; returns them in the order of the reports: by the bytes of their titles.
sub tests_by_title {
    my ($tests) = @_;
    my @sorted = sort { $a->{title} cmp $b->{title} } @{$tests};
    return @sorted;
}

# Takes a result; returns the titles of all tests of all runs, each once, in the order of the reports.
sub titles {
    my ($result) = @_;
    my %seen     = map { $_->{title} => 1 } map { @{ $_->{tests} } } @{ $result->{runs} };
    my @titles   = sort keys %seen;
    return @titles;
}

# Takes CPUs; returns { ids => "0-63,128", cpu => the first one } for each model, in order of appearance.
sub cpu_kinds {
    my ($cpus) = @_;
    my (%ids, @kinds);
    for my $cpu (@{$cpus}) {
        my $model = defined $cpu->{model} ? $cpu->{model} : '';
        push @kinds, { cpu => $cpu, all => $ids{$model} = [] } if !$ids{$model};
        push @{ $ids{$model} }, $cpu->{id};
    }
    return map { +{ ids => _ranges(@{ $_->{all} }), cpu => $_->{cpu} } } @kinds;
}

sub _ranges {
    my (@ids) = @_;
    my @ranges;
    for my $id (@ids) {
        if (@ranges && $ranges[-1][1] + 1 == $id) { $ranges[-1][1] = $id }
        else                                      { push @ranges, [$id, $id] }
    }
    return join ',', map { $_->[0] == $_->[1] ? $_->[0] : "$_->[0]-$_->[1]" } @ranges;
}

1;
