package UnixBench::Cpus::Measurement;

# Measures the CPUs: all conditions once in each of seven rounds, and what is found in them. If it is not determined
# whether the declared cores are true, more rounds of their conditions follow, seven at a time.

use strict;
use warnings;

use UnixBench::Cpus::Conditions ();
use UnixBench::Cpus::Kinds      ();
use UnixBench::Cpus::Places     ();
use UnixBench::Cpus::Taken      ();
use UnixBench::Cpus::Topology   ();
use UnixBench::Cpus::Worth      qw(together);
use UnixBench::Score::Estimate  ();

# Takes a topology, [names of tests], and a function that takes a slice, see UnixBench::Cpus::Conditions::round, and
# returns what was measured, or nothing after an interruption. Returns [rounds], see UnixBench::Cpus::Worth, or nothing.
sub rounds {
    my ($topology, $names, $measure) = @_;
    my @conditions = UnixBench::Cpus::Conditions::of($topology, @$names);
    my $half       = UnixBench::Cpus::Places::of_half($topology);
    my $usual      = UnixBench::Cpus::Conditions::ROUNDS;
    my @rounds;
    while (@rounds < UnixBench::Cpus::Conditions::ROUNDS_MOST) {
        my %round;
        for my $slice (UnixBench::Cpus::Conditions::round(scalar @rounds, @conditions)) {
            $round{ $slice->{key} } = $measure->($slice) // return;
        }
        push @rounds, \%round;
        next if @rounds % $usual;
        last if UnixBench::Cpus::Worth::pairs(\@rounds, $half, @$names)->{word} ne 'undetermined';
        @conditions = UnixBench::Cpus::Conditions::of_pairs(@conditions);
    }
    return \@rounds;
}

# Takes the same topology and names, [rounds], and { the quota }, see UnixBench::Cpus::Taken. Returns what was
# found, the type cpus_found of UnixBench::Cpus::Schema, without indexes and the newest result.
sub found {
    my ($topology, $names, $rounds, $quota) = @_;
    my @conditions = UnixBench::Cpus::Conditions::of($topology, @$names);
    my %one;
    push @{ $one{ $_->{test} } }, $_->{key} for grep { $_->{what} eq 'alone' } @conditions;
    my %key_of = map { /([0-9]+)\z/ ? ($1 => $_) : () } @{ $one{ $names->[0] } };
    my $half   = UnixBench::Cpus::Places::of_half($topology);
    my $kinds  = UnixBench::Cpus::Kinds::of($topology, $rounds, \%key_of);
    my $pairs  = UnixBench::Cpus::Worth::pairs($rounds, $half, @$names);
    $one{ $names->[0] } = [@key_of{ @{ $kinds->{kinds}[0]{cpus} } }];
    my %of    = (half => $half, cpus => scalar @{ $topology->{cpus} }, one => \%one, names => $names, pairs => $pairs);
    my $worth = UnixBench::Cpus::Worth::of(rounds => $rounds, %of);
    my $are_mixed  = @{ $kinds->{kinds} } > ($half->{spread} ? UnixBench::Cpus::Topology::classes($topology) : 1);
    my $is_too_low = $pairs->{word} eq 'true' && grep { $_->{shape} =~ /corner|falls/ } @$worth;
    my $taken      = { %{ UnixBench::Cpus::Taken::of(map { $_->{taken} // () } @$rounds) }, %$quota };
    my $is_limited = $taken->{quota} || UnixBench::Cpus::Taken::is_loud($taken);
    $pairs->{word} = 'undetermined' if $is_limited || !$pairs->{declared} && ($are_mixed || $is_too_low);
    my %cpu    = map { $_->{cpu} => $_ } @{ $topology->{cpus} };
    my @places = UnixBench::Cpus::Places::of_two($topology);
    $_->{rate} = UnixBench::Score::Estimate::of_rates(values %{ together($rounds, "place $_->{name}") }) for @places;
    return {
        %$kinds,
        alone    => [map { +{ %{ $cpu{ $_->{cpu} } }, %$_ } } @{ $kinds->{alone} }],
        declared => UnixBench::Cpus::Topology::in_words($topology),
        rounds   => scalar @$rounds,
        pairs    => $pairs,
        worth    => $worth,
        taken    => $taken,
        places   => \@places,
    };
}

1;
