package Decisions::Accept;

# The verdicts on requirements, for a test that words decide nothing.

use strict;
use warnings;

use UnixBench::Accept::Acceptance ();
use Verdicts                      qw(judged);

# Takes a result; returns the verdicts on two requirements, and what they mean for the exit status.
sub decided {
    my ($result) = @_;
    my @copies   = map { $_->{copies} } @{ $result->{runs} };
    my @cases    = judged($result, \@copies, 'pipe>=1000' => undef, 'index>=1e9' => undef);
    return (
        (map { "$_->{name}: $_->{verdict}" } grep { $_->{kind} eq 'requirement' } @cases),
        UnixBench::Accept::Acceptance::has_unmet_requirement(@cases) ? 'not met' : 'met or open',
        UnixBench::Accept::Acceptance::has_open_requirement(@cases)  ? 'open'    : 'decided',
    );
}

1;
