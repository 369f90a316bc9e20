use strict;
use warnings;

use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/lib", "$FindBin::Bin/../../lib";
use Tree qw(text_of);
use UnixBench::Version;

# Lists of changes have the version and the date of the program. build/reference writes the version into all other
# files.

my %PATTERN = (
    'CHANGES.md'                   => qr/^## ([0-9.]+)$/m,
    'debian/changelog'             => qr/\Aunixbench \(([^)]*)-1\) /,
    'packaging/rpm/unixbench.spec' => qr/^%changelog\n[*] .* - (\S+)-\d+$/m,
);

for my $path (sort keys %PATTERN) {
    my ($version) = text_of($path) =~ $PATTERN{$path};
    is($version, $UnixBench::Version::VERSION, "the version in $path is that of the program");
}
my ($year, $month, $day) = $UnixBench::Version::DATE =~ /\A(\d{4})-(\d\d)-(\d\d)\z/;
my $date   = POSIX::mktime(0, 0, 12, $day, $month - 1, $year - 1900);
my %FORMAT = (
    'debian/changelog'             => ['%a, %d %b %Y', qr/^ -- .*>  (\w+, \d+ \w+ \d+) /m],
    'packaging/rpm/unixbench.spec' => ['%a %b %d %Y',  qr/^%changelog\n[*] (\w+ \w+ \d+ \d+) /m],
);
for my $path (sort keys %FORMAT) {
    my ($format, $pattern) = @{ $FORMAT{$path} };
    my ($found) = text_of($path) =~ $pattern;
    is($found, POSIX::strftime($format, localtime $date), "the date in $path is that of the release");
}

done_testing;
