package OfRelease::Fleet;

# Reads a result of an earlier release as a fleet does, see Releases.

use strict;
use warnings;

use UnixBench::Fleet::Machines   ();
use UnixBench::Fleet::Report     ();
use UnixBench::Store::ResultFile ();

# Takes the path of a result; makes a fleet of it, and its report, if it has an index. Dies if that fails.
sub read_as_feature {
    my ($path) = @_;
    my $summary = UnixBench::Store::ResultFile::summary($path);
    return if !grep { defined $_->{index} } map { @{ $_->{indexes} } } @{ $summary->{runs} };
    my $fleet = UnixBench::Fleet::Machines::of([map { { label => "m$_", summary => $summary } } 1 .. 9]);
    UnixBench::Fleet::Report::in_format(text => { fleet => $fleet });
    return;
}

1;
