package UnixBench::Fleet::Hosts;

# The hosts of a fleet, each with one final outcome. A host is plain data:
#   host      its name
#   outcome   "measured", "failed", "unreachable", "refused", "running" (its run has not ended) or "untried" (no run was
#             started)
#   reason    a sentence about the outcome, or undef
#   file      the path of its result, or undef
#   and, if the result was read, what UnixBench::Fleet::Results has of it: name (the name that the result has for its
#   host), summary, cases, and verdict: "PASS", "FAIL" or "INCONCLUSIVE" by the requirements; undef if there
#   are none, or if it was not measured. A host that failed is "FAIL" if its result shows that it is too slow or broken
#
# A try is one attempt to measure a host. It has the same keys.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(is_accepted outcome_of);

# Takes tries; returns the hosts in the order of the tries. The last try of a host that was measured counts, or the last
# one without any.
sub of {
    my (@tries) = @_;
    my (%of_host, @names);
    for my $try (@tries) {
        push @names,                        $try->{host} if !$of_host{ $try->{host} };
        push @{ $of_host{ $try->{host} } }, $try;
    }
    return map { (grep { $_->{outcome} eq 'measured' || defined $_->{verdict} } @$_)[-1] // $_->[-1] } @of_host{@names};
}

# Takes a host; returns whether it was measured, and meets the requirements, if there are any.
sub is_accepted {
    my ($host) = @_;
    return $host->{outcome} eq 'measured' && ($host->{verdict} // 'PASS') eq 'PASS';
}

# Takes a host; returns its verdict, or its outcome if there is none.
sub outcome_of {
    my ($host) = @_;
    return $host->{verdict} // $host->{outcome};
}

1;
