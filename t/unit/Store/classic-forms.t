# Tests of text reports in the forms in which people keep them, and of reports that are incomplete or contradict
# themselves.

use strict;
use warnings;

use File::Temp ();
use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use UnixBench::Base::Files;
use UnixBench::Store::ClassicReport;
use UnixBench::Store::ResultFile;

my $PLACE = File::Temp->newdir;

# Takes the name of a machine, its number of CPUs and numbers of copies; returns a report with a run for each of these.
sub report {
    my ($name, $cpus, @copies) = @_;
    return <<"END" . join q{}, map { one_run($cpus, $_) } @copies;
   BYTE UNIX Benchmarks (Version 5.1.3)

   System: $name: GNU/Linux
   OS: GNU/Linux -- 4.9.0 -- #1 SMP
   CPU 0: Example CPU (5000.0 bogomips)
          x86-64, MMX

END
}

sub one_run {
    my ($cpus,  $copies) = @_;
    my ($rate,  $index)  = map { sprintf '%.1f', $_ * $copies } 1_244_000, 1000;
    my ($times, $both)   = map { sprintf '%.1f', $_ * $copies } 12_600,    1000;
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
System Benchmarks Index Score (Partial Only)                          $both

END
}

my $REPORT = report('one', 4, 1, 4);

sub summary { return UnixBench::Store::ClassicReport::summary(shift) }

sub copies {
    return join q{ }, map { $_->{copies} } @{ summary(shift)->{runs} };
}
sub notes { return join q{ | }, @{ summary(shift)->{notes} } }

sub names {
    my ($run) = @_;
    return join q{ }, map { "$_->{name}=$_->{score}" } @{ $run->{tests} };
}

# Takes a text; returns the error of reading it from a file, or an empty text.
sub said {
    my ($text) = @_;
    my $path = "$PLACE/report";
    UnixBench::Base::Files::write_whole($path, $text);
    return eval { UnixBench::Store::ResultFile::summary($path); q{} } // $@ =~ s/\A\Q$path\E is not a result: //r;
}

sub name { return summary(shift)->{name} }

# Takes the other of two reports, and what is known of the newest; returns the note about them.
sub newest {
    my ($other, @known) = @_;
    return 'the newest of 2 reports in the same file was read: ' . join(', ', @known) . "; not read: $other";
}

my $DATE  = 'Tue Mar 03 2015 10:00:00';
my $FIRST = "#1 (one, $DATE)";

subtest 'the newest report in a text is read' => sub {
    is(copies($REPORT),                 '1 4',                 'one report is read');
    is(notes($REPORT),                  q{},                   'one report has no note');
    is(copies($REPORT . one_run(8, 8)), '8',                   'a run with more CPUs is another report');
    is(notes($REPORT . one_run(8, 8)),  newest($FIRST, $DATE), 'a note names the reports');
    is(name($REPORT . one_run(8, 8)),   undef,                 'it does not have the name of the first one');
    is(copies($REPORT . one_run(4, 1)), '1',                   'so is a run with the same number of copies');
    is(copies($REPORT . one_run(4, 4)), '4',                   'for each number of copies');
    my $two = report('two', 4, 2);
    is(copies($REPORT . $two),                       '2', 'another head begins another report');
    is(copies($REPORT . $two =~ s/.*Version.*\n//r), '2', 'another system begins another report');
    is(notes($REPORT . $two),                        newest($FIRST, 'two', $DATE), 'the note has its host');
    my $older = $two =~ s/2015/2014/r;
    is(
        notes($REPORT . $older),
        newest('#2 (two, Tue Mar 03 2014 10:00:00)', 'one', $DATE),
        'the date decides, not the place in the text'
    );
    is(
        notes($REPORT . $two =~ s/Benchmark Run.*//r),
        newest($FIRST, 'two') =~ s/newest/last/r,
        'without dates the last one is read'
    );
    my @all = UnixBench::Store::ClassicReport::summaries($REPORT . $older);
    is("@{[map { $_->{name} } @all]}", 'one two', 'all of them can be read');
    my $wrong = $two =~ s/ 12440[.]0/ 1244.0/r;
    is(
        notes($REPORT . $wrong),
        'another report in the same file was left out: "Pipe Throughput" has the index 2000.0, but its result and '
            . 'baseline give 20000.0',
        'a note names a report that contradicts itself'
    );
};

my $LINE = qr/4 CPUs in system; running . parallel copies of tests\n/;

subtest 'results without the number of copies' => sub {
    my $unknown = 'the number of copies is unknown; give it with --copies N, and the number of CPUs with --cpus N';
    my $text    = $REPORT =~ s/running 4 parallel copies of tests//r;
    my ($first, $second) = @{ summary($text)->{runs} };
    is_deeply([$first->{copies}, $second->{copies}], [1, undef], 'the number is unknown');
    is(names($second), 'pipe=4976000 spawn=50400', 'the run has its results');
    is(notes($text),   $unknown,                   'a note says it');
    my $none = $REPORT =~ s/$LINE//gr;
    is_deeply([map { $_->{copies} } @{ summary($none)->{runs} }], [undef, undef], 'in each run');
    my $given = UnixBench::Store::ClassicReport::summary($none, copies => [1, 4], cpus => 4);
    is($given->{runs}[0]{cpu_count}, 4, 'and that of the CPUs');
    is_deeply([map { $_->{copies} } @{ $given->{runs} }], [1, 4], 'the user can give the numbers');
    is("@{ $given->{notes} }", q{}, 'then there is no note');
    is_deeply([map { $_->{copies} } @{ UnixBench::Store::ClassicReport::summary($text, copies => [8])->{runs} }],
        [1, 8], 'a number that the report has stays');
    my $why = 'results without a line of their own with the number of copies were not read';
    is(
        notes($REPORT . "Pipe Throughput 5.0 lps (10.0 s, 7 samples)\n"),
        "$why: Pipe Throughput",
        'without an index they are not read'
    );
    is(
        said($none =~ s/.*Index.*\n//gr =~ s/^.*[0-9]  +[0-9.]+  +[0-9.]+\n//gmr),
        'a report without the line "N CPUs in system; running N parallel copies of tests" before '
            . "Pipe Throughput, and without a table of indexes\n",
        'a report without both is refused'
    );
};

subtest 'a table of indexes alone is a result' => sub {
    my ($table) = report('one', 4, 1) =~ /^(System Benchmarks Partial Index.*)/ms;
    my ($run)   = @{ summary($table)->{runs} };
    is($run->{copies}, undef,                      'its number of copies is unknown');
    is(names($run),    'pipe=1244000 spawn=12600', 'it has the scores');
    is_deeply([map { @$_{qw(unit baseline passes)} } $run->{tests}[0]], ['lps', 12_440, undef], 'units and baselines');
    is($run->{indexes}[0]{index}, 1000, 'and the index');
    my ($rows) = $table =~ /\n(.*)/s;
    is_deeply(summary($rows)->{runs}, summary($table)->{runs}, 'the line above the table may be missing');
    my $odd = $table =~ s/12440[.]0 +1244000[.]0 +1000[.]0/12440.0    1244000.0   1000./r;
    is(
        said($odd),
        qq{the line of "Pipe Throughput" in the table of indexes can't be read: 12440.0 1244000.0 1000.\n},
        'a number that was cut off is named'
    );
    is(
        said($rows =~ s/^System.*//mr),
        "a table of indexes without the line of its index score\n",
        'a table without its index score is refused'
    );
    my ($whole) = UnixBench::Base::Files::content("$FindBin::Bin/../../data/classic/1-copy") =~ /^(System Bench.*)/ms;
    is(
        said($whole =~ s/^Execl.*\n//mr),
        '"System Benchmarks" has the index score 1362.9, but the indexes of its tests give 1443.3; these lines are '
            . qq{missing: "Execl Throughput"\n},
        'a row that is missing is named'
    );
    is(said("12440.0 5 6\n"), "neither JSON nor a report\n", 'numbers without a title are not a table');
};

subtest 'a table of another machine' => sub {
    my ($table) = report('old', 4, 1) =~ /^(System Benchmarks Partial Index.*)/ms;
    my ($rows)  = report('old', 4, 1) =~ /^(Pipe.*samples.*)/ms;
    my %other   = (
        'a table'                         => $table,
        'a table without its first line'  => $table =~ s/\A.*\n//r,
        'a section without its own lines' => $rows,
    );
    for my $what (sort keys %other) {
        my $text = "$REPORT\n## old server\n$other{$what}";
        my @all  = UnixBench::Store::ClassicReport::summaries($text);
        is_deeply(
            [
                map {
                    [$_->{name}, map { $_->{copies} } @{ $_->{runs} }]
                } @all
            ],
            [['one', 1, 4], [undef, undef]],
            "$what after a whole section has no name"
        );
        is($all[1]{facts}{CPU}, undef, 'and no facts');
        like(
            notes($text),
            qr/the last of 2 reports in the same file was read; not read: #1 [(]one, .*[)]\z/,
            'a note says which is read'
        );
    }
    my @tables = UnixBench::Store::ClassicReport::summaries("single:\n${table}multi:\n$table", copies => [1, 4]);
    is_deeply([map { $_->{copies} } map { @{ $_->{runs} } } @tables], [1, 4], 'two tables of a report');
    is(scalar @tables, 1, 'are one if the user says so');
    @tables = UnixBench::Store::ClassicReport::summaries("$REPORT\n$table", copies => [1, 8]);
    is(scalar @tables, 2, 'but not with a machine that is known');
};

subtest 'numbers that make no sense' => sub {
    my $text   = report('one', 4, 1);
    my $unread = 'results were not read, because of their numbers: Pipe Throughput';
    my $bare   = $text =~ s/^System Benchmarks.*//msr;
    for my $odd (qw(-5.0 1e400 nan inf 0x10 9882. .5), "1.244.000,0") {
        is(notes($bare =~ s/1244000[.]0 lps/$odd lps/r), "$unread ($odd)", "$odd is not a score");
    }
    is(notes($bare =~ s/7 samples/0 samples/r),             "$unread (0 samples)",       'a result without samples');
    is(notes($bare =~ s/1244000[.]0 lps/1 244 000.0 lps/r), "$unread 1 244 (000.0)",     'blanks in a number');
    is(said($text  =~ s/ lps/ MWIPS/r), qq{"Pipe Throughput" is in MWIPS, not in lps\n}, 'another unit is refused');
    my ($row)  = $text =~ /^(Pipe.*lps.*\n)/m;
    my ($line) = $text =~ /^(Pipe Throughput +12440.*\n)/m;
    for my $twice ($row, $line) {
        is(
            said($text =~ s/\Q$twice\E/$twice$twice/r),
            qq{"Pipe Throughput" stands twice in one run: it may have the lines of two reports\n},
            'a line that stands twice is refused'
        );
    }
    is(
        said($text =~ s/^Process Creation  +126[.]0.*\n//mr =~ s/(Only\) +)1000[.]0/${1}2000.0/r),
        '"System Benchmarks" has the index score 2000.0, but the indexes of its tests give 1000.0; these lines are '
            . qq{missing: "Process Creation"\n},
        'a row that is missing is named'
    );
    my $other = $text =~ s/12440[.]0    1244000[.]0   1000[.]0/ 6220.0    1244000.0   2000.0/r =~
        s/(Only\) +)1000[.]0/${1}1414.2/r;
    is(summary($text)->{procedure}{baseline},  undef,    'the official baseline');
    is(summary($other)->{procedure}{baseline}, 'edited', 'another baseline is noted');
};

subtest 'what is not a report of version 5 or later' => sub {
    my $former = <<'END';
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
    my $read = '; those of version 5 and later are read';
    is(said($former),                        "a report of UnixBench 4.1.0$read\n",        'version 4');
    is(said($former =~ s/4.1.0/3.11/r),      "a report of UnixBench 3.11$read\n",         'version 3');
    is(said($former =~ s/^.*Version.*\n//r), "a report of UnixBench 4 or earlier$read\n", 'without its version');
    is(copies("$former$REPORT"),             '1 4', 'a later report in the same file is read');
    my $end = qq{Run: "System Call Overhead": slave write failed (Broken pipe); aborting\n};
    like(
        said("1 x Pipe Throughput  1 2 3\n\n$end"),
        qr/\Athe output of a run that ended without a report: Run: "System/,
        'a run that was aborted'
    );
    like(notes($REPORT . $end), qr/\Athe run ended early: Run: "System/, 'a report before such an end has a note');
    my $empty = $REPORT
        . "Benchmark Run: Tue Mar 03 2015 11:00:00 - 11:28:00\n4 CPUs in system; running 8 parallel copies of tests\n";
    is(notes($empty), 'the part for 8 copies has no results', 'a note names a part without results');
    is(said("4 CPUs in system; running 8 parallel copies of tests\n"), "a report without results\n",
        'only such a part');
};

subtest 'models of CPUs are read' => sub {
    my $models = sub { summary($REPORT =~ s/CPU 0: .*/$_[0]/r)->{facts}{CPU} };
    is($models->('CPU 0: Example CPU (5000.0 bogomips)'), '1 x Example CPU', 'a model is read');
    is($models->("CPU 0: $_"), '1 x unknown', "no model: '$_'") for '(5000 bogomips)', ' (5000.0 bogomips)', q{};
};

is(
    said('<html><table><tr><td>1</td></tr></table></html>'),
    "a web page without data of a run; give another file of that run\n",
    'a web page is refused'
);
is(
    said("\xff\xfe" . pack 'v*', unpack 'C*', $REPORT),
    "UTF-16, not UTF-8; convert it with iconv\n",
    'UTF-16 is refused'
);

subtest 'the table of indexes agrees with the results' => sub {
    my $text = report('one', 4, 1);
    is(said($text), q{}, 'a report that agrees with itself is read');
    is(
        said($text =~ s/(12440[.]0 +)1244000[.]0/${1}9999999.9/r),
        qq{"Pipe Throughput" is 1244000 in the results, but 9999999.9 in the table of indexes\n},
        'another result is refused'
    );
    is(
        said($text =~ s/(1244000[.]0 +)1000[.]0/${1}10000.0/r),
        qq{"Pipe Throughput" has the index 10000.0, but its result and baseline give 1000.0\n},
        'another index is refused'
    );
    is(
        said($text =~ s/ 12440[.]0/ 1244.0/r),
        qq{"Pipe Throughput" has the index 1000.0, but its result and baseline give 10000.0\n},
        'another baseline is refused'
    );
    is(
        said($text =~ s/(Partial Only\) +)1000[.]0/${1}10000.0/r),
        qq{"System Benchmarks" has the index score 10000.0, but the indexes of its tests give 1000.0\n},
        'another index score is refused'
    );
    is(
        said($text =~ s/1244000[.]0 lps.*/no measured results: gone/r),
        qq{"Pipe Throughput" has no score in the results, but 1244000.0 in the table of indexes\n},
        'a result of a failed test is refused'
    );
    my $only = $text =~ s/^Pipe Throughput.*lps.*\n//mr;
    is(names(summary($only)->{runs}[0]), 'spawn=12600 pipe=1244000', 'a test that is only in the table is read');
};

done_testing;
