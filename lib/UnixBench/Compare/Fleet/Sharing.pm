package UnixBench::Compare::Fleet::Sharing;

# What machines lose to each other on a hypervisor: the index of all of them at once, divided by that of each alone.

use strict;
use warnings;

use UnixBench::Score::Estimate ();

# Takes a summary; returns { copies => index } with the first index of each run that has an estimate. This is all that
# of() needs of a summary.
sub indexes {
    my ($summary) = @_;
    my %index;
    for my $run (reverse @{ $summary->{runs} }) {
        my ($index) = grep { $_->{estimate} } @{ $run->{indexes} };
        $index{ $run->{copies} } = { map { $_ => $index->{$_} } qw(title tests estimate) } if $index;
    }
    return \%index;
}

# Takes hosts, see UnixBench::Compare::Fleet::Hosts, whose tries have indexes. Returns { shares, copies, title (of the
# index), machines (their number), ratio } for each hypervisor and number of copies, in the order of their names. The
# ratio is an estimate: the geometric mean over the machines, with the errors of their runs.
sub of {
    my (@hosts) = @_;
    my %ratios;
    for my $host (grep { defined $_->{shares} && $_->{together} } @hosts) {
        my ($alone, $together) = map { $_->{outcome} eq 'measured' ? $_->{indexes} : {} } @$host{qw(counted together)};
        next if $host->{counted}{phase} ne 'alone';
        for my $copies (grep { _is_same($alone->{$_}, $together->{$_}) } keys %$alone) {
            my $title = $alone->{$copies}{title};
            push @{ $ratios{$copies}{ $host->{shares} }{$title} },
                UnixBench::Score::Estimate::ratio($together->{$copies}{estimate}, $alone->{$copies}{estimate});
        }
    }
    return map { _of_copies($_, $ratios{$_}) } sort { $a <=> $b } keys %ratios;
}

# Returns whether two indexes can be compared: both are there, with the same tests.
sub _is_same {
    my ($alone, $together) = @_;
    return $together && join("\n", sort @{ $alone->{tests} }) eq join "\n", sort @{ $together->{tests} };
}

sub _of_copies {
    my ($copies, $of_shares) = @_;
    my @rows;
    for my $shares (sort keys %$of_shares) {
        my $of_title = $of_shares->{$shares};
        push @rows, map { _row($copies, $shares, $_, @{ $of_title->{$_} }) } sort keys %$of_title;
    }
    return @rows;
}

sub _row {
    my ($copies, $shares, $title, @ratios) = @_;
    return {
        copies   => $copies,
        shares   => $shares,
        title    => $title,
        machines => scalar @ratios,
        ratio    => UnixBench::Score::Estimate::geometric_mean(@ratios),
    };
}

1;
