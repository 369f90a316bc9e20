# Tests of text reports in the forms in which UnixBench and its users write them, and of reports that are incomplete or
# contradict themselves.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use Place qw(text_of write_file);
use UnixBench::Features;
use UnixBench::Base::Time qw(iso_date);
use UnixBench::Store::ClassicReport;
use UnixBench::Store::ResultFile;

my $PLACE = File::Temp->newdir;
local $SIG{__WARN__} = sub { fail("Perl warns: @_") };

# Takes the name of a machine, its number of CPUs and numbers of copies; returns a report with a run for each of these.
# A machine with a longer name is faster.
sub report {
    my ($name, $cpus, @copies) = @_;
    return <<"END" . join q{}, map { one_run($cpus, $_, length($name) - 2) } @copies;
   BYTE UNIX Benchmarks (Version 5.1.3)

   System: $name: GNU/Linux
   OS: GNU/Linux -- 4.9.0 -- #1 SMP
   CPU 0: Example CPU (5000.0 bogomips)
          x86-64, MMX

END
}

sub one_run {
    my ($cpus, $copies, $factor) = @_;
    my ($rate, $times, $index) = map { sprintf '%.1f', $_ * $copies * ($factor // 1) } 1_244_000, 12_600, 1000;
    return <<"END";
------------------------------------------------------------------------
Benchmark Run: Tue Mar 03 2015 10:00:00 - 10:28:00
$cpus CPUs in system; running $copies parallel copies of tests

Pipe Throughput                              $rate lps   (10.0 s, 7 samples)
Process Creation                             $times lps   (30.0 s, 2 samples)

System Benchmarks Partial Index              BASELINE       RESULT    INDEX
Pipe Throughput                               12440.0    $rate   $index
Process Creation                                126.0    $times   $index
                                                                   ========
System Benchmarks Index Score (Partial Only)                          $index

END
}

# Takes a report; returns its runs, { cpus, copies, tests => [[title, score, unit, baseline, index], ...], index }.
sub runs_in {
    my ($report) = @_;
    my @runs;
    for (grep { /^Benchmark Run/ } split /^-{72}\n/m, $report) {
        my ($cpus, $copies) = /([0-9]+) CPUs in system; running ([0-9]+)/;
        my ($index) = /Index Score.* ([0-9.]+)$/m;
        my @tests = map { [split / {2,}| (?=lps)/] } /^([A-Z].* lps)\b/mg;
        for my $test (@tests) {
            push @$test, /^$test->[0] +([0-9.]+) +$test->[1] +([0-9.]+)$/m;
        }
        push @runs, { cpus => $cpus, copies => $copies, tests => \@tests, index => $index };
    }
    return @runs;
}

sub cells {
    return join q{}, '<tr>', map({ "\n   <td><b>$_</b></td>" } @_), "\n</tr>\n";
}

# Takes a report; returns the page of UnixBench 5.
sub page {
    my ($report) = @_;
    my ($name)   = $report =~ /System: (.*?):/;
    my $title    = "Benchmark of $name / GNU/Linux on Tue Mar 03 2015";
    my $page =
          "<!DOCTYPE html>\n<html>\n<head><title>$title</title></head>\n<body>\n<h1>$title</h1>\n"
        . "<p><b>BYTE UNIX Benchmarks (Version 5.1.3)</b></p>\n<table>\n"
        . cells('System:', "$name: GNU/Linux")
        . cells('OS:',     'GNU/Linux -- 4.9.0 -- #1 SMP')
        . cells('CPUs:',   '0:', 'Example CPU (5000.0 bogomips)<br/>MMX')
        . "</table>\n";
    for my $run (runs_in($report)) {
        $page .=
              "<h2>Benchmark Run: $run->{cpus} CPUs; $run->{copies} parallel processes</h2>\n"
            . "<p>Time: 10:00:00 - 10:28:00; 28m 00s</p>\n<h3>System Benchmarks</h3>\n<table>\n"
            . cells(qw(Test Score Unit Time Iters. Baseline Index));
        $page .= cells(@$_[0 .. 2], '10.0 s', 7, @$_[3, 4]) for @{ $run->{tests} };
        $page .= cells('System Benchmarks Index Score:', $run->{index}) . "</table>\n";
    }
    return "$page</body>\n</html>\n";
}

sub csv {
    my @runs = runs_in(@_);
    return join "\n",
        map({ join q{,}, @$_ } ['Concurrency', map { $_->[0] } @{ $runs[0]{tests} }],
        map { [$_->{copies}, map { $_->[1] } @{ $_->{tests} }] } @runs),
        q{};
}

# Takes a report; returns the log of its runs.
sub logs {
    my $log = q{};
    for my $run (runs_in(@_)) {
        my ($copies, $of) = $run->{copies} == 1 ? ('1 copy', 'Results') : ("$run->{copies} copies", 'Sum');
        $log .= <<"END" for @{ $run->{tests} };
@{['#' x 56]}
$_->[0] -- $copies
==> "./pgms/test" 10

#### Pass 1

# COUNT0: 1000
# COUNT1: 1
# COUNT2: $_->[2]
# TIME: 10.0

Count score:       1001.0

>>>> $of of $copies
>>>> score: $_->[1]13
>>>> time: 10.000213
>>>> iterations: 7

END
    }
    return $log;
}

# The forms of a report, each with whether it has the name of the machine, and the numbers of copies.
my %FORM = (
    report   => [sub { $_[0] },                                                             1, 1],
    page     => [\&page,                                                                    1, 1],
    csv      => [\&csv,                                                                     0, 1],
    log      => [\&logs,                                                                    0, 1],
    sections => [sub { $_[0] =~ s/\A.*?(?=^-{72})//msr },                                   0, 1],
    tables   => [sub { join "\n", $_[0] =~ /^(System Benchmarks Partial.*?Only.*?\n)/msg }, 0, 0],
    comma    => [sub { $_[0] =~ s/(?<=[0-9])[.](?=[0-9](?: |\n))/,/gr },                    1, 1],
    mail     => [sub { join "\n", $_[0] =~ /^([0-9]+ CPUs in system.*|[A-Z].* lps)\b/mg },  0, 1],
    lava     =>
        [sub { $_[0] =~ s/(["\\])/\\$1/gr =~ s/^(.*)$/{"dt": "2024-03-01", "lvl": "target", "msg": "$1"}/gmr }, 1, 1],
);

for my $form (sort keys %FORM) {
    my ($of, $has_name, $has_copies) = @{ $FORM{$form} };
    for my $name ('one', 'three') {
        my $report = report($name, $name eq 'one' ? (4, 1, 4) : (2, 2));
        my @read   = UnixBench::Store::ClassicReport::summaries($of->($report));
        my (@told, @true);
        for my $read (@read) {
            push @told, map {
                [@$read{name}, $_->{copies}, map { sprintf '%s %.1f', @$_{qw(name score)} } @{ $_->{tests} }]
            } @{ $read->{runs} };
        }
        for my $run (runs_in($report)) {
            my ($pipe, $spawn) = map { $_->[1] } @{ $run->{tests} };
            push @true, [$has_name ? $name : undef, $has_copies ? $run->{copies} : undef, "pipe $pipe", "spawn $spawn"];
        }
        is_deeply(\@told, \@true, "$form: names, copies and scores");
        is(scalar @read, $has_copies ? 1 : @true, "$form: the number of reports");
    }
}

my $REPORT  = report('one', 4, 1, 4);
my $SINGLE  = report('one', 4, 1);
my ($TABLE) = $SINGLE =~ /^(System Benchmarks Partial Index.*)/ms;
my ($ROWS)  = $TABLE  =~ /\n(.*)/s;
my $NONE    = $REPORT =~ s/4 CPUs in system; running . parallel copies of tests\n//gr;
my ($WHOLE) = text_of("$FindBin::Bin/../../data/classic/1-copy") =~ /^(System Bench.*)/ms;

sub summary { return UnixBench::Store::ClassicReport::summary(@_) }

# Takes a text; returns the numbers of copies of its runs, "?" if one is unknown.
sub copies {
    my ($text) = @_;
    return join q{ }, map { $_->{copies} // q{?} } @{ summary($text)->{runs} };
}

sub names {
    my ($run) = @_;
    return join q{ }, map { "$_->{name}=$_->{score}" } @{ $run->{tests} };
}

# Takes a text; returns the error of reading it from a file, or an empty text.
sub said {
    my ($text) = @_;
    my $path = write_file("$PLACE/report", $text);
    return eval { UnixBench::Store::ResultFile::summary($path); q{} } // $@ =~ s/\A\Q$path\E is not a result: //r;
}

my $DATE   = 'Tue Mar 03 2015 10:00:00';
my $FIRST  = "#1 (one, $DATE)";
my $NEWEST = 'the newest of 2 reports in the same file was read';
my $TWO    = report('two', 4, 2);
my $OLDER  = $TWO    =~ s/2015/2014/r;
my $BARE   = $SINGLE =~ s/^System Benchmarks.*//msr;
my $UNREAD = 'results were not read, because of their numbers: Pipe Throughput';
my $SECOND = "$NEWEST: two, $DATE; not read: $FIRST";
my $EIGHT  = "4 CPUs in system; running 8 parallel copies of tests\n";
my $END    = qq{Run: "System Call Overhead": slave write failed (Broken pipe); aborting\n};
my $ENDED  = substr($END, 0, 60) . '...';

my $FORMER = <<'END';
  BYTE UNIX Benchmarks (Version 4.1.0)
  System -- Linux host 2.6.18 #1 SMP x86_64 GNU/Linux
  Start Benchmark Run: Sun Oct  7 10:00:00 EDT 2007

Dhrystone 2 using register variables      6527361.9 lps   (10.0 secs, 10 samples)
Pipe Throughput                            800000.0 lps   (10.0 secs, 10 samples)

                     INDEX VALUES
TEST                                        BASELINE     RESULT      INDEX

Dhrystone 2 using register variables        116700.0  6527361.9      559.3
Pipe Throughput                              12440.0   800000.0      643.1
                                                                 =========
     FINAL SCORE                                                     599.7
END

# Version 3 printed whole seconds, and indexes that are not multiplied by 10, with their sum and average.
my $THIRD = <<'END';
  BYTE UNIX Benchmarks (Version 3.11)
  System -- Linux host 2.0.36 #1 Sun Jan 3 10:00:00 EST 1999 i586 unknown
  Start Benchmark Run: Sat Feb  6 10:00:00 EST 1999
Dhrystone 2 without register variables     150000.0 lps   (10 secs, 6 samples)
Pipe-based Context Switching Test           13185.0 lps   (10 secs, 6 samples)
Shell scripts (8 concurrent)                    8.0 lpm   (60 secs, 3 samples)
                     INDEX VALUES
TEST                                        BASELINE     RESULT      INDEX
Pipe-based Context Switching Test             1318.5    13185.0       10.0
Shell scripts (8 concurrent)                     4.0        8.0        2.0
                                                                 =========
     SUM of  2 items                                                  12.0
     AVERAGE                                                           6.0
END
my $UNSAID = 'the number of copies is unknown; give it with --copies N, and the number of CPUs with --cpus N';

# [what, text, the copies of the runs that are read, the notes].
#<<< a table
my @READ = (
    ['one report',                      $REPORT,                          '1 4', q{}],
    ['a run with more CPUs',            $REPORT . one_run(8, 8),          '8',   "$NEWEST: $DATE; not read: $FIRST"],
    ['a run with the same copies',      $REPORT . one_run(4, 1),          '1',   "$NEWEST: $DATE; not read: $FIRST"],
    ['parts with a head of their own',  $SINGLE . report('one', 4, 4),    '1 4', q{}],
    ['the same the other way round',    report('one', 4, 4) . $SINGLE,    '4 1', q{}],
    ['parts of two kernels',            $SINGLE . report('one', 4, 4) =~ s/4[.]9[.]0/4.9.1/r, '4',
        "$NEWEST: one, $DATE; not read: $FIRST"],
    ['parts on other numbers of CPUs',  $SINGLE . report('one', 8, 4),    '4',
        "$NEWEST: one, $DATE; not read: $FIRST"],
    ['a section of another day',        $SINGLE . one_run(4, 4) =~ s/Mar 03/Mar 13/r, '4',
        "$NEWEST: Tue Mar 13 2015 10:00:00; not read: $FIRST"],
    ['another head',                    $REPORT . $TWO,                   '2',   $SECOND],
    ['another system',                  $REPORT . $TWO =~ s/.*Version.*\n//r, '2', $SECOND],
    ['an older report behind it',       $REPORT . $OLDER,                 '1 4',
        "$NEWEST: one, $DATE; not read: #2 (two, Tue Mar 03 2014 10:00:00)"],
    ['a report without a date',         $REPORT . $TWO =~ s/Benchmark Run.*//r, '2',
        "the last of 2 reports in the same file was read: two; not read: $FIRST"],
    ['one that contradicts itself',     $REPORT . $TWO =~ s/ 12440[.]0/ 1244.0/r, '1 4',
        'another report in the same file was left out: "Pipe Throughput" has the index 2000.0, but its result and '
            . 'baseline give 20000.0'],
    ['a run without its copies',        $REPORT =~ s/running 4 parallel copies of tests//r, '1 ?',
        $UNSAID],
    ['a result without a run',          $REPORT . "Pipe Throughput 5.0 lps (10.0 s, 7 samples)\n", '1 4',
        'results without a line of their own with the number of copies were not read: Pipe Throughput'],
    ['a result without samples',        $BARE =~ s/7 samples/0 samples/r,               '1', "$UNREAD (0 samples)"],
    ['blanks in a number',              $BARE =~ s/1244000[.]0 lps/1 244 000.0 lps/r,   '1', "$UNREAD 1 244 (000.0)"],
    (map { ["$_ is not a score",        $BARE =~ s/1244000[.]0 lps/$_ lps/r,            '1', "$UNREAD ($_)"] }
        qw(-5.0 1e400 nan inf 0x10 9882. .5), '1.244.000,0'),
    ['a run that was aborted later',    $REPORT . $END,                   '1 4', "the run ended early: $ENDED"],
    ['a part without results',
        "${REPORT}Benchmark Run: Tue Mar 03 2015 11:00:00 - 11:28:00\n$EIGHT",
        '1 4', 'the part for 8 copies has no results'],
    ['a number that was cut off',       $TABLE =~ s/(12440[.]0 +1244000[.]0 +)1000[.]0/${1}1000./r, q{?},
        "$UNSAID | $UNREAD (12440.0 1244000.0 1000.)"],
    ['a number without its decimal',    $SINGLE =~ s/(12440[.]0 +1244000[.]0 +)1000[.]0/${1}100/r, '1',
        "$UNREAD (12440.0 1244000.0 100)"],
    (map { ["an index score $_->[0]",    $SINGLE =~ s/^System.*Only.*\n/$_->[1]/mr, '1',
        'the line "System Benchmarks Index Score" is missing or cut off; the indexes of its 2 tests give 1000.0'] }
        ['that is missing', q{}], ['that is cut off', "System Benchmarks Index Score (Partial Only) 1000.\n"]),
    ['a sentence with the line of a run', "With 4 CPUs in system; running 4 parallel copies:\n$REPORT", '1 4', q{}],
    ['version 4',                       $FORMER,                          '1',   q{}],
    ['version 4 without its version',   $FORMER =~ s/^.*Version.*\n//r,   '1',   q{}],
    ['version 4 with a table alone',    $FORMER =~ s/^.*samples.*\n//gmr, '1',   q{}],
    ['a table of version 4',            $FORMER =~ s/.*(?=^TEST )//msr,   '1',   q{}],
);
#>>>
for my $case (@READ) {
    my ($what, $text, $copies, $notes) = @$case;
    is(copies($text),                              $copies, "$what: the runs");
    is(join(q{ | }, @{ summary($text)->{notes} }), $notes,  "$what: the notes");
}

my ($ROW)   = $SINGLE =~ /^(Pipe.*lps.*\n)/m;
my ($LINE)  = $SINGLE =~ /^(Pipe Throughput +12440.*\n)/m;
my $MISSING = 'but the indexes of its tests give 1443.3; these lines are missing: "Execl Throughput"';

# [what, text, why it is refused].
#<<< a table
my @REFUSED = (
    ['without copies and index',        $NONE =~ s/.*Index.*\n//gr =~ s/^.*[0-9]  +[0-9.]+  +[0-9.]+\n//gmr,
        'a report without the line "N CPUs in system; running N parallel copies of tests" before Pipe Throughput, and '
            . 'without a table of indexes'],
    ['a table without its index score', $ROWS =~ s/^System.*//mr,
        'a table of indexes without the line of its index score'],
    ['a row is missing',                $WHOLE =~ s/^Execl.*\n//mr,
        qq{"System Benchmarks" has the index score 1362.9, $MISSING}],
    ['numbers without a title',         "12440.0 5 6\n",                         'neither JSON nor a report'],
    ['two columns',                     "${EIGHT}Pipe Throughput 1244000.0 lps 1300000.0 lps\n",
        'lines of 1 test with several numbers each, which is not the form of a report; copy each report alone'],
    ['titles before colons',            "Pipe Throughput: 1244000.0\nExecl Throughput: 43.0\n",
        'lines of 2 tests, but not in the form of a report (TITLE SCORE UNIT, or TITLE BASELINE RESULT INDEX)'],
    ['an index score alone',            "System Benchmarks Index Score: 1540.2\n",
        join('; ', 'an index score without its tests', UnixBench::Features::steps(index => '1540.2'))],
    ['another unit',                    $SINGLE =~ s/ lps/ MWIPS/r, '"Pipe Throughput" is in MWIPS, not in lps'],
    (map { ['a line twice',             $SINGLE =~ s/\Q$_\E/$_$_/r,
        '"Pipe Throughput" stands twice in one run: it may have the lines of two reports'] } $ROW, $LINE),
    ['another result',                  $SINGLE =~ s/(12440[.]0 +)1244000[.]0/${1}9999999.9/r,
        '"Pipe Throughput" is 1244000 in the results, but 9999999.9 in the table of indexes'],
    ['another index',                   $SINGLE =~ s/(1244000[.]0 +)1000[.]0/${1}10000.0/r,
        '"Pipe Throughput" has the index 10000.0, but its result and baseline give 1000.0'],
    ['another baseline',                $SINGLE =~ s/ 12440[.]0/ 1244.0/r,
        '"Pipe Throughput" has the index 1000.0, but its result and baseline give 10000.0'],
    ['another index score',             $SINGLE =~ s/(Partial Only\) +)1000[.]0/${1}10000.0/r,
        '"System Benchmarks" has the index score 10000.0, but the indexes of its tests give 1000.0'],
    ['a result of a failed test',       $SINGLE =~ s/1244000[.]0 lps.*/no measured results: gone/r,
        '"Pipe Throughput" has no score in the results, but 1244000.0 in the table of indexes'],
    ['a run that was aborted',          "1 x Pipe Throughput  1 2 3\n\n$END",
        "the output of a run that ended without a report: $ENDED"],
    ['a run without results',           $EIGHT, 'a report without results'],
    ['a web page',                      '<html><table><tr><td>1</td></tr></table></html>',
        'a web page without data of a run; give another file of that run'],
    ['UTF-16',                          "\xff\xfe" . pack('v*', unpack 'C*', $REPORT),
        'UTF-16, not UTF-8; convert it with iconv'],
);
#>>>
is(said($_->[1]),                                                   "$_->[2]\n", "refused: $_->[0]") for @REFUSED;
is(said($SINGLE =~ s/^(.*)$/{"log":"$1\\n","stream":"stdout"}/gmr), q{}, 'a log of Docker is not refused as JSON');

is(summary("Concurrency,Pipe Throughput\n1,5.0\n")->{runs}[0]{tests}[0]{unit}, 'lps', 'a CSV file has the usual units');

my $page = summary(page($SINGLE));
is_deeply([$page->{date}, $page->{facts}{'cpu.models'}], [$DATE, '1 x Example CPU'], 'a page has a date and its CPUs');

subtest 'version 3 has results, and no index of this suite' => sub {
    my $summary = summary($THIRD);
    my ($run) = @{ $summary->{runs} };
    is_deeply([@$summary{qw(version name date notes)}], ['3.11', 'host', 'Sat Feb 6 1999 10:00:00', []], 'its head');
    is(names($run), 'Dhrystone 2 without register variables=150000 context1=13185 shell8=8', 'its results');
    is_deeply([$run->{indexes}, map { $_->{baseline} // () } @{ $run->{tests} }], [[]], 'nothing of its table');
};

# [what, text, numbers of copies that the user gives, the name and the copies of the runs of each report].
my ($RESULTS) = $SINGLE       =~ /^(Pipe.*samples.*)/ms;
my ($CUT)     = one_run(4, 4) =~ s/Benchmark Run.*\n//r;
#<<< a table
my @TOGETHER = (
    ['each run gets a number',              $NONE,                        [1, 4],   'one 1 4'],
    ['a number that the report has stays',  $REPORT =~ s/running 4 parallel copies of tests//r, [8], 'one 1 8'],
    ['twice the same number',               $NONE,                        [4, 4],   'one 4, one 4'],
    ['two tables',                          "single:\n${TABLE}multi:\n$TABLE", [1, 4], '? 1 4'],
    ['two tables of as many copies',        "before:\n${TABLE}after:\n$TABLE", [96, 96], '? 96, ? 96'],
    ['a table after a known machine',       "$REPORT\n$TABLE",            [1, 4],   'one 1 4, ? 1'],
    ['a table before a section',            "$TABLE\n$CUT",               [],       '? ?, ? 4'],
    ['the same, with a date',               $TABLE . one_run(4, 4),       [],       '? ?, ? 4'],
    ['the same, with the same number',      "$TABLE\n$CUT",               [4],      '? 4, ? 4'],
    ['results before a section',            "$RESULTS\n$CUT",             [],       '? ?, ? 4'],
    ['a system without a name',             $SINGLE =~ s/one: /: /r,      [],       '? 1'],
    ['a page without its line of copies',   page($SINGLE) =~ s/<h2>.*\n//r, [],    '? ?'],
    ['two logs',                            logs($SINGLE) . logs($SINGLE), [],      '? 1, ? 1'],
    ['a log after a report',                $SINGLE . logs($SINGLE),      [],       'one 1, ? 1'],
    ['a log without a score',               logs($REPORT) =~ s/^>>>> score: .*\n//mr, [], '? 1 4'],
    (map { ['after a whole section',        "$REPORT\n## old server\n$_", [], 'one 1 4, ? ?'] } $TABLE, $ROWS,
        $RESULTS),
);
#>>>
for my $case (@TOGETHER) {
    my ($what, $text, $given, $expected) = @$case;
    my @all  = UnixBench::Store::ClassicReport::summaries($text, copies => $given, cpus => 4);
    my @told = map {
        join q{ }, $_->{name} // q{?},
            map { $_->{copies} // q{?} }
            @{ $_->{runs} }
    } @all;
    is(join(', ', @told), $expected, "together: $what");
    is_deeply([grep { defined } map { $_->{facts}{'cpu.models'} } grep { !defined $_->{name} && @all > 1 } @all],
        [], 'without a name, there are no facts');
}

# [date as it is printed, the same in ISO 8601 without the time of day, or undef].
my @DATES = (
    ["\xe6\x97\xa5 3\xe6\x9c\x88 18 2018",                '2018-03-18'],
    ["\xe6\x9c\x88  5\xe6\x9c\x88 26 2025",               '2025-05-26'],
    ["\xec\x9b\x94  5\xec\x9b\x94 26 2025",               '2025-05-26'],
    ["\xe9\x87\x91 12 04 2020",                           '2020-12-04'],
    ["2018\xe5\xb9\xb4 3\xe6\x9c\x88 18\xe6\x97\xa5",     '2018-03-18'],
    ["So M\xc3\xa4r 18 2018",                             '2018-03-18'],
    ["So M\xe4r 18 2018",                                 '2018-03-18'],
    ["So M\xed\xa0\x80\xc3\xa4r 18 2018",                 '2018-03-18'],
    ["mer. f\xc3\xa9vr. 14 2018",                         '2018-02-14'],
    ["\xd0\x92\xd1\x81 \xd0\xbc\xd0\xb0\xd1\x80 18 2018", '2018-03-18'],
    ["pi\xc4\x85 lip 13 2018",                            '2018-07-13'],
    ["pet lip 15 2018",                                   '2018-06-15'],
    ["Fri Nov 20 2026" . q{ } x 150,                      '2026-11-20'],
    ["Mon Nov\n23 2026",                                  '2026-11-23'],
    ["Mon Nov 23 2026\n",                                 '2026-11-23'],
    map { [$_, undef] } 'lip 04 2018',
    '03 04 2018',
    'Sun Mar 32 2018',
    'Sun Foo 18 2018',
    'x' x 190,
);
for my $case (@DATES) {
    my ($date, $expected) = @$case;
    my $summary = summary($SINGLE =~ s/Tue Mar 03 2015 /$date /r);
    is((iso_date($summary->{date} // q{}) // 'none') =~ s/T10:00:00\z//r, $expected // 'none', "the date of $date");
}

subtest 'a table of indexes alone is a result' => sub {
    my ($run) = @{ summary($TABLE)->{runs} };
    is(names($run), 'pipe=1244000 spawn=12600', 'it has the scores');
    is_deeply([map { @$_{qw(unit baseline passes)} } $run->{tests}[0]], ['lps', 12_440, undef], 'units and baselines');
    is($run->{indexes}[0]{index}, 1000, 'and the index');
    is_deeply(summary($ROWS)->{runs}, summary($TABLE)->{runs}, 'the line above the table may be missing');
    my @bad = map { $SINGLE =~ s/$_->[0]1000[.]0/$1$_->[1]/r } [qr/(1244000[.]0 +)/, '1000'], [qr/(Only\) +)/, '0.0'];
    is_deeply(summary($_)->{runs}[0]{indexes}, [], 'with a torn row or the index 0, it has no index') for @bad;
    my $only = $SINGLE =~ s/^Pipe Throughput.*lps.*\n//mr;
    is(names(summary($only)->{runs}[0]), 'spawn=12600 pipe=1244000', 'a test that is only in the table is read');
    my $other = $SINGLE =~ s/12440[.]0    1244000[.]0   1000[.]0/ 6220.0    1244000.0   2000.0/r =~
        s/(Only\) +)1000[.]0/${1}1414.2/r;
    is_deeply(
        [map { summary($_)->{procedure}{baseline} } $SINGLE, $other],
        [undef,                                              'edited'],
        'another baseline is noted'
    );
};

subtest 'models of CPUs are read' => sub {
    my $models = sub { summary($REPORT =~ s/CPU 0: .*/$_[0]/r)->{facts}{'cpu.models'} };
    is($models->('CPU 0: Example CPU (5000.0 bogomips)'),     '1 x Example CPU', 'a model is read');
    is($models->('CPU 0-2,8: Example CPU (5000.0 bogomips)'), '4 x Example CPU', 'a line may be for several CPUs');
    is($models->("CPU 0: $_"), '1 x unknown', "no model: '$_'") for '(5000 bogomips)', ' (5000.0 bogomips)', q{};
};

done_testing;
