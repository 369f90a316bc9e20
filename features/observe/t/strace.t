# The output of strace, and the search for a strace that works.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use List::Util qw(sum);
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../lib ../../../t/lib);
use Place qw(text_of write_file);
use UnixBench::Base::Clock;
use UnixBench::Observe::Strace;
use UnixBench::Process;

my @WARNINGS;
local $SIG{__WARN__} = sub { push @WARNINGS, @_ };

sub sums      { my (@texts) = @_; return UnixBench::Observe::Strace::sums(@texts) }
sub of_traces { my (@with)  = @_; return UnixBench::Observe::Strace::of_traces(@with) }

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

# Recorded output of strace 6.1 on Linux 6.18, x86_64, for "spawn -n 50" and, as { process => text }, "spawn -n 4".
my $SUMMARY = text_of("$FindBin::Bin/data/summary.txt");
my %TRACES  = map { $_ => text_of("$FindBin::Bin/data/traces/t.$_") } 18_800 .. 18_804;

subtest 'a summary is read' => sub {
    my $sums = sums($SUMMARY);
    is_deeply([sort keys %$sums], ['calls'], 'the sums have no rows');
    is(scalar @{ $sums->{calls} },                   19,  'all calls are listed');
    is(sum(map { $_->{count} } @{ $sums->{calls} }), 181, 'the number of all calls');
    is_deeply($sums->{calls}[0], found('wait4', 50, 50, 2_698_000, 135_000), 'the call with the most time comes first');
    is_deeply(call($sums, 'set_robust_list'), found('set_robust_list', 51, 51, 351_000, 58_000), 'another call');
};

sub summary {
    my (@rows) = @_;
    my $rule   = join(q{ }, map { q{-} x $_ } 16, 9, 11, 8) . "\n";
    my $form   = "%-16s %9d %11.6f %8.6f\n";
    my $all    = sum(map { $_->[1] } @rows);
    my $head   = sprintf "%-16s %9s %11s %8s\n", qw(syscall calls seconds longest);
    return join q{}, $head, $rule, (map { sprintf $form, @$_ } @rows), $rule, sprintf $form, 'total', $all, 0, 0;
}

subtest 'summaries of several copies are added' => sub {
    my $sums = sums(
        summary([read => 3, 12.5,    11], [write         => 2, 1, 0.000_001]),
        summary([read => 4, 0.000_1, 12], [syscall_0x1d3 => 1, 0, 0]),
    );
    my @expected = (
        found('read',  7, 7, 12_500_100_000, 12_000_000_000),
        found('write', 2, 2, 1_000_000_000,  1_000),
        found('#467',  1, 1, 0,              0)
    );
    is_deeply($sums->{calls}, \@expected, 'counts are added, and the longest call of all is kept');
    my $both  = "System call usage summary for 32 bit mode:\n" . summary([read => 3, 1, 1]);
    my $added = [found('read', 4, 4, 2_000_000_000, 2_000_000_000)];
    is_deeply(sums(summary([read => 1, 1, 2]) . "\n$both")->{calls}, $added, 'summaries of 32 and 64 bit add up');
};

my $READ    = "read     1   0.000001 0.000001\n";
my $TOTAL   = "total    1   0.000001 0.000001\n";
my $BROKEN  = 'the output of strace is malformed:';
my @REFUSED = (
    [" \n",                                       'strace printed nothing'],
    [$READ,                                       "$BROKEN it has no end"],
    [$READ . $READ . $TOTAL,                      "$BROKEN it has 2 calls, but its total is 1"],
    [$READ . $TOTAL =~ s/\n//r,                   "$BROKEN it has no end"],
    ["read -1 0.000001 0.000001\n$TOTAL",         "$BROKEN read -1 0.000001 0.000001"],
    ["strace: \e[31mno\n",                        "$BROKEN strace: \\x1b[31mno"],
    ["read 9999999999999999 0.000001 0.000001\n", "$BROKEN read 9999999999999999 0.000001 0.000001"],
);
subtest 'broken summaries are refused' => sub {
    is(refusal(sub { sums($_->[0]) }),       $_->[1],                  "refused: $_->[1]") for @REFUSED;
    is(refusal(sub { sums() }),              'strace printed nothing', 'an empty list of summaries is refused');
    is(refusal(sub { sums($SUMMARY, q{}) }), 'strace printed nothing', 'a missing second summary is refused');
    my @cut = map { substr $SUMMARY, 0, $_ } 0 .. length($SUMMARY) - 1;
    my @why = map {
        my $text = $_;
        refusal(sub { sums($text) }) // 'accepted'
    } @cut;
    is_deeply([grep { !/strace printed|output of strace/ } @why], [], 'a summary that is cut off anywhere is refused');
};

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

subtest 'traces without calls are refused' => sub {
    is(refusal(sub { of_traces({}) }),                          'strace printed nothing', 'no process');
    is(refusal(sub { of_traces({ 7 => q{}, 8 => "junk\n" }) }), 'strace printed nothing', 'processes without calls');
};

# Takes the text of a fake strace, or undef for none; returns why no tracer is found, or its class.
sub tracer_of {
    my ($text) = @_;
    my $place = File::Temp->newdir;
    if (defined $text) {
        write_file("$place/strace", "#!/bin/sh\n$text\n");
        chmod 0755, "$place/strace" or die "chmod: $!\n";
    }
    local $ENV{PATH} = "$place:$ENV{PATH}";
    my $clock   = UnixBench::Base::Clock->new;
    my $process = UnixBench::Process->new(clock => $clock);
    my $tracer  = eval {
        UnixBench::Observe::Strace->found(
            process     => $process,
            clock       => $clock,
            dir         => "$place",
            has_program => sub { $_[0] eq 'strace' && defined $text },
        );
    };
    my $why_not = $@;
    is_deeply([keys %{ $process->_groups }], [], 'no process is left');
    $process->release;
    return $tracer ? ref $tracer : $why_not;
}

subtest 'a strace that works is found' => sub {
    my $refused = 'ptrace(PTRACE_TRACEME): Operation not permitted';
    is(tracer_of('exit 0'),                              'UnixBench::Observe::Strace', 'it can follow a program');
    is(tracer_of(undef),                                 "strace is not installed\n",  'it is not installed');
    is(tracer_of("echo 'strace: $refused' >&2; exit 1"), "strace: $refused\n",         'it is not allowed to trace');
};

is_deeply(\@WARNINGS, [], 'Perl prints no warning');

done_testing;
