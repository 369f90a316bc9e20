# Builds that are not those of this machine: with gcc's sanitizers of memory and undefined behaviour (lab/sanitize), for
# other CPUs, whose programs run under qemu, and for BSD and macOS, where nothing is run. Each is made only if a file
# that it reads has changed since it passed.

use strict;
use warnings;

use Cwd qw(getcwd);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../../$_" } qw(t/lib lib);
use Needs                                   qw(need_tools path_of skip_without);
use Passed                                  ();
use Place                                   qw(text_of);
use Programs                                qw(programs protocol_faults);
use SourceTree                              qw(copy_of_tree);
use TestProgram                             qw(is_built run scratch);

# The compiler for each CPU, without -gcc, its options, and the emulator. The C library for armv6 is that for armhf.
my %CPUS = (
    aarch64 => ['aarch64-linux-gnu',     'qemu-aarch64'],
    armhf   => ['arm-linux-gnueabihf',   'qemu-arm'],
    armv6   => ['arm-linux-gnueabihf',   'qemu-arm', ' -march=armv6 -mfpu=vfp -marm'],
    armv5   => ['arm-linux-gnueabi',     'qemu-arm'],
    mipsel  => ['mipsel-linux-gnu',      'qemu-mipsel'],
    riscv64 => ['riscv64-linux-gnu',     'qemu-riscv64'],
    ppc64le => ['powerpc64le-linux-gnu', 'qemu-ppc64le'],
    s390x   => ['s390x-linux-gnu',       'qemu-s390x'],
);

# Systems, and the dynamic linkers that their programs name. The package of their compiler has no headers of X11 and
# OpenGL, and interbench measures what only Linux has.
my %LINKER = (
    'x86_64-freebsd' => '/libexec/ld-elf.so.1',
    'x86_64-netbsd'  => '/libexec/ld.elf_so',
    'x86_64-openbsd' => '/usr/libexec/ld.so',
    'aarch64-macos'  => '/usr/lib/dyld',
);

my $tree = copy_of_tree('tree');    # some compilers leave files where they are started

# Takes a check, its settings, further files, and a function that tests and returns whether all is well.
sub unless_passed {
    my ($check, $settings, $files, $test) = @_;
    my @files = sort split /\n/,
        qx(find src features/*/src features/*/build.mk Makefile build/record.sh $files -type f);
    my $read   = join q{}, map { $_ . text_of($_) } @files;
    my $passed = Passed->new($check => @$settings);
    if   ($passed->has($read)) { pass('unchanged since it passed') }
    else                       { $passed->add($read) if $test->() }
    $passed->keep;
    return;
}

# Takes a directory and a compiler. Builds the programs there, and tests that nothing is said. Returns their names.
sub programs_in {
    my ($place, $compiler) = @_;
    my @make = (qw(make --no-print-directory -s PORTABLE=yes GRAPHIC_TESTS=no), "CC=$compiler", "PROGDIR=$place");
    my $make = run([@make, '-j2', 'programs'], in => $tree);
    is("$make->{out}$make->{err}", q{}, 'make says nothing');
    return split q{ }, run([@make, 'names'], in => $tree)->{out};
}

subtest 'sanitizers' => sub {
    my @gears = grep { $_ } is_built('ubgears'), path_of('Xvfb');    # with both, ubgears is tested, too
    my $check = sub {
        my $said   = qx($^X lab/sanitize --brief 2>&1);
        my $status = $?;
        skip_without(tool => "gcc and its sanitizers ($1)") if $said =~ /^(.* not here)$/m;
        my $is_clean = is $status, 0, 'the sanitizers report nothing' or diag $said;
        return like($said, qr/^all +([1-9]\d*) +\1 +0$/m, 'every program has run and passed') && $is_clean;
    };
    unless_passed(
        sanitizers => [scalar qx(gcc --version 2>&1), scalar @gears],
        'pgms/*.sh testdir lab/sanitize', $check
    );
};

for my $cpu (sort keys %CPUS) {
    my ($triplet, $emulator, $options) = @{ $CPUS{$cpu} };
    my $check = sub {
        my $place    = scratch();
        my %is_built = map { $_ => 1 } programs_in($place, "$triplet-gcc" . ($options // q{}));
        for my $program (grep { $is_built{$_} && $_ ne 'execl' } sort keys %{ programs() }) {
            my @command = ($emulator, '-L', "/usr/$triplet", "$place/$program", @{ programs()->{$program}{fixed} });
            is(join(q{; }, protocol_faults($program, run(\@command, in => $place))), q{}, "$program works");
        }
        return Test::More->builder->is_passing;
    };
    subtest "$cpu, under $emulator" => sub {
        need_tools("$triplet-gcc", $emulator);
        unless_passed("programs-$cpu" => [scalar qx($triplet-gcc --version 2>&1)], q{}, $check);
    };
}

subtest 'BSD and macOS' => sub {
    my $zig     = getcwd() . '/build/ziglang/ziglang/zig';
    my $version = -x $zig ? run([$zig, 'version'])->{out} : skip_without(tool => 'the Python package ziglang');
    local $ENV{ZIG_GLOBAL_CACHE_DIR} = scratch();
    my $check = sub {
        for my $system (sort keys %LINKER) {
            my $place = scratch();
            my @names = programs_in($place, "$zig cc -target $system");
            cmp_ok(scalar @names, '>=', 20, "$system: nearly all programs are built");
            my @odd = grep { !-x "$place/$_" || text_of("$place/$_") !~ /\0\Q$LINKER{$system}\E\0/ } @names;
            is_deeply(\@odd, [], "$system: each names its dynamic linker");
        }
        return Test::More->builder->is_passing;
    };
    unless_passed('other-unixes' => [$version], q{}, $check);
};

done_testing;
