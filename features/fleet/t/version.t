# The collection has the version of the program. build/reference writes it into galaxy.yml.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib ../../../lib);
use Place qw(text_of);
use UnixBench::Version;

my %PATTERN = ('CHANGELOG.rst' => qr/^v([0-9.]+)$/m, 'galaxy.yml' => qr/^version: (.*)$/m);

for my $name (sort keys %PATTERN) {
    my ($version) = text_of("$FindBin::Bin/../ansible/$name") =~ $PATTERN{$name};
    is($version, $UnixBench::Version::VERSION, $name);
}

done_testing;
