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

# Programs of the system that Run would like to call, and that may be missing; a machine that may have no name.

my @WORDS   = qw(-q -c 1 -i 1 syscall);
my @CALLED  = qw(uptime who runlevel locale sync uname df env);
my $NO_SYNC = "Run: there is no program sync: file systems can't be flushed before each pass\n";
my $HOST    = UnixBench::Host::Machine->new;

# A run whose PATH has these programs of the system's, as far as they are here, and perl, which the fake program needs.
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

# What it printed on standard error, beside what is missing for the tests on this machine.
sub complaints {
    my ($run) = @_;
    return $run->{err} =~ s/^Run: missing: .*\n//mgr;
}

subtest 'none of them' => sub {
    my ($test, $run) = run_with();
    is_deeply([$run->{status}, complaints($run)], [0, $NO_SYNC],            'is no reason to fail');
    is_deeply([keys %{ $test->scores }],          ['System Call Overhead'], 'measured');
    like(
        $test->report(q{}),
        qr/^   OS: \S+ -- .* -- .*\n   Machine: \S+ [(]unknown[)]$/m,
        'what the kernel itself tells'
    );
};

for my $missing (@CALLED) {
    my ($test, $run) = run_with(grep { $_ ne $missing } @CALLED);
    my $expected = $missing eq 'sync' || !$HOST->has_program('sync') ? $NO_SYNC : q{};
    is_deeply([$run->{status}, complaints($run)], [0, $expected], "all but $missing");
}

subtest 'a machine without a name' => sub {
    my @named = ('unshare', '-u', 'sh', '-c', 'echo "$0" > /proc/sys/kernel/hostname && exec "$@"');
    skip_without(machine => 'namespaces of host names')
        if system("unshare -u sh -c 'echo x > /proc/sys/kernel/hostname' 2>/dev/null") != 0;
    for my $name (q{}, '(none)') {
        my $test = TestRun->new;
        my $run  = waited($test->started_by(@named, $name, $^X, "$TestRun::HOME/Run", @WORDS));
        is($run->{status},                                  0, qq{named "$name"}) or diag $run->{err};
        is(scalar(grep { !/\Alocalhost-/ } $test->reports), 0, 'names of files');
        like($test->report(q{}), qr/^   System: localhost: /m, 'report');
    }
};

done_testing;
