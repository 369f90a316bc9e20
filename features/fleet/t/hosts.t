use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Machines                       qw(spread_rates summary);
use UnixBench::Fleet::Hosts        qw(is_accepted is_missing outcome_of);

# Takes the words of a try, "HOST PHASE NUMBER OUTCOME", where the outcome may be a verdict, and more about it; returns
# the try.
sub try_of {
    my ($words, %more) = @_;
    my ($host, $phase, $number, $outcome) = split q{ }, $words;
    my %end =
        $outcome =~ /[A-Z]/ ? (outcome => 'measured', verdict => $outcome) : (outcome => $outcome, verdict => undef);
    return { host => $host, phase => $phase, try => $number, shares => undef, reason => undef, %end, %more };
}

# Takes tries in words; returns the only host of them.
sub host {
    my ($host) = UnixBench::Fleet::Hosts::of(map { try_of($_) } @_);
    return $host;
}

subtest 'the last measured try counts' => sub {
    my @cases = (
        [['FAIL',         'PASS']         => 2, 'PASS',         'a second verdict replaces the first'],
        [['PASS',         'FAIL']         => 2, 'FAIL',         'also if it is worse'],
        [['FAIL',         'INCONCLUSIVE'] => 1, 'FAIL',         'an inconclusive try does not hide a verdict'],
        [['INCONCLUSIVE', 'FAIL']         => 2, 'FAIL',         'a verdict replaces an inconclusive try'],
        [['INCONCLUSIVE', 'failed']       => 1, 'INCONCLUSIVE', 'an inconclusive try counts more than none'],
        [['FAIL',         'unreachable']  => 1, 'FAIL',         'a host that is lost later keeps its verdict'],
        [['unreachable',  'measured']     => 2, 'measured',     'a host may be measured later'],
        [['failed',       'unreachable']  => 2, 'unreachable',  'without a measured try, the last one counts'],
    );
    for my $case (@cases) {
        my ($outcomes, $number, $outcome, $name) = @$case;
        for my $order ([1, 2], [2, 1]) {
            my $host = host(map { "h alone $_ $outcomes->[$_ - 1]" } @$order);
            is_deeply([$host->{counted}{try}, outcome_of($host)], [$number, $outcome], "$name: lines in order @$order");
            is_deeply([map { $_->{try} } @{ $host->{tries} }], [1, 2], "$name: both tries are kept");
        }
    }
};

subtest 'a host has one outcome' => sub {
    my @hosts = UnixBench::Fleet::Hosts::of(
        map { try_of($_) } 'b alone 1 PASS',
        'a alone 1 FAIL',
        'b alone 2 PASS',
        'c alone 1 refused',
        'd alone 1 measured'
    );
    is_deeply([map { $_->{name} } @hosts], [qw(b a c d)], 'hosts have the order of the list');
    is_deeply(
        UnixBench::Fleet::Hosts::counts(@hosts),
        { PASS => 1, FAIL => 1, refused => 1, measured => 1 },
        'outcomes are counted'
    );
    is_deeply([map { is_missing($_)  ? 1 : 0 } @hosts], [0, 0, 1, 0], 'a host that was not measured is missing');
    is_deeply([map { is_accepted($_) ? 1 : 0 } @hosts], [1, 0, 0, 1], 'a host without requirements is accepted');
};

subtest 'the phase "together" decides only without the other phase' => sub {
    my $host = host('h together 1 FAIL', 'h alone 1 PASS');
    is(outcome_of($host),                     'PASS', 'the phase "alone" decides');
    is($host->{together}{verdict},            undef,  'the other phase has no verdict');
    is(is_accepted($host) ? 1 : 0,            1,      'the host is accepted');
    is(outcome_of(host('h together 1 FAIL')), 'FAIL', 'a host with the other phase only has its verdict');
    $host = host('h alone 1 PASS', 'h together 1 unreachable');
    is(outcome_of($host), 'PASS', 'a host that was lost in the other phase keeps its verdict');
    is_deeply([is_missing($host) ? 1 : 0, is_accepted($host) ? 1 : 0], [1, 0], 'but it is missing, and not accepted');
    is(is_missing(host('h alone 1 PASS', 'h together 1 failed', 'h together 2 measured')) ? 1 : 0,
        0, 'a second try of the other phase may succeed');
};

# Takes a host, its hypervisor, a phase, and { copies => rate }; returns the try.
sub measured {
    my ($host, $shares, $phase, %rate) = @_;
    my $summary = summary(runs => { map { $_ => { pipe => spread_rates($rate{$_}, 0.01) } } keys %rate });
    return try_of(
        "$host $phase 1 measured",
        shares  => $shares,
        indexes => UnixBench::Fleet::Hosts::indexes($summary)
    );
}

subtest 'together, divided by alone' => sub {
    my @tries = (
        measured('a', 'hv2', 'alone',    1 => 1000),
        measured('a', 'hv2', 'together', 1 => 500),
        measured('b', 'hv1', 'alone',    1 => 1000, 4 => 3000),
        measured('b', 'hv1', 'together', 1 => 800,  4 => 2400),
        measured('c', 'hv1', 'alone',    1 => 2000),
        measured('c', 'hv1', 'together', 1 => 400),
        measured('d', 'hv1', 'alone',    1 => 2000),
        measured('e', undef, 'alone',    1 => 2000),
        measured('e', undef, 'together', 1 => 1000),
        measured('f', 'hv3', 'together', 1 => 1000),
        measured('g', 'hv4', 'alone',    1 => 1000),
        try_of('g together 1 failed', shares => 'hv4'),
    );
    my @ratios = UnixBench::Fleet::Hosts::sharing(UnixBench::Fleet::Hosts::of(@tries));
    is_deeply(
        [map { join q{ }, @$_{qw(copies shares machines)}, sprintf '%.6f', $_->{ratio}{value} } @ratios],
        ['1 hv1 2 0.400000', '1 hv2 1 0.500000', '4 hv1 1 0.800000'],
        'each hypervisor has the geometric mean of its machines that have both phases'
    );

    # spread_rates: the standard error of a mean is 0.01 sqrt(1/2) with 4 degrees of freedom. A ratio of two has
    # sqrt 2 times as much, 0.01, with 8 degrees; t is 2.306.
    my ($one) = grep { $_->{shares} eq 'hv2' } @ratios;
    is(sprintf('%.6f', log $one->{ratio}{high} / $one->{ratio}{value}), '0.023060', 'the interval of one machine');
    my ($two) = @ratios;
    is(
        sprintf('%.6f', log $two->{ratio}{high} / $two->{ratio}{value}),
        sprintf('%.6f', 2.119905 * 0.01 / sqrt 2),
        'two machines have a narrower interval, with 16 degrees of freedom'
    );
};

subtest 'indexes of other tests have no ratio' => sub {
    my $alone    = summary(runs => { 1 => { pipe => [1, 1], spawn => [1, 1] } });
    my $together = summary(runs => { 1 => { pipe => [1, 1] } });
    my @tries =
        map { try_of("h $_->[0] 1 measured", shares => 'hv', indexes => UnixBench::Fleet::Hosts::indexes($_->[1])) }
        [alone => $alone], [together => $together];
    is_deeply([UnixBench::Fleet::Hosts::sharing(UnixBench::Fleet::Hosts::of(@tries))], [], 'the ratio is left out');
};

done_testing();
