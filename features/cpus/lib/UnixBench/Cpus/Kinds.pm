package UnixBench::Cpus::Kinds;

# Kinds of CPUs: clusters of their speeds when each works alone.

use strict;
use warnings;

use List::Util qw(max);

use UnixBench::Cpus::Topology  ();
use UnixBench::Cpus::Worth     qw(together);
use UnixBench::Score::Estimate ();
use UnixBench::Score::Stats    qw(are_sure mean median standard_deviation t_above);

use constant { APART => log 1.04, ERRORS => 4, LEAST => 0.01, MEDIAN => 1.26 };

# Takes a plan and [rounds], see UnixBench::Cpus::Measurement. Returns { alone, kinds }, see the types cpus_speed and
# cpus_kind of UnixBench::Cpus. All speeds have the same standard error: that of a mean of all rounds. Kinds, the
# fastest first, are apart by more than 4 %, and by four standard errors.
sub of {
    my ($plan, $rounds) = @_;
    my $key_of = $plan->{alone};
    my @cpus   = sort { $a <=> $b } keys %$key_of;
    my $common = together($rounds, values %$key_of);
    my %logs;
    for my $cpu (@cpus) {
        my $rates = together($rounds, $key_of->{$cpu});
        $logs{$cpu} = [map { log($rates->{$_} / $common->{$_}) } keys %$common];
    }
    my %log   = map { $_ => mean(@{ $logs{$_} }) } @cpus;
    my @error = (sqrt mean(map { standard_deviation(@$_)**2 / @$_ } values %logs), @cpus * (keys(%$common) - 1));
    my $apart = max(APART, ERRORS * sqrt(2) * $error[0]);
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
    my @sure = are_sure(UnixBench::Cpus::Worth::LEVEL, map { t_above(abs($by{$_}) / $se, $df) } @group);
    my @odd  = map { $sure[$_] ? $group[$_] : () } 0 .. $#group;
    @odd = grep { abs $by{$_} > LEAST && (@group > 2 || $by{$_} < 0) } @odd;
    return map { $_ => UnixBench::Score::Estimate::around(exp $by{$_}, $se, $df) } @odd;
}

1;
