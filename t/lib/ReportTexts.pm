package ReportTexts;

# Text reports of invented machines, in all forms in which people keep them, and what is true of each.

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(FORMS text_of_machine truth);

# Name, title, unit and baseline of the tests of the index, with a score that is usual for one copy.
my @TESTS = (
    ['dhry2reg',         'Dhrystone 2 using register variables',  'lps',   116_700, 31_000_000],
    ['whetstone-double', 'Double-Precision Whetstone',            'MWIPS', 55,      5800],
    ['execl',            'Execl Throughput',                      'lps',   43,      3200],
    ['fstime',           'File Copy 1024 bufsize 2000 maxblocks', 'KBps',  3960,    500_000],
    ['fsbuffer',         'File Copy 256 bufsize 500 maxblocks',   'KBps',  1655,    140_000],
    ['fsdisk',           'File Copy 4096 bufsize 8000 maxblocks', 'KBps',  5800,    1_200_000],
    ['pipe',             'Pipe Throughput',                       'lps',   12_440,  1_200_000],
    ['context1',         'Pipe-based Context Switching',          'lps',   4000,    120_000],
    ['spawn',            'Process Creation',                      'lps',   126,     5000],
    ['shell1',           'Shell Scripts (1 concurrent)',          'lpm',   42.4,    6000],
    ['shell8',           'Shell Scripts (8 concurrent)',          'lpm',   6,       1400],
    ['syscall',          'System Call Overhead',                  'lps',   15_000,  1_600_000],
);

my %FORM = (
    report => sub {
        _head($_[0]) . join q{}, map { _section(@$_) } @_;
    },
    'comma'  => sub { _with_commas(_report(@_)) },
    sections => sub {
        join q{}, map { _section(@$_) } @_;
    },
    tables => sub {
        join q{}, map { 'On ' . $_->[0]{name} . ":\n\n" . _table(@$_) . "\n" } @_;
    },
    mail => sub {
        join q{}, map { _line(@$_) . _bare(@$_) . "\n" } @_;
    },
    markdown  => sub { '## ' . $_[0][0]{name} . "\n\n```\n" . _report(@_) . "```\n\nAny ideas?\n" },
    quotation => sub { _report(@_) =~ s/^/> /gmr },
    page      => sub { _page(@_) },
    csv       => sub { _csv(@_) },
    log       => sub {
        join q{}, map { _log(@$_) } @_;
    },
    lava            => sub { _lava(_report(@_)) },
    'version 4'     => sub { _former($_[0]) },
    'heads of each' => sub {
        join "\n", map { _report($_) } @_;
    },
);

# Returns the names of the forms.
sub FORMS { return sort keys %FORM }

# Takes the number of a machine; returns what is true of it: name, cpus, copies and, for each number of copies, scores
# and index, { copies => { name => score } }. Scores of different machines and numbers of copies differ.
sub truth {
    my ($number) = @_;
    my $cpus     = (2, 4, 8, 8)[$number % 4];
    my @copies   = $number % 3 ? (1, $cpus) : $number % 2 ? 1 : $cpus;
    my %truth    = (name => sprintf('box-%02d', $number), cpus => $cpus, copies => \@copies, number => $number);
    for my $copies (1, $cpus) {
        my %score = map { $_->[0] => sprintf '%.1f', $_->[4] * _factor($number, $copies, $_->[0]) } @TESTS;
        my $sum   = 0;
        $sum += log sprintf '%.1f', 10 * $score{ $_->[0] } / $_->[3] for @TESTS;
        $truth{scores}{$copies} = \%score;
        $truth{index}{$copies}  = sprintf '%.1f', exp($sum / @TESTS);
    }
    return \%truth;
}

sub _factor {
    my ($number, $copies, $name) = @_;
    my $hash = 0;
    $hash = ($hash * 31 + ord) % 1_000_003 for split //, "$number $copies $name";
    return $copies * (0.5 + $hash / 1_000_003);
}

# Takes the truth and a form; returns the text.
sub text_of_machine {
    my ($truth, $form) = @_;
    return $FORM{$form}->(map { [$truth, $_] } @{ $truth->{copies} });
}

sub _report { return $FORM{report}->(@_) }

sub _head {
    my ($truth) = @{ $_[0] };
    my $version = (qw(5.1.2 5.1.3 6.0.0 6.0.1))[$truth->{number} % 4];
    return <<"END";
========================================================================
   BYTE UNIX Benchmarks (Version $version)

   System: $truth->{name}: GNU/Linux
   OS: GNU/Linux -- 5.10.$truth->{number} -- #1 SMP Debian
   Machine: x86_64 (unknown)
   Language: en_US.utf8 (charmap="UTF-8", collate="UTF-8")
   CPU 0: Example CPU $truth->{number} (5000.0 bogomips)
          Hyper-Threading, x86-64, MMX
   20:04:34 up 1 min,  1 user,  load average: 0.71; runlevel 5

END
}

sub _day {
    my ($truth) = @_;
    return sprintf 'Mar %02d 20%02d', 1 + $truth->{number} % 28, 10 + $truth->{number} % 15;
}

# The sections of a report follow each other.
sub _date {
    my ($truth, $copies) = @_;
    my $hour = $copies == 1 ? 10 : 11;
    return 'Tue ' . _day($truth) . " $hour:00:00 - $hour:28:00";
}

sub _line {
    my ($truth, $copies) = @_;
    return "$truth->{cpus} CPUs in system; running $copies parallel cop" . ($copies == 1 ? 'y' : 'ies') . " of tests\n";
}

sub _section {
    my (@of) = @_;
    return
          '-' x 72
        . "\nBenchmark Run: "
        . _date(@of) . "\n"
        . _line(@of) . "\n"
        . _results(@of) . "\n"
        . _table(@of) . "\n";
}

sub _results {
    my ($truth, $copies) = @_;
    my $scores = $truth->{scores}{$copies};
    return join q{},
        map { sprintf "%-36s %16s %-5s (10.0 s, 7 samples)\n", $_->[1], $scores->{ $_->[0] }, $_->[2] } @TESTS;
}

sub _bare {
    my ($truth, $copies) = @_;
    return join q{}, map { sprintf "  %-36s %16s %s\n", $_->[1], $truth->{scores}{$copies}{ $_->[0] }, $_->[2] } @TESTS;
}

sub _rows {
    my ($truth, $copies) = @_;
    return
        map { [$_->[1], sprintf('%.1f', $_->[3]), $truth->{scores}{$copies}{ $_->[0] }, _index($truth, $copies, $_)] }
        @TESTS;
}

sub _index {
    my ($truth, $copies, $test) = @_;
    return sprintf '%.1f', 10 * $truth->{scores}{$copies}{ $test->[0] } / $test->[3];
}

sub _table {
    my ($truth, $copies) = @_;
    return join q{}, "System Benchmarks Index Values               BASELINE       RESULT    INDEX\n",
        map({ sprintf "%-40s %12s %12s %8s\n", @$_ } _rows($truth, $copies)), q{ } x 67 . "========\n",
        sprintf "System Benchmarks Index Score %45s\n", $truth->{index}{$copies};
}

sub _with_commas { return $_[0] =~ s/(?<=[0-9])[.](?=[0-9](?: |\n))/,/gr }

sub _page {
    my (@runs)  = @_;
    my ($truth) = @{ $runs[0] };
    my $title   = "Benchmark of $truth->{name} / GNU/Linux on Tue " . _day($truth);
    my $cells   = sub {
        join q{}, '<tr>', map({ "\n   <td><b>$_</b></td>" } @_), "\n</tr>\n";
    };
    my $page =
          qq{<!DOCTYPE html>\n<html>\n<head><title>$title</title></head>\n<body>\n<h1>$title</h1>\n}
        . "<p><b>BYTE UNIX Benchmarks (Version 5.1.3)</b></p>\n<table>\n"
        . $cells->('System:', "$truth->{name}: GNU/Linux")
        . $cells->('OS:',     "GNU/Linux -- 5.10.$truth->{number} -- #1 SMP")
        . $cells->('CPUs:',   '0:', "Example CPU $truth->{number} (5000.0 bogomips)<br/>MMX")
        . "</table>\n";
    for my $run (@runs) {
        my $copies = $run->[1];
        my ($time) = _date(@$run) =~ /([0-9:]+ - [0-9:]+)/;
        $page .=
              "<h2>Benchmark Run: $truth->{cpus} CPUs; $copies parallel process"
            . ($copies == 1 ? q{} : 'es')
            . "</h2>\n"
            . "<p>Time: $time; 28m 00s</p>\n<h3>System Benchmarks</h3>\n<table>\n"
            . $cells->(qw(Test Score Unit Time Iters. Baseline Index));
        $page .= $cells->(
            $_->[1], $truth->{scores}{$copies}{ $_->[0] },
            $_->[2], '10.0 s', 7,
            sprintf('%.1f', $_->[3]),
            _index($truth, $copies, $_)
        ) for @TESTS;
        $page .= $cells->('System Benchmarks Index Score:', $truth->{index}{$copies}) . "</table>\n";
    }
    return "$page</body>\n</html>\n";
}

sub _csv {
    my (@runs) = @_;
    return join "\n", join(q{,}, 'Concurrency', map { $_->[1] } @TESTS), (
        map {
            my ($truth, $copies) = @$_;
            join q{,}, $copies, map { $truth->{scores}{$copies}{ $_->[0] } } @TESTS
        } @runs
        ),
        q{};
}

sub _log {
    my ($truth, $copies) = @_;
    my $of = $copies == 1 ? 'Results of 1 copy' : "Sum of $copies copies";
    return join q{}, map { <<"END" } @TESTS;
@{['#' x 56]}
$_->[1] -- $copies cop@{[$copies == 1 ? 'y' : 'ies']}
==> "./pgms/$_->[0]" 10

#### Pass 1

# COUNT0: 1000
# COUNT1: 1
# COUNT2: $_->[2]
# TIME: 10.0

*Dump score:       1000.0
Count score:       1001.0

>>>> $of
>>>> score: $truth->{scores}{$copies}{ $_->[0] }
>>>> time: 10.000213
>>>> iterations: 7

END
}

sub _lava {
    my ($text) = @_;
    my $number = 0;
    return join q{}, map {
        sprintf qq({"dt": "2024-03-01T10:%02d:%02d.123456", "lvl": "target", "msg": "%s"}\n), $number / 60,
            $number++ % 60, s/(["\\])/\\$1/gr
    } split /\n/, $text;
}

# Version 4 had other tests, and one copy.
sub _former {
    my ($run) = @_;
    my ($truth, $copies) = @$run;
    my @rows = grep { $_->[0] !~ /\AShell Scripts \(1 / } _rows($truth, $copies);
    my $sum  = 0;
    $sum += log $_->[3] for @rows;
    return join q{}, "  BYTE UNIX Benchmarks (Version 4.1.0)\n  System -- Linux $truth->{name} 2.6.18 #1 SMP i686\n",
        '  Start Benchmark Run: Tue ' . _day($truth) =~ s/ (20[0-9]+)/ 10:00:00 EDT $1/r . "\n\n",
        _results($truth, $copies) =~ s/10[.]0 s, 7/10.0 secs, 10/gr,
        "\n                     INDEX VALUES\nTEST                        BASELINE     RESULT      INDEX\n\n",
        map({ sprintf "%-40s %12s %12s %8s\n", @$_ } @rows), q{ } x 65 . "=========\n",
        sprintf "     FINAL SCORE %55.1f\n", exp($sum / @rows);
}

1;
