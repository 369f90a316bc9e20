package MadeLog;

# Logs of measure.sh with right numbers and checks: an official one, in which dhry2reg and pipe have four passes with 1
# copy and with 2, and fstime one; and a quick one with three rounds of 2 copies. Passes have a hundredth of their time.

use strict;
use warnings;

use Exporter 'import';

use UnixBench::Target::Lines ();
use UnixBench::Version       ();

our @EXPORT_OK = qw(doubled log_of official quick raw_line);

use constant { MARK => 'm0123456789ab', BEGAN => 1_795_692_297 };

my @PLAN = ("version|$UnixBench::Version::VERSION", 'factor|0.01', 'work|1', 'cpus|2', 'gate|1', 'execl|execl');

my @FACTS = (
    'uname|s Linux',
    'uname|n vm',
    'uname|r 6.18.44',
    'uname|m x86_64',
    'uname|o GNU/Linux',
    (map { ("/proc/cpuinfo|processor : $_", '/proc/cpuinfo|model name : AMD EPYC') } 0, 1),
    '/proc/meminfo|MemTotal:       24683656 kB',
    '/proc/self/cgroup|0::/board',
    '/proc/self/mountinfo|30 29 0:26 / /cg rw - cgroup2 cgroup2 rw',
    '/cg/board/cpu.max|30000 100000',
    '/cg/memory.max|50331648',
    '/usr/lib/unixbench/pgms/build.info|compiler=gcc',
    'tool sort|BusyBox v1.35.0 multi-call binary.',
);

# The command, the seconds and the line with the count of each test.
my %OFFICIAL = (
    dhry2reg => ['{bindir}/dhry2reg 0.1',                                                 0.1, '1920207|1|lps'],
    pipe     => ['{bindir}/pipe 0.1',                                                     0.1, '59636|1|lps'],
    fstime   => ['{bindir}/fstime -c -t 0.3 -d {tmpdir} -b 1024 -m 2000 -p 0.02 -s 0.01', 0.3, '208617|0|KBps'],
);
my %QUICK = (
    'pipe'             => ['{bindir}/pipe 0.01',                          0.01, '4215|1|lps'],
    'whetstone-double' => ['{bindir}/whetstone-double -n 1',              0.01, '6485.307|0|MWIPS'],
    'shell1'           => ['{bindir}/looper -w 0.01 {bindir}/multi.sh 1', 0.01, '1|60|lpm'],
);

# Returns the lines of the official log, "KIND|...".
sub official {
    my @tests = ([dhry2reg => 4], [pipe => 4], [fstime => 1]);
    my @plan  = ('format|3', @PLAN, 'kind|official', 'copies|1 2', map { "passes|$_->[0] $_->[1]" } @tests);
    my @lines = ((map { "plan|$_" } @plan), map { "fact|$_" } @FACTS);
    for my $copies (1, 2) {
        for my $test (@tests) {
            my ($name, $passes) = @$test;
            push @lines, (map { _pass($copies, $name, $_, $OFFICIAL{$name}) } 1 .. $passes),
                "made|$copies|$name|$passes|0";
        }
    }
    return (@lines, 'end|' . (1 + @lines));
}

# Returns those of the quick log.
sub quick {
    my @tests = sort keys %QUICK;
    my @plan  = ('format|3', @PLAN, 'kind|quick', 'copies|2', 'seed|17', map { "passes|$_ 3" } @tests);
    my @lines = map { "plan|$_" } @plan;
    for my $round (1 .. 3) {
        push @lines, map { _pass(2, $_, $round, $QUICK{$_}) } @tests;
    }
    push @lines, map { "made|2|$_|3|0" } @tests;
    return (@lines, 'end|' . (1 + @lines));
}

# Returns the lines of a pass. Counts and times vary a little.
sub _pass {
    my ($copies, $test, $number, $of) = @_;
    my ($command, $seconds, $count) = @$of;
    my @said = map {
        ("said|$_|COUNT|$count", sprintf('said|%d|TIME|%.9f', $_, $seconds * (1 + 0.001 * $number)), "copy|$_|70$_|0")
    } 1 .. $copies;
    return ("pass|$copies|$test|$number|@{[BEGAN]}|$command", @said, 'done|' . (BEGAN + 1));
}

# Takes lines; returns the text of the log.
sub log_of {
    my (@lines) = @_;
    return join q{}, map { raw_line(1 + $_, $lines[$_]) } 0 .. $#lines;
}

# Takes the text of a log; returns it as measure.sh prints it where there is no cksum.
sub doubled { my ($text) = @_; return $text =~ s/^UB[|](.*)[|][0-9]+[|][.]$/UB|$1|$1|./gmr }

# Takes a number, a text and perhaps the mark of the log; returns the line with its check.
sub raw_line {
    my ($number, $line, $mark) = @_;
    my $checked = join q{|}, $mark // MARK, $number, length $line, $line;
    return "UB|$checked|" . UnixBench::Target::Lines::crc($checked) . "|.\n";
}

1;
