package UnixBench::Fleet::JSON;

# The hosts of a fleet for other programs: as JSON, with the types of that file, and as a verdict file.

use strict;
use warnings;

use UnixBench::Accept::Verdict    ();
use UnixBench::Base::Text         qw(fitted shorter);
use UnixBench::Check::Verdict     qw(indexes_of);
use UnixBench::Check::VerdictFile ();
use UnixBench::Fleet::Results     qw(is_accepted outcome_of);
use UnixBench::Fleet::Wording     qw(headline reason_of remark_of);
use UnixBench::Report::JSON       ();
use UnixBench::Report::Plain      qw(in_plain);

my $DECLARATION = <<'END';
fleet: the file of fleet --json
  format            =unixbench-fleet    distinguishes such a file from all others
  schema            =1                  the version of this description
  version           text                the version of the suite that compared
  summary           text                the numbers of hosts with each outcome, in a sentence
  copies?           whole               the number of copies of the indexes; null without any
  kinds             [fleet_kind]        the kinds of measured hosts
  hosts             [fleet_host]        all hosts
  since?            (fleet_since)       what has changed since an earlier time; null without --against

fleet_kind: hosts with the same CPUs that were measured in the same way
  letter?           text                the letter of the kind; null if there is only one
  title             text                the CPUs and the procedure
  hosts             [text]              their names
  median?           positive            the median of their indexes; null if they are not compared
  of?               whole               the number of hosts of which the median is
  low?              positive            the least index of those that do not stand out
  high?             positive            the greatest of these

fleet_host: a host of a fleet
  host              text                its name
  outcome           measured|failed|unreachable|refused|running|untried
                                        how the measurement ended
  verdict?          PASS|FAIL|INCONCLUSIVE
                                        by the requirements; null if there are none, or if it was not measured
  accepted          boolean             whether it was measured, and meets the requirements
  kind?             text                the title of its kind
  is?               text                how it stands among its kind: slow, "not reliable", fast, uncertain, usual or
                                        "not compared"
  reason?           text                why it is accepted or not, or stands out
  result?           text                the path of the result
  index?            positive            the index with that number of copies
  change?           (fleet_change)      what has changed since the earlier time; null if it was not there then
END

# Returns the declaration of the types.
sub types { return $DECLARATION }

# Takes a list, see UnixBench::Fleet::Wording; returns the text of the file.
sub render {
    my ($list)  = @_;
    my $earlier = $list->{earlier};
    my %fleet   = map { $_ => $list->{$_} } qw(copies kinds);
    $fleet{summary} = $earlier ? $earlier->headline($list) : headline($list);
    $fleet{since}   = $earlier && $earlier->data($list);
    return UnixBench::Report::JSON::file_of(
        fleet => { %fleet, hosts => [map { _host($_, $list) } @{ $list->{hosts} }] });
}

sub _host {
    my ($host, $list) = @_;
    my $own = $list->{of}{ $host->{host} } || {};
    return {
        (map { $_ => $host->{$_} } qw(host outcome verdict)),
        (map { $_ => $own->{$_} } qw(kind is)),
        accepted => is_accepted($host),
        reason   => in_plain(remark_of($host, $list)),
        result   => $host->{file},
        index    => ($own->{reading} || {})->{value},
        change   => $list->{earlier} && scalar $list->{earlier}->data($list, $host->{host}),
    };
}

# The states of the verdicts. All other outcomes are unknown: a host that was not measured may be a good one.
my %STATE = (PASS => 'pass', FAIL => 'fail', INCONCLUSIVE => 'inconclusive');

# Takes a list; returns the text of a verdict file, with a block for each host.
sub verdicts {
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
