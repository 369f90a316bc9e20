package UnixBench::Noise::Throttling;

# Counters of how often this machine's CPUs were slowed down, or taken away. Where they stand is looked for once.

use strict;
use warnings;

use List::Util ();

use UnixBench::Host::Cgroup;

use constant COUNT => qr/([0-9]{1,15})/;

# Takes a UnixBench::Host::Values.
sub new {
    my ($class, $files) = @_;
    return bless { files => $files }, $class;
}

# Returns in how many periods a control group of this process had used up its quota, or undef.
sub quota_periods {
    my ($self) = @_;
    my @texts = map { $self->{files}->text($_) // q{} } @{ $self->{quota} ||= $self->_quota_paths };
    return List::Util::sum(map { /^nr_throttled ${\COUNT}$/m } @texts);
}

# Returns how many times CPUs became too hot, or undef.
sub thermal_events {
    my ($self) = @_;
    my @counts = map { $self->{files}->number($_) } @{ $self->{thermal} ||= $self->_thermal_paths };
    return List::Util::sum(grep { defined } @counts);
}

# Those of all groups above the own one count too.
sub _quota_paths {
    my ($self) = @_;
    my @paths;
    my $note = sub {
        my ($path) = @_;
        push @paths, $path if $path =~ m{/cpu[.]stat\z};
        return $self->{files}->text($path);
    };
    my $cgroup = UnixBench::Host::Cgroup->new(read => $note);
    $cgroup->values_v1('cpu', 'cpu.stat');
    $cgroup->values_v2('cpu.stat');
    return \@paths;
}

sub _thermal_paths {
    my ($self)      = @_;
    my @directories = map { "$_/thermal_throttle" } $self->{files}->numbered('/sys/devices/system/cpu', 'cpu');
    my @paths       = map { ("$_/core_throttle_count", "$_/package_throttle_count") } @directories;
    return [grep { defined $self->{files}->number($_) } @paths];
}

1;
