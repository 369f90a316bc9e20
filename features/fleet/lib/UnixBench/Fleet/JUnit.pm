package UnixBench::Fleet::JUnit;

# The hosts of a fleet as JUnit XML, with a suite for each.

use strict;
use warnings;

use UnixBench::Accept::JUnit  qw(case_markup document_markup load_of properties_markup suite_markup);
use UnixBench::Fleet::Hosts   qw(is_missing);
use UnixBench::Fleet::Wording qw(reason_of);
use UnixBench::Report::Markup qw(element);

# Takes a list, see UnixBench::Fleet::Wording; returns one document. The first case of each suite tells whether the host
# was measured. The others are the tests and requirements of its result.
sub render {
    my ($list) = @_;
    my @suites = map { _suite($_, $list->{of}{ $_->{host} } || {}) } @{ $list->{hosts} };
    return document_markup({}, [map { @{ $_->{cases} } } @suites], map { $_->{markup} } @suites);
}

# Takes a host and how it stands; returns { cases, markup } of its suite. The kind and the verdict are properties.
sub _suite {
    my ($host, $own) = @_;
    my $class = 'UnixBench.' . $host->{host} =~ s/[.]/_/gr;
    my @cases = @{ $host->{cases} || [] };
    my @about = map { [$_->[0], $own->{ $_->[1] }] } grep { defined $own->{ $_->[1] } } [kind => 'kind'],
        [verdict => 'is'];
    my @all = ({ verdict => is_missing($host) ? 'INCONCLUSIVE' : 'PASS' }, @cases);
    my @markup =
        (properties_markup(@about, load_of(@cases)), _measured($host, $class), map { case_markup($_, $class) } @cases);
    return {
        cases  => \@all,
        markup => suite_markup({ name => $host->{host}, hostname => $host->{host} }, \@all, @markup)
    };
}

# Returns the case that a host was measured. It is an error if it was not.
sub _measured {
    my ($host, $class) = @_;
    my %about = (classname => $class, name => 'measured');
    return element('testcase', \%about) if !is_missing($host);
    my ($outcome, $reason) = ($host->{outcome}, reason_of($host));
    return element('testcase', \%about,
        element('error', { type => $outcome, message => $reason }, "$outcome: $reason"));
}

1;
