package Observed;

# Invented system calls of tests, as a tracer reports them.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(max min sum);

our @EXPORT_OK = qw(by_strace observed observed_run observing unobserved with_rows);

use constant { SECONDS => 1.5, BEGAN => 1_795_141_153.25, LISTED => 100, STOP_NS => 21_000 };

# For each test: slowdown, loops of a copy in a short pass, and the calls of a loop. A call has its name, the number in
# a loop, and the mean and longest delay in ns; a call without delays never returns.
#<<< a table
my %TEST = (
    dhry2reg           => [1.003, 117_198_725],
    'whetstone-double' => [0.997, 154_500],
    syscall  => [2.9, 721_340, [dup => 1, 181, 60_460], [close => 1, 174, 48_233], [getpid => 1, 141, 31_870],
                               [getuid => 1, 142, 33_020], [umask => 1, 143, 58_911]],
    pipe     => [1.74, 1_103_219, [write => 1, 402, 88_122], [read => 1, 317, 61_040]],
    context1 => [1.12, 201_448, [read => 2, 3_311, 4_012_338], [write => 2, 1_204, 311_904]],
    spawn    => [1.31, 14_120, [wait4 => 1, 61_204, 2_904_411], [clone => 1, 38_117, 1_770_215], [exit_group => 1]],
    execl    => [1.46, 4_755, [execve => 1, 171_312, 3_114_002], [mmap => 8, 1_702, 91_233],
                              [openat => 3, 2_410, 88_002],
                              [mprotect => 4, 1_533, 44_118], [read => 2, 771, 19_023], [pread64 => 4, 402, 8_120],
                              [newfstatat => 4, 611, 22_404], [close => 3, 204, 9_770], [brk => 3, 388, 12_990],
                              [munmap => 1, 3_904, 61_311], [access => 1, 901, 31_002], [arch_prctl => 2, 171, 4_409]],
    fstime   => [1.21, 391_872, [write => 1, 1_644, 908_133], [read => 1, 988, 410_662]],
    fsbuffer => [1.52, 598_016, [write => 1, 871, 711_940], [read => 1, 502, 90_231]],
    fsdisk   => [1.08, 298_765, [write => 1, 2_905, 1_604_882], [read => 1, 1_711, 502_119]],
    shell1   => [1.6, 131, [wait4 => 9, 1_400_311, 9_120_404], [read => 41, 18_870, 6_114_902],
                           [execve => 8, 190_223, 1_204_118], [clone => 8, 74_001, 611_872],
                           [mmap => 98, 1_833, 90_410],
                           [openat => 39, 2_702, 71_205], [close => 77, 233, 14_022], [rt_sigaction => 61, 144, 8_904],
                           [write => 9, 2_104, 61_733], [exit_group => 8]],
    shell8   => [1.66, 51, [wait4 => 74, 2_911_407, 31_904_412], [read => 330, 21_044, 18_114_902],
                           [execve => 65, 240_118, 4_204_118], [clone => 66, 81_312, 1_611_872],
                           [mmap => 790, 1_902, 104_733], [exit_group => 65]],
);

# Calls of each program at its start and end, in each copy.
my @AROUND = (
    [mmap       => 9, 2_118, 18_404], [openat      => 3, 3_302, 9_871], [newfstatat => 3, 702, 1_611],
    [mprotect   => 4, 1_711, 4_004],  [read        => 3, 904, 2_231],   [pread64    => 4, 511, 1_204],
    [brk        => 3, 422, 1_044],    [close       => 3, 288, 511],     [munmap     => 1, 5_011, 5_011],
    [write      => 1, 6_120, 6_120],  [arch_prctl  => 2, 244, 390],     [prlimit64  => 1, 388, 388],
    [getrandom  => 1, 602, 602],      [execve      => 1, 288_114, 288_114], [rseq   => 1, 190, 190],
    [access     => 1, 1_044, 1_044],  [rt_sigaction => 2, 211, 301],    [exit_group => 1],
);
#>>>

# How delays spread: doublings away from the mean, and the part of the delays there.
my @SPREAD = ([-1, 0.21], [0, 0.713], [1, 0.064], [2, 0.0107], [3, 0.0021], [4, 0.0002]);

# Takes the name of a test of the index and a number of copies; returns the report of bpftrace about it.
sub observed {
    my ($name, $copies) = @_;
    my ($slowdown, $each, @loop) = @{ $TEST{$name} };
    my $loops = $each * $copies;
    my %calls;
    _add(\%calls, $_->[0], $_->[1] * $loops,  @$_[2, 3]) for @loop;
    _add(\%calls, $_->[0], $_->[1] * $copies, @$_[2, 3]) for @AROUND;
    my $started = sum(0, map { $_->[1] } grep { $_->[0] =~ /\A(?:clone|vfork)\z/ } @loop);
    return {
        tracer    => 'bpftrace',
        command   => ["/opt/my suite/pgms/$name", SECONDS],
        error     => undef,
        count     => $loops,
        time_s    => SECONDS + 0.000_12,
        timebase  => 1,
        unit      => 'lps',
        loops     => $loops,
        slowdown  => $slowdown,
        processes => $copies + $loops * $started,
        lost      => 0,
        calls     => [_sorted(values %calls)],
    };
}

sub _add {
    my ($calls, $name, $count, $mean_ns, $max_ns) = @_;
    my $returned = defined $mean_ns ? $count : 0;
    my $call     = $calls->{$name} ||= { name => $name, count => 0, returned => 0, total_ns => 0, max_ns => undef };
    $call->{count}    += $count;
    $call->{returned} += $returned;
    $call->{total_ns} += $returned * ($mean_ns // 0);
    return if !$returned;
    $call->{max_ns} = max($max_ns, $call->{max_ns} // 0);
    my %delays = map { $_->{from_ns} => $_->{count} } @{ $call->{delays} || [] };
    my %more   = _delays($returned, $mean_ns, $max_ns);
    $delays{$_} += $more{$_} for keys %more;
    return $call->{delays} = [map { +{ from_ns => $_, count => $delays{$_} } } sort { $a <=> $b } keys %delays];
}

# Takes a count, and mean and longest delay in ns; returns { from_ns => count }.
sub _delays {
    my ($count, $mean_ns, $max_ns) = @_;
    my ($middle, $last) = map { int log($_) / log 2 } $mean_ns, $max_ns;
    my %delays = (2**$last => 1);
    my $left   = $count - 1;
    for my $spread (@SPREAD) {
        my ($away, $part) = @$spread;
        my $some = min($left, int $count * $part);
        my $from = 2**min($last, $middle + $away);
        $delays{$from} += $some if $some;
        $left -= $some;
    }
    $delays{ 2**$middle } += $left if $left;
    return %delays;
}

sub _sorted {
    my (@calls) = @_;
    my @sorted =
        sort { $b->{total_ns} <=> $a->{total_ns} || $b->{count} <=> $a->{count} || $a->{name} cmp $b->{name} } @calls;
    return @sorted;
}

# Takes an observation and its number of copies; returns it with rows for its processes. All copies make the same calls;
# the processes that they started only end.
sub with_rows {
    my ($observed, $copies) = @_;
    my $processes = $observed->{processes} // $copies;
    my $started   = $processes - $copies;
    my @calls =
        map { +{ %$_, count => $_->{count} - ($_->{name} eq 'exit_group' ? $started : 0) } } @{ $observed->{calls} };
    my @rows = map { _row($_, $copies, @calls) } 1 .. $copies;
    push @rows, map { _ended($_) } $copies + 1 .. min($processes, LISTED);
    my $count    = sum(map { $_->{count} } @{ $observed->{calls} }) - sum(map { $_->{count} } @rows);
    my $unlisted = $processes > @rows ? { processes => $processes - @rows, count => $count } : undef;
    return { %$observed, rows => \@rows, unlisted => $unlisted };
}

sub _began { my ($place) = @_; return (at => BEGAN + $place / 64, pid => 18_250 + $place) }

sub _row {
    my ($place, $copies, @calls) = @_;
    @calls = sort { $b->{count} <=> $a->{count} || $a->{name} cmp $b->{name} } @calls;
    my %row = _began($place);
    for my $key (qw(count returned total_ns)) {
        $row{$key} = sum(map { int $_->{$key} / $copies } @calls);
    }
    my @top = map { +{ name => $_->{name}, count => int $_->{count} / $copies } } @calls[0 .. 2];
    return { %row, max_ns => max(map { $_->{max_ns} // 0 } @calls), top => \@top };
}

sub _ended {
    my ($place) = @_;
    my @top = ({ name => 'exit_group', count => 1 });
    return { _began($place), count => 1, returned => 0, total_ns => 0, max_ns => undef, top => \@top };
}

# Takes an observation; returns it as strace reports it in a summary: without the spread of delays, without processes,
# and without calls that never return.
sub by_strace {
    my ($observed) = @_;
    my @calls      = map { _stopped($_) } grep { $_->{returned} } @{ $observed->{calls} };
    my %other      = (tracer => 'strace', processes => undef, lost => undef);
    return { %$observed, %other, slowdown => 40 * $observed->{slowdown}, calls => [_sorted(@calls)] };
}

# Takes a call; returns it with the delay that strace adds by stopping the process in each call.
sub _stopped {
    my ($call) = @_;
    my %later_ns = (max_ns => $call->{max_ns} + STOP_NS, total_ns => $call->{total_ns} + STOP_NS * $call->{returned});
    return { %$call, %later_ns, count => $call->{returned}, delays => undef };
}

# Takes a tracer and a reason; returns the observation of a test that could not be observed.
sub unobserved {
    my ($tracer, $reason) = @_;
    return { tracer => $tracer, command => ['/opt/my suite/pgms/x', SECONDS], error => $reason };
}

# Takes a run, and observations that differ from those above, as { name => observation, or undef for none }; returns the
# run with all its tests observed.
sub observed_run {
    my ($run, %other) = @_;
    my @tests =
        map { my $name = $_->{name}; +{ %$_, observed => exists $other{$name} ? $other{$name} : _of($name, $run) } }
        @{ $run->{tests} };
    return { %$run, tests => \@tests };
}

sub _of {
    my ($name, $run) = @_;
    return $TEST{$name} ? observed($name, $run->{copies}) : undef;
}

# Takes a tracer, or undef, and the reason why it is not bpftrace; returns the facts of a result about observing.
sub observing {
    my ($tracer, $why_not) = @_;
    return { tracer => $tracer, why_not => $why_not };
}

1;
