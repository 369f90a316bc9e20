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
#   name, title, unit, time_s, samples  those of the test
#   score, baseline, classic  the classic score, the baseline, and the classic index
#   value                     the score of all passes
#   untrimmed                 the same score of an official run, whose classic score leaves out passes
#   lowest, highest           how far the lowest and the highest rate are from the score, if there are several passes
#   reason                    why the test was not measured: then it has only a name and a title
sub rows {
    my ($run, $spreads) = @_;
    my %row_of = map { $_->{name} => $_ } map { @{ $_->{rows} } } @{ $run->{indexes} };
    return map { _row($run, $_, $spreads->{ $_->{name} }, $row_of{ $_->{name} } || {}) } tests_by_title($run->{tests});
}

sub _row {
    my ($run, $test, $spread, $of_index) = @_;
    my %named = map { $_ => $test->{$_} } qw(name title);
    return { %named, reason => unmeasured($test) } if !$spread;
    my $value = $spread->{estimate}{value};
    return {
        %$spread, %named,
        (map { $_ => $test->{$_} } qw(unit time_s samples score)),
        baseline  => $of_index->{baseline},
        classic   => $of_index->{index},
        value     => $value,
        untrimmed => defined $run->{rounds} ? undef : $value,
        $spread->{passes} < 2
        ? ()
        : (lowest => $spread->{min} / $value - 1, highest => $spread->{max} / $value - 1),
    };
}

# Takes a run, the spreads of its tests, and { name => [low, high] } of the scores of most published machines. Returns
# { name => profile } of the tests with an index. A profile has the name and indexes from all passes:
#   estimate  the estimate of the index
#   band      [low, high] of the indexes of most published machines, or undef
#   modes     [{ index, share }, ...], or undef
#   passes    [{ number, index, is_disturbed }, ...]
sub of_tests {
    my ($run, $spreads, $bands) = @_;
    my %test = map { $_->{name} => $_ } @{ $run->{tests} };
    my %profile;
    for my $row (grep { defined $_->{baseline} } map { @{ $_->{rows} } } @{ $run->{indexes} }) {
        my $name    = $row->{name};
        my $profile = _profile($test{$name}, 10 / $row->{baseline}, $spreads->{$name}, $bands->{$name});
        $profile{$name} = { name => $name, %$profile };
    }
    return \%profile;
}

# Takes a test, the index of a rate of 1, the spread of the test, and its band or undef; returns its profile.
sub _profile {
    my ($test, $factor, $spread, $band) = @_;
    my ($modes, @passes) = ($spread->{modes}, @{ $test->{passes} });
    return {
        estimate => UnixBench::Score::Estimate::multiple($spread->{estimate}, $factor),
        band     => $band  && [map { $_ * $factor } @$band],
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
