use strict;
use warnings;

use FindBin;
use List::Util qw(sum);
use Test::More;

use lib "$FindBin::Bin/../../lib";
use RecordedCalls qw(call found named recorded refusal seconds);
use UnixBench::Trace::BpftraceOutput;

my @WARNINGS;
local $SIG{__WARN__} = sub { push @WARNINGS, @_ };

my %WITH = (name_of => \&named, wall_s_of => \&seconds);

sub sums     { return UnixBench::Trace::BpftraceOutput::sums($_[0], %WITH, @_[1 .. $#_]) }
sub sequence { return UnixBench::Trace::BpftraceOutput::sequence($_[0], %WITH) }

# A line as bpftrace prints it.
sub line { my ($type, $data) = @_; return qq({"type": "$type", "data": $data}\n) }

# Maps of a process that made two calls and ended.
my $DELAY   = line('stats', '{"@delay": {"0": {"count": 2, "average": 5, "total": 10}}}');
my $ENDED   = line('map',   '{"@ended": 1}');
my $STARTED = line('map',   '{"@started": 1}');

sub delays { my ($buckets) = @_; return line('hist', qq({"\@delays": {"0": [$buckets]}})) }

subtest 'the sums of a program' => sub {
    my $sums = sums(recorded('syscall-mix.json'));
    is_deeply([sort keys %$sums],           [qw(calls lost processes)], 'without rows');
    is_deeply([@$sums{qw(processes lost)}], [1, 0],                     'one process');
    is(scalar @{ $sums->{calls} },                   23,   'all calls');
    is(sum(map { $_->{count} } @{ $sums->{calls} }), 5039, 'with the exec, all that they were');
    my @first = map { $_->{name} } @{ $sums->{calls} }[0 .. 5];
    is_deeply(\@first,            [qw(execve dup close getpid getuid umask)], 'what took longest comes first');
    is_deeply(call($sums, 'dup'), found('dup', 1002, 1002, 109_270, 170, [64, 985], [128, 17]), 'a call of the loop');
    my @delays = ([512, 1], [8192, 1]);
    is_deeply(call($sums, 'write'), found('write', 2, 2, 14_080, 13_370, @delays), 'without the empty buckets between');
    is_deeply(call($sums, 'exit_group'), found('exit_group', 1, 0, 0, undef),      'one that never returns');
    is_deeply(call($sums, '#334'),       found('#334', 1, 1, 310, 310, [256, 1]),  'one without a name');
};

subtest 'of two processes' => sub {
    my $sums = sums(recorded('context1.json'));
    is_deeply([@$sums{qw(processes lost)}], [2, 0], 'both');
    my ($first, $second) = @{ $sums->{calls} };
    is_deeply([@$first{qw(name count total_ns max_ns)}],  ['read',  602, 1_281_690, 38_050], 'read');
    is_deeply([@$second{qw(name count total_ns max_ns)}], ['write', 602, 312_520,   12_710], 'write');
    is(sum(map { $_->{count} } @{ $first->{delays} }), 602, 'each is in a bucket');
};

subtest 'rows' => sub {
    my $sums = sums(recorded('two-copies-rows.json'));
    is_deeply([map { $_->{pid} } @{ $sums->{rows} }], [18_697 .. 18_699], 'in the order of their beginnings');
    my @top = ({ name => 'write', count => 502 }, { name => 'read', count => 501 }, { name => 'mmap', count => 8 });
    my %row = %{ $sums->{rows}[1] };
    is(sprintf('%.6f', delete $row{at}), '1000000.720351', 'when');
    my %times = (count => 1038, returned => 1037, total_ns => 315_040, max_ns => 115_550);
    is_deeply(\%row, { pid => 18_698, %times, top => \@top }, 'what');
    ok(!exists $sums->{unlisted}, 'nothing is left out');
    my ($all, $listed) = map {
        sum(map { $_->{count} } @$_)
    } @$sums{qw(calls rows)};
    is($listed, $all, 'all calls are in a row');

    $sums = sums(recorded('spawn-rows.json'));
    is_deeply([@$sums{qw(processes lost)}], [51, 0], 'many processes');
    is(scalar @{ $sums->{rows} }, 51, 'each has a row');
    is_deeply([map { $_->{count} } @{ $sums->{rows} }], [132, (2) x 50], 'the parent and its children');

    $sums = sums(recorded('syscall-mix.json'), with_rows => 1);
    is_deeply($sums->{rows},     [],                                'rows that are wanted and not there');
    is_deeply($sums->{unlisted}, { processes => 1, count => 5039 }, 'and what they would have been of');
};

# Maps of processes with so many calls each, the first of them never returns; [since, pid, calls].
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

subtest 'more processes than rows' => sub {
    my @of   = map { [23_217_000_000_000 + $_, $_, 2 + $_ % 2] } reverse 1 .. 150;
    my $sums = sums(processes(150, @of));
    my @most = ((map { 2 * $_ - 1 } 1 .. 75), map { 2 * $_ } 1 .. 25);
    is_deeply(
        [map { $_->{pid} } @{ $sums->{rows} }],
        [sort { $a <=> $b } @most],
        'those with most calls, then the earliest ones, in the order of their beginnings'
    );
    is_deeply($sums->{unlisted}, { processes => 50, count => 100 }, 'the others');

    $sums = sums(processes(100, @of[0 .. 99]));
    ok(!exists $sums->{unlisted}, 'a row for each');

    my $full = processes(150, @of) =~ s/"\@delay": \{"0": \{"count": \d+/"\@delay": {"0": {"count": 5000/r;
    is_deeply(sums($full)->{unlisted}, { processes => 50, count => 5150 - 275 }, 'calls of which no map had room');
    my $threads = processes(160, @of[0 .. 9]);
    ok(!exists sums($threads)->{unlisted}, 'threads have no row of their own');
};

subtest 'a number that comes twice' => sub {
    my $sums = sums(processes(3, [23_217_000_000_001, 7, 3], [23_217_000_000_002, 7, 5], [23_217_000_000_001, 6, 1]));
    is_deeply([map { "$_->{pid}: $_->{count}" } @{ $sums->{rows} }], ['6: 1', '7: 3', '7: 5'], 'is two processes');
    is_deeply([@{ $sums->{rows}[0] }{qw(returned total_ns max_ns)}], [0, 0, undef], 'one of which nothing returned');
    my $later = '17000000000000000';
    is(sums(processes(1, [$later, 7, 3]))->{rows}[0]{count}, 3, 'after years of uptime');
};

subtest 'what versions differ in' => sub {
    my $sums = sums($DELAY . $STARTED);
    is($sums->{lost}, 1, 'no process ended');
    is_deeply(call($sums, 'read'), found('read', 2, 2, 10, undef), 'neither maxima nor histograms');
    is(sums($DELAY . $STARTED . line('map', '{"@ended": 3}'))->{lost},  0, 'more ended than started');
    is(sums($DELAY . $STARTED . line('map', '{"@ended": {}}'))->{lost}, 1, 'an empty map');
    is(sums(qq(\n{"data":{"probes":8},"type":"attached_probes"}\n\n$DELAY$STARTED))->{processes}, 1, 'another order');
    is(sums(line('lost_events', '{"events": 3}') . line('helper_error', '{}') . $DELAY . $STARTED)->{processes},
        1, 'lines of other kinds');
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
        is_deeply($call, found('read', 2, 2, 10, undef, @{ $buckets{$buckets} }), $buckets);
    }
    my $rows =
        line('stats', '{"@of": {"(5, 7, 0)": {"count": 2, "total": 10}}}') . line('map', '{"@most_of": {"[5,7]": 6}}');
    is_deeply([@{ sums($DELAY . $STARTED . $rows)->{rows}[0] }{qw(pid count max_ns)}], [7, 2, 6], 'keys in brackets');
    my $skipped = line('map', '{"@unfinished": {"-1": 2}}');
    is_deeply(call(sums($STARTED . $skipped), '#-1'), found('#-1', 2, 0, 0, undef), 'a call that was taken away');
};

subtest 'a sequence' => sub {
    my $text     = recorded('sequence.json');
    my $sequence = sequence($text);
    is_deeply([@$sequence{qw(total lost)}],      [5038, 0],                               'none is lost');
    is_deeply([@{ $sequence->{calls} }[0 .. 4]], [qw(brk mmap access openat newfstatat)], 'begins');
    is(
        join(q{ }, @{ $sequence->{calls} }[27 .. 36]),
        'munmap pipe2 umask dup close dup close getpid getuid umask',
        'comes to its loop'
    );
    is_deeply([@{ $sequence->{calls} }[-3 .. -1]], [qw(write write exit_group)], 'ends');

    my ($head, @lines) = split /^/, $text;
    is_deeply(sequence(join q{}, $head, reverse @lines), $sequence, 'in whatever order the lines come');
    my $last = pop @lines;
    is_deeply(sequence($last), { calls => [], total => 5038, lost => 5038 }, 'all are lost');
    splice @lines, 100, 3;
    my $lossy = sequence(join q{}, @lines, line('lost_events', '{"events": 3}'), $last);
    is_deeply([scalar @{ $lossy->{calls} }, @$lossy{qw(total lost)}], [5035, 5038, 3], 'three are lost');
};

my $MAP     = 'what bpftrace said is broken:';
my @REFUSED = (
    ['',                                                 'bpftrace said nothing'],
    ["\n" . line('attached_probes', '{"probes": 8}'),    'bpftrace said nothing'],
    [$STARTED . $ENDED,                                  'bpftrace said nothing'],
    [$STARTED . line('stats', '{"@delay": {}}'),         'bpftrace said nothing'],
    [$DELAY . $ENDED,                                    'what bpftrace said breaks off'],
    ["Attaching 8 probes...\n",                          "$MAP it has a line that is not JSON: no value at byte 0"],
    ["null\n",                                           "$MAP it has a line that is null"],
    ["[]\n",                                             "$MAP no type: []"],
    ["{\"type\": []}\n",                                 "$MAP no type: {\"type\": []}"],
    [line('map', '[]'),                                  "$MAP no map: {\"type\": \"map\", \"data\": []}"],
    [$DELAY . $DELAY,                                    "$MAP \@delay comes twice"],
    [$DELAY . line('map', '{"@started": {"1": 1}}'),     "$MAP \@started is no number"],
    [$DELAY . line('map', '{"@started": -1}'),           "$MAP \@started is no number: -1"],
    [$DELAY . line('map', '{"@started": 1.5}'),          "$MAP \@started is no number: 1.5"],
    [$DELAY . line('map', '{"@started": 1e300}'),        "$MAP \@started is no number: 1e+300"],
    [$DELAY . line('map', '{"@started": "\u001b[31m"}'), "$MAP \@started is no number: \\x1b[31m"],
    [$STARTED . line('map', '{"@delay": 7}'),            "$MAP \@delay has no keys"],
    [$STARTED . line('map', '{"@delay": {"0": 7}}'),     "$MAP \@delay is no stats"],
    [$STARTED . line('map', '{"@delay": {"0": {"count": 1}}}'),         "$MAP \@delay is no number"],
    [$STARTED . line('map', '{"@unfinished": {"x": 1}}'),               "$MAP no call: x"],
    [$STARTED . line('map', '{"@unfinished": {"1\\n": 1}}'),            "$MAP no call: 1\\n"],
    [$STARTED . $DELAY . line('map', '{"@most": {"0": "a"}}'),          "$MAP \@most is no number: a"],
    [$STARTED . $DELAY . line('hist', '{"@delays": {"0": {}}}'),        "$MAP \@delays is no histogram"],
    [$STARTED . $DELAY . delays('1'),                                   "$MAP \@delays is no histogram"],
    [$STARTED . $DELAY . delays('{"min": 3, "count": 1}'),              "$MAP \@delays has a bucket from 3"],
    [$STARTED . $DELAY . delays('{"min": -4, "count": 1}'),             "$MAP \@delays is no number: -4"],
    [$STARTED . $DELAY . delays('{"min": 4}'),                          "$MAP \@delays is no number"],
    [$STARTED . $DELAY . line('map', '{"@unfinished_of": {"7,0": 1}}'), "$MAP no process: 7,0"],
    [$STARTED . $DELAY . line('map', '{"@unfinished_of": {"7,8,0": 1}, "@most_of": {"7": 1}}'), "$MAP no process: 7"],
);
subtest 'sums that are none' => sub {
    for my $case (@REFUSED) {
        my ($text, $why) = @$case;
        my $refusal = refusal(sub { sums($text) });
        is($refusal, $why, $text =~ s/\n/ /gr);
    }
};

my $CALLS  = line('map', '{"@calls": 2}');
my @BROKEN = (
    ['',                         'bpftrace said nothing'],
    [line('printf', '"0 1\\n"'), 'bpftrace said nothing'],
    [$CALLS . line('printf', '"0 1\\n"') x 2,                           "$MAP call 0 comes twice"],
    [$CALLS . line('printf', '"0 1\\n"') . line('printf', '"00 1\\n"'), "$MAP call 00 comes twice"],
    [$CALLS . line('printf', '"2 1\\n"'),                               "$MAP no call: 2 1\\n"],
    [$CALLS . line('printf', '"1\\n"'),                                 "$MAP no call: 1\\n"],
    [$CALLS . line('printf', 'null'),                                   "$MAP no call: "],
    [$CALLS . line('printf', '{}'),                                     "$MAP no call: no text"],
);
subtest 'sequences that are none' => sub {
    for my $case (@BROKEN) {
        my ($text, $why) = @$case;
        my $refusal = refusal(sub { sequence($text) });
        is($refusal, $why, $text =~ s/\n/ /gr);
    }
};

# Whether sums make sense, whatever they are of.
sub is_sane {
    my ($sums) = @_;
    my @calls = @{ $sums->{calls} };
    return @calls && $sums->{processes} > 0 && !grep { !is_sum($_) } @calls, @{ $sums->{rows} || [] };
}

sub is_sum {
    my ($sum) = @_;
    return $sum->{count} >= $sum->{returned} && !grep { !/\A[0-9]+\z/ } @$sum{qw(count returned total_ns)};
}

my %STEP = ('syscall-mix' => 1, 'spawn-rows' => 29);
for my $name (sort keys %STEP) {
    my $text = recorded("$name.json");
    my @wrong;
    for my $length (map { $_ * $STEP{$name} } 0 .. length($text) / $STEP{$name}) {
        my $sums;
        my $refusal = refusal(sub { $sums = sums(substr $text, 0, $length) });
        push @wrong, $length if defined $refusal ? $refusal !~ /bpftrace said/ : !is_sane($sums);
    }
    is_deeply(\@wrong, [], "$name, cut off: refused, or sane");
}

is_deeply(\@WARNINGS, [], 'no warning');

done_testing;
