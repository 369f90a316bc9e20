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

my $FURTHER = 'a further report in the same file was not read';

subtest 'only the first report in a text is read' => sub {
    is(copies($REPORT),                 '1 4',                           'one report is read');
    is(notes($REPORT),                  q{},                             'one report has no note');
    is(copies($REPORT . one_run(8, 8)), '1 4',                           'a run with more CPUs is not read');
    is(notes($REPORT . one_run(8, 8)),  "$FURTHER: 8 CPUs instead of 4", 'a note gives the number of CPUs');
    is(copies($REPORT . one_run(4, 1)), '1 4',                      'a run with the same number of copies is not read');
    is(notes($REPORT . one_run(4, 1)),  "$FURTHER: 1 copy again",   'a note gives the number of copies');
    is(notes($REPORT . one_run(4, 4)),  "$FURTHER: 4 copies again", 'each number of copies is recognised');
    is(notes($REPORT . report('two', 4, 2)),                        $FURTHER, 'another head has a note');
    is(copies($REPORT . report('two', 4, 2)),                       '1 4',    'another head begins another report');
    is(copies($REPORT . report('two', 4, 2) =~ s/.*Version.*\n//r), '1 4',    'another system begins another report');
};

subtest 'results without the line of their run are not read' => sub {
    my $line = qr/4 CPUs in system; running 4 parallel copies of tests\n/;
    my $why  = 'results without a line of their own with the number of copies were not read';
    my $text = $REPORT =~ s/$line//r;
    is(copies($text),                    '1',                                       'the other run is read');
    is(names(summary($text)->{runs}[0]), 'pipe=1244000 spawn=12600',                'the other run has its results');
    is(notes($text),                     "$why: Pipe Throughput, Process Creation", 'a note names the results');
    is(
        notes($text =~ s/^Benchmark.*\n//gmr),
        "$why: Pipe Throughput, Process Creation",
        'a note names the results without a date'
    );
    my $first = $REPORT =~ s/running 1 parallel copies//r;
    is(copies($first), '4',                                       'the second run is read without the first line');
    is(notes($first),  "$why: Pipe Throughput, Process Creation", 'a note names the results of the first run');
    my $none = $REPORT =~ s/running . parallel copies//gr;
    is(
        said($none),
        'a report without the line "N CPUs in system; running N parallel copies of tests" before '
            . "Pipe Throughput\n",
        'a report without any such line is refused'
    );
};

subtest 'models of CPUs are read' => sub {
    my $models = sub { summary($REPORT =~ s/CPU 0: .*/$_[0]/r)->{facts}{CPU} };
    is($models->('CPU 0: Example CPU (5000.0 bogomips)'), '1 x Example CPU', 'a model is read');
    is($models->("CPU 0: $_"), '1 x unknown', "no model: '$_'") for '(5000 bogomips)', ' (5000.0 bogomips)', q{};
};

subtest 'numbers with thousands separators are read' => sub {
    my $grouped = $REPORT =~ s/([0-9])([0-9]{3})([0-9]{3}[.])/$1,$2,$3/gr =~ s/([0-9])([0-9]{3}[.][0-9] lps)/$1,$2/gr;
    like($grouped, qr/ 1,244,000[.]0 lps .* 12,600[.]0 lps/s, 'the report has thousands separators');
    is_deeply(summary($grouped)->{runs}, summary($REPORT)->{runs}, 'the results are read');
    my $odd = $REPORT =~ s/1244000[.]0 lps/1.244.000,0 lps/r =~ s/^Pipe.*1244000.*\n//mr;
    is(
        notes($odd),
        'results were not read, because of their numbers: Pipe Throughput (1.244.000,0)',
        'a note names results with other separators'
    );
};

my %FORM = (
    'mail'             => sub { s/^/> /gmr },
    'mail in mail'     => sub { s/^/> >> /gmr },
    'a log'            => sub { s/^/2024-01-01 host: /gmr },
    'a log with times' => sub { my $n = 10; s/^/'2024-01-01T10:00:' . ($n++ % 60) . ' host: '/gemr },
    'syslog'           => sub { my $n = 1;  s/^/'Jan 1 10:00:' . $n++ . ' node7 bench[' . 9 x ($n % 4) . '1]: '/gemr },
    'a log in quotes'                  => sub { s/^/> [out] /gmr },
    'a table of Markdown, as in gists' => sub { s/$/ | |/gmr },
    'UTF-8 with a byte order mark'     => sub { "\xef\xbb\xbf$_" },
);

for my $form (sort keys %FORM) {
    local $_ = $REPORT;
    my $path = "$PLACE/form";
    UnixBench::Base::Files::write_whole($path, $FORM{$form}->());
    is_deeply(eval { UnixBench::Store::ResultFile::summary($path) } // $@,
        summary($REPORT), "a report is read from $form");
}

subtest 'only the first of two merged logs is read' => sub {
    my @lines = map {
        my $host = $_;
        [map { "2024 $host: $_\n" } split /\n/, report($host, 4, 1)]
    } 'node1', 'node2';
    my $merged = join q{}, map { ($lines[0][$_], $lines[1][$_]) } 0 .. $#{ $lines[0] };
    is(summary($merged)->{name}, 'node1', 'the host is that of the first log');
    is_deeply(summary($merged)->{runs}, summary(report('node1', 4, 1))->{runs}, 'the runs are those of the first log');
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
    is(
        notes($only),
        'these tests are in the table of indexes only, and were not read: Pipe Throughput',
        'a note names a test that is only in the table'
    );
    is(names(summary($only)->{runs}[0]), 'spawn=12600', 'a test that is only in the table is not read');
};

done_testing;
