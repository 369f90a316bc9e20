package UnixBench::Measure::CpuClock;

# The clock of the CPUs right after a pass, by the program clock. /proc/cpuinfo does not know it: virtual machines see
# the nominal clock there, and the actual one depends on the load.

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Arguments qw(named);
use UnixBench::Score::Stats    qw(geometric_mean);

# Takes process => UnixBench::Process::Process, program => the path of the program clock, and cpus => the number of
# usable CPUs.
sub new {
    my ($class, @given) = @_;
    return bless named(\@given, qw(process program cpus)), $class;
}

# Takes the number of copies of a pass that has just ended. Runs the program, with as many processes as there were
# copies, at most one for each CPU. Returns the geometric mean of their clocks in MHz (steps of a chain, see
# src/clock.c), or undef if the program is missing, fails, or knows no chain for this processor. Then it is not run
# again.
sub mhz {
    my ($self, $copies) = @_;
    return if $self->{is_given_up} || $self->{process}->interrupted || !-x $self->{program};
    my $processes = List::Util::min($copies, $self->{cpus});
    my ($status, $said) = $self->{process}->errors_of($self->{program}, $processes);
    return if $self->{process}->interrupted;
    my @hz = $said =~ /^CLOCK[|]([1-9][0-9]{5,11})$/mg;
    return geometric_mean(@hz) / 1e6 if $status == 0 && @hz == $processes;
    $self->{is_given_up} = 1;
    return;
}

1;
