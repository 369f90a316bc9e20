package StatesInTurns;

# Results of states that a run measured in turns, scored by the real code.

use strict;
use warnings;

use Exporter 'import';

use Cases   qw(%COUNT);
use Fixture qw(@INDEX failed quick_run result sliced);
use UnixBench::Report::Notes;

our @EXPORT_OK = qw(states_in_turns);

# Takes the commands of all states but the first, and perhaps
#   copies   [numbers of copies] (default: 1)
#   tests    [names] (default: those of the index)
#   rounds   their number (default: 8)
#   factors  [the factor of the rates in each other state, a number, or { name of a test => number }; a test with undef
#            has failed there]
#   sway     the relative difference between passes (default: 0.004)
#   facts    more facts of the results, { key => value }
# Returns the results of all states, without their ratios.
sub states_in_turns {
    my ($commands, %with) = @_;
    my @factors = ({}, @{ $with{factors} || [map { 1 } @$commands] });
    return map { _of_state($_, $factors[$_], $commands, %with) } 0 .. @$commands;
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

1;
