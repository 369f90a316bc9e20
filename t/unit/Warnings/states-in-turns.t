# The warnings about states that a run measured in turns.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use StatesInTurns qw(states_in_turns);
use UnixBench::Warnings::All;

# Takes a result; returns its warnings by their kind.
sub warnings_of {
    my ($result) = @_;
    return map { $_->{kind} => $_ } UnixBench::Warnings::All::of($result);
}

subtest 'a tracer' => sub {
    my ($plain, $other) = states_in_turns(['strace -f']);
    my %traced = (facts => { process => { tracer => 'strace' } });
    my %found  = warnings_of({ %$plain, %traced });
    is($found{tracer}{tracer}, 'strace', 'a tracer of the plain machine is reported');
    %found = warnings_of({ %$other, %traced });
    is($found{tracer}, undef, 'that of a state may be its command');
    $_->{passes}[0]{copies}[0]{tracer} = 'strace' for map { @{ $_->{runs}[0]{tests} } } $plain, $other;
    my @tracers = map {
        my %of = warnings_of($_);
        $of{tracer} && scalar @{ $of{tracer}{titles} }
    } $plain, $other;
    is_deeply(\@tracers, [12, undef], 'the same is true for tracers of copies');
};

done_testing();
