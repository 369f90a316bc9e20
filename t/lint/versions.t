use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../../lib";
use Tree qw(text);
use UnixBench::Version;

# All packages, recipes and the list of changes have the version of the program. That for OpenEmbedded has it in its
# name.

my %PATTERN = (
    'CHANGES.md'               => qr/^## ([0-9.]+)$/m,
    'fleet/ansible/galaxy.yml' => qr/^version: (.*)$/m,
    'debian/changelog'         => qr/\Aunixbench \(([^)]*)-1\) /,
    (
        map { +"share/$_.1" => qr/\A[.]TH \S+ 1 \S+ "UnixBench (.*?)" "User Commands"\n/ }
            qw(interbench ubgears unixbench)
    ),
    'packaging/alpine/APKBUILD'         => qr/^pkgver=(.*)$/m,
    'packaging/arch/PKGBUILD'           => qr/^pkgver=(.*)$/m,
    'packaging/buildroot/unixbench.mk'  => qr/^UNIXBENCH_VERSION = (.*)$/m,
    'packaging/container/Containerfile' => qr/org[.]opencontainers[.]image[.]version=(\S+)/,
    'packaging/freebsd/Makefile'        => qr/^DISTVERSION=\t(.*)$/m,
    'packaging/nix/default.nix'         => qr/^  version = "(.*)";$/m,
    'packaging/rpm/unixbench.spec'      => qr/^Version: +(\S+)$/m,
);

for my $path (sort keys %PATTERN) {
    my ($version) = text($path) =~ $PATTERN{$path};
    is($version, $UnixBench::Version::VERSION, "the version in $path is that of the program");
}
is_deeply(
    [glob 'packaging/openembedded/*.bb'],
    ["packaging/openembedded/unixbench_$UnixBench::Version::VERSION.bb"],
    'the recipe for OpenEmbedded has it, too'
);
like(
    text('packaging/rpm/unixbench.spec'),
    qr/^%changelog\n[*] .* - \Q$UnixBench::Version::VERSION\E-\d+$/m,
    'the newest change in the spec is of this version'
);

# Manual pages have the date of the release, not of a build.
my ($year, $month, $day) = $UnixBench::Version::DATE =~ /\A(\d{4})-(\d\d)-(\d\d)\z/;
my $date   = POSIX::mktime(0, 0, 12, $day, $month - 1, $year - 1900);
my %FORMAT = (
    'debian/changelog'             => ['%a, %d %b %Y', qr/^ -- .*>  (\w+, \d+ \w+ \d+) /m],
    'packaging/rpm/unixbench.spec' => ['%a %b %d %Y',  qr/^%changelog\n[*] (\w+ \w+ \d+ \d+) /m],
    map { +"share/$_.1" => ['%Y-%m-%d', qr/\A[.]TH \S+ 1 (\S+) /] } qw(interbench ubgears unixbench),
);
for my $path (sort keys %FORMAT) {
    my ($format, $pattern) = @{ $FORMAT{$path} };
    my ($found) = text($path) =~ $pattern;
    is($found, POSIX::strftime($format, localtime $date), "the date in $path is that of the release");
}

done_testing;
