package UnixBench::Report::FleetList::Wording;

# The words about the hosts of a fleet.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Base::Text             qw(counted);
use UnixBench::Compare::Fleet::Hosts  qw(is_missing outcome_of);
use UnixBench::Report::Fleet::Wording qw(standing_out_in_all uneven unusual);
use UnixBench::Report::Verdict        qw(sentence);

our @EXPORT_OK = qw(headline reason_of reasons_of);

use constant { CAUSES_MOST => 3, NO_REASON => 'no reason is given' };

# The reasons of outcomes for which a list needs none.
my %REASON = (running => 'the run has not ended yet', untried => 'no run was started');

my @OUTCOMES = qw(PASS measured FAIL INCONCLUSIVE failed unreachable refused running untried);

# Takes a list, see UnixBench::Report::FleetList; returns a sentence with the number of hosts of each outcome.
sub headline {
    my ($list)  = @_;
    my @hosts   = @{ $list->{hosts} };
    my $count   = UnixBench::Compare::Fleet::Hosts::counts(@hosts);
    my @counts  = map  { "$count->{$_} $_" } grep { $count->{$_} } @OUTCOMES;
    my $partly  = grep { $_->{outcome} eq 'measured' && is_missing($_) } @hosts;
    my @further = $list->{fleet} ? standing_out_in_all($list->{fleet}) : ();
    push @further, "$partly not measured together" if $partly;
    my @uneven = $list->{fleet} ? uneven($list->{fleet}) : ();
    return counted(scalar @hosts, 'host', 'hosts') . ': '
        . join('; ', join(', ', @counts), join(', ', @further) || (), @uneven);
}

# Takes a try, see UnixBench::Compare::Fleet::Hosts; returns its reason: why it was not measured, or the requirements
# that are not met. The reason may be empty.
sub reason_of {
    my ($try)       = @_;
    my $is_measured = $try->{outcome} eq 'measured';
    my @cases       = grep { $_->{kind} eq 'requirement' && $_->{verdict} ne 'PASS' } @{ $try->{cases} || [] };
    @cases = grep { $_->{verdict} eq 'FAIL' } @cases if !$is_measured;
    return join '; ', $is_measured ? () : $try->{reason} // $REASON{ $try->{outcome} } // NO_REASON,
        map { sentence($_) } @cases;
}

# Takes a host and its list; returns all reasons why the host is not accepted. If it is slow, facts that are unusual
# about it are among them.
sub reasons_of {
    my ($host, $list) = @_;
    my $together = $host->{together};
    my @missing =
        $together && $host->{counted} != $together && $together->{outcome} ne 'measured'
        ? "not measured together, $together->{outcome}: " . reason_of($together)
        : ();
    return join '; ', grep { length } reason_of($host->{counted}), _causes($host, $list), @missing;
}

# Returns what may be the cause, if a host is slow: facts that most others do not have.
sub _causes {
    my ($host, $list) = @_;
    my ($machine, @facts) = grep { $_->{label} eq $host->{name} } @{ ($list->{fleet} || {})->{named} };
    return if !$machine || !grep { $_->{is} eq 'slow' } @{ $machine->{findings} };
    @facts = unusual($machine);
    my @more = splice @facts, @facts > CAUSES_MOST ? CAUSES_MOST : scalar @facts;
    return ('slow', @facts, @more ? counted(scalar @more, 'more difference', 'more differences') : ());
}

1;
