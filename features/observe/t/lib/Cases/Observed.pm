package Cases::Observed;

# Results with observed system calls that all reports are tested with.

use strict;
use warnings;

use Cases    ();
use Fixture  qw(measured result run);
use Observed qw(by_strace observed observed_run observing unobserved with_rows);

my $NO_STRACE = 'bpftrace needs root; strace is not installed';

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
    my %count = %Cases::COUNT;
    my @runs  = (observed_run(run(1, map { measured($_, 1, $count{$_}) } sort keys %count)), _rows(4, %count));
    my $not   = run(1, measured('pipe', 1, $count{pipe}));
    return (
        _case('observed',         \@runs,             observing('bpftrace')),
        _case('observed-strace',  [_strace(%count)],  observing('strace', 'bpftrace needs root')),
        _case('observed-hostile', [_hostile(%count)], observing('strace', $NASTY)),
        _case('not-observed',     [$not],             observing(undef,    $NO_STRACE)),
    );
}

sub _case {
    my ($name, $runs, $observing) = @_;
    return { name => $name, result => result($runs, observing => $observing) };
}

# Returns a run with rows for the processes of two tests, a test with lost processes, and one that was not observed.
sub _rows {
    my ($copies, %count) = @_;
    my %observed = map { $_ => with_rows(observed($_, $copies), $copies) } qw(spawn syscall);
    my @tests    = map { measured($_, $copies, $count{$_}) } qw(spawn shell1 syscall);
    push @tests, measured('hanoi', $copies, 1e6);
    return observed_run(run($copies, @tests), %observed, shell1 => { %{ observed('shell1', $copies) }, lost => 3 });
}

# Returns a run observed by strace for a user without root rights, with a test of unknown loops and one that failed.
sub _strace {
    my (%count)  = @_;
    my %observed = map { $_ => by_strace(observed($_, 1)) } qw(dhry2reg pipe syscall);
    my $unknown  = { %{ by_strace(observed('shell1', 1)) }, map { $_ => undef } qw(loops slowdown) };
    my $failed   = unobserved('strace', 'killed by SIGSEGV (observed slice)');
    my @tests    = map { measured($_, 1, $count{$_}) } qw(dhry2reg pipe syscall shell1 spawn);
    return observed_run(run(1, @tests), %observed, shell1 => $unknown, spawn => $failed);
}

# Returns a run with lines of a report as names of calls and as reasons.
sub _hostile {
    my (%count) = @_;
    my $calls   = observed('execl', 1)->{calls};
    my @calls   = map { +{ %{ $calls->[$_] }, name => $LINES[$_] } } 0 .. $#LINES;
    my $pipe    = with_rows({ %{ observed('pipe', 1) }, calls => \@calls, loops => undef, processes => 1 }, 1);
    $_->{top} = [map { +{ name => $_, count => 5 } } @LINES[-3 .. -1]] for @{ $pipe->{rows} };
    my %failed = (spawn => unobserved('strace', "@LINES"), execl => unobserved('bpftrace', q{}));
    my @tests  = map { measured($_, 1, $count{$_}) } qw(pipe spawn execl);
    return observed_run(run(1, @tests), pipe => $pipe, %failed);
}

1;
