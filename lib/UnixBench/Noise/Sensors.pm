package UnixBench::Noise::Sensors;

# Reads the sensors of the CPUs, as far as there are some: degrees, the present frequency, and signs that the kernel or
# the firmware slows the CPUs down now. A sensor may be slow, so they are given up after some looks that took long.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);

use constant {
    THERMAL     => '/sys/class/thermal',
    HWMON       => '/sys/class/hwmon',
    CPUS        => '/sys/devices/system/cpu',
    FIRMWARE    => '/sys/devices/platform/soc/soc:firmware/get_throttled',
    MOST        => 16,                                                       # of each kind
    LOOK_MOST_S => 0.05,
    SLOW_MOST   => 3,
};
use constant { PER_DEGREE => 1000, DEGREES_MOST => 150, PER_MHZ => 1000 };

# The bits of get_throttled: now (too low a voltage, a limit of the frequency, throttled, a soft limit by heat), and the
# same since the start of the system.
use constant { NOW => 0xf, SINCE => 16 };

my $OF_CPUS = qr/cpu|soc|pkg|package|core|k10temp|zenpower|tctl/i;
my $COOLS   = qr/cpu|processor/i;

# From a passive trip point on, the kernel may slow CPUs down; if it has a cooling device for them, that shows whether.
my $SLOWS_AT    = qr/\A(?:hot|critical)\z/;
my $MAY_SLOW_AT = qr/\A(?:passive|hot|critical)\z/;

# Takes files (UnixBench::Host::KernelFiles), clock (UnixBench::Base::Clock), and perhaps firmware, a function that
# returns what "vcgencmd get_throttled" prints, for a Raspberry Pi whose kernel has no file for it.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(files clock firmware)), $class;
}

# Returns what the sensors show now, as far as it is known:
#   degrees  Celsius, of the hottest sensor of the CPUs
#   mhz      the highest of the present frequencies
#   hot      the number of signs that CPUs are slowed down now: trip points that are reached, cooling that is on, and
#            what the firmware of a Raspberry Pi says
#   events   the number of reasons for which that firmware has ever slowed them down
#   highest_mhz  [the highest frequency of the slowest CPUs, and that of the fastest]
sub read {
    my ($self) = @_;
    return {} if ($self->{slow} // 0) >= SLOW_MOST;
    my $paths   = $self->{paths} ||= $self->_paths;
    my $began_s = $self->{clock}->monotonic_s;
    my ($files, @signs, @degrees) = $self->{files};
    for my $zone (@{ $paths->{zones} }) {
        my $value = _number($files->line($zone->{temp})) // next;
        next if abs $value > DEGREES_MOST * PER_DEGREE;
        push @degrees, $value / PER_DEGREE;
        push @signs,   scalar grep { $value >= $_ } @{ $zone->{trips} };
    }
    push @signs, map { $_ > 0 ? 1 : 0 } grep { defined } map { _number($files->line($_)) } @{ $paths->{cooling} };
    my $bits = $self->_firmware;
    push @signs, _ones($bits & NOW) if defined $bits;
    my $khz = List::Util::max(grep { defined } map { scalar $files->number($_) } @{ $paths->{khz} });
    $self->{slow}++ if $self->{clock}->monotonic_s - $began_s > LOOK_MOST_S;
    my %seen = (
        degrees     => List::Util::max(@degrees),
        mhz         => $khz && $khz / PER_MHZ,
        hot         => List::Util::sum(@signs),
        events      => defined $bits ? _ones($bits >> SINCE & NOW) : undef,
        highest_mhz => $paths->{highest_mhz},
    );
    return { map { $_ => $seen{$_} } grep { defined $seen{$_} } keys %seen };
}

sub _firmware {
    my ($self) = @_;
    my $text = $self->{files}->line(FIRMWARE) // ($self->{firmware} && $self->{firmware}->()) // return;
    return $text =~ /\A(?:throttled=)?(?:0x)?([0-9a-f]{1,8})\s*\z/i ? hex $1 : undef;
}

# Returns the paths of the sensors: zones => [{ temp, trips => [limits] }], cooling, khz; and highest_mhz, as read()
# does.
sub _paths {
    my ($self)   = @_;
    my $files    = $self->{files};
    my @all      = $files->numbered(THERMAL, 'thermal_zone');
    my @zones    = grep { ($files->line("$_/type") // q{}) =~ $OF_CPUS } @all;
    my @monitors = grep { ($files->line("$_/name") // q{}) =~ $OF_CPUS } $files->numbered(HWMON, 'hwmon');
    my @cooling  = grep { ($files->line("$_/type") // q{}) =~ $COOLS } $files->numbered(THERMAL, 'cooling_device');
    my @policies = $files->numbered(CPUS . '/cpufreq', 'policy');
    @policies = map { "$_/cpufreq" } $files->numbered(CPUS, 'cpu') if !@policies;
    my @sensors = (
        (
            map { +{ temp => "$_/temp", trips => [$self->_trips($_, @cooling ? $SLOWS_AT : $MAY_SLOW_AT)] } }
                @zones ? @zones : @all
        ),
        (map { +{ temp => "$_/temp1_input", trips => [] } } @monitors),
    );
    my @khz     = grep { defined $files->number($_) } map { "$_/scaling_cur_freq" } @policies;
    my @highest = grep { $_ } map                         { scalar $files->number("$_/cpuinfo_max_freq") } @policies;
    return {
        zones       => [_first(@sensors)],
        cooling     => [_first(map { "$_/cur_state" } @cooling)],
        khz         => [_first(@khz)],
        highest_mhz => @highest ? [map { $_ / PER_MHZ } List::Util::min(@highest), List::Util::max(@highest)] : undef,
    };
}

sub _trips {
    my ($self, $zone, $slows_at) = @_;
    my $files = $self->{files};
    my @types = grep { ($files->line($_) // q{}) =~ $slows_at }
        map { "$zone/$_" } grep { /\Atrip_point_[0-9]+_type\z/ } $files->names($zone);
    return grep { ($_ // 0) > 0 } map { _number($files->line(s/_type\z/_temp/r)) } @types;
}

sub _first { my (@paths) = @_; return splice @paths, 0, MOST }

sub _number { my ($text) = @_; return ($text // q{}) =~ /\A(-?[0-9]{1,9})\z/ ? 0 + $1 : undef }

sub _ones { my ($bits) = @_; return unpack '%32b*', pack 'V', $bits }

1;
