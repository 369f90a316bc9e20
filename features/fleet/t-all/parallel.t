# The example for GNU parallel, with a directory of this machine for the host: a page that it brings is of the run that
# it started. features/fleet/lab/engines tries it with real SSH.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/$_" } qw(lib ../../../t/lib ../../../lib);
use FakeRelease                    qw(fake_release);
use Needs                          qw(need_tools);
use TestProgram                    qw(content write_file);

need_tools(qw(tar xz));

my $ROOT    = "$FindBin::Bin/../../..";
my $place   = tempdir(CLEANUP => 1);
my $release = fake_release($place);

# This ssh runs the command, its last word, in the directory of the host.
mkdir "$place/$_" or die "mkdir: $!\n" for qw(bin host);
write_file("$place/bin/ssh", qq{#!/bin/sh\nfor last; do :; done\ncd '$place/host' && exec sh -c "\$last"\n});
chmod 0755, "$place/bin/ssh" or die "chmod: $!\n";

# Takes words for Run; measures the host. Returns the exit status.
sub measured {
    my (@words) = @_;
    local $ENV{PATH} = "$place/bin:$ENV{PATH}";
    my $script = 'cd "$0" && exec "$@" > said 2>&1';
    return
        system('sh', '-c', $script, $place, "$ROOT/features/fleet/parallel/measure-host", 'node1', $release, @words)
        >> 8;
}

is(measured(qw(-c 1 -i 3 pipe)), 0, 'a host is measured') or diag content("$place/said");
like(content("$place/node1.html"), qr/Pipe Throughput/, 'it leaves its page');
unlink "$place/node1.html" or die "node1.html: $!\n";
isnt(measured(qw(-c 1 -i 3 --no-such-option pipe)), 0, 'a run that cannot begin fails');
ok(!-e "$place/node1.html", 'the page of an earlier run is not taken for its result');

done_testing;
