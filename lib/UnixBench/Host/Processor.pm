package UnixBench::Host::Processor;

# Which processors Linux has, and how they are set.

use strict;
use warnings;

use List::Util ();

use constant CPU => '/sys/devices/system/cpu';

# Makes one. files: a Host::Values; cpus: what Host::facts describes.
sub new {
    my ($class, %given) = @_;
    return bless {%given}, $class;
}

# Returns { models => [{ model, count }], smt, microcode, frequency => { min_mhz, max_mhz }, governor, driver, turbo },
# each undef where it is not known. smt is the kernel's word: "on", "off", "forceoff", "notsupported"; turbo "on" or
# "off". Where CPUs differ, all texts are there with commas between them.
sub facts {
    my ($self) = @_;
    my @scaled = $self->_scaled;
    return {
        models    => $self->_models,
        smt       => scalar $self->_smt,
        microcode => scalar $self->_microcode,
        frequency => {
            min_mhz => scalar $self->_mhz(\&List::Util::min, map { "$_/cpuinfo_min_freq" } @scaled),
            max_mhz => scalar $self->_mhz(\&List::Util::max, map { "$_/cpuinfo_max_freq" } @scaled),
        },
        governor => scalar $self->{files}->distinct(map { "$_/scaling_governor" } @scaled),
        driver   => scalar $self->{files}->distinct(map { "$_/scaling_driver" } @scaled),
        turbo    => scalar $self->_turbo,
    };
}

sub _models {
    my ($self) = @_;
    my (%count, @models);
    for my $model (map { $_->{model} } @{ $self->{cpus} }) {
        push @models, $model if !$count{$model}++;
    }
    return [map { { model => $_, count => $count{$_} } } @models];
}

sub _smt {
    my ($self)  = @_;
    my $control = $self->{files}->line(CPU . '/smt/control');
    my $active  = $self->{files}->number(CPU . '/smt/active');
    return $control // (defined $active ? ($active ? 'on' : 'off') : undef);
}

# Of all CPUs; the file of /sys is only for root on most systems.
sub _microcode {
    my ($self) = @_;
    my $text   = $self->{files}->text('/proc/cpuinfo') // q{};
    my %seen   = map { $_ => 1 } $text =~ /^microcode\s*: ([\w.-]+)\s*$/mg;
    return join ', ', sort keys %seen if %seen;
    return $self->{files}->line(CPU . '/cpu0/microcode/version');
}

# The directories of what is scaled together.
sub _scaled {
    my ($self) = @_;
    my @policies = $self->{files}->numbered(CPU . '/cpufreq', 'policy');
    return @policies ? @policies : map { "$_/cpufreq" } $self->{files}->numbered(CPU, 'cpu');
}

sub _mhz {
    my ($self, $extreme, @paths) = @_;
    my $khz = $extreme->(grep { $_ } map { scalar $self->{files}->number($_) } @paths);
    return defined $khz ? $khz / 1000 : undef;
}

sub _turbo {
    my ($self) = @_;
    my $off    = $self->{files}->number(CPU . '/intel_pstate/no_turbo');
    my $on     = defined $off ? !$off : $self->{files}->number(CPU . '/cpufreq/boost');
    return defined $on ? ($on ? 'on' : 'off') : undef;
}

1;
