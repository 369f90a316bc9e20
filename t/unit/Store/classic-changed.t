# Tests of text reports of invented machines, in all forms in which people keep them: whole, and damaged by a generator
# with a seed. Lines are dropped, doubled, torn, joined or translated, and two reports are in one text. No
# number, no name and no place may be wrong, and Perl has no warning. t/long/texts has more damages.

use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../../lib";
use UnixBench::Compare::Published;
use UnixBench::Store::ClassicReport;

use constant TEXTS => 40;

my ($first, $last) = @ARGV ? @ARGV : (1, 100);

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
    report   => sub { _head($_[0]) . _each(\&_section, @_) },
    comma    => sub { _report(@_) =~ s/(?<=[0-9])[.](?=[0-9](?: |\n))/,/gr },
    sections => sub { _each(\&_section, @_) },
    tables   => sub {
        _each(sub { "On $_[0]{name}:\n\n" . _table(@_) . "\n" }, @_);
    },
    mail => sub {
        _each(sub { _line(@_) . _bare(@_) . "\n" }, @_);
    },
    markdown        => sub { '## ' . $_[0][0]{name} . "\n\n```\n" . _report(@_) . "```\n\nAny ideas?\n" },
    quotation       => sub { _report(@_) =~ s/^/> /gmr },
    page            => sub { _page(@_) },
    csv             => sub { _csv(@_) },
    log             => sub { _each(\&_log, @_) },
    lava            => sub { _lava(_report(@_)) },
    'version 4'     => sub { _former($_[0]) },
    'heads of each' => sub {
        join "\n", map { _report($_) } @_;
    },
);

my @FORMS  = sort keys %FORM;
my @GERMAN = (
    [qr/CPUs in system; running/ => 'CPUs im System, es laufen'],
    [qr/parallel cop(?:y|ies)/   => 'Kopien'],
    [qr/Benchmark Run:/          => 'Lauf vom:'],
    [qr/Index Score/             => 'Indexwert'],
    [qr/Index Values/            => 'Werte des Index'],
    [qr/Throughput/              => 'Durchsatz'],
    [qr/Creation/                => 'Erzeugung'],
    [qr/samples/                 => 'Proben'],
    [qr/System:/                 => 'Rechner:'],
    [qr/Version/                 => 'Ausgabe'],
    [qr/concurrent/              => 'zugleich'],
);
my @PUBLISHED = UnixBench::Compare::Published::results("$FindBin::Bin/../../..");

my %WITHOUT_NAME = map { $_ => 1 } qw(csv log mail sections tables);

cmp_ok(scalar @FORMS, '>=', 10, 'there are ten forms');
for my $number (0 .. TEXTS - 1) {
    my ($truth, $text, $form) = original($number);
    my @read   = UnixBench::Store::ClassicReport::summaries($text);
    my @runs   = map { @{ $_->{runs} } } @read;
    my @copies = map { $form eq 'tables' ? undef : $_ } @{ $truth->{copies} };
    is_deeply([map { $_->{copies} } @runs], \@copies, "$form, $number: the numbers of copies");
    is_deeply([map { $_->{name} } @read],   [map { $WITHOUT_NAME{$form} ? undef : $truth->{name} } @read], 'the name');
    is(@read, $form eq 'tables' ? @copies : 1, 'the number of reports');
    for my $at (0 .. $#runs) {
        my %score = map { $_->{name} => sprintf '%.1f', $_->{score} } @{ $runs[$at]{tests} };
        is_deeply(\%score, $truth->{scores}{ $truth->{copies}[$at] }, 'the scores');
    }
}

for my $seed ($first .. $last) {
    my ($lies, $text) = lies_in($seed);
    is_deeply($lies, [], "change $seed: nothing is wrong") or diag($text);
}

done_testing;

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

# Takes a function that returns the text of a run, and runs; returns the text of all.
sub _each {
    my ($of, @runs) = @_;
    return join q{}, map { $of->(@$_) } @runs;
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

# Takes the number of a text; returns the truth, the text, and its form.
sub original {
    my ($number) = @_;
    my $truth    = truth($number);
    my $form     = $FORMS[$number % @FORMS];
    $truth->{copies} = [1] if $form eq 'version 4';
    return ($truth, $FORM{$form}->(map { [$truth, $_] } @{ $truth->{copies} }), $form);
}

# Takes a seed; returns sentences about what is wrong with what is read of a damaged text, and that text.
sub lies_in {
    my ($seed) = @_;
    my $random = _random($seed);
    my ($truth, $text) = original($random->(TEXTS));
    my @truths = $truth;
    if ($random->(3) == 0) {
        my ($other, $more) = original($random->(TEXTS));
        push @truths, $other;
        my @lines = split /^/, $text;
        my @rows  = grep { $lines[$_] =~ /Copy|Creation|Switching/ } 0 .. $#lines;
        splice @lines, 1 + $rows[$random->(scalar @rows)] if $random->(2);
        $text = join q{}, @lines, $random->(2) ? "\n" : (), $more;
    }
    $text = _changed($text, $random) for 0 .. $random->(3);
    my (@warnings, @summaries);
    {
        local $SIG{__WARN__} = sub { push @warnings, "a warning: $_[0]" };
        @summaries = eval { UnixBench::Store::ClassicReport::summaries($text) };
        push @warnings, "died: $@" if $@ !~ /\A(?:[^\n]+\n)?\z/;
        push @warnings, map { _false_places($_) } @summaries;
    }
    return ([@warnings, map { _lies_of($_, @truths) } @summaries], $text);
}

sub _random {
    my ($state) = @_;
    return sub {
        my ($below) = @_;
        $state = ($state * 1_103_515_245 + 12_345) % 2_147_483_648 for 1 .. 3;
        return int($state / 65_536) % $below;
    };
}

sub _changed {
    my ($text, $random) = @_;
    my @lines = split /^/, $text;
    return $text if !@lines;
    my $at   = $random->(scalar @lines);
    my $kind = $random->(6);
    if    ($kind == 0) { splice @lines, $at, 1 + $random->(2) }
    elsif ($kind == 1) { splice @lines, $at, 0, $lines[$at] }
    elsif ($kind == 2) { substr $lines[$at], $random->(length $lines[$at]), 0, "\n" }
    elsif ($kind == 3) { $lines[$at] = substr($lines[$at], 0, $random->(length $lines[$at])) . "\n" }
    elsif ($kind == 4) { $lines[$at] =~ s/\n\z// }
    else {
        my ($pattern, $word) = @{ $GERMAN[$random->(scalar @GERMAN)] };
        my @where = grep { $lines[$_] =~ $pattern } 0 .. $#lines;
        $lines[$where[$random->(scalar @where)]] =~ s/$pattern/$word/ if @where;
    }
    return join q{}, @lines;
}

# Takes a summary; returns a sentence if it has a place without a known number of copies.
sub _false_places {
    my ($summary) = @_;
    my @known     = grep { defined $_->{copies} } @{ $summary->{runs} };
    my @ranks     = grep { defined } UnixBench::Compare::Published::rank($summary, @PUBLISHED),
        UnixBench::Compare::Published::rank_of_all_cpus($summary, @PUBLISHED);
    return @ranks && !@known ? 'a place without a number of copies' : ();
}

# Takes a summary and the truth about the machines; returns sentences about what is true of none of them.
sub _lies_of {
    my ($summary, @truths) = @_;
    my $name = $summary->{name};
    @truths = grep { $_->{name} eq $name } @truths if defined $name;
    return "the name $name" if !@truths;
    return map { _lie_of_run($_, $name, @truths) } @{ $summary->{runs} };
}

sub _lie_of_run {
    my ($run, $name, @truths) = @_;
    my @errors;
    for my $truth (@truths) {
        next if defined $run->{cpu_count} && $run->{cpu_count} != $truth->{cpus};
        for my $copies (defined $run->{copies} ? $run->{copies} : @{ $truth->{copies} }) {
            my $scores = $truth->{scores}{$copies} or next;
            my @wrong =
                grep { _is_wrong($_->{score}, $scores->{ $_->{name} } // $scores->{ _near($_, $scores) // q{} }) }
                @{ $run->{tests} };
            my @index =
                grep { $_->{complete} && _is_wrong($_->{index}, $truth->{index}{$copies}) } @{ $run->{indexes} };
            return if !@wrong && !@index;
            push @errors, join ', ', map { "$_->{title} $_->{score}" } @wrong;
        }
    }
    return 'a run of ' . ($name // 'an unknown machine') . ' with ' . ($run->{copies} // '?') . " copies: @errors";
}

# Takes a test whose title was translated, and the scores; returns the name of the test that has its score, or undef.
sub _near {
    my ($test, $scores) = @_;
    return if $test->{title} !~ /Durchsatz|Erzeugung|zugleich/;
    my ($name) = grep { $scores->{$_} == $test->{score} } sort keys %$scores;
    return $name;
}

sub _is_wrong { my ($value, $true) = @_; return defined $value && (!defined $true || abs($value - $true) > 0.001) }

