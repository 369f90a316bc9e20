package Gallery::Experiments;

# Results of states that a run measured in turns, with their ratios.

use strict;
use warnings;

use Exporter 'import';

use Fixture       qw(@INDEX);
use StatesInTurns qw(states_in_turns);
use UnixBench::Summary;
use UnixBench::Under::Ratios;

our @EXPORT_OK = qw(experiment four_states two_states);

# A command that closes descriptors, so that copies are started without a gate.
use constant CONTAINER =>
    'docker run --rm -e UB_TIME -e UB_SCRATCH -e UB_TMPDIR -v {home}:{home} -w {home}/testdir debian:13';

# Takes the arguments of states_in_turns(); returns the results of all states. The first one has the ratios.
sub experiment {
    my @results   = states_in_turns(@_);
    my @summaries = map { UnixBench::Summary::of($_) } @results;
    $results[0]{experiment} = UnixBench::Under::Ratios::of_summaries(\@summaries, []);
    return @results;
}

# Returns the results of two states of the index, for one copy and eight: of a container that makes system calls
# slower.
sub two_states {
    my (%with) = @_;
    my %factor = (syscall => 0.53, pipe => 0.61, context1 => 0.97, spawn => 0.88, execl => 0.95, fsdisk => 1.06);
    return experiment([CONTAINER], copies => [1, 8], factors => [\%factor], %with);
}

# Returns the results of four states of the index, of one copy. In the last one a test has failed, and the last two
# rounds belong to an incomplete set of orders.
sub four_states {
    my (%with) = @_;
    my @under  = ('env', 'taskset -c 0', "strace -f -o '{scratch}/a trace' -e trace=none --seccomp-bpf");
    my %traced = (syscall => 0.004, pipe => 0.0125, spawn => undef, map { $_ => 1 } qw(dhry2reg whetstone-double));
    my %factor = ((map { $_ => 0.31 } @INDEX), %traced);
    return experiment(
        \@under,
        rounds  => 10,
        sway    => 0.02,
        factors => [1, { context1 => 2.4, shell8 => 0.52 }, \%factor],
        %with
    );
}

# Returns results, see Gallery.
sub results {
    my ($two, $four) = ((two_states())[0], (four_states())[0]);
    return (_in_turns('turns-two' => 8, $two), _in_turns('turns-four' => 2, $four));
}

# Returns results with texts of users, see Gallery.
sub attacked { my ($plain) = four_states(); return ['hostile-states', $plain] }

# Takes a name, a number of CPUs and the result of the plain machine.
sub _in_turns {
    my ($name, $cpus, $result) = @_;
    my %of = map { $_ => $result->{$_} } qw(procedure notes experiment);
    return [$name, $result->{runs}, %of, host => Gallery::large_host($cpus)];
}

1;
