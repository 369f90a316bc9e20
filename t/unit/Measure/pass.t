use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Alive     qw(group);
use ToldTimes ();
use Workbench qw(one_pass);

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

done_testing();
