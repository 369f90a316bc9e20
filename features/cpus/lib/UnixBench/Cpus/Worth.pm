package UnixBench::Cpus::Worth;

# What the rates of copies show: what N copies do as a multiple of one copy, and how that grows; whether the declared
# cores are true: whether two copies do less on the threads of one core than on two cores; and kinds: clusters of the
# speeds of CPUs when each works alone. Rounds are [{ key of a condition => slice }, ...], see UnixBench::Cpus::Slices.
# They are pairs: the difference of two logarithms with the same distribution is symmetric.

use strict;
use warnings;

use List::Util qw(max);

use UnixBench::Cpus::Topology  ();
use UnixBench::Score::Estimate ();
use UnixBench::Score::Stats    qw(are_sure mean median standard_deviation t_above);

# The model is that of a sweep (features/scaling), a line with a corner. Its place is known here, so two values are
# enough, and no fit is needed. The second half of the copies adds this part of the first half, or more, on a line; and
# less than nothing if it falls. Few of 3,048 measured curves are near these edges: lab/worth.
use constant { FALLS => -0.1, LINE => 0.7 };

# Packed copies do less if they do less than this part of spread ones. Between equal copies and those of real threads,
# which do at most 0.85, this leaves room on both sides. A copy that is alone may have a faster clock than others, so
# without spread copies threads must show what real ones do. LEVEL is that of all statements together, on one side.
use constant { LESS => 0.92, LESS_THAN_ALONE => 0.85, LEVEL => 0.025, TINY => 1e-9 };

# Kinds, as logarithms; the error of a median is at most that of a mean, times MEDIAN.
use constant { APART => log 1.04, ERRORS => 4, LEAST => 0.01, MEDIAN => 1.26 };

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
    my $is_like  = $half->{spread} && !$half->{is_mixed};
    my $from     = $half->{spread} ? @{ $half->{spread}[0] } : 1;
    my %has_core = (true => 1, false => $pairs->{declared});        # each spread copy
    my @worth;
    for my $name (@{ $plan->{names} }) {
        my $one    = together($rounds, $name eq $first ? @{ $plan->{alone} }{@fastest} : "alone $name");
        my $all    = together($rounds, "all $name");
        my $middle = $half->{spread} ? together($rounds, "spread $name") : $one;
        my $ratio  = _ratio($all, $middle);
        my %shape  = shape($half->{is_mixed} ? { value => $ratio->{value} } : $ratio, $from, $cpus);
        my $is_own = $is_like && $has_core{ $pairs->{word} } && ($pairs->{declared} || $shape{shape} eq 'line');
        my $busy   = $is_own ? UnixBench::Score::Estimate::multiple($ratio, $from) : undef;
        my %worth  = (alone => _ratio($all, $one), busy => $busy, half => $is_like ? _ratio($middle, $one) : undef);
        push @worth, { name => $name, copies => $cpus, from => $from, %worth, %shape };
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
    my @found    = map { _likeliest($_->{ratio}, $declared, $half->{spread}) } @tests;
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
    my ($copies, $spread) = @{ $plan->{half} }{qw(copies spread)};
    my @one   = $name eq $plan->{names}[0] ? values %{ $plan->{alone} }       : "alone $name";
    my @keys  = $spread                    ? ("packed $name", "spread $name") : ("all $name", @one);
    my $ratio = _ratio(together($rounds, shift @keys), together($rounds, @keys));
    return $ratio && UnixBench::Score::Estimate::multiple($ratio, ($spread ? @{ $spread->[0] } : 1) / $copies);
}

# Takes an estimate, whether threads are declared (if not, it is unknown which CPUs share a core), and whether copies
# were spread. Returns [the likeliest word, the probability of such an estimate if the word is wrong].
sub _likeliest {
    my ($ratio, $declared, $spread) = @_;
    return [undef, 1] if !$ratio || !defined $ratio->{log_se};
    my ($log, $edge, $se) = (log $ratio->{value}, log LESS, $ratio->{log_se} || TINY);
    my $low = $spread ? $edge : log LESS_THAN_ALONE;
    my ($less, $above) = map { t_above($_ / $se, $ratio->{df}) } $low - $log, $log - $edge;
    my ($more, $below) = map { t_above($_ / $se, $ratio->{df}) } $log + $edge, -$log - $edge;
    my $is_one = $declared || !$spread;
    my $equal  = $is_one   || $above > $below ? $above : $below;
    my ($best) = sort { $a->[1] <=> $b->[1] } [less => $less], [equal => $equal], $is_one ? () : [more => $more];
    return $best;
}

# Takes a plan and [rounds]. Returns { alone, kinds }, see the types cpus_speed and cpus_kind of UnixBench::Cpus. All
# speeds have the same standard error: that of a mean of all rounds. They are parts of the mean of all CPUs, which costs
# a degree of freedom. Kinds, the fastest first, are apart by more than 4 %, and by four standard errors.
sub kinds {
    my ($plan, $rounds) = @_;
    my @cpus   = sort { $a <=> $b } keys %{ $plan->{alone} };
    my $common = together($rounds, values %{ $plan->{alone} });
    my %logs;
    for my $cpu (@cpus) {
        my $rates = together($rounds, $plan->{alone}{$cpu});
        $logs{$cpu} = [map { log($rates->{$_} / $common->{$_}) } keys %$common];
    }
    my %log    = map { $_ => mean(@{ $logs{$_} }) } @cpus;
    my $square = mean(map { standard_deviation(@$_)**2 / @$_ } values %logs) * @cpus / (@cpus - 1);
    my @error  = (sqrt $square, (@cpus - 1) * (keys(%$common) - 1));
    my $apart  = max(APART, ERRORS * sqrt(2) * $error[0]);
    my @groups;
    for my $cpu (sort { $log{$b} <=> $log{$a} || $a <=> $b } @cpus) {
        push @groups,          [] if !@groups || $log{ $groups[-1][-1] } - $log{$cpu} > $apart;
        push @{ $groups[-1] }, $cpu;
    }
    my @names  = @groups > 1 ? UnixBench::Cpus::Topology::names_of($plan->{topology}, @groups) : undef;
    my @levels = map { mean(@log{@$_}) } @groups;
    my %beside = map { _odd(\@error, \%log, @$_) } @groups;
    my %cpu    = map { $_->{cpu} => $_ } @{ $plan->{topology}{cpus} };
    my (@alone, @kinds);

    for my $kind (0 .. $#groups) {
        my @group = sort { $a <=> $b } @{ $groups[$kind] };
        push @kinds, { name => $names[$kind], cpus => \@group, value => exp($levels[$kind] - $levels[0]) };
        for my $cpu (@group) {
            my $speed = UnixBench::Score::Estimate::around(exp($log{$cpu} - $levels[0]), @error);
            push @alone, { %{ $cpu{$cpu} }, kind => $kind, speed => $speed, beside => $beside{$cpu} };
        }
    }
    return { alone => \@alone, kinds => \@kinds };
}

# Returns (CPU => its speed as a part of that of the others of its group, ...) of those that surely differ, at one level
# for all. The median of the others does not see another odd one; its error is that of a mean, times MEDIAN at most.
sub _odd {
    my ($error, $log, @group) = @_;
    my ($se, $df) = @$error;
    return if @group < 2 || $se <= 0;
    $se *= sqrt(1 + MEDIAN**2 / (@group - 1));
    my %by;
    for my $cpu (@group) {
        $by{$cpu} = $log->{$cpu} - median(@$log{ grep { $_ != $cpu } @group });
    }
    my @sure = are_sure(LEVEL, map { t_above(abs($by{$_}) / $se, $df) } @group);
    my @odd  = map { $sure[$_] ? $group[$_] : () } 0 .. $#group;
    @odd = grep { abs $by{$_} > LEAST && (@group > 2 || $by{$_} < 0) } @odd;
    return map { $_ => UnixBench::Score::Estimate::around(exp $by{$_}, $se, $df) } @odd;
}

1;
