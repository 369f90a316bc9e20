package UnixBench::Report::Fleet::Dots;

# The machines of a fleet in a picture: each a dot, or, where there are too many, a line and those that stand out.

use strict;
use warnings;

use List::Util qw(max min);

use UnixBench::Report::Fleet::Swarm ();
use UnixBench::Report::Picture      qw(dot span);
use UnixBench::Report::Scale        ();

use constant { MOST => 200, HEIGHT => 34, MIDDLE => 17 };

# Takes a scale and machines, each { label, times (the median), is => [how it stands out: "slow", "fast", "noisy"] };
# returns the parts of a picture of HEIGHT. Those that stand out lie above the others.
sub of_machines {
    my ($scale, @machines) = @_;
    my @usual   = grep { !@{ $_->{is} } } @machines;
    my @unusual = grep { @{ $_->{is} } } @machines;
    return (
        (@machines > MOST ? _range($scale, @machines) : _dots($scale, @usual)),
        (map { _dot("machine @{ $_->{is} }", $scale, $_, 0) } @unusual)
    );
}

sub _dots {
    my ($scale, @machines) = @_;
    my @places = map { UnixBench::Report::Scale::place($scale, $_->{times}) } @machines;
    my @off    = UnixBench::Report::Fleet::Swarm::places(@places);
    return map { _dot('machine', $scale, $machines[$_], $off[$_]) } 0 .. $#machines;
}

sub _dot {
    my ($class, $scale, $machine, $off) = @_;
    my $words = join ', ', sprintf('%.3f times the median', $machine->{multiple} // $machine->{times}),
        @{ $machine->{is} };
    return dot($class, $scale, $machine->{times}, MIDDLE + $off, "$machine->{label}: $words");
}

# Half of all are within a deviation of the median, so there are such.
sub _range {
    my ($scale, @machines) = @_;
    my @times = map { $_->{times} } grep { "@{ $_->{is} }" !~ /slow|fast/ } @machines;
    return span('range', $scale, min(@times), max(@times), MIDDLE);
}

1;
