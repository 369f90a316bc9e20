use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../../lib";
use Tree qw(text);
use UnixBench::Version;

# All packages and the list of changes have the version of the program.

my %PATTERN = (
    'CHANGES.md'                   => qr/^## ([0-9.]+)$/m,
    'debian/changelog'             => qr/\Aunixbench \(([^)]*)\) /,
    'packaging/rpm/unixbench.spec' => qr/^Version: +(\S+)$/m,
);

for my $path (sort keys %PATTERN) {
    my ($version) = text($path) =~ $PATTERN{$path};
    is($version, $UnixBench::Version::VERSION, "the newest version in $path is that of the program");
}
like(
    text('packaging/rpm/unixbench.spec'),
    qr/^%changelog\n[*] .* - \Q$UnixBench::Version::VERSION\E-\d+$/m,
    'the newest change in the spec is of this version'
);

done_testing;
