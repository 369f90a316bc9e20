package Cases::Observed;

# Results with observed system calls that all reports are tested with.

use strict;
use warnings;

use Cases    ();
use Fixture  qw(measured result run);
use Observed qw(observed observed_run unobserved with_rows);

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
