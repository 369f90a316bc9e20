package Gallery::Observed;

# Observed system calls for the gallery: usual and rare ones.

use strict;
use warnings;

use Fixture       qw(run);
use Gallery::Runs qw(one_test whole);
use Observed      qw(observed observed_run unobserved with_rows);

# Returns results, see Gallery.
sub results {
    my %rows = map { $_ => with_rows(observed($_, 8), 8) } qw(spawn syscall);
    return (
        _result('observed',     undef,                     observed_run(whole(1)), observed_run(whole(8), %rows)),
        _result('observed-odd', undef,                     _odd()),
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

# Returns a run with very large and very small numbers, long names, and tests without calls.
sub _odd {
    my $none    = { %{ observed('dhry2reg', 1) }, calls => [] };
    my $unknown = { %{ observed('pipe', 1) }, map { $_ => undef } qw(loops slowdown) };
    my %odd     = (dhry2reg => $none, pipe => $unknown, syscall => _extreme());
    my @tests   = map { one_test($_, 1) } qw(dhry2reg pipe syscall execl spawn);
    my $reason  = 'a reason that is long, ' x 9 . 'y' x 120;
    return observed_run(run(1, @tests), %odd, spawn => unobserved($reason));
}

sub _extreme {
    my $most  = 9_999_999_999;
    my @calls = (
        _call('sched_rr_get_interval_time64', $most,     $most),
        _call('quick',                        1_000_000, 0),
        _call('x' x 120,                      1_000_000, 3),
        _call('#467',                         1_000_000, 2**37),
        { name => 'pause', count => 1_000_000, returned => 0, total_ns => 0, max_ns => undef },
    );
    my $extreme = { %{ observed('syscall', 1) }, loops => 1_000_000, slowdown => 0.000_123, calls => \@calls };
    return { %{ with_rows($extreme, 90) }, processes => 123_456_789 };
}

sub _call {
    my ($name, $count, $max_ns) = @_;
    return { name => $name, count => $count, returned => $count, total_ns => $max_ns, max_ns => $max_ns };
}

1;
