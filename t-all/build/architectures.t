# Programs for a 32-bit and a big-endian architecture, and portable programs on another CPU.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t-all/lib t/lib);
use Emulated                             qw(architectures cannot_fork runs_natively wrap);
use Needs                                qw(need_tools note_without skip_without);
use Programs                             qw(programs protocol_faults);
use SourceTree                           qw(copy_of_tree shell text_of);
use TestProgram                          qw(count_of run scratch);

skip_without(tool => 'GNU make') if `make --version 2>/dev/null` !~ /GNU Make/;

# interbench is built by lab/architectures: it takes longer than all others together.
my $NAMES    = join q{ }, sort keys %{ programs() };
my $PROGRAMS = "PROGRAMS='$NAMES'";

# The arithmetic programs end their fixed work in the handler of a signal. In qemu-x86_64 before 8.1, the stack of a
# handler is not aligned, and their check of the result fails. They run for a time there.
my %CHECKS_IN_HANDLER = map { $_ => 1 } qw(arithoh short int long float double register);

my %FORKS = map { $_         => 1 } qw(spawn context1 looper);
my %ARCH  = map { $_->{name} => $_ } architectures();

my $tree = copy_of_tree('tree');

# Takes a directory below the tree and words for make. Builds the programs there, without warnings, and returns the
# path of the directory.
sub built {
    my ($name, $words) = @_;
    my $said = shell($tree, "make -s -j2 $words GRAPHIC_TESTS=no PROGDIR=$name programs");
    is($?,    0,   "$name: the build succeeds") or diag $said;
    is($said, q{}, "$name: without a warning");
    return "$tree/$name";
}

# Takes a directory of programs and the words of an emulator. Runs the fixed work of each program.
sub programs_work {
    my ($programs, @emulator) = @_;
    my $wrappers = tempdir(CLEANUP => 1);
    my @names    = wrap($programs, $wrappers, @emulator);
    is("@names", $NAMES, 'all programs are there');
    for my $name (@names) {
        next if cannot_fork(@emulator) && $FORKS{$name};
        if ($emulator[0] && $emulator[0] eq 'qemu-x86_64' && $CHECKS_IN_HANDLER{$name}) {
            cmp_ok((count_of(run(["$wrappers/$name", '0.5'])))[0] // 0, '>', 0, "$name: timed work");
            next;
        }
        my $result = run(["$wrappers/$name", @{ programs()->{$name}{fixed} }], in => scratch());
        is_deeply([protocol_faults($name, $result)], [], "$name: fixed work");
    }
    return;
}

subtest 'i386, 32 bit' => sub {
    my $arch     = $ARCH{i386};
    my $is_here  = runs_natively($arch);
    my @emulator = $is_here ? () : @{ $arch->{emulator} };
    need_tools($arch->{compiler}, @emulator ? $emulator[0] : ());
    note_without(machine => 'a kernel that runs programs for i386') if !$is_here;
    my $static   = $is_here ? 'LDFLAGS=-static' : q{};
    my $programs = built('i386', "CC=$arch->{compiler} UB_GCC_OPTIONS=-O1 $static $PROGRAMS");
    programs_work($programs, @emulator);

    my $most = 2**31 - 1;
    my $far  = run([@emulator, "$programs/pipe", '-n', $most + 1]);
    like($far->{err}, qr/^ERROR\|loops must be a whole number from 1 to $most,/, 'the largest number of loops');

    # The counter of this program overflows several times in a second.
    my $line =
          "$arch->{compiler} -std=c17 -O1 -Wall -Wextra -Werror "
        . ($is_here ? '-static ' : q{})
        . "-Isrc -o overflow '$FindBin::Bin/overflow.c'";
    is(shell($tree, $line), q{}, 'the program that overflows is built');
    my $result = run([@emulator, "$tree/overflow"]);
    my ($count) = count_of($result);
    is($result->{out}, "$count\n", 'a counter that overflows is added up') or diag $result->{err};
    cmp_ok($count, '>', 2**32, 'to more than 32 bits');

    # Old functions fail for files whose numbers need more than 32 bits.
    my $old = qr/ U ((?:f?open|f?stat|l?stat|lseek|readdir|nftw|mkstemp|fcntl)[@].*)$/m;
    my @old =
        map { shell($tree, "$arch->{compiler} -O1 -std=c17 src/$_.c -o o.out && nm -D o.out") =~ /$old/g }
        qw(fstime looper context1);
    is_deeply(\@old, [], 'large file numbers are known');
};

subtest 's390x, big-endian' => sub {
    my $arch = $ARCH{s390x};
    need_tools($arch->{compiler}, $arch->{emulator}[0]);
    my $programs = built('s390x', "CC=$arch->{compiler} UB_GCC_OPTIONS=-O1 $PROGRAMS");
    programs_work($programs, @{ $arch->{emulator} });
};

# Returns the number of a program's instructions with AVX registers.
sub avx_in {
    my ($path) = @_;
    local $ENV{path} = $path;
    return scalar grep { /%[yz]mm/ } split /\n/, shell($tree, 'objdump -d --no-show-raw-insn "$path"');
}

subtest 'portable programs on another x86-64 CPU' => sub {
    skip_without(machine => 'an x86-64 CPU') if `uname -m` ne "x86_64\n";
    need_tools(qw(gcc objdump qemu-x86_64));
    my $portable = built('portable', "PORTABLE=yes $PROGRAMS");
    programs_work($portable, qw(qemu-x86_64 -cpu Nehalem));
    is_deeply([grep { avx_in("$portable/$_") } split q{ }, $NAMES], [], 'no program has an AVX instruction');

    my $avx = built('avx', q{PORTABLE=yes CFLAGS=-mavx2 PROGRAMS='whetstone-double'});
    like(text_of("$avx/build.info"), qr/^flags=-O3 -ffast-math -mavx2$/m, 'CFLAGS come last');
    cmp_ok(avx_in("$avx/whetstone-double"), '>', 0, 'and win: a program has AVX instructions');
};

done_testing;
