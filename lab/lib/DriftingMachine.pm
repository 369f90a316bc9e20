package DriftingMachine;

# A simulated machine whose speed changes while it is measured.

use strict;
use warnings;

use Normal qw(normal);

use constant { PI => 4 * atan2(1, 1), HOUR_S => 3600, LOST => log 0.8, HEAVY_DF => 3 };

# Takes, all optional:
#   drift      the part by which the rate falls in an hour
#   noise      the standard deviation of the logarithm of each rate
#   is_heavy   whether that noise has Student's t distribution, with three degrees of freedom and the same scale
#   disturbed  the part of the passes that lose 20 %
#   gap_s      the mean time between bursts of other load, in which all passes lose 20 %; and burst_s, their mean time
#   wave       the amplitude of a wave of the logarithm of the rate; and wave_s, its period
sub new {
    my ($class, %how) = @_;
    my %machine = (drift => 0, noise => 0, disturbed => 0, %how, phase => 2 * PI * rand, changes_s => [0]);
    return bless { %machine, log_drift => log(1 - $machine{drift}) / HOUR_S }, $class;
}

# Takes the time in seconds; returns the rate of a pass at that time. The rate is 1 at the start, apart from noise.
sub rate {
    my ($self, $now_s) = @_;
    my $log = $now_s * $self->{log_drift} + $self->{noise} * $self->_noise;
    $log += LOST if $self->{disturbed} && rand() < $self->{disturbed} || $self->{gap_s} && $self->_is_in_burst($now_s);
    $log += $self->{wave} * sin(2 * PI * $now_s / $self->{wave_s} + $self->{phase}) if $self->{wave};
    return exp $log;
}

sub _noise {
    my ($self) = @_;
    return normal() if !$self->{is_heavy};
    my $square = 0;
    $square += normal()**2 for 1 .. HEAVY_DF;
    return normal() / sqrt($square / HEAVY_DF);
}

# Returns whether there is a burst. The list has the times at which there is none, one, none, ... Times may go back.
sub _is_in_burst {
    my ($self, $now_s) = @_;
    my $changes = $self->{changes_s};
    while ($changes->[-1] <= $now_s) {
        my $mean_s = $self->{ @$changes % 2 ? 'gap_s' : 'burst_s' };
        push @$changes, $changes->[-1] - $mean_s * log(1 - rand);
    }
    my $before = grep { $_ <= $now_s } @$changes;
    return $before % 2 == 0;
}

1;
