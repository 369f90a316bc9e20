package UnixBench::Result::Sense;

# Whether values that were read, each of the right kind, make sense together: what all that works on results relies on.

use strict;
use warnings;

use UnixBench::Result qw(is_measured);

my @COUNTED  = qw(count time_s timebase unit);
my @MEASURED = qw(score unit time_s samples dropped kept);
my @SPREAD   = qw(low high log_se df);

# Takes a pass; dies with one line when it has neither count nor error, or both.
sub check_pass {
    my ($pass) = @_;
    my $wanted = defined $pass->{error} ? 0 : @COUNTED;
    die "a pass with neither count nor error\n" if _known($pass, @COUNTED) != $wanted;
    return;
}

# Takes a result; dies with one line when something in it contradicts something else.
sub check_result {
    my ($result) = @_;
    for my $run (@{ $result->{runs} }) {
        _check_names($run);
        _check_test($_) for @{ $run->{tests} };
        my %measured = map { $_->{name} => 1 } grep { is_measured($_) } @{ $run->{tests} };
        _check_index($_, \%measured) for @{ $run->{indexes} };
    }
    return;
}

# Takes a summary; dies with one line when something in it contradicts something else.
sub check_summary {
    my ($summary) = @_;
    for my $run (@{ $summary->{runs} }) {
        _check_names($run);
        for my $test (grep { is_measured($_) } @{ $run->{tests} }) {
            die "$test->{name} is measured, but has no value\n" if _known($test, qw(score unit passes estimate)) != 4;
        }
        _check_estimate($_) for grep { defined } map { $_->{estimate} } @{ $run->{tests} };
        _check_estimate($_) for map { $_->{estimate} // {} } @{ $run->{indexes} };
    }
    return;
}

sub _check_names {
    my ($run) = @_;
    my %seen;
    for my $name (map { $_->{name} } @{ $run->{tests} }) {
        die "$name is there twice\n" if $seen{$name}++;
    }
    return;
}

sub _check_test {
    my ($test) = @_;
    my @passes = @{ $test->{passes} };
    my $number = 0;
    for my $pass (@passes) {
        die "$test->{name}: passes out of turn\n" if $pass->{number} != ++$number;
        check_pass($pass);
    }
    my $is_good = @passes && !grep { defined $_->{error} } @passes;
    my $wanted  = is_measured($test) ? @MEASURED : 0;
    die "$test->{name}: status and score do not fit\n" if _known($test, @MEASURED) != $wanted || $wanted && !$is_good;
    return;
}

sub _check_index {
    my ($index, $measured) = @_;
    my ($row) = grep { !$measured->{ $_->{name} } } @{ $index->{rows} };
    die "an index of $row->{name}, which was not measured\n" if $row;
    die "an index without a baseline\n" if !grep { defined $_->{baseline} } @{ $index->{rows} };
    return;
}

sub _check_estimate {
    my ($estimate) = @_;
    my $known = _known($estimate, @SPREAD);
    my ($value, $low, $high, $df) = @$estimate{qw(value low high df)};
    return if defined $value && !$known;
    die "an interval that does not hold its value\n"
        if !defined $value || $known != @SPREAD || $low > $value || $value > $high || $df < 1;
    return;
}

# How many of these are defined.
sub _known {
    my ($data, @keys) = @_;
    return scalar grep { defined $data->{$_} } @keys;
}

1;
