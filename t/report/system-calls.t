use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use BlockDump qw(row_texts);
use KnownView qw(blocks_of_run);
use UnixBench::Report::Topic::SystemCalls;

# Takes calls of a test; returns the table of all calls as a terminal shows it.
sub table_of {
    my (@calls) = @_;
    my %known   = (tracer => 'bpftrace', calls => \@calls, main => []);
    my @blocks  = blocks_of_run(
        \&UnixBench::Report::Topic::SystemCalls::of_run, 'detail',
        result   => {},
        observed => [{ title => 'Pipe Throughput', known => \%known }]
    );
    my ($table) = grep { $_->{kind} eq 'table' } map { @{ $_->{blocks} || [] } } @blocks;
    return $table;
}

# Takes the longest delay of a call, and [start of a bucket, count] for each bucket; returns both percentiles in the
# table of system calls.
sub bounds {
    my ($max_ns, @delays) = @_;
    my @buckets = map { +{ from_ns => $_->[0], count => $_->[1] } } @delays;
    my $table   = table_of({ name => 'read', count => 1000, mean_ns => 1, max_ns => $max_ns, delays => \@buckets });
    my %text;
    @text{ map { $_->{heading} } @{ $table->{columns} } } = ('read', row_texts($table, $table->{rows}[0]));
    return [@text{ 'p50 ns', 'p99 ns' }];
}

is_deeply(bounds(900,   [512 => 1000]), ['<=900', '<=900'], 'no bound is above the longest delay');
is_deeply(bounds(undef, [512 => 1000]), ['<1024', '<1024'], 'a bucket ends at twice its start');
is_deeply(bounds(5000, [512 => 900], [4096 => 100]), ['<1024', '<=5000'], 'each percentile has its own bucket');
is_deeply(
    bounds(9_000_000_000, [1_073_741_824 => 900], [2_147_483_648 => 100]),
    ['<2147483648', '<=9000000000'],
    'the last bucket of bpftrace 0.17 ends with the longest delay'
);
is_deeply(bounds(900, [512 => 100]), ['<=900', undef], 'a percentile that no call has is not shown');

done_testing;
