use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../lib";
use InPath qw(path_of);
use LoadedRun;
use Needs   qw(skip_without);
use TestRun qw(waited);
use UnixBench::Host::Machine;

# Optional programs of the system that Run calls, and a machine that may have no name.

my @WORDS   = qw(-q -c 1 -i 1 syscall);
my @CALLED  = qw(uptime who runlevel locale sync uname df env);
my $NO_SYNC = "Run: there is no program sync: file systems can't be flushed before each pass\n";
my $HOST    = UnixBench::Host::Machine->new;

# Runs Run with a PATH of these programs, if they are installed, and of perl, which the fake program needs.
sub run_with {
    my (@names) = @_;
    my $test = TestRun->new;
    mkdir $test->place('path') or die "mkdir: $!\n";
    symlink $^X, $test->place('path', 'perl') or die "symlink: $!\n";
    for my $name (@names) {
        my $path = path_of($name);
        symlink $path, $test->place('path', $name) or die "symlink: $!\n" if defined $path;
    }
    $test->{env}{PATH} = $test->place('path');
    return ($test, $test->run(@WORDS));
}

# Returns the messages of a run, without those about missing programs of tests.
sub complaints {
    my ($run) = @_;
    return $run->{err} =~ s/^Run: missing: .*\n//mgr;
}

subtest 'none of them' => sub {
    my ($test, $run) = run_with();
    is_deeply([$run->{status}, complaints($run)], [0, $NO_SYNC],   'without any of the programs a run succeeds');
    is_deeply([keys %{ $test->scores }], ['System Call Overhead'], 'without any of the programs there is a score');
    like(
        $test->report(q{}),
        qr/^   OS: \S+ -- .* -- .*\n   Machine: \S+ [(]unknown[)]$/m,
        'the report has the facts from the kernel'
    );
};

for my $missing (@CALLED) {
    my ($test, $run) = run_with(grep { $_ ne $missing } @CALLED);
    my $expected = $missing eq 'sync' || !$HOST->has_program('sync') ? $NO_SYNC : q{};
    is_deeply([$run->{status}, complaints($run)], [0, $expected], "a run without $missing succeeds");
}

subtest 'a machine without a name' => sub {
    my @named = ('unshare', '-u', 'sh', '-c', 'echo "$0" > /proc/sys/kernel/hostname && exec "$@"');
    skip_without(machine => 'namespaces of host names')
        if system("unshare -u sh -c 'echo x > /proc/sys/kernel/hostname' 2>/dev/null") != 0;
    for my $name (q{}, '(none)') {
        my $test = TestRun->new;
        my $run  = waited($test->started_by(@named, $name, $^X, "$TestRun::HOME/Run", @WORDS));
        is($run->{status}, 0, qq{a run on a machine named "$name" succeeds}) or diag $run->{err};
        is(scalar(grep { !/\Alocalhost-/ } $test->reports), 0, qq{names of reports on a machine named "$name"});
        like($test->report(q{}), qr/^   System: localhost: /m, qq{report of a machine named "$name"});
    }
};

done_testing;
