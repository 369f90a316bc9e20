package UnixBench::Cpus::Measurement;

# Measures the CPUs: all conditions once in each of seven rounds, in random order, and what is found in them. If it is
# not determined whether the declared cores are true, more rounds of their conditions follow, seven at a time. Taken
# time is what is missing in loops that read the clock. The hypervisor (steal), a quota, and other processes of this
# machine explain it; threads that share a core do not take time.

use strict;
use warnings;

use List::Util qw(max min shuffle sum);

use UnixBench::Cpus::Topology  ();
use UnixBench::Cpus::Worth     ();
use UnixBench::Score::Estimate ();
use UnixBench::Score::Stats    qw(quantile);

# Others used, or took, too much of the time to name kinds and pairs of CPUs: ALONE if one copy is compared with all.
use constant { LOUD       => 0.25, ALONE  => 0.08, REGULAR     => 0.1, INTERVALS_LEAST => 5 };
use constant { ALONE_MOST => 16,   ROUNDS => 7,    ROUNDS_MOST => 28,  PAIR            => 'context1' };

# Takes a topology, and the names of the tests whose copies are counted. The first one runs alone on each CPU, or on a
# sample of them; the others on those of the first class, in turns. Returns the plan:
#   topology, names
#   half        see UnixBench::Cpus::Topology::of_half
#   alone       { number of a CPU => key of the condition in which the first test runs there alone }
#   conditions  [{ key, what ("alone", "spread", "packed", "all", "place" or "taken"), test (undef for the loop that
#               reads the clock), places }, ...]. Places are used in turns, one in each round: the CPUs of each copy,
#               such as ["0", "1"], or ["0,4"] for both processes of context1
sub planned {
    my ($topology, @names) = @_;
    my ($first, @others)   = @names;
    my $half    = UnixBench::Cpus::Topology::of_half($topology);
    my @sample  = sample($topology);
    my %is_best = map { $_ => 1 } @{ (UnixBench::Cpus::Topology::classes($topology))[0] };
    my @best    = map { [$_] } grep { $is_best{$_} } @sample;
    my %several = (%$half, all => [$topology->{numbers}]);
    my @several;

    for my $what (grep { $several{$_} } qw(spread packed all)) {
        push @several, map { _condition("$what $_", $_, @{ $several{$what} }) } @names;
    }
    return {
        topology   => $topology,
        names      => \@names,
        half       => $half,
        alone      => { map { $_ => "alone $first $_" } @sample },
        conditions => [
            (map { _condition("alone $first $_", $first, [$_]) } @sample),
            (map { _condition("alone $_",        $_,     @best) } @others),
            @several,
            (
                map { _condition("place $_->{name}", PAIR, [join q{,}, @{ $_->{cpus} }]) }
                    UnixBench::Cpus::Topology::of_two($topology)
            ),
            _condition('taken', undef, $topology->{numbers}),
        ],
    };
}

sub _condition {
    my ($key, $test, @places) = @_;
    return { key => $key, what => $key =~ s/ .*//r, test => $test, places => \@places };
}

# Takes a topology; returns the CPUs that are measured alone: all, or about 16 of them: of each declared class its part,
# at least two, at even distances in the order of sockets, caches and cores.
sub sample {
    my ($topology) = @_;
    my %at = map { @$_{qw(cpu at)} } @{ $topology->{cpus} };
    my @sample;
    for my $class (UnixBench::Cpus::Topology::classes($topology)) {
        my @sorted = sort { $at{$a} cmp $at{$b} } @$class;
        my $count  = min(scalar @sorted, max(2, int(ALONE_MOST * @sorted / keys %at)));
        push @sample, map { $sorted[$_ * @sorted / $count] } 0 .. $count - 1;
    }
    @sample = sort { $a <=> $b } @sample;
    return @sample;
}

# Takes a plan, and a function that takes a slice, { key, what, test, cpus }, and returns what was measured, or nothing
# after an interruption. Returns [rounds], see UnixBench::Cpus::Worth, or nothing.
sub rounds {
    my ($plan, $measure) = @_;
    my @conditions = @{ $plan->{conditions} };
    my @rounds;
    while (@rounds < ROUNDS_MOST) {
        my %round;
        for my $condition (shuffle(@conditions)) {
            my @places = @{ $condition->{places} };
            $round{ $condition->{key} } = $measure->({ %$condition, cpus => $places[@rounds % @places] }) // return;
        }
        push @rounds, \%round;
        next if @rounds % ROUNDS;
        last if UnixBench::Cpus::Worth::pairs($plan, \@rounds)->{word} ne 'undetermined';
        my $of_pairs = $plan->{half}{spread} ? qr/\A(?:spread|packed)\z/ : qr/\A(?:alone|all)\z/;
        @conditions = grep { $_->{what} =~ $of_pairs } @conditions;
    }
    return \@rounds;
}

# Takes a plan and [rounds]. Returns the type cpus_found of UnixBench::Cpus without quota, indexes and newest result.
sub found {
    my ($plan, $rounds) = @_;
    my $topology = $plan->{topology};
    my $kinds    = UnixBench::Cpus::Worth::kinds($plan, $rounds);
    my $pairs    = UnixBench::Cpus::Worth::pairs($plan, $rounds);
    my $spread   = $plan->{half}{spread};
    my @taken    = map { $_->{taken} // () } @$rounds;
    delete $_->{stolen_s} for $topology->{online} > @{ $topology->{cpus} } ? @taken : ();    # it is that of all CPUs
    my $taken      = taken(@taken);
    my $is_limited = grep { $_->{throttled_s} } map { values %$_ } @$rounds;
    $pairs->{word} = 'undetermined' if $is_limited || $taken->{share} > ($spread ? LOUD : ALONE);
    my $worth      = UnixBench::Cpus::Worth::of($plan, $rounds, $pairs, @{ $kinds->{kinds}[0]{cpus} });
    my $classes    = $spread ? UnixBench::Cpus::Topology::classes($topology) : 1;
    my $are_mixed  = @{ $kinds->{kinds} } > $classes;
    my $is_too_low = $pairs->{word} eq 'true' && grep { $_->{shape} =~ /corner|falls/ } @$worth;
    $pairs->{word} = 'undetermined' if !$pairs->{declared} && ($are_mixed || $is_too_low);
    my @places = UnixBench::Cpus::Topology::of_two($topology);

    for my $place (@places) {
        my $rates = UnixBench::Cpus::Worth::together($rounds, "place $place->{name}");
        $place->{rate} = UnixBench::Score::Estimate::of_rates(values %$rates);
    }
    return {
        %$kinds,
        declared => UnixBench::Cpus::Topology::in_words($topology),
        rounds   => scalar @$rounds,
        pairs    => $pairs,
        worth    => $worth,
        taken    => $taken,
        places   => \@places,
    };
}

# Takes slices of the condition "taken", see UnixBench::Cpus::Slices; returns the type cpus_taken of UnixBench::Cpus
# without the quota.
sub taken {
    my (@slices) = @_;
    my $seconds  = sum(map { $_->{seconds} } @slices);
    my @sizes    = map { $_->[2] } map { @{ $_->{pieces} } } @slices;
    my $rest     = min(1, sum(0, @sizes) / $seconds);
    my %taken    = (share => $rest, sizes => \@sizes);
    for my $part ([stolen => 'stolen_s'], [quota => 'throttled_s'], [others => 'waited_s']) {
        my ($key, $of) = @$part;
        my @known = grep { defined } map { $_->{$of} } @slices;
        my $value = @known == @slices ? sum(@known) / $seconds : undef;
        $value = max(0, $value - ($taken{quota} // 0)) if $key eq 'others' && defined $value;
        $taken{$key} = defined $value ? min($value, $rest) : undef;
        $rest -= $taken{$key} // 0;
    }
    return { %taken, rest => $rest, period_s => scalar _period(@slices) };
}

# Returns the median time from the begin of a piece to that of the next on the same CPU if most are near it.
sub _period {
    my (@slices) = @_;
    my @apart;
    for my $slice (@slices) {
        my @pieces = sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] } @{ $slice->{pieces} };
        my @again  = grep { $pieces[$_][0] == $pieces[$_ - 1][0] } 1 .. $#pieces;
        push @apart, map { $pieces[$_][1] - $pieces[$_ - 1][1] } @again;
    }
    return if @apart < INTERVALS_LEAST;
    my ($low, $median, $high) = map { quantile($_, @apart) } 1 / 4, 1 / 2, 3 / 4;
    return $high - $low <= REGULAR * $median ? $median : undef;
}

1;
