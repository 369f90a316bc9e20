package Gallery::Observed;

# Observed system calls for the gallery: usual and rare ones.

use strict;
use warnings;

use Fixture       qw(run);
use Gallery::Runs qw(@INDEX one_test whole);
use Observed      qw(by_strace observed observed_run observing unobserved with_rows);

# Returns results, see Gallery.
sub results {
    my %rows = map { $_ => with_rows(observed($_, 8), 8) } qw(spawn syscall);
    return (
        _result('observed',        observing('bpftrace'), observed_run(whole(1)), observed_run(whole(8), %rows)),
        _result('observed-strace', observing('strace', 'bpftrace needs root'),                       _by_strace()),
        _result('observed-odd',    observing('bpftrace'),                                            _odd()),
        _result('not-observed',    observing(undef, 'bpftrace needs root; strace is not installed'), whole(1)),
    );
}

sub _result { my ($name, $observing, @runs) = @_; return [$name, \@runs, observing => $observing] }

# Returns the faults that t-all/pages/faults.t plants: [name, selector, attribute, value, the finding].
sub faults {
    return {
        observed => [
            [delay         => 'rect.delay',     'width',     '50%',          '^end of a bar: '],
            [mean          => 'line.mean',      'transform', 'translate(9)', '^mean: '],
            [longest_delay => 'circle.longest', 'cx',        '50.3%',        '^the longest: '],
        ],
    };
}

# Takes a result; returns it with observations of some of its tests.
sub everything {
    my ($result) = @_;
    my @runs = map { _some_observed($_) } @{ $result->{runs} };
    return { %$result, runs => \@runs, observing => observing('strace', 'no eBPF') };
}

sub _by_strace {
    my %observed = map { $_ => by_strace(observed($_, 1)) } @INDEX;
    my $unknown  = { %{ $observed{shell1} }, lost => 3, map { $_ => undef } qw(loops slowdown) };
    return observed_run(whole(1), %observed, shell1 => $unknown, spawn => unobserved('strace', 'timed out after 12 s'));
}

# Takes a run; returns it with three tests observed: with strace, with rows, and without success.
sub _some_observed {
    my ($run)    = @_;
    my $spawn    = with_rows({ %{ observed('spawn', 1) }, lost => 2 }, 1);
    my %observed = (pipe => by_strace(observed('pipe', 1)), spawn => $spawn);
    return observed_run($run, %observed, syscall => unobserved('bpftrace', 'no room'));
}

# Returns a run with very large and very small numbers, long names, and tests without calls.
sub _odd {
    my $none    = { %{ observed('dhry2reg', 1) }, calls => [] };
    my $unknown = { %{ observed('pipe', 1) }, map { $_ => undef } qw(loops slowdown processes lost) };
    my %odd     = (dhry2reg => $none, pipe => $unknown, syscall => _extreme());
    my @tests   = map { one_test($_, 1) } qw(dhry2reg pipe syscall execl spawn);
    my $reason  = 'a reason that is long, ' x 9 . 'y' x 120;
    return observed_run(run(1, @tests), %odd, spawn => unobserved('bpftrace', $reason));
}

sub _extreme {
    my @from  = (0, map { 2**$_ } 0 .. 36);
    my $most  = 9_999_999_999;
    my @calls = (
        _call('sched_rr_get_interval_time64', $most, $most, map { [$_, 200_000_000] } @from),
        _call('quick',   1_000_000, 0,     [0,     1_000_000]),
        _call('x' x 120, 1_000_000, 3,     [1,     900_000], [2,     100_000]),
        _call('#467',    1_000_000, 2**37, [2**36, 999_999], [2**37, 1]),
    );
    my $never   = { name => 'pause', count => 1_000_000, returned => 0, total_ns => 0, max_ns => undef, delays => [] };
    my $extreme = { %{ observed('syscall', 1) }, loops => 1_000_000, slowdown => 0.000_123, lost => $most };
    return with_rows({ %$extreme, calls => [@calls, $never], processes => 123_456_789 }, 90);
}

sub _call {
    my ($name, $count, $max_ns, @delays) = @_;
    my @buckets = map { +{ from_ns => $_->[0], count => $_->[1] } } @delays;
    return {
        name     => $name,
        count    => $count,
        returned => $count,
        total_ns => $max_ns,
        max_ns   => $max_ns,
        delays   => \@buckets
    };
}

1;
