package UnixBench::Cpus::Kinds;

# Kinds of CPUs: clusters of their speeds when each works alone.

use strict;
use warnings;

use List::Util qw(max);

use UnixBench::Cpus::Topology ();
use UnixBench::Cpus::Worth    qw(together);
use UnixBench::Score::Stats   qw(are_sure mean standard_deviation t_above t_quantile);

use constant { APART => log 1.04, ERRORS => 4, LEAST => 0.01, COVERED => 0.975 };

# Takes a topology, [rounds], and { number of a CPU => key of its condition }. Returns { alone, kinds }, see the types
# cpus_speed and cpus_kind of UnixBench::Cpus::Schema.
sub of {
    my ($topology, $rounds, $key_of) = @_;
    my @cpus  = sort { $a <=> $b } keys %$key_of;
    my %rates = map  { $_ => together($rounds, $key_of->{$_}) } @cpus;
    my %logs;
    for my $round (keys %{ together($rounds, values %$key_of) }) {
        my $common = mean(map { log $rates{$_}{$round} } @cpus);
        push @{ $logs{$_} }, log($rates{$_}{$round}) - $common for @cpus;
    }
    my %log    = map { $_ => mean(@{ $logs{$_} }) } @cpus;
    my %error  = _error(map { $logs{$_} } @cpus);
    my @groups = _clusters($error{se}, \%log, @cpus);
    my @names  = @groups > 1 ? UnixBench::Cpus::Topology::names_of($topology, @groups) : undef;
    my @levels = map { mean(@log{@$_}) } @groups;
    my %off    = ((map { $_ => {} } @cpus), map { _odd(\%error, \%log, @$_) } @groups);
    my (@alone, @kinds);

    for my $kind (0 .. $#groups) {
        my @group = sort { $a <=> $b } @{ $groups[$kind] };
        push @kinds, { name => $names[$kind], cpus => \@group, value => exp($levels[$kind] - $levels[0]) };
        for my $cpu (@group) {
            my ($low, $value, $high) = map { exp($log{$cpu} - $levels[0] + $_ * $error{half}) } -1, 0, 1;
            push @alone, { cpu => $cpu, kind => $kind, value => $value, low => $low, high => $high, %{ $off{$cpu} } };
        }
    }
    return { alone => \@alone, kinds => \@kinds };
}

# Takes [logarithms of the rates in all rounds] of each CPU; returns the standard error of a mean of them, its degrees
# of freedom and half of its interval: all CPUs have the same.
sub _error {
    my (@of_cpus) = @_;
    my $rounds = @{ $of_cpus[0] };
    return (se => 0, df => 0, half => 0) if $rounds < 2;
    my ($se, $df) = (sqrt mean(map { standard_deviation(@$_)**2 / $rounds } @of_cpus), @of_cpus * ($rounds - 1));
    return (se => $se, df => $df, half => $se * t_quantile(COVERED, $df));
}

# Returns groups of CPUs, the fastest first. Two are apart by more than 4 %, and by four standard errors.
sub _clusters {
    my ($error, $log, @cpus) = @_;
    my ($first, @others) = sort { $log->{$b} <=> $log->{$a} || $a <=> $b } @cpus;
    my $apart  = max(APART, ERRORS * sqrt(2) * $error);
    my @groups = [$first];
    for my $cpu (@others) {
        push @groups,          [] if $log->{ $groups[-1][-1] } - $log->{$cpu} > $apart;
        push @{ $groups[-1] }, $cpu;
    }
    return @groups;
}

# Returns (CPU => { off, off_half }, ...) of those in a group that differ from its others, at one level for all.
sub _odd {
    my ($error, $log, @group) = @_;
    return if @group < 2 || $error->{se} <= 0;
    my $wider = sqrt(1 + 1 / (@group - 1));
    my $sum   = mean(@$log{@group}) * @group;
    my @by    = map { $log->{$_} - ($sum - $log->{$_}) / (@group - 1) } @group;
    my @sure  = are_sure(1 - COVERED, map { t_above(abs($_) / $error->{se} / $wider, $error->{df}) } @by);
    my @odd   = grep { $sure[$_] && abs $by[$_] > LEAST && (@group > 2 || $by[$_] < 0) } 0 .. $#group;
    return map { $group[$_] => { off => exp($by[$_]) - 1, off_half => $error->{half} * $wider } } @odd;
}

1;
