use strict;
use warnings;

use FindBin;
use POSIX qw(SIGALRM SIGCHLD SIG_BLOCK SIG_SETMASK);
use Test::More;

use lib "$FindBin::Bin/../lib";
use Needs       qw(need_built skip_without tracing);
use TestProgram qw(command count_of entries finish run scratch start);

# The programs do not depend on the signals that their caller has blocked or ignored, and leave nothing behind when a
# signal ends them.
my %COMMANDS = (
    (
        map { $_ => ['0.1'] }
            qw(dhry2reg dhry2 arithoh short int long float double register hanoi syscall pipe spawn execl)
    ),
    context1           => ['0.1'],
    'whetstone-double' => [qw(3000000 -t 0.1)],
    fstime             => [qw(-c -t 0.1 -p 0.05 -s 0.01 -m 4)],
    looper             => [qw(0.1 true)],
);
need_built(keys %COMMANDS);

# Starts a command with signals blocked, and others ignored.
sub start_with {
    my ($command, $blocked, @ignored) = @_;
    my $before = POSIX::SigSet->new;
    POSIX::sigprocmask(SIG_BLOCK, POSIX::SigSet->new(@$blocked), $before) or die "sigprocmask: $!";
    local @SIG{@ignored} = ('IGNORE') x @ignored;
    my $running = start($command);
    POSIX::sigprocmask(SIG_SETMASK, $before) or die "sigprocmask: $!";
    return $running;
}

my $directory = scratch();
for my $name (sort keys %COMMANDS) {
    my $command = command($name, @{ $COMMANDS{$name} }, $name eq 'fstime' ? ('-d', $directory) : ());
    my $blocked = finish(start_with($command, [SIGALRM, SIGCHLD]));
    is $blocked->{status}, 0, "$name ends with SIGALRM and SIGCHLD blocked" or diag $blocked->{err};
    my $ignored = finish(start_with($command, [], qw(ALRM CHLD)));
    is $ignored->{status},                           0, "$name ends with both ignored" or diag $ignored->{err};
    is scalar(() = $ignored->{err} =~ /^COUNT\|/mg), 1, "$name counts once";
}

subtest 'the scratch directory of looper' => sub {
    my $place  = scratch();
    my $tell   = 'echo "$UB_SCRATCH"; test -O "$UB_SCRATCH" && : > "$UB_SCRATCH/file" && mkdir "$UB_SCRATCH/d$$"';
    my $run_in = sub { return run(command('looper', @_), env => { UB_SCRATCH => undef, UB_TMPDIR => $place }) };
    my $ended  = $run_in->('-n', 2, 'sh', '-c', $tell);
    my ($first, @others) = split /\n/, $ended->{out};
    is $ended->{status}, 0, 'it is there' or diag $ended->{err};
    like $first, qr{\A\Q$place\E/looper-\w+\z}, 'in UB_TMPDIR';
    is_deeply [@others, entries($place)], [$first], 'one for all loops, and it is removed';
    $run_in->('-n', 1, 'sh', '-c', "$tell; exit 3");
    is_deeply [entries($place)], [], 'a command has failed: it is removed';
    is run(command('looper', '-n', 1, 'sh', '-c', $tell), env => { UB_SCRATCH => $place })->{out}, "$place\n",
        'a given one is used';
    is_deeply [grep { /looper/ } entries($place)], [], 'and stays the only one';

    my $empty = scratch();
    pipe my $reader, my $writer or die "pipe: $!";
    for my $signal (qw(HUP INT TERM)) {
        my $running = start(
            command('looper', 100, 'sh', '-c', 'echo >&' . fileno($writer) . '; exec sleep 100'),
            env  => { UB_SCRATCH => undef, UB_TMPDIR => $empty },
            keep => [$writer]
        );
        sysread $reader, my $line, 1;
        kill $signal => $running->{pid};
        cmp_ok finish($running)->{status}, '<', 0, "SIG$signal ends it";
        is_deeply [entries($empty)], [], "SIG$signal: nothing is left";
    }
};

# strace answers some calls as a kernel without room for a process would. A limit on processes does not bind root.
subtest 'refused processes' => sub {
    my $strace  = TestProgram::path_of('strace') or skip_without(tool => 'strace');
    my $refused = sub {
        run(
            [
                $strace, qw(-o /dev/null -e trace=clone), '-e', "inject=clone:error=$_[0]",
                @{ command('spawn', '-n', 5) }
            ]
        );
    };
    my $ended = $refused->('EAGAIN:when=2+2');
    skip_without(tracing()) if $ended->{err} !~ /^COUNT/m;
    is_deeply [count_of($ended)],                   [5, 1, 'lps'], 'they are tried again';
    is_deeply [$ended->{err} =~ /^(REFUSED.*)$/mg], ['REFUSED|4'], 'and reported';
    unlike run(command('spawn', '-n', 5))->{err}, qr/REFUSED/,                'none were refused: none are reported';
    like $refused->('ENOMEM:when=2')->{err},      qr/\AERROR\|spawn: fork: /, 'another error ends it';
};

done_testing;
