# Tests of the clock of the CPUs, with programs that print what a test wants.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place qw(place write_program);
use UnixBench::Base::Clock;
use UnixBench::Measure::ValidPass;
use UnixBench::Process;

my $place   = place();
my $process = UnixBench::Process->new(clock => UnixBench::Base::Clock->new);

# Takes lines of a shell script; returns the clock by that program, on a machine with four CPUs.
sub clock_of {
    my ($lines) = @_;
    write_program("$place/clock", "#!/bin/sh\n$lines\n") if defined $lines;
    return UnixBench::Measure::ValidPass->new(
        process       => $process,
        clock_program => defined $lines ? "$place/clock" : "$place/none",
        cpu_count     => 4
    );
}

# A copy with an even number has a clock of 4 GHz, any other has 1 GHz.
my $good = 'n=1; while [ $n -le $1 ]; do echo "CLOCK|$((n % 2 ? 1 : 4))000000000" >&2; n=$((n + 1)); done';
for my $case ([1, 1000], [2, 2000], [4, 2000], [64, 2000]) {
    my ($copies, $mhz) = @$case;
    is(sprintf('%.6g', clock_of($good)->clock_mhz($copies)), $mhz, "the mean clock of $copies copies");
}
is(clock_of()->clock_mhz(1), undef, 'without the program it is unknown');
my %FAULTS = (
    'a program that fails'    => 'echo "CLOCK|3000000000" >&2; exit 1',
    'a line too few'          => 'echo "CLOCK|3000000000" >&2',
    'a line without a number' => 'echo "CLOCK|fast" >&2; echo "CLOCK|3000000000" >&2',
    'a clock of 0'            => 'echo "CLOCK|0" >&2; echo "CLOCK|3000000000" >&2',
);
for my $what (sort keys %FAULTS) {
    my $clock = clock_of("echo >> $place/runs; $FAULTS{$what}");
    is($clock->clock_mhz(2), undef, "$what: it is unknown");
    is($clock->clock_mhz(2), undef, "$what: and stays so");
    is(-s "$place/runs",     1,     "$what: the program is not run again");
    unlink "$place/runs";
}
$process->release;
done_testing;
