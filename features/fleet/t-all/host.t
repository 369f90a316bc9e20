# How host.sh installs a release on a host and removes it, with each shell that may be /bin/sh there.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use POSIX ();
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../t/lib ../../../lib);
use Alive                          qw(eventually);
use FleetHost                      qw(in_each_shell is_refused lines release sha256);
use Needs                          qw(need_tools);
use TestProgram                    qw(content write_file);

need_tools(qw(tar xz sha256sum setsid));

my $archives = tempdir(CLEANUP => 1);
my $FIRST    = release($archives, '1.0');
my $SECOND   = release($archives, '2.0');

in_each_shell(\&installs, \&cleans_up, \&keeps_off);

# A release is installed whole, or not at all.
sub installs {
    my ($host) = @_;
    my $look = $host->ask('look');
    ok($look->{is_whole} && !exists $look->{release}, 'a host without a release says so');
    ok(!-e $host->directory,                          'looking makes no directory');
    is($look->{architecture}, (POSIX::uname())[4], 'the architecture is that of uname');
    like($look->{perl}, qr/\A5[.][0-9.]+ 1\z/, 'the version of Perl is new enough');

    my $torn = $host->place('torn');
    write_file($torn, substr content($FIRST), 0, 200);
    is_refused($host->ask_with($torn, 'install', sha256($FIRST), 'xz', sha256($FIRST)), qr/torn/, 'a torn archive');
    is_refused(
        $host->ask_with($torn, 'install', sha256($torn), 'xz', sha256($torn)),
        qr/can't unpack/,
        'half an archive'
    );
    is(
        join(q{ }, glob q{'} . $host->directory . q{'/*}),
        $host->directory('unixbench-fleet'),
        'nothing of a torn archive is left'
    );

    my $installed = $host->install($FIRST);
    is($installed->{exit}, 0, 'a release is installed') or diag explain $installed;
    $look = $host->ask('look');
    is($look->{release}, sha256($FIRST),      'its checksum is known afterwards');
    is($look->{files},   $installed->{files}, 'its files are as they were');
    ok(!exists $look->{changed}, 'none of them is named as changed');

    my $file = $host->directory('release/lib/Version.pm');
    write_file($file, "3.0\n");
    $look = $host->ask('look');
    isnt($look->{files}, $installed->{files}, 'a changed file changes the checksum of all files');
    is($look->{changed}, './lib/Version.pm', 'a changed file is named');
    is_refused($host->start('a', 0, 60, 'fast'), qr/was changed: .*Version/, 'a run of changed files');
    unlink $file;
    is($host->ask('look')->{changed}, './lib/Version.pm', 'a removed file is named');

    is($host->install($SECOND)->{exit}, 0,       'another release replaces it');
    is(content($file),                  "2.0\n", 'its files are the new ones');
    return;
}

# Nothing is left in the end.
sub cleans_up {
    my ($host) = @_;
    is(lines($host->ask('cleanup')), 'removed=no', 'without a directory, there is nothing to clean up');
    $host->install($FIRST);
    $host->patience(GRACE_S => 0.3, REST_S => 0.3);
    $host->start('a', 0, 60, 'stubborn');
    eventually(sub { $host->processes > 4 });
    is(lines($host->ask('cleanup')), 'removed=yes', 'the directory is removed during a run');
    is_deeply([$host->processes], [], 'no process is left');
    ok(!-e $host->directory, 'no file is left');

    $host->install($FIRST);
    my ($runner) = $host->started_gated('a');
    kill KILL => $runner;
    is(lines($host->ask('cleanup')), 'removed=yes', 'the directory is removed although a runner was killed');
    is_deeply([$host->processes], [], 'no process of that run is left');
    return;
}

# A directory of another program or another user is left alone.
sub keeps_off {
    my ($host) = @_;
    my %make = (
        'a directory with other files'         => sub { mkdir $_[0], 0700; write_file("$_[0]/precious", 'x') },
        'a directory that others can write to' => sub { mkdir $_[0]; chmod 0777, $_[0] },
        'a link to a directory'                => sub { symlink $host->place, $_[0] },
        'a dangling link'                      => sub { symlink '/nowhere',   $_[0] },
        'a file'                               => sub { write_file($_[0], 'x') },
    );
    for my $what (sort keys %make) {
        $make{$what}->($host->directory);
        my @before  = lstat $host->directory;
        my @answers = ($host->ask('look'), $host->install($FIRST), $host->ask('cleanup'));
        is_refused($_, qr/set unixbench_directory to another path/, "$what is refused") for @answers;
        is(join(q{ }, (lstat $host->directory)[0 .. 5]), join(q{ }, @before[0 .. 5]), "$what is left alone");
        system 'rm', '-rf', $host->directory;
    }
    mkdir $host->directory, 0700;
    is($host->install($FIRST)->{exit}, 0, 'an empty directory of this user is taken');
    return;
}

done_testing;
