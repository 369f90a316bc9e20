# How the file of a program is described. readelf and size describe the same file.

use strict;
use warnings;

use FindBin;
use File::Temp qw(tempdir);
use Test::More;

use lib "$FindBin::Bin/../../lib";
use InPath      qw(path_of);
use Needs       qw(skip_without);
use SourceTree  qw(shell text_of);
use TestProgram qw(write_file);
use UnixBench::Host::Program;

my $root = "$FindBin::Bin/../../..";
my $temp = tempdir(CLEANUP => 1);
local $ENV{temp} = $temp;

sub facts { return UnixBench::Host::Program::facts(@_) }

write_file("$temp/digits", '123456789');
is_deeply(facts("$temp/digits"), { size => '9 bytes', crc32 => 'cbf43926' }, 'a file that is not a program');
is_deeply(facts("$temp/none"),   {},                                         'a file that does not exist');

# The compilers of architectures of 32 and 64 bits, of both orders of bytes, and what readelf calls their machines.
my %MACHINE = (
    'gcc'                       => undef,
    'i686-linux-gnu-gcc'        => 'Intel 80386, 32 bit, little-endian',
    's390x-linux-gnu-gcc'       => 'IBM S/390, 64 bit, big-endian',
    'arm-linux-gnueabihf-gcc'   => 'ARM, 32 bit, little-endian',
    'aarch64-linux-gnu-gcc'     => 'AArch64, 64 bit, little-endian',
    'riscv64-linux-gnu-gcc'     => 'RISC-V, 64 bit, little-endian',
    'powerpc64le-linux-gnu-gcc' => 'PowerPC64, 64 bit, little-endian',
);
for my $compiler (sort keys %MACHINE) {
    subtest $compiler => sub {
        skip_without(tool => $_) for grep { !path_of($_) } $compiler, 'readelf', 'size';
        described($compiler, $MACHINE{$compiler});
    };
}

# Takes a compiler and its machine; compares what is said of its programs with what readelf and size say.
sub described {
    my ($compiler, $machine) = @_;
    my %placing = ('-fPIE -pie' => 'position-independent', '-no-pie' => 'at a fixed address');
    for my $flags (sort keys %placing) {
        shell($root, "$compiler -O1 $flags -Wl,--build-id -o \$temp/program src/execl.c");
        my $facts       = facts("$temp/program");
        my $elf         = shell($temp, 'LC_ALL=C readelf -W -h -l -d -n program');
        my ($linker)    = $elf =~ m{interpreter: \S*/(\S+)\]};
        my ($libraries) = join q{ }, $elf =~ /\(NEEDED\).*\[(.*)\]/g;
        my ($id)        = $elf =~ /Build ID: ([0-9a-f]+)/;
        my ($name)      = $elf =~ /Machine: +(.*)/;
        my ($text, $data, $zeroed) = shell($temp, 'size program') =~ /^ *(\d+)\s+(\d+)\s+(\d+)/m;
        is($facts->{linking}, "dynamically linked by $linker with $libraries, $placing{$flags}", "linked by $flags");
        my $bytes = -s "$temp/program";
        is($facts->{build_id}, $id,                                                 'the build ID');
        is($facts->{size},     "$bytes bytes: text $text, data $data, bss $zeroed", 'the size');
        like($facts->{machine}, qr/\A\Q$name\E, /, 'the machine');
        is($facts->{machine}, $machine, 'the machine, its bits and its order of bytes') if defined $machine;
    }
    shell($root, "$compiler -O1 -static -no-pie -o \$temp/program src/execl.c");
    is(
        facts("$temp/program")->{linking},
        'statically linked: not comparable with a dynamically linked one, at a fixed address',
        'linked statically'
    );
    return;
}

my $whole = text_of("$temp/program");
for my $length (0, 3, 16, 63, 64, 100, 200, 1000, length($whole) - 1) {
    write_file("$temp/torn", substr $whole, 0, $length);
    my $facts = eval { facts("$temp/torn") };
    like($facts->{size}, qr/\A$length bytes\b/, "a program that is torn after $length bytes");
}
shell($temp, 'strip --strip-section-headers program 2>/dev/null || objcopy --strip-all program');
ok(facts("$temp/program")->{linking}, 'a stripped program');

done_testing;
