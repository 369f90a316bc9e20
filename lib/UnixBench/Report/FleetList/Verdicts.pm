package UnixBench::Report::FleetList::Verdicts;

# The verdicts on the hosts of a fleet, as a file for other programs: UnixBench::Accept::VerdictFile.

use strict;
use warnings;

use UnixBench::Accept::VerdictFile        ();
use UnixBench::Base::Format               qw(iso_time);
use UnixBench::Compare::Fleet::Hosts      qw(is_accepted outcome_of);
use UnixBench::Report::FleetList::Wording qw(reasons_of);
use UnixBench::Report::VerdictBlock       qw(indexes_of);
use UnixBench::Version                    ();

# The states of the outcomes. A host that could not be judged is unknown: it may be a good one.
my %STATE = (
    PASS         => 'pass',
    FAIL         => 'fail',
    INCONCLUSIVE => 'inconclusive',
    failed       => 'fail',
    map { $_ => 'unknown' } qw(measured unreachable refused),
);

# Takes a list, see UnixBench::Report::FleetList; returns the text of the file, with a block for each host.
sub render {
    my ($list) = @_;
    return UnixBench::Accept::VerdictFile::text(map { _block($_, $list) } @{ $list->{hosts} });
}

# Returns the block of a host. The time of a host without a result is the present.
sub _block {
    my ($host, $list) = @_;
    my $summary = $host->{counted}{summary} || { runs => [] };
    my $ended   = int($summary->{ended} // $summary->{started} // time);
    return {
        host    => $host->{name},
        ended   => $ended,
        date    => iso_time($ended, 0),
        version => $summary->{version} // $UnixBench::Version::VERSION,
        indexes => [map { indexes_of($_) } @{ $summary->{runs} }],
        _verdict($host, $list),
    };
}

# Returns the state and the reason. A host that was not measured in the phase "together" does not pass.
sub _verdict {
    my ($host, $list) = @_;
    my $outcome = outcome_of($host);
    my $reason  = reasons_of($host, $list);
    my $state   = $STATE{$outcome};
    $state = 'inconclusive' if $state eq 'pass' && !is_accepted($host);
    return (
        state => $state,
        reason => length $reason ? $reason
        : $outcome eq 'PASS' ? 'all requirements are met'
        :                      'there is no requirement'
    );
}

1;
