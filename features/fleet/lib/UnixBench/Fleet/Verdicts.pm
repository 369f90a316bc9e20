package UnixBench::Fleet::Verdicts;

# The verdicts on the hosts of a fleet, as a file for other programs: UnixBench::Check::VerdictFile.

use strict;
use warnings;

use UnixBench::Accept::Verdict    ();
use UnixBench::Base::Text         qw(fitted shorter);
use UnixBench::Check::Verdict     qw(indexes_of);
use UnixBench::Check::VerdictFile ();
use UnixBench::Fleet::Hosts       qw(outcome_of);
use UnixBench::Fleet::Wording     qw(reason_of);

# The states of the verdicts. All other outcomes are unknown: a host that was not measured may be a good one.
my %STATE = (PASS => 'pass', FAIL => 'fail', INCONCLUSIVE => 'inconclusive');

# Takes a list, see UnixBench::Fleet::Wording; returns the text of the file, with a block for each host.
sub render {
    my ($list) = @_;
    return UnixBench::Check::VerdictFile::text(map { _block($_) } @{ $list->{hosts} });
}

# Returns the block of a host. The time of a host without a result is the present.
sub _block {
    my ($host) = @_;
    my $summary = $host->{summary} || { runs => [] };
    return {
        host    => $host->{host},
        ended   => int($summary->{ended} // $summary->{started} // time),
        indexes => [map { indexes_of($_) } @{ $summary->{runs} }],
        _verdict($host),
    };
}

# Returns the state and the reason.
sub _verdict {
    my ($host) = @_;
    my $outcome = outcome_of($host);
    return (state => 'pass',    reason => 'all requirements are met') if $outcome eq 'PASS';
    return (state => 'unknown', reason => 'there is no requirement') if $outcome eq 'measured';
    my ($reason, $cause) = map { reason_of($host, $_) } undef, \&UnixBench::Accept::Verdict::cause_of;
    my $short = sub { fitted(UnixBench::Accept::Verdict::REASON_MOST, shorter($_[0])) };
    return (state => $STATE{$outcome}, reason => $short->($reason), cause => $cause) if $STATE{$outcome};
    ($reason, $cause) = map { $short->("$outcome: $_") } $reason, $cause;
    return (state => 'unknown', reason => $reason, cause => $cause);
}

1;
