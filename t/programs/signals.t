use strict;
use warnings;

use FindBin;
use POSIX qw(SIGALRM SIGCHLD SIG_BLOCK SIG_SETMASK);
use Test::More;

use lib "$FindBin::Bin/../lib";
use Needs       qw(need_built skip_without tracing);
use Programs    qw(programs);
use TestProgram qw(command count_of entries finish run scratch start);

# The programs work with signals that their caller has blocked or ignored, and leave no files when a signal ends them.
my %COMMANDS = (
    (map { $_ => programs()->{$_}{timed} } keys %{ programs() }),
    'whetstone-double' => [qw(3000000 -t 0.1)],
    fstime             => [qw(-c -t 0.1 -p 0.05 -s 0.01 -m 4)],
);
need_built(keys %COMMANDS);

# Starts a command with some signals blocked and others ignored.
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
    is $ignored->{status}, 0, "$name ends with SIGALRM and SIGCHLD ignored" or diag $ignored->{err};
    is scalar(() = $ignored->{err} =~ /^COUNT\|/mg), 1, "$name prints one count";
}

subtest 'the scratch directory of looper' => sub {
    my $place  = scratch();
    my $tell   = 'echo "$UB_SCRATCH"; test -O "$UB_SCRATCH" && : > "$UB_SCRATCH/file" && mkdir "$UB_SCRATCH/d$$"';
    my $run_in = sub { return run(command('looper', @_), env => { UB_SCRATCH => undef, UB_TMPDIR => $place }) };
    my $ended  = $run_in->('-n', 2, 'sh', '-c', $tell);
    my ($first, @others) = split /\n/, $ended->{out};
    is $ended->{status}, 0, 'a command has a scratch directory' or diag $ended->{err};
    like $first, qr{\A\Q$place\E/looper-\w+\z}, 'the scratch directory is in UB_TMPDIR';
    is_deeply [@others, entries($place)], [$first], 'all loops have the same scratch directory, which is removed';
    $run_in->('-n', 1, 'sh', '-c', "$tell; exit 3");
    is_deeply [entries($place)], [], 'the scratch directory is removed if a command fails';
    is run(command('looper', '-n', 1, 'sh', '-c', $tell), env => { UB_SCRATCH => $place })->{out}, "$place\n",
        'a given scratch directory is used';
    is_deeply [grep { /looper/ } entries($place)], [], 'no other scratch directory is made';
    my @silent = ('sh', '-c', 'exec "$0" "$@" 2> /dev/full', @{ command('looper', '-n', 1, 'true') });
    is run(\@silent, env => { UB_SCRATCH => undef, UB_TMPDIR => $place })->{status}, 1, 'a report that is lost';
    is_deeply [grep { /looper/ } entries($place)], [], 'no scratch directory is left after a failure';

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
        cmp_ok finish($running)->{status}, '<', 0, "SIG$signal ends looper";
        is_deeply [entries($empty)], [], "SIG$signal: the scratch directory is removed";
    }
};

# strace answers some calls like a kernel that cannot start another process, or like a sandbox. A limit of processes
# does not apply to root.
subtest 'refused calls' => sub {
    my $strace = TestProgram::path_of('strace') or skip_without(tool => 'strace');
    my $with   = sub {
        my ($call, $error, @command) = @_;
        my @refusing = ($strace, qw(-o /dev/null -e), "trace=$call", '-e', "inject=$call:error=$error");
        return run([@refusing, @{ command(@command) }], env => { UB_USED => 1 });
    };
    my $refused = sub { return $with->(clone => $_[0], 'spawn', '-n', 5) };
    my $ended   = $refused->('EAGAIN:when=2+2');
    skip_without(tracing()) if $ended->{err} !~ /^COUNT/m;
    is_deeply [count_of($ended)],                   [5, 1, 'lps'], 'refused processes are tried again';
    is_deeply [$ended->{err} =~ /^(REFUSED.*)$/mg], ['REFUSED|4'], 'refused processes are reported';
    unlike run(command('spawn', '-n', 5))->{err}, qr/REFUSED/, 'without refused processes none are reported';
    like $refused->('ENOMEM:when=2')->{err},      qr/\AERROR\|spawn: fork: /, 'another error ends the program';
    my $unknown = $with->(getrusage => 'EPERM', 'hanoi', '-n', 3);
    is $unknown->{status}, 0, 'a program measures if it may not know what it uses';
    unlike $unknown->{err}, qr/USED/, 'and does not report it';
    is_deeply [(count_of($with->(kill => 'EPERM', 'context1', 1)))[1, 2]], [1, 'lps'],
        'context1 ends if it may not kill';
};

done_testing;
