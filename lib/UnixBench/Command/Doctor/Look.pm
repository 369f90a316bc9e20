package UnixBench::Command::Doctor::Look;

# Looks at the machine as a pass would, while no test runs, for what disturbs at the moment.

use strict;
use warnings;

use UnixBench::Base::Arguments   qw(named);
use UnixBench::Host::KernelFiles ();
use UnixBench::Noise::Processes  ();
use UnixBench::Noise::Watch      ();

use constant {
    REST_S => 1,      # for pressure, as before a quick run
    LOOK_S => 1.5,    # for all others
};

# Takes clock => UnixBench::Base::Clock, usable_cpus => number and perhaps root => the prefix of /proc and /sys, pause
# => function that sleeps for a number of seconds, ours: see UnixBench::Noise::Watch.
sub new {
    my ($class, @given) = @_;
    my %with   = %{ named(\@given, qw(clock usable_cpus root pause ours)) };
    my $files  = UnixBench::Host::KernelFiles->new(root => $with{root});
    my %common = (clock => $with{clock}, files => $files);
    return bless {
        %common,
        noise     => UnixBench::Noise::Watch->new(map { $_ => $with{$_} } qw(clock root usable_cpus ours)),
        processes => UnixBench::Noise::Processes->new(%common),
        pause     => $with{pause} || \&_sleep,
    }, $class;
}

# Looks for about two seconds. Returns { looked_s, is_possible (whether /proc can be read), tags (see
# UnixBench::Noise::Disturbances), busiest (see UnixBench::Noise::Processes) }.
sub look {
    my ($self) = @_;
    my ($noise, $processes) = @$self{qw(noise processes)};
    my $from_s = $self->{clock}->monotonic_s;
    $noise->rest_begins;
    $self->{pause}->(REST_S);
    my $before = $processes->look;
    $noise->before;
    $self->{pause}->(LOOK_S);
    my $tags  = $noise->after([])->{tags};
    my $after = $processes->look;
    return {
        looked_s    => $after->{at_s} - $from_s,
        is_possible => defined $self->{files}->line('/proc/stat') ? 1 : 0,
        tags        => $tags,
        busiest     => [UnixBench::Noise::Processes::busiest($before, $after)],
    };
}

sub _sleep {
    my ($seconds) = @_;
    select undef, undef, undef, $seconds;
    return;
}

1;
