use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib";
use Cases   qw(cases);
use Fixture qw(failed host measured rendered result run skipped);
use Golden  qw(is_golden no_golden_left_over);
use UnixBench::Store::ClassicReport;
use UnixBench::Catalog;
use UnixBench::Report::Text;

# The text report.

# The form of a line with a result that parsers of other programs expect.
my $RESULT = qr/^(.+?)\s{2,}([0-9.]+) (lps|lpm|KBps|MWIPS|fps|wps|score|users)\s+\(([0-9.]+) s, (\d+) samples\)$/;

sub render {
    my ($case) = @_;
    return rendered(text => $case->{result});
}

sub check_lines {
    my ($name, $text) = @_;
    like($text, qr/\A   BYTE UNIX Benchmarks \(Version 8\.0\.0\)\n\n   System: /, "$name: begins with the version");
    like($text, qr/\n\z/,                                                         "$name: ends with a newline");
    unlike($text, qr/[\t\r\x00-\x09\x0b-\x1f\x7f]/, "$name: no control characters");
    unlike($text, qr/[ ]$/m,                        "$name: no trailing blanks");
    unlike($text, qr/\n\n\n/,                       "$name: no double blank lines") if $name ne 'arm';
    unlike($text, qr/aborting/,                     "$name: no word that scripts take for a failure");
    my @rules = grep { /-{71}|={71}/ } split /\n/, $text;
    is_deeply([grep { $_ ne '-' x 72 } @rules], [], "$name: all rules have 72 hyphens");
    return;
}

sub check_results {
    my ($name, $result, $text) = @_;
    my @measured = grep { $_->{status} eq 'measured' } map { @{ $_->{tests} } } @{ $result->{runs} };
    my @lines    = split /\n/, $text;
    is(scalar(grep { $_ =~ $RESULT } @lines), scalar @measured, "$name: each result has a line");
    my @unit_lines = grep { /lps|MWIPS/ && $_ !~ $RESULT } @lines;
    is_deeply(\@unit_lines, [], "$name: units are only in lines of results");
    my @scores   = map  { /System Benchmarks Index Score/ ? (split ' ')[-1] : () } @lines;
    my @indexes  = grep { $_->{category} eq 'system' } map { @{ $_->{indexes} } } @{ $result->{runs} };
    my @expected = map  { $_->{lacking} ? '(incomplete)' : sprintf '%.1f', $_->{index} } @indexes;
    is_deeply(\@scores, \@expected, "$name: scores as awk finds them");
    return;
}

sub check_columns {
    my ($name, $text) = @_;
    for my $line (split /\n/, $text) {
        if ($line =~ $RESULT) {
            like($line, qr/\A.{51}\.\d .{5} \(/, "$name: columns 53, 55 and 61: $line");
        }
        elsif ($line =~ /no measured results: /) {
            is(index($line, 'no measured results: '), 41, "$name: column 42");
        }
        elsif ($line =~ /\A +=+\z/) { is($line, ' ' x 67 . '=' x 8, "$name: column 75") }
        elsif ($line =~ /Index Score/) {
            like($line, qr/\A(?:.{73}\.\d|(?=.{75}\z)[^0-9]* none [(]incomplete[)])\z/, "$name: column 75: $line");
        }
        elsif ($line =~ /BASELINE/) {
            like($line, qr/\A.{45}BASELINE {7}RESULT {4}INDEX\z/, "$name: heads: $line");
        }
        elsif ($line =~ /\A\S.*[ ]{2}(?:---|\d+\.\d)\z/) {
            like($line, qr/\A.{52}[-\d][ ]+\S+(?<=\A.{66})[ ]+\S+(?<=\A.{75})\z/, "$name: row: $line");
        }
    }
    return;
}

for my $case (cases()) {
    my $text = render($case);
    is_golden("$case->{name}.txt", $text) if $case->{name} =~ /\A(?:hostile|brief)\z/;
    check_lines($case->{name}, $text);
    check_results($case->{name}, $case->{result}, $text);
    check_columns($case->{name}, $text) if $case->{name} !~ /\A(?:huge|hostile|brief)\z/;
}

# A program of openEuler, osmts, takes each line that ends in a number with decimals for an index, and of these the
# first 26: twelve tests and their index, for one copy and for all.
subtest 'a reader of numbers at the ends of lines finds the indexes only' => sub {
    my @tests  = map { measured($_, 1, map { 1000 * $_ } 1, 2, 3) } UnixBench::Catalog::expand('index');
    my $result = result([run(1, @tests), run(2, @tests)]);
    my @wanted;
    for my $index (map { @{ $_->{indexes} } } @{ $result->{runs} }) {
        push @wanted, map { sprintf '%.1f', $_ } (map { $_->{index} } @{ $index->{rows} }), $index->{index};
    }
    is(scalar @wanted, 26, 'a report of all tests has 26 indexes');
    for my $level (q{}, '; runlevel 5') {
        local $result->{host} = host(uptime => "10:00:00 up 1 day,  1 user,  load average: 5.41, 2.90, 1.88$level");
        my $text  = rendered(text => $result);
        my @found = map { /\b(\d+\.\d+)\s*$/ ? $1 : () } split /\n/, $text;
        is_deeply(\@found, \@wanted, length $level ? 'on a machine with a run level' : 'on a machine without one');
        like($text, qr/ 1[.]88; runlevel(?: 5)?$/m, 'the line of uptime ends in the run level, as in classic reports');
        my $gist = UnixBench::Store::ClassicReport::summary($text =~ s/$/ | |/gmr);
        is_deeply($gist->{runs}, UnixBench::Store::ClassicReport::summary($text)->{runs}, 'the ends of a table');
    }
};

subtest 'very wide numbers' => sub {
    my $text = rendered(text => result([run(1, measured('fsdisk', 1, 123_456_789_012.3))]));
    like($text, qr/^File Copy 4096 bufsize 8000 maxblocks  123456789012\.3 KBps  \(/m, 'two blanks are kept');
    like($text, qr/^.{37} +5800\.0  123456789012\.3  212856532\.8$/m, 'columns after a wide value move');
};

subtest 'CPUs' => sub {
    my @cpus =
        map { { id => $_, model => 'Fast', bogomips => '1.0', flags => [$_ ? () : qw(xmm lm ht)] } } 0 .. 255;
    my $result = result([], host => host(cpus => \@cpus));
    my @lines  = split /\n/, rendered(text => $result);
    is(@lines, 6 + 512 + 1, 'each CPU has two lines');
    is_deeply(
        [@lines[6 .. 9]],
        [
            '   CPU 0: Fast (1.0 bogomips)',
            '          Hyper-Threading, x86-64, Streaming SIMD',
            '   CPU 1: Fast (1.0 bogomips)', ''
        ],
        'the line of features may be empty'
    );
    my ($brief) = grep { /CPU/ } split /\n/, rendered(text => { %$result, is_brief => 1 });
    is($brief, '   CPU 0-255: Fast (1.0 bogomips)', 'a brief report has one line for equal CPUs');
};

subtest 'order of tests' => sub {
    my $text =
        rendered(text => result([run(1, map { measured($_, 1, 5) } qw(syscall execl C sysexec))]));
    my @titles = $text =~ /^(\S.*?)\s{2,}[0-9.]+ lp/mg;
    my @sorted =
        ('C Compiler Throughput (gcc)', 'Exec System Call Overhead', 'Execl Throughput', 'System Call Overhead');
    is_deeply(\@titles, \@sorted, 'tests are sorted bytewise by title');
};

# The CSV of a result.

for my $case (cases()) {
    my $csv = rendered(csv => $case->{result});
    is_golden('hostile.csv', $csv) if $case->{name} eq 'hostile';
    my @lines = split /\n/, $csv;
    is(@lines, 1 + @{ $case->{result}{runs} }, "$case->{name}: each run has a line");
    my ($columns, @others) = map { tr/,// } @lines;
    is_deeply([grep { $_ != $columns } @others], [], "$case->{name}: all lines have the same number of fields");
}

my $one = measured('pipe',  1, 20);
my $two = measured('spawn', 2, 60);
my $csv = rendered(csv => result([run(1, $one, failed('execl', 'gone')), run(2, $two)]));
is($csv, <<'END', 'columns are the tests of all runs, empty if not measured');
Concurrency,Execl Throughput,Pipe Throughput,Process Creation
1,,2.0,
2,,,4.0
END

$one->{title} = qq{a, "quoted"\ntitle};
is(rendered(csv => result([run(1, $one)])), qq{Concurrency,"a, ""quoted""\\ntitle"\n1,2.0\n}, 'a title is quoted');

subtest 'titles that a spreadsheet would take for formulas' => sub {
    for my $start (qw(= + - @)) {
        my $title = "${start}cmd|'/c calc'!A0";
        my $told  = rendered(csv => result([run(1, { %$one, title => $title })]));
        like($told, qr/\AConcurrency,'\Q$title\E\n/, "a title that begins with $start is a text");
    }
    for my $start ("\t", "\r") {
        my $told = rendered(csv => result([run(1, { %$one, title => "$start=1" })]));
        like($told, qr/\AConcurrency,\\[tr]=1\n/, 'control characters are written as escapes');
    }
    for my $test (UnixBench::Catalog::tests()) {
        my $told = rendered(csv => result([run(1, { %$one, title => $test->{title} })]));
        like($told, qr/\AConcurrency,"?\Q$test->{title}\E"?\n/, "a title of ours is unchanged: $test->{title}");
    }
};

# The log of a result.

sub pieces {
    my ($test, $copies) = @_;
    return (
        UnixBench::Report::Text::test_head($test, $copies),
        (map { UnixBench::Report::Text::pass($_) } @{ $test->{passes} }),
        UnixBench::Report::Text::test_tail($test, $copies)
    );
}

# Returns a log with the facts of each copy in one line, which is easier to read.
sub with_short_copies {
    my ($log) = @_;
    return $log =~ s/\n(?=# )/  /gr;
}

for my $case (cases()) {
    my $result = $case->{result};
    my @logs   = map {
        my $run = $_;
        [map { pieces($_, $run->{copies}) } @{ $run->{tests} }]
    } @{ $result->{runs} };
    my @pieces = map { @$_ } @logs;
    my $log    = join q{}, @pieces;
    is_golden('hostile.log', with_short_copies(join q{}, @{ $logs[-1] })) if $case->{name} eq 'hostile';
    unlike($log, qr/of tests|\(Partial Only\)/, "$case->{name}: no text that scripts count in the report");
    is_deeply([grep { !/\n\z/ } @pieces], [], "$case->{name}: each piece ends its line");
}

subtest 'head and tail' => sub {
    my $test = measured('spawn', 1, 247_371, 242_919, 243_989);
    my @head = split /\n/, UnixBench::Report::Text::test_head($test, 1);
    is($head[0], '#' x 56,                                              'the head begins with a line');
    is($head[1], 'Process Creation -- 1 copy',                          'the head has the title');
    is($head[2], '==> "/opt/my suite/pgms/spawn" 30 "/opt/x/multi.sh"', 'the head has the command');
    like(UnixBench::Report::Text::test_head($test, 4), qr/^Process Creation -- 4 copies$/m, 'the number of copies');
    @{$test}{qw(score time_s)} = (8188.34084738901, 30.0029255);
    is(UnixBench::Report::Text::test_tail($test, 1), <<'END', 'the tail has the scores of the passes and the result');
*Dump score:     242919.0
Count score:     243989.0
Count score:     247371.0

>>>> Results of 1 copy
>>>> score: 8188.34084738901
>>>> time: 30.0029255
>>>> iterations: 2

END
    like(UnixBench::Report::Text::test_tail($test, 4), qr/^>>>> Sum of 4 copies$/m, 'the sum of several copies');
    is(
        UnixBench::Report::Text::test_tail(skipped('pipe', 'one copy only'), 2),
        ">>>> no measured results: one copy only\n\n",
        'the tail has the reason if there is no result'
    );
};

subtest 'pass' => sub {
    my %data = (COUNT => [5, 1, 'lps'], TIME => [2], Zeta => ['z'], alpha => ['a'], 'x.' => [map { "v$_" } 0 .. 10]);
    my %copy = (pid   => 7, elapsed_s => 2, status => 0, gated => 0, output => "said\nthis", data => \%data);
    my $copy = { pid => 8, signal => 11, error => "killed by\tSIGSEGV", gated => 1, data => {}, output => "x\n" };
    is(UnixBench::Report::Text::pass({ number => 3, copies => [\%copy, $copy] }), <<'END', 'its copies in turn');
#### Pass 3

said
this
# COUNT0: 5
# COUNT1: 1
# COUNT2: lps
# TIME: 2
# Zeta: z
# alpha: a
# elapsed: 2.000000
# gate: none, its time counts from its exec
# pid: 7
# status: 0
# x.0: v0
# x.1: v1
# x.10: v10
# x.2: v2
# x.3: v3
# x.4: v4
# x.5: v5
# x.6: v6
# x.7: v7
# x.8: v8
# x.9: v9

x
# ERROR: killed by\tSIGSEGV
# pid: 8
# signal: 11

END
};

no_golden_left_over();
done_testing;
