package UnixBench::Score::Profile;

# The values of the tests of a run, for its tables and pictures.

use strict;
use warnings;

use UnixBench::Base::Result        qw(tests_by_title unmeasured);
use UnixBench::Noise::Disturbances ();
use UnixBench::Score::Estimate     ();
use UnixBench::Score::Score        ();

# Takes a run and the spreads of its tests, see UnixBench::Score::Spread::of_run. Returns the values of its tests, in
# the order of reports. Each is the spread of a test with
#   name, title, unit  those of the test
#   classic            its classic index
#   reason             why the test was not measured: then it has only a name and a title
sub rows {
    my ($run, $spreads) = @_;
    my %classic = map { $_->{name} => $_->{index} } map { @{ $_->{rows} } } @{ $run->{indexes} };
    return map { _row($_, $spreads->{ $_->{name} }, $classic{ $_->{name} }) } tests_by_title($run->{tests});
}

sub _row {
    my ($test, $spread, $classic) = @_;
    my %named = map { $_ => $test->{$_} } qw(name title);
    return $spread
        ? { %$spread, %named, unit => $test->{unit}, classic => $classic }
        : { %named, reason => unmeasured($test) };
}

# Takes a run and the spreads of its tests; returns { name => profile } of the tests with an index. A profile has the
# name and indexes from all passes:
#   estimate  the estimate of the index
#   modes     [{ index, share }, ...], or undef
#   passes    [{ number, index, is_disturbed }, ...]
sub of_tests {
    my ($run, $spreads) = @_;
    my %test = map { $_->{name} => $_ } @{ $run->{tests} };
    my %profile;
    for my $row (grep { defined $_->{baseline} } map { @{ $_->{rows} } } @{ $run->{indexes} }) {
        my $name    = $row->{name};
        my $profile = _profile($test{$name}, 10 / $row->{baseline}, $spreads->{$name});
        $profile{$name} = { name => $name, %$profile };
    }
    return \%profile;
}

# Takes a test, the index of a rate of 1, and the spread of the test; returns its profile.
sub _profile {
    my ($test, $factor, $spread) = @_;
    my ($modes, @passes) = ($spread->{modes}, @{ $test->{passes} });
    return {
        estimate => UnixBench::Score::Estimate::multiple($spread->{estimate}, $factor),
        modes    => $modes && [map { +{ index => $_->{rate} * $factor, share => $_->{share} } } @$modes],
        passes   => [map { _pass($_, $factor) } @passes],
    };
}

sub _pass {
    my ($pass, $factor) = @_;
    return {
        number       => $pass->{number},
        index        => UnixBench::Score::Score::rate($pass) * $factor,
        is_disturbed => UnixBench::Noise::Disturbances::is_disturbed($pass) ? 1 : 0,
    };
}

1;
