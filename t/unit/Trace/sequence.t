use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use RecordedCalls qw(named recorded);
use UnixBench::Trace::BpftraceOutput;
use UnixBench::Trace::Sequence;

my @WARNINGS;
local $SIG{__WARN__} = sub { push @WARNINGS, @_ };

my @LOOP  = qw(dup close getpid getuid umask);
my $ORDER = join ', ', @LOOP;
my $FIRST = 32;    # calls before the loop in the recording

my $RECORDED = UnixBench::Trace::BpftraceOutput::sequence(recorded('sequence.json'), name_of => \&named);

sub verdict {
    my ($calls, $times, %sequence) = @_;
    my $sequence = { calls => $calls, total => scalar @$calls, lost => 0, %sequence };
    return UnixBench::Trace::Sequence::verdict($sequence, loop => \@LOOP, times => $times // 1000);
}

# Takes a function that changes calls; returns the fault of the recorded calls after that.
sub fault {
    my ($change) = @_;
    my @calls = @{ $RECORDED->{calls} };
    $change->(\@calls);
    return verdict(\@calls)->{fault};
}

# Takes the number of loops before, and of a call in the loop; returns its index.
sub place { my ($times, $call) = @_; return $FIRST + 5 * $times + $call }

subtest 'the recorded calls are right' => sub {
    my $verdict = UnixBench::Trace::Sequence::verdict($RECORDED, loop => \@LOOP, times => 1000);
    is_deeply(
        $verdict,
        {
            is_right => 1,
            loop     => \@LOOP,
            wanted   => 1000,
            times    => 1000,
            before   => $FIRST,
            after    => 6,
            total    => 5038,
            lost     => 0,
            seen     => \@LOOP,
            fault    => undef
        },
        'the verdict has these values'
    );
    is(UnixBench::Trace::Sequence::in_words($verdict), <<"END", 'the verdict in words');
syscall -n 1000 mix made 5038 system calls; none was lost.
It began with 32 calls. Then came $ORDER, in that order, 1000 times. It ended with 6 calls.
END
    my $wrong = verdict([@{ $RECORDED->{calls} }[0 .. 5_000]], 1000);
    is(
        UnixBench::Trace::Sequence::in_words($wrong),
        "syscall -n 1000 mix: the loop came 993 times instead of 1000.\n",
        'a fault in words'
    );
};

# Takes a number of loops, a call, its place counted from 1, and the call that was expected; returns the fault.
sub came {
    my ($times, $what, $at, $wanted) = @_;
    return "after $times $ORDER, call $at was $what instead of $wanted";
}

my @ALTERED = (
    ['a call left out',         sub { splice @{ $_[0] }, place(412, 4), 1 }, came('412 times', 'dup',   2097, 'umask')],
    ['the first call left out', sub { splice @{ $_[0] }, place(412, 0), 1 }, came('412 times', 'close', 2093, 'dup')],
    [
        'a call doubled', sub { splice @{ $_[0] }, place(412, 1), 0, 'close' },
        came('412 times', 'close', 2095, 'getpid')
    ],
    ['the last doubled', sub { splice @{ $_[0] }, place(412, 4), 0, 'umask' }, came('413 times', 'umask', 2098, 'dup')],
    [
        'two calls swapped',
        sub { @{ $_[0] }[place(7, 2), place(7, 3)] = qw(getuid getpid) },
        came('7 times', 'getuid', 70, 'getpid')
    ],
    ['another call',              sub { $_[0][place(999, 2)] = 'getppid' }, 'the loop came 999 times instead of 1000'],
    ['another one in the second', sub { $_[0][place(1,   2)] = 'getppid' }, came('1 time', 'getppid', 40, 'getpid')],
    [
        'one more call between two loops',
        sub { splice @{ $_[0] }, place(600, 0), 0, 'rt_sigreturn' },
        came('600 times', 'rt_sigreturn', 3033, 'dup')
    ],
    ['two faults', sub { $_[0][place($_, 0)] = 'brk' for 300, 200 },        came('200 times', 'brk', 1033, 'dup')],
    ['a fault in the first loop', sub { $_[0][place(0, 3)] = 'brk' },       'the loop came 999 times instead of 1000'],
    ['a loop left out', sub { splice @{ $_[0] }, place(500, 0), 5 },        'the loop came 999 times instead of 1000'],
    ['one more loop',   sub { splice @{ $_[0] }, place(500, 0), 0, @LOOP }, 'the loop came 1001 times instead of 1000'],
    ['the first call doubled', sub { splice @{ $_[0] }, $FIRST, 0, 'dup' }, 'dup came once more before the loop'],
    [
        'the last call doubled',
        sub { splice @{ $_[0] }, place(1000, 0), 0, 'umask' },
        'umask came once more after the loop'
    ],
    ['half of the loops', sub { splice @{ $_[0] }, place(500, 0), 2500 }, 'the loop came 500 times instead of 1000'],
    [
        'other calls between',
        sub { splice @{ $_[0] }, place(500, 0), 0, ('brk') x 20 },
        'the loop came 500 times instead of 1000'
    ],
    [
        'umask is never made',
        sub {
            @{ $_[0] } = grep { $_ ne 'umask' } @{ $_[0] };
        },
        'umask is left out: the loop is dup, close, getpid, getuid'
    ],
    [
        'two calls are never made',
        sub {
            @{ $_[0] } = grep { !/get/ } @{ $_[0] };
        },
        'getpid and getuid are left out: the loop is dup, close, umask'
    ],
    [
        'a call is always doubled',
        sub {
            @{ $_[0] } = map { $_ eq 'getpid' ? ($_, $_) : $_ } @{ $_[0] };
        },
        "the loop is dup, close, getpid, getpid, getuid, umask instead of $ORDER"
    ],
    [
        'two calls are always swapped',
        sub { my %other = (getpid => 'getuid', getuid => 'getpid'); $_ = $other{$_} // $_ for @{ $_[0] } },
        "the loop is dup, close, getuid, getpid, umask instead of $ORDER"
    ],
    [
        'a call is always another one',
        sub { s/\Agetuid\z/getppid/ for @{ $_[0] } },
        'getuid is left out: the loop is dup, close, getpid, getppid, umask'
    ],
    [
        'the reverse order',
        sub { @{ $_[0] } = reverse @{ $_[0] } },
        "the loop is dup, umask, getuid, getpid, close instead of $ORDER"
    ],
    [
        'dup2 is not dup',
        sub { s/\Adup\z/dup2/ for @{ $_[0] } },
        'dup is left out: the loop is dup2, close, getpid, getuid, umask'
    ],
    ['another program', sub { @{ $_[0] } = (qw(read write)) x 1000 }, 'the calls never came in that order'],
    [
        'no call that repeats',
        sub { @{ $_[0] } = (@{ $_[0] }[0 .. 31], 'exit_group') },
        'the calls never came in that order'
    ],
    ['no calls',                  sub { @{ $_[0] } = () },                       'the calls never came in that order'],
    ['getuid with wider numbers', sub { s/\Agetuid\z/getuid32/ for @{ $_[0] } }, undef],
    ['another start',             sub { splice @{ $_[0] }, 0, 30, qw(execve brk) }, undef],
    ['another end',               sub { splice @{ $_[0] }, -6, 6 },                 undef],
);
for my $case (@ALTERED) {
    my ($what, $change, $fault) = @$case;
    is(fault($change), $fault, "fault: $what");
}

subtest 'a change of any call in the loop is found' => sub {
    my %change = (
        'left out' => sub { my ($calls, $at) = @_; splice @$calls, $at, 1 },
        doubled    => sub { my ($calls, $at) = @_; splice @$calls, $at, 0, $calls->[$at] },
        swapped    => sub { my ($calls, $at) = @_; @$calls[$at, $at + 1] = @$calls[$at + 1, $at] },
        another    => sub { my ($calls, $at) = @_; $calls->[$at] = 'brk' },
    );
    my @start = @{ $RECORDED->{calls} }[0 .. $FIRST - 1];
    my @end   = @{ $RECORDED->{calls} }[-6 .. -1];
    my @right = (@start, (@LOOP) x 8, @end);
    ok(verdict(\@right, 8)->{is_right}, 'the unchanged calls are right');
    for my $what (sort keys %change) {
        my @missed;
        for my $at ($FIRST .. $FIRST + 39) {
            my @calls = @right;
            $change{$what}->(\@calls, $at);
            my $verdict = verdict(\@calls, 8);
            push @missed, $at if $verdict->{is_right} || !defined $verdict->{fault};
        }
        is_deeply(\@missed, [], "found wherever it is: $what");
    }
};

subtest 'lost calls are a fault' => sub {
    my @calls = @{ $RECORDED->{calls} };
    is(
        verdict(\@calls, 1000, total => 5041, lost => 3)->{fault},
        '3 of 5041 calls are lost',
        'calls are lost although all loops are there'
    );
    is(
        verdict([@calls[0 .. 5036]], 1000, total => 5038, lost => 1)->{fault},
        '1 of 5038 calls is lost',
        'one call is lost'
    );
    is(verdict([], 1000, total => 5038, lost => 5038)->{fault}, '5038 of 5038 calls are lost', 'all calls are lost');
};

subtest 'a loop may be made a few times only' => sub {
    my @start = ('mmap') x 12;
    my $once  = verdict([@start, @LOOP, 'exit_group'], 1);
    is_deeply([@$once{qw(is_right before times after)}], [1, 12, 1, 1], 'one loop');
    like(
        UnixBench::Trace::Sequence::in_words($once),
        qr/made 18 system .* order, 1 time[.] It ended with 1 call[.]/s,
        'one loop in words'
    );
    is(verdict([@start, @LOOP, @LOOP], 1)->{fault}, 'the loop came 2 times instead of 1', 'two loops instead of one');
    is_deeply(
        [@{ verdict([@start, (@LOOP) x 3], 3) }{qw(is_right before times after)}],
        [1, 12, 3, 0],
        'three loops without an end'
    );
};

is_deeply(\@WARNINGS, [], 'Perl prints no warning');

done_testing;
