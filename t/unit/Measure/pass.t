use strict;
use warnings;

use FindBin;
use List::Util qw(max min);
use POSIX      qw(WNOHANG);
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place     qw(group is_alive);
use ToldTimes ();
use Workbench qw(elsewhere limited one_pass);
use Needs     qw(skip_without);
use UnixBench::Base::Clock;
use UnixBench::Base::Halt;

# Programs that are not in t/bin.
my %TEXT = (
    'closed gate' => q{FakeGate::refuse(); warn "COUNT|5|1|lps\n"},
    fragments     => q{for (qw(CO UNT|1 2|60 |l pm), "\nTI", "ME|3.", "5\n")}
        . q({ syswrite STDERR, $_; select undef, undef, undef, 0.01 }),
    crlf              => q{warn "COUNT|12|1|lps\r\nTIME|2.5\r\n"},
    samples           => q{warn "SAMPLE|29.7|30.1\nTIME|30.0\nCOUNT|6450272|0|KBps\n"},
    sigill            => 'kill ILL => $$',
    exit127           => 'exit 127',
    'count then fail' => q{warn "COUNT|1000|1|lps\n"; exit 1},
    'no bars'         => q{warn "cannot open display\n"},
    zero              => q{warn "COUNT|0|1|lps\n"},
    chatty            => q{print "0123456789abcde\n" x 125_000; warn "COUNT|12|1|lps\n"},
);

# [program, its error or undef].
my @PROGRAMS = (
    [count             => undef],
    ['closed gate'     => undef],
    [fragments         => undef],
    [crlf              => undef],
    [samples           => undef],
    [litter            => undef],
    [segfault          => 'killed by SIGSEGV'],
    [sigill            => 'killed by SIGILL: built for another CPU?'],
    [exit127           => 'exit status 127'],
    ['count then fail' => 'exit status 1'],
    ['no bars'         => 'cannot open display'],
    [zero              => 'counted nothing: "COUNT|0|1|lps"'],
);

# A fake program => its data.
my %DATA = (
    count     => { COUNT => [1000, 1, 'lps'] },
    fragments => { COUNT => [12, 60, 'lpm'], TIME => ['3.5'] },
    crlf      => { COUNT => [12, 1, 'lps'], TIME => ['2.5'] },
    samples   => { COUNT => [6_450_272, 0, 'KBps'], TIME => ['30.0'], SAMPLE => ['29.7', '30.1'] },
);

# Takes a program of %TEXT or t/bin, and more as one_pass(); returns the copy.
sub copy_of {
    my ($program, %with) = @_;
    return one_pass($TEXT{$program} // $program, %with)->{copies}[0];
}

for my $case (@PROGRAMS) {
    my ($program, $error) = @$case;
    my $copy = copy_of($program);
    is($copy->{error}, $error, "$program: " . ($error // 'good'));
    is_deeply($copy->{data}{ERROR}, defined $error ? [$error] : undef, "$program: the error is in the data");
    is_deeply($copy->{data},        $DATA{$program},                   "$program: the data") if $DATA{$program};
    is($copy->{signal}, 11, 'segfault: its signal') if $program eq 'segfault';
    is_deeply([group($copy->{pid})], [], "$program: no process is left");
    my @counted = grep { exists $copy->{$_} } qw(count timebase unit time_s);
    is(scalar @counted, defined $error ? 0 : 4, "$program: count, timebase, unit and time exist unless it failed");
}

my $timed = copy_of('fragments');
is_deeply([@$timed{qw(count timebase unit time_s)}], [12, 60, 'lpm', 3.5], 'a program reports count and time');
my $untimed = copy_of('count');
is($untimed->{time_s}, $untimed->{elapsed_s}, 'without TIME, the time since the start is used');
like(copy_of('binary')->{error}, qr{\A\\x00\\x01[ -~]+\z}, 'binary output is escaped in the error');

subtest "the error says why a program can't be run" => sub {
    is(copy_of('/no/such/program')->{error}, "can't run /no/such/program: No such file or directory", 'it is missing');
    is(copy_of("$FindBin::Bin/pass.t")->{error}, "can't run $FindBin::Bin/pass.t: Permission denied", 'not a program');
    is(copy_of('/etc')->{error},                 q{can't run /etc: Permission denied},                'a directory');
    like(copy_of('count', stdin => '/no/input')->{error}, qr/No such file or directory\z/, 'a missing input file');
    like(copy_of('count', dir   => '/no/place')->{error}, qr/No such file or directory\z/, 'no directory to start in');
};

subtest 'a copy gets arguments, directories and input' => sub {
    my $pass = one_pass('tell', copies => 2, arguments => ['a b', '{scratch}/x'], stdin => __FILE__, dir => '/usr');
    for my $number (1, 2) {
        my $output = $pass->{copies}[$number - 1]{output};
        like($output, qr{^arguments:a b /\S+/copy$number/x$}m, "copy $number: arguments");
        like($output, qr{^directory:/usr$}m,                   "copy $number: directory");
        my ($scratch, $tmpdir) = $output =~ m{^scratch:(.*)\ntmpdir:(.*)$}m;
        like($scratch, qr{/copy$number\z}, "copy $number: a scratch directory of its own");
        is($tmpdir, $scratch, "copy $number: TMPDIR is the scratch directory");
        like($output, qr/^input:use strict;$/m, "copy $number: input");
    }
    is_deeply($pass->{left}, [qw(copy1 copy1.out copy2 copy2.out)], 'each copy has a directory and an output');
};

subtest 'a megabyte of standard output is kept' => sub {
    my $output = copy_of('chatty')->{output};
    like($output, qr/\n\[cut: 2000000 bytes of output, 1048576 kept\]\n\z/, 'longer output is cut, with a note on it');
    cmp_ok(length $output, '<', 1_048_576 + 100, 'the output is cut at a megabyte');
    is(copy_of('count')->{output}, q{}, 'the output may be empty');
};

use constant TIMES_SLOWER => 100;    # so that even a slow machine starts 20 copies before the harness gives up

# A clock that is slower.
package SlowClock {
    use parent -norequire, 'UnixBench::Base::Clock';
    sub monotonic_s { my ($self) = @_; return $self->SUPER::monotonic_s / main::TIMES_SLOWER }
    sub boot_s      { my ($self) = @_; return $self->SUPER::boot_s / main::TIMES_SLOWER }
}

# The programs that are not in t/bin.

# Gets ready later, the higher the number of its copy. Reports when it was ready, and when the gate opened.
my $NOTING = <<'PERL';
use Time::HiRes qw(CLOCK_MONOTONIC clock_gettime sleep);
sleep 0.01 * ($ENV{UB_SCRATCH} =~ /([0-9]+)\z/)[0];
my $ready_s = clock_gettime(CLOCK_MONOTONIC);
FakeGate::pass();
printf {*STDERR} "READY|%.6f\nSTARTED|%.6f\nCOUNT|1|1|lps\n", $ready_s, clock_gettime(CLOCK_MONOTONIC);
PERL

# Closes its ends of the gate without reporting that it is ready, and runs for 0.1 s.
my $REFUSING = 'FakeGate::refuse(); select undef, undef, undef, 0.1; warn "COUNT|5|1|lps\n"';

# Is ready only after the harness has stopped waiting for it and has opened the gate; then it passes the gate. Reports
# how long it has lived.
my $LATE = <<'PERL';
use Time::HiRes qw(CLOCK_MONOTONIC clock_gettime);
my $started_s = clock_gettime(CLOCK_MONOTONIC);
FakeGate::pass_late();
printf {*STDERR} "LIVED|%.6f\nCOUNT|7|1|lps\n", clock_gettime(CLOCK_MONOTONIC) - $started_s;
PERL

# Counts, and leaves a child in its own session that keeps standard error open.
my $LEAVING = <<'PERL';
use POSIX ();
my $child = fork // die "fork: $!\n";
if (!$child) { POSIX::setsid(); sleep 1000; exit }
print {*STDERR} "CHILD|$child\nCOUNT|12|1|lps\n";
PERL

# Writes data to standard error without end, faster than it is read. After the first data it sends its parent the signal
# in its argument, if there is one.
my $ENDLESS = <<'PERL';
my $lines = "x|1\n" x 10_000;
syswrite STDERR, $lines;
kill $ARGV[0] => getppid if @ARGV;
1 while syswrite STDERR, $lines;
PERL

# Copy 1 stops its parent and continues it when it has stopped (otherwise it would not stop at all): before the gate if
# the argument is "early", else after it. Never ends by itself.
my $STOPPING = <<'PERL';
my ($pid, $is_first) = (getppid, $ENV{UB_SCRATCH} =~ /[^0-9]1\z/);
my $state = sub { open my $file, '<', "/proc/$pid/stat" or return 'T'; return <$file> =~ /.*[)] (\S)/s ? $1 : 'T' };
FakeGate::pass() if !@ARGV;
kill STOP => $pid if $is_first;
select undef, undef, undef, 0.01 while $is_first && $state->() ne 'T';
kill CONT => $pid if $is_first;
FakeGate::pass() if @ARGV;
sleep 1000 while 1;
PERL

# The copy with the number in its argument reports that it cannot be set up because the disk is full. The others never
# end by themselves.
my $FULL = <<'PERL';
use Errno qw(ENOSPC);
if ($ENV{UB_SCRATCH} =~ /copy$ARGV[0]\z/) {
    open my $to, '>&=', $ENV{UB_GATE} =~ /\A(\d+)/ or die "READY: $!\n";
    syswrite $to, 'E' . ENOSPC . " can't write /full/copy.out";
    exit 127;
}
FakeGate::pass();
sleep 1000 while 1;
PERL

subtest 'all copies start at the gate' => sub {
    my $clock  = SlowClock->new;
    my $pass   = one_pass($NOTING, copies => 20, clock => $clock);
    my @copies = @{ $pass->{copies} };
    is_deeply([grep { defined } map { $_->{error} } @copies], [],         '20 copies run without an error');
    is_deeply([map { $_->{gated} } @copies],                  [(1) x 20], 'all copies know the gate');
    cmp_ok(min(map { $_->{data}{STARTED}[0] } @copies), '>=', max(map { $_->{data}{READY}[0] } @copies), 'all wait');
    cmp_ok(max(map { $_->{elapsed_s} } @copies), '<=', $pass->{took_s} - 0.2 / TIMES_SLOWER, 'without setting up');
};

subtest 'programs that know no gate are measured from their exec' => sub {
    my $refused = copy_of($REFUSING);
    is($refused->{gated}, 0, 'a program that closes the gate does not know it');
    cmp_ok($refused->{elapsed_s}, '>=', 0.1, 'the time of that program counts from its exec');
    my $pass = one_pass($LATE, copies => 2);
    is_deeply([map { $_->{gated} } @{ $pass->{copies} }], [0, 0], 'programs that are silent do not know the gate');
    my @beyond_s = map { $_->{elapsed_s} - $_->{data}{LIVED}[0] } @{ $pass->{copies} };
    cmp_ok(min(@beyond_s), '>=', 0, 'the time of these programs counts from their exec');
};

subtest 'the time limit ends a pass' => sub {
    my $pass = one_pass('hang', copies => 2, limit_s => 0.05);
    is($pass->{copies}[$_]{error}, 'out of time: not done after 0.05 s', 'the error names the limit: copy ' . ($_ + 1))
        for 0, 1;
    is($pass->{copies}[0]{signal}, 15, 'a copy is ended by SIGTERM');
    my $stubborn = one_pass('stubborn', limit_s => 0.05);
    is($stubborn->{copies}[0]{signal}, 9, 'a copy that ignores SIGTERM is ended by SIGKILL');
    is_deeply([group($_->{pid})], [], 'no process of the copy is left')
        for @{ $pass->{copies} }, @{ $stubborn->{copies} };
};

subtest 'children that a program has left are ended' => sub {
    my $process;
    my $pass = one_pass('daemon', copies => 2, during => sub { ($process) = @_ });
    is($_->{error}, undef, 'the program has no error') for @{ $pass->{copies} };
    is_deeply([group($_->{pid})], [], 'the child is ended') for @{ $pass->{copies} };
    is_deeply($process->{dying}, {}, 'the child was waited for');
    my $child = one_pass($LEAVING)->{copies}[0]{data}{CHILD}[0];
    ok($child && !is_alive($child), 'a child in a session of its own is ended');
};

subtest 'a program with endless output is ended' => sub {
    my $copy = copy_of($ENDLESS, limit_s => 0.05);
    like($copy->{error}, qr/\Aout of time: not done after 0[.]05 s/, 'the program is ended when its time is over');
    is_deeply([group($copy->{pid})], [], 'no process is left');
    my ($text) = elsewhere(sub {
        my $pass = one_pass($ENDLESS, limit_s => 1000, arguments => ['TERM']);
        print "$pass->{interrupted} ", scalar group($pass->{copies}[0]{pid});
    });
    is($text, 'TERM 0', 'the program is ended by an interruption');
};

subtest 'an interruption ends a pass' => sub {
    my $pass = one_pass('hang', copies => 3, limit_s => 1000, arguments => ['INT']);
    is($pass->{interrupted}, 'INT', 'the pass has the signal');
    is_deeply([map { group($_->{pid}) } @{ $pass->{copies} }], [], 'no process is left');
};

for my $case (['after the gate' => 3], ['before the gate' => 200, 'early']) {
    my ($when, $copies, @arguments) = @$case;
    subtest "a pass that is stopped and continued $when has a stop" => sub {
        my $pass    = one_pass($STOPPING, copies => $copies, arguments => \@arguments, limit_s => 1000);
        my @started = @{ $pass->{copies} };
        cmp_ok($pass->{stops}, '>', 0, 'the stop is noticed');
        is($pass->{error}, q{}, 'the stop is not an error');
        cmp_ok(scalar @started, $arguments[0] ? '<' : '==', $copies, 'no more copies are started after the stop');
        is_deeply([map { group($_->{pid}) } @started], [], 'no process is left');
    };
}

subtest 'a full disk while a copy is set up is noticed' => sub {
    for my $number (1, 3) {
        my $pass = one_pass($FULL, copies => 3, arguments => [$number], limit_s => 1000);
        ok(UnixBench::Base::Halt::is_no_space($pass->{error}), "copy $number: the error is that of a full disk")
            or next;
        is("$pass->{error}", "can't write /full/copy.out: No space left on device\n", "copy $number: the file");
    }
};

# A limit of prlimit => why not all copies can be started.
my %LIMITS = (
    '--nofile=40' => "can't make a pipe: Too many open files\n",
    '--nproc=10'  => "can't start a process: Resource temporarily unavailable\n",
);

for my $limit (sort keys %LIMITS) {
    subtest "copies are ended if the system refuses to start all of them: $limit" => sub {
        my ($text) = limited(
            [$limit],
            sub {
                my $pass    = one_pass('/bin/sleep', copies => 60, arguments => [1000], limit_s => 1000);
                my $started = grep { /[.]out\z/ } @{ $pass->{left} };
                print join q{ }, $started, waitpid(-1, WNOHANG), $pass->{error};
            }
        );
        skip_without(tool => 'prlimit') if !defined $text;
        my ($started, $left, $error) = split q{ }, $text, 3;
        is($error, $LIMITS{$limit}, 'the error gives the reason in one line');
        cmp_ok($started, '>', 0, 'at least one copy was started');
        is($left, -1, 'all copies were ended and waited for');
    };
}

done_testing;
