# Programs for a 32-bit and a big-endian architecture, with fixed work. lab/architectures does more, for six of them.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

use lib map { "$FindBin::Bin/../../$_" } qw(t-all/lib t/lib);
use Emulated                             qw(architectures cannot_fork runs_natively wrap);
use Needs                                qw(need_tools skip_without);
use Programs                             qw(programs protocol_faults);
use SourceTree                           qw(copy_of_tree shell);
use TestProgram                          qw(count_of run scratch);

skip_without(tool => 'GNU make') if `make --version 2>/dev/null` !~ /GNU Make/;

my $NAMES = join q{ }, sort keys %{ programs() };
my %FORKS = map { $_         => 1 } qw(spawn context1 looper);
my %ARCH  = map { $_->{name} => $_ } architectures();
my $TREE  = copy_of_tree('tree');

# Takes an architecture, and words for make. Builds the programs without a warning, and runs the fixed work of each.
# Returns their directory, and the words of the emulator.
sub programs_work {
    my ($arch, $words) = @_;
    my @emulator = runs_natively($arch) ? () : @{ $arch->{emulator} };
    need_tools($arch->{compiler}, @emulator ? $emulator[0] : ());
    my $make = "make -s -j2 CC=$arch->{compiler} UB_GCC_OPTIONS=-O1 $words PROGRAMS='$NAMES' GRAPHIC_TESTS=no";
    is(shell($TREE, "$make PROGDIR=$arch->{name} programs"), q{}, 'the build has no warning');
    my $wrappers = tempdir(CLEANUP => 1);
    my @names    = wrap("$TREE/$arch->{name}", $wrappers, @emulator);
    is("@names", $NAMES, 'all programs are there');

    for my $name (grep { !cannot_fork(@emulator) || !$FORKS{$_} } @names) {
        my $result = run(["$wrappers/$name", @{ programs()->{$name}{fixed} }], in => scratch());
        is_deeply([protocol_faults($name, $result)], [], "$name: fixed work");
    }
    return ("$TREE/$arch->{name}", @emulator);
}

subtest 'i386, 32 bit' => sub {
    my $arch   = $ARCH{i386};
    my $static = runs_natively($arch) ? 'LDFLAGS=-static' : q{};
    my ($programs, @emulator) = programs_work($arch, $static);
    my $most = 2**31 - 1;
    my $far  = run([@emulator, "$programs/pipe", '-n', $most + 1]);
    like($far->{err}, qr/^ERROR\|loops must be a whole number from 1 to $most,/, 'the largest number of loops');

    # The counter of this program overflows several times in a second.
    my $flags = '-std=c17 -O1 -Wall -Wextra -Werror -Isrc ' . ($static ? '-static' : q{});
    is(shell($TREE, "$arch->{compiler} $flags -o overflow '$FindBin::Bin/overflow.c'"), q{}, 'a program is built');
    my $result = run([@emulator, "$TREE/overflow"]);
    my ($count) = count_of($result);
    is($result->{out}, "$count\n", 'a counter that overflows is added up') or diag $result->{err};
    cmp_ok($count, '>', 2**32, 'to more than 32 bits');

    # Old functions fail for files whose numbers need more than 32 bits.
    my $old = qr/ U ((?:f?open|f?stat|l?stat|lseek|readdir|nftw|mkstemp|fcntl)[@].*)$/m;
    my @old = map { shell($TREE, "$arch->{compiler} -O1 -std=c17 src/$_.c -o o.out && nm -D o.out") =~ /$old/g }
        qw(fstime looper context1);
    is_deeply(\@old, [], 'large file numbers are known');
};

subtest 's390x, big-endian' => sub { programs_work($ARCH{s390x}, q{}) };

done_testing;
