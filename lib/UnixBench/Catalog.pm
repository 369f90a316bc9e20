package UnixBench::Catalog;

# Every test and every alias: the one table that usage, plan, reports and documentation read.

use strict;
use warnings;

use List::Util ();

use constant NAME_MAX => 40;    # what is longer is no misspelt name
use constant GRAPHICS => (kind => 'graphics', copies_max => 1, is_optional => 1, is_graphics => 1);

# kind: what its tests are called, where they differ from others. copies_max: how many copies at once make sense;
# is_optional: the suite may be without their programs; is_graphics: they need a display; system: they can be measured
# there only; is_apart: the alias "all" does not mean them.
my @CATEGORIES = (
    { name => 'system', title => 'System Benchmarks' },
    { name => '2d',     title => '2D Graphics Benchmarks', GRAPHICS },
    { name => '3d',     title => '3D Graphics Benchmarks', GRAPHICS },
    { name => 'misc',   title => 'Non-Index Benchmarks' },
    {
        name        => 'interactive',
        title       => 'Interactivity Benchmarks',
        kind        => 'interactive',
        copies_max  => 1,
        is_optional => 1,
        system      => 'Linux',
        is_apart    => 1,
    },
    {
        name        => 'multiuser',
        title       => 'Multi-User Benchmarks',
        kind        => 'multi-user',
        copies_max  => 1,
        is_optional => 1,
        is_apart    => 1,
    },
);

# Passes when nothing else is asked for, and how a number asked for by -i becomes the number of passes.
my %PASSES = (
    long  => { default => 10, of_iterations => sub { $_[0] } },
    short => { default => 3,  of_iterations => sub { List::Util::max(1, int(($_[0] + 1) / 3)) } },
    once  => { default => 1,  of_iterations => sub { $_[0] } },
    few   => { default => 5,  of_iterations => sub { $_[0] } },
);

# What a copy of a test needs at one moment, unless the test says otherwise. processes: itself and what it starts;
# memory_kb: its share of memory, with the kernel's part; scratch_kb: files below UB_TMPDIR; text_kb: what
# the text of the shell tests makes there, times MULTI_SH_WORK_FACTOR; output_kb: what a pass prints.
# Measured on Linux with glibc, and rounded up.
my %NEEDS = (processes => 1, memory_kb => 256, scratch_kb => 0, text_kb => 0, output_kb => 0);

# A short pass compared with a long one.
use constant { SHORT_PART => 0.1, SHORT_LEAST_S => 1 };

# A program and one child at a time.
use constant PAIR => { processes => 2, memory_kb => 512 };

# With Xvfb. Mesa's software renderer has a thread for each CPU, at most 32; x11perf is started by Perl. Interactive
# tests, on few CPUs: the capacity has a thread for each stream, Hack forty processes for each four CPUs, Compile two
# files, each of at most a tenth of what is free.
use constant {
    STREAMS => { processes => 100, memory_kb => 32_768 },
    MIX     => { processes => 60,  memory_kb => 65_536,  scratch_kb => 262_144 },
    GL      => { processes => 40,  memory_kb => 196_608, output_kb  => 64 },
    X11     => { processes => 8,   memory_kb => 98_304,  output_kb  => 64 },
};

# The arguments of a test: name, title, category, passes, seconds; then the command, a program in UB_BINDIR and its
# arguments, in which {seconds}, {repeats}, {bindir}, {tmpdir} and {scratch} are filled in, {whole} in short passes
# only. Further keys:
#   overhead_s        what a pass takes beside its seconds
#   shortened         arguments for a pass of another than the official length
#   input             a file in UB_TESTDIR that is standard input
#   tool              a program of the system that it measures with
#   limit_s           time limit of a copy, if its seconds tell little about it
#   needs             see %NEEDS
#   short_s           seconds of a short pass, by default a tenth of the official ones, and at least 1
#   short_overhead_s  the same of overhead_s, by default a tenth
#   fixed_work        { arguments, loops_each }: if it takes a whole pass to find out how much work fits into one, this
#                     is done once; then {loops} is the score of a copy, times loops_each and the seconds
#   has_users         it plays what UnixBench::Plan::UserLoad says: {users}, {think}, {scale}, {script}, {limit}, its
#                     needs and its time come from there
#   search            what differs if it looks for the largest number of users
#   observed          what differs if its calls are observed: more arguments, and first, a command that runs before each
#                     copy
#<<< a table
my @TESTS = (
    _test('dhry2reg', 'Dhrystone 2 using register variables', 'system', 'long', 10, 'dhry2reg {seconds}'),
    _test('whetstone-double', 'Double-Precision Whetstone', 'system', 'long', 10, 'whetstone-double',
        shortened => [qw(-t {seconds})], overhead_s => 1, short_overhead_s => 0.1,
        fixed_work => { arguments => [qw(-n {loops})], loops_each => 0.1 }),
    _test('syscall',  'System Call Overhead',         'system', 'long',  10, 'syscall {seconds}'),
    _test('context1', 'Pipe-based Context Switching', 'system', 'long',  10, 'context1 {seconds}', needs => PAIR),
    _test('pipe',     'Pipe Throughput',              'system', 'long',  10, 'pipe {seconds}'),
    _test('spawn',    'Process Creation',             'system', 'short', 30, 'spawn {seconds}', short_s => 1,
        needs => PAIR),
    _test('execl',    'Execl Throughput',             'system', 'short', 30, 'execl {seconds}', short_s => 1),
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
        shortened => [qw(-warmup {warmup})], overhead_s => 5, needs => GL),
    _test('C', 'C Compiler Throughput (gcc)', 'misc', 'short', 60,
        'looper {whole} {seconds} gcc -o {scratch}/cctest cctest.c',
        needs => { processes => 4, memory_kb => 12_288, scratch_kb => 256 }),
    _test('arithoh', 'Arithoh', 'misc', 'short', 10, 'arithoh {seconds}'),
    (map { _test($_, "Arithmetic Test ($_)", 'misc', 'short', 10, "$_ {seconds}") } qw(short int long float double)),
    _test('dc', 'Dc: sqrt(2) to 99 decimal places', 'misc', 'short', 30, 'looper {whole} {seconds} dc',
        input => 'dc.dat', needs => { %{ +PAIR }, scratch_kb => 4096, output_kb => 1024 }),
    _test('hanoi', 'Recursion Test -- Tower of Hanoi', 'misc', 'short', 20, 'hanoi {seconds}'),
    _test('grep', q{Grep a large file (system's grep)}, 'misc', 'short', 30,
        'looper {whole} {seconds} grep -c gimp large.txt',
        needs => { %{ +PAIR }, scratch_kb => 128, output_kb => 128 }),
    _test('sysexec', 'Exec System Call Overhead', 'misc', 'long', 10, 'syscall {seconds} exec', needs => PAIR),
    _interactive_test('capacity', 'Interactive Capacity', 3, '--capacity', overhead_s => 42, short_overhead_s => 18,
        needs => STREAMS),
    _interactive_test('response', 'Interactive Response', 5, '--mix --fixed --max-disk 256M', overhead_s => 37,
        short_s => 2, short_overhead_s => 15, needs => MIX),
    _test('multiuser', 'Multi-User Script', 'multiuser', 'once', 60,
        'multiuser --users {users} --think {think} --scale {scale} --script {script} --home {scratch}',
        has_users => 1, search => {
            title => 'Multi-User Capacity', length => 'few', command => [qw(multiuser --find-capacity --limit {limit}
            --think {think} --scale {scale} --script {script} --home {scratch})] }),
);
#>>>

my %TEST = map { $_->{name} => $_ } @TESTS;

# In an alias's list an earlier alias stands for its own tests.
my @ALIASES = (
    [arithmetic  => qw(arithoh short int long float double whetstone-double)],
    [dhry        => qw(dhry2reg)],
    [dhrystone   => qw(dhry2reg)],
    [whets       => qw(whetstone-double)],
    [whetstone   => qw(whetstone-double)],
    [load        => qw(shell1 shell8 shell16)],
    [shell       => qw(shell1 shell8 shell16)],
    [misc        => qw(C dc hanoi)],
    [oldsystem   => qw(execl fstime fsbuffer fsdisk pipe context1 spawn syscall)],
    [system      => qw(oldsystem shell1 shell8 shell16)],
    [speed       => qw(arithmetic system)],
    [fs          => map { ("$_-w", "$_-r", $_) } qw(fstime fsbuffer fsdisk)],
    [index       => qw(dhry2reg whetstone-double oldsystem shell1 shell8)],
    [graphics    => qw(2d-rects 2d-ellipse 2d-aashapes 2d-text 2d-blit 2d-window ubgears)],
    [gindex      => qw(index graphics)],
    [interactive => qw(interactive-capacity interactive-response)],
    [all         => map { $_->{name} } grep { !category($_->{category})->{is_apart} } @TESTS],
);

my %ALIAS = map { $_->[0] => [@$_[1 .. $#$_]] } @ALIASES;

# Every test, in the table's order.
sub tests { return @TESTS }

# The test of that name, or undef.
sub test { my ($name) = @_; return $TEST{$name} }

# The categories in report order, each { name, title, kind, copies_max, is_optional, is_graphics, system, is_apart }.
sub categories { return @CATEGORIES }

# The category of that name, or undef.
sub category {
    my ($name) = @_;
    return List::Util::first { $_->{name} eq $name } @CATEGORIES;
}

# The names of all aliases, in the table's order.
sub aliases {
    return map { $_->[0] } @ALIASES;
}

# The names of the tests that a test's name or an alias stands for; empty for an unknown name.
sub expand {
    my ($name) = @_;
    return map { $_ eq $name ? $_ : expand($_) } @{ $ALIAS{$name} } if $ALIAS{$name};
    return $TEST{$name} ? $name : ();
}

# The known name that is nearest to an unknown one, rather a test than an alias; undef when none is near.
sub nearest {
    my ($wrong) = @_;
    return if length $wrong > NAME_MAX;
    my %distance = map  { $_ => _distance(lc $wrong, lc $_) } keys %TEST, keys %ALIAS;
    my ($best)   = sort { $distance{$a} <=> $distance{$b} || !$TEST{$a} <=> !$TEST{$b} || $a cmp $b } keys %distance;
    return $distance{$best} <= List::Util::max(1, length($wrong) / 3) ? $best : undef;
}

# A test that has users as it is where the most users are looked for.
sub as_search {
    my ($test) = @_;
    return { %$test, %{ $test->{search} } };
}

# The passes of a test, for a number given by -i or, without one, the official ones.
sub passes {
    my ($test, $iterations) = @_;
    my $kind = $PASSES{ $test->{length} };
    return defined $iterations ? $kind->{of_iterations}->($iterations) : $kind->{default};
}

sub _test {
    my ($name, $title, $category, $length, $seconds, $command, %more) = @_;
    my $needs = delete $more{needs} || {};
    return {
        name             => $name,
        title            => $title,
        category         => $category,
        length           => $length,
        seconds          => $seconds,
        command          => [split ' ', $command],
        shortened        => [],
        overhead_s       => 0,
        needs            => { %NEEDS, %$needs },
        short_s          => List::Util::max(SHORT_LEAST_S, $seconds * SHORT_PART),
        short_overhead_s => ($more{overhead_s} || 0) * SHORT_PART,
        %more
    };
}

# Beside its 30 seconds a file test settles (4 s before writing or reading, 3 s before copying) and primes its files
# (2 s each); in a short pass it only primes them, for 0.3 s each. It copies from one file to another, and writes or
# reads one. Where calls are counted it finds that file filled, so that it does nothing but its loop.
sub _file_tests {
    my ($name, $size, $blocks) = @_;
    my $what   = "$size bufsize $blocks maxblocks";
    my $count  = $blocks * 1024 / $size;
    my $fill   = "fstime -w -n $count -b $size -m $blocks -d {scratch} -f {scratch}/filled";
    my %filled = (first => [split q{ }, $fill], arguments => [qw(-f {scratch}/filled)]);
    my $make   = sub {
        my ($suffix, $verb, $flag, $overhead_s, $short_overhead_s) = @_;
        my $files = $flag eq '-c' ? 2 : 1;
        return _test(
            "$name$suffix", "File $verb $what", 'system', 'short', 30,
            "fstime $flag -t {seconds} -d {tmpdir} -b $size -m $blocks",
            shortened        => [qw(-p {priming} -s {settling})],
            overhead_s       => $overhead_s,
            short_s          => 1,
            short_overhead_s => $short_overhead_s,
            writes           => 1,
            observed         => $flag eq '-w' ? undef : \%filled,
            needs            => { scratch_kb => $files * $blocks }
        );
    };
    return (
        $make->('-w', 'Write', '-w', 4,  0),
        $make->('-r', 'Read',  '-r', 10, 0.3),
        $make->('',   'Copy',  '-c', 15, 0.6),
    );
}

# looper, multi.sh, and for each tst.sh its longest pipeline, of three. Its files are the sorted text, the dump of
# that, four times as long, and the lines found.
sub _shell_test {
    my ($concurrent) = @_;
    return _test(
        "shell$concurrent",
        "Shell Scripts ($concurrent concurrent)",
        'system', 'short', 60,
        "looper {whole} {seconds} {bindir}/multi.sh $concurrent",
        short_s => 2,
        needs   => {
            processes => 2 + 4 * $concurrent,
            memory_kb => 640 + 512 * $concurrent,
            text_kb   => 64 * $concurrent,
        }
    );
}

# A group's four tests are each repeated three times, in a short pass once, for these seconds, and x11perf calibrates
# itself before: the longer, the slower the display.
sub _graphics_test {
    my ($group, $what) = @_;
    return _test(
        "2d-$group", "2D graphics: $what", '2d', 'short', 2, "gfx-x11 $group {repeats} {seconds}",
        overhead_s => 50,
        tool       => 'x11perf',
        limit_s    => 300,
        needs      => X11
    );
}

# interbench makes several measurements in a pass: trials with more and fewer streams, each of these seconds, or one for
# each of four loads; and before each it warms up. The score needs 1,000 frames a load that have a value, of 1,000 a
# second; on a busy machine the last ones have none, hence short passes of 2 s.
sub _interactive_test {
    my ($name, $title, $seconds, $mode, %more) = @_;
    return _test(
        "interactive-$name", $title, 'interactive', 'once', $seconds,
        "interbench $mode --protocol -c -t {seconds} --warmup {lead}",
        short_s => 1,
        limit_s => 600,
        %more
    );
}

# Edits that turn one word into the other (Levenshtein).
sub _distance {
    my ($from, $to) = @_;
    my @row = (0 .. length $to);
    for my $i (1 .. length $from) {
        my ($diagonal, @next) = ($row[0], $i);
        for my $j (1 .. length $to) {
            my $same = substr($from, $i - 1, 1) eq substr($to, $j - 1, 1);
            $next[$j] = List::Util::min($row[$j] + 1, $next[$j - 1] + 1, $row[$j - 1] + ($same ? 0 : 1));
        }
        @row = @next;
    }
    return $row[-1];
}

1;
