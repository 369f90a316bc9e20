# The collection has the version of the program. build/reference writes it into galaxy.yml.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(../../../t/lib ../../../lib);
use Place qw(text_of);
use UnixBench::Version;

my ($version) = text_of("$FindBin::Bin/../ansible/galaxy.yml") =~ /^version: (.*)$/m;
is($version, $UnixBench::Version::VERSION, 'the collection has the version of UnixBench');

done_testing;
