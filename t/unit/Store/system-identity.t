use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(host);
use UnixBench::Base::Files;
use UnixBench::Store::SystemIdentity;

my $PLACE = File::Temp->newdir;
mkdir "$PLACE/$_" or die "$_: $!\n" for qw(bin test);
UnixBench::Base::Files::write_whole("$PLACE/$_", "content of $_")
    for
    qw(bin/syscall bin/looper bin/multi.sh bin/tst.sh bin/index.base bin/dc test/sort.src test/dc.dat test/cctest.c);

my %PLAN = (
    tests => [
        { command => ["$PLACE/bin/syscall", 10] },
        { command => ["$PLACE/bin/looper",  60, "$PLACE/bin/multi.sh", 8] },
        { command => ["$PLACE/bin/looper",  30, 'dc'], input => 'dc.dat' },
        { command => ["$PLACE/bin/looper",  60, qw(gcc cctest.c)] },
    ]
);

# Takes facts that differ; returns the fingerprint of such a machine.
sub fingerprint {
    my (%other) = @_;
    my %build   = (compiler => 'gcc', version => 'gcc 12', flags => '-O3', cpu => 'x', %{ $other{build} || {} });
    my %result = (version => '8.0.0', host => host(memory_kb => 24_000_000, %{ $other{host} || {} }), build => \%build);
    my %where  = (bindir  => "$PLACE/bin", testdir => "$PLACE/test");
    return UnixBench::Store::SystemIdentity::take(
        \%PLAN,
        { %result, %{ $other{result} || {} } },
        $other{cpu_count} || 2, \%where
    );
}

subtest 'the program that measures the clock is part of the identity' => sub {
    UnixBench::Base::Files::write_whole("$PLACE/bin/clock", 'content');
    my $then = fingerprint();
    UnixBench::Base::Files::write_whole("$PLACE/bin/clock", 'other content');
    is_deeply([UnixBench::Store::SystemIdentity::differences($then, fingerprint())], ['clock has changed'], 'replaced');
    unlink "$PLACE/bin/clock";
};

sub differences { return [UnixBench::Store::SystemIdentity::differences(@_)] }

# Takes the name of a script and its digest, undef for no script. Returns the digests of the programs, scripts and
# inputs of a load of users.
sub of_users {
    my ($name, $sha256) = @_;
    my $path = "$PLACE/test/$name";
    my $test = {
        command => ["$PLACE/bin/multiuser", '--script', $path],
        load    => { script => { path => $path, sha256 => $sha256 } }
    };
    return UnixBench::Store::SystemIdentity::digests({ tests => [$test] },
        { bindir => "$PLACE/bin", testdir => "$PLACE/test" });
}

subtest 'the script of a load of users is part of the identity' => sub {
    UnixBench::Base::Files::write_whole("$PLACE/bin/multiuser",  'content');
    UnixBench::Base::Files::write_whole("$PLACE/test/multiuser", 'true');
    my $then = of_users('multiuser', 'a' x 64);
    is_deeply(
        [sort keys %$then],
        ['index.base', 'multiuser', 'script of the users'],
        'the script has a key of its own, whatever its name is'
    );
    is($then->{'script of the users'}, 'a' x 64, 'the digest of the script is that of the text that was read');
    is(
        $then->{multiuser},
        UnixBench::Store::SystemIdentity::digests({ tests => [{ command => ["$PLACE/bin/multiuser"] }] },
            { bindir => "$PLACE/bin", testdir => q{} })->{multiuser},
        'a program with the same name has its own digest'
    );
    is_deeply(differences($then, of_users('other', 'a' x 64)), [], 'the name of the script may change');
    is_deeply(
        differences($then, of_users('multiuser', 'b' x 64)),
        ['script of the users has changed'],
        'the content of the script may not change'
    );
    is_deeply(
        differences($then, of_users('multiuser')),
        ['script of the users was there, is not there'],
        'the script may not be missing'
    );
};

my $then = fingerprint();
is_deeply(
    [sort keys %$then],
    [qw(/etc/machine-id cctest.c dc.dat index.base looper memory multi.sh sort.src syscall tst.sh), qw(usable version)],
    'the identity has the machine and all files of the commands'
);
like($then->{syscall}, qr/\A[0-9a-f]{64}\z/, 'a program has the digest of its content');
is_deeply(differences($then, fingerprint()), [], 'the same machine has no difference');
is_deeply(differences($then, fingerprint(host => { uptime => 'up 2 days' })), [], 'a later time is not a difference');
is_deeply(differences($then, fingerprint(host => { memory_kb => 24_100_000 })),
    [], 'a little more memory after a restart is not a difference');
my @CHANGES = (
    [{ host      => { memory_kb => 32_000_000 } }, 'memory was 23438 MB, is 31250 MB'],
    [{ host      => { memory_kb => undef } },      'memory was 23438 MB, is unknown'],
    [{ cpu_count => 1 },                           'usable was 2 CPUs, is 1 CPUs'],
    [{ result    => { version => '8.1' } },        'version was 8.0.0, is 8.1'],
);
is_deeply(differences($then, fingerprint(%{ $_->[0] })), [$_->[1]], "difference: $_->[1]") for @CHANGES;

UnixBench::Base::Files::write_whole("$PLACE/bin/syscall", 'built anew');
unlink "$PLACE/bin/tst.sh";
is_deeply(
    differences($then, fingerprint()),
    ['syscall has changed', 'tst.sh was there, is not there'],
    'all files that have changed are named'
);

done_testing;
