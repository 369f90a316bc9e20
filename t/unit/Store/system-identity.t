# Tests of the identity of a machine and of the measured files: what must not differ between the parts of a result, and
# what must not change while a run is under way.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Fixture qw(host);
use Place   qw(place write_file);
use UnixBench::Base::Files;
use UnixBench::Base::Halt;
use UnixBench::Store::SystemIdentity;

# Makes a directory with programs and input. Returns it, and the plan and settings of tests that use them.
sub tree {
    my $home  = place();
    my @files = qw(pgms/syscall pgms/looper pgms/multi.sh pgms/tst.sh pgms/index.base testdir/sort.src testdir/dc.dat);
    UnixBench::Base::Files::make_directory("$home/$_") for qw(pgms testdir);
    write_file("$home/$_", "content of $_") for @files;
    my $settings = { home => "$home", bindir => "$home/pgms", testdir => "$home/testdir" };
    my @tests    = (
        { name => 'syscall', command => ["$home/pgms/syscall", 10] },
        { name => 'shell8',  command => ["$home/pgms/looper",  60, "$home/pgms/multi.sh", 8] },
        { name => 'dc',      command => ["$home/pgms/looper",  30, 'dc'], input => 'dc.dat' },
        { name => 'hanoi',   command => ["$home/pgms/hanoi",   20] },
    );
    return ($home, { plan => { tests => \@tests }, settings => $settings });
}

# Takes a plan and settings as tree() returns them, and facts that differ; returns the fingerprint of such a machine.
sub fingerprint {
    my ($of, %other) = @_;
    my %result = (
        version => '8.0.0',
        host    => host(memory_kb => 24_000_000, %{ $other{host} || {} }),
        build   => { compiler => 'gcc' },
        %{ $other{result} || {} }
    );
    return UnixBench::Store::SystemIdentity::take($of->{plan}, \%result, $other{cpu_count} || 2, $of->{settings});
}

sub differences { return [UnixBench::Store::SystemIdentity::differences(@_)] }

subtest 'parts of a result' => sub {
    my ($home, $of) = tree();
    my $then  = fingerprint($of);
    my @files = qw(dc.dat index.base looper multi.sh sort.src syscall tst.sh);
    is_deeply([sort keys %$then], [sort '/etc/machine-id', @files, qw(memory usable version)], 'machine and files');
    like($then->{syscall}, qr/\A[0-9a-f]{64}\z/, 'a program has the digest of its content');
    my %same = ('a later time' => { uptime => 'up 2 days' }, 'a little more memory' => { memory_kb => 24_100_000 });
    is_deeply(differences($then, fingerprint($of, host => $same{$_})), [], "no difference: $_") for sort keys %same;
    my @changes = (
        [{ host      => { memory_kb => 32_000_000 } }, 'memory was 23438 MB, is 31250 MB'],
        [{ host      => { memory_kb => undef } },      'memory was 23438 MB, is unknown'],
        [{ cpu_count => 1 },                           'usable was 2 CPUs, is 1 CPUs'],
        [{ result    => { version => '8.1' } },        'version was 8.0.0, is 8.1'],
    );
    is_deeply(differences($then, fingerprint($of, %{ $_->[0] })), [$_->[1]], $_->[1]) for @changes;
    write_file("$home/pgms/syscall", 'built anew');
    write_file("$home/pgms/clock",   'a clock');
    unlink "$home/pgms/tst.sh";
    my @named = ('clock was not there, is there', 'syscall has changed', 'tst.sh was there, is not there');
    is_deeply(differences($then, fingerprint($of)), \@named, 'all files that have changed are named');
};

subtest 'the script of a load of users' => sub {
    my ($home, $of) = tree();
    write_file("$home/testdir/multiuser", 'true');

    # Takes the name of a script and its digest, undef for no script; returns the digests of all files.
    my $of_users = sub {
        my ($name, $sha256) = @_;
        my $path = "$home/testdir/$name";
        my $load = { script  => { path => $path, sha256 => $sha256 } };
        my $test = { command => ["$home/pgms/looper", '--script', $path], load => $load };
        return UnixBench::Store::SystemIdentity::digests({ tests => [$test] }, $of->{settings});
    };
    my $then = $of_users->('multiuser', 'a' x 64);
    is_deeply([sort keys %$then], ['index.base', 'looper', 'script of the users'], 'has a key of its own');
    my @cases = (
        [['other',     'a' x 64] => []],
        [['multiuser', 'b' x 64] => ['script of the users has changed']],
        [['multiuser'] => ['script of the users was there, is not there']],
    );
    is_deeply(differences($then, $of_users->(@{ $_->[0] })), $_->[1], "@{ $_->[0] }") for @cases;
};

sub originals {
    my ($of) = @_;
    return UnixBench::Store::SystemIdentity->new(%$of,
        digests => UnixBench::Store::SystemIdentity::digests(@$of{qw(plan settings)}));
}

# Takes originals and what they are of; returns { test => error } of the tests that have one.
sub said {
    my ($originals, $of) = @_;
    my %said;
    for my $test (@{ $of->{plan}{tests} }) {
        $said{ $test->{name} } = $@ if !eval { $originals->check($test); 1 };
    }
    return \%said;
}

# Change of a tree => [function that makes it, { test => change that is reported }].
my %DONE = (
    'a program is written to' => [
        sub { write_file("$_[0]/pgms/syscall", 'CONTENT OF pgms/syscall') } =>
            { syscall => 'pgms/syscall was replaced' }
    ],
    'a program is replaced' => [
        sub { UnixBench::Base::Files::write_whole("$_[0]/pgms/syscall", 'x') } =>
            { syscall => 'pgms/syscall was replaced' }
    ],
    'a program is replaced by the same' =>
        [sub { UnixBench::Base::Files::write_whole("$_[0]/pgms/syscall", 'content of pgms/syscall') } => {}],
    'a program is touched' => [sub { utime 1, 1, "$_[0]/pgms/syscall" } => {}],
    'a program is removed' => [sub { unlink "$_[0]/pgms/syscall" }      => { syscall => 'pgms/syscall was removed' }],
    'input of a script'    =>
        [sub { write_file("$_[0]/testdir/sort.src", 'x') } => { shell8 => 'testdir/sort.src was replaced' }],
    'an input file' => [sub { write_file("$_[0]/testdir/dc.dat", 'x') } => { dc => 'testdir/dc.dat was replaced' }],
    'a program of two tests' =>
        [sub { write_file("$_[0]/pgms/looper", 'x') } => { map { $_ => 'pgms/looper was replaced' } qw(dc shell8) }],
    'a missing program is added' =>
        [sub { write_file("$_[0]/pgms/hanoi", 'x') } => { hanoi => 'pgms/hanoi was added' }],
    'the baseline' => [sub { write_file("$_[0]/pgms/index.base", 'x') } => {}],
);
for my $what (sort keys %DONE) {
    my ($do,   $expected) = @{ $DONE{$what} };
    my ($home, $of)       = tree();
    my $originals = originals($of);
    is_deeply(said($originals, $of), {}, "$what: nothing is reported before");
    $do->($home);
    my %said = map { $_ => "$expected->{$_} while the run was under way\n" } keys %$expected;
    is_deeply(said($originals, $of), \%said, "$what: the changes are reported") for 1, 2;
}

subtest 'files are compared with the digests of the result' => sub {
    my ($home, $of) = tree();
    my $digests = UnixBench::Store::SystemIdentity::digests(@$of{qw(plan settings)});
    write_file("$home/pgms/syscall", 'x');
    my $said = said(UnixBench::Store::SystemIdentity->new(%$of, digests => $digests), $of);
    like($said->{syscall}, qr/\Apgms.syscall was replaced/, 'a file that was replaced before is reported');
};

subtest 'a directory that is gone ends the run' => sub {
    for my $name (qw(pgms testdir)) {
        my ($home, $of) = tree();
        my $originals = originals($of);
        my $ends      = sub {
            my ($what) = @_;
            my $said = said($originals, $of)->{dc};
            ok(UnixBench::Base::Halt::is_thrown($said), "$name: the run ends");
            is("$said", "the directory $home/$name was $what while the run was under way\n", "$name: $what");
        };
        rename "$home/$name", "$home/moved" or die "rename: $!\n";
        $ends->('removed or renamed');
        mkdir "$home/$name" or die "mkdir: $!\n";
        $ends->('replaced');
        system("rmdir '$home/$name' && cp -R '$home/moved' '$home/$name'") == 0 or die "cp: $?\n";
        is_deeply(said($originals, $of), {}, "$name: a copy of the directory is accepted");
    }
};

done_testing;
