# The output of strace, and the search for a strace that works.

use strict;
use warnings;

use FindBin;
use List::Util qw(sum);
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Place                          qw(text_of);
use TriedTracer                    qw(tried);
use UnixBench::Observe::Strace;

my @WARNINGS;
local $SIG{__WARN__} = sub { push @WARNINGS, @_ };

sub of_traces { return UnixBench::Observe::Strace::of_traces(@_) }

# Takes sums and a name; returns the call of that name.
sub call {
    my ($sums, $name) = @_;
    my ($call) = grep { $_->{name} eq $name } @{ $sums->{calls} };
    return $call;
}

# Takes the numbers of a call; returns it as it is in sums.
sub found {
    my ($name, $count, $returned, $total_ns, $max_ns) = @_;
    return { name => $name, count => $count, returned => $returned, total_ns => $total_ns, max_ns => $max_ns };
}

# Takes a function; returns its error message without the line end, or undef if it did not die. Other than one printable
# line, the message is marked "no line".
sub refusal {
    my ($try) = @_;
    return if eval { $try->(); 1 };
    my $why = $@;
    return $why =~ /\A[\x20-\x7e]{1,300}\n\z/ ? $why =~ s/\n\z//r : "no line: $why";
}

# Takes lines that strace wrote about one process; returns their sums.
sub traced {
    my (@lines) = @_;
    return of_traces({ 7 => join q{}, map { "$_\n" } @lines });
}

# Recorded output of strace 6.1 on Linux 6.18, x86_64, for "spawn -n 4": { process => text }.
my %TRACES = map { $_ => text_of("$FindBin::Bin/data/traces/t.$_") } 18_800 .. 18_804;

subtest 'traces are summed up' => sub {
    my $sums = of_traces(\%TRACES);
    is_deeply([sort keys %$sums], [qw(calls processes rows)], 'the sums have these keys');
    is($sums->{processes},                           5,  'the number of processes');
    is(sum(map { $_->{count} } @{ $sums->{calls} }), 48, 'the number of all calls');
    is_deeply($sums->{calls}[0], found('wait4', 4, 4, 310_720, 82_060), 'the call with the most time comes first');
    is_deeply(call($sums, 'write'),      found('write',      2, 2, 25_550,  14_420),  'no call within a text');
    is_deeply(call($sums, 'exit_group'), found('exit_group', 5, 0, 0,       undef),   'a call that never returns');
    is_deeply(call($sums, 'execve'),     found('execve',     1, 1, 118_790, 118_790), 'the first call');
};

subtest 'rows have the calls of each process' => sub {
    my $sums = of_traces(\%TRACES);
    is_deeply([map { $_->{pid} } @{ $sums->{rows} }], [18_800 .. 18_804], 'rows are in order of their start');
    my %row = %{ $sums->{rows}[0] };
    is(sprintf('%.6f', delete $row{at}), '1795242820.025192', 'a row has the start of its process');
    my @top   = ({ name => 'mmap', count => 8 }, { name => 'clone', count => 4 }, { name => 'wait4', count => 4 });
    my %times = (count => 40, returned => 39, total_ns => 989_970, max_ns => 118_790);
    is_deeply(\%row, { pid => 18_800, %times, top => \@top }, 'a row has its calls');
    ok(!exists $sums->{unlisted}, 'no process is left out');

};

# A line => [name of the call, whether it returned, nanoseconds].
my %LINE = (
    '1.5 read(3, "", 832) = 0 <0.000000001>'                                   => ['read',       1, 1],
    '1.5 read(3, 0x7ffc, 832)        = -1 EAGAIN (Resource ...) <12.5>'        => ['read',       1, 12_500_000_000],
    '1.5 futex(0x7f, FUTEX_WAIT) = ? ERESTARTSYS (To be restarted) <0.000001>' => ['futex',      1, 1_000],
    '1.5 getpid()                            = 18800 <0>'                      => ['getpid',     0, 0],
    '1.5 write(2, ") = 3 <0.5>", 11) = 11 <0.25>'                              => ['write',      1, 250_000_000],
    '1.5 write(2, "\") = 3 <0.5>", 12)          = ?'                           => ['write',      0, 0],
    '1.5 write(2, "\\\\", 1) = 1 <0.5>'                                        => ['write',      1, 500_000_000],
    '1.5 write(2, ") = 3 <0.5>'                                                => ['write',      0, 0],
    '1.5 read(3, "a'                                                           => ['read',       0, 0],
    '1.5 read(3, "", 1) = ? <unavailable>'                                     => ['read',       0, 0],
    '1.5 read(3,  <unfinished ...>'                                            => ['read',       0, 0],
    '1.5 <... read resumed>"", 1) = 0 <0.5>'                                   => ['read',       1, 500_000_000],
    '1.5 syscall_0x1d3(0x1, 0x2) = -1 ENOSYS (Function not implemented) <0.5>' => ['#467',       1, 500_000_000],
    '1.5 exit_group(0)         = ?'                                            => ['exit_group', 0, 0],
);
my @NO_CALLS = (
    '1.5 --- SIGCHLD {si_signo=SIGCHLD, si_pid=1} ---',
    '1.5 +++ exited with 0 +++',
    '1.5 re',
    'read(3) = 0 <0.5>',
    '99999999999999 read(3) = 0 <0.5>',
    "\0\xff\e[31m",
);
subtest 'lines of a trace are read' => sub {
    for my $line (sort keys %LINE) {
        my ($name, $returned, $ns) = @{ $LINE{$line} };
        my @found = map { [@$_{qw(name count returned total_ns)}] } @{ traced($line)->{calls} };
        is_deeply(\@found, [[$name, 1, $returned, $ns]], "call: $line");
    }
    for my $line (@NO_CALLS) {
        my $calls = traced('1.2 brk(0) = 0 <0.5>', $line)->{calls};
        is_deeply($calls, [found('brk', 1, 1, 500_000_000, 500_000_000)], "no call: $line");
    }
    my @halves = ('1.5 read(3,  <unfinished ...>', '1.6 --- SIGALRM {} ---', '1.7 <... read resumed>"", 1) = 0 <0.25>');
    is_deeply(traced(@halves)->{calls}[0], found('read', 1, 1, 250_000_000, 250_000_000), 'a call in two halves');
    $halves[2] =~ s/read/poll/;
    is(sum(map { $_->{count} } @{ traced(@halves)->{calls} }), 2, 'halves of two calls');
};

subtest 'traces without calls are refused, and those that are cut off' => sub {
    is(refusal(sub { of_traces({}) }),                          'strace printed nothing', 'no process');
    is(refusal(sub { of_traces({ 7 => q{}, 8 => "junk\n" }) }), 'strace printed nothing', 'processes without calls');
    my $cut = refusal(sub { of_traces({ %TRACES, 18_800 => substr $TRACES{18_800}, 0, 4096 }) });
    is($cut, 'the output of strace is cut off: it was killed, or the disk is full', 'a trace without its end');
};

sub tracer_of { my ($script) = @_; return tried('UnixBench::Observe::Strace', $script) }

subtest 'a strace that works is found' => sub {
    my $refused = 'ptrace(PTRACE_TRACEME): Operation not permitted';
    is(tracer_of('exit 0'),                              'found',                     'it can follow a program');
    is(tracer_of(undef),                                 "strace is not installed\n", 'it is not installed');
    is(tracer_of("echo 'strace: $refused' >&2; exit 1"), "strace: $refused\n",        'it is not allowed to trace');
};

is_deeply(\@WARNINGS, [], 'Perl prints no warning');

done_testing;
