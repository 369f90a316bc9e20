package UnixBench::Fleet::JUnit;

# The outcomes of a fleet as JUnit XML, with a suite for each host.

use strict;
use warnings;

use UnixBench::Fleet::Wording qw(kind_of reason_of verdict_in);
use UnixBench::Accept::JUnit  qw(case_markup document_markup load_of properties_markup suite_markup);
use UnixBench::Report::Markup qw(element);

# Takes a list, see UnixBench::Fleet::Report; returns one document. The first cases of each suite tell whether the
# host was measured in each phase. The others are the tests and requirements of the try that counts.
sub render {
    my ($list) = @_;
    my @suites = map { _suite($_, $list->{fleet}) } @{ $list->{hosts} };
    return document_markup({}, [map { @{ $_->{cases} } } @suites], map { $_->{markup} } @suites);
}

sub _suite {
    my ($host, $fleet) = @_;
    my $class  = 'UnixBench.' . $host->{name} =~ s/[.]/_/gr;
    my @cases  = @{ $host->{counted}{cases} || [] };
    my @phases = ($host->{counted}, grep { $_ && $_ != $host->{counted} } $host->{together});
    my @all    = ((map { +{ verdict => $_->{outcome} eq 'measured' ? 'PASS' : 'INCONCLUSIVE' } } @phases), @cases);
    my @markup = (
        _properties($host->{name}, $fleet, load_of(@cases)),
        (map { _measured($_, $class) } @phases),
        map { case_markup($_, $class) } @cases
    );
    return {
        cases  => \@all,
        markup => suite_markup({ name => $host->{name}, hostname => $host->{name} }, \@all, @markup)
    };
}

# Takes the name of a host, a fleet or undef, and further properties; returns the kind of the host and the verdict on it
# as properties, and these.
sub _properties {
    my ($name, $fleet, @more) = @_;
    my ($ranking) = $fleet ? @{ $fleet->{rankings} } : ();
    my %about =
        $ranking ? (kind => kind_of($ranking, $name), verdict => scalar verdict_in($fleet, $ranking, $name)) : ();
    return properties_markup((map { [$_, $about{$_}] } grep { defined $about{$_} } qw(kind verdict)), @more);
}

# Returns the case that a host was measured in a phase. It is an error if it was not.
sub _measured {
    my ($try, $class) = @_;
    my %about   = (classname => $class, name => "measured $try->{phase}");
    my $outcome = $try->{outcome};
    return element('testcase', \%about) if $outcome eq 'measured';
    my $reason = reason_of($try);
    return element('testcase', \%about,
        element('error', { type => $outcome, message => $reason }, "$outcome: $reason"));
}

1;
