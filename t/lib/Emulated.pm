package Emulated;

# Programs for another architecture, which run under qemu's emulator of user programs: their architectures, and
# wrappers, scripts that start a program in its emulator.

use strict;
use warnings;

use Exporter 'import';
use File::Temp ();

use Place qw(write_program);

our @EXPORT_OK = qw(architectures cannot_fork runs_natively wrap);

# Name of the architecture, name of its compiler without -gcc, and of its emulator.
my @ARCHITECTURES = (
    ['aarch64', 'aarch64-linux-gnu',     'qemu-aarch64'],
    ['armhf',   'arm-linux-gnueabihf',   'qemu-arm'],
    ['riscv64', 'riscv64-linux-gnu',     'qemu-riscv64'],
    ['ppc64le', 'powerpc64le-linux-gnu', 'qemu-ppc64le'],
    ['s390x',   's390x-linux-gnu',       'qemu-s390x'],
    ['i386',    'i686-linux-gnu',        'qemu-i386'],
);

# Returns the architectures, each { name, compiler, emulator => [words of the command] }.
sub architectures {
    return
        map { { name => $_->[0], compiler => "$_->[1]-gcc", emulator => [$_->[2], '-L', "/usr/$_->[1]"] } }
        @ARCHITECTURES;
}

# Takes an architecture. Returns whether its programs run here without an emulator, if they are linked statically.
sub runs_natively {
    my ($arch) = @_;
    my $place = File::Temp->newdir;
    system "echo 'int main(void) { return 0; }' | $arch->{compiler} -static -o $place/try -x c - 2>/dev/null";
    return -x "$place/try" && system("$place/try 2>/dev/null") == 0;
}

# Takes the words of an emulator, none without one. Returns whether programs can't fork in it: with a current C library,
# the child of a fork in qemu-i386 7.2 never returns.
sub cannot_fork { return @_ && $_[0] eq 'qemu-i386' }

# Takes a directory of built programs, the directory for wrappers, and the words of the emulator. Makes a wrapper of
# each program and returns the names of the programs, sorted. Without an emulator, wrappers start the programs alone.
#
# execl executes the path again by which it was found. Under an emulator this is the path that the emulator was given,
# and the kernel can't execute that file. So the emulator is given a name without a slash, and the first directory of
# PATH is that of the wrappers: the program executes its wrapper.
sub wrap {
    my ($programs, $wrappers, @emulator) = @_;
    opendir my $handle, $programs or die "$programs: $!\n";
    my @names = sort grep { -f -x "$programs/$_" && _is_elf("$programs/$_") } readdir $handle;
    for my $name (@names) {
        my $is_execl = @emulator && $name eq 'execl';
        my $start    = $is_execl ? "cd '$programs' && PATH='$wrappers':\$PATH exec" : 'exec';
        my $path     = $is_execl ? $name                                            : "$programs/$name";
        write_program("$wrappers/$name", "#!/bin/sh\n$start @emulator '$path' \"\$\@\"\n");
    }
    return @names;
}

sub _is_elf {
    my ($path) = @_;
    open my $file, '<:raw', $path or die "$path: $!\n";
    read $file, my $magic, 4;
    return $magic eq "\x7fELF";
}

1;
