# What host.sh does on a host with a full disk, on one without Perl, and on one with a part of Perl.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../t/lib ../../../lib);
use Alive                          qw(eventually);
use Disturbed                      qw(own_mounts);
use FakeRelease                    qw(fake_release);
use FleetHost                      qw(is_refused lines release sha256);
use InPath                         qw(path_of);
use Needs                          qw(need_tools skip_without);
use TestProgram                    qw(content write_file);

need_tools(qw(tar xz sha256sum setsid busybox));
my $why_not = own_mounts();
skip_without(@$why_not) if $why_not;

my $archives = tempdir(CLEANUP => 1);
my $SMALL    = release($archives, '1.0');
my $LARGE    = release($archives, '2.0', { 'share/noise' => join q{}, map { chr rand 256 } 1 .. 200_000 });

# Takes a host with a small file system; fills it until no byte is left. Returns the path of the file that fills it.
sub filled {
    my ($host) = @_;
    my $path = $host->place('small/filler');
    open my $file, '>', $path or die "$path: $!\n";
    for my $size (1024, 1) { 1 while syswrite $file, 'x' x $size }
    close $file;
    return $path;
}

subtest 'an archive that does not fit leaves the earlier release as it is' => sub {
    my $host = FleetHost->new(path_of('sh'));
    $host->make_small;
    $host->install($SMALL);
    is_refused($host->install($LARGE), qr/No space left on device/, 'the archive');
    my $look = $host->ask('look');
    is($look->{release}, sha256($SMALL), 'the earlier release is installed');
    is($look->{changed}, undef,          'its files are as they were');
    is_deeply(
        [map { s{.*/}{}r } glob q{'} . $host->directory . q{'/*}],
        [qw(files release release.sha256 unixbench-fleet)],
        'nothing else is left'
    );
};

subtest 'a directory that can not be made is a problem' => sub {
    my $host = FleetHost->new(path_of('sh'));
    $host->make_small;
    filled($host);
    is_refused($host->install($SMALL), qr/can't (?:make|write).*No space left on device/, 'the directory');
};

subtest 'a run that ends on a full disk has a status as soon as there is space' => sub {
    my $host = FleetHost->new(path_of('sh'));
    $host->make_small;
    $host->patience(PAUSE_S => 0.1);
    $host->install($SMALL);
    my ($runner, $run) = $host->started_gated('a');
    my $filler = filled($host);
    $host->open_gate('a');
    eventually(sub { !-e $host->directory('runs/a/results/result.journal') });
    is_deeply([$host->processes], [$runner], 'the runner waits for space') if eventually(sub { $host->processes == 1 });
    is($host->ask(state => 'a')->{state}, 'running', 'the run has no end yet');
    unlink $filler;
    like(lines($host->ended('a')), qr/^state=ended\nhow=ended\n/, 'it has ended');
};

subtest 'a host without Perl' => sub {
    my $host = FleetHost->new(path_of('busybox'), 'sh');
    mkdir $host->place('bin');
    system path_of('busybox'), '--install', '-s', $host->place('bin');
    unlink $host->place('bin/perl');
    $host->{env} = { PATH => $host->place('bin') };
    is($host->ask('look')->{perl},     q{},            'there is no version of Perl');
    is($host->install($SMALL)->{exit}, 0,              'a release can be installed');
    is($host->ask('look')->{release},  sha256($SMALL), 'it is found');
    like($host->ask(programs => 1, 'pipe')->{pipe}, qr/\ACOUNT[|]1000[|]/, 'a program runs');
    is_refused($host->start('a', 0, 60, 'fast'), qr/can't start: .*perl/, 'a run');
    is(lines($host->ask('cleanup')), 'removed=yes', 'the directory is removed');
};

subtest 'a host with the smallest Perl of Debian' => sub {
    my $host    = FleetHost->new(path_of('sh'));
    my $release = fake_release($archives);
    is($host->install($release)->{exit}, 0, 'a release can be installed');
    $host->{env} = { PERL5LIB => "$FindBin::Bin/../../../t/lib", PERL5OPT => '-MPerlBase' };
    like($host->ask('look')->{perl}, qr/ 1\z/, 'its version is new enough');
    my $said = lines($host->ask(plan => qw(-q index)));
    like($said, qr/^status=1$/m, 'the suite refuses a run');
    like($said, qr/^said=Run: only a part of Perl .*: apt-get install perl[)]$/m,
        'it says what to install on the host');
    unlike($said, qr/--setup/, 'it does not name a command for another machine');
    like(
        lines($host->ask(doctor => qw(-q index))),
        qr/^said= *Missing: Perl's Time::HiRes .*Digest::SHA/m,
        'the doctor names the modules'
    );
};

done_testing;
