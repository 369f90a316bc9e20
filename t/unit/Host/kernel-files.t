# The files of the machine: a text, or nothing if a file is something else, or too large for one of the kernel.

use strict;
use warnings;

use File::Path qw(make_path);
use FindBin;
use POSIX ();
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place qw(place write_file);
use UnixBench::Host::KernelFiles;

my $ROOT = place();
make_path("$ROOT/etc/directory", "$ROOT/proc");
write_file("$ROOT/etc/plain", "first line \nsecond\n");
write_file("$ROOT/etc/empty", q{});
POSIX::mkfifo("$ROOT/etc/$_", oct 600) or die "mkfifo: $!\n" for qw(machine-id fifo);
write_file("$ROOT/etc/os-release", "NAME=Large\nPRETTY_NAME=Large\n");
truncate "$ROOT/etc/os-release", 1 << 31 or die "truncate: $!\n";

# A file that is waited for, or read as a whole, would end this test.
alarm 20;
my $files = UnixBench::Host::KernelFiles->new(root => "$ROOT/");

is($files->text('/etc/plain'), "first line \nsecond\n", 'a plain file');
is($files->line('/etc/plain'), 'first line',            'its first line');
is($files->text('/etc/empty'), q{},                     'an empty file');
is_deeply([$files->text("/etc/$_")], [undef], $_) for qw(fifo machine-id os-release directory none), "plain\0";
is($files->content('/etc/fifo'), q{},   'its content is empty');
is($files->line('/etc/fifo'),    undef, 'it has no first line');

if (-r '/proc/self/status') {
    my $real = UnixBench::Host::KernelFiles->new;
    like($real->text('/proc/self/status'), qr/^Pid:\t[0-9]+$/m, 'a file of the kernel, whose size is 0');
    like($real->content('/proc/cpuinfo'),  qr/\n\z/,            'a long one, to its end');
}

alarm 0;
done_testing();
