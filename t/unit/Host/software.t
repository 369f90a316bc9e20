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
    my $sh      = sub { my ($path, %says) = @_; $tools->(\%says, { '/bin/sh' => $path })->{sh} };
    my $busybox = 'BusyBox v1.36.1 (2023-07-27 17:12:24 UTC)';
    is($sh->('/bin/bash', 'sh -c' => "bash 5.2.15(1)-release\n"),  'bash 5.2.15(1)-release', 'the version of bash');
    is($sh->('/bin/mksh', 'sh -c' => "@(#)MIRBSD KSH R59 2020\n"), 'MIRBSD KSH R59 2020',    'the version of mksh');
    is($sh->('/bin/dash'),                                         'dash', 'dash does not tell its version');
    is($sh->('/bin/busybox', '/bin/busybox --help' => "$busybox multi-call binary.\n"), $busybox, 'that of busybox');
    is($sh->(undef), undef, 'without a shell, there is no version');

    my %toybox = (sort => '/bin/toybox', grep => '/bin/toybox');
    is($tools->({ '/bin/toybox --version' => "toybox 0.8.9\n" }, \%toybox)->{grep}, 'toybox 0.8.9', 'that of toybox');
    is($tools->({}, { sort => '/bin/sort' })->{sort}, 'sort', 'sort without a version');
    is($tools->({}, {})->{sort},                      undef,  'without sort, there is no version');

    my %release = (
        qq{NAME="Debian GNU/Linux"\nVERSION_ID="12"\nID=debian\n} => 'Debian 12',
        qq{NAME='Arch Linux'\nPRETTY_NAME="Arch Linux"\n}         => 'Arch Linux',
        q{}                                                       => undef
    );
    is($tools->({ os => $_ }, {})->{distribution}, $release{$_}, 'distribution: ' . ($release{$_} // 'unknown'))
        for sort keys %release;
    my @libc = (
        ['ldd --version',            "ldd (GNU libc) 2.38\n"                                       => 'glibc 2.38'],
        ['getconf GNU_LIBC_VERSION', "glibc 2.31\n"                                                => 'glibc 2.31'],
        ['sh -c',                    "musl libc (x86_64)\nVersion 1.2.4\nDynamic Program Loader\n" => 'musl 1.2.4'],
    );
    is($tools->({ $_->[0] => $_->[1] }, {})->{libc}, $_->[2], "the version of $_->[2], by $_->[0]") for @libc;
    my @bsd = ('FreeBSD', 'a', '14.1-RELEASE', q{}, 'amd64');
    is($tools->({}, {}, @bsd)->{libc}, 'FreeBSD 14.1-RELEASE', 'the C library of BSD has the version of the system');
    my %all = map { $_ => "/bin/$_" } qw(sort grep), '/bin/sh';
    cmp_ok(scalar @{ $tools->({}, \%all)->{asked} }, '<=', 6, 'at most 6 commands are run without an answer');
};

my $line_of_pi = files('/proc/cmdline' => "fast x.macaddr=B8:27:EB:12:34:56 x.serial=0x2a y.serial=\"a b\" serial\n");
my $shown      = UnixBench::Host::Software->new(files => $line_of_pi, uname => \@UNAME)->kernel->{command_line};
is($shown, 'fast x.macaddr=... x.serial=... y.serial=... serial', 'no address, no serial number is recorded');

subtest 'the Git revision is found' => sub {
    my $revision = sub {
        my ($answer, %file) = @_;
        my $run   = sub { return "@{ $_[0] }" eq 'git --git-dir /s/.git rev-parse HEAD' ? $answer : undef };
        my $files = files(%file ? %file : ('/s/.git' => "gitdir: /t\n"));
        return
            scalar UnixBench::Host::Software->new(files => $files, run => $run, uname => \@UNAME)->git_revision('/s');
    };
    my ($hash, $other) = map { $_ x 40 } qw(a b);
    my @head = ('/s/.git/HEAD' => "ref: refs/heads/x\n");
    is($revision->($other, '/s/.git/HEAD' => "$hash\n"),                $hash, 'a commit that is checked out itself');
    is($revision->($other, @head, '/s/.git/refs/heads/x' => "$hash\n"), $hash, 'that of a branch');
    is($revision->($other, @head, '/s/.git/packed-refs' => "$other y\n$hash refs/heads/x\n"), $hash, 'in one file');
    is($revision->($other, @head),           $other, 'elsewhere: git is asked');
    is($revision->($other, '/s/Run' => 'x'), undef,  'no checkout: git is not asked');
    is($revision->("$_\n"),                  $_,     'the hash of a commit') for 'a' x 40, 'b' x 64;
    is($revision->($_), undef, 'no hash: ' . ($_ // 'git fails')) for undef, "HEAD\n", 'a' x 7 . "\n";
};

done_testing;
