package Experiments;

# Results of states that a run measured in turns, scored by the real code.

use strict;
use warnings;

use Exporter 'import';

use Cases   qw(%COUNT);
use Fixture qw(@INDEX failed quick_run result sliced);
use UnixBench::Compare::Groups;
use UnixBench::Report::Comparison::Wording qw(remark_of_row);
use UnixBench::Report::Notes;
use UnixBench::Store::Summary;

our @EXPORT_OK = qw(experiment four_states two_states);

# A command that closes descriptors, so that copies are started without a gate.
use constant CONTAINER =>
    'docker run --rm -e UB_TIME -e UB_SCRATCH -e UB_TMPDIR -v {home}:{home} -w {home}/testdir debian:13';

# Takes the commands of all states but the first, and perhaps
#   copies   [numbers of copies] (default: 1)
#   tests    [names] (default: those of the index)
#   rounds   their number (default: 8)
#   factors  [the factor of the rates in each other state, a number, or { name of a test => number }; a test with undef
#            has failed there]
#   sway     the relative difference between passes (default: 0.004)
#   facts    more facts of the results, { key => value }
# Returns the results of all states. The first one has the ratios.
sub experiment {
    my ($commands, %with) = @_;
    my @factors   = ({}, @{ $with{factors} || [map { 1 } @$commands] });
    my @results   = map { _of_state($_, $factors[$_], $commands, %with) } 0 .. @$commands;
    my @summaries = map { UnixBench::Store::Summary::of($_) } @results;
    $results[0]{experiment} = UnixBench::Compare::Groups::of_turns(\@summaries, [], \&remark_of_row);
    return @results;
}

sub _of_state {
    my ($state, $factors, $commands, %with) = @_;
    my $rounds = $with{rounds} || 8;
    my @runs;
    for my $copies (@{ $with{copies} || [1] }) {
        my @tests =
            map { _test($_, $state, $copies, $rounds, $factors, $with{sway} // 0.004) } @{ $with{tests} || \@INDEX };
        push @runs, quick_run($rounds, $copies, @tests);
    }
    my %procedure = (
        kind         => 'quick',
        time_factor  => 1,
        work_factor  => 1,
        seed         => 1995,
        precision    => 0.01,
        max_time_s   => 60 * (1 + @$commands),
        replacements => [],
        resumptions  => [],
        turns        => { state => $state, commands => $commands },
    );
    my $result = result(\@runs, %{ $with{facts} || {} }, procedure => \%procedure);
    $result->{notes} = [UnixBench::Report::Notes::of($result)];
    return $result;
}

# Returns a test in a state. Its rates vary as if by chance, but are always the same.
sub _test {
    my ($name, $state, $copies, $rounds, $factors, $sway) = @_;
    my $factor = ref $factors ? exists $factors->{$name} ? $factors->{$name} : 1 : $factors;
    return failed($name, 'exit status 125 (pass 1, copy 1)') if !defined $factor;
    my $seed = length($name) + ord(substr $name, -1) + 31 * $state + $copies;
    my $rate = $factor * $COUNT{$name} / 10;
    return sliced($name, $copies, map { $rate * (1 + $sway * sin 12.9898 * ($seed + $_**1.3)) } 1 .. $rounds);
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

1;
