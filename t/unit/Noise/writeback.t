use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use HostTree qw(host_tree);
use UnixBench::Host::KernelFiles;
use UnixBench::Noise::Watch;

sub is_writing_back {
    my ($meminfo) = @_;
    my $root = host_tree(defined $meminfo ? ('/proc/meminfo' => $meminfo) : ());
    return UnixBench::Noise::Watch->new(files => UnixBench::Host::KernelFiles->new(root => $root))->is_writing_back
        ? 1
        : 0;
}

is(is_writing_back("Dirty:   900 kB\nWriteback:             4 kB\nWritebackTmp:   0 kB\n"),
    1, 'a page that is written back is seen');
is(is_writing_back("Dirty:   900 kB\nWriteback:             0 kB\nWritebackTmp:   5 kB\n"),
    0, 'dirty pages alone are not written back');
is(is_writing_back($_), 0, 'an unknown number of pages is not written back')
    for undef, q{}, "Writeback: kB\n", 'Writeback: ' . '9' x 40 . " kB\n";

done_testing();
