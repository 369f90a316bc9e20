package UnixBench::Cpus::Worth;

# What N copies do as a multiple of one copy, how that grows, and whether the declared cores are true: whether two
# copies do less on the threads of one core than on two cores. Rounds are [{ key of a condition => slice }, ...], see
# UnixBench::Cpus::Slices. They are pairs: the difference of two logarithms with the same distribution is symmetric.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Score::Estimate ();
use UnixBench::Score::Stats    qw(are_sure mean t_above);

our @EXPORT_OK = qw(together);

# The second half of the copies adds this part of the first half, or more, on a line; and less than nothing if it falls.
# Few of 3,048 measured curves are near these edges: lab/worth.
use constant { FALLS => -0.1, LINE => 0.7 };

# Packed copies do less if they do less than this part of spread ones. Between equal copies and those of real threads,
# which do at most 0.85, this leaves room on both sides. LEVEL is that of all statements together, on one side.
use constant { LESS => 0.92, LEVEL => 0.025 };

# Takes [rounds], and keys; returns { number of a round => mean rate of these conditions }, of the rounds that have all.
sub together {
    my ($rounds, @keys) = @_;
    my %rate;
    for my $number (0 .. $#$rounds) {
        my @slices = grep { defined } @{ $rounds->[$number] }{@keys};
        $rate{$number} = mean(map { $_->{rate} } @slices) if @keys && @slices == @keys;
    }
    return \%rate;
}

# Returns the estimate of the ratio of two such rates, see UnixBench::Score::Estimate, or undef if no round has both.
sub _ratio {
    my ($of, $to) = @_;
    my @both = grep { defined $to->{$_} } keys %$of;
    return @both ? UnixBench::Score::Estimate::of_rates(map { $of->{$_} / $to->{$_} } @both) : undef;
}

# Takes a plan, see UnixBench::Cpus::Measurement, [rounds], what pairs() has found, and the CPUs of the fastest kind,
# on which a copy of the first test is alone. Returns the type cpus_worth of UnixBench::Cpus for each test.
sub of {
    my ($plan, $rounds, $pairs, @fastest) = @_;
    my ($half, $cpus, $first) = ($plan->{half}, scalar @{ $plan->{topology}{cpus} }, $plan->{names}[0]);
    my $from   = $half->{spread} ? $half->{copies} : 1;
    my $is_own = $half->{spread} && $pairs->{declared} && $pairs->{word} eq 'true';
    my @worth;
    for my $name (@{ $plan->{names} }) {
        my $one    = together($rounds, $name eq $first ? @{ $plan->{alone} }{@fastest} : "alone $name");
        my $all    = together($rounds, "all $name");
        my $middle = $half->{spread} ? together($rounds, "spread $name") : $one;
        my $ratio  = _ratio($all, $middle);
        my $busy   = $is_own ? UnixBench::Score::Estimate::multiple($ratio, $from) : undef;
        my %worth  = (alone => _ratio($all, $one), busy => $busy, half => $half->{spread} && _ratio($middle, $one));
        push @worth, { name => $name, copies => $cpus, from => $from, %worth, shape($ratio, $from, $cpus) };
    }
    return \@worth;
}

# Takes the estimate of the ratio of all copies to some, and both numbers; returns shape and adds as above.
sub shape {
    my ($ratio, $some, $all) = @_;
    my @adds = map { defined() ? ($_ - 1) * $some / ($all - $some) : undef } @$ratio{qw(value low high)};
    my ($shape, @ends) = map { !defined() ? -1 : $_ < FALLS ? 0 : $_ < LINE ? 1 : 2 } @adds;
    my $is_sure = !grep { $_ != $shape } @ends;
    return (adds => $adds[0], shape => $is_sure ? (qw(falls corner line))[$shape] : 'undetermined');
}

# Takes a plan and [rounds]. Returns the type cpus_pairs of UnixBench::Cpus. One test shows that copies share a core;
# all are needed to show that none do.
sub pairs {
    my ($plan, $rounds) = @_;
    my $half     = $plan->{half};
    my $declared = $half->{declared} ? 1 : 0;
    my @tests    = map { +{ name => $_, ratio => _packed_to_spread($plan, $rounds, $_) } } @{ $plan->{names} };
    my @found    = map { _likeliest($_->{ratio}, $declared) } @tests;
    my @sure     = are_sure(LEVEL, map { $_->[1] } @found);
    $tests[$_]{packed} = $sure[$_] ? $found[$_][0] : undef for 0 .. $#tests;
    my $are_threads = grep                  { ($_->{packed} // 'equal') ne 'equal' } @tests;
    my $is_open     = !$are_threads && grep { !$_->{packed} } @tests;
    my $word        = $is_open ? 'undetermined' : !$are_threads == !$declared ? 'true' : 'false';
    return { declared => $declared, copies => $half->{copies}, word => $word, tests => \@tests };
}

# Without spread copies, all are compared with what one of them does, times their number.
sub _packed_to_spread {
    my ($plan, $rounds, $name) = @_;
    return _ratio(map { together($rounds, "$_ $name") } qw(packed spread)) if $plan->{half}{spread};
    my @one   = $name eq $plan->{names}[0] ? values %{ $plan->{alone} } : "alone $name";
    my $ratio = _ratio(together($rounds, "all $name"), together($rounds, @one));
    return $ratio && UnixBench::Score::Estimate::multiple($ratio, 1 / $plan->{half}{copies});
}

# Takes an estimate, and whether threads are declared: if not, it is unknown which CPUs share a core. Returns [the
# likeliest word, the probability of such an estimate if the word is wrong].
sub _likeliest {
    my ($ratio, $declared) = @_;
    return [undef, 1] if !$ratio || !defined $ratio->{log_se};
    my ($log,  $edge)  = (log $ratio->{value}, log LESS);
    my ($less, $above) = map { _chance($_, $ratio) } $edge - $log, $log - $edge;
    my ($more, $below) = map { _chance($_, $ratio) } $log + $edge, -$log - $edge;
    my $equal  = $declared || $above > $below ? $above : $below;
    my ($best) = sort { $a->[1] <=> $b->[1] } [less => $less], [equal => $equal], $declared ? () : [more => $more];
    return $best;
}

# Returns the probability that chance alone brings an estimate this far beyond an edge.
sub _chance {
    my ($distance, $ratio) = @_;
    return $distance > 0 ? 0 : 1 if $ratio->{log_se} <= 0;
    return t_above($distance / $ratio->{log_se}, $ratio->{df});
}

1;
