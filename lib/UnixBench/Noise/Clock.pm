package UnixBench::Noise::Clock;

# What slows CPUs down: heat, a limit of power, or the governor. An object reads the sensors of the CPUs, as far as
# there are some: degrees, the present frequency, and signs that the kernel or the firmware slows the CPUs down now. A
# sensor may be slow, so they are given up after some looks that took long. The clock in the passes of a run is a
# witness on every machine: a pass whose clock is well below that of the others was slowed down.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments     qw(named);
use UnixBench::Noise::Causes       ();
use UnixBench::Noise::Disturbances ();

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
use constant { LOW_VOLTAGE => 1, SLOWED => 0xe, SINCE => 16 };

# A pass kept its CPUs busy if its copies ran for this part of the time. After others, the governor may have lowered the
# clock because it was not needed.
use constant BUSY => 0.9;

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
#   low_voltage, voltage_events  whether that firmware says that the voltage is too low, and that it has ever been
#   highest_mhz  [the highest frequency of the slowest CPUs, and that of the fastest]
sub seen {
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
    push @signs, _ones($bits & SLOWED) if defined $bits;
    my $khz = List::Util::max(grep { defined } map { scalar $files->number($_) } @{ $paths->{khz} });
    $self->{slow}++ if $self->{clock}->monotonic_s - $began_s > LOOK_MOST_S;
    my %seen = (
        degrees => List::Util::max(@degrees),
        mhz     => $khz && $khz / PER_MHZ,
        hot     => List::Util::sum(@signs),
        defined $bits
        ? (
            events         => _ones($bits >> SINCE & SLOWED),
            low_voltage    => $bits & LOW_VOLTAGE,
            voltage_events => $bits >> SINCE & LOW_VOLTAGE,
            )
        : (),
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

# Takes a run whose passes are complete. Adds the disturbance "slow_clock" to those that were slowed down.
sub judge {
    my ($run) = @_;
    my $row = UnixBench::Noise::Causes::named('slow_clock');
    for my $passes (_comparable($run)) {
        my @mhz   = sort { $b <=> $a } map { mhz($_) } @$passes;
        my $usual = $mhz[@mhz > 2 ? 1 : 0];                        # a single one may be too high
        for my $pass (@$passes) {
            my $seen = { clock_below => List::Util::max(0, 1 - mhz($pass) / $usual) };
            push @{ $pass->{tags} }, $_ for UnixBench::Noise::Disturbances::judged($row, $seen);
        }
    }
    return;
}

# Takes a pass; returns the clock in MHz right after it: what was measured or, without that, what the kernel says; or
# undef.
sub mhz {
    my ($pass) = @_;
    return ($pass->{used} || {})->{clock_mhz} // (($pass->{sensors} || {})->{mhz} || [])->[1];
}

# Takes a run. Returns what is known of its clock, a list of keys and values, or nothing:
#   mhz     the median of the passes that were not slowed down
#   fell    { mhz, number, title } of the pass with the lowest clock among those that were slowed down; missing without
#   passes  the number of these; of is that of all passes whose clock is known
sub of_run {
    my ($run) = @_;
    my @known = map  { _known_of($_) } @{ $run->{tests} } or return;
    my @slow  = sort { $a->{mhz} <=> $b->{mhz} } grep { $_->{is_slow} } @known;
    my @mhz   = sort { $a <=> $b } map { $_->{mhz} } grep { !$_->{is_slow} } @known;
    return (mhz => $mhz[$#mhz / 2], passes => scalar @slow, of => scalar @known, @slow ? (fell => $slow[0]) : ());
}

sub _known_of {
    my ($test) = @_;
    return map {
        +{
            mhz     => mhz($_),
            number  => $_->{number},
            title   => $test->{title},
            is_slow => scalar(grep { $_->{cause} eq 'slow_clock' } @{ $_->{tags} || [] }),
        }
    } grep { defined mhz($_) } @{ $test->{passes} };
}

# Takes a run; returns lists of passes whose clocks can be compared: those that kept their CPUs busy, and the others of
# each test. Beside other load and steal, the clock is not measured well. If CPUs are of different kinds, fewer copies
# may be on any of them.
sub _comparable {
    my ($run) = @_;
    my %group;
    for my $test (@{ $run->{tests} }) {
        for my $pass (grep { defined mhz($_) && !_is_unsure($_, $run) } @{ $test->{passes} }) {
            my $how = defined $pass->{used}{clock_mhz} ? 'measured' : 'shown';
            push @{ $group{ "$how " . (_was_busy($pass, $run) ? q{} : $test->{name}) } }, $pass;
        }
    }
    return values %group;
}

sub _is_unsure {
    my ($pass,  $run)  = @_;
    my ($least, $most) = @{ ($pass->{sensors} || {})->{highest_mhz} || [1, 1] };
    return
           $least < $most && $run->{copies} < ($run->{cpu_count} // 1)
        || UnixBench::Noise::Disturbances::is_disturbed_by_other_load($pass)
        || grep { $_->{cause} eq 'steal' && $_->{level} eq 'disturbed' } @{ $pass->{tags} || [] };
}

sub _was_busy {
    my ($pass, $run) = @_;
    my ($user_s, $kernel_s, $span_s) = @{ $pass->{used} || {} }{qw(user_s kernel_s span_s)};
    return 1 if !defined $user_s || !defined $kernel_s;
    $span_s //= List::Util::sum(0, map { $_->{elapsed_s} // 0 } @{ $pass->{copies} });
    my $could_s = $span_s * List::Util::min(1, ($run->{cpu_count} // 1) / ($run->{copies} || 1));
    return $user_s + $kernel_s >= BUSY * $could_s;
}

1;
