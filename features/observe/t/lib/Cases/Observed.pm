package Cases::Observed;

# Invented system calls of tests, as strace reports them.

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(max min sum);

use Cases   ();
use Fixture qw(measured result run);

our @EXPORT_OK = qw(observed observed_run unobserved with_rows);

use constant { SECONDS => 1.5, BEGAN => 1_795_141_153.25, LISTED => 6 };

# For each test: slowdown, loops of a copy in a short pass, and the calls of a loop. A call has its name, the number in
# a loop, and the mean and longest delay in ns.
#<<< a table
my %TEST = (
    dhry2reg => [1.003, 117_198_725],
    syscall  => [116, 7_213, [dup => 1, 2_181, 60_460], [close => 1, 2_174, 48_233], [getpid => 1, 2_141, 31_870],
                             [getuid => 1, 2_142, 33_020], [umask => 1, 2_143, 58_911]],
    pipe     => [69.6, 11_032, [write => 1, 2_402, 88_122], [read => 1, 2_317, 61_040]],
    spawn    => [1.31, 1_412, [wait4 => 1, 61_204, 2_904_411], [clone => 1, 38_117, 1_770_215]],
    execl    => [1.46, 475, [execve => 1, 171_312, 3_114_002], [mmap => 8, 3_702, 91_233], [openat => 3, 4_410, 88_002],
                            [mprotect => 4, 3_533, 44_118], [read => 2, 2_771, 19_023], [pread64 => 4, 2_402, 8_120],
                            [newfstatat => 4, 2_611, 22_404], [close => 3, 2_204, 9_770], [brk => 3, 2_388, 12_990],
                            [munmap => 1, 5_904, 61_311], [access => 1, 2_901, 31_002], [fcntl => 1, 2_011, 9_002],
                            [arch_prctl => 2, 2_171, 4_409]],
    shell1   => [1.6, 131, [wait4 => 9, 1_400_311, 9_120_404], [read => 41, 18_870, 6_114_902],
                           [execve => 8, 190_223, 1_204_118], [clone => 8, 74_001, 611_872],
                           [mmap => 98, 3_833, 90_410], [rt_sigaction => 61, 2_144, 8_904]],
);

# Calls of each program at its start and end, in each copy.
my @AROUND = (
    [mmap => 9, 4_118, 18_404], [openat => 3, 5_302, 9_871], [read => 3, 2_904, 4_231], [brk => 3, 2_422, 3_044],
    [close => 3, 2_288, 2_511], [write => 1, 8_120, 8_120], [execve => 1, 288_114, 288_114],
);
#>>>

# Takes the name of a test in the table and a number of copies; returns its observation.
sub observed {
    my ($name, $copies) = @_;
    my ($slowdown, $each, @loop) = @{ $TEST{$name} };
    my %calls;
    _add(\%calls, $_->[0], $_->[1] * $each * $copies, @$_[2, 3]) for @loop;
    _add(\%calls, $_->[0], $_->[1] * $copies,         @$_[2, 3]) for @AROUND;
    return {
        command  => ["/opt/my suite/pgms/$name", SECONDS],
        error    => undef,
        loops    => $each * $copies,
        slowdown => $slowdown,
        calls    => [sort { $b->{total_ns} <=> $a->{total_ns} || $a->{name} cmp $b->{name} } values %calls],
    };
}

sub _add {
    my ($calls, $name, $count, $mean_ns, $max_ns) = @_;
    my $call = $calls->{$name} ||= { name => $name, count => 0, returned => 0, total_ns => 0, max_ns => 0 };
    $call->{$_} += $count for qw(count returned);
    $call->{total_ns} += $count * $mean_ns;
    $call->{max_ns} = max($max_ns, $call->{max_ns});
    return;
}

# Takes an observation and its number of copies; returns it with rows for its processes. Each process that a copy starts
# makes one call, which does not return.
sub with_rows {
    my ($observed, $copies) = @_;
    my @calls     = @{ $observed->{calls} };
    my $started   = sum(0, map { $_->{count} } grep { $_->{name} eq 'clone' } @calls);
    my @rows      = map { _row($_, $copies, @calls) } 1 .. $copies;
    my $processes = $copies + $started;
    push @rows, map { _ended($_) } $copies + 1 .. min($processes, LISTED);
    my %never    = (name => 'exit_group', count => $started, returned => 0, total_ns => 0, max_ns => undef);
    my %left_out = map { $_ => $processes - @rows } qw(processes count);
    return {
        %$observed,
        processes => $processes,
        calls     => [@calls, $started ? \%never : ()],
        rows      => \@rows,
        unlisted  => $processes > @rows ? \%left_out : undef,
    };
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

# Takes a reason; returns the observation of a test that could not be observed.
sub unobserved { my ($reason) = @_; return { command => ['/opt/my suite/pgms/x', SECONDS], error => $reason } }

# Takes a run, and observations that differ from those above, as { name => observation, or undef for none }; returns the
# run with its tests observed.
sub observed_run {
    my ($run, %other) = @_;
    my %all   = ((map { $_ => observed($_, $run->{copies}) } keys %TEST), %other);
    my @tests = map { +{ %$_, observed => $all{ $_->{name} } } } @{ $run->{tests} };
    return { %$run, tests => \@tests };
}

# Texts that look like lines of a report.
my $NASTY =
      'Pipe Throughput 5.0 lps (10.0 s, 7 samples) System Benchmarks Index Score 9 (Partial Only) '
    . qq{<script>alert("1")</script>&'\t\e[31m\n}
    . '-' x 80;
my @LINES = (
    'Pipe Throughput  no measured results: none',
    'Pipe Throughput  1.0 MWIPS (1.0 s, 1 sample)',
    'System Benchmarks Index Values  BASELINE  RESULT  INDEX',
    'Pipe Throughput  1.0  2.0  3.0',
    'running 5 parallel  copies of tests',
    'BYTE UNIX Benchmarks (Version 5.1)',
    $NASTY,
    'x' x 150,
    q{},
);

# Returns the cases, each { name, result }.
sub cases {
    my $not = run(1, measured('pipe', 1, $Cases::COUNT{pipe}));
    return (
        _case('observed',         undef,                     _observed()),
        _case('observed-hostile', $LINES[0],                 _hostile()),
        _case('not-observed',     'strace is not installed', $not),
    );
}

sub _case {
    my ($name, $why_not, @runs) = @_;
    return { name => $name, result => result(\@runs, observing => { why_not => $why_not }) };
}

# Returns a run with a test of unknown loops and one that failed, and a run with rows for the processes of two tests.
sub _observed {
    my @one     = map { measured($_, 1, $Cases::COUNT{$_}) } qw(dhry2reg pipe execl shell1 syscall);
    my @four    = map { measured($_, 4, $Cases::COUNT{$_}) } qw(spawn syscall);
    my $unknown = { %{ observed('shell1', 1) }, map { $_ => undef } qw(loops slowdown) };
    return (
        observed_run(run(1, @one),  shell1 => $unknown, syscall => unobserved('killed by SIGSEGV')),
        observed_run(run(4, @four), map { $_ => with_rows(observed($_, 4), 4) } qw(spawn syscall)),
    );
}

# Returns a run with lines of a report as names of calls and as reasons.
sub _hostile {
    my $calls = observed('execl', 1)->{calls};
    my @calls = map { +{ %{ $calls->[$_] }, name => $LINES[$_] } } 0 .. $#LINES;
    my $pipe  = with_rows({ %{ observed('pipe', 1) }, calls => \@calls, loops => undef }, 1);
    $_->{top} = [map { +{ name => $_, count => 5 } } @LINES[-3 .. -1]] for @{ $pipe->{rows} };
    my %failed = (spawn => unobserved("@LINES"), execl => unobserved(q{}));
    my @tests  = map { measured($_, 1, $Cases::COUNT{$_}) } qw(pipe spawn execl);
    return observed_run(run(1, @tests), pipe => $pipe, %failed);
}

1;
