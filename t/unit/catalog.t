use strict;
use warnings;

use Test::More;

use UnixBench::Catalog;

# The tests whose scores are published: name, category, passes, official seconds, command, title. Later tests may follow
# in any place.
my @TABLE = map { [split / *[|] */] } grep { /\S/ } split /\n/, <<'TABLE';
dhry2reg         | system | 10 | 10 | dhry2reg 10                     | Dhrystone 2 using register variables
whetstone-double | system | 10 | 10 | whetstone-double                | Double-Precision Whetstone
syscall          | system | 10 | 10 | syscall 10                      | System Call Overhead
context1         | system | 10 | 10 | context1 10                     | Pipe-based Context Switching
pipe             | system | 10 | 10 | pipe 10                         | Pipe Throughput
spawn            | system | 3  | 30 | spawn 30                        | Process Creation
execl            | system | 3  | 30 | execl 30                        | Execl Throughput
fstime-w         | system | 3  | 30 | fstime -w -t 30 -d T -b 1024 -m 2000 | File Write 1024 bufsize 2000 maxblocks
fstime-r         | system | 3  | 30 | fstime -r -t 30 -d T -b 1024 -m 2000 | File Read 1024 bufsize 2000 maxblocks
fstime           | system | 3  | 30 | fstime -c -t 30 -d T -b 1024 -m 2000 | File Copy 1024 bufsize 2000 maxblocks
fsbuffer-w       | system | 3  | 30 | fstime -w -t 30 -d T -b 256 -m 500   | File Write 256 bufsize 500 maxblocks
fsbuffer-r       | system | 3  | 30 | fstime -r -t 30 -d T -b 256 -m 500   | File Read 256 bufsize 500 maxblocks
fsbuffer         | system | 3  | 30 | fstime -c -t 30 -d T -b 256 -m 500   | File Copy 256 bufsize 500 maxblocks
fsdisk-w         | system | 3  | 30 | fstime -w -t 30 -d T -b 4096 -m 8000 | File Write 4096 bufsize 8000 maxblocks
fsdisk-r         | system | 3  | 30 | fstime -r -t 30 -d T -b 4096 -m 8000 | File Read 4096 bufsize 8000 maxblocks
fsdisk           | system | 3  | 30 | fstime -c -t 30 -d T -b 4096 -m 8000 | File Copy 4096 bufsize 8000 maxblocks
shell1           | system | 3  | 60 | looper 60 B/multi.sh 1          | Shell Scripts (1 concurrent)
shell8           | system | 3  | 60 | looper 60 B/multi.sh 8          | Shell Scripts (8 concurrent)
shell16          | system | 3  | 60 | looper 60 B/multi.sh 16         | Shell Scripts (16 concurrent)
2d-rects         | 2d     | 3  | 2  | gfx-x11 rects 3 2               | 2D graphics: rectangles
2d-lines         | 2d     | 3  | 2  | gfx-x11 lines 3 2               | 2D graphics: lines
2d-circle        | 2d     | 3  | 2  | gfx-x11 circle 3 2              | 2D graphics: circles
2d-ellipse       | 2d     | 3  | 2  | gfx-x11 ellipse 3 2             | 2D graphics: ellipses
2d-shapes        | 2d     | 3  | 2  | gfx-x11 shapes 3 2              | 2D graphics: polygons
2d-aashapes      | 2d     | 3  | 2  | gfx-x11 aashapes 3 2            | 2D graphics: aa polygons
2d-polys         | 2d     | 3  | 2  | gfx-x11 polys 3 2               | 2D graphics: complex polygons
2d-text          | 2d     | 3  | 2  | gfx-x11 text 3 2                | 2D graphics: text
2d-blit          | 2d     | 3  | 2  | gfx-x11 blit 3 2                | 2D graphics: images and blits
2d-window        | 2d     | 3  | 2  | gfx-x11 window 3 2              | 2D graphics: windows
ubgears          | 3d     | 3  | 20 | ubgears -time 20 -v             | 3D graphics: gears
C                | misc   | 3  | 60 | looper 60 gcc -o S/cctest cctest.c | C Compiler Throughput (gcc)
arithoh          | misc   | 3  | 10 | arithoh 10                      | Arithoh
short            | misc   | 3  | 10 | short 10                        | Arithmetic Test (short)
int              | misc   | 3  | 10 | int 10                          | Arithmetic Test (int)
long             | misc   | 3  | 10 | long 10                         | Arithmetic Test (long)
float            | misc   | 3  | 10 | float 10                        | Arithmetic Test (float)
double           | misc   | 3  | 10 | double 10                       | Arithmetic Test (double)
dc               | misc   | 3  | 30 | looper 30 dc                    | Dc: sqrt(2) to 99 decimal places
hanoi            | misc   | 3  | 20 | hanoi 20                        | Recursion Test -- Tower of Hanoi
grep             | misc   | 3  | 30 | looper 30 grep -c gimp large.txt | Grep a large file (system's grep)
sysexec          | misc   | 10 | 10 | syscall 10 exec                 | Exec System Call Overhead
TABLE

# The categories of features, whose tests are not part of "all". An alias has such a name, too.
my %is_apart = map { $_->{name} => 1 } grep { $_->{is_apart} } UnixBench::Catalog::categories();

my $ARITHMETIC = 'arithoh short int long float double whetstone-double';
my $OLDSYSTEM  = 'execl fstime fsbuffer fsdisk pipe context1 spawn syscall';
my $SHELL      = 'shell1 shell8 shell16';
my $INDEX      = "dhry2reg whetstone-double $OLDSYSTEM shell1 shell8";
my $GRAPHICS   = '2d-rects 2d-ellipse 2d-aashapes 2d-text 2d-blit 2d-window ubgears';
my %ALIAS      = (
    arithmetic => $ARITHMETIC,
    (map { $_ => 'dhry2reg' } qw(dhry dhrystone)),
    (map { $_ => 'whetstone-double' } qw(whets whetstone)),
    (map { $_ => $SHELL } qw(load shell)),
    misc      => 'C dc hanoi',
    oldsystem => $OLDSYSTEM,
    system    => "$OLDSYSTEM $SHELL",
    speed     => "$ARITHMETIC $OLDSYSTEM $SHELL",
    fs        => 'fstime-w fstime-r fstime fsbuffer-w fsbuffer-r fsbuffer fsdisk-w fsdisk-r fsdisk',
    index     => $INDEX,
    graphics  => $GRAPHICS,
    gindex    => "$INDEX $GRAPHICS",
    all       => join(q{ }, map { $_->{name} } grep { !$is_apart{ $_->{category} } } UnixBench::Catalog::tests()),
);

my %NEAREST = (
    pips               => 'pipe',
    sycall             => 'syscall',
    Pipe               => 'pipe',
    shell2             => 'shell1',
    'fs-time'          => 'fstime',
    dhrystones         => 'dhrystone',
    'whetstone_double' => 'whetstone-double',
    indx               => 'index',
    ALL                => 'all',
    'something-else'   => undef,
    zzz                => undef,
);

my %IN_WORDS = (
    T => '{tmpdir}',
    B => '{bindir}',
    S => '{scratch}',
);

my %is_published = map { $_->[0] => 1 } @TABLE;
is_deeply(
    [grep { $is_published{$_} } map { $_->{name} } UnixBench::Catalog::tests()],
    [map { $_->[0] } @TABLE],
    'the catalog has all tests, in their order'
);

for my $row (@TABLE) {
    my ($name, $category, $passes, $seconds, $command, $title) = @$row;
    my $test = UnixBench::Catalog::test($name);
    is($test->{title},                    $title,    "title of $name");
    is($test->{category},                 $category, "category of $name");
    is(UnixBench::Catalog::passes($test), $passes,   "passes of $name");
    is($test->{seconds},                  $seconds,  "seconds of $name");
    $command =~ s{\b([TBS])(?=[ /]|\z)}{$IN_WORDS{$1}}g;
    my $words = "@{ $test->{command} }";
    $words =~ s/[{]seconds[}]/$seconds/;
    $words =~ s/[{]repeats[}]/3/;
    $words =~ s/[{]whole[}] //;
    is($words, $command, "command of $name");
    is_deeply([UnixBench::Catalog::expand($name)], [$name], "$name stands for itself") if !$ALIAS{$name};
}

is_deeply([sort grep { !$is_apart{$_} } UnixBench::Catalog::aliases()], [sort keys %ALIAS], 'all its aliases');
is(join(q{ }, UnixBench::Catalog::expand($_)), $ALIAS{$_}, "tests of the alias $_") for sort keys %ALIAS;
is_deeply([UnixBench::Catalog::expand($_)], [], "'$_' is not a test") for 'Pipe', 'pipe ', q{}, 'grep.*';

is(UnixBench::Catalog::nearest($_), $NEAREST{$_}, "name nearest to $_") for sort keys %NEAREST;

subtest '-i sets the number of passes' => sub {
    my ($long, $short) = map { UnixBench::Catalog::test($_) } qw(pipe spawn);
    my %short = (1 => 1, 2 => 1, 3 => 1, 4 => 1, 5 => 2, 8 => 3, 10 => 3, 30 => 10);
    for my $n (sort { $a <=> $b } keys %short) {
        is(UnixBench::Catalog::passes($long,  $n), $n,         "-i $n: passes of a test with 10");
        is(UnixBench::Catalog::passes($short, $n), $short{$n}, "-i $n: passes of a test with 3");
    }
};

subtest 'the catalog has its categories' => sub {
    is_deeply([grep { !$is_apart{$_} } map { $_->{name} } UnixBench::Catalog::categories()],
        [qw(system 2d 3d misc)], 'categories are in the order of reports');
    my @limits = map { UnixBench::Catalog::category($_)->{copies_max} } qw(system 2d 3d misc);
    is_deeply(\@limits, [undef, 1, 1, undef], 'graphics tests run as one copy');
    is(UnixBench::Catalog::category('misc')->{title}, 'Non-Index Benchmarks', 'title of a category');
    my @warnings;
    local $SIG{__WARN__} = sub { push @warnings, @_ };
    is_deeply([UnixBench::Catalog::category(undef), @warnings], [undef], 'an unknown test has none, without a warning');
};

done_testing();
