package UnixBench::Fleet::Hosts;

# The hosts of a fleet, each with one final outcome: measured, failed, unreachable, refused, running or untried. Hosts
# that share a hypervisor also have a ratio: the index of all of them at once, divided by that of each alone.
#
# A try is one attempt to measure a host, plain data:
#   host     the name of the host
#   shares   the name of its hypervisor, or undef
#   phase    "alone", or "together" with the other machines of the hypervisor
#   try      its number, from 1
#   outcome  "measured", "failed", "unreachable", "refused", "running" (its run has not ended) or "untried" (no run was
#            started)
#   reason   a sentence about the outcome, or undef
#   summary  its result (see UnixBench::Store::Summary), perhaps in lean form, or undef
#   indexes  { copies => index } of its result, see indexes()
#   cases    [the cases of its result], see UnixBench::Accept::Acceptance
#   verdict  "PASS", "FAIL" or "INCONCLUSIVE" by the requirements; undef if there are none, or if it was not measured.
#            A try that failed is "FAIL" if its result shows that the machine is too slow or broken

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Fleet::Measures ();
use UnixBench::Score::Estimate ();
use UnixBench::Score::Repeat   ();

our @EXPORT_OK = qw(is_accepted is_due is_missing outcome_of);

# Takes tries; returns the hosts in the order of the tries:
#   name, shares              as in the tries
#   counted                   the try that counts
#   outcome, reason, verdict  those of the counted try
#   tries                     [all tries of its phase, by number]
#   together                  the try of the phase "together" that counts, or undef
# A host's outcome is that of the phase "alone", and only its tries have verdicts. If the list has only the other phase
# of a host, that phase decides.
sub of {
    my (@tries) = @_;
    my (%of_host, @names);
    for my $try (@tries) {
        push @names,                                         $try->{host} if !$of_host{ $try->{host} };
        push @{ $of_host{ $try->{host} }{ $try->{phase} } }, $try;
    }
    return map { _host($_, $of_host{$_}) } @names;
}

sub _host {
    my ($name,  $of_phase) = @_;
    my ($alone, $together) = map { _by_number(@{ $of_phase->{$_} || [] }) } qw(alone together);
    $together = [map { +{ %$_, verdict => undef } } @$together] if @$alone;
    my $tries   = @$alone ? $alone : $together;
    my $counted = counted(@$tries);
    return {
        name    => $name,
        counted => $counted,
        tries   => $tries,
        (map { $_ => $counted->{$_} } qw(shares outcome reason verdict)),
        together => @$together ? counted(@$together) : undef,
    };
}

sub _by_number {
    my (@tries) = @_;
    return [sort { $a->{try} <=> $b->{try} } @tries];
}

# Takes tries of a host and a phase, by number, at least one. Returns the one that counts: the last that was measured,
# or that has a verdict although it failed. An inconclusive one does not hide an earlier verdict. Without such a try,
# the last one counts.
sub counted {
    my (@tries)  = @_;
    my @measured = grep { $_->{outcome} eq 'measured' || defined $_->{verdict} } @tries;
    my @decided  = grep { ($_->{verdict} // q{}) ne 'INCONCLUSIVE' } @measured;
    my ($last)   = map  { @$_ ? $_->[-1] : () } \@decided, \@measured, \@tries;
    return $last;
}

# Takes a host; returns whether it was not measured, or not in the phase "together" although it is in the list.
sub is_missing {
    my ($host) = @_;
    return $host->{outcome} ne 'measured' || $host->{together} && $host->{together}{outcome} ne 'measured';
}

# Takes a host; returns whether it may still be measured: it was not tried, or its run has not ended.
sub is_due {
    my ($host) = @_;
    return $host->{outcome} eq 'untried' || $host->{outcome} eq 'running';
}

# Takes a host; returns whether it was measured as the list demands, and meets the requirements, if there are any.
sub is_accepted {
    my ($host) = @_;
    return !is_missing($host) && ($host->{verdict} // 'PASS') eq 'PASS';
}

# Takes hosts; returns how often each outcome occurs, { outcome => number }. The outcome of a measured host is its
# verdict, if it has one.
sub counts {
    my (@hosts) = @_;
    my %count;
    $count{ outcome_of($_) }++ for @hosts;
    return \%count;
}

# Takes a host or a try; returns its verdict, or its outcome if there is none.
sub outcome_of {
    my ($of) = @_;
    return $of->{verdict} // $of->{outcome};
}

# Takes a summary; returns { copies => index } with the first index of each run that has an estimate: the one that
# decides, as in the ranking, and with machine, the estimate of the machine. This is all that sharing() needs of a
# summary.
sub indexes {
    my ($summary) = @_;
    my %index;
    for my $run (reverse @{ $summary->{runs} }) {
        my ($index) = grep { $_->{estimate} } @{ $run->{indexes} };
        next if !$index;
        my $estimate = UnixBench::Fleet::Measures::deciding($index);
        my $machine  = UnixBench::Score::Repeat::of_machine($estimate, $index->{repeat});
        $index{ $run->{copies} } = {
            machine  => $machine,
            estimate => $estimate,
            map { $_ => $index->{$_} } qw(category title tests index repeat)
        };
    }
    return \%index;
}

# Takes hosts. Returns what machines lose to each other on a hypervisor: { shares, copies, title (of the index),
# machines (their number), ratio } for each number of copies and each hypervisor, in the order of their names. The ratio
# is an estimate: the geometric mean over the machines, with the errors of their runs.
sub sharing {
    my (@hosts) = @_;
    my (%row, %ratios);
    for my $host (grep { defined $_->{shares} && $_->{together} && $_->{counted}{phase} eq 'alone' } @hosts) {
        my ($alone, $together) = map { $_->{outcome} eq 'measured' ? $_->{indexes} : {} } @$host{qw(counted together)};
        for my $copies (grep { _is_same($alone->{$_}, $together->{$_}) } keys %$alone) {
            my $index = $alone->{$copies};
            my $key   = join "\n", $copies, $host->{shares}, $index->{category};
            $row{$key} = { copies => $copies, shares => $host->{shares}, title => $index->{title} };
            push @{ $ratios{$key} },
                UnixBench::Score::Estimate::ratio($together->{$copies}{estimate}, $alone->{$copies}{estimate});
        }
    }
    my @keys = sort { $row{$a}{copies} <=> $row{$b}{copies} || $a cmp $b } keys %row;
    return map { _with_ratio($row{$_}, @{ $ratios{$_} }) } @keys;
}

# Returns whether two indexes can be compared: both are there, with the same tests.
sub _is_same {
    my ($alone, $together) = @_;
    return $together && join("\n", sort @{ $alone->{tests} }) eq join "\n", sort @{ $together->{tests} };
}

sub _with_ratio {
    my ($row, @ratios) = @_;
    return { %$row, machines => scalar @ratios, ratio => UnixBench::Score::Estimate::geometric_mean(@ratios) };
}

1;
