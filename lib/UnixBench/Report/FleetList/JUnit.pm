package UnixBench::Report::FleetList::JUnit;

# The outcomes of a fleet as JUnit XML, with a suite for each host.

use strict;
use warnings;

use UnixBench::Report::FleetList::Wording qw(reason_of);
use UnixBench::Report::JUnit              qw(case_markup document_markup suite_markup);
use UnixBench::Report::Markup             qw(element);

# Takes a list, see UnixBench::Report::FleetList; returns one document. The first case of each suite tells whether the
# host was measured. The others are the tests and requirements of the try that counts.
sub render {
    my ($list) = @_;
    my @suites = map { _suite($_) } @{ $list->{hosts} };
    return document_markup({}, [map { @{ $_->{cases} } } @suites], map { $_->{markup} } @suites);
}

sub _suite {
    my ($host)  = @_;
    my @cases   = @{ $host->{counted}{cases} || [] };
    my $class   = 'UnixBench.' . $host->{name} =~ s/[.]/_/gr;
    my @markup  = (_measured($host, $class), map { case_markup($_, $class) } @cases);
    my @counted = ({ verdict => $host->{outcome} eq 'measured' ? 'PASS' : 'INCONCLUSIVE' }, @cases);
    return {
        markup => suite_markup({ name => $host->{name}, hostname => $host->{name} }, \@counted, @markup),
        cases  => \@counted,
    };
}

# Returns the case that the host was measured. It is an error if it was not.
sub _measured {
    my ($host, $class) = @_;
    my %about   = (classname => $class, name => 'measured');
    my $outcome = $host->{outcome};
    return element('testcase', \%about) if $outcome eq 'measured';
    my $reason = reason_of($host->{counted});
    return element('testcase', \%about,
        element('error', { type => $outcome, message => $reason }, "$outcome: $reason"));
}

1;
