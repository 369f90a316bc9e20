# The modules of multiuser with known answers, by a driver in C.

use strict;
use warnings;

use FindBin    qw($Bin);
use List::Util qw(max);
use POSIX      ();
use Test::More;

use lib map { "$Bin/$_" } qw(lib ../lib ../../../t/lib);
use CDriver               qw(driver said_by);
use HostTree              qw(host_tree recorded_files);
use Needs                 qw(need_compiler);
use Place                 qw(file_with);

need_compiler();

my $DRIVER = driver('units', qw(meters proc random script stats));

# Takes the lines that the driver reads, and its words; returns the lines that it prints.
sub said_of_lines {
    my ($lines, @words) = @_;
    my $file = file_with(join q{}, map { "@$_\n" } @$lines);
    return said_by('sh', '-c', "'$DRIVER' @words <'$file'");
}

# Pauses

# Takes the seed, the least and the most seconds, the user and the count; returns that many pauses in seconds.
sub pauses_s {
    my (@of) = @_;
    return map { $_ / 1e9 } said_by($DRIVER, 'pauses', @of);
}

subtest 'pauses are uniform' => sub {
    my ($least, $most, $count) = (2, 15, 10_000);
    my @seeds = ([1, 0], [1, 1], [2, 0], [999, 1999]);
    for my $of (@seeds) {
        my @drawn    = sort { $a <=> $b } pauses_s($of->[0], $least, $most, $of->[1], $count);
        my @expected = map  { $least + ($most - $least) * ($_ + 0.5) / $count } 0 .. $count - 1;
        my $distance = max(map { abs($drawn[$_] - $expected[$_]) } 0 .. $count - 1) / ($most - $least);

        # Kolmogorov-Smirnov test: 1.95 / sqrt(n) is exceeded in one of a thousand samples. The seeds are fixed.
        cmp_ok $distance,  '<',  1.95 / sqrt $count, "seed $of->[0], user $of->[1]: uniform";
        cmp_ok $drawn[0],  '>=', $least,             'no pause is too short';
        cmp_ok $drawn[-1], '<=', $most,              'no pause is too long';
    }
};

subtest 'pauses depend on seed and user only' => sub {
    is_deeply [pauses_s(1, 2, 15, 3, 100)], [pauses_s(1, 2, 15, 3, 100)], 'the same seed and user give the same pauses';
    isnt "@{[pauses_s(1, 2, 15, 3, 5)]}", "@{[pauses_s(2, 2, 15, 3, 5)]}", 'another seed gives other pauses';
    isnt "@{[pauses_s(1, 2, 15, 3, 5)]}", "@{[pauses_s(1, 2, 15, 4, 5)]}", 'another user has other pauses';
};

# Response times

# Tests that a list is the expected count and the expected nanoseconds, in seconds.
sub is_said {
    my ($said, $expected, $name)    = @_;
    my (undef, $count,    @seconds) = split q{ }, $said;
    my ($expected_count, @ns) = @$expected;
    is($count, $expected_count, "$name: count");
    my @off = grep { abs($seconds[$_] * 1e9 - $ns[$_]) > 1e-9 * (1 + $ns[$_]) } 0 .. 5;
    is("@off", '', "$name: mean, p50, p90, p95, p99, max") or diag("@seconds, not @ns");
    return;
}

#<<< a table: nanoseconds; mean, p50, p90, p95, p99, max
my @RESPONSES = (
    ['no response',               [],             [0, 0, 0, 0, 0, 0]],
    ['one response',              [7],            [7, 7, 7, 7, 7, 7]],
    ['eleven responses',          [1 .. 11],      [6, 6, 10, 11, 11, 11]],
    ['twenty responses',          [1 .. 20],      [10.5, 10, 18, 19, 20, 20]],
    ['a hundred responses',       [reverse 1 .. 100], [50.5, 50, 90, 95, 99, 100]],
    ['ties',                      [1, (2) x 17, 3, 3], [2.05, 2, 2, 3, 3, 3]],
    ['a response before its start counts as 0', [-5, 5], [2.5, 0, 5, 5, 5, 5]],
    ['a large and a small one', [9_000_000_000_000_000_000, 2], [4_500_000_000_000_000_001, 2, 9e18, 9e18, 9e18, 9e18]],
);
#>>>
for my $case (@RESPONSES) {
    my ($name, $ns, $expected) = @$case;
    my ($all, $of) = said_of_lines([map { [0, sprintf '%.0f', $_] } @$ns], qw(responses 1 10));
    is_said($all, [scalar @$ns, @$expected], $name);
    is_said($of,  [scalar @$ns, @$expected], "$name, as a class");
}

# Four classes, one of them without responses; room for one response at first.
my @of_four = said_of_lines([map { [(0, 1, 3)[$_ % 3], $_] } 1 .. 300], qw(responses 4 1));
is_said($of_four[0],           [300, 150.5, 150, 270, 285, 297, 300], 'all of four classes');
is_said($of_four[$_->[0] + 1], $_->[1],                               "class $_->[0]")
    for [0, [100, 151.5, 150, 270, 285, 297, 300]], [1, [100, 149.5, 148, 268, 283, 295, 298]], [2, [0, (0) x 6]];

# Searches

#<<< a table: kind, amount, start, most, limit; users, value, whether it is the least, what was tried
my @SEARCHES = (
    ['step',  20,   20, 1000, 2, 20, undef,      0, [20, 40, 30, 25, 22, 21]],
    ['step',  7,    20, 1000, 2, 7,  undef,      0, [20, 10, 5, 7, 8]],
    ['step',  2,    20, 1000, 2, 2,  undef,      0, [20, 10, 5, 3, 2]],
    ['step',  100,  1,  1000, 2, 100, undef,     0, [2, 4, 8, 16, 32, 64, 128, 96, 112, 104, 100]],
    ['step',  1e10,  20, 64,   2, 64, 64,         1, [20, 40, 64]],
    ['step',  1e10,  64, 64,   2, 64, 64,         1, [64]],
    ['step',  1e10,  20, 1,    2, 1,  1,          1, []],
    ['step',  1e10,  20, 2147483647, 2, 2147483647, 2147483647, 1, [(map { 20 * 2**$_ } 0 .. 26), 2147483647]],
    # If p95 grows by a power of the users, the interpolation gives the exact value.
    ['power', 1,    20, 1000, 2,   2,  2,        0, [20, 10, 5, 3, 2]],
    ['power', 0.25, 20, 1000, 2,   16, 16,       0, [20, 10, 15, 17, 16]],
    ['power', 0.3,  20, 1000, 2,   10, 2**(1 / 0.3), 0, [20, 10, 15, 12, 11]],
    ['power', 0.1,  20, 5000, 2,   1000, 1024,   0, undef],

    # A p95 equal to the limit is within it.
    ['line',  10,   11, 12,   2, 11, 11,         0, [11, 12]],

    # A limit that even the single user exceeds.
    ['line',  10,   20, 100,  0.5, 1, 1,         0, [20, 10, 5, 3, 2]],
);
#>>>
my @found = said_of_lines([map { [@$_[0 .. 4]] } @SEARCHES], 'search');
for my $case (@SEARCHES) {
    my ($kind, $amount, $start, $most, $limit, $users, $value, $is_least, $tried) = @$case;
    my ($found, $is, $is_bound, @trials) = split q{ }, shift @found;
    my $name = "$kind $amount, from $start up to $most, within $limit";
    is($found,    $users,    "$name: users") if defined $users;
    is($is_bound, $is_least, "$name: whether the value is a lower bound");
    cmp_ok(abs($is - $value), '<', 1e-6, "$name: value") if defined $value;
    is_deeply(\@trials, $tried, "$name: the numbers of users that are tried") if $tried;
}

# Meters

my $TREES  = "$Bin/data/trees";
my $TICK_S = 1 / POSIX::sysconf(POSIX::_SC_CLK_TCK());

# Takes two trees, or other words for the driver; returns the known meters, { name => value }.
sub known {
    my %value = map { split } said_by($DRIVER, 'meters', @_);
    return { map { $_ => 0 + $value{$_} } grep { $value{$_} >= 0 } keys %value };
}

# Takes the name of a recorded tree; returns the directory that has it.
sub recorded { return host_tree(recorded_files($_[0], $TREES)) }

sub near { return abs($_[0] - $_[1]) < 1e-6 }

# Tests that exactly the expected meters are known, with these values. A reference is a number of ticks, whose length
# depends on the system.
sub is_all {
    my ($known, $expected, $name) = @_;
    is_deeply([sort keys %$known], [sort keys %$expected], "$name: which meters are known");
    for my $meter (sort keys %$expected) {
        my $value = ref $expected->{$meter} ? ${ $expected->{$meter} } * $TICK_S : $expected->{$meter};
        ok(near($known->{$meter} // -9, $value), "$name: $meter") or diag($known->{$meter} // 'not known');
    }
    return;
}

#<<< a table; references are ticks
my %ALL = (
    'machine.elapsed_s'         => 3.25,
    'machine.cpu_user_s'        => \4530,       # includes nice, and already the time of guests
    'machine.cpu_system_s'      => \1500,
    'machine.cpu_irq_s'         => \60,
    'machine.cpu_steal_s'       => \10,
    'machine.cpu_idle_s'        => \1000,
    'machine.cpu_iowait_s'      => 0,           # goes backwards in the tree
    'machine.faults_minor'      => 1_250_200,
    'machine.faults_major'      => 50,
    'machine.switches'          => 250_000,
    'machine.forks'             => 12_000,
    'machine.interrupts'        => 100_000,
    'machine.memory_most_kb'    => 1_900_000,
    'machine.pressure_cpu_s'    => 12.25,
    'machine.pressure_io_s'     => 0.5001,
    'machine.pressure_memory_s' => 0,
    'group.cpu_user_s'          => 42.250123,
    'group.cpu_system_s'        => 13.05,
    'group.faults_minor'        => 1_200_280,
    'group.faults_major'        => 40,
    'group.memory_most_kb'      => 153_600,     # the peak that rose during the load
);
#>>>
is_all(known(recorded('before'), recorded('after')), \%ALL, 'all meters');
is_all(
    known(recorded('before'), recorded('before')),
    {
        (map { $_ => 0 } keys %ALL),
        'machine.elapsed_s'      => 3.25,
        'machine.memory_most_kb' => 1_500_000,
        'group.memory_most_kb'   => 51_200,
    },
    'nothing changed'
);
is_deeply(known(host_tree('/x' => ''), host_tree('/x' => '')), { 'machine.elapsed_s' => 3.25 }, 'no files: the time');

# Takes a function that changes { path => text } before and after; returns the known meters.
sub changed {
    my ($change) = @_;
    my @roots;
    for my $when (qw(before after)) {
        my %text = recorded_files($when, $TREES);
        $change->(\%text, $when);
        push @roots, host_tree(%text);
    }
    return known(@roots);
}

sub without {
    my ($pattern) = @_;
    return sub {
        my ($text) = @_;
        delete @$text{ grep { /$pattern/ } keys %$text };
    };
}

sub replaced {
    my ($path, $from, $to) = @_;
    return sub { my ($text) = @_; $text->{$path} =~ s/$from/$to/ or die "$path has no $from\n" };
}

# Name, change, pattern of the meters that are then unknown, and meters with another value. The rest stays.
#<<< a table
my @CHANGES = (
    ['no files of pressure',         without('pressure'),    qr/pressure/],
    ['no file stat',                 without('proc/stat'),   qr/machine[.](?:cpu|switches|forks|interrupts)/],
    ['the group is invalid',         replaced('/proc/self/cgroup', '.*', 'not a group'), qr/group/],
    ['no peak of memory',            without('peak'),        qr/^$/, 'group.memory_most_kb' => 92_160],
    ['no MemAvailable',              replaced('/proc/meminfo', "MemAvailable.*\n", ''), qr/^$/,
        'machine.memory_most_kb' => 2_890_000],
    ['four columns of time',         replaced('/proc/stat', '^(cpu( +\d+){4}).*', 'cpu 1 2 3 4'),
        qr/machine[.]cpu_(?:irq|steal|iowait)/, map { ("machine.cpu_${_}_s" => 0) } qw(user system idle)],
    ['more major faults than faults', replaced('/proc/vmstat', 'pgfault \d+', 'pgfault 7'), qr/faults_minor$/,
        'group.faults_minor' => 1_200_280],
    ['the path leads out of the groups', replaced('/proc/self/cgroup', '::/.*', '::/../user.slice'),
        qr/group[.](?:memory|faults)/, map { ("group.cpu_${_}_s" => 0) } qw(user system)],
    ['beside groups of version 1',
        sub {
            my ($text) = @_;
            $text->{s{/cgroup/}{/cgroup/unified/}r} = delete $text->{$_} for grep { m{^/sys/fs/cgroup/} } keys %$text;
            $text->{'/proc/self/cgroup'} = "9:name=x:/y\n4:memory:/user.slice\n$text->{'/proc/self/cgroup'}";
        }, qr/^$/],
);
#>>>
for my $case (@CHANGES) {
    my ($name, $change, $unknown, %values) = @$case;
    my %expected = (%ALL, %values);
    delete @expected{ grep { /$unknown/ && !exists $values{$_} } keys %expected };
    is_all(changed($change), \%expected, $name);
}

# Invalid files.
my @JUNK = ("\0" x 50, "\xff" x 5000, "cpu\n", "pgfault\npgmajfault 5", 'some total=');

for my $junk (@JUNK) {
    my $known = changed(sub {
        my ($text) = @_;
        $text->{$_} = $junk for grep { !/procs/ } keys %$text;
    });
    is_deeply($known, { 'machine.elapsed_s' => 3.25 }, 'invalid files give only the elapsed time');
}

# Scripts

# Takes the text of a script and words for the driver; returns the lines that it is read as, then the classes.
sub read_of { my ($text, @words) = @_; return said_by($DRIVER, 'script', my $file = file_with($text), @words) }

sub is_read {
    my ($text, $expected, $name, @words) = @_;
    return is_deeply([read_of($text, @words)], $expected, $name);
}

my $OTHER = 'classes: other';
is_read("a\nls", ['1|0|other|1|a', '2|0|other|1|ls', $OTHER], 'the last line may have no newline');
is_read(
    "\n \nls\n\n# x\n  # y\n \tls -l ",
    ['3|0|other|1|ls', '7|0|other|1|ls -l ', $OTHER],
    'blank lines and comments'
);
is_read("echo 'a|b' \xe4\rb\n", ["1|0|other|1|echo 'a|b' \xe4\rb", $OTHER], 'bytes of all kinds are kept');
is_read("echo \\\\\n",          ['1|0|other|1|echo \\\\',          $OTHER], 'two backslashes at the end are kept');

# Expected exit statuses.
my %STATUS = (
    "cmp a b \t #=\tstatus  255 " => [255, 'cmp a b'],
    'a # status 1'                => [0,   'a # status 1'],
    'a#= status 1'                => [0,   'a#= status 1'],
    'a #= status 007'             => [7,   'a'],
    q{echo ' #= x' #= status 3}   => [3,   q{echo ' #= x'}],
    'echo ${x#=y}'                => [0,   'echo ${x#=y}'],
);
is_read("$_\n", ["1|$STATUS{$_}[0]|other|1|$STATUS{$_}[1]", $OTHER], "status: $_") for sort keys %STATUS;

# Classes, in the order of their first lines.
is_read(
    "a\n#= class tools\nb\n#= class c-tests\n#= class unused\n#= class tools\n#=class zebra \nc\n#= class tools\nd\n",
    ['1|0|other|1|a', '3|0|tools|1|b', '8|0|zebra|1|c', '10|0|tools|1|d', 'classes: other tools zebra'],
    'lines belong to the class before them'
);

# Scripts that are refused, and the message.
my $NAME    = '"#= class" needs a name of at most 31 small letters and hyphens';
my $UNKNOWN = 'unknown comment "#= ';
my $KNOWN   = '"; use class, extract, whole or status';
#<<< a table
my @WRONG = (
    ['',                    'the script has no commands'],
    ["a\nb\0c\n",           'line 2 contains a zero byte; remove it'],
    ["a\n\nls\r\n",         'line 3 ends with a carriage return; end each line with a newline only'],
    ["a\nls \\\n-l\n",      'line 2 ends with a backslash; write the whole command in one line'],
    ["#= class\na",         "line 1: $NAME"],
    ['#= class ' . 'a' x 32, "line 1: $NAME"],
    ["#= class all\na",     'line 1: the name "all" stands for all lines; use another name for the class'],
    ["#= extract 40\na",    'line 1: "#= extract" takes no value; leave it out'],
    ["#= status 1\na",      'line 1: "#= status" must follow a command in the same line'],
    ["  #= clas tools\na",  "line 1: ${UNKNOWN}clas$KNOWN"],
    ['a #= status 256',     'line 1: "#= status" needs a whole number from 0 to 255'],
    ['a #= status 1 #= status 2', 'line 1: "#= status" needs a whole number from 0 to 255'],
    ['a #= class b',        'line 1: only "#= status" may follow a command'],
    ["x\n" x 100_001,       'line 100001: the script has more than 100000 lines'],
);
#>>>
for my $case (@WRONG) {
    my ($text, $why) = @$case;
    is_read($text, ["wrong: $why"], "wrong: $why");
}

# The extract: the lines that a search runs.
my $many = "#= class a\n" . "a\n" x 30 . "#= class b\n" . "b #= status 2\n" x 30 . "#= class c\n" . "c\n" x 30;
my @read = read_of($many);
is_deeply([map { (split /[|]/)[3] } @read[0 .. 89]], [(1) x 40, (0) x 50], 'without marks: the first forty');
my @extract = read_of($many, 'extract');
is_deeply([@extract], [@read[0 .. 39], 'classes: a b'], 'an extract has only its lines and their classes');

my $marked =
    "#= class a\na\n#= extract\n#= class b\nb\n#= whole\nc\n#= class a\n#= extract\n#= extract\nd #= status 4\n";
is_read(
    $marked,
    ['2|0|a|0|a', '5|0|b|1|b', '7|0|b|0|c', '11|4|a|1|d', 'classes: a b'],
    'marks set the lines of the extract'
);
is_read($marked, ['5|0|b|1|b', '11|4|a|1|d', 'classes: b a'], 'the marked lines are the extract', 'extract');

done_testing;
