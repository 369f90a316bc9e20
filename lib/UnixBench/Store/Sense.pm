package UnixBench::Store::Sense;

# Checks that the values of a file make sense together. UnixBench::Base::Shape has already checked the kind of each
# value. All other modules rely on these checks.

use strict;
use warnings;

use UnixBench::Base::Result qw(is_measured);
use UnixBench::Score::Score ();

# Limits of valid results. Even very many passes have fewer degrees of freedom than DF_MOST.
use constant { LOG_SE_MOST => 700, DF_MOST => 1e7, CV_MOST => 1e6 };

my @COUNTED  = qw(count time_s timebase unit);
my @MEASURED = qw(score unit time_s samples dropped kept);
my @SPREAD   = qw(low high log_se df);

my $NUMBER = qr/\A-?[0-9]+(?:[.][0-9]+)?(?:[eE][-+]?[0-9]{1,3})?\z/;

# Takes a pass; dies with one line unless it has either its counted values or an error, and if these or those of its
# copies make no sense.
sub check_pass {
    my ($pass) = @_;
    my $wanted = defined $pass->{error} ? 0 : @COUNTED;
    die "a pass must have either a count or an error\n" if _known($pass, @COUNTED) != $wanted;
    _check_counted($pass) if !defined $pass->{error};
    die "a copy has no valid count\n" if grep { !_has_counted($_) } @{ $pass->{copies} };
    return;
}

# Takes a result; dies with one line if its values contradict each other.
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

# Takes a summary; dies with one line if its values contradict each other.
sub check_summary {
    my ($summary) = @_;
    for my $run (@{ $summary->{runs} }) {
        _check_names($run);
        for my $test (grep { is_measured($_) } @{ $run->{tests} }) {
            die "$test->{name} is measured, but a value is missing\n"
                if _known($test, qw(score unit passes estimate)) != 4;
        }
        for my $test (@{ $run->{tests} }) {
            die "$test->{name}: the variation is out of range\n" if ($test->{cv} // 0) > CV_MOST;
            _check_estimate($test->{estimate}) if $test->{estimate};
        }
        _check_quiet($_) for grep { $_->{quiet} } @{ $run->{tests} }, @{ $run->{indexes} };
        _check_estimate($_) for map { $_->{lacking} ? () : $_->{estimate} // {} } @{ $run->{indexes} };
    }
    return;
}

# Takes a test or an index; dies with one line unless it has enough quiet passes where it says so.
sub _check_quiet {
    my ($item)  = @_;
    my $quiet   = $item->{quiet};
    my $is_loud = grep { $_->{badly} } @{ $item->{other_load} || [] };
    die "$item->{title}: more passes are quiet than there are\n" if $quiet->{passes} > $quiet->{of};
    die "$item->{title}: the value of the quiet passes is missing\n"
        if $is_loud && $quiet->{is_enough} && !$quiet->{estimate};
    _check_estimate($quiet->{estimate}) if $quiet->{estimate};
    return;
}

sub _check_names {
    my ($run) = @_;
    my %seen;
    for my $name (map { $_->{name} } @{ $run->{tests} }) {
        die "$name appears twice\n" if $seen{$name}++;
    }
    return;
}

sub _check_test {
    my ($test) = @_;
    my @passes = @{ $test->{passes} };
    my $number = 0;
    for my $pass (@passes) {
        die "$test->{name}: the passes are out of order\n" if $pass->{number} != ++$number;
        die "$test->{name}: $@" if !eval { check_pass($pass); 1 };
    }
    my $is_good = @passes && !grep { defined $_->{error} } @passes;
    my $wanted  = is_measured($test) ? @MEASURED : 0;
    die "$test->{name}: its status and its score contradict each other\n"
        if _known($test, @MEASURED) != $wanted || $wanted && !$is_good;
    die "$test->{name}: $@" if $test->{observed} && !eval { check_observed($test->{observed}); 1 };
    return;
}

# Takes the observation of a test; dies with one line unless it has either calls or an error, or if its slowdown is
# absurd.
sub check_observed {
    my ($observed) = @_;
    die "an observation must have either calls or an error\n" if _known($observed, qw(calls error)) != 1;
    die "the slowdown of an observation is out of range\n"
        if !UnixBench::Score::Score::is_sensible($observed->{slowdown} // 1);
    return;
}

sub _check_counted {
    my ($pass) = @_;
    my @copies = @{ $pass->{copies} } or die "a pass has no copies\n";
    die "a copy failed in a pass without an error\n" if grep { defined $_->{error} } @copies;
    die "a rate is out of range\n"
        if !UnixBench::Score::Score::is_sensible(UnixBench::Score::Score::rate($pass));
    return;
}

# Returns whether a copy has an error, or has all counted values and numbers in its lines COUNT and TIME.
sub _has_counted {
    my ($copy) = @_;
    return 1 if defined $copy->{error};
    return if _known($copy, @COUNTED) != @COUNTED;
    my ($lines, $count, $time_s) = $copy->{data};
    ($count)  = @{ $lines->{COUNT} || [] };
    ($time_s) = @{ $lines->{TIME}  || [0] };
    return !grep { $_ !~ $NUMBER } map { $_ // q{} } $count, $time_s;
}

sub _check_index {
    my ($index, $measured) = @_;
    my ($row) = grep { !$measured->{ $_->{name} } } @{ $index->{rows} };
    die "an index has the test $row->{name}, which was not measured\n" if $row;
    die "an index must have either a number or a reason\n"
        if _known($index, qw(index lacking)) != 1 || _known($index, qw(index mean_of_others)) != 1;
    my @baselines = grep { defined } map { $_->{baseline} } @{ $index->{rows} };
    die "an index has no baseline\n" if !@baselines;
    die "a baseline is out of range\n" if grep { !UnixBench::Score::Score::is_sensible($_) } @baselines;
    return;
}

sub _check_estimate {
    my ($estimate) = @_;
    my $known = _known($estimate, @SPREAD);
    my ($value, $low, $high, $log_se, $df) = @$estimate{qw(value low high log_se df)};
    return if defined $value && !$known;
    die "an interval does not contain its value\n"
        if !defined $value || $known != @SPREAD || $low > $value || $value > $high;
    die "an interval is out of range\n" if $log_se > LOG_SE_MOST || $df < 1 || $df > DF_MOST;
    return;
}

# Takes data and keys; returns how many of these keys have a value.
sub _known {
    my ($data, @keys) = @_;
    return scalar grep { defined $data->{$_} } @keys;
}

1;
