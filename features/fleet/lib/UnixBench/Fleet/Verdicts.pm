package UnixBench::Fleet::Verdicts;

# The verdicts on the hosts of a fleet, as a file for other programs: UnixBench::Accept::VerdictFile.

use strict;
use warnings;

use UnixBench::Accept::VerdictFile  ();
use UnixBench::Base::Time           qw(iso_time);
use UnixBench::Fleet::Hosts         qw(is_accepted outcome_of);
use UnixBench::Fleet::Wording       qw(cause_of reasons_of);
use UnixBench::Accept::Verdict      qw(fitted);
use UnixBench::Accept::VerdictBlock qw(indexes_of);
use UnixBench::Version              ();

# The states of the verdicts that are not a pass. All other outcomes are unknown: a host that was not measured may be a
# good one.
my %STATE = (FAIL => 'fail', INCONCLUSIVE => 'inconclusive');

# Takes a list, see UnixBench::Fleet::Report; returns the text of the file, with a block for each host.
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
    return (state => 'pass',         reason => 'all requirements are met') if $outcome eq 'PASS' && is_accepted($host);
    return (state => 'inconclusive', reason => $reason) if $outcome eq 'PASS';
    return (state => 'unknown',      reason => 'there is no requirement') if $outcome eq 'measured';
    my $cause = cause_of($host->{counted});
    return (state => $STATE{$outcome}, reason => $reason, cause => $cause) if $STATE{$outcome};
    return (state => 'unknown', map { $_->[0] => fitted("$outcome: $_->[1]") } [reason => $reason], [cause => $cause]);
}

1;
