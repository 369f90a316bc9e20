package UnixBench::Cpus::Taken;

# Taken time: what is missing in loops that read the clock, and what explains it: the hypervisor (steal), a quota, other
# processes of this machine. Threads that share a core are not taken time.

use strict;
use warnings;

use List::Util qw(max min sum);

use UnixBench::Score::Stats qw(quantile);

# LOUD is the share of the time beyond which others used, or took, too much to name kinds and pairs of CPUs.
use constant { LOUD => 0.25, REGULAR => 0.1, INTERVALS_LEAST => 5, US => 1e6 };

# Takes slices of the condition "taken", see UnixBench::Cpus::Slices; returns the type cpus_taken of UnixBench::Cpus
# without the quota.
sub of {
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
        my %last;
        for my $piece (@{ $slice->{pieces} }) {
            my ($copy, $begin) = @$piece;
            push @apart, $begin - $last{$copy} if defined $last{$copy};
            $last{$copy} = $begin;
        }
    }
    return if @apart < INTERVALS_LEAST;
    my ($low, $median, $high) = map { quantile($_, @apart) } 1 / 4, 1 / 2, 3 / 4;
    return $high - $low <= REGULAR * $median ? $median : undef;
}

1;
