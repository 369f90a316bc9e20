use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use HostTree qw(host_tree);
use UnixBench::Host::Writeback;

sub is_under_way {
    my ($meminfo) = @_;
    my $root = host_tree(defined $meminfo ? ('/proc/meminfo' => $meminfo) : ());
    return UnixBench::Host::Writeback->new($root)->is_under_way ? 1 : 0;
}

is(is_under_way("Dirty:   900 kB\nWriteback:             4 kB\nWritebackTmp:   0 kB\n"), 1, 'some page');
is(is_under_way("Dirty:   900 kB\nWriteback:             0 kB\nWritebackTmp:   5 kB\n"), 0, 'none, though some wait');
is(is_under_way($_), 0, 'unknown') for undef, q{}, "Writeback: kB\n", 'Writeback: ' . '9' x 40 . " kB\n";

done_testing();
