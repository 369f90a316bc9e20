use strict;
use warnings;

use FindBin;
use List::Util qw(sum);
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use RecordedCalls qw(call found named recorded refusal seconds);
use UnixBench::Observe::BpftraceOutput;

my @WARNINGS;
local $SIG{__WARN__} = sub { push @WARNINGS, @_ };

my %WITH = (name_of => \&named, wall_s_of => \&seconds);

sub sums { return UnixBench::Observe::BpftraceOutput::sums($_[0], %WITH, @_[1 .. $#_]) }

# Takes a type and data as JSON; returns a line as bpftrace prints it.
sub line { my ($type, $data) = @_; return qq({"type": "$type", "data": $data}\n) }

# Output about a process that made two calls and ended.
my $DELAY   = line('stats', '{"@delay": {"0": {"count": 2, "average": 5, "total": 10}}}');
my $ENDED   = line('map',   '{"@ended": 1}');
my $STARTED = line('map',   '{"@started": 1}');

sub delays { my ($buckets) = @_; return line('hist', qq({"\@delays": {"0": [$buckets]}})) }

subtest 'the calls of a program are summed up' => sub {
    my $sums = sums(recorded('syscall-mix.json'));
    is_deeply([sort keys %$sums],           [qw(calls lost processes)], 'the sums have no rows');
    is_deeply([@$sums{qw(processes lost)}], [1, 0],                     'one process, none lost');
    is(scalar @{ $sums->{calls} },                   23,   'all calls are listed');
    is(sum(map { $_->{count} } @{ $sums->{calls} }), 5039, 'the number of all calls, with the exec');
    my @first = map { $_->{name} } @{ $sums->{calls} }[0 .. 5];
    is_deeply(\@first, [qw(execve dup close getpid getuid umask)], 'the call with the most time comes first');
    is_deeply(call($sums, 'dup'), found('dup', 1002, 1002, 109_270, 170, [64, 985], [128, 17]), 'a call of the loop');
    my @delays = ([512, 1], [8192, 1]);
    is_deeply(call($sums, 'write'),      found('write', 2, 2, 14_080, 13_370, @delays), 'empty buckets are left out');
    is_deeply(call($sums, 'exit_group'), found('exit_group', 1, 0, 0, undef),           'a call that never returns');
    is_deeply(call($sums, '#334'),       found('#334', 1, 1, 310, 310, [256, 1]),       'a call without a name');
};

subtest 'rows have the calls of each process' => sub {
    my $sums = sums(recorded('two-copies-rows.json'));
    is_deeply([@$sums{qw(processes lost)}], [3, 0], 'there are three processes');
    is_deeply(
        [map { $_->{pid} } @{ $sums->{rows} }],
        [18_697 .. 18_699],
        'rows are in the order in which the processes started'
    );
    my @top = ({ name => 'write', count => 502 }, { name => 'read', count => 501 }, { name => 'mmap', count => 8 });
    my %row = %{ $sums->{rows}[1] };
    is(sprintf('%.6f', delete $row{at}), '1000000.720351', 'a row has the start of its process');
    my %times = (count => 1038, returned => 1037, total_ns => 315_040, max_ns => 115_550);
    is_deeply(\%row, { pid => 18_698, %times, top => \@top }, 'a row has its calls');
    ok(!exists $sums->{unlisted}, 'no process is left out');
    my ($all, $listed) = map {
        sum(map { $_->{count} } @$_)
    } @$sums{qw(calls rows)};
    is($listed, $all, 'all calls are in a row');

    $sums = sums(recorded('syscall-mix.json'), with_rows => 1);
    is_deeply($sums->{rows},     [],                                'rows that were asked for are missing');
    is_deeply($sums->{unlisted}, { processes => 1, count => 5039 }, 'processes and calls without a row are counted');
};

# Takes the number of processes that started, and [since, pid, calls] for those that are in the maps. Returns the
# output; the first call of each never returns.
sub processes {
    my ($started, @of) = @_;
    my $all      = sum(map { $_->[2] } @of);
    my @returned = map { $_->[2] > 1 ? qq("$_->[0],$_->[1],0": {"count": @{[$_->[2] - 1]}, "total": 7}) : () } @of;
    my @ended    = map { qq("$_->[0],$_->[1],231": 1) } @of;
    return join q{},
        line('stats', sprintf '{"@delay": {"0": {"count": %d, "total": 700}}}', $all - @of),
        line('map',   sprintf '{"@unfinished": {"231": %d}}',                   scalar @of),
        line('stats', '{"@of": {' . join(', ', @returned) . '}}'),
        line('map',   '{"@unfinished_of": {' . join(', ', @ended) . '}}'),
        line('map',   qq({"\@started": $started, "\@ended": $started}));
}

subtest 'at most 100 processes have a row' => sub {
    my @of   = map { [23_217_000_000_000 + $_, $_, 2 + $_ % 2] } reverse 1 .. 150;
    my $sums = sums(processes(150, @of));
    my @most = ((map { 2 * $_ - 1 } 1 .. 75), map { 2 * $_ } 1 .. 25);
    is_deeply(
        [map { $_->{pid} } @{ $sums->{rows} }],
        [sort { $a <=> $b } @most],
        'rows have the most calls, then the earliest start, and are in the order of the starts'
    );
    is_deeply($sums->{unlisted}, { processes => 50, count => 100 }, 'the other processes are counted');

    $sums = sums(processes(100, @of[0 .. 99]));
    ok(!exists $sums->{unlisted}, '100 processes have a row each');

    my $full = processes(150, @of) =~ s/"\@delay": \{"0": \{"count": \d+/"\@delay": {"0": {"count": 5000/r;
    is_deeply(
        sums($full)->{unlisted},
        { processes => 50, count => 5150 - 275 },
        'calls that did not fit into a map are counted'
    );
    my $threads = processes(160, @of[0 .. 9]);
    ok(!exists sums($threads)->{unlisted}, 'threads have no row of their own');
};

subtest 'two processes may have the same number' => sub {
    my $sums = sums(processes(3, [23_217_000_000_001, 7, 3], [23_217_000_000_002, 7, 5], [23_217_000_000_001, 6, 1]));
    is_deeply(
        [map { "$_->{pid}: $_->{count}" } @{ $sums->{rows} }],
        ['6: 1', '7: 3', '7: 5'],
        'two starts are two processes'
    );
    is_deeply([@{ $sums->{rows}[0] }{qw(returned total_ns max_ns)}], [0, 0, undef], 'no call of a process returned');
    my $later = '17000000000000000';
    is(sums(processes(1, [$later, 7, 3]))->{rows}[0]{count}, 3, 'a machine may have years of uptime');
};

subtest 'output of all versions is read' => sub {
    my $sums = sums($DELAY . $STARTED);
    is($sums->{lost}, 1, 'a process that did not end is lost');
    is_deeply(call($sums, 'read'), found('read', 2, 2, 10, undef), 'a call without maximum and histogram');
    is(sums($DELAY . $STARTED . line('map', '{"@ended": 3}'))->{lost},  0, 'more processes ended than started');
    is(sums($DELAY . $STARTED . line('map', '{"@ended": {}}'))->{lost}, 1, 'an empty map');
    is(sums(qq(\n{"data":{"probes":8},"type":"attached_probes"}\n\n$DELAY$STARTED))->{processes},
        1, 'keys in another order');
    is(sums(line('lost_events', '{"events": 3}') . line('helper_error', '{}') . $DELAY . $STARTED)->{processes},
        1, 'lines of other types are ignored');
    my %buckets = (
        '{"max": 0, "count": 2}'                                                        => [[0, 2]],
        '{"min": 0, "max": 0, "count": 1}, {"min": 1, "max": 1, "count": 1}'            => [[0, 1], [1, 1]],
        '{"min": 0, "max": 1, "count": 1}, {"min": 2, "max": 3, "count": 1}'            => [[0, 1], [2, 1]],
        '{"max": 0, "count": 1}, {"min": 0, "max": 1, "count": 1}'                      => [[0, 2]],
        '{"min": 536870912, "max": 1, "count": 1}, {"min": 70368744177664, "count": 1}' =>
            [[536_870_912, 1], [70_368_744_177_664, 1]],
        '{"min": 1073741824, "max": 2147483647, "count": 1}, {"min": -2147483648, "max": 0, "count": 4}' =>
            [[1_073_741_824, 1], [2_147_483_648, 4]],
    );

    for my $buckets (sort keys %buckets) {
        my $call = call(sums($DELAY . $STARTED . delays($buckets)), 'read');
        is_deeply($call, found('read', 2, 2, 10, undef, @{ $buckets{$buckets} }), "buckets: $buckets");
    }
    my $rows =
        line('stats', '{"@of": {"(5, 7, 0)": {"count": 2, "total": 10}}}') . line('map', '{"@most_of": {"[5,7]": 6}}');
    is_deeply([@{ sums($DELAY . $STARTED . $rows)->{rows}[0] }{qw(pid count max_ns)}], [7, 2, 6], 'keys in brackets');
    my $skipped = line('map', '{"@unfinished": {"-1": 2}}');
    is_deeply(call(sums($STARTED . $skipped), '#-1'), found('#-1', 2, 0, 0, undef), 'a call that was skipped');
};

my $MAP     = 'the output of bpftrace is malformed:';
my @REFUSED = (
    ['',                                              'bpftrace printed nothing'],
    ["\n" . line('attached_probes', '{"probes": 8}'), 'bpftrace printed nothing'],
    [$STARTED . $ENDED,                               'bpftrace printed nothing'],
    [$STARTED . line('stats', '{"@delay": {}}'),      'bpftrace printed nothing'],
    [$DELAY . $ENDED,                                 'the output of bpftrace has no end'],
    ["Attaching 8 probes...\n", "$MAP it has a line that is not JSON: a value is missing at byte 0"],
    ["null\n",                  "$MAP it has a line that is null"],
    ["[]\n",                    "$MAP a line without a type: []"],
    ["{\"type\": []}\n",        "$MAP a line without a type: {\"type\": []}"],
    [line('map', '[]'),         "$MAP not a map: {\"type\": \"map\", \"data\": []}"],
    [$DELAY . $DELAY,           "$MAP \@delay comes twice"],
    [$DELAY . line('map', '{"@started": {"1": 1}}'),                    "$MAP \@started is not a number"],
    [$DELAY . line('map', '{"@started": -1}'),                          "$MAP \@started is not a number: -1"],
    [$DELAY . line('map', '{"@started": 1.5}'),                         "$MAP \@started is not a number: 1.5"],
    [$DELAY . line('map', '{"@started": 1e300}'),                       "$MAP \@started is not a number: 1e+300"],
    [$DELAY . line('map', '{"@started": "\u001b[31m"}'),                "$MAP \@started is not a number: \\x1b[31m"],
    [$STARTED . line('map', '{"@delay": 7}'),                           "$MAP \@delay has no keys"],
    [$STARTED . line('map', '{"@delay": {"0": 7}}'),                    "$MAP \@delay is not stats"],
    [$STARTED . line('map', '{"@delay": {"0": {"count": 1}}}'),         "$MAP \@delay is not a number"],
    [$STARTED . line('map', '{"@unfinished": {"x": 1}}'),               "$MAP not a call: x"],
    [$STARTED . line('map', '{"@unfinished": {"1\\n": 1}}'),            "$MAP not a call: 1\\n"],
    [$STARTED . $DELAY . line('map', '{"@most": {"0": "a"}}'),          "$MAP \@most is not a number: a"],
    [$STARTED . $DELAY . line('hist', '{"@delays": {"0": {}}}'),        "$MAP \@delays is not a histogram"],
    [$STARTED . $DELAY . delays('1'),                                   "$MAP \@delays is not a histogram"],
    [$STARTED . $DELAY . delays('{"min": 3, "count": 1}'),              "$MAP \@delays has a bucket from 3"],
    [$STARTED . $DELAY . delays('{"min": -4, "count": 1}'),             "$MAP \@delays is not a number: -4"],
    [$STARTED . $DELAY . delays('{"min": 4}'),                          "$MAP \@delays is not a number"],
    [$STARTED . $DELAY . line('map', '{"@unfinished_of": {"7,0": 1}}'), "$MAP not a process: 7,0"],
    [
        $STARTED . $DELAY . line('map', '{"@unfinished_of": {"7,8,0": 1}, "@most_of": {"7": 1}}'),
        "$MAP not a process: 7"
    ],
);
subtest 'broken output has no sums' => sub {
    for my $case (@REFUSED) {
        my ($text, $why) = @$case;
        my $refusal = refusal(sub { sums($text) });
        is($refusal, $why, $text =~ s/\n/ /gr);
    }
};

# Takes sums; returns whether they are plausible.
sub is_sane {
    my ($sums) = @_;
    my @calls = @{ $sums->{calls} };
    return @calls && $sums->{processes} > 0 && !grep { !is_sum($_) } @calls, @{ $sums->{rows} || [] };
}

sub is_sum {
    my ($sum) = @_;
    return $sum->{count} >= $sum->{returned} && !grep { !/\A[0-9]+\z/ } @$sum{qw(count returned total_ns)};
}

my %STEP = ('syscall-mix' => 1, 'two-copies-rows' => 29);
for my $name (sort keys %STEP) {
    my $text = recorded("$name.json");
    my @wrong;
    for my $length (map { $_ * $STEP{$name} } 0 .. length($text) / $STEP{$name}) {
        my $sums;
        my $refusal = refusal(sub { $sums = sums(substr $text, 0, $length) });
        push @wrong, $length if defined $refusal ? $refusal !~ /bpftrace printed|output of bpftrace/ : !is_sane($sums);
    }
    is_deeply(\@wrong, [], "$name, cut off anywhere: refused, or plausible");
}

is_deeply(\@WARNINGS, [], 'Perl prints no warning');

done_testing;
