package Gallery::Observed;

# Observed system calls for the gallery: usual and rare ones.

use strict;
use warnings;

use Cases    qw(whole);
use Observed qw(observed observed_run unobserved with_rows);

# Returns results, see Gallery.
sub results {
    my %rows = map { $_ => with_rows(observed($_, 8), 8) } qw(spawn syscall);
    return (
        _result('observed',     undef, observed_run(whole(1)), observed_run(whole(8), %rows)),
        _result('not-observed', 'strace is not installed', whole(1)),
    );
}

sub _result { my ($name, $why_not, @runs) = @_; return [$name, \@runs, observing => { why_not => $why_not }] }

# Takes a result; returns it with observations of some of its tests.
sub everything {
    my ($result) = @_;
    my %observed = (spawn => with_rows(observed('spawn', 1), 1), syscall => unobserved('no room'));
    my @runs     = map { observed_run($_, %observed) } @{ $result->{runs} };
    return { %$result, runs => \@runs, observing => { why_not => 'strace: Operation not permitted' } };
}

1;
