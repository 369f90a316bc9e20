package UnixBench::Doctor::Look;

# Shows how busy the machine is while no test runs: the disturbances that a pass would have now, and the processes that
# use the most CPU time.

use strict;
use warnings;

use UnixBench::Base::Arguments     qw(named);
use UnixBench::Host::KernelFiles   ();
use UnixBench::Noise::Causes       ();
use UnixBench::Noise::Disturbances ();
use UnixBench::Noise::Watch        ();

use constant {
    REST_S => 1,      # to measure pressure, as before a quick run
    LOOK_S => 1.5,    # to measure all other causes
};

# Takes
#   clock        UnixBench::Base::Clock
#   usable_cpus  number of CPUs that tests may use
#   copies       number of copies that are planned
#   root         the directory that holds /proc and /sys (default: /)
#   pause        function that sleeps for a number of seconds (optional)
#   ours         see UnixBench::Noise::Watch (optional)
sub new {
    my ($class, @given) = @_;
    my $given = named(\@given, qw(clock usable_cpus copies root pause ours));
    my $files = UnixBench::Host::KernelFiles->new(root => delete $given->{root});
    my %watch = map { exists $given->{$_} ? ($_ => $given->{$_}) : () } qw(clock usable_cpus ours);
    my $noise = UnixBench::Noise::Watch->new(%watch, files => $files);
    return bless { pause => sub { select undef, undef, undef, $_[0] }, %$given, files => $files, noise => $noise },
        $class;
}

# Watches the machine for 2.5 seconds. Returns
#   is_possible  whether /proc shows the CPU times of the system
#   tags         [disturbances], see UnixBench::Noise::Disturbances
#   busiest      [processes that other load is of], see UnixBench::Noise::Processes
sub look {
    my ($self) = @_;
    my $noise = $self->{noise};
    $noise->rest_begins;
    $self->{pause}->(REST_S);
    $noise->before;
    $self->{pause}->(LOOK_S);
    my $seen = $noise->after([], { copies => $self->{copies} });
    my @tags = grep { UnixBench::Noise::Causes::has($_->{cause}, 'before') } @{ $seen->{tags} || [] };
    return {
        is_possible => defined $seen->{steal} ? 1 : 0,
        tags        => \@tags,
        busiest     => [map { UnixBench::Noise::Disturbances::processes_of($_) } @tags],
    };
}

1;
