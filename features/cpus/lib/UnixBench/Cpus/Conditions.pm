package UnixBench::Cpus::Conditions;

# What is measured: conditions, each of which has a slice in every round, in random order. A condition is { key, what
# ("alone", "spread", "packed", "all", "place" or "taken"), test (undef for the loop that reads the clock), places }.
# Places are used in turns, one in each round: the CPUs of each copy, such as ["0", "1"], or ["0,4"] for both processes
# of context1.

use strict;
use warnings;

use List::Util qw(max min shuffle);

use UnixBench::Catalog        ();
use UnixBench::Cpus::Places   ();
use UnixBench::Cpus::Topology ();

use constant { ALONE_MOST => 16, ROUNDS => 7, ROUNDS_MOST => 28, SLICE_S => 0.2, SPIN_MS => 20, PAIR => 'context1' };

# Takes a topology, and the names of the tests whose copies are counted. Returns the conditions. The first test runs
# alone on each CPU, or on a sample of them; the others on those of the first class, in turns.
sub of {
    my ($topology, $first, @others) = @_;
    my $half       = UnixBench::Cpus::Places::of_half($topology);
    my @all        = map { $_->{cpu} } @{ $topology->{cpus} };
    my @sample     = sample($topology);
    my %is_best    = map { $_ => 1 } @{ (UnixBench::Cpus::Topology::classes($topology))[0] };
    my @best       = map { [$_] } grep { $is_best{$_} } @sample;
    my @pairs      = UnixBench::Cpus::Places::of_two($topology);
    my @conditions = map { _condition("alone $first $_", $first, [$_]) } @sample;
    push @conditions, map { _condition("alone $_", $_, @best) } @others;

    for my $half_of (grep { $half->{$_} } qw(spread packed)) {
        push @conditions, map { _condition("$half_of $_", $_, @{ $half->{$half_of} }) } $first, @others;
    }
    push @conditions, map { _condition("all $_", $_, \@all) } $first, @others;
    push @conditions, map { _condition("place $_->{name}", PAIR, [join q{,}, @{ $_->{cpus} }]) } @pairs;
    return (@conditions, _condition('taken', undef, \@sample));
}

sub _condition {
    my ($key, $test, @places) = @_;
    return { key => $key, what => $key =~ s/ .*//r, test => $test, places => \@places };
}

# Takes a topology; returns the CPUs that are measured alone: all, or about 16 of them: of each declared class its part,
# at least two, at even distances in the order of sockets, caches and cores.
sub sample {
    my ($topology) = @_;
    my @cpus = @{ $topology->{cpus} };
    return map { $_->{cpu} } @cpus if @cpus <= ALONE_MOST;
    my %at = map { $_->{cpu} => sprintf '%05d %05d %05d %05d', @$_{qw(socket l3 core cpu)} } @cpus;
    my @sample;
    for my $class (UnixBench::Cpus::Topology::classes($topology)) {
        my @sorted = sort { $at{$a} cmp $at{$b} } @$class;
        my $count  = min(scalar @sorted, max(2, int(ALONE_MOST * @sorted / @cpus)));
        push @sample, map { $sorted[$_ * @sorted / $count] } 0 .. $count - 1;
    }
    @sample = sort { $a <=> $b } @sample;
    return @sample;
}

# Takes conditions; returns those whose slices show whether two copies share a core.
sub of_pairs {
    my (@conditions) = @_;
    my @halves       = grep { $_->{what} =~ /\A(?:spread|packed)\z/ } @conditions;
    return @halves ? @halves : grep { $_->{what} =~ /\A(?:alone|all)\z/ } @conditions;
}

# Takes the number of a round, from 0, and conditions; returns a slice for each, in random order: { key, test, cpus }.
sub round {
    my ($number, @conditions) = @_;
    return map { +{ %$_, cpus => $_->{places}[$number % @{ $_->{places} }] } } shuffle(@conditions);
}

# Takes the name of a test; returns why its copies can't be counted, or undef.
sub why_not {
    my ($name) = @_;
    my $test = UnixBench::Catalog::test($name) // return 'there is no test of that name';
    return $test->{computes} && $test->{timed} eq 'all' ? undef : 'it does not compute all the time';
}

1;
