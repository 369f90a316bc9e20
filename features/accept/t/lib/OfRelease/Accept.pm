package OfRelease::Accept;

# Judges a result of an earlier release by a requirement, see Releases.

use strict;
use warnings;

use UnixBench::Store::ResultFile ();
use Verdicts                     qw(judged);

# Takes the path of a result; judges it. Dies if that fails.
sub read_as_feature {
    my ($path) = @_;
    my $result = UnixBench::Store::ResultFile::result($path);
    judged($result, [map { $_->{copies} } @{ $result->{runs} }], 'index>=1' => undef);
    return;
}

1;
