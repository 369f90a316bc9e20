package UnixBench::Remarks::Passes;

# What the passes of one test tell about its score.

use strict;
use warnings;

use UnixBench::Noise::Disturbances ();
use UnixBench::Remarks::Series     ();
use UnixBench::Score::Score        ();
use UnixBench::Score::Stats        qw(mean standard_deviation);

use constant CV_MOST => 0.05;

# Takes a test and its spread, see UnixBench::Score::Spread, undef where it has none; returns remarks of the kinds
# "modes" (modes), "first_pass" (behind, a part of 1), "trend" (rise, likewise, below 0 where it falls) and "varied"
# (cv), each with test (its name) and title. What one of them explains is not said by the next.
sub of_test {
    my ($test, $spread) = @_;
    return if !$spread;
    my @found = $spread->{modes} ? { kind => 'modes', modes => $spread->{modes} } : _of_order($test);
    return map { +{ test => $test->{name}, title => $test->{title}, %$_ } } @found;
}

sub _of_order {
    my ($test) = @_;
    my @passes = @{ $test->{passes} };
    my @rates  = map { UnixBench::Score::Score::rate($_) } @passes;
    my @found;
    my $behind =
        UnixBench::Noise::Disturbances::is_disturbed($passes[0])
        ? undef
        : UnixBench::Remarks::Series::first_behind(map { log } @rates);
    if (defined $behind) {
        push @found, { kind => 'first_pass', behind => 1 - exp -$behind };
        shift @rates;
    }
    return (@found, _of_rest(@rates));
}

sub _of_rest {
    my (@rates) = @_;
    my $rise = UnixBench::Remarks::Series::trend(map { log } @rates);
    return { kind => 'trend', rise => exp($rise) - 1 } if defined $rise;
    my $cv = @rates > 1 ? standard_deviation(@rates) / mean(@rates) : 0;
    return $cv > CV_MOST ? { kind => 'varied', cv => $cv } : ();
}

1;
