package UnixBench::Fleet::Wording;

# The words of reports about a fleet: its headline, why a host is not accepted or stands out, and the rules.
#
# A list, which all reports take, is plain data: what UnixBench::Fleet::Standing::of returns, and
#   earlier   the class that says what is different from an earlier fleet, see UnixBench::Fleet::Command, or undef
#   is_judged whether there are requirements
#   hosts     [all hosts, see UnixBench::Fleet::Results]
#   left_out  [sentences about the files of directories that are not results]
#   results   a function that reads the results again and returns them for UnixBench::Report::Formats::of_results, with
#             the names of the hosts: the list has only parts of them

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Accept::Verdict   ();
use UnixBench::Base::Text        qw(clean copies_text counted listed);
use UnixBench::Fleet::Outliers   qw(JUDGED);
use UnixBench::Fleet::Results    qw(is_accepted outcome_of);
use UnixBench::Report::Block     qw(joined);
use UnixBench::Report::Cell      qw(sentence);
use UnixBench::Report::EndBlock  qw(trust_reasons);
use UnixBench::Report::Plain     qw(in_plain);
use UnixBench::Warnings::Wording qw(OTHER_LOAD disturbers);

our @EXPORT_OK = qw(headline legend outcomes_of reason_of remark_of);

use constant {
    NO_REASON => 'no reason is given',
    RULE      => 'slow, fast: the index is more than 5 % from the median of the kind, and z is beyond 3.5.',
    Z         => 'z: distance from that median, in deviations between healthy hosts.',
    NEXT_RUN  => '+-: how far the next run may be (95 %).',
    UNKNOWN   => 'its number of copies is unknown: give it with --copies N',
};

# The reasons of outcomes for which a list needs none.
my %REASON = (running => 'the run has not ended yet', untried => 'no run was started');

my @JUDGED   = qw(PASS measured FAIL INCONCLUSIVE);
my @IN_TITLE = ('slow', 'fast', 'not reliable', 'not compared');

# Takes a list; returns a line with the numbers of its hosts with each outcome, and of those that stand out.
sub headline {
    my ($list) = @_;
    my @hosts  = @{ $list->{hosts} };
    my @stand  = $list->{is_compared} ? _counts(\@IN_TITLE, map { $_->{is} } values %{ $list->{of} }) : ();
    return counted(scalar @hosts, 'host', 'hosts') . ': ' . join '; ', join(', ', outcomes_of(@hosts)),
        @stand ? join(', ', @stand) : ();
}

# Takes hosts; returns how many have each verdict or were not measured, such as "2 PASS".
sub outcomes_of {
    my (@hosts) = @_;
    my $missing = grep { $_->{outcome} ne 'measured' && !defined $_->{verdict} } @hosts;
    return (_counts(\@JUDGED, map { outcome_of($_) } @hosts), $missing ? "$missing not measured" : ());
}

# Takes [words] and words; returns how often each of the first occurs, such as "2 slow". Numbers of 0 are left out.
sub _counts {
    my ($known, @words) = @_;
    my %count;
    $count{$_}++ for @words;
    return map { "$count{$_} $_" } grep { $count{$_} } @$known;
}

# Takes a host, and perhaps a function that sums up cases; returns its reason: why it was not measured, or the
# requirements that are not met, the worst one first. The reason may be empty. Why a host was not measured is never cut:
# it stands nowhere else.
sub reason_of {
    my ($host, $summed_up) = @_;
    $summed_up ||= \&UnixBench::Accept::Verdict::reason_of;
    my $is_measured = $host->{outcome} eq 'measured';
    my @open        = grep { $_->{kind} eq 'requirement' && $_->{verdict} ne 'PASS' } @{ $host->{cases} || [] };
    my @failed      = grep { $_->{verdict} eq 'FAIL' } @open;
    my @cases       = (@failed, $is_measured ? grep({ $_->{verdict} ne 'FAIL' } @open) : ());
    my $name        = clean($host->{host});
    my $why         = $host->{reason} // $REASON{ $host->{outcome} } // NO_REASON;
    $why =~ s/\A\Q$name\E (?=is )//;    # a file that is named as the host
    return join '; ', $is_measured ? () : $why, @cases ? $summed_up->(@cases) : ();
}

# Takes a host and its list; returns all that is to be said about the host, a text, or undef: the requirement that
# decides with its value, also if it is met, how the host stands out, and why its trust is poor. Nothing is said twice:
# a reason that is other load has its process.
sub remark_of {
    my ($host, $list) = @_;
    my @met    = is_accepted($host) ? grep { $_->{kind} eq 'requirement' } @{ $host->{cases} || [] } : ();
    my $reason = @met               ? UnixBench::Accept::Verdict::reason_of(@met)                    : reason_of($host);
    my ($load) = grep { /\A${\OTHER_LOAD}/ } disturbers($host->{summary}{trust} || {});
    $reason =~ s/\b${\OTHER_LOAD}(?=;|\z)/$load/ if defined $load;
    my $own     = $list->{of}{ $host->{host} };
    my @found   = $own ? map { _finding_text($_) } @{ $own->{findings} }             : ();
    my @doubts  = $own ? _doubts($host->{summary}, $own->{reading}, $list->{copies}) : ();
    my $is_said = $reason =~ /\b${\OTHER_LOAD}\b/;
    my @parts   = grep { length } $reason, @found,
        grep { index($reason, $_) < 0 && !($is_said && /\b${\OTHER_LOAD}\b/) } @doubts;
    return @parts ? joined('; ', @parts) : undef;
}

# Returns why a host is slow, poor or not listed.
sub _doubts {
    my ($summary, $reading, $copies) = @_;
    my $limit = ($reading || {})->{limit};
    my $trust = $summary->{trust} || {};
    my @why   = ($trust->{level} // q{}) eq 'poor' ? map { in_plain($_) } trust_reasons($trust, 1) : ();
    my $other = 'it has no such index' . (defined $copies ? ' with ' . copies_text($copies) : q{});
    my $none  = (grep { !defined $_->{copies} } @{ $summary->{runs} }) ? UNKNOWN : $other;
    return (
        (defined $limit ? "CPU time limit: $limit" : ()),
        ((grep { /disturbed|interval/ } @why)[0] // ()),
        ($reading ? () : $none)
    );
}

sub _finding_text {
    my ($finding) = @_;
    my $part      = $finding->{value} / $finding->{median} - 1;
    my $cause     = $finding->{is} eq 'not reliable' ? ', while other load was at work' : q{};
    my $where     = $part < 0                        ? 'below'                          : 'above';
    my $with      = "$finding->{is} with " . copies_text($finding->{copies});
    return sentence("$with: {whole_percent} $where the median (z {tenths})$cause", abs $part, $finding->{z});
}

# Takes a list; returns sentences that explain its report: the words that are in it.
sub legend {
    my ($list) = @_;
    my @of     = values %{ $list->{of} };
    my @part   = grep { defined $_->{of} && $_->{of} < @{ $_->{hosts} } } @{ $list->{kinds} };
    my $part   = listed(map { "$_->{of} of " . @{ $_->{hosts} } } @part);
    return (
        (grep { ($_->{reading} || {})->{repeat} } @of) ? NEXT_RUN                                  : (),
        $list->{is_compared}                           ? (RULE, Z)                                 : (),
        @part ? "The median of the index is that of $part hosts: other load disturbed the others." : (),
    );
}

1;
