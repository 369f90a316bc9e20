package UnixBench::Catalog;

# The catalog of tests, categories and aliases: the only table that usage, plan, reports and documentation read.
# Features declare further ones, which follow those of the core.
#
# Features also tell what they know of tests. Such a feature declares of_tests => { key => class }: the key of a test at
# which it has what was measured after the passes, and whose type has the same name; or the name of a test. The class
# has some of these methods:
#   check       takes what was measured; dies with one line if it makes no sense
#   counts      takes the same; returns { name => count a loop }, see UnixBench::Score::Work
#   shortfall   takes a test of a run; returns in words what it did not do although it was measured, such as "3 lines
#               failed", or undef
#   complaints  takes the same; returns a line for each part of that

use strict;
use warnings;

use List::Util ();

use UnixBench::Base::Text ();
use UnixBench::Features   ();

# Categories of features, each with its tests.
my @ADDED = UnixBench::Features::list('tests');

use constant GRAPHICS => (kind => 'graphics', copies_max => 1, is_optional => 1, is_graphics => 1);

# The categories. Besides name, subject and title (the subject's benchmarks) they have these optional keys:
#   brief        the subject where there is little room, unless it is the subject itself
#   kind         the word for its tests in messages, as in "graphics tests"
#   copies_max   the largest sensible number of copies at once
#   is_optional  the programs of its tests may be missing
#   is_graphics  its tests need a display
#   system       the only system on which its tests can be measured
#   remedy       what to do if its program is missing
#   loops        the word for the loops of its tests, if it is another one
#   is_apart     the alias "all" does not include its tests
#   tests        [its tests], if it is one of a feature; its name is their alias, unless a test has this name
my @CATEGORIES = map { +{ %$_, title => "$_->{subject} Benchmarks" } } (
    { name => 'system', subject => 'System', brief => q{} },
    { name => '2d',     subject => '2D Graphics', brief => '2D', GRAPHICS },
    {
        name    => '3d',
        subject => '3D Graphics',
        brief   => '3D',
        remedy  => 'install the graphics package, or build it: ./Run --setup ubgears',
        GRAPHICS
    },
    { name => 'misc', subject => 'Non-Index' },
    @ADDED,
);

# For each length of tests: the default number of passes; and two numbers, from which the number given by -i gives that
# of passes: add the first to it and divide by the second, without a rest, but it is at least 1.
my %PASSES = (
    long  => [10, 0, 1],
    short => [3,  1, 3],
    once  => [1,  0, 1],
    few   => [5,  0, 1],
);

# The needs of one copy of a test at its peak, unless the test has other values. They were measured on Linux with glibc,
# and rounded up.
#   processes   the copy and the processes that it starts
#   memory_kb   its memory, including the kernel's part
#   scratch_kb  its files below UB_TMPDIR
#   text_kb     its files there that are made from the text of the shell tests, to be multiplied by MULTI_SH_WORK_FACTOR
#   cpus        the CPUs that it uses at a time
my %NEEDS = (processes => 1, memory_kb => 256, scratch_kb => 0, text_kb => 0, cpus => 1);

# The seconds of a short pass, by default and for a command that looper starts in each loop; and those of a pass that
# only warms up. A short pass with fewer than ten loops would measure their number too coarsely: then it has the coarse
# seconds, a tenth of the official ones, and at least 1.
use constant { SHORT_S => 0.3, SHORT_LOOPER_S => 0.6, WARM_S => 0.1, COARSE_PART => 0.1, COARSE_LEAST_S => 1 };

# The needs of a program that has one child at a time.
use constant PAIR => { processes => 2, memory_kb => 512 };

# The needs of graphics tests with Xvfb.
#   GL   Mesa's software renderer with a thread for each CPU, at most 32
#   X11  x11perf, and Perl, which starts it
use constant {
    GL  => { processes => 40, memory_kb => 196_608, cpus => 32 },
    X11 => { processes => 8,  memory_kb => 98_304,  cpus => 2 },
};

# The arguments of _test: name, title, category, length (a key of %PASSES), seconds, command, and further keys. The
# tests of features have the same keys. The command is a program in UB_BINDIR and its arguments; features have it as a
# list. UnixBench::Plan replaces {seconds}, {repeats}, {bindir},
# {tmpdir} and {scratch} by their values. {whole} becomes -w in short passes, and is removed in others.
#
# The further keys:
#   overhead_s        the time that a pass takes in addition to its seconds
#   shortened         more arguments, for a pass that does not have the official length
#   input             a file in UB_TESTDIR for standard input
#   tool              a program of the system without which the test is skipped
#   runs              [programs of the system that the test, or a script of it, runs], except interpreters of scripts
#   limit_s           the time limit of a copy, if it does not follow from the seconds
#   needs             the values that differ from %NEEDS
#   short_s           seconds of a short pass
#   coarse_s          the same if ten loops take longer than short_s
#   short_overhead_s  overhead_s of a short pass, by default a tenth
#   writes            the test writes files: a short pass waits for pages that are on their way to the disk
#   timed             what the seconds are: "all" of a copy's time (default); the time of its "work", which it reports
#                     and which other work may precede; "answers" if it takes its own time and reports the times of its
#                     answers; "none" if it takes its own time
#   loops_at_once     the loops between two looks at the time (default: 1)
#   computes          a copy waits for nothing but a CPU. So its CPU time shows how much other load can explain at most
#   fixed_work        { arguments, loops_each }, for a program that takes a whole pass to find out how much work fits
#                     into a pass. It does that in the first short pass only. Later passes have these arguments, in
#                     which {loops} is replaced by the score of a copy, times loops_each, times the seconds
#   load              the module of the load from which the words in braces, the needs and the time come, see
#                     UnixBench::Plan::Test and UnixBench::Call::Request. Its sub asked takes the options and the
#                     machine, and returns the load; planned takes this and the test, and returns what the plan needs;
#                     in_procedure takes options and load, and returns keys of the procedure
#   search            the keys of another form of the test, which has the same name
#   software          [what the test needs, see UnixBench::Setup::Software]
#<<< a table
my @TESTS = (
    _test('dhry2reg', 'Dhrystone 2 using register variables', 'system', 'long', 10, 'dhry2reg {seconds}',
        computes => 1),
    _test('whetstone-double', 'Double-Precision Whetstone', 'system', 'long', 10, 'whetstone-double',
        shortened => [qw(-t {seconds})], overhead_s => 1, short_overhead_s => 0.1, timed => 'none', computes => 1,
        fixed_work => { arguments => [qw(-n {loops})], loops_each => 0.1 }),
    _test('syscall',  'System Call Overhead',         'system', 'long',  10, 'syscall {seconds}',
        computes => 1),
    _test('context1', 'Pipe-based Context Switching', 'system', 'long',  10, 'context1 {seconds}', needs => PAIR,
        shortened => [qw(-l {placing})], short_overhead_s => 0.2, timed => 'work'),
    _test('pipe',     'Pipe Throughput',              'system', 'long',  10, 'pipe {seconds}',
        computes => 1),
    _test('spawn',    'Process Creation',             'system', 'short', 30, 'spawn {seconds}', needs => PAIR),
    _test('execl',    'Execl Throughput',             'system', 'short', 30, 'execl {seconds}',
        computes => 1),
    _file_tests('fstime',   1024, 2000),
    _file_tests('fsbuffer', 256,  500),
    _file_tests('fsdisk',   4096, 8000),
    (map { _shell_test($_) } 1, 8, 16),
    _graphics_test('rects',    'rectangles'),
    _graphics_test('lines',    'lines'),
    _graphics_test('circle',   'circles'),
    _graphics_test('ellipse',  'ellipses'),
    _graphics_test('shapes',   'polygons'),
    _graphics_test('aashapes', 'aa polygons'),
    _graphics_test('polys',    'complex polygons'),
    _graphics_test('text',     'text'),
    _graphics_test('blit',     'images and blits'),
    _graphics_test('window',   'windows'),
    _test('ubgears', '3D graphics: gears', '3d', 'short', 20, 'ubgears -time {seconds} -v',
        shortened => [qw(-warmup {warmup})], overhead_s => 5, short_s => 2, timed => 'work', needs => GL),
    _test('C', 'C Compiler Throughput (gcc)', 'misc', 'short', 60,
        'looper {whole} {seconds} gcc -o {scratch}/cctest cctest.c', runs => ['gcc'],
        short_s => 6,
        needs => { processes => 4, memory_kb => 12_288, scratch_kb => 256 }),
    _test('arithoh', 'Arithoh', 'misc', 'short', 10, 'arithoh {seconds}', computes => 1),
    (map { _test($_, "Arithmetic Test ($_)", 'misc', 'short', 10, "$_ {seconds}", computes => 1) }
            qw(short int long float double)),
    _test('dc', 'Dc: sqrt(2) to 99 decimal places', 'misc', 'short', 30, 'looper {whole} {seconds} dc',
        input => 'dc.dat', runs => ['dc'], short_s => SHORT_LOOPER_S,
        needs => { %{ +PAIR }, scratch_kb => 4096 }),
    _test('hanoi', 'Recursion Test -- Tower of Hanoi', 'misc', 'short', 20, 'hanoi {seconds}', computes => 1),
    _test('grep', q{Grep a large file (system's grep)}, 'misc', 'short', 30,
        'looper {whole} {seconds} grep -c gimp large.txt', runs => ['grep'], short_s => SHORT_LOOPER_S,
        needs => { %{ +PAIR }, scratch_kb => 128 }),
    _test('sysexec', 'Exec System Call Overhead', 'misc', 'long', 10, 'syscall {seconds} exec', needs => PAIR,
        runs => ['/bin/true']),
    (map { _of_category($_) } @ADDED),
);
#>>>

my %TEST = map { $_->{name} => $_ } @TESTS;

# Each alias with its list of tests. An alias in a list stands for its own tests.
my @ALIASES = (
    [arithmetic => qw(arithoh short int long float double whetstone-double)],
    [dhry       => qw(dhry2reg)],
    [dhrystone  => qw(dhry2reg)],
    [whets      => qw(whetstone-double)],
    [whetstone  => qw(whetstone-double)],
    [load       => qw(shell1 shell8 shell16)],
    [shell      => qw(shell1 shell8 shell16)],
    [misc       => qw(C dc hanoi)],
    [oldsystem  => qw(execl fstime fsbuffer fsdisk pipe context1 spawn syscall)],
    [system     => qw(oldsystem shell1 shell8 shell16)],
    [speed      => qw(arithmetic system)],
    [fs         => map { ("$_-w", "$_-r", $_) } qw(fstime fsbuffer fsdisk)],
    [index      => qw(dhry2reg whetstone-double oldsystem shell1 shell8)],
    [graphics   => qw(2d-rects 2d-ellipse 2d-aashapes 2d-text 2d-blit 2d-window ubgears)],
    [gindex     => qw(index graphics)],
    (map { [$_->{name} => map { $_->{name} } @{ $_->{tests} }] } grep { !$TEST{ $_->{name} } } @ADDED),
    [all => map { $_->{name} } grep { !category($_->{category})->{is_apart} } @TESTS],
);

my %ALIAS = map { $_->[0] => [@$_[1 .. $#$_]] } @ALIASES;

# Returns all tests, in the order of the table.
sub tests { return @TESTS }

# Takes a name; returns the test of that name, or undef.
sub test { my ($name) = @_; return $TEST{$name} }

# Takes the name of a program; returns the names of the tests that run it.
sub tests_by {
    my ($program) = @_;
    return map { $_->{name} } grep { $_->{command}[0] eq $program } @TESTS;
}

# Returns the categories in the order of the report, with the keys that are described above.
sub categories { return @CATEGORIES }

# Takes a name, or undef as of an unknown test; returns the category of that name, or undef.
sub category {
    my ($name) = @_;
    return List::Util::first { defined $name && $_->{name} eq $name } @CATEGORIES;
}

# Takes a test or an index; returns whether its category draws on a display.
sub is_graphics { my ($of) = @_; return (category($of->{category}) || {})->{is_graphics} }

# Returns the names of all aliases, in the order of the table.
sub aliases {
    return map { $_->[0] } @ALIASES;
}

# Takes the name of a test or an alias; returns the names of the tests that it stands for, or nothing if it is unknown.
sub expand {
    my ($name) = @_;
    return map { $_ eq $name ? $_ : expand($_) } @{ $ALIAS{$name} } if $ALIAS{$name};
    return $TEST{$name} ? $name : ();
}

# Takes an unknown name; returns the most similar known name, or undef if none is similar. Prefers tests to aliases.
sub nearest {
    my ($wrong, @others) = @_;
    return UnixBench::Base::Text::nearest($wrong, (sort keys %TEST), (sort keys %ALIAS), @others);
}

# Takes a test, and the number given by -i, or undef; returns the number of passes.
sub passes {
    my ($test, $iterations) = @_;
    my ($default, $plus, $per) = passes_rule($test);
    return defined $iterations ? List::Util::max(1, int(($iterations + $plus) / $per)) : $default;
}

# Takes a test; returns the three numbers from which passes() comes, see %PASSES.
sub passes_rule { my ($test) = @_; return @{ $PASSES{ $test->{length} } } }

# Takes the name of a method and a key; returns the class of a feature that has this method, or undef.
sub known_by { my ($method, $key) = @_; return UnixBench::Features::class(of_tests => $method, $key) }

# Takes the name of a method and a test; returns what the method returns of what was measured after its passes.
sub of_measured {
    my ($method, $test) = @_;
    my @keys = grep { $test->{$_} && known_by($method, $_) } keys %{ UnixBench::Features::merged('of_tests') };
    return map { known_by($method, $_)->$method($test->{$_}) } @keys;
}

# Takes a test of a run; returns its shortfall in words, or undef if there is none.
sub shortfall {
    my ($test) = @_;
    my $class = known_by(shortfall => $test->{name});
    return $class && scalar $class->shortfall($test);
}

# Takes a test of a run; returns a line for each part of its shortfall.
sub complaints {
    my ($test) = @_;
    my $class = known_by(complaints => $test->{name});
    return $class ? $class->complaints($test) : ();
}

sub _test {
    my ($name, $title, $category, $length, $seconds, $command, %more) = @_;
    my %test;
    @test{qw(name title category length seconds)} = ($name, $title, $category, $length, $seconds);
    return _complete({ %test, command => [split ' ', $command], %more });
}

sub _of_category {
    my ($category) = @_;
    return map { _complete({ %$_, category => $category->{name} }) } @{ $category->{tests} };
}

sub _complete {
    my ($test) = @_;
    return {
        shortened        => [],
        overhead_s       => 0,
        timed            => 'all',
        loops_at_once    => 1,
        short_s          => SHORT_S,
        coarse_s         => List::Util::max(COARSE_LEAST_S, $test->{seconds} * COARSE_PART),
        short_overhead_s => ($test->{overhead_s} || 0) * COARSE_PART,
        %$test,
        needs => { %NEEDS, %{ $test->{needs} || {} } },
    };
}

# Takes the first part of the tests' names, the buffer size in bytes, and the size of a file in blocks of 1 KB.
# Returns the three tests of that size. Writing and reading use one file, copying uses two. In addition to its 30
# seconds, a file test waits until the disk has settled: 4 s before it writes or reads, 3 s before it copies. Reading
# also primes the file once, copying twice: each time takes 4 s to settle and 2 s of work. In a short pass the tests
# do not wait, and each priming takes 0.1 s. When a test writes, it looks at the time after each whole file.
sub _file_tests {
    my ($name, $size, $blocks) = @_;
    my $what  = "$size bufsize $blocks maxblocks";
    my $count = $blocks * 1024 / $size;
    my $make  = sub {
        my ($suffix, $verb, $flag, $overhead_s, $short_overhead_s) = @_;
        my $files = $flag eq '-c' ? 2 : 1;
        return _test(
            "$name$suffix", "File $verb $what", 'system', 'short', 30,
            "fstime $flag -t {seconds} -d {tmpdir} -b $size -m $blocks",
            shortened        => [qw(-p {priming} -s {settling})],
            overhead_s       => $overhead_s,
            short_overhead_s => $short_overhead_s,
            writes           => 1,
            timed            => 'work',
            loops_at_once    => $flag eq '-w' ? $count : 1,
            needs            => { scratch_kb => $files * $blocks }
        );
    };
    return (
        $make->('-w', 'Write', '-w', 4,  0),
        $make->('-r', 'Read',  '-r', 10, 0.1),
        $make->('',   'Copy',  '-c', 15, 0.2),
    );
}

# Takes the number of scripts at once; returns the test. Its processes are looper, multi.sh, and for each script tst.sh
# with its longest pipeline, of three programs. The files of each script are the sorted text, its dump, which is four
# times as long, and the lines found.
sub _shell_test {
    my ($concurrent) = @_;
    return _test(
        "shell$concurrent",
        "Shell Scripts ($concurrent concurrent)",
        'system', 'short', 60,
        "looper {whole} {seconds} {bindir}/multi.sh $concurrent",
        short_s  => SHORT_LOOPER_S,
        coarse_s => 2,
        runs     => [qw(sort od grep tee wc rm)],
        needs    => {
            processes => 2 + 4 * $concurrent,
            memory_kb => 640 + 512 * $concurrent,
            text_kb   => 64 * $concurrent,
            cpus      => $concurrent,
        }
    );
}

# Takes a group and its name in the title; returns the test. Each of the group's four tests of x11perf is repeated three
# times, or run once in a short pass, for these seconds. Before that, x11perf measures its own synchronisation and the
# test for about three seconds each, or in a short pass for a moment. That takes longer on slower displays.
sub _graphics_test {
    my ($group, $what) = @_;
    return _test(
        "2d-$group", "2D graphics: $what", '2d', 'short', 2, "gfx-x11 $group {repeats} {seconds}",
        shortened        => ['-s'],
        overhead_s       => 50,
        short_overhead_s => 4,
        tool             => 'x11perf',
        timed            => 'none',
        limit_s          => 300,
        needs            => X11
    );
}

1;
