use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../../lib";
use Tree qw(text);
use UnixBench::Version;

# All packages, recipes and the list of changes have the version of the program. That for OpenEmbedded has it in its
# name.

my %PATTERN = (
    'CHANGES.md'                        => qr/^## ([0-9.]+)$/m,
    'fleet/ansible/galaxy.yml'          => qr/^version: (.*)$/m,
    'debian/changelog'                  => qr/\Aunixbench \(([^)]*)\) /,
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

done_testing;
