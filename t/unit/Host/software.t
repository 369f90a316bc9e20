use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use HostTree qw(host_tree);
use UnixBench::Host::KernelFiles;
use UnixBench::Host::Software;

my @UNAME = ('Linux', 'vm', '6.1.0', '#1 SMP', 'x86_64');

# Takes { path => text }; returns these files.
sub files { my (%text) = @_; return UnixBench::Host::KernelFiles->new(root => host_tree(%text)) }

subtest 'versions of tools are found' => sub {
    my $tools = sub {
        my ($says, $path, @uname) = @_;
        my @asked;
        my $facts = UnixBench::Host::Software->new(
            files => files('/lib/ld-musl-x86_64.so.1' => q{}, '/etc/os-release' => $says->{os} // q{}),
            run   => sub { my ($command) = @_; push @asked, $command; return $says->{ join q{ }, @$command[0, 1] } },
            which => sub { $path->{ $_[0] } },
            uname => @uname ? \@uname : \@UNAME,
        )->tools;
        return { %$facts, asked => \@asked };
    };
    my $sh = sub { my ($path, %says) = @_; $tools->(\%says, { '/bin/sh' => $path })->{sh} };
    is($sh->('/bin/bash', 'sh -c' => "bash 5.2.15(1)-release\n"), 'bash 5.2.15(1)-release', 'the version of bash');
    is(
        $sh->('/bin/mksh', 'sh -c' => "@(#)MIRBSD KSH R59 2020/10/31\n"),
        'MIRBSD KSH R59 2020/10/31',
        'the version of mksh'
    );
    is($sh->('/bin/dash'), 'dash', 'dash does not tell its version');
    is(
        $sh->(
            '/bin/busybox', '/bin/busybox --help' => "BusyBox v1.36.1 (2023-07-27 17:12:24 UTC) multi-call binary.\n"
        ),
        'BusyBox v1.36.1 (2023-07-27 17:12:24 UTC)',
        'the version of busybox'
    );
    is($sh->(undef), undef, 'without a shell, there is no version');

    my %toybox = (sort => '/bin/toybox', grep => '/bin/toybox');
    is($tools->({ '/bin/toybox --version' => "toybox 0.8.9\n" }, \%toybox)->{grep},
        'toybox 0.8.9', 'the version of toybox');
    is($tools->({}, { sort => '/bin/sort' })->{sort}, 'sort', 'sort without a version');
    is($tools->({}, {})->{sort},                      undef,  'without sort, there is no version');

    my %release = (
        qq{NAME="Debian GNU/Linux"\nVERSION_ID="12"\nID=debian\n} => 'Debian 12',
        qq{NAME='Arch Linux'\nPRETTY_NAME="Arch Linux"\n}         => 'Arch Linux',
        q{}                                                       => undef
    );
    is($tools->({ os => $_ }, {})->{distribution}, $release{$_}, 'distribution: ' . ($release{$_} // 'unknown'))
        for sort keys %release;
    is($tools->({ 'ldd --version' => "ldd (GNU libc) 2.38\n" }, {})->{libc},
        'glibc 2.38', 'the version of glibc, from ldd');
    is($tools->({ 'getconf GNU_LIBC_VERSION' => "glibc 2.31\n" }, {})->{libc},
        'glibc 2.31', 'the version of glibc, from getconf');
    is($tools->({ 'sh -c' => "musl libc (x86_64)\nVersion 1.2.4\nDynamic Program Loader\n" }, {})->{libc},
        'musl 1.2.4', 'the version of musl');
    is(
        $tools->({}, {}, 'FreeBSD', 'a', '14.1-RELEASE', q{}, 'amd64')->{libc},
        'FreeBSD 14.1-RELEASE',
        'the C library of BSD has the version of the system'
    );
    my %all = map { $_ => "/bin/$_" } qw(sort grep), '/bin/sh';
    cmp_ok(scalar @{ $tools->({}, \%all)->{asked} },
        '<=', 6, 'at most 6 commands are run, even if none of them has an answer');
};

subtest 'the Git revision is found' => sub {
    my $revision = sub {
        my ($answer) = @_;
        my $run = sub { return "@{ $_[0] }" eq 'git --git-dir /s/.git rev-parse HEAD' ? $answer : undef };
        return
            scalar UnixBench::Host::Software->new(files => files(), run => $run, uname => \@UNAME)->git_revision('/s');
    };
    is($revision->("$_\n"), $_, 'the hash of a commit') for 'a' x 40, 'b' x 64;
    is($revision->($_), undef, 'no hash: ' . ($_ // 'git fails')) for undef, "HEAD\n", 'a' x 7 . "\n";
};

done_testing;
